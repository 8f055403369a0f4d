//! Arm's instructions for SHA-1 and SHA-256, FEAT_SHA1 and FEAT_SHA256.
//!
//! The instructions work on whole registers that hold parts of one message's state, so there are no lanes
//! here; the hashes' `arm_sha2.rs` interleave several messages.

#![allow(
    unknown_lints,
    inline_always_mismatching_target_features,
    reason = "inlined where the features are: in the rows' entries"
)]

use core::arch::aarch64::*;
use core::arch::asm;

use crate::over_streams::Register;
use crate::{Features, Proof};

/// The CPU has the instructions for SHA-1 and SHA-256.
#[derive(Clone, Copy)]
pub struct ArmSha2(());

impl Proof for ArmSha2 {
    const FEATURES: Features = Features::of(&["sha2", "neon"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// Four 32-bit words in a register; word 0 is the lowest.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Words(uint32x4_t);

impl core::ops::Add for Words {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        // SAFETY: "Lanes" in the crate's documentation.
        Self(unsafe { vaddq_u32(self.0, o.0) })
    }
}

impl Register for Words {
    type Proof = ArmSha2;

    #[inline(always)]
    unsafe fn load(_: ArmSha2, at: *const u8) -> Self {
        // SAFETY: the caller's contract; "Proofs" and "Unaligned".
        Self(unsafe { vreinterpretq_u32_u8(vld1q_u8(at)) })
    }
    #[inline(always)]
    fn from_words(_: ArmSha2, [low, high]: [u64; 2]) -> Self {
        // SAFETY: "Proofs".
        Self(unsafe { vreinterpretq_u32_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high))) })
    }
    #[inline(always)]
    fn select(self, order: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe {
            let (bytes, order) = (vreinterpretq_u8_u32(self.0), vreinterpretq_u8_u32(order.0));
            vreinterpretq_u32_u8(vqtbl1q_u8(bytes, order))
        })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vorrq_u32(self.0, other.0) })
    }
}

impl ArmSha2 {
    /// Returns the table through a pointer that is opaque to the compiler. Otherwise it would keep the
    /// table's words in registers from block to block, and there are too few registers.
    #[inline(always)]
    pub fn in_memory<T>(self, table: &'static T) -> &'static T {
        let mut at: *const T = table;
        // SAFETY: no instruction, so the pointer stays the table's.
        unsafe {
            asm!("/* {0} */", inout(reg) at, options(nomem, nostack, preserves_flags));
            &*at
        }
    }

    /// Words 0..4 of `words`.
    #[inline(always)]
    pub fn load(self, words: &[u32; 4]) -> Words {
        // SAFETY: "Proofs".
        Words(unsafe { vld1q_u32(words.as_ptr()) })
    }

    /// Returns the words, lowest first.
    #[inline(always)]
    pub fn store(self, words: Words) -> [u32; 4] {
        let mut out = [0; 4];
        // SAFETY: "Lanes".
        unsafe { vst1q_u32(out.as_mut_ptr(), words.0) }
        out
    }
}

impl Words {
    /// Returns the bytes of every word in the opposite order.
    #[inline(always)]
    pub fn swap_bytes(self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(self.0))) })
    }
    /// Copies the value to another register, which the compiler treats as a different value. If an
    /// instruction overwrites an operand that another one reads, the compiler would otherwise copy the
    /// operand on the critical path.
    #[inline(always)]
    pub fn copy(self) -> Self {
        let copy;
        // SAFETY: "Lanes"; it changes the register that it declares.
        unsafe {
            asm!("mov {0:v}.16b, {1:v}.16b", lateout(vreg) copy, in(vreg) self.0, options(pure, nomem, nostack, preserves_flags));
        }
        Self(copy)
    }

    /// `sha256h`: four rounds; `self` = A B C D (A lowest), E F G H, and K + W: the new A B C D.
    #[inline(always)]
    pub fn sha256h(self, efgh: Self, kw: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha256hq_u32(self.0, efgh.0, kw.0) })
    }
    /// `sha256h2`: the same four rounds; `self` = E F G H, A B C D before them, and K + W: the new E F G H.
    #[inline(always)]
    pub fn sha256h2(self, abcd: Self, kw: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha256h2q_u32(self.0, abcd.0, kw.0) })
    }
    /// `sha256su0`: W\[t\] + small sigma 0 of W\[t + 1\], for t in the words of `self`; `next` follows them.
    #[inline(always)]
    pub fn sha256su0(self, next: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha256su0q_u32(self.0, next.0) })
    }
    /// `sha256su1`: adds W\[t + 9\] and small sigma 1 of W\[t + 14\]; `w8` and `w12` hold W\[t + 8\] to
    /// W\[t + 15\].
    #[inline(always)]
    pub fn sha256su1(self, w8: Self, w12: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha256su1q_u32(self.0, w8.0, w12.0) })
    }

    /// `sha1c`: four rounds with Ch; `self` = A B C D (A lowest), E, and K + W: the new A B C D.
    #[inline(always)]
    pub fn sha1c(self, e: u32, kw: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha1cq_u32(self.0, e, kw.0) })
    }
    /// `sha1p`: the same with Parity.
    #[inline(always)]
    pub fn sha1p(self, e: u32, kw: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha1pq_u32(self.0, e, kw.0) })
    }
    /// `sha1m`: the same with Maj.
    #[inline(always)]
    pub fn sha1m(self, e: u32, kw: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha1mq_u32(self.0, e, kw.0) })
    }
    /// `sha1h`: the E of four rounds later, computed from the A of `self`.
    #[inline(always)]
    pub fn sha1h(self) -> u32 {
        // SAFETY: "Lanes".
        unsafe { vsha1h_u32(vgetq_lane_u32::<0>(self.0)) }
    }
    /// `sha1su0`: W\[t\] ^ W\[t + 2\] ^ W\[t + 8\], for t in the words of `self`; `w4` and `w8` follow them.
    #[inline(always)]
    pub fn sha1su0(self, w4: Self, w8: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha1su0q_u32(self.0, w4.0, w8.0) })
    }
    /// `sha1su1`: the last xor with the words three before, and the rotation.
    #[inline(always)]
    pub fn sha1su1(self, w12: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { vsha1su1q_u32(self.0, w12.0) })
    }
}
