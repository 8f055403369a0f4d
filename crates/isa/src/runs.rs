//! Messages whose blocks stand in two places: where the caller has them, and where a batch keeps its own.

use core::mem::MaybeUninit;

use crate::kernel::{Kernel, MAX_DEGREE};
use crate::{Function, Pointers};

/// Rows that a call through a table takes at most: 1 KiB with its padding is 17. A table costs a store a block, about 2 %
/// of the work, so it serves short messages and the end of long ones; the long way there goes without.
pub(crate) const TABLE_ROWS: usize = 20;

/// Blocks one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) at: *const u8,
    pub(crate) n_blocks: usize,
}

/// Compresses `n_blocks` blocks of each of `n_messages` messages, one at least, in one call; `body` tells where a
/// message's stand, one after the other. Lanes beyond the messages run idle: they take the first one's.
///
/// # Safety
/// So many blocks may be read there until this returns.
#[inline(always)]
pub(crate) unsafe fn compress_bodies<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    n_blocks: usize,
    n_messages: usize,
    body: impl Fn(usize) -> *const u8,
) {
    let mut rows = [body(0); MAX_DEGREE];
    for (k, row) in rows.iter_mut().enumerate().take(n_messages).skip(1) {
        *row = body(k);
    }
    // SAFETY: the caller's contract.
    let input = unsafe { Pointers::contiguous(&rows[..states.len()], F::BLOCK_BYTES, n_blocks) };
    kernel.run(states, input);
}

/// Compresses the next `n_blocks` blocks of each of `n_messages` messages, one at least, in one call. `runs` tells where a
/// message's are: those of one run, then those of the other. Lanes beyond the messages run idle: they take the first one's.
///
/// # Safety
/// A message's two runs have so many blocks together, and all of them may be read until this returns.
///
/// # Panics
/// If there are more than [`TABLE_ROWS`] blocks.
#[inline(always)]
pub(crate) unsafe fn compress_runs<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    n_blocks: usize,
    n_messages: usize,
    runs: impl Fn(usize) -> [Run; 2],
) {
    let degree = states.len();
    let mut table = [const { [const { MaybeUninit::<*const u8>::uninit() }; MAX_DEGREE] }; TABLE_ROWS];
    let table = &mut table.as_flattened_mut()[..n_blocks * degree];
    for k in 0..degree {
        let [first, then] = runs(if k < n_messages { k } else { 0 });
        for (b, row) in table.chunks_exact_mut(degree).enumerate() {
            let (at, b) = if b < first.n_blocks { (first.at, b) } else { (then.at, b - first.n_blocks) };
            row[k].write(at.wrapping_add(b * F::BLOCK_BYTES));
        }
    }
    // SAFETY: the loops wrote all of it.
    let rows = unsafe { core::slice::from_raw_parts(table.as_ptr().cast(), table.len()) };
    // SAFETY: the caller's contract.
    let input = unsafe { Pointers::table(rows, degree) };
    kernel.run(states, input);
}

/// These blocks, all zeros.
#[inline(always)]
pub(crate) fn zeroed<F: Function>(blocks: &mut [MaybeUninit<F::Block>]) -> &mut [F::Block] {
    for block in &mut *blocks {
        block.write(F::ZERO_BLOCK);
    }
    // SAFETY: the loop wrote all of them.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len()) }
}
