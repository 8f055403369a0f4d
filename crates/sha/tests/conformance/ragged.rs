//! 2,000 batches for each kernel whose counts and lengths break schedulers (`testkit::ragged`): whole
//! messages, and the same messages in random parts, with some hashers skipped each time.

use hashlanes_sha::kernels::Kernel;
use hashlanes_sha::{Algorithm, Hasher, Queue, Tagged};
use hashlanes_testkit::ragged::{Batch, Rng, batches, pattern};

use crate::hashes::{Named, assert_digests, each_algorithm, expected, unwritten};
use crate::suite::{Suite, cases, seed};

/// Batches for each kernel, shared among its algorithms.
const BATCHES: usize = 2000;

/// More messages than the engine's window has places (32), so that some come in when others end.
const MAX_MESSAGES: usize = 90;

/// More blocks than a call through a table accepts (20), for both block lengths.
const MAX_BLOCKS: usize = 24;

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.each_kernel::<<A as Algorithm>::Function>(A::NAME, "batches", ragged_on::<A>);
        suite.each_kernel::<<A as Algorithm>::Function>(A::NAME, "one number of blocks", |kernel| {
            equal_blocks::<A>(|messages, digests| Hasher::<A>::digest_many_on(kernel, messages, digests));
        });
        suite.one(A::NAME, "one number of blocks", || equal_blocks::<A>(A::many));
        suite.one(A::NAME, "batches", || ragged::<A>(seed(), cases(BATCHES / A::SIBLINGS)));
    });
}

fn ragged_on<A: Named>(kernel: &'static Kernel<A::Function>) {
    // Each kernel and algorithm has batches of its own.
    let of_names = kernel.name().bytes().chain(A::NAME.bytes());
    let seed = of_names.fold(seed(), |seed, byte| seed.rotate_left(5) ^ u64::from(byte));
    let max_len = MAX_BLOCKS * A::BLOCK_BYTES;
    for batch in batches(seed, cases(BATCHES / A::SIBLINGS), MAX_MESSAGES, max_len) {
        let expected = expected::<A>(batch.messages());
        let messages = batch.slices();
        let mut digests = unwritten::<A>(messages.len());
        Hasher::<A>::digest_many_on(kernel, &messages, &mut digests);
        assert_digests(&digests, &expected, format!("{} {}: {batch}", A::NAME, kernel.name()));

        let digests = in_parts::<A>(
            &batch,
            |parts| Hasher::update_many_on(kernel, parts),
            |hashers, digests| Hasher::finish_many_on(kernel, hashers, digests),
        );
        assert_digests(&digests, &expected, format!("{} {} in parts: {batch}", A::NAME, kernel.name()));
    }
}

/// A few messages whose bodies differ in length, but not their numbers of blocks: they end in a block or in
/// two.
fn equal_blocks<A: Named>(many: impl Fn(&[&[u8]], &mut [A::Digest])) {
    let bytes = pattern(27 * A::BLOCK_BYTES, 5);
    let mut rng = Rng::new(seed());
    let numbers = [21, 2, 20, 8, 9, 1, 3, 19, 22, 26];
    for n_blocks in numbers.into_iter().take(cases(10).clamp(3, 10)) {
        // The longest leaves room for a one bit and the length.
        let longest = n_blocks * A::BLOCK_BYTES - 1 - A::BLOCK_BYTES / 8;
        let shortest = (longest + 1).saturating_sub(A::BLOCK_BYTES);
        for n in [1, 2, 3, 5, 8, 9, 17] {
            let message = |rng: &mut Rng| {
                let from = rng.below(A::BLOCK_BYTES);
                &bytes[from..][..shortest + rng.below(longest - shortest + 1)]
            };
            let messages: Vec<&[u8]> = (0..n).map(|_| message(&mut rng)).collect();
            let mut digests = unwritten::<A>(n);
            many(&messages, &mut digests);
            let expected = expected::<A>(messages.iter().copied());
            assert_digests(&digests, &expected, format!("{}: {n} of {n_blocks} blocks", A::NAME));
        }
    }
}

/// The same on the default choice of kernels, by the public names.
pub(crate) fn ragged<A: Named>(seed: u64, n: usize) {
    for batch in batches(seed, n, MAX_MESSAGES, MAX_BLOCKS * A::BLOCK_BYTES) {
        let expected = expected::<A>(batch.messages());
        let messages = batch.slices();
        let mut digests = unwritten::<A>(messages.len());
        A::many(&messages, &mut digests);
        assert_digests(&digests, &expected, format!("{}: {batch}", A::NAME));
        let digests = in_parts::<A>(&batch, A::update_many, A::finish_many);
        assert_digests(&digests, &expected, format!("{} in parts: {batch}", A::NAME));
        let digests = one_by_one::<A>(&batch);
        assert_digests(&digests, &expected, format!("{} one by one: {batch}", A::NAME));
    }
}

/// The digests of a batch's messages, submitted to a queue that is flushed now and then; they come in order.
pub(crate) fn one_by_one<A: Named>(batch: &Batch) -> Vec<A::Digest> {
    let messages = batch.slices();
    let mut rng = Rng::new(messages.len() as u64);
    let mut digests = Vec::new();
    let mut queue = Queue::<A, Tagged<usize, &[u8]>>::new();
    let mut take = |(Tagged { tag, message }, digest): (Tagged<usize, &[u8]>, A::Digest)| {
        assert_eq!((tag, message), (digests.len(), messages[tag]), "another message is next");
        digests.push(digest);
        digests.len()
    };
    let mut n_taken = 0;
    for (tag, message) in messages.iter().enumerate() {
        if let Some(done) = queue.submit(Tagged { tag, message }) {
            n_taken = take(done);
        }
        if rng.below(20) == 0 {
            let n_flushed = rng.below(70);
            n_taken =
                std::iter::from_fn(|| queue.flush()).take(n_flushed).map(&mut take).last().unwrap_or(n_taken);
        }
        let n_missing = tag + 1 - n_taken;
        assert_eq!((queue.len(), queue.is_empty()), (n_missing, n_missing == 0));
        assert!(n_missing < 64, "{n_missing} wait");
    }
    std::iter::from_fn(|| queue.flush()).for_each(|done| n_taken = take(done));
    assert!(queue.is_empty() && queue.flush().is_none() && n_taken == messages.len());
    digests
}

/// The digests of a batch's messages, given in random parts to some of the hashers at a time.
fn in_parts<A: Named>(
    batch: &Batch,
    update: impl Fn(&mut [(&mut Hasher<A>, &[u8])]),
    finish: impl Fn(&mut [Hasher<A>], &mut [A::Digest]),
) -> Vec<A::Digest> {
    let mut left = batch.slices();
    let longest = left.iter().map(|message| message.len()).max().unwrap_or(0);
    let mut rng = Rng::new(longest as u64);
    let mut hashers = vec![Hasher::<A>::new(); left.len()];
    while left.iter().any(|rest| !rest.is_empty()) {
        // Parts of up to the whole, a third, or a few blocks of the longest message.
        let most = rng.choose(&[longest, longest / 3, 3 * A::BLOCK_BYTES]) + 1;
        let mut parts: Vec<(&mut Hasher<A>, &[u8])> = Vec::new();
        for (hasher, rest) in hashers.iter_mut().zip(&mut left) {
            if rng.below(4) > 0 {
                let (part, others) = rest.split_at(rng.below(most + 1).min(rest.len()));
                *rest = others;
                parts.push((hasher, part));
            }
        }
        update(&mut parts);
    }
    let mut digests = unwritten::<A>(hashers.len());
    finish(&mut hashers, &mut digests);
    digests
}
