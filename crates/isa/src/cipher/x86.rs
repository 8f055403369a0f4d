//! x86's AES instructions: AES-NI on xmm registers, VAES on ymm and zmm.
//!
//! One type per width serves all rows of that width. A feature that a row requires beyond its type's
//! (AVX-512VL for ymm) changes how the compiler encodes the same code: sixteen more registers, and
//! `vpternlogq` for two exclusive ors.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{Block, Blocks, Multiply, partial_block, put_partial_block};
use crate::{Features, Proof};

/// The CPU has AES-NI, and `pshufb`.
#[derive(Clone, Copy)]
pub struct AesNi(());

impl Proof for AesNi {
    const FEATURES: Features = Features::of(&["aes", "ssse3"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// The CPU has VAES for ymm registers.
#[derive(Clone, Copy)]
pub struct Vaes(());

impl Proof for Vaes {
    const FEATURES: Features = Features::of(&["vaes", "avx2", "aes", "ssse3"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// The CPU has VAES for zmm registers.
#[derive(Clone, Copy)]
pub struct Vaes512(());

impl Proof for Vaes512 {
    const FEATURES: Features =
        Features::of(&["vaes", "avx512f", "avx512bw", "avx512vl", "avx2", "aes", "ssse3"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// The CPU has AES-NI, and multiplies polynomials in xmm registers.
#[derive(Clone, Copy)]
pub struct AesNiPclmul(());

impl Proof for AesNiPclmul {
    const FEATURES: Features = Features::of(&["pclmulqdq", "aes", "ssse3"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// The CPU has VAES for ymm registers, and multiplies polynomials in them.
#[derive(Clone, Copy)]
pub struct VaesVpclmul(());

impl Proof for VaesVpclmul {
    const FEATURES: Features = Features::of(&["vpclmulqdq", "pclmulqdq", "vaes", "avx2", "aes", "ssse3"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// The CPU has VAES for zmm registers, and multiplies polynomials in them.
#[derive(Clone, Copy)]
pub struct Vaes512Vpclmul(());

impl Proof for Vaes512Vpclmul {
    const FEATURES: Features = Features::of(&[
        "vpclmulqdq",
        "pclmulqdq",
        "vaes",
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx2",
        "aes",
        "ssse3",
    ]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// A proof of more features is also a proof of these.
macro_rules! shows {
    ($($rich:ident: $poor:ident;)*) => {$(
        impl From<$rich> for $poor {
            #[inline(always)]
            fn from(_: $rich) -> Self {
                const { assert!($rich::FEATURES.contains($poor::FEATURES)) }
                Self(())
            }
        }
    )*};
}
shows! {
    Vaes: AesNi;
    Vaes512: AesNi;
    Vaes512: Vaes;
    AesNiPclmul: AesNi;
    VaesVpclmul: Vaes;
    Vaes512Vpclmul: Vaes512;
}

/// The operations of a register; each call of an intrinsic is safe because of "Lanes" in the crate's
/// documentation.
macro_rules! register {
    (
        $(#[$doc:meta])* $name:ident = $degree:literal in $register:ident ($class:ident of $feature:literal), $proof:ident;
        zero $zero:ident, broadcast $broadcast:ident, load $load:ident, store $store:ident, transpose $transpose:ident, after $after:ident,
        gather $gather:ident, scatter $scatter:ident, xor $xor:ident, and $and:ident,
        aes $aesenc:ident $aesenclast:ident $aesdec:ident $aesdeclast:ident,
        shuffle $shuffle:ident, add $add:ident, sum $sum:ident, narrow $narrow:ident,
        partial $load_partial:ident $store_partial:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($register);

        impl Blocks for $name {
            type Proof = $proof;
            type One = X1;
            const DEGREE: usize = $degree;

            #[inline(always)]
            fn one(_: $proof) -> AesNi {
                // Its features cover those.
                const { assert!($proof::FEATURES.contains(AesNi::FEATURES)) }
                AesNi(())
            }
            #[inline(always)]
            fn zero(_: $proof) -> Self {
                // SAFETY: "Proofs".
                Self(unsafe { $zero() })
            }
            #[inline(always)]
            fn broadcast(_: $proof, block: &Block) -> Self {
                // SAFETY: "Proofs" and "Unaligned".
                Self(unsafe { $broadcast(_mm_loadu_si128(block.as_ptr().cast())) })
            }
            #[inline(always)]
            fn load(_: $proof, bytes: &[u8]) -> Self {
                assert!(bytes.len() == 16 * $degree);
                // SAFETY: "Proofs" and "Unaligned"; as many bytes.
                Self(unsafe { $load(bytes.as_ptr().cast()) })
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                assert!(bytes.len() == 16 * $degree);
                // SAFETY: "Lanes" and "Unaligned"; as many bytes.
                unsafe { $store(bytes.as_mut_ptr().cast(), self.0) }
            }
            #[inline(always)]
            fn load_partial(_: $proof, bytes: &[u8]) -> Self {
                assert!(bytes.len() <= 16 * $degree);
                // SAFETY: "Proofs"; no more than these bytes are read.
                Self(unsafe { $load_partial(bytes) })
            }
            #[inline(always)]
            fn store_partial(self, bytes: &mut [u8]) {
                assert!(bytes.len() <= 16 * $degree);
                // SAFETY: "Lanes"; no more than these bytes are written.
                unsafe { $store_partial(self.0, bytes) }
            }
            #[inline(always)]
            fn gather(_: $proof, blocks: &[&Block]) -> Self {
                assert!(blocks.len() == $degree);
                // SAFETY: "Proofs".
                Self(unsafe { $gather(blocks) })
            }
            #[inline(always)]
            fn scatter(self, blocks: &mut [&mut Block]) {
                assert!(blocks.len() == $degree);
                // SAFETY: "Lanes".
                unsafe { $scatter(self.0, blocks) }
            }
            #[inline(always)]
            fn transpose(rows: &mut [Self]) {
                assert!(rows.len() == $degree);
                // SAFETY: "Lanes".
                unsafe { $transpose(rows) }
            }
            #[inline(always)]
            fn after(self, previous: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $after(self.0, previous.0) })
            }
            #[inline(always)]
            fn sum(self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $sum(self.0) })
            }
            #[inline(always)]
            fn store_first(self, block: &mut Block) {
                // SAFETY: "Lanes" and "Unaligned".
                unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), $narrow(self.0)) }
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $xor(self.0, other.0) })
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $and(self.0, other.0) })
            }
            #[inline(always)]
            fn aesenc(self, round_key: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $aesenc(self.0, round_key.0) })
            }
            #[inline(always)]
            fn aesenclast(self, round_key: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $aesenclast(self.0, round_key.0) })
            }
            #[inline(always)]
            fn aesdec(self, round_key: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $aesdec(self.0, round_key.0) })
            }
            #[inline(always)]
            fn aesdeclast(self, round_key: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $aesdeclast(self.0, round_key.0) })
            }
            #[inline(always)]
            fn swap_bytes(self) -> Self {
                // SAFETY: "Lanes".
                unsafe {
                    let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
                    Self($shuffle(self.0, $broadcast(order)))
                }
            }
            #[inline(always)]
            fn add64(self, other: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn keep_order<const W: usize>(states: &mut [Self; W]) {
                // An existing register value proves the feature; without one there is no proof.
                const { assert!(W > 0) }
                // Assembly with these registers requires their feature; it is inlined like intrinsics.
                #[inline]
                #[target_feature(enable = $feature)]
                unsafe fn keep<const W: usize>(states: &mut [$name; W]) {
                    keep_order!($class, states)
                }
                // SAFETY: "Lanes".
                unsafe { keep(states) }
            }
        }
    };
}

