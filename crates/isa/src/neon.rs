//! Advanced SIMD (NEON): four 32-bit or two 64-bit lanes.

use core::arch::aarch64::*;

use crate::lanes::lane_type;
use crate::{Features, Proof};

/// The CPU has Advanced SIMD.
#[derive(Clone, Copy)]
pub struct Neon(());

impl Proof for Neon {
    const FEATURES: Features = Features::of(&["neon"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

lane_type! {
    /// Four 32-bit words in a register.
    U32x4 = 4 x u32 (u32) in uint32x4_t, Neon;
    add vaddq_u32, xor veorq_u32, and vandq_u32, splat vdupq_n_u32, swap swap32,
    load load32, load_little load32, load_part load_part32, store store32, store_part store_part32, transpose transpose32;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The counts are constants: this becomes shl and a shift right that inserts.
            Self(unsafe {
                vorrq_u32(
                    vshlq_u32(self.0, vdupq_n_s32(-(n as i32))),
                    vshlq_u32(self.0, vdupq_n_s32(32 - n as i32)),
                )
            })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { vshlq_u32(self.0, vdupq_n_s32(-(n as i32))) })
        }
        #[inline(always)]
        fn ch(self, f: Self, g: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { vbslq_u32(self.0, f.0, g.0) })
        }
        #[inline(always)]
        fn maj(self, b: Self, c: Self) -> Self {
            (self ^ b).ch(c, b)
        }
    }
}

lane_type! {
    /// Two 64-bit words in a register.
    U64x2 = 2 x u64 (u64) in uint64x2_t, Neon;
    add vaddq_u64, xor veorq_u64, and vandq_u64, splat vdupq_n_u64, swap swap64,
    load load64, load_little load64, load_part load_part64, store store64, store_part store_part64, transpose transpose64;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The counts are constants: this becomes shl and a shift right that inserts.
            Self(unsafe {
                vorrq_u64(
                    vshlq_u64(self.0, vdupq_n_s64(-i64::from(n))),
                    vshlq_u64(self.0, vdupq_n_s64(64 - i64::from(n))),
                )
            })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(-i64::from(n))) })
        }
        #[inline(always)]
        fn ch(self, f: Self, g: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { vbslq_u64(self.0, f.0, g.0) })
        }
        #[inline(always)]
        fn maj(self, b: Self, c: Self) -> Self {
            (self ^ b).ch(c, b)
        }
        #[inline(always)]
        fn chi(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            self ^ Self(unsafe { vbicq_u64(c.0, b.0) })
        }
    }
}

// SAFETY of all below: they are called by the methods of the lane types only, here and in arm_sha3.rs, so
// "Lanes" holds; memory is valid as required by those methods; it is read and written as bytes, because it
// need not be aligned.

#[inline(always)]
unsafe fn swap32(x: uint32x4_t) -> uint32x4_t {
    // SAFETY: as above.
    unsafe { vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(x))) }
}

#[inline(always)]
pub(crate) unsafe fn swap64(x: uint64x2_t) -> uint64x2_t {
    // SAFETY: as above.
    unsafe { vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(x))) }
}

#[inline(always)]
unsafe fn load32(at: *const u32) -> uint32x4_t {
    // SAFETY: as above.
    unsafe { vreinterpretq_u32_u8(vld1q_u8(at.cast())) }
}

#[inline(always)]
pub(crate) unsafe fn load64(at: *const u64) -> uint64x2_t {
    // SAFETY: as above.
    unsafe { vreinterpretq_u64_u8(vld1q_u8(at.cast())) }
}

#[inline(always)]
unsafe fn store32(at: *mut u32, x: uint32x4_t) {
    // SAFETY: as above.
    unsafe { vst1q_u8(at.cast(), vreinterpretq_u8_u32(x)) }
}

#[inline(always)]
pub(crate) unsafe fn store64(at: *mut u64, x: uint64x2_t) {
    // SAFETY: as above.
    unsafe { vst1q_u8(at.cast(), vreinterpretq_u8_u64(x)) }
}

/// Returns the first `n` words from `at`, `n` < 4, then zeros.
#[inline(always)]
unsafe fn load_part32(at: *const u32, n: usize) -> uint32x4_t {
    let mut words = [0u32; 4];
    // SAFETY: `n` words may be read.
    unsafe {
        core::ptr::copy_nonoverlapping(at.cast::<u8>(), words.as_mut_ptr().cast(), 4 * n);
        load32(words.as_ptr())
    }
}

#[inline(always)]
unsafe fn store_part32(at: *mut u32, n: usize, x: uint32x4_t) {
    let mut words = [0u32; 4];
    // SAFETY: `n` words may be written.
    unsafe {
        store32(words.as_mut_ptr(), x);
        core::ptr::copy_nonoverlapping(words.as_ptr().cast(), at.cast::<u8>(), 4 * n);
    }
}

/// One word, then zero.
#[inline(always)]
pub(crate) unsafe fn load_part64(at: *const u64, _: usize) -> uint64x2_t {
    // SAFETY: a word may be read.
    unsafe { vcombine_u64(vcreate_u64(at.read_unaligned()), vcreate_u64(0)) }
}

#[inline(always)]
pub(crate) unsafe fn store_part64(at: *mut u64, _: usize, x: uint64x2_t) {
    // SAFETY: a word may be written.
    unsafe { at.write_unaligned(vgetq_lane_u64::<0>(x)) }
}

/// Rows and columns of 4 x 4 words exchanged: pairs, then quads.
#[inline(always)]
unsafe fn transpose32(r: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
    // SAFETY: as above.
    unsafe {
        let p = [
            vreinterpretq_u64_u32(vzip1q_u32(r[0], r[1])),
            vreinterpretq_u64_u32(vzip2q_u32(r[0], r[1])),
            vreinterpretq_u64_u32(vzip1q_u32(r[2], r[3])),
            vreinterpretq_u64_u32(vzip2q_u32(r[2], r[3])),
        ];
        [
            vreinterpretq_u32_u64(vzip1q_u64(p[0], p[2])),
            vreinterpretq_u32_u64(vzip2q_u64(p[0], p[2])),
            vreinterpretq_u32_u64(vzip1q_u64(p[1], p[3])),
            vreinterpretq_u32_u64(vzip2q_u64(p[1], p[3])),
        ]
    }
}

/// Rows and columns of 2 x 2 words exchanged.
#[inline(always)]
pub(crate) unsafe fn transpose64(r: [uint64x2_t; 2]) -> [uint64x2_t; 2] {
    // SAFETY: as above.
    unsafe { [vzip1q_u64(r[0], r[1]), vzip2q_u64(r[0], r[1])] }
}
