//! Products of polynomials over GF(2), which GHASH consists of.

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
}