/// An empty piece of assembly with all states as operands. (Not needed for more than twelve: the compiler
/// then keeps the order.)
macro_rules! keep_order {
    (@ $class:ident $($state:ident)*) => {
        // SAFETY: no instruction.
        unsafe {
            asm!(
                $(concat!("/* {", stringify!($state), "} */"),)*
                $($state = inout($class) $state.0,)*
                options(pure, nomem, nostack, preserves_flags)
            )
        }
    };
    ($class:ident, $states:ident) => {
        match &mut $states[..] {
            [a] => keep_order!(@ $class a),
            [a, b] => keep_order!(@ $class a b),
            [a, b, c] => keep_order!(@ $class a b c),
            [a, b, c, d] => keep_order!(@ $class a b c d),
            [a, b, c, d, e] => keep_order!(@ $class a b c d e),
            [a, b, c, d, e, f] => keep_order!(@ $class a b c d e f),
            [a, b, c, d, e, f, g, h] => keep_order!(@ $class a b c d e f g h),
            [a, b, c, d, e, f, g, h, i, j, k, l] => keep_order!(@ $class a b c d e f g h i j k l),
            _ => {}
        }
    };
}

register! {
    /// A block in an xmm register.
    X1 = 1 in __m128i (xmm_reg of "sse2"), AesNi;
    zero _mm_setzero_si128, broadcast id, load _mm_loadu_si128, store _mm_storeu_si128, transpose stay, after after1,
    gather gather1, scatter scatter1, xor _mm_xor_si128, and _mm_and_si128,
    aes _mm_aesenc_si128 _mm_aesenclast_si128 _mm_aesdec_si128 _mm_aesdeclast_si128,
    shuffle _mm_shuffle_epi8, add _mm_add_epi64, sum sum1, narrow id,
    partial load_partial1 store_partial1
}

