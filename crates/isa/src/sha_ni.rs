//! The SHA extensions, with the SSSE3 and SSE4.1 shuffles that bring words into their order.
//!
//! The instructions work on whole registers that hold parts of one message's state, so there are no lanes
//! here; the hashes' `sha_ni.rs` interleave several messages. Encoding: the SHA instructions have the
//! legacy SSE encoding alone, and what stands around them (moves, additions, shuffles) takes the encoding of
//! the row's features, which decides the speed: a block of each of four messages of SHA-256 takes 295 cycles with SSE
//! code on Zen 4, 260 with VEX and 228 with EVEX; 431, 433 and 438 on Cypress Cove. So the same body is several rows.

use core::arch::x86_64::*;

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

    /// The words, lowest first.
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
}

impl Words {
    /// The words in the order that the immediate `ORDER` of `pshufd` names.
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
    /// The lower half of `self` and the upper of `high`.
    #[inline(always)]
    pub fn upper_from(self, high: Self) -> Self {
        // SAFETY: "Lanes".
        Self(unsafe { _mm_blend_epi16::<0xf0>(self.0, high.0) })
    }
    /// `sha256rnds2`: two rounds; `self` = C D G H, `abef`, and K + W in the lower half of `kw`: the new A B E F.
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
    /// `sha1rnds4`: four rounds of function `F`; `self` = A B C D (A highest), `e` = E + W in its highest word and W below.
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

/// The order in which a hash wants a block's words in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Word 0 lowest: SHA-256.
    LowestFirst,
    /// Word 0 highest: SHA-1.
    HighestFirst,
}

impl Order {
    /// Words of big-endian bytes.
    #[inline(always)]
    fn words(self, bytes: __m128i) -> Words {
        let order = match self {
            Order::LowestFirst => [0x0405_0607_0001_0203, 0x0c0d_0e0f_0809_0a0b],
            Order::HighestFirst => [0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607],
        };
        // SAFETY: "Lanes".
        Words(unsafe { _mm_shuffle_epi8(bytes, _mm_set_epi64x(order[1], order[0])) })
    }
}

/// The first block of a message of 64 bytes or fewer: its bytes, then a one bit, and at the end the length of `n_bytes` bytes in
/// bits, if it is given.
///
/// It is made in registers: a block that was written byte by byte could not be read before all that was written is in the cache,
/// which would keep a message from beginning before the one before it has ended.
#[inline(always)]
pub(crate) fn load_first_block(isa: ShaNi, order: Order, message: &[u8], n_bytes: Option<u64>) -> [Words; 4] {
    /// From byte n on: moves bytes lower by n places, and zeros follow.
    static LOWER: [u8; 48] = {
        let mut order = [0x80; 48];
        let mut i = 0;
        while i < 16 {
            order[i] = i as u8;
            i += 1;
        }
        order
    };
    /// From byte 64 - n on: a one bit after n bytes.
    static ONE_BIT: [u8; 128] = {
        let mut block = [0; 128];
        block[64] = 0x80;
        block
    };
    let len = message.len();
    assert!(len <= 64);
    let mut w = [isa.highest(0); 4];
    for i in 0..4 {
        // SAFETY: "Proofs" and "Unaligned"; what is read is in the message, or in a table: no index is greater than 16 or 64.
        w[i] = order.words(unsafe {
            let bytes = if len >= 16 {
                // Of the last pieces, what the one before has already is moved out.
                let from = (16 * i).min(len - 16);
                let lower = (16 * i - from).min(16);
                let bytes = _mm_loadu_si128(message.as_ptr().add(from).cast());
                _mm_shuffle_epi8(bytes, _mm_loadu_si128(LOWER.as_ptr().add(lower).cast()))
            } else if i == 0 {
                let [low, high] = fewer_than_16(message);
                _mm_set_epi64x(high as i64, low as i64)
            } else {
                _mm_setzero_si128()
            };
            let mut bytes =
                _mm_or_si128(bytes, _mm_loadu_si128(ONE_BIT.as_ptr().add(64 - len + 16 * i).cast()));
            if let (Some(n_bytes), 3) = (n_bytes, i) {
                bytes = _mm_or_si128(bytes, _mm_set_epi64x((n_bytes << 3).swap_bytes() as i64, 0));
            }
            bytes
        });
    }
    w
}

/// Fewer than 16 bytes, then zeros, as two little-endian words.
#[inline(always)]
fn fewer_than_16(bytes: &[u8]) -> [u64; 2] {
    let n = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let high = u64::from_le_bytes(*last).checked_shr(8 * (16 - n as u32)).unwrap_or(0);
        [u64::from_le_bytes(*first), high]
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        [u64::from(first) | u64::from(last) << (8 * (n - 4)), 0]
    } else if n > 0 {
        let byte = |i: usize| u64::from(bytes[i]) << (8 * i);
        [byte(0) | byte(n / 2) | byte(n - 1), 0]
    } else {
        [0; 2]
    }
}

/// The next block of each of `S` streams, big-endian words, four a register: stream k's is at `places[k] + offset`.
///
/// # Safety
/// `places` holds `S` pointers, and a block may be read at each plus `offset` bytes.
#[inline(always)]
pub(crate) unsafe fn load_blocks<const S: usize>(
    isa: ShaNi,
    order: Order,
    places: *const *const u8,
    offset: usize,
) -> [[Words; 4]; S] {
    let mut w = [[isa.highest(0); 4]; S];
    for k in 0..S {
        for i in 0..4 {
            // SAFETY: the caller's contract: sixteen bytes at 16 i < 64 of a block; "Proofs" and "Unaligned".
            w[k][i] = order.words(unsafe { _mm_loadu_si128((*places.add(k)).add(offset + 16 * i).cast()) });
        }
    }
    w
}
