//! The verbs that a row omits, computed by its required verb, and verbs that it has for fewer messages than
//! lanes.
//!
//! Input is brought into turns. Lanes that have no message run idle: they read the first lane's blocks into a
//! state that is not used. For a row's own verb, copies are filled up to a whole group.

use core::mem::MaybeUninit;

use crate::costs::MAX_DEGREE;
use crate::kernel::{ContinueGroups, FixedGroups, Kernel, put_digest};
use crate::turns::{TurnList, list_words};
use crate::{Function, Interleaved, PreExpanded, Start, Word};

/// Bytes of the longest digest.
#[doc(hidden)]
pub const LONGEST_DIGEST: usize = 64;

/// Returns the state of each lane: those of `states`, then `idle`.
#[inline(always)]
fn or_idle<S>(states: &mut [S], idle: &mut S) -> impl Fn(usize) -> *mut S + Copy + use<S> {
    let (n, first, idle) = (states.len(), states.as_mut_ptr(), &raw mut *idle);
    move |k| if k < n { first.wrapping_add(k) } else { idle }
}

/// Compresses the block at `blocks[k]` into `states[k]`, and then `last`, if there is one, into all of them.
/// Lanes beyond them run idle.
///
/// # Safety
/// A block may be read at each of the pointers.
#[inline]
unsafe fn compress_live<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    blocks: &[*const u8; MAX_DEGREE],
    last: Option<&F::Block>,
) {
    let mut idle = states[0];
    let state = or_idle(states, &mut idle);
    let mut list = TurnList::<F, { list_words(2) }>::new();
    list.push(kernel.degree, 1, false, |k| (blocks[k], state(k)));
    if let Some(last) = last {
        list.push(kernel.degree, 1, true, |k| (core::ptr::from_ref(last).cast(), state(k)));
    }
    // SAFETY: the caller's contract; a state for each live lane, and one that all others share.
    unsafe { kernel.carry_out(list.take(kernel.degree)) }
}

/// Runs on the states of all lanes: `states`, at most `degree` of them, which get the results, and those of
/// idle lanes.
#[inline(always)]
fn with_idle_lanes<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    run: impl FnOnce(&mut [F::State]),
) {
    let live = states.len();
    let mut all = [states[0]; MAX_DEGREE];
    all[..live].copy_from_slice(states);
    run(&mut all[..kernel.degree]);
    states.copy_from_slice(&all[..live]);
}

/// See [`Kernel::compress_lanes`]: at most `degree` lanes, through copies of a few blocks of each.
pub(crate) fn compress_lanes<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    input: Interleaved<'_>,
) {
    /// Blocks of a lane that are copied at a time.
    const COPIED: usize = 8;
    let live = states.len();
    let mut blocks = [const { [const { MaybeUninit::<F::Block>::uninit() }; COPIED] }; MAX_DEGREE];
    let mut idle = states[0];
    let state = or_idle(states, &mut idle);
    let mut from = 0;
    while from < input.n_blocks() {
        let n_blocks = COPIED.min(input.n_blocks() - from);
        for (k, lane) in blocks[..live].iter_mut().enumerate() {
            for (b, block) in lane[..n_blocks].iter_mut().enumerate() {
                input.copy_block::<F>(from + b, k, block.write(F::ZERO_BLOCK));
            }
        }
        let mut list = TurnList::<F, { list_words(1) }>::new();
        list.push(kernel.degree, n_blocks, false, |k| {
            (blocks[if k < live { k } else { 0 }].as_ptr().cast(), state(k))
        });
        // SAFETY: the copies just made; idle lanes read the first lane's copy into an unused state.
        unsafe { kernel.carry_out(list.take(kernel.degree)) }
        from += n_blocks;
    }
}

/// See [`Kernel::compress_lanes`]: fewer lanes than `degree`, by the row's own `verb`.
///
/// Lanes without a message run idle: they read the words that follow in memory. At the end of the data
/// nothing follows; the last block or blocks are then copied to a buffer with room for all lanes.
pub(crate) fn compress_few_lanes<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    words: &[u8],
    row_words: usize,
    first: usize,
    verb: impl Fn(&mut [F::State], Interleaved<'_>),
) {
    let (degree, live) = (kernel.degree, states.len());
    with_idle_lanes(kernel, states, |all| {
        let in_place = Interleaved::with_idle_lanes::<F>(words, row_words, first, degree);
        let (n_in_place, n_blocks) = (in_place.n_blocks(), words.len() / (row_words * F::BLOCK_BYTES));
        if n_in_place > 0 {
            verb(all, in_place);
        }
        let row_bytes = row_words * F::Word::BYTES;
        let (at, live_bytes) = (first * F::Word::BYTES, live * F::Word::BYTES);
        let mut copy = [F::ZERO_BLOCK; MAX_DEGREE];
        let copy = F::bytes_of_mut(&mut copy[..degree]);
        for block in words.chunks_exact(16 * row_bytes).take(n_blocks).skip(n_in_place) {
            let rows = copy.chunks_exact_mut(degree * F::Word::BYTES).zip(block.chunks_exact(row_bytes));
            for (to, from) in rows {
                to[..live_bytes].copy_from_slice(&from[at..][..live_bytes]);
            }
            verb(all, Interleaved::new::<F>(copy, degree, 0, degree));
        }
    });
}