register! {
    /// Two blocks in a ymm register.
    X2 = 2 in __m256i (ymm_reg of "avx"), Vaes;
    zero _mm256_setzero_si256, broadcast _mm256_broadcastsi128_si256, load _mm256_loadu_si256,
    store _mm256_storeu_si256, transpose transpose2, after after2,
    gather gather2, scatter scatter2, xor _mm256_xor_si256, and _mm256_and_si256,
    aes _mm256_aesenc_epi128 _mm256_aesenclast_epi128 _mm256_aesdec_epi128 _mm256_aesdeclast_epi128,
    shuffle _mm256_shuffle_epi8, add _mm256_add_epi64, sum sum2, narrow _mm256_castsi256_si128,
    partial load_partial2 store_partial2
}

register! {
    /// Four blocks in a zmm register.
    X4 = 4 in __m512i (zmm_reg of "avx512f"), Vaes512;
    zero _mm512_setzero_si512, broadcast _mm512_broadcast_i32x4, load _mm512_loadu_si512,
    store _mm512_storeu_si512, transpose transpose4, after after4,
    gather gather4, scatter scatter4, xor _mm512_xor_si512, and _mm512_and_si512,
    aes _mm512_aesenc_epi128 _mm512_aesenclast_epi128 _mm512_aesdec_epi128 _mm512_aesdeclast_epi128,
    shuffle _mm512_shuffle_epi8, add _mm512_add_epi64, sum sum4, narrow _mm512_castsi512_si128,
    partial load_partial4 store_partial4
}

/// Returns a little-endian number, by one load: the compiler joins loads of neighbours, unless they are
/// assembly.
#[cfg(not(miri))]
#[inline(always)]
pub(super) fn read8(bytes: &[u8; 8]) -> u64 {
    let number;
    // SAFETY: it reads what the reference refers to.
    unsafe {
        asm!("mov {}, qword ptr [{}]", out(reg) number, in(reg) bytes.as_ptr(),
            options(pure, readonly, nostack, preserves_flags));
    }
    number
}

/// Does the same with 4 bytes.
#[cfg(not(miri))]
#[inline(always)]
pub(super) fn read4(bytes: &[u8; 4]) -> u32 {
    let number;
    // SAFETY: as above.
    unsafe {
        asm!("mov {:e}, dword ptr [{}]", out(reg) number, in(reg) bytes.as_ptr(),
            options(pure, readonly, nostack, preserves_flags));
    }
    number
}

/// Products in a register.
macro_rules! multiply {
    (
        $name:ident by $proof:ident: clmul $clmul:ident, swap $swap:ident, widen $widen:ident,
        shuffle $shuffle:ident, add $add:ident, low $low:ident, first $first:ident, window $window:ident
    ) => {
        impl Multiply for $name {
            type Multiplier = $proof;

            #[inline(always)]
            fn low_low(self, _: $proof, other: Self) -> Self {
                // SAFETY: "Proofs".
                Self(unsafe { $clmul::<0x00>(self.0, other.0) })
            }
            #[inline(always)]
            fn low_high(self, _: $proof, other: Self) -> Self {
                // SAFETY: "Proofs".
                Self(unsafe { $clmul::<0x10>(self.0, other.0) })
            }
            #[inline(always)]
            fn high_low(self, _: $proof, other: Self) -> Self {
                // SAFETY: "Proofs".
                Self(unsafe { $clmul::<0x01>(self.0, other.0) })
            }
            #[inline(always)]
            fn high_high(self, _: $proof, other: Self) -> Self {
                // SAFETY: "Proofs".
                Self(unsafe { $clmul::<0x11>(self.0, other.0) })
            }
            #[inline(always)]
            fn swap_halves(self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $swap::<0x4e>(self.0) })
            }
            #[inline(always)]
            fn from_first(_: $proof, block: u128) -> Self {
                // SAFETY: "Proofs".
                Self(unsafe { $widen(_mm_set_epi64x((block >> 64) as i64, block as i64)) })
            }
            #[inline(always)]
            fn shuffle(self, order: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $shuffle(self.0, order.0) })
            }
            #[inline(always)]
            fn add32(self, other: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn low_halves(self, other: Self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $low(self.0, other.0) })
            }
            #[inline(always)]
            fn broadcast_first(self) -> Self {
                // SAFETY: "Lanes".
                Self(unsafe { $first(self.0) })
            }
            #[inline(always)]
            fn window(self, next: Self, n: usize) -> Self {
                assert!(n <= Self::DEGREE);
                // SAFETY: "Lanes".
                Self(unsafe { $window(self.0, next.0, n) })
            }
        }
    };
}

