//! Blocks of 128 bits side by side, and the steps of a round of AES (FIPS 197) on them.

use crate::Proof;

/// A block: 128 bits, as in FIPS 197, section 3.4: byte r + 4 · c is the state's row r, column c.
pub type Block = [u8; 16];

/// [`Blocks::DEGREE`] blocks side by side; every operation works block by block, unless its description says
/// otherwise.
///
/// The AES steps have the names and operands of x86's instructions: the whole round and its key.
pub trait Blocks: Copy {
    /// The proof that the CPU has these registers.
    type Proof: Proof;
    /// One block, by the same instruction set.
    type One: Blocks;
    /// Number of blocks side by side: 1, 2 or 4.
    const DEGREE: usize;

    /// Returns the proof for one block.
    fn one(isa: Self::Proof) -> <Self::One as Blocks>::Proof;

    /// All bits 0.
    fn zero(isa: Self::Proof) -> Self;
    /// The same block in every place.
    fn broadcast(isa: Self::Proof, block: &Block) -> Self;
    /// Consecutive blocks.
    ///
    /// # Panics
    /// Panics unless there are `DEGREE` of them.
    fn load(isa: Self::Proof, bytes: &[u8]) -> Self;
    /// Writes them one after another.
    ///
    /// # Panics
    /// Panics unless there is room for `DEGREE`, and no more.
    fn store(self, bytes: &mut [u8]);
    /// Reads a block from each of several places.
    ///
    /// # Panics
    /// Panics unless there are `DEGREE` of them.
    fn gather(isa: Self::Proof, blocks: &[&Block]) -> Self;
    /// Writes each block to its own place.
    ///
    /// # Panics
    /// Panics unless there are `DEGREE` of them.
    fn scatter(self, blocks: &mut [&mut Block]);
    /// Rows and columns of blocks exchanged: block c of result r is block r of `rows[c]`.
    ///
    /// # Panics
    /// Panics unless there are `DEGREE` rows.
    fn transpose(rows: &mut [Self]);

    /// Returns the blocks moved on by one place: the last of `previous`, then all of these but their last.
    fn after(self, previous: Self) -> Self;

    /// Returns the exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Returns the bitwise and.
    fn and(self, other: Self) -> Self;
    /// Returns the exclusive or of the three.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }

    /// SubBytes, ShiftRows, MixColumns, then AddRoundKey: a round of CIPHER, FIPS 197 section 5.1.
    fn aesenc(self, round_key: Self) -> Self;
    /// SubBytes, ShiftRows, AddRoundKey: its last round.
    fn aesenclast(self, round_key: Self) -> Self;
    /// InvSubBytes, InvShiftRows, InvMixColumns, AddRoundKey: a round of EQINVCIPHER, section 5.3.5.
    fn aesdec(self, round_key: Self) -> Self;
    /// InvSubBytes, InvShiftRows, AddRoundKey: its last round.
    fn aesdeclast(self, round_key: Self) -> Self;
    /// InvMixColumns: of a round key of CIPHER, one of EQINVCIPHER.
    #[inline(always)]
    fn aesimc(self) -> Self {
        // AESENCLAST's SubBytes and ShiftRows are undone by AESDEC, which leaves its InvMixColumns.
        let zero = self.xor(self);
        self.aesenclast(zero).aesdec(zero)
    }

    /// Returns the blocks as 128-bit big-endian numbers, from little-endian ones, and back.
    fn swap_bytes(self) -> Self;
    /// Returns the sum of 64-bit little-endian halves, modulo 2^64 each.
    fn add64(self, other: Self) -> Self;

    /// Returns the blocks unchanged. The compiler must compute all of them before the code that follows.
    ///
    /// Otherwise it splits interleaved AES rounds into pairs: eight xmm states take 12 % longer.
    fn keep_order<const W: usize>(states: &mut [Self; W]);
}
