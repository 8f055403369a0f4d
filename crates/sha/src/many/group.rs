//! Groups: messages of about the same number of blocks, which go through the lanes from start to end.

use core::ops::Range;

use hashlanes_isa::{Blocks, Function, Kernel, MOST_BLOCKS, Open, Whole, wraps};

use super::Starts;
use super::call::States;
use crate::padding::{LastBlock, compress_to_end, end, n_blocks, n_end_blocks};

/// A message's bytes, or those of them that are not compressed yet: they follow `n_before` bytes that led to
/// `state`.
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

    /// It as one of a group.
    #[inline(always)]
    fn whole(self) -> Whole<'t, 'a, F> {
        let Self { state, n_before, message } = self;
        Whole { state, message, n_bytes: n_before + message.len() as u64 }
    }
}

/// Messages that are hashed next on one kernel, in groups of as many as it has lanes. If they are more, but
/// less than twice as many, they have one number of blocks, and wrap around.
pub(super) struct Group<F: Function> {
    pub(super) kernel: &'static Kernel<F>,
    pub(super) n: usize,
    pub(super) blocks: Blocks,
}

/// Returns the blocks of messages of `n_blocks` blocks, the shortest of which has `least_bytes` bytes.
#[inline]
pub(super) fn blocks<F: Function>(n_blocks: usize, least_bytes: usize) -> Blocks {
    // Less is copied if they all end within their last blocks.
    let n_end = if least_bytes >= (n_blocks - 1) * F::BLOCK_BYTES { 1 } else { 2 };
    Blocks { n_body: n_blocks - n_end, n_end, n_longer: 0, one_end: false }
}

/// Returns the blocks of these messages, if they have one number of them, and a turn has so many.
#[inline]
pub(super) fn blocks_of_all<F: Function>(starts: &Starts<'_, F>, messages: &[&[u8]]) -> Option<Blocks> {
    let of_all = n_blocks::<F>(messages[0].len());
    let (mut least_bytes, mut most_bytes) = (usize::MAX, 0);
    for message in messages {
        if n_blocks::<F>(message.len()) != of_all {
            return None;
        }
        (least_bytes, most_bytes) = (least_bytes.min(message.len()), most_bytes.max(message.len()));
    }
    let are_whole = least_bytes == most_bytes && least_bytes.is_multiple_of(F::BLOCK_BYTES);
    let one_end = are_whole && matches!(starts, Starts::One(..));
    let blocks = Blocks { one_end, ..blocks::<F>(of_all, least_bytes) };
    (blocks.n_body <= MOST_BLOCKS).then_some(blocks)
}

/// Hashes `n` messages from start to end, on at least 16 `places` of the batch. Calls `done` with the number
/// of the first message of a group, and their last states. Returns how many messages were hashed.
///
/// `next(at, n_places)` returns the next messages, from number `at` on, and no more groups than these places
/// take, or one. If fewer messages remain, they are not processed.
#[inline(always)]
pub(crate) fn in_groups<'t, 'a, F: Function + 't>(
    batch: &mut Open<'_, 'a, F>,
    places: Range<usize>,
    n: usize,
    mut next: impl FnMut(usize, usize) -> Group<F>,
    tail: impl Fn(usize) -> Tail<'t, 'a, F>,
    mut done: impl FnMut(usize, &[F::State]),
) -> usize {
    let mut at = 0;
    loop {
        // A kernel processes as many groups in one call as there are places.
        let (mut first, mut place) = (at, places.start);
        while at < n {
            let Group { kernel, n: n_now, blocks } = next(at, places.end - place);
            if n_now > n - at || n_now.max(kernel.degree()) > places.end - place {
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
            let (messages, whole) = ((place, n_now), |k| tail(at + k).whole());
            if wraps(n_now, kernel.degree()) {
                batch.around(kernel, messages, blocks, whole, end::<F>);
            } else {
                batch.groups(kernel, messages, blocks, whole, end::<F>);
            }
            (at, place) = (at + n_now, place + n_now);
        }
        if place == places.start {
            return at;
        }
        done(first, batch.states(places.start..place));
    }
}

/// Hashes the messages from number `from` on, which have these blocks, on one kernel: in groups, or around
/// its lanes if it takes more messages now than it has lanes. No others share the call.
#[inline(always)]
pub(super) fn alone<F: Function>(
    (kernel, n_now): (&Kernel<F>, usize),
    blocks: Blocks,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    from: usize,
    states: &mut dyn States<F>,
) {
    let hash = if n_now > kernel.degree() { around_alone } else { groups_alone };
    hash(kernel, blocks, starts, messages, from, states);
}

/// In groups.
#[inline(never)]
fn groups_alone<F: Function>(
    kernel: &Kernel<F>,
    blocks: Blocks,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    from: usize,
    states: &mut dyn States<F>,
) {
    kernel.groups_alone(
        messages.len() - from,
        blocks,
        |k| Tail::of(&starts, messages, from + k).whole(),
        end::<F>,
        |last| states.put_all(from, last),
    );
}

/// Around the lanes.
#[inline(never)]
fn around_alone<F: Function>(
    kernel: &Kernel<F>,
    blocks: Blocks,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    from: usize,
    states: &mut dyn States<F>,
) {
    kernel.around_alone(
        messages.len() - from,
        blocks,
        |k| Tail::of(&starts, messages, from + k).whole(),
        end::<F>,
        |last| states.put_all(from, last),
    );
}

/// Puts a message into a place of the batch, with its padding; returns the number of its blocks.
#[inline(always)]
pub(super) fn insert<'a, F: Function>(
    batch: &mut Open<'_, 'a, F>,
    place: usize,
    tail: &Tail<'_, 'a, F>,
) -> usize {
    let Tail { state, n_before, message } = tail;
    let n_rest = message.len() % F::BLOCK_BYTES;
    let n_end = n_end_blocks::<F>(n_rest);
    end::<F>(batch.insert(place, state, message, n_end), n_rest, n_before + message.len() as u64);
    message.len() / F::BLOCK_BYTES + n_end
}
