//! The basis of tree modes: word-interleaved input of any number of lanes, and messages each after a prefix
//! of its own.

use hashlanes_isa::{Function, Kernel};
use hashlanes_sha::{Algorithm, Hasher, Midstate, compress_interleaved};
use hashlanes_testkit::ragged::{Rng, batches};

use crate::hashes::{Named, Tested, each_algorithm, each_function};
use crate::suite::{Suite, cases, seed};
use crate::verbs::lane;

pub(crate) fn add(suite: &mut Suite) {
    each_function!(F => {
        suite.each_kernel::<F>(F::NAME, "compress_some_lanes", |kernel| some_lanes::<F>(Some(kernel)));
        suite.one(F::NAME, "compress_interleaved", || some_lanes::<F>(None));
    });
    each_algorithm!(A => {
        suite.one(A::NAME, "digest_many_from", digest_many_from::<A>);
        suite.one(A::NAME, "digest_many_after", digest_many_after::<A>);
    });
}

/// All of j lanes, some from the first on, some to the last; with the table's choice also so many blocks that
/// groups are processed piece by piece.
fn some_lanes<F: Tested>(kernel: Option<&'static Kernel<F>>) {
    let mut rng = Rng::new(seed());
    for j in [1, 3, 8, 16, 17, 40] {
        let pieces = (kernel.is_none() && j == 40).then_some(140_000 / (j * F::BLOCK_BYTES));
        for n_blocks in [0, 1, 2, 7].into_iter().chain(pieces) {
            let mut words = vec![0; j * n_blocks * F::BLOCK_BYTES];
            rng.fill(&mut words);
            for lanes in [0..j, 0..j / 2, j / 2..j, j - 1..j] {
                let before = F::states(&mut rng, lanes.len());
                let mut states = before.clone();
                compress_interleaved(kernel, &mut states, &words, j, lanes.start);
                for (k, lane_of) in lanes.clone().enumerate() {
                    let expected = F::expected(before[k], &lane::<F>(&words, j, lane_of));
                    assert!(
                        states[k].into() == expected,
                        "lane {lane_of} of {j}, {lanes:?}, {n_blocks} blocks"
                    );
                }
            }
        }
    }
}

/// Ragged batches; each message continues another state after a number of blocks.
fn digest_many_from<A: Named>() {
    let mut rng = Rng::new(seed());
    for batch in batches(seed(), cases(300), 40, 3000) {
        let messages = batch.slices();
        let states = A::Function::states(&mut rng, messages.len());
        let n_before = |i: usize| (i % 3 * A::BLOCK_BYTES) as u64;
        let starts: Vec<Midstate<A>> =
            states.into_iter().enumerate().map(|(i, state)| Midstate::new(state, n_before(i))).collect();
        let mut digests = vec![A::ZERO_DIGEST; messages.len()];
        Hasher::digest_many_from(None, &starts, &messages, &mut digests);
        for (i, message) in messages.iter().enumerate() {
            let expected = A::ORACLE.resume(*starts[i].state(), starts[i].n_bytes().into(), message);
            assert_eq!(digests[i].as_ref(), expected, "message {i} of {batch}");
        }
    }
}

/// Ragged batches after a prefix with a rest of every length, which begins at another state. Short messages
/// are frequent, so that all borders of one, two and three blocks are met.
fn digest_many_after<A: Named>() {
    let mut rng = Rng::new(seed());
    for (number, batch) in batches(seed(), cases(300), 150, 3 * A::BLOCK_BYTES).enumerate() {
        let rest = vec![number as u8; number % A::BLOCK_BYTES];
        let messages = batch.slices();
        let state = A::Function::states(&mut rng, 1)[0];
        let start = Midstate::<A>::new(state, (number % 3 * A::BLOCK_BYTES) as u64);
        let mut digests = vec![A::ZERO_DIGEST; messages.len()];
        Hasher::digest_many_after(&start, &rest, &messages, &mut digests);
        for (i, message) in messages.iter().enumerate() {
            let whole = [&rest, *message].concat();
            let expected = A::ORACLE.resume(state, start.n_bytes().into(), &whole);
            assert_eq!(digests[i].as_ref(), expected, "message {i} of {batch} after {} bytes", rest.len());
        }
    }
}
