//! The arguments of a kernel, and blocks as numbers.

use hashlanes_isa::cipher::{Block, Buffer, in_words};

use crate::Key;

/// A message to encrypt or decrypt.
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub(crate) struct Job<'a> {
    /// The key-generating key, which keys are derived from.
    pub(crate) key: &'a Key,
    pub(crate) nonce: &'a [u8; 12],
    pub(crate) ad: &'a [u8],
    pub(crate) text: Buffer<'a>,
    /// The place of the tag. In decryption: the received tag, which is replaced by the one that the message
    /// must have.
    pub(crate) tag: &'a mut Block,
}

/// The block of RFC 8452, section 4, that the first derived bytes are the encryption of: a counter of 32
/// bits, and the nonce. As every block here, it is a little-endian number.
#[inline(always)]
pub(crate) fn first_of_derivation(nonce: &[u8; 12]) -> u128 {
    in_words(nonce) << 32
}

/// The last block of POLYVAL's input, section 4: the numbers of bits.
#[inline(always)]
pub(crate) fn lengths(ad_bytes: usize, text_bytes: usize) -> u128 {
    (8 * text_bytes as u128) << 64 | (8 * ad_bytes as u128)
}

/// The highest bit of a block. It is clear in the block that becomes the tag, and set in the first counter
/// block.
pub(crate) const HIGHEST_BIT: u128 = 1 << 127;
