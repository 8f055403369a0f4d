//! AVX-512VL: the lanes of AVX2 with rotation and any three-input function in one instruction, and
//! 32 registers. Half as wide as AVX-512, it neither slows the clock nor blocks two pipes at once.

use core::arch::x86_64::*;

use crate::avx2::{
    load, load_part32, load_part64, store, store_part32, store_part64, swap32, swap64, transpose32,
    transpose64,
};
use crate::lanes::lane_type;
use crate::{Features, Proof, sse};

/// The CPU has AVX-512F and VL.
#[derive(Clone, Copy)]
pub struct Avx512Vl(());

impl Proof for Avx512Vl {
    const FEATURES: Features = Features::of(&["avx512f", "avx512vl"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

lane_type! {
    /// Eight 32-bit words in a ymm register.
    U32x8 = 8 x u32 (i32) in __m256i, Avx512Vl;
    add _mm256_add_epi32, xor _mm256_xor_si256, and _mm256_and_si256, splat _mm256_set1_epi32, swap swap32,
    load load, load_little load, load_part load_part32, store store, store_part store_part32, transpose transpose32;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The count is a constant: this becomes vprord.
            Self(unsafe { _mm256_rorv_epi32(self.0, _mm256_set1_epi32(n as i32)) })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_srlv_epi32(self.0, _mm256_set1_epi32(n as i32)) })
        }
        #[inline(always)]
        fn ch(self, f: Self, g: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_ternarylogic_epi32::<0xca>(self.0, f.0, g.0) })
        }
        #[inline(always)]
        fn maj(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_ternarylogic_epi32::<0xe8>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn xor3(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_ternarylogic_epi32::<0x96>(self.0, b.0, c.0) })
        }
    }
}

lane_type! {
    /// Four 64-bit words in a ymm register.
    U64x4 = 4 x u64 (i64) in __m256i, Avx512Vl;
    add _mm256_add_epi64, xor _mm256_xor_si256, and _mm256_and_si256, splat _mm256_set1_epi64x, swap swap64,
    load load, load_little load, load_part load_part64, store store, store_part store_part64, transpose transpose64;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The count is a constant: this becomes vprorq.
            Self(unsafe { _mm256_rorv_epi64(self.0, _mm256_set1_epi64x(n as i64)) })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(n as i64)) })
        }
        #[inline(always)]
        fn ch(self, f: Self, g: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_ternarylogic_epi64::<0xca>(self.0, f.0, g.0) })
        }
        #[inline(always)]
        fn maj(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_ternarylogic_epi64::<0xe8>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn chi(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn xor3(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_ternarylogic_epi64::<0x96>(self.0, b.0, c.0) })
        }
    }
}

lane_type! {
    /// One 64-bit word in an xmm register: for functions in which rotations and three-input functions save
    /// more than the general registers' short way.
    U64x1 = 1 x u64 (i64) in __m128i, Avx512Vl;
    add _mm_add_epi64, xor _mm_xor_si128, and _mm_and_si128, splat _mm_cvtsi64_si128, swap sse::swap64,
    load load_one, load_little load_one, load_part sse::load_part64, store store_one, store_part sse::store_part64,
    transpose identity;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The count is a constant: this becomes vprorq.
            Self(unsafe { _mm_rorv_epi64(self.0, _mm_set1_epi64x(n as i64)) })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm_srlv_epi64(self.0, _mm_set1_epi64x(n as i64)) })
        }
        #[inline(always)]
        fn chi(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn xor3(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm_ternarylogic_epi64::<0x96>(self.0, b.0, c.0) })
        }
    }
}

#[inline(always)]
fn identity(square: [__m128i; 1]) -> [__m128i; 1] {
    square
}

/// # Safety
/// A word may be read at `at`, and the CPU has AVX-512VL.
#[inline(always)]
unsafe fn load_one(at: *const u64) -> __m128i {
    // SAFETY: the caller's contract.
    unsafe { sse::load_part64(at, 1) }
}

/// # Safety
/// A word may be written at `at`, and the CPU has AVX-512VL.
#[inline(always)]
unsafe fn store_one(at: *mut u64, word: __m128i) {
    // SAFETY: the caller's contract.
    unsafe { sse::store_part64(at, 1, word) }
}
