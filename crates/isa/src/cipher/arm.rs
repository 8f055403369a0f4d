//! Arm's AES instructions, FEAT_AES, on one block.
//!
//! `aese` begins with AddRoundKey and `aesmc` ends without, so a round of [`Blocks`] is `aese` with the key
//! 0, `aesmc`, and the exclusive or with the key. The compiler makes that exclusive or part of the `aese`
//! that follows it.
#![allow(
    unknown_lints,
    inline_always_mismatching_target_features,
    reason = "inlined where the features are: in the rows' entries"
)]

use core::arch::aarch64::*;

use super::{Block, Blocks, Multiply, partial_block, put_partial_block};
use crate::{Features, Proof};

/// The CPU has the AES instructions.
#[derive(Clone, Copy)]
pub struct ArmAes(());

impl Proof for ArmAes {
    const FEATURES: Features = Features::of(&["aes", "neon"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// A block in a register.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct X1(uint8x16_t);

impl Blocks for X1 {
    type Proof = ArmAes;
    type One = X1;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn one(isa: ArmAes) -> ArmAes {
        isa
    }
    #[inline(always)]
    fn zero(_: ArmAes) -> Self {
        // SAFETY: "Proofs".
        Self(unsafe { vdupq_n_u8(0) })
    }
    #[inline(always)]
    fn broadcast(_: ArmAes, block: &Block) -> Self {
        // SAFETY: "Proofs".
        Self(unsafe { vld1q_u8(block.as_ptr()) })
    }
    #[inline(always)]
    fn load(isa: ArmAes, bytes: &[u8]) -> Self {
        Self::broadcast(isa, bytes.try_into().expect("16 bytes"))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        assert!(bytes.len() == 16);
        // SAFETY: "Lanes"; as many bytes.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn load_partial(isa: ArmAes, bytes: &[u8]) -> Self {
        Self::broadcast(isa, &partial_block(bytes).to_le_bytes())
    }
    #[inline(always)]
    fn store_partial(self, bytes: &mut [u8]) {
        let mut block = [0; 16];
        self.store(&mut block);
        put_partial_block(u128::from_le_bytes(block), bytes);
    }
    #[inline(always)]
    fn gather(isa: ArmAes, blocks: &[&Block]) -> Self {
        assert!(blocks.len() == 1);
        Self::broadcast(isa, blocks[0])
    }
    #[inline(always)]
    fn scatter(self, blocks: &mut [&mut Block]) {
        assert!(blocks.len() == 1);
        self.store(blocks[0]);
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
        self.store(block);
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { veorq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vandq_u8(self.0, other.0) })
    }
    #[inline(always)]
    fn aesenc(self, round_key: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vaesmcq_u8(vaeseq_u8(self.0, vdupq_n_u8(0))) }).xor(round_key)
    }
    #[inline(always)]
    fn aesenclast(self, round_key: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vaeseq_u8(self.0, vdupq_n_u8(0)) }).xor(round_key)
    }
    #[inline(always)]
    fn aesdec(self, round_key: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vaesimcq_u8(vaesdq_u8(self.0, vdupq_n_u8(0))) }).xor(round_key)
    }
    #[inline(always)]
    fn aesdeclast(self, round_key: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vaesdq_u8(self.0, vdupq_n_u8(0)) }).xor(round_key)
    }
    #[inline(always)]
    fn aesimc(self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vaesimcq_u8(self.0) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe {
            let halves = vrev64q_u8(self.0);
            vextq_u8::<8>(halves, halves)
        })
    }
    #[inline(always)]
    fn add64(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe {
            vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(self.0), vreinterpretq_u64_u8(other.0)))
        })
    }
    #[inline(always)]
    fn keep_order<const W: usize>(_: &mut [Self; W]) {}
}

/// Halves of both, low or high, as polynomials.
macro_rules! product {
    ($a:expr, $a_half:literal, $b:expr, $b_half:literal) => {
        // SAFETY: "Proofs"; FEAT_PMULL is part of the feature `aes`.
        X1(unsafe {
            let a = vgetq_lane_p64::<$a_half>(vreinterpretq_p64_u8($a.0));
            let b = vgetq_lane_p64::<$b_half>(vreinterpretq_p64_u8($b.0));
            vreinterpretq_u8_p128(vmull_p64(a, b))
        })
    };
}

impl Multiply for X1 {
    type Multiplier = ArmAes;

    #[inline(always)]
    fn low_low(self, _: ArmAes, other: Self) -> Self {
        product!(self, 0, other, 0)
    }
    #[inline(always)]
    fn low_high(self, _: ArmAes, other: Self) -> Self {
        product!(self, 0, other, 1)
    }
    #[inline(always)]
    fn high_low(self, _: ArmAes, other: Self) -> Self {
        product!(self, 1, other, 0)
    }
    #[inline(always)]
    fn high_high(self, _: ArmAes, other: Self) -> Self {
        product!(self, 1, other, 1)
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vextq_u8::<8>(self.0, self.0) })
    }
    #[inline(always)]
    fn from_first(isa: ArmAes, block: u128) -> Self {
        Self::broadcast(isa, &block.to_le_bytes())
    }
    #[inline(always)]
    fn shuffle(self, order: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vqtbl1q_u8(self.0, order.0) })
    }
    #[inline(always)]
    fn add32(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe {
            vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(self.0), vreinterpretq_u32_u8(other.0)))
        })
    }
    #[inline(always)]
    fn low_halves(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe {
            vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(self.0), vreinterpretq_u64_u8(other.0)))
        })
    }
    #[inline(always)]
    fn broadcast_first(self) -> Self {
        self
    }
    #[inline(always)]
    fn window(self, next: Self, n: usize) -> Self {
        assert!(n <= 1);
        if n == 0 { self } else { next }
    }
}
