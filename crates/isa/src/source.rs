//! Word-interleaved input of kernels.

use core::marker::PhantomData;

use crate::function::assert_sizes;
use crate::{Lanes, Types, Word};

/// Word-interleaved blocks: word `t` of block `b` of lane `k` is the big-endian word
/// `(16 * b + t) * row_words + k` of a buffer.
///
/// `row_words` is the number j of lanes of the data; a kernel of a smaller degree takes them in groups.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Interleaved<'a> {
    at: *const u8,
    row_bytes: usize,
    n_blocks: usize,
    degree: usize,
    words: PhantomData<&'a [u8]>,
}

impl<'a> Interleaved<'a> {
    /// Lanes `first..first + degree` of data of `row_words` lanes in `words`; an incomplete last block is
    /// omitted.
    ///
    /// # Panics
    /// Panics if `first + degree` passes `row_words`.
    #[inline]
    pub fn new<F: Types>(words: &'a [u8], row_words: usize, first: usize, degree: usize) -> Self {
        assert!(first + degree <= row_words, "lanes {first}..{} of {row_words}", first + degree);
        Self::with_idle_lanes::<F>(words, row_words, first, degree)
    }

    /// Like [`Interleaved::new`], but lanes may exceed `row_words`: such lanes read the words after the row.
    /// Blocks without enough words after them are omitted.
    #[inline]
    pub(crate) fn with_idle_lanes<F: Types>(
        words: &'a [u8],
        row_words: usize,
        first: usize,
        degree: usize,
    ) -> Self {
        const { assert_sizes::<F>() };
        // The last row needs no more than its lanes.
        let last_row = words.len() / F::Word::BYTES;
        let n_rows = last_row.checked_sub(first + degree).map_or(0, |spare| spare / row_words + 1);
        let n_blocks = n_rows / 16;
        let at = words[first * F::Word::BYTES * usize::from(n_blocks > 0)..].as_ptr();
        Self { at, row_bytes: row_words * F::Word::BYTES, n_blocks, degree, words: PhantomData }
    }

    /// In raw form for assembly: first word, bytes from a row to the next, number of blocks.
    #[inline(always)]
    pub fn into_raw(self) -> (*const u8, usize, usize) {
        (self.at, self.row_bytes, self.n_blocks)
    }

    /// Copies block `b` of lane `k` out, its bytes in order.
    pub(crate) fn copy_block<F: Types>(&self, b: usize, k: usize, block: &mut F::Block) {
        assert!(b < self.n_blocks && k < self.degree);
        for (t, word) in block.as_mut().chunks_exact_mut(F::Word::BYTES).enumerate() {
            let from = (16 * b + t) * self.row_bytes + k * F::Word::BYTES;
            // SAFETY: "Sources": word t of a block that `new` counted, of a lane that it checked.
            let from = unsafe { core::slice::from_raw_parts(self.at.add(from), F::Word::BYTES) };
            word.copy_from_slice(from);
        }
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.n_blocks
    }

    /// Returns the number of lanes.
    #[inline(always)]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the next block of every lane.
    #[inline(always)]
    pub(crate) fn next<V: Lanes>(&mut self, isa: V::Proof) -> Option<[V; 16]> {
        assert!(self.degree == V::LANES);
        if self.n_blocks == 0 {
            return None;
        }
        self.n_blocks -= 1;
        let mut w = [V::splat(isa, Default::default()); 16];
        for t in 0..16 {
            // SAFETY: "Sources": a row of a block that `new` counted.
            w[t] = unsafe { V::load_interleaved(isa, self.at) };
            if V::LANES > 1 {
                let ahead = self.at.wrapping_add(AHEAD * 16 * self.row_bytes);
                prefetch(ahead);
                if self.row_bytes > LINE {
                    prefetch(ahead.wrapping_add(LINE));
                }
            }
            self.at = self.at.wrapping_add(self.row_bytes);
        }
        Some(w)
    }
}

/// Number of blocks of word-interleaved input that are prefetched. All lanes read one place after the other,
/// a row in a burst every block; the CPU's own prefetcher stops at the end of a page, after four blocks of 16
/// lanes.
///
/// Rows longer than a line prefetch the next line as well, which another group of lanes reads soon: otherwise
/// every other line arrives slowly from memory. 16 MiB take 1.36 instead of 1.60 cycles per byte with SHA-512
/// in 16 lanes, 1.11 instead of 1.34 with SHA-256 in 32 (Redwood Cove). Twice as far ahead gains nothing.
const AHEAD: usize = 4;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Prefetches the cache line at `at`, which need not be mapped.
#[inline(always)]
fn prefetch(at: *const u8) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: it never faults, and SSE is part of x86-64.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = at;
}
