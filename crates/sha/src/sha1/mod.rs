//! The compression function of SHA-1, FIPS 180-4 section 6.1.2: its constants and kernels.
//!
//! SHA-1 is broken where collisions matter; it stays in use for checks against accident and in formats that
//! were fixed long ago.
//!
//! | file | holds |
//! |---|---|
//! | `lanes.rs` | the definition, over as many messages side by side as the instruction set has lanes |
//! | `sha_ni.rs` | the same by the SHA instructions, `S` messages interleaved |
//! | `kernels.rs` | the table of all kernels |

mod kernels;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod sha_ni;

use hashlanes_isa::{Function, Table};

/// The chaining value: five words a..e.
pub type State = [u32; 5];

/// The compression function.
#[derive(Clone, Copy, Debug)]
pub struct Compression;

impl Function for Compression {
    type Word = u32;
    type State = State;
    type Block = [u8; 64];
    type Schedule = [u32; 80];
    const NAME: &'static str = "sha1";
    const KERNEL_VARIABLE: &'static str = "HASHLANES_SHA1_KERNEL";
    const ZERO_BLOCK: [u8; 64] = [0; 64];

    fn table() -> &'static Table<Self> {
        &kernels::TABLE
    }

    /// FIPS 180-4 section 6.1.2, step 1, and K added.
    fn schedule(block: &[u8; 64]) -> [u32; 80] {
        let mut w = [0u32; 80];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..80 {
            w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        }
        for (t, word) in w.iter_mut().enumerate() {
            *word = word.wrapping_add(K[t / 20]);
        }
        w
    }
}

/// H(0), section 5.3.1: the bytes 01 23 45 67 89 ab cd ef and back, little-endian, and f0 e1 d2 c3.
pub const H0: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
/// K, section 4.2.1, for twenty rounds each: 2^30 times the square roots of 2, 3, 5 and 10.
const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