multiply! {
    X1 by AesNiPclmul: clmul _mm_clmulepi64_si128, swap _mm_shuffle_epi32, widen id,
    shuffle _mm_shuffle_epi8, add _mm_add_epi32, low _mm_unpacklo_epi64, first first1, window window1
}
multiply! {
    X2 by VaesVpclmul: clmul _mm256_clmulepi64_epi128, swap _mm256_shuffle_epi32, widen _mm256_zextsi128_si256,
    shuffle _mm256_shuffle_epi8, add _mm256_add_epi32, low _mm256_unpacklo_epi64, first first2, window window2
}
multiply! {
    X4 by Vaes512Vpclmul: clmul _mm512_clmulepi64_epi128, swap _mm512_shuffle_epi32, widen _mm512_zextsi128_si512,
    shuffle _mm512_shuffle_epi8, add _mm512_add_epi32, low _mm512_unpacklo_epi64, first first4, window window4
}

// SAFETY of all below: they are called by the methods above only, so "Lanes" or "Proofs" holds; memory is
// that of references.

#[inline(always)]
fn id(x: __m128i) -> __m128i {
    x
}

#[inline(always)]
unsafe fn stay(_: &mut [X1]) {}

#[inline(always)]
unsafe fn after1(_: __m128i, previous: __m128i) -> __m128i {
    previous
}

#[inline(always)]
unsafe fn after2(x: __m256i, previous: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe { _mm256_permute2x128_si256::<0x21>(previous, x) }
}

#[inline(always)]
unsafe fn after4(x: __m512i, previous: __m512i) -> __m512i {
    // SAFETY: as above.
    unsafe { _mm512_alignr_epi64::<6>(x, previous) }
}

#[inline(always)]
unsafe fn first1(x: __m128i) -> __m128i {
    x
}

#[inline(always)]
unsafe fn first2(x: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe { _mm256_permute2x128_si256::<0>(x, x) }
}

#[inline(always)]
unsafe fn first4(x: __m512i) -> __m512i {
    // SAFETY: as above.
    unsafe { _mm512_shuffle_i32x4::<0>(x, x) }
}

#[inline(always)]
unsafe fn window1(x: __m128i, next: __m128i, n: usize) -> __m128i {
    if n == 0 { x } else { next }
}

#[inline(always)]
unsafe fn window2(x: __m256i, next: __m256i, n: usize) -> __m256i {
    match n {
        0 => x,
        // SAFETY: as above.
        1 => unsafe { _mm256_permute2x128_si256::<0x21>(x, next) },
        _ => next,
    }
}

#[inline(always)]
unsafe fn window4(x: __m512i, next: __m512i, n: usize) -> __m512i {
    static HALVES: [u64; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let halves = &HALVES[2 * n..][..8];
    // SAFETY: as above.
    unsafe { _mm512_permutex2var_epi64(x, _mm512_loadu_si512(halves.as_ptr().cast()), next) }
}

#[inline(always)]
unsafe fn gather1(blocks: &[&Block]) -> __m128i {
    // SAFETY: as above.
    unsafe { _mm_loadu_si128(blocks[0].as_ptr().cast()) }
}

#[inline(always)]
unsafe fn scatter1(x: __m128i, blocks: &mut [&mut Block]) {
    // SAFETY: as above.
    unsafe { _mm_storeu_si128(blocks[0].as_mut_ptr().cast(), x) }
}

#[inline(always)]
unsafe fn gather2(blocks: &[&Block]) -> __m256i {
    // SAFETY: as above.
    unsafe { _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(gather1(blocks)), gather1(&blocks[1..])) }
}

#[inline(always)]
unsafe fn scatter2(x: __m256i, blocks: &mut [&mut Block]) {
    // SAFETY: as above.
    unsafe {
        scatter1(_mm256_castsi256_si128(x), blocks);
        scatter1(_mm256_extracti128_si256::<1>(x), &mut blocks[1..]);
    }
}

#[inline(always)]
unsafe fn gather4(blocks: &[&Block]) -> __m512i {
    // SAFETY: as above.
    unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(gather2(blocks)), gather2(&blocks[2..])) }
}

