//! Products of polynomials over GF(2), which GHASH and POLYVAL consist of, and the other steps of
//! AES-GCM-SIV.

use super::Blocks;
use crate::Proof;

/// Blocks on a CPU that also multiplies polynomials over GF(2): every bit is a coefficient, the lowest bit
/// that of x^0.
///
/// The products have the proof as an argument, because registers only prove the features of [`Blocks`].
pub trait Multiply: Blocks {
    /// The proof that the CPU has the instructions.
    type Multiplier: Proof + Into<Self::Proof>;

    /// Returns the product of the low 64 bits of both.
    fn low_low(self, isa: Self::Multiplier, other: Self) -> Self;
    /// Returns the product of the low 64 bits of `self` and the high ones of `other`.
    fn low_high(self, isa: Self::Multiplier, other: Self) -> Self;
    /// Returns the product of the high 64 bits of `self` and the low ones of `other`.
    fn high_low(self, isa: Self::Multiplier, other: Self) -> Self;
    /// Returns the product of the high 64 bits of both.
    fn high_high(self, isa: Self::Multiplier, other: Self) -> Self;

    /// Returns the blocks with their halves exchanged.
    fn swap_halves(self) -> Self;

    /// A block in the first place, as a little-endian number, and zeros in the others. It does not go through
    /// memory, so nothing waits for a store.
    fn from_first(isa: Self::Multiplier, block: u128) -> Self;

    /// Returns the bytes of each block at the indices in `order`, and zeros for indices from 128 on.
    fn shuffle(self, order: Self) -> Self;
    /// Returns the sum of 32-bit little-endian quarters, modulo 2^32 each.
    fn add32(self, other: Self) -> Self;
    /// Returns the low 64 bits of both, those of `self` as the low half.
    fn low_halves(self, other: Self) -> Self;
    /// Returns the first block in every place.
    fn broadcast_first(self) -> Self;
    /// Returns `DEGREE` blocks of these and the ones of `next`, from place `n` on.
    ///
    /// # Panics
    /// Panics if `n` is more than `DEGREE`.
    fn window(self, next: Self, n: usize) -> Self;
}
