//! Groups: messages of about the same number of blocks, which go through the lanes from start to end.

use core::ops::Range;

use hashlanes_isa::{Function, Kernel, Next, Open, Whole, Wrap};

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
    fn whole(self, ends: Ends) -> Whole<'t, 'a, F> {
        let Self { state, n_before, message } = self;
        let n_blocks = n_blocks::<F>(message.len());
        let n_end = match ends {
            Ends::Short => n_end_blocks::<F>(message.len() % F::BLOCK_BYTES),
            Ends::Alike => n_blocks.min(2),
        };
        Whole { state, message, n_body: n_blocks - n_end, n_end, n_bytes: n_before + message.len() as u64 }
    }
}

/// The blocks of the ends in a group.
#[derive(Clone, Copy)]
pub(crate) enum Ends {
    /// As few as have the bytes after the whole blocks, and the padding: least is copied.
    Short,
    /// Two, or the only one, so that messages of one number of blocks end alike.
    Alike,
}

/// Hashes `n` messages from start to end, on at least 16 `places` of the batch. Calls `done` with the number
/// of the first message of a group, and their last states. Returns how many messages were hashed.
///
/// `next(at)` returns the kernel of the next group, which begins with message `at`, and its number of
/// messages. If fewer messages remain, they are not processed. If they are more than lanes, they have one
/// number of blocks, and wrap around.
#[inline(always)]
pub(crate) fn in_groups<'t, 'a, F: Function + 't>(
    batch: &mut Open<'_, 'a, F>,
    places: Range<usize>,
    n: usize,
    mut next: impl FnMut(usize) -> (&'static Kernel<F>, usize),
    ends: Ends,
    tail: impl Fn(usize) -> Tail<'t, 'a, F>,
    mut done: impl FnMut(usize, &[F::State]),
) -> usize {
    let mut at = 0;
    loop {
        // A kernel processes as many groups in one call as there are places.
        let (mut first, mut place) = (at, places.start);
        while at < n {
            let (kernel, n_now) = next(at);
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
            if n_now > kernel.degree() {
                around(batch, kernel, place, n_now, |k| tail(at + k));
                (at, place) = (at + n_now, place + n_now);
                continue;
            }
            batch.group(kernel, place, n_now, |k| tail(at + k).whole(ends), pad_end::<F>);
            (at, place) = (at + n_now, place + n_now);
        }
        if place == places.start {
            return at;
        }
        done(first, batch.states(places.start..place));
    }
}

/// Hashes the messages from number `from` on, which have one number of blocks, in groups on one kernel. No
/// others share the call.
#[inline(never)]
pub(super) fn groups_alone<F: Function>(
    kernel: &Kernel<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    from: usize,
    states: &mut dyn States<F>,
) {
    let n_end = |message: &&[u8]| n_end_blocks::<F>(message.len() % F::BLOCK_BYTES);
    let first = n_end(&messages[from]);
    let alike = messages[from + 1..].iter().all(|message| n_end(message) == first);
    let ends = if alike { Ends::Short } else { Ends::Alike };
    kernel.groups_alone(
        messages.len() - from,
        |k| Tail::of(&starts, messages, from + k).whole(ends),
        pad_end::<F>,
        |last| states.put_all(from, last),
    );
}

/// Writes the padding of a message of a group into the blocks of its end.
#[inline(always)]
fn pad_end<F: Function>(whole: &Whole<'_, '_, F>, blocks: &mut [F::Block]) {
    end::<F>(blocks, whole.n_rest(), whole.n_bytes);
}

/// Lets `n` messages of one number of blocks wrap around the lanes, on the places from `first` on.
#[inline(never)]
fn around<'t, 'a, F: Function + 't>(
    batch: &mut Open<'_, 'a, F>,
    kernel: &'static Kernel<F>,
    first: usize,
    n: usize,
    tail: impl Fn(usize) -> Tail<'t, 'a, F>,
) {
    let mut n_blocks = 0;
    for k in 0..n {
        n_blocks = insert(batch, first + k, &tail(k));
    }
    let mut wrap = Wrap::new(n, kernel.degree(), n_blocks);
    batch.serve(kernel, &mut |_, lane| match wrap.next(lane) {
        Some((k, n_blocks)) => Next::Part { place: first + k, n_blocks },
        None => Next::Idle,
    });
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