#[inline(always)]
unsafe fn scatter4(x: __m512i, blocks: &mut [&mut Block]) {
    // SAFETY: as above.
    unsafe {
        scatter2(_mm512_castsi512_si256(x), blocks);
        scatter1(_mm512_extracti32x4_epi32::<2>(x), &mut blocks[2..]);
        scatter1(_mm512_extracti32x4_epi32::<3>(x), &mut blocks[3..]);
    }
}

#[inline(always)]
unsafe fn transpose2(rows: &mut [X2]) {
    // SAFETY: as above.
    unsafe {
        let (a, b) = (rows[0].0, rows[1].0);
        rows[0].0 = _mm256_permute2x128_si256::<0x20>(a, b);
        rows[1].0 = _mm256_permute2x128_si256::<0x31>(a, b);
    }
}

/// Pairs, then halves.
#[inline(always)]
unsafe fn transpose4(rows: &mut [X4]) {
    // SAFETY: as above.
    unsafe {
        let low = _mm512_shuffle_i32x4::<0x44>(rows[0].0, rows[1].0);
        let high = _mm512_shuffle_i32x4::<0xee>(rows[0].0, rows[1].0);
        let next_low = _mm512_shuffle_i32x4::<0x44>(rows[2].0, rows[3].0);
        let next_high = _mm512_shuffle_i32x4::<0xee>(rows[2].0, rows[3].0);
        rows[0].0 = _mm512_shuffle_i32x4::<0x88>(low, next_low);
        rows[1].0 = _mm512_shuffle_i32x4::<0xdd>(low, next_low);
        rows[2].0 = _mm512_shuffle_i32x4::<0x88>(high, next_high);
        rows[3].0 = _mm512_shuffle_i32x4::<0xdd>(high, next_high);
    }
}

#[inline(always)]
unsafe fn sum1(x: __m128i) -> __m128i {
    x
}

#[inline(always)]
unsafe fn sum2(x: __m256i) -> __m256i {
    // SAFETY: as above.
    unsafe {
        let sum = _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
        _mm256_zextsi128_si256(sum)
    }
}

#[inline(always)]
unsafe fn sum4(x: __m512i) -> __m512i {
    // SAFETY: as above.
    unsafe {
        let halves = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
        _mm512_zextsi256_si512(sum2(halves))
    }
}

#[inline(always)]
unsafe fn load_partial1(bytes: &[u8]) -> __m128i {
    if let Ok(block) = bytes.try_into() {
        // SAFETY: as above.
        return unsafe { gather1(&[block]) };
    }
    let block = partial_block(bytes);
    // SAFETY: as above.
    unsafe { _mm_set_epi64x((block >> 64) as i64, block as i64) }
}

#[inline(always)]
unsafe fn store_partial1(x: __m128i, bytes: &mut [u8]) {
    if let Ok(block) = (&mut *bytes).try_into() {
        // SAFETY: as above.
        return unsafe { scatter1(x, &mut [block]) };
    }
    // SAFETY: as above.
    let [low, high] = unsafe { [_mm_cvtsi128_si64(x), _mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x))] };
    put_partial_block(u128::from(high as u64) << 64 | u128::from(low as u64), bytes);
}

#[inline(always)]
unsafe fn load_partial2(bytes: &[u8]) -> __m256i {
    let (low, high) = bytes.split_at(bytes.len().min(16));
    // SAFETY: as above.
    unsafe { _mm256_set_m128i(load_partial1(high), load_partial1(low)) }
}

#[inline(always)]
unsafe fn store_partial2(x: __m256i, bytes: &mut [u8]) {
    let (low, high) = bytes.split_at_mut(bytes.len().min(16));
    // SAFETY: as above.
    unsafe {
        store_partial1(_mm256_castsi256_si128(x), low);
        store_partial1(_mm256_extracti128_si256::<1>(x), high);
    }
}

/// The bits of the first `n_bytes` of 64.
#[inline(always)]
fn first_bytes(n_bytes: usize) -> u64 {
    if n_bytes == 0 { 0 } else { u64::MAX >> (64 - n_bytes) }
}

#[inline(always)]
unsafe fn load_partial4(bytes: &[u8]) -> __m512i {
    // SAFETY: as above; bytes beyond the mask are not accessed.
    unsafe { _mm512_maskz_loadu_epi8(first_bytes(bytes.len()), bytes.as_ptr().cast()) }
}

#[inline(always)]
unsafe fn store_partial4(x: __m512i, bytes: &mut [u8]) {
    // SAFETY: as above; bytes beyond the mask are not accessed.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first_bytes(bytes.len()), x) }
}
