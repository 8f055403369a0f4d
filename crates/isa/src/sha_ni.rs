//! The SHA extensions, with the SSSE3 and SSE4.1 shuffles that bring words into their order.
//!
//! The instructions work on whole registers that hold parts of one message's state, so there are no lanes
//! here; the hashes' `sha_ni.rs` interleave several messages. Encoding: the SHA instructions have only the
//! legacy SSE encoding. The instructions around them (moves, additions, shuffles) use the encoding of the
//! row's features, which determines the speed: a block of each of four messages of SHA-256 takes 295 cycles
//! with SSE code on Zen 4, 260 with VEX and 228 with EVEX; 431, 433 and 438 on Redwood Cove. So several rows
//! use the same body.

use core::arch::x86_64::*;

use crate::over_streams::Register;
use crate::table::Entry;
use crate::{Features, Proof};

/// The CPU has the SHA extensions, SSSE3 and SSE4.1.
#[derive(Clone, Copy)]
pub struct ShaNi(());

impl Proof for ShaNi {
    const FEATURES: Features = Features::of(&["sha", "ssse3", "sse4.1"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        Self(())
    }
}

/// Four 32-bit words in an xmm register; word 0 is the lowest.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Words(__m128i);

impl core::ops::Add for Words {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        // SAFETY: "Lanes" in the crate's documentation.
        Self(unsafe { _mm_add_epi32(self.0, o.0) })
    }
}

impl core::ops::BitXor for Words {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, o: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_xor_si128(self.0, o.0) })
    }
}

/// Sixteen bytes, aligned: constants that instructions read from memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct Aligned<const N: usize>(pub [u32; N]);

impl ShaNi {
    /// Words `4 * i..` of a table.
    #[inline(always)]
    pub fn constant<const N: usize>(self, table: &'static Aligned<N>, i: usize) -> Words {
        assert!(4 * i + 4 <= N);
        // SAFETY: "Proofs"; in bounds, and aligned by the type.
        Words(unsafe { _mm_load_si128(table.0.as_ptr().add(4 * i).cast()) })
    }

    /// Words 0..4 of `words`.
    #[inline(always)]
    pub fn load(self, words: &[u32; 4]) -> Words {
        // SAFETY: "Proofs" and "Unaligned".
        Words(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
    }

    /// Returns the words, lowest first.
    #[inline(always)]
    pub fn store(self, words: Words) -> [u32; 4] {
        let mut out = [0; 4];
        // SAFETY: "Lanes" and "Unaligned".
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), words.0) }
        out
    }

    /// Four words of which only the highest is not zero.
    #[inline(always)]
    pub fn highest(self, word: u32) -> Words {
        // SAFETY: "Proofs".
        Words(unsafe { _mm_set_epi32(word as i32, 0, 0, 0) })
    }

    /// Clears the upper halves of the vector registers in builds with debug assertions. There the compiler
    /// keeps arrays of words in memory, and copies them through the widest registers of the row's features.
    /// On Golden Cove, as long as an upper half is dirty, each change between the SHA instructions and those
    /// in VEX's encoding takes 200 cycles: all kernels' tests took a half more.
    #[inline(always)]
    pub fn after_copies(self) {
        if cfg!(debug_assertions) {
            Entry::ClearIfAvx.enter();
        }
    }
}

impl Register for Words {
    type Proof = ShaNi;

    #[inline(always)]
    unsafe fn load(_: ShaNi, at: *const u8) -> Self {
        // SAFETY: the caller's contract; "Proofs" and "Unaligned".
        Self(unsafe { _mm_loadu_si128(at.cast()) })
    }
    #[inline(always)]
    fn from_words(_: ShaNi, [low, high]: [u64; 2]) -> Self {
        // SAFETY: "Proofs".
        Self(unsafe { _mm_set_epi64x(high as i64, low as i64) })
    }
    #[inline(always)]
    fn select(self, order: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_shuffle_epi8(self.0, order.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }
}

impl Words {
    /// Returns the words of big-endian bytes, word 0 lowest.
    #[inline(always)]
    pub fn lowest_first(self) -> Self {
        // SAFETY: "Lanes".
        self.select(Self(unsafe { _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203) }))
    }
    /// Returns the words of big-endian bytes, word 0 highest.
    #[inline(always)]
    pub fn highest_first(self) -> Self {
        // SAFETY: "Lanes".
        self.select(Self(unsafe { _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f) }))
    }
    /// Returns the words in the order that the immediate `ORDER` of `pshufd` names.
    #[inline(always)]
    pub fn shuffle<const ORDER: i32>(self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_shuffle_epi32::<ORDER>(self.0) })
    }
    /// `palignr`: bytes `BYTES..BYTES + 16` of `low` followed by `self`.
    #[inline(always)]
    pub fn align<const BYTES: i32>(self, low: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_alignr_epi8::<BYTES>(self.0, low.0) })
    }
    /// Returns the lower half of `self` and the upper of `high`.
    #[inline(always)]
    pub fn upper_from(self, high: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_blend_epi16::<0xf0>(self.0, high.0) })
    }
    /// `sha256rnds2`: two rounds; `self` = C D G H, `abef`, and K + W in the lower half of `kw`: the new A B
    /// E F.
    #[inline(always)]
    pub fn sha256rnds2(self, abef: Self, kw: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_sha256rnds2_epu32(self.0, abef.0, kw.0) })
    }
    /// `sha256msg1`: W\[t\] + small sigma 0 of W\[t + 1\], for t in the words of `self`; `next` follows them.
    #[inline(always)]
    pub fn sha256msg1(self, next: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_sha256msg1_epu32(self.0, next.0) })
    }
    /// `sha256msg2`: adds small sigma 1 of the words two before; `last` are the four before.
    #[inline(always)]
    pub fn sha256msg2(self, last: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_sha256msg2_epu32(self.0, last.0) })
    }
    /// `sha1rnds4`: four rounds of function `F`; `self` = A B C D (A highest), `e` = E + W in its highest
    /// word and W below.
    #[inline(always)]
    pub fn sha1rnds4<const F: i32>(self, e: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_sha1rnds4_epu32::<F>(self.0, e.0) })
    }
    /// `sha1nexte`: `w` with E, made from the A B C D of four rounds before, added to its highest word.
    #[inline(always)]
    pub fn sha1nexte(self, w: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_sha1nexte_epu32(self.0, w.0) })
    }
    /// `sha1msg1`: W\[t\] ^ W\[t + 2\] for t in the words of `self`; `next` follows them.
    #[inline(always)]
    pub fn sha1msg1(self, next: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_sha1msg1_epu32(self.0, next.0) })
    }
    /// `sha1msg2`: the last xor with the words three before, and the rotation.
    #[inline(always)]
    pub fn sha1msg2(self, last: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_sha1msg2_epu32(self.0, last.0) })
    }
}
