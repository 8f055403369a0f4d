//! The functions based on Keccak-f\[1600\]: a rate, a suffix and a digest length each (FIPS 202, section 6).

use core::fmt::Debug;
use core::hash::Hash;

use hashlanes_isa::sponge::Rate;

use crate::padding::copy_short;

/// A function over Keccak-f\[1600\]; see [`algorithms`](crate::algorithms).
pub trait Sponge: Copy + Debug + Send + Sync + 'static + sealed::Sealed {
    /// The name in functions' names, with `-` for `_`: `sha3-256`.
    const NAME: &'static str;
    /// Bytes in a block: the rate.
    const BLOCK_BYTES: usize = Self::PARAMETERS.rate.bytes();
    #[doc(hidden)]
    const PARAMETERS: Parameters;
}

/// A [`Sponge`] with digests of one length: SHA-3 and Keccak-256.
pub trait SpongeHash: Sponge {
    /// A digest: an array of [`SpongeHash::DIGEST_BYTES`] bytes.
    type Digest: Copy + Debug + Eq + Hash + Send + Sync + AsRef<[u8]> + AsMut<[u8]> + 'static;
    /// Bytes in a digest.
    const DIGEST_BYTES: usize;
    /// A digest of zeros, to be written over.
    const ZERO_DIGEST: Self::Digest;
}

/// A [`Sponge`] with output of any length: SHAKE.
pub trait Xof: Sponge {}

mod sealed {
    pub trait Sealed {}
}

/// The parameters of a sponge function.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    pub rate: Rate,
    /// The bits after the message, the first of pad10*1 among them, least significant first.
    pub suffix: u8,
}

/// The bits after a message, from section 6, and the first bit of pad10*1.
const SHA3: u8 = 0b110; // M || 01
const SHAKE: u8 = 0b1_1111; // M || 1111
const KECCAK: u8 = 0b1; // M alone

macro_rules! sponges {
    ($($(#[$doc:meta])* $name:ident $text:literal $rate:ident $suffix:ident $(-> $bytes:literal)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Sponge for $name {
            const NAME: &'static str = $text;
            const PARAMETERS: Parameters = Parameters { rate: Rate::$rate, suffix: $suffix };
        }
        sponges!(@output $name $($bytes)?);
    )*};
    (@output $name:ident) => {
        impl Xof for $name {}
    };
    (@output $name:ident $bytes:literal) => {
        impl SpongeHash for $name {
            type Digest = [u8; $bytes];
            const DIGEST_BYTES: usize = $bytes;
            const ZERO_DIGEST: Self::Digest = [0; $bytes];
        }
    };
}
sponges! {
    /// SHA3-224, FIPS 202, section 6.1.
    Sha3_224 "sha3-224" Bytes144 SHA3 -> 28;
    /// SHA3-256, FIPS 202, section 6.1.
    Sha3_256 "sha3-256" Bytes136 SHA3 -> 32;
    /// SHA3-384, FIPS 202, section 6.1.
    Sha3_384 "sha3-384" Bytes104 SHA3 -> 48;
    /// SHA3-512, FIPS 202, section 6.1.
    Sha3_512 "sha3-512" Bytes72 SHA3 -> 64;
    /// Ethereum's Keccak-256: SHA3-256 with the padding of the submission to the SHA-3 competition.
    Keccak256 "keccak256" Bytes136 KECCAK -> 32;
    /// SHAKE128, FIPS 202, section 6.2.
    Shake128 "shake128" Bytes168 SHAKE;
    /// SHAKE256, FIPS 202, section 6.2.
    Shake256 "shake256" Bytes136 SHAKE;
}

/// Bytes of the greatest rate.
pub(super) const MAX_RATE: usize = Rate::Bytes168.bytes();

impl Parameters {
    /// Returns the number of whole blocks in a number of bytes. Divides by constants, because the CPU divides
    /// slowly.
    #[inline]
    pub(super) fn n_whole(self, n_bytes: usize) -> usize {
        match self.rate {
            Rate::Bytes72 => n_bytes / 72,
            Rate::Bytes104 => n_bytes / 104,
            Rate::Bytes136 => n_bytes / 136,
            Rate::Bytes144 => n_bytes / 144,
            Rate::Bytes168 => n_bytes / 168,
        }
    }

    /// A message's whole blocks, and the bytes after them, fewer than a block.
    #[inline]
    pub(super) fn split(self, message: &[u8]) -> (&[u8], &[u8]) {
        message.split_at(self.n_whole(message.len()) * self.rate.bytes())
    }

    /// Pads the `n_rest` bytes at the start of `block`, which are followed by zeros.
    #[inline]
    pub(super) fn pad(self, block: &mut [u8; MAX_RATE], n_rest: usize) {
        block[n_rest] = self.suffix;
        block[self.rate.bytes() - 1] |= 0x80; // The last bit of pad10*1, section 5.1.
    }

    /// Writes the padded end of a message, the bytes after its whole blocks, into a block of zeros.
    #[inline]
    pub(super) fn put_end(self, rest: &[u8], block: &mut [u8; MAX_RATE]) {
        copy_short(block, rest);
        self.pad(block, rest.len());
    }
}

/// Writes the first bytes of a state, given as its first words, section B.1, until `to` is full.
#[inline]
pub(super) fn put_words(words: &[u64], out: &mut [u8]) {
    for (out, word) in out.chunks_mut(8).zip(words) {
        out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
    }
}

/// Returns the first bytes of a state.
#[inline]
pub(super) fn digest_of<S: SpongeHash>(words: &[u64]) -> S::Digest {
    let mut digest = S::ZERO_DIGEST;
    put_words(words, digest.as_mut());
    digest
}
