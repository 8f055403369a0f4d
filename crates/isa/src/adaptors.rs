//! The verbs that a row leaves out, over the one that it must have.
//!
//! Input is brought into rows of pointers, and lanes that have no message run idle: they read the first
//! lane's blocks into a state that nobody looks at.

use core::mem::MaybeUninit;

use crate::kernel::{ContinueGroups, FixedGroups, Kernel, MAX_DEGREE, put_digest};
use crate::{Function, Interleaved, Pointers, Start};

/// Compresses a table of blocks, `blocks[b * live + k]` for lane k < `live` = `states.len()` ≤ degree.
///
/// # Safety
/// A block may be read behind each pointer.
#[inline]
pub(crate) unsafe fn compress_live<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    blocks: &[*const u8],
) {
    /// Rows that a call takes.
    const ROWS: usize = 6;
    let (degree, live) = (kernel.degree, states.len());
    let mut all = [states[0]; MAX_DEGREE];
    all[..live].copy_from_slice(states);
    for rows in blocks.chunks(ROWS * live) {
        let mut table = [core::ptr::null(); ROWS * MAX_DEGREE];
        for (b, row) in rows.chunks_exact(live).enumerate() {
            for k in 0..degree {
                table[b * degree + k] = row[if k < live { k } else { 0 }];
            }
        }
        // SAFETY: the caller's contract.
        let input = unsafe { Pointers::table(&table[..rows.len() / live * degree], degree) };
        kernel.run(&mut all[..degree], input);
    }
    states.copy_from_slice(&all[..live]);
}

/// See [`Kernel::compress_one`]: every lane takes the one message.
pub(crate) fn compress_one<F: Function>(kernel: &Kernel<F>, state: &mut F::State, blocks: &[u8]) {
    let mut states = [*state; MAX_DEGREE];
    let rows = [blocks.as_ptr(); MAX_DEGREE];
    let n_blocks = blocks.len() / F::BLOCK_BYTES;
    // SAFETY: the message has this many blocks.
    let input = unsafe { Pointers::contiguous(&rows[..kernel.degree], F::BLOCK_BYTES, n_blocks) };
    kernel.run(&mut states[..kernel.degree], input);
    *state = states[0];
}

/// See [`Kernel::compress_lanes`]: at most `degree` lanes, block by block through a copy.
pub(crate) fn compress_lanes<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    input: Interleaved<'_>,
) {
    let live = states.len();
    let mut blocks = [F::ZERO_BLOCK; MAX_DEGREE];
    for b in 0..input.n_blocks() {
        let mut rows = [core::ptr::null(); MAX_DEGREE];
        for k in 0..live {
            input.copy_block::<F>(b, k, &mut blocks[k]);
            rows[k] = blocks[k].as_ref().as_ptr();
        }
        // SAFETY: the copies just made.
        unsafe { compress_live(kernel, states, &rows[..live]) };
    }
}

/// See [`Kernel::finish_fixed`]: any number of messages.
pub(crate) fn finish_fixed<F: Function>(kernel: &Kernel<F>, job: FixedGroups<'_, F>) {
    let mut blocks = [const { MaybeUninit::uninit() }; MAX_DEGREE];
    for (group, digests) in job.digests.chunks_mut(kernel.degree * job.digest_bytes).enumerate() {
        let live = digests.len() / job.digest_bytes;
        let mut rows = [core::ptr::null(); 2 * MAX_DEGREE];
        for k in 0..live {
            rows[k] = job.shape.block_of(job.messages, group * kernel.degree + k, &mut blocks[k]);
        }
        let mut n_rows = 1;
        if let Some(second) = &job.shape.second {
            rows[live..2 * live].fill(second.block().as_ref().as_ptr());
            n_rows = 2;
        }
        let mut states = [*job.start; MAX_DEGREE];
        // SAFETY: the padded copies, and the block that follows all of them.
        unsafe { compress_live(kernel, &mut states[..live], &rows[..n_rows * live]) };
        for (state, digest) in states.iter().zip(digests.chunks_exact_mut(job.digest_bytes)) {
            put_digest::<F>(state, digest);
        }
    }
}

/// See [`Kernel::continue_many`]: any number of continuations.
pub(crate) fn continue_many<F: Function>(kernel: &Kernel<F>, job: ContinueGroups<'_, F>) {
    let groups = job.states.chunks_mut(kernel.degree).zip(job.blocks.chunks(kernel.degree));
    for (states, blocks) in groups {
        let live = states.len();
        if let Start::Shared(midstate) = job.start {
            states.fill(*midstate);
        }
        let mut rows = [core::ptr::null(); 2 * MAX_DEGREE];
        for (row, block) in rows.iter_mut().zip(blocks) {
            *row = block.as_ref().as_ptr();
        }
        let mut n_rows = 1;
        if let Some(last) = job.last {
            rows[live..2 * live].fill(last.block().as_ref().as_ptr());
            n_rows = 2;
        }
        // SAFETY: the caller's blocks, and the block that follows all of them.
        unsafe { compress_live(kernel, states, &rows[..n_rows * live]) };
    }
}
