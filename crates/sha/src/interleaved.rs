//! Word-interleaved input: one buffer, from which word i goes to lane i mod j. Any number j of lanes, on any
//! kernels.

use hashlanes_isa::{Function, Kernel, Plan};

/// Compresses word-interleaved blocks of `row_words` lanes in all, those of lanes
/// `first..first + states.len()`, into their states: word t of block b of lane k is the big-endian word
/// (16·b + t)·`row_words` + k of `words`.
///
/// Lanes go through in groups, on `kernel`, or else on those that the table chooses for their number. Nothing
/// is copied but, where a row has fewer words than a kernel lanes, the last block or two.
///
/// # Panics
/// Panics unless the data has this number of lanes, and `words` holds whole blocks of all of them.
#[doc(hidden)]
pub fn compress_interleaved<F: Function>(
    kernel: Option<&'static Kernel<F>>,
    states: &mut [F::State],
    words: &[u8],
    row_words: usize,
    first: usize,
) {
    /// The amount that several groups read, one after another, before they continue: half of a small
    /// first-level cache. SHA-512 of 16 lanes, two groups, takes 1.094 cycles per byte of 256 KiB, with 4 KiB
    /// 1.120, with 64 KiB to 1 MiB 1.087; for 16 MiB the amount makes no difference (Redwood Cove, whose
    /// first-level cache has 48 KiB).
    const PIECE: usize = 16 * 1024;
    if words.is_empty() {
        return;
    }
    let block_bytes = row_words * F::BLOCK_BYTES;
    let n_blocks = words.len() / block_bytes.max(1);
    let best = |n_lanes| Plan::from(kernel).of_lanes(n_lanes, n_blocks);
    let is_one_group = states.len() <= best(states.len()).degree();
    let piece = if is_one_group { words.len() } else { PIECE / block_bytes * block_bytes };
    for words in words.chunks(piece.max(block_bytes).max(1)) {
        let (mut states, mut first) = (&mut *states, first);
        while !states.is_empty() {
            let kernel = best(states.len());
            let (group, rest) = states.split_at_mut(kernel.degree().min(states.len()));
            kernel.compress_some_lanes(group, words, row_words, first);
            first += group.len();
            states = rest;
        }
    }
}
