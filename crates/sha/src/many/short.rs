//! Messages of one block with their padding, or of exactly a block, whose padding then is a block of its own
//! with a constant schedule. Many of them are copied side by side and hashed like equal messages, because
//! copying takes less time than turns.

use hashlanes_isa::{Fixed, Function, Plan};

use super::{Sink, Starts};
use crate::padding::{
    FixedShape, InLines, LONGEST_DIGEST, fixed_shape, one_block_ends, pad_one_of_many, whole_block,
};

/// Messages that are copied at a time: a call of a kernel for twice as many takes 4 % less for each (64 bytes
/// by SHA-256, Zen 4).
const TOGETHER: usize = 128;
/// Half the room, for less stack.
const FEWER: usize = TOGETHER / 2;

/// Fewer messages than this end earlier as any others do.
const FEWEST: usize = 5;

/// Computes the digests of the first messages, while they have one of these shapes; returns their number.
pub(super) fn digest_short<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    from: usize,
    sink: &mut impl Sink,
) -> usize {
    let mut n_done = 0;
    if let Starts::One(start, n_before) = starts {
        for messages in messages.chunks(TOGETHER).take_while(|messages| messages.len() >= FEWEST) {
            let Some(shape) = shape_of(messages, n_before) else { break };
            let range = from + n_done..from + n_done + messages.len();
            let (start, digest_bytes) = ((start, n_before), sink.digest_bytes());
            match sink.place(range.clone()) {
                Some(digests) => digest_side_by_side(plan, start, &shape, messages, digests, digest_bytes),
                None => digest_elsewhere(plan, start, &shape, messages, range.start, sink),
            }
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
fn shape_of<F: Function>(messages: &[&[u8]], n_before: u64) -> Option<FixedShape<F>> {
    if messages[0].len() == F::BLOCK_BYTES {
        let is_block = |message: &&[u8]| message.len() == F::BLOCK_BYTES;
        return messages.iter().all(is_block).then(|| fixed_shape(F::BLOCK_BYTES, n_before));
    }
    let is_short = |message: &&[u8]| message.len() < one_block_ends::<F>();
    messages.iter().all(is_short).then(|| FixedShape::Made(whole_block()))
}

/// Hashes messages whose digests are not written where they stay: half as many at a time, for less stack.
#[inline(never)]
fn digest_elsewhere<F: Function>(
    plan: Plan<F>,
    start: (&F::State, u64),
    shape: &Fixed<F>,
    messages: &[&[u8]],
    from: usize,
    sink: &mut impl Sink,
) {
    let digest_bytes = sink.digest_bytes();
    let mut room = [0; FEWER * LONGEST_DIGEST];
    for (messages, from) in messages.chunks(FEWER).zip((from..).step_by(FEWER)) {
        let digests = &mut room[..messages.len() * digest_bytes];
        digest_copied::<F, FEWER>(plan, start, shape, messages, digests, digest_bytes);
        for (i, digest) in (from..).zip(digests.chunks_exact(digest_bytes)) {
            sink.put(i, |to| to.copy_from_slice(digest));
        }
    }
}

/// Hashes at most [`TOGETHER`] messages.
fn digest_side_by_side<F: Function>(
    plan: Plan<F>,
    start: (&F::State, u64),
    shape: &Fixed<F>,
    messages: &[&[u8]],
    digests: &mut [u8],
    digest_bytes: usize,
) {
    // Room is cleared before it is used: that of 64 messages takes as long as hashing one (Zen 4).
    let digest = match messages.len() {
        0..=8 => digest_copied::<F, 8>,
        9..=16 => digest_copied::<F, 16>,
        17..=32 => digest_copied::<F, 32>,
        33..=FEWER => digest_copied::<F, FEWER>,
        _ => digest_copied::<F, TOGETHER>,
    };
    digest(plan, start, shape, messages, digests, digest_bytes);
}

/// Hashes at most `N` messages. A separate function, so that its stack memory does not add up with that of
/// longer messages.
#[inline(never)]
fn digest_copied<F: Function, const N: usize>(
    plan: Plan<F>,
    (start, n_before): (&F::State, u64),
    shape: &Fixed<F>,
    messages: &[&[u8]],
    digests: &mut [u8],
    digest_bytes: usize,
) {
    let mut blocks = InLines([F::ZERO_BLOCK; N]);
    let blocks = &mut blocks.0[..messages.len()];
    for (block, message) in blocks.iter_mut().zip(messages) {
        // Padded where it stays: a copy would wait for the words that were just stored.
        if message.len() < F::BLOCK_BYTES {
            pad_one_of_many::<F>(block, message, n_before + message.len() as u64);
        } else {
            block.as_mut().copy_from_slice(message);
        }
    }
    digest_equal(plan, start, shape, F::bytes_of(blocks), digests, digest_bytes);
}

/// Digests of messages that are padded already, a block each.
pub(crate) fn digest_blocks<F: Function>(
    start: &F::State,
    blocks: &[u8],
    digests: &mut [u8],
    digest_bytes: usize,
) {
    digest_equal::<F>(Plan::BEST, start, &whole_block(), blocks, digests, digest_bytes);
}

/// Digests of equal messages of one shape, one after another.
pub(crate) fn digest_equal<F: Function>(
    plan: Plan<F>,
    start: &F::State,
    shape: &Fixed<F>,
    messages: &[u8],
    digests: &mut [u8],
    digest_bytes: usize,
) {
    plan.each_group(digests.len() / digest_bytes, shape.n_blocks(), |kernel, some| {
        let messages = &messages[some.start * shape.len_bytes..some.end * shape.len_bytes];
        let digests = &mut digests[some.start * digest_bytes..some.end * digest_bytes];
        kernel.finish_fixed(start, shape, messages, digests, digest_bytes);
    });
}
