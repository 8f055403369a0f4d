//! A block where the CPU has no AES instructions, by the crate `aes`: bit slices, in constant time.
//!
//! (On a CPU with AES instructions that crate uses them, unless it is built with `--cfg aes_backend="soft"`.
//! There the results are the same, but this is not the code that another CPU would run.)

use aes::hazmat;
use hashlanes_isa::cipher::{Block, Blocks, partial_block, put_partial_block};
use hashlanes_isa::scalar::Scalar;

/// One block.
#[derive(Clone, Copy)]
pub(crate) struct Portable(Block);

impl Portable {
    /// A step of the crate's on it.
    #[inline(always)]
    fn then(mut self, step: impl FnOnce(&mut aes::Block)) -> Self {
        step((&mut self.0).into());
        self
    }
}

impl From<Block> for Portable {
    #[inline(always)]
    fn from(block: Block) -> Self {
        Self(block)
    }
}

impl Blocks for Portable {
    type Proof = Scalar;
    type One = Self;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn one(isa: Scalar) -> Scalar {
        isa
    }
    #[inline(always)]
    fn zero(_: Scalar) -> Self {
        Self([0; 16])
    }
    #[inline(always)]
    fn broadcast(_: Scalar, block: &Block) -> Self {
        Self(*block)
    }
    #[inline(always)]
    fn load(_: Scalar, bytes: &[u8]) -> Self {
        Self(bytes.try_into().expect("16 bytes"))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn load_partial(_: Scalar, bytes: &[u8]) -> Self {
        Self(partial_block(bytes).to_le_bytes())
    }
    #[inline(always)]
    fn store_partial(self, bytes: &mut [u8]) {
        put_partial_block(u128::from_le_bytes(self.0), bytes);
    }
    #[inline(always)]
    fn gather(_: Scalar, blocks: &[&Block]) -> Self {
        assert!(blocks.len() == 1);
        Self(*blocks[0])
    }
    #[inline(always)]
    fn scatter(self, blocks: &mut [&mut Block]) {
        assert!(blocks.len() == 1);
        *blocks[0] = self.0;
    }
    #[inline(always)]
    fn transpose(rows: &mut [Self]) {
        assert!(rows.len() == 1);
    }
    #[inline(always)]
    fn after(self, previous: Self) -> Self {
        previous
    }
    #[inline(always)]
    fn sum(self) -> Self {
        self
    }
    #[inline(always)]
    fn store_first(self, block: &mut Block) {
        *block = self.0;
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self((u128::from_ne_bytes(self.0) ^ u128::from_ne_bytes(other.0)).to_ne_bytes())
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self((u128::from_ne_bytes(self.0) & u128::from_ne_bytes(other.0)).to_ne_bytes())
    }
    #[inline(always)]
    fn aesenc(self, round_key: Self) -> Self {
        self.then(|block| hazmat::cipher_round(block, (&round_key.0).into()))
    }
    #[inline(always)]
    fn aesenclast(self, round_key: Self) -> Self {
        let zero = [0; 16];
        let round = self.then(|block| hazmat::cipher_round(block, (&zero).into()));
        round.then(hazmat::inv_mix_columns).xor(round_key)
    }
    #[inline(always)]
    fn aesdec(self, round_key: Self) -> Self {
        self.then(|block| hazmat::equiv_inv_cipher_round(block, (&round_key.0).into()))
    }
    #[inline(always)]
    fn aesdeclast(self, round_key: Self) -> Self {
        let zero = [0; 16];
        let round = self.then(|block| hazmat::equiv_inv_cipher_round(block, (&zero).into()));
        round.then(hazmat::mix_columns).xor(round_key)
    }
    #[inline(always)]
    fn aesimc(self) -> Self {
        self.then(hazmat::inv_mix_columns)
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(u128::from_ne_bytes(self.0).swap_bytes().to_ne_bytes())
    }
    #[inline(always)]
    fn add64(self, other: Self) -> Self {
        let half = |x: &Block, i: usize| u64::from_le_bytes(x.as_chunks().0[i]);
        let mut sum = Self([0; 16]);
        for i in 0..2 {
            let of_halves = half(&self.0, i).wrapping_add(half(&other.0, i));
            sum.0.as_chunks_mut().0[i] = of_halves.to_le_bytes();
        }
        sum
    }
    #[inline(always)]
    fn keep_order<const W: usize>(_: &mut [Self; W]) {}
}
