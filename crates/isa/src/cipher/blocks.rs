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
    /// At most `DEGREE` consecutive blocks, of which the last may be cut short; zeros after them.
    ///
    /// # Panics
    /// Panics if there are more bytes.
    fn load_partial(isa: Self::Proof, bytes: &[u8]) -> Self;
    /// Writes the first bytes.
    ///
    /// # Panics
    /// Panics if there is room for more than `DEGREE` blocks.
    fn store_partial(self, bytes: &mut [u8]);
    /// Ones in the first bytes, zeros in the others.
    ///
    /// # Panics
    /// Panics if these are more bytes than there are.
    #[inline(always)]
    fn first_bytes(isa: Self::Proof, n_bytes: usize) -> Self {
        assert!(n_bytes <= 16 * Self::DEGREE);
        static ONES_AND_ZEROS: [u8; 128] = {
            let mut bytes = [0; 128];
            let mut i = 0;
            while i < 64 {
                bytes[i] = 0xff;
                i += 1;
            }
            bytes
        };
        Self::load(isa, &ONES_AND_ZEROS[64 - n_bytes..][..16 * Self::DEGREE])
    }
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

    /// Returns the exclusive or of all blocks in the first place, and zeros in the others.
    fn sum(self) -> Self;
    /// Writes the first block.
    fn store_first(self, block: &mut Block);

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

/// Returns at most 16 bytes as a little-endian number. They are read in pieces that overlap, not by way of a
/// buffer: a register that is read from a buffer waits for the stores to it.
///
/// # Panics
/// Panics if there are more bytes.
#[inline(always)]
pub fn partial_block(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    assert!(n <= 16);
    if let (Some(low), Some(high)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let high = u128::from(u64::from_le_bytes(*high));
        return u128::from(u64::from_le_bytes(*low)) | high << (8 * (n - 8));
    }
    let short = if let (Some(low), Some(high)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << (8 * (n - 4))
    } else if n > 0 {
        let byte = |i: usize| u64::from(bytes[i]) << (8 * i);
        byte(0) | byte(n / 2) | byte(n - 1)
    } else {
        0
    };
    u128::from(short)
}

/// Writes the first bytes of a little-endian number, at most 16, in pieces that overlap.
///
/// # Panics
/// Panics if there is room for more bytes.
#[inline(always)]
pub fn put_partial_block(block: u128, bytes: &mut [u8]) {
    let n = bytes.len();
    assert!(n <= 16);
    if n >= 8 {
        bytes[..8].copy_from_slice(&(block as u64).to_le_bytes());
        bytes[n - 8..].copy_from_slice(&((block >> (8 * (n - 8))) as u64).to_le_bytes());
    } else if n >= 4 {
        bytes[..4].copy_from_slice(&(block as u32).to_le_bytes());
        bytes[n - 4..].copy_from_slice(&((block >> (8 * (n - 4))) as u32).to_le_bytes());
    } else if n > 0 {
        for i in [0, n / 2, n - 1] {
            bytes[i] = (block >> (8 * i)) as u8;
        }
    }
}
