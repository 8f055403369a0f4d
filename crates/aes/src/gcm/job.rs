//! The arguments of a kernel: a key with its powers, and a message.

use alloc::boxed::Box;

use hashlanes_isa::cipher::{Block, Buffer, in_words};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::Key;

/// The number of powers of H that a key has: more than two of a kernel's groups of blocks and the block of
/// lengths. With this number, the powers of a group of 16 begin at a cache line.
pub(crate) const N_POWERS: usize = 36;
/// Zeros after the last power, so that a register can be read from any power on.
const N_ZEROS: usize = 4;

/// The powers of H, the last one first: H^36, …, H^2, H, zeros.
///
/// A power is a little-endian number in the field of POLYVAL (RFC 8452, section 3 and appendix A): its bytes
/// are in the reverse order of GHASH's, H itself is multiplied by x, and products are multiplied by x^-128.
#[derive(Zeroize, ZeroizeOnDrop)]
#[repr(align(64))]
pub(crate) struct Powers([Block; N_POWERS + N_ZEROS]);

impl Powers {
    /// Allocates them. They are computed in place, so that a move leaves no copy.
    pub(crate) fn zeros() -> Box<Self> {
        Box::new(Self([[0; 16]; N_POWERS + N_ZEROS]))
    }

    /// Returns H^k and the lower powers, down to H, and zeros.
    #[inline(always)]
    pub(crate) fn from(&self, k: usize) -> &[Block] {
        &self.0[N_POWERS - k..]
    }

    /// Returns the place of H^k.
    #[inline(always)]
    pub(crate) fn place(&mut self, k: usize) -> &mut Block {
        &mut self.0[N_POWERS - k]
    }

    /// Returns the places of H^k and the powers below, `n` in all.
    #[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
    #[inline(always)]
    pub(crate) fn places(&mut self, k: usize, n: usize) -> &mut [Block] {
        &mut self.0[N_POWERS - k..][..n]
    }
}

/// From memory to memory, with no copy on the stack.
impl Clone for Powers {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

/// A key, and the place of its powers.
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub(crate) struct Fill<'a> {
    pub(crate) key: &'a Key,
    pub(crate) powers: &'a mut Powers,
}

/// The direction of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// A message to encrypt or decrypt.
#[repr(C)]
pub(crate) struct Job<'a> {
    pub(crate) key: &'a Key,
    pub(crate) powers: &'a Powers,
    pub(crate) nonce: &'a [u8; 12],
    pub(crate) ad: &'a [u8],
    pub(crate) text: Buffer<'a>,
    /// The place of the tag.
    pub(crate) tag: &'a mut Block,
}

/// The high 64 bits of the polynomial of POLYVAL's field, without x^128.
pub(crate) const REDUCTION: u64 = 0xc200_0000_0000_0000;

/// J0 of SP 800-38D, section 7.1, for a nonce of 96 bits: the nonce, and a counter of 32 bits that begins
/// with 1. The block is a little-endian number; its counter is big-endian.
#[inline(always)]
pub(crate) fn first_counter(nonce: &[u8; 12]) -> u128 {
    (1 << 120) | in_words(nonce)
}

/// The last block of GHASH's input, section 7.1: the numbers of bits.
#[inline(always)]
pub(crate) fn lengths(ad_bytes: usize, text_bytes: usize) -> u128 {
    ((8 * ad_bytes as u128) << 64) | (8 * text_bytes as u128)
}

/// The key's hash value H as GHASH has it, as the first power: times x in the field of POLYVAL, whose
/// polynomial is x^128 + x^127 + x^126 + x^121 + 1.
#[inline(always)]
pub(crate) fn first_power(h: Block) -> u128 {
    const POLYNOMIAL: u128 = (REDUCTION as u128) << 64 | 1;
    let h = u128::from_be_bytes(h);
    (h << 1) ^ ((h >> 127).wrapping_neg() & POLYNOMIAL)
}
