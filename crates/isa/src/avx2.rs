//! AVX2: eight 32-bit or four 64-bit lanes.

use core::arch::x86_64::*;

use crate::lanes::lane_type;
use crate::{Features, Proof, sse};

/// The CPU has AVX2.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Proof for Avx2 {
    const FEATURES: Features = Features::of(&["avx2"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

lane_type! {
    /// Eight 32-bit words in a ymm register.
    U32x8 = 8 x u32 (i32) in __m256i, Avx2;
    add _mm256_add_epi32, xor _mm256_xor_si256, and _mm256_and_si256, splat _mm256_set1_epi32, swap swap32,
    load load, load_little load, load_part load_part32, store store, store_part store_part32, transpose transpose32;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The counts are constants: this becomes vpsrld, vpslld.
            Self(unsafe {
                let (right, left) = (_mm256_set1_epi32(n as i32), _mm256_set1_epi32(32 - n as i32));
                _mm256_or_si256(_mm256_srlv_epi32(self.0, right), _mm256_sllv_epi32(self.0, left))
            })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_srlv_epi32(self.0, _mm256_set1_epi32(n as i32)) })
        }
    }
}

lane_type! {
    /// Four 64-bit words in a ymm register.
    U64x4 = 4 x u64 (i64) in __m256i, Avx2;
    add _mm256_add_epi64, xor _mm256_xor_si256, and _mm256_and_si256, splat _mm256_set1_epi64x, swap swap64,
    load load, load_little load, load_part load_part64, store store, store_part store_part64, transpose transpose64;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The counts are constants: this becomes vpsrlq, vpsllq.
            Self(unsafe {
                let (right, left) = (_mm256_set1_epi64x(n as i64), _mm256_set1_epi64x(64 - n as i64));
                _mm256_or_si256(_mm256_srlv_epi64(self.0, right), _mm256_sllv_epi64(self.0, left))
            })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(n as i64)) })
        }
    }
}

// SAFETY of all below: they are called by the methods of ymm lane types only, here and in avx512vl.rs, so
// "Lanes" holds; memory is valid as required by those methods.

#[inline(always)]
pub(crate) unsafe fn swap32(x: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe {
        let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
        _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
    }
}

#[inline(always)]
pub(crate) unsafe fn swap64(x: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe {
        let order = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
        _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order))
    }
}

#[inline(always)]
pub(crate) unsafe fn load<T>(at: *const T) -> __m256i {
    // SAFETY: as above.
    unsafe { _mm256_loadu_si256(at.cast()) }
}

#[inline(always)]
pub(crate) unsafe fn store<T>(at: *mut T, x: __m256i) {
    // SAFETY: as above.
    unsafe { _mm256_storeu_si256(at.cast(), x) }
}

// Parts are read and written in halves, not by `vpmaskmovd`: its store is microcoded on AMD, and emulators
// read all of its memory.

/// Returns the first `n` words from `at`, `n` < 8, then zeros; the rest is not read.
#[inline(always)]
pub(crate) unsafe fn load_part32(at: *const u32, n: usize) -> __m256i {
    // SAFETY: as above; four words and n - 4, or n alone.
    unsafe {
        if n >= 4 {
            _mm256_set_m128i(sse::load_part32(at.add(4), n - 4), sse::load(at))
        } else {
            _mm256_set_m128i(_mm_setzero_si128(), sse::load_part32(at, n))
        }
    }
}

#[inline(always)]
pub(crate) unsafe fn store_part32(at: *mut u32, n: usize, x: __m256i) {
    // SAFETY: as above; four words and n - 4, or n alone.
    unsafe {
        let (low, high) = (_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
        if n >= 4 {
            sse::store(at, low);
            sse::store_part32(at.add(4), n - 4, high);
        } else {
            sse::store_part32(at, n, low);
        }
    }
}

/// Returns the first `n` words from `at`, `n` < 4, then zeros; the rest is not read.
#[inline(always)]
pub(crate) unsafe fn load_part64(at: *const u64, n: usize) -> __m256i {
    // SAFETY: as above; a word is two of 32 bits.
    unsafe { load_part32(at.cast(), 2 * n) }
}

#[inline(always)]
pub(crate) unsafe fn store_part64(at: *mut u64, n: usize, x: __m256i) {
    // SAFETY: as above; a word is two of 32 bits.
    unsafe { store_part32(at.cast(), 2 * n, x) }
}

/// Transposes 8 x 8 words: first pairs, then quads, then halves.
#[inline(always)]
pub(crate) unsafe fn transpose32(r: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: as above.
    unsafe {
        let mut p = r;
        for i in [0, 2, 4, 6] {
            p[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
            p[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
        }
        let mut q = r;
        for i in [0, 4] {
            q[i] = _mm256_unpacklo_epi64(p[i], p[i + 2]);
            q[i + 1] = _mm256_unpackhi_epi64(p[i], p[i + 2]);
            q[i + 2] = _mm256_unpacklo_epi64(p[i + 1], p[i + 3]);
            q[i + 3] = _mm256_unpackhi_epi64(p[i + 1], p[i + 3]);
        }
        let mut t = r;
        for i in 0..4 {
            t[i] = _mm256_permute2x128_si256::<0x20>(q[i], q[i + 4]);
            t[i + 4] = _mm256_permute2x128_si256::<0x31>(q[i], q[i + 4]);
        }
        t
    }
}

/// Rows and columns of 4 x 4 words exchanged: pairs, then halves.
#[inline(always)]
pub(crate) unsafe fn transpose64(r: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: as above.
    unsafe {
        let p = [
            _mm256_unpacklo_epi64(r[0], r[1]),
            _mm256_unpackhi_epi64(r[0], r[1]),
            _mm256_unpacklo_epi64(r[2], r[3]),
            _mm256_unpackhi_epi64(r[2], r[3]),
        ];
        [
            _mm256_permute2x128_si256::<0x20>(p[0], p[2]),
            _mm256_permute2x128_si256::<0x20>(p[1], p[3]),
            _mm256_permute2x128_si256::<0x31>(p[0], p[2]),
            _mm256_permute2x128_si256::<0x31>(p[1], p[3]),
        ]
    }
}
