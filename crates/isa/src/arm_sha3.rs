//! Arm's instructions for SHA-512, FEAT_SHA512. (rustc's feature `sha3` stands for these and those of
//! FEAT_SHA3.)
//!
//! The instructions work on whole registers that hold parts of one message's state, so there are no lanes
//! here; `arm_sha512.rs` interleaves several messages.

#![allow(
    unknown_lints,
    inline_always_mismatching_target_features,
    reason = "inlined where the features are: in the rows' entries"
)]

use core::arch::aarch64::*;

use crate::neon;
use crate::over_streams::Register;
use crate::{Features, Proof};

/// The CPU has the instructions for SHA-512 and Keccak.
#[derive(Clone, Copy)]
pub struct ArmSha3(());

impl Proof for ArmSha3 {
    const FEATURES: Features = Features::of(&["sha3", "neon"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// Two 64-bit words in a register; word 0 is the lower.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Words(uint64x2_t);

impl core::ops::Add for Words {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        // SAFETY: "Lanes" in the crate's documentation.
        Self(unsafe { vaddq_u64(self.0, o.0) })
    }
}

impl Register for Words {
    type Proof = ArmSha3;

    #[inline(always)]
    unsafe fn load(_: ArmSha3, at: *const u8) -> Self {
        // SAFETY: the caller's contract; "Proofs" and "Unaligned".
        Self(unsafe { vreinterpretq_u64_u8(vld1q_u8(at)) })
    }
    #[inline(always)]
    fn from_words(_: ArmSha3, [low, high]: [u64; 2]) -> Self {
        // SAFETY: "Proofs".
        Self(unsafe { vcombine_u64(vcreate_u64(low), vcreate_u64(high)) })
    }
    #[inline(always)]
    fn select(self, order: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe {
            let (bytes, order) = (vreinterpretq_u8_u64(self.0), vreinterpretq_u8_u64(order.0));
            vreinterpretq_u64_u8(vqtbl1q_u8(bytes, order))
        })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vorrq_u64(self.0, other.0) })
    }
}

impl ArmSha3 {
    /// Words 0..2 of `words`.
    #[inline(always)]
    pub fn load(self, words: &[u64; 2]) -> Words {
        // SAFETY: "Proofs".
        Words(unsafe { neon::load64(words.as_ptr()) })
    }

    /// Returns the words, the lower first.
    #[inline(always)]
    pub fn store(self, words: Words) -> [u64; 2] {
        let mut out = [0; 2];
        // SAFETY: "Lanes".
        unsafe { neon::store64(out.as_mut_ptr(), words.0) }
        out
    }
}

impl Words {
    /// Returns the bytes of every word in the opposite order.
    #[inline(always)]
    pub fn swap_bytes(self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { neon::swap64(self.0) })
    }
    /// `ext`: the higher word of `self`, then the lower of `next`.
    #[inline(always)]
    pub fn middle(self, next: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vextq_u64::<1>(self.0, next.0) })
    }

    /// `sha512h`: the first half of two rounds; `self` = G H and K + W added to each other with their words
    /// exchanged, `fg` = F G, `de` = D E. The result is the input of the new E F and of `sha512h2`.
    #[inline(always)]
    pub fn sha512h(self, fg: Self, de: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha512hq_u64(self.0, fg.0, de.0) })
    }
    /// `sha512h2`: the second half, from the result of `sha512h` in `self`: the new A B.
    #[inline(always)]
    pub fn sha512h2(self, cd: Self, ab: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha512h2q_u64(self.0, cd.0, ab.0) })
    }
    /// `sha512su0`: W\[t\] + small sigma 0 of W\[t + 1\], for t in the words of `self`; `next` follows them.
    #[inline(always)]
    pub fn sha512su0(self, next: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha512su0q_u64(self.0, next.0) })
    }
    /// `sha512su1`: adds W\[t + 9\] and small sigma 1 of W\[t + 14\]; `w14` and `w9` hold these and those
    /// after them.
    #[inline(always)]
    pub fn sha512su1(self, w14: Self, w9: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha512su1q_u64(self.0, w14.0, w9.0) })
    }
}
