//! SSSE3: four 32-bit or two 64-bit lanes, in the legacy encoding. SSE2 would suffice for
//! everything except the byte swap, which is one `pshufb` of SSSE3.

use core::arch::x86_64::*;

use crate::lanes::lane_type;
use crate::{Features, Proof};

/// The CPU has SSSE3.
#[derive(Clone, Copy)]
pub struct Sse(());

impl Proof for Sse {
    const FEATURES: Features = Features::of(&["ssse3"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

lane_type! {
    /// Four 32-bit words in an xmm register.
    U32x4 = 4 x u32 (i32) in __m128i, Sse;
    add _mm_add_epi32, xor _mm_xor_si128, and _mm_and_si128, splat _mm_set1_epi32, swap swap32,
    load load, load_little load, load_part load_part32, store store, store_part store_part32, transpose transpose32;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The counts are constants: this becomes psrld, pslld.
            Self(unsafe {
                let (right, left) = (_mm_cvtsi32_si128(n as i32), _mm_cvtsi32_si128(32 - n as i32));
                _mm_or_si128(_mm_srl_epi32(self.0, right), _mm_sll_epi32(self.0, left))
            })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm_srl_epi32(self.0, _mm_cvtsi32_si128(n as i32)) })
        }
    }
}

lane_type! {
    /// Two 64-bit words in an xmm register.
    U64x2 = 2 x u64 (i64) in __m128i, Sse;
    add _mm_add_epi64, xor _mm_xor_si128, and _mm_and_si128, splat _mm_set1_epi64x, swap swap64,
    load load, load_little load, load_part load_part64, store store, store_part store_part64, transpose transpose64;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The counts are constants: this becomes psrlq, psllq.
            Self(unsafe {
                let (right, left) = (_mm_cvtsi32_si128(n as i32), _mm_cvtsi32_si128(64 - n as i32));
                _mm_or_si128(_mm_srl_epi64(self.0, right), _mm_sll_epi64(self.0, left))
            })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm_srl_epi64(self.0, _mm_cvtsi32_si128(n as i32)) })
        }
    }
}

// SAFETY of all below: they are called by the methods of the lane types only, here and in avx2.rs, so "Lanes"
// holds; memory is valid as required by those methods.

#[inline(always)]
unsafe fn swap32(x: __m128i) -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_shuffle_epi8(x, _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203)) }
}

#[inline(always)]
pub(crate) unsafe fn swap64(x: __m128i) -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_shuffle_epi8(x, _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607)) }
}

#[inline(always)]
pub(crate) unsafe fn load<T>(at: *const T) -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_loadu_si128(at.cast()) }
}

#[inline(always)]
pub(crate) unsafe fn store<T>(at: *mut T, x: __m128i) {
    // SAFETY: as above.
    unsafe { _mm_storeu_si128(at.cast(), x) }
}

/// Returns the first `n` words from `at`, `n` < 4, then zeros.
#[inline(always)]
pub(crate) unsafe fn load_part32(at: *const u32, n: usize) -> __m128i {
    let mut words = [0u32; 4];
    // SAFETY: `n` words may be read; as bytes, because they need not be aligned.
    unsafe {
        core::ptr::copy_nonoverlapping(at.cast::<u8>(), words.as_mut_ptr().cast(), 4 * n);
        load(words.as_ptr())
    }
}

#[inline(always)]
pub(crate) unsafe fn store_part32(at: *mut u32, n: usize, x: __m128i) {
    let mut words = [0u32; 4];
    // SAFETY: `n` words may be written; as bytes, because they need not be aligned.
    unsafe {
        store(words.as_mut_ptr(), x);
        core::ptr::copy_nonoverlapping(words.as_ptr().cast(), at.cast::<u8>(), 4 * n);
    }
}

/// One word, then zero.
#[inline(always)]
pub(crate) unsafe fn load_part64(at: *const u64, _: usize) -> __m128i {
    // SAFETY: a word may be read.
    unsafe { _mm_loadl_epi64(at.cast()) }
}

#[inline(always)]
pub(crate) unsafe fn store_part64(at: *mut u64, _: usize, x: __m128i) {
    // SAFETY: a word may be written.
    unsafe { _mm_storel_epi64(at.cast(), x) }
}

/// Rows and columns of 4 x 4 words exchanged: pairs, then quads.
#[inline(always)]
unsafe fn transpose32(r: [__m128i; 4]) -> [__m128i; 4] {
    // SAFETY: as above.
    unsafe {
        let p = [
            _mm_unpacklo_epi32(r[0], r[1]),
            _mm_unpackhi_epi32(r[0], r[1]),
            _mm_unpacklo_epi32(r[2], r[3]),
            _mm_unpackhi_epi32(r[2], r[3]),
        ];
        [
            _mm_unpacklo_epi64(p[0], p[2]),
            _mm_unpackhi_epi64(p[0], p[2]),
            _mm_unpacklo_epi64(p[1], p[3]),
            _mm_unpackhi_epi64(p[1], p[3]),
        ]
    }
}

/// Rows and columns of 2 x 2 words exchanged.
#[inline(always)]
unsafe fn transpose64(r: [__m128i; 2]) -> [__m128i; 2] {
    // SAFETY: as above.
    unsafe { [_mm_unpacklo_epi64(r[0], r[1]), _mm_unpackhi_epi64(r[0], r[1])] }
}
