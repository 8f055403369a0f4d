//! Messages of one block with their padding, or of exactly a block, whose padding then is a block of its own
//! with a constant schedule. Many of them are copied side by side and hashed like equal messages, because
//! copying takes less time than turns.

use hashlanes_isa::{Fixed, Function, MAX_DEGREE, Plan, Types};

use super::{Sink, Starts};
use crate::algorithm::{Algorithm, State};
use crate::padding::{InLines, fixed_shape, one_block_ends, pad, whole_block};

/// Messages that are copied at a time: a call of a kernel for twice as many takes 4 % less for each (64 bytes
/// by SHA-256, Zen 4).
const TOGETHER: usize = 128;
/// If there are no more than this, half the room is cleared.
const FEWER: usize = TOGETHER / 2;

/// Fewer messages than this end earlier as any others do.
const FEWEST: usize = 2 * MAX_DEGREE;

/// Computes the digests of the first messages, while they have one of these shapes; returns their number.
pub(super) fn digest_short<A: Algorithm>(
    plan: Plan<A::Function>,
    starts: Starts<'_, A::Function>,
    messages: &[&[u8]],
    from: usize,
    sink: &mut (impl Sink<A> + ?Sized),
) -> usize {
    let mut n_done = 0;
    if let Starts::One(start, n_before) = starts {
        for messages in messages.chunks(TOGETHER).take_while(|messages| messages.len() >= FEWEST) {
            let Some(shape) = shape_of::<A>(messages, n_before) else { break };
            let digest = match messages.len() {
                ..=FEWER => digest_side_by_side::<A, _, FEWER>,
                _ => digest_side_by_side::<A, _, TOGETHER>,
            };
            digest(plan, (start, n_before), &shape, messages, from + n_done, sink);
            n_done += messages.len();
        }
    }
    n_done
}

/// Returns how many of `n` messages of `len_bytes` bytes are copied side by side next, if any are.
pub(crate) fn side_by_side<F: Function>(n: usize, len_bytes: u64) -> Option<usize> {
    let is_short = len_bytes < one_block_ends::<F>() as u64 || len_bytes == F::BLOCK_BYTES as u64;
    (n >= FEWEST && is_short).then_some(n.min(TOGETHER))
}

/// Returns the shape in which the messages are hashed: as padded blocks, or as blocks before their padding.
fn shape_of<A: Algorithm>(messages: &[&[u8]], n_before: u64) -> Option<Fixed<A::Function>> {
    if messages[0].len() == A::BLOCK_BYTES {
        let is_block = |message: &&[u8]| message.len() == A::BLOCK_BYTES;
        return messages.iter().all(is_block).then(|| fixed_shape(A::BLOCK_BYTES, n_before));
    }
    let is_short = |message: &&[u8]| message.len() < one_block_ends::<A::Function>();
    messages.iter().all(is_short).then(whole_block)
}

/// Hashes at most `N` messages. A separate function, so that its stack memory does not add up with that of
/// longer messages.
#[inline(never)]
fn digest_side_by_side<A: Algorithm, S: Sink<A> + ?Sized, const N: usize>(
    plan: Plan<A::Function>,
    (start, n_before): (&State<A>, u64),
    shape: &Fixed<A::Function>,
    messages: &[&[u8]],
    from: usize,
    sink: &mut S,
) {
    let mut blocks = InLines([A::Function::ZERO_BLOCK; N]);
    let blocks = &mut blocks.0[..messages.len()];
    for (block, message) in blocks.iter_mut().zip(messages) {
        // Padded where it stays: a copy would wait for the words that were just stored.
        if message.len() < A::BLOCK_BYTES {
            pad::<A::Function>(core::slice::from_mut(block), message, n_before + message.len() as u64);
        } else {
            block.as_mut().copy_from_slice(message);
        }
    }
    let blocks = A::Function::bytes_of(blocks);
    if let Some(digests) = sink.place(from..from + messages.len()) {
        return digest_equal::<A>(plan, start, shape, blocks, digests);
    }
    let mut digests = [A::ZERO_DIGEST; N];
    let digests = &mut digests[..messages.len()];
    digest_equal::<A>(plan, start, shape, blocks, digests);
    for (i, digest) in digests.iter().enumerate() {
        sink.put(from + i, |to| *to = *digest);
    }
}

/// Digests of messages that are padded already, a block each.
pub(crate) fn digest_blocks<A: Algorithm>(start: &State<A>, blocks: &[u8], digests: &mut [A::Digest]) {
    digest_equal::<A>(Plan::BEST, start, &whole_block(), blocks, digests);
}

/// Digests of equal messages of one shape, one after another.
pub(crate) fn digest_equal<A: Algorithm>(
    plan: Plan<A::Function>,
    start: &State<A>,
    shape: &Fixed<A::Function>,
    messages: &[u8],
    digests: &mut [A::Digest],
) {
    plan.each_group(digests.len(), 1, |kernel, some| {
        let messages = &messages[some.start * shape.len_bytes..some.end * shape.len_bytes];
        let digests = A::bytes_of(&mut digests[some]);
        kernel.finish_fixed(start, shape, messages, digests, A::DIGEST_BYTES);
    });
}
