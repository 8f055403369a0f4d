//! SHA-256 and SHA-512 in little code, without kernels, tables and allocator: FIPS 180-4, section 6.
//!
//! For the verifiers of signatures on devices. The rounds are a loop, and the message schedule is 16 words
//! that each round renews; about a fifth of the speed of the portable kernel on a desktop CPU.

use core::fmt;

use crate::algorithm::{Algorithm, algorithms};
use crate::{sha256, sha512};

/// A hash in parts.
pub trait SmallHash: Clone + fmt::Debug {
    /// The digest, an array.
    type Digest: AsRef<[u8]>;
    /// Bytes in a block.
    const BLOCK_BYTES: usize;

    /// Begins a message.
    fn new() -> Self;

    /// Absorbs the next part of the message.
    fn update(&mut self, part: &[u8]);

    /// Returns the digest of the message.
    fn finish(self) -> Self::Digest;
}

macro_rules! small_hash {
    ($name:ident, $module:ident, $word:ty, $counter:ty, $big0:expr, $big1:expr, $small0:expr, $small1:expr) => {
        #[doc = concat!(stringify!($name), ", small.")]
        #[derive(Clone)]
        pub struct $name {
            state: [$word; 8],
            /// The last block, of which `n_bytes` modulo its length are there.
            block: [u8; 2 * 8 * size_of::<$word>()],
            n_bytes: u64,
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl $name {
            /// Absorbs the block.
            #[inline(never)]
            fn compress(&mut self) {
                /// Returns sigma of section 4.1.2 or 4.1.3: two rotations, and a third one or a shift.
                #[inline(always)]
                fn big(x: $word, by: [u32; 3]) -> $word {
                    x.rotate_right(by[0]) ^ x.rotate_right(by[1]) ^ x.rotate_right(by[2])
                }
                #[inline(always)]
                fn small(x: $word, by: [u32; 3]) -> $word {
                    x.rotate_right(by[0]) ^ x.rotate_right(by[1]) ^ (x >> by[2])
                }
                let mut w = [0; 16];
                for (word, bytes) in w.iter_mut().zip(self.block.chunks_exact(size_of::<$word>())) {
                    *word = <$word>::from_be_bytes(bytes.try_into().expect("bytes of a word"));
                }
                let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
                for (t, k) in $module::K.iter().enumerate() {
                    if t >= 16 {
                        w[t % 16] = w[t % 16]
                            .wrapping_add(small(w[(t + 1) % 16], $small0))
                            .wrapping_add(w[(t + 9) % 16])
                            .wrapping_add(small(w[(t + 14) % 16], $small1));
                    }
                    let ch = (e & f) ^ (!e & g);
                    let t1 = h
                        .wrapping_add(big(e, $big1))
                        .wrapping_add(ch)
                        .wrapping_add(*k)
                        .wrapping_add(w[t % 16]);
                    let maj = (a & b) ^ (a & c) ^ (b & c);
                    let t2 = big(a, $big0).wrapping_add(maj);
                    (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
                }
                for (word, change) in self.state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                    *word = word.wrapping_add(change);
                }
            }
        }

        impl SmallHash for $name {
            type Digest = [u8; 8 * size_of::<$word>()];
            const BLOCK_BYTES: usize = 2 * 8 * size_of::<$word>();

            fn new() -> Self {
                Self { state: algorithms::$name::H0, block: [0; Self::BLOCK_BYTES], n_bytes: 0 }
            }

            fn update(&mut self, part: &[u8]) {
                for byte in part {
                    let at = self.n_bytes as usize % Self::BLOCK_BYTES;
                    self.block[at] = *byte;
                    self.n_bytes += 1;
                    if at + 1 == Self::BLOCK_BYTES {
                        self.compress();
                    }
                }
            }

            fn finish(mut self) -> Self::Digest {
                let length = <$counter>::from(self.n_bytes) * 8;
                self.update(&[0x80]);
                while self.n_bytes as usize % Self::BLOCK_BYTES != Self::BLOCK_BYTES - size_of::<$counter>() {
                    self.update(&[0]);
                }
                self.update(&length.to_be_bytes());
                let mut digest = [0; 8 * size_of::<$word>()];
                for (bytes, word) in digest.chunks_exact_mut(size_of::<$word>()).zip(self.state) {
                    bytes.copy_from_slice(&word.to_be_bytes());
                }
                digest
            }
        }
    };
}
small_hash!(Sha256, sha256, u32, u64, [2, 13, 22], [6, 11, 25], [7, 18, 3], [17, 19, 10]);
small_hash!(Sha512, sha512, u64, u128, [28, 34, 39], [14, 18, 41], [1, 8, 7], [19, 61, 6]);
