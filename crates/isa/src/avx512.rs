//! AVX-512: sixteen 32-bit or eight 64-bit lanes, rotation and any three-input function in one instruction.

use core::arch::x86_64::*;

use crate::lanes::lane_type;
use crate::{Features, Proof};

/// The CPU has AVX-512F and BW.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Proof for Avx512 {
    const FEATURES: Features = Features::of(&["avx512f", "avx512bw"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

lane_type! {
    /// Sixteen 32-bit words in a zmm register.
    U32x16 = 16 x u32 (i32) in __m512i, Avx512;
    add _mm512_add_epi32, xor _mm512_xor_si512, and _mm512_and_si512, splat _mm512_set1_epi32, swap swap32,
    load load, load_little load, load_part load_part32, store store, store_part store_part32, transpose transpose32;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The count is a constant: this becomes vprord.
            Self(unsafe { _mm512_rorv_epi32(self.0, _mm512_set1_epi32(n as i32)) })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_srlv_epi32(self.0, _mm512_set1_epi32(n as i32)) })
        }
        #[inline(always)]
        fn ch(self, f: Self, g: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_ternarylogic_epi32::<0xca>(self.0, f.0, g.0) })
        }
        #[inline(always)]
        fn maj(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_ternarylogic_epi32::<0xe8>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn xor3(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_ternarylogic_epi32::<0x96>(self.0, b.0, c.0) })
        }
    }
}

lane_type! {
    /// Eight 64-bit words in a zmm register.
    U64x8 = 8 x u64 (i64) in __m512i, Avx512;
    add _mm512_add_epi64, xor _mm512_xor_si512, and _mm512_and_si512, splat _mm512_set1_epi64, swap swap64,
    load load, load_little load, load_part load_part64, store store, store_part store_part64, transpose transpose64;
    {
        #[inline(always)]
        fn rotr(self, n: u32) -> Self {
            // SAFETY: "Lanes". The count is a constant: this becomes vprorq.
            Self(unsafe { _mm512_rorv_epi64(self.0, _mm512_set1_epi64(n as i64)) })
        }
        #[inline(always)]
        fn shr(self, n: u32) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_srlv_epi64(self.0, _mm512_set1_epi64(n as i64)) })
        }
        #[inline(always)]
        fn ch(self, f: Self, g: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_ternarylogic_epi64::<0xca>(self.0, f.0, g.0) })
        }
        #[inline(always)]
        fn maj(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_ternarylogic_epi64::<0xe8>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn chi(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0) })
        }
        #[inline(always)]
        fn xor3(self, b: Self, c: Self) -> Self {
            // SAFETY: "Lanes".
            Self(unsafe { _mm512_ternarylogic_epi64::<0x96>(self.0, b.0, c.0) })
        }
    }
}

// SAFETY of all below: they are called by the methods of the lane types only, so "Lanes" holds; memory is
// valid as required by those methods.

#[inline(always)]
unsafe fn swap32(x: __m512i) -> __m512i {
    // SAFETY: as above.
    unsafe { _mm512_shuffle_epi8(x, _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203)) }
}

#[inline(always)]
unsafe fn swap64(x: __m512i) -> __m512i {
    // SAFETY: as above.
    unsafe { _mm512_shuffle_epi8(x, _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607)) }
}

#[inline(always)]
unsafe fn load<T>(at: *const T) -> __m512i {
    // SAFETY: as above.
    unsafe { _mm512_loadu_si512(at.cast()) }
}

#[inline(always)]
unsafe fn store<T>(at: *mut T, x: __m512i) {
    // SAFETY: as above.
    unsafe { _mm512_storeu_si512(at.cast(), x) }
}

/// Returns the first `n` words from `at`, then zeros; the rest is not read.
#[inline(always)]
unsafe fn load_part32(at: *const u32, n: usize) -> __m512i {
    // SAFETY: as above; a masked load reads only the words of its mask.
    unsafe { _mm512_maskz_loadu_epi32((1 << n) - 1, at.cast()) }
}

#[inline(always)]
unsafe fn store_part32(at: *mut u32, n: usize, x: __m512i) {
    // SAFETY: as above; a masked store writes only the words of its mask.
    unsafe { _mm512_mask_storeu_epi32(at.cast(), (1 << n) - 1, x) }
}

/// Returns the first `n` words from `at`, then zeros; the rest is not read.
#[inline(always)]
unsafe fn load_part64(at: *const u64, n: usize) -> __m512i {
    // SAFETY: as above.
    unsafe { _mm512_maskz_loadu_epi64((1 << n) - 1, at.cast()) }
}

#[inline(always)]
unsafe fn store_part64(at: *mut u64, n: usize, x: __m512i) {
    // SAFETY: as above.
    unsafe { _mm512_mask_storeu_epi64(at.cast(), (1 << n) - 1, x) }
}

/// Rows and columns of 16 x 16 words exchanged: pairs, quads, then the four 128-bit quarters.
#[inline(always)]
unsafe fn transpose32(r: [__m512i; 16]) -> [__m512i; 16] {
    // SAFETY: as above.
    unsafe {
        let mut p = r;
        for i in [0, 2, 4, 6, 8, 10, 12, 14] {
            p[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
            p[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
        }
        let mut q = r;
        for i in [0, 4, 8, 12] {
            q[i] = _mm512_unpacklo_epi64(p[i], p[i + 2]);
            q[i + 1] = _mm512_unpackhi_epi64(p[i], p[i + 2]);
            q[i + 2] = _mm512_unpacklo_epi64(p[i + 1], p[i + 3]);
            q[i + 3] = _mm512_unpackhi_epi64(p[i + 1], p[i + 3]);
        }
        let mut t = r;
        for i in 0..4 {
            [t[i], t[i + 4], t[i + 8], t[i + 12]] = quarters([q[i], q[i + 4], q[i + 8], q[i + 12]]);
        }
        t
    }
}

/// Rows and columns of 8 x 8 words exchanged: pairs, then the four 128-bit quarters.
#[inline(always)]
unsafe fn transpose64(r: [__m512i; 8]) -> [__m512i; 8] {
    // SAFETY: as above.
    unsafe {
        let mut p = r;
        for i in [0, 2, 4, 6] {
            p[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
            p[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
        }
        let mut t = r;
        for i in 0..2 {
            [t[i], t[i + 2], t[i + 4], t[i + 6]] = quarters([p[i], p[i + 2], p[i + 4], p[i + 6]]);
        }
        t
    }
}

/// Rows and columns of 4 x 4 quarters, 128 bits each, exchanged.
#[inline(always)]
unsafe fn quarters(r: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: as above.
    unsafe {
        let even = [_mm512_shuffle_i32x4::<0x88>(r[0], r[1]), _mm512_shuffle_i32x4::<0x88>(r[2], r[3])];
        let odd = [_mm512_shuffle_i32x4::<0xdd>(r[0], r[1]), _mm512_shuffle_i32x4::<0xdd>(r[2], r[3])];
        [
            _mm512_shuffle_i32x4::<0x88>(even[0], even[1]),
            _mm512_shuffle_i32x4::<0x88>(odd[0], odd[1]),
            _mm512_shuffle_i32x4::<0xdd>(even[0], even[1]),
            _mm512_shuffle_i32x4::<0xdd>(odd[0], odd[1]),
        ]
    }
}
