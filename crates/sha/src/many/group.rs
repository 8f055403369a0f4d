//! Groups: messages of one number of blocks, which go through the lanes from start to end.

use core::ops::Range;

use hashlanes_isa::{Edge, Function, Kernel, Open};

use super::Starts;
use crate::padding::{LastBlock, compress_to_end, n_end_blocks, pad};

/// A message's bytes, or those of them that are not compressed yet: they follow `n_before` bytes that led to `state`.
#[derive(Clone, Copy)]
pub(crate) struct Tail<'t, 'a, F: Function> {
    pub(crate) state: &'t F::State,
    pub(crate) n_before: u64,
    pub(crate) message: &'a [u8],
}

impl<'t, 'a, F: Function> Tail<'t, 'a, F> {
    /// All of message `index`.
    #[inline(always)]
    pub(super) fn of(starts: &Starts<'t, F>, messages: &[&'a [u8]], index: usize) -> Self {
        let (state, n_before) = starts.of(index);
        Self { state, n_before, message: messages[index] }
    }
}

/// Takes `n` messages of `n_blocks` blocks each from start to end, on `places` of the batch, 16 at least; `done` gets the
/// number of the first of some, and their last states. Returns how many went through.
///
/// `next` tells which kernel takes the next group of so many messages, and how many of them; if more than there are, these are
/// left.
#[inline(always)]
pub(crate) fn in_groups<'t, 'a, F: Function + 't>(
    batch: &mut Open<'_, 'a, F>,
    places: Range<usize>,
    n: usize,
    n_blocks: usize,
    next: impl Fn(usize) -> (&'static Kernel<F>, usize),
    tail: impl Fn(usize) -> Tail<'t, 'a, F>,
    mut done: impl FnMut(usize, &[F::State]),
) -> usize {
    let mut at = 0;
    loop {
        // As many groups as there are places go through in one call of a kernel.
        let (mut first, mut place) = (at, places.start);
        while at < n {
            let (kernel, n_lanes) = next(n - at);
            if n_lanes > n - at || place + n_lanes > places.end {
                break;
            }
            if kernel.degree() == 1 {
                if place > places.start {
                    break;
                }
                let Tail { state, n_before, message } = tail(at);
                let mut state = *state;
                let n_bytes = n_before + message.len() as u64;
                compress_to_end(kernel, &mut state, message, n_bytes, LastBlock::PreExpanded);
                done(at, core::slice::from_ref(&state));
                (at, first) = (at + 1, at + 1);
                continue;
            }
            for i in 0..n_lanes {
                insert(batch, place + i, &tail(at + i));
            }
            batch.end(kernel, place..place + n_lanes, n_blocks);
            (at, place) = (at + n_lanes, place + n_lanes);
        }
        if place == places.start {
            return at;
        }
        done(first, batch.states(places.start..place));
    }
}

/// Puts a message into a place of the batch, with its padding; returns the number of its blocks.
#[inline(always)]
pub(super) fn insert<'a, F: Function>(
    batch: &mut Open<'_, 'a, F>,
    place: usize,
    tail: &Tail<'_, 'a, F>,
) -> usize {
    let Tail { state, n_before, message } = tail;
    let (body, rest) = message.split_at(message.len() / F::BLOCK_BYTES * F::BLOCK_BYTES);
    let n_end = n_end_blocks::<F>(rest.len());
    let end = batch.insert(place, state, body, n_end, Edge::After);
    pad::<F>(end, rest, n_before + message.len() as u64);
    body.len() / F::BLOCK_BYTES + n_end
}