/// See [`Kernel::finish_fixed`]: any number of messages.
pub(crate) fn finish_fixed<F: Function>(kernel: &Kernel<F>, job: FixedGroups<'_, F>) {
    if kernel.degree == 1 {
        return finish_one_by_one(kernel, job);
    }
    let mut blocks = [const { MaybeUninit::uninit() }; MAX_DEGREE];
    for (group, digests) in job.digests.chunks_mut(kernel.degree * job.digest_bytes).enumerate() {
        let live = digests.len() / job.digest_bytes;
        let first = job.shape.block_of(job.messages, group * kernel.degree, &mut blocks[0]);
        let mut rows = [first; MAX_DEGREE];
        for k in 1..live {
            rows[k] = job.shape.block_of(job.messages, group * kernel.degree + k, &mut blocks[k]);
        }
        let second = job.shape.second.as_ref().map(PreExpanded::block);
        let mut states = [*job.start; MAX_DEGREE];
        // SAFETY: the padded copies.
        unsafe { compress_live(kernel, &mut states[..live], &rows, second) };
        for (state, digest) in states.iter().zip(digests.chunks_exact_mut(job.digest_bytes)) {
            put_digest::<F>(state, digest);
        }
    }
}

/// Does it with a kernel of one message, without the lists of several: clearing them takes as long as half a
/// message.
fn finish_one_by_one<F: Function>(kernel: &Kernel<F>, job: FixedGroups<'_, F>) {
    let FixedGroups { start, shape, messages, digests, digest_bytes } = job;
    let mut padded = shape.first;
    for (i, digest) in digests.chunks_exact_mut(digest_bytes).enumerate() {
        let message = &messages[i * shape.len_bytes..][..shape.len_bytes];
        let block = if message.len() == F::BLOCK_BYTES {
            message
        } else {
            padded.as_mut()[..message.len()].copy_from_slice(message);
            padded.as_ref()
        };
        let mut state = *start;
        kernel.compress_one(&mut state, block);
        if let Some(second) = &shape.second {
            kernel.rounds(&mut state, second);
        }
        put_digest::<F>(&state, digest);
    }
}

/// See [`Kernel::continue_many`]: any number of continuations.
pub(crate) fn continue_many<F: Function>(kernel: &Kernel<F>, job: ContinueGroups<'_, F>) {
    if kernel.degree == 1 {
        return continue_one_by_one(kernel, job);
    }
    let groups = job.states.chunks_mut(kernel.degree).zip(job.blocks.chunks(kernel.degree));
    for (states, blocks) in groups {
        if let Start::Shared(midstate) = job.start {
            states.fill(*midstate);
        }
        let mut rows = [core::ptr::from_ref(&blocks[0]).cast(); MAX_DEGREE];
        for (row, block) in rows.iter_mut().zip(blocks) {
            *row = core::ptr::from_ref(block).cast();
        }
        // SAFETY: the caller's blocks.
        unsafe { compress_live(kernel, states, &rows, job.last.map(PreExpanded::block)) };
    }
}

/// Does it with a kernel of one message, as [`finish_one_by_one`].
fn continue_one_by_one<F: Function>(kernel: &Kernel<F>, job: ContinueGroups<'_, F>) {
    for (state, block) in job.states.iter_mut().zip(job.blocks) {
        if let Start::Shared(midstate) = job.start {
            *state = *midstate;
        }
        kernel.compress_one(state, block.as_ref());
        if let Some(last) = job.last {
            kernel.rounds(state, last);
        }
    }
}

/// Blocks at the start of cache lines: a load of a block that lies in two takes twice as long.
#[doc(hidden)]
#[derive(Debug)]
#[repr(align(64))]
pub struct InLines<T>(pub T);

/// See [`Kernel::finish_fixed`]: fewer messages than `degree`, by the row's own `verb`. Copies of them make a
/// whole group; the other lanes have messages of zeros.
///
/// Not inlined: whole groups do without its memory.
#[inline(never)]
pub(crate) fn finish_few_fixed<F: Function>(
    kernel: &Kernel<F>,
    job: FixedGroups<'_, F>,
    verb: impl Fn(FixedGroups<'_, F>),
) {
    let FixedGroups { start, shape, messages, digests, digest_bytes } = job;
    let mut copies = InLines([F::ZERO_BLOCK; MAX_DEGREE]);
    let copies = &mut F::bytes_of_mut(&mut copies.0)[..kernel.degree * shape.len_bytes];
    copies[..messages.len()].copy_from_slice(messages);
    let mut results = [[0; LONGEST_DIGEST]; MAX_DEGREE];
    let results = &mut results.as_flattened_mut()[..kernel.degree * digest_bytes];
    verb(FixedGroups { start, shape, messages: copies, digests: results, digest_bytes });
    digests.copy_from_slice(&results[..digests.len()]);
}

/// See [`Kernel::continue_many`]: fewer continuations than `degree`, by the row's own `verb`. The other lanes
/// repeat the first block, because a known half is that of all.
///
/// Not inlined: whole groups do without its memory.
#[inline(never)]
pub(crate) fn continue_few<F: Function>(
    kernel: &Kernel<F>,
    job: ContinueGroups<'_, F>,
    verb: impl Fn(ContinueGroups<'_, F>),
) {
    let ContinueGroups { start, blocks, known, last, states } = job;
    let mut copies = InLines([blocks[0]; MAX_DEGREE]);
    copies.0[..blocks.len()].copy_from_slice(blocks);
    let blocks = &copies.0[..kernel.degree];
    with_idle_lanes(kernel, states, |states| verb(ContinueGroups { start, blocks, known, last, states }));
}
