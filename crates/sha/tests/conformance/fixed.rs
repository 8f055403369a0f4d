//! Equal messages through the hashers: every length up to a block, some longer ones, counts about whole
//! groups, with and without a prefix. `verbs` has the same below the hashers.

use hashlanes_sha::kernels::Kernel;
use hashlanes_sha::{Algorithm, Hasher, Midstate, algorithms};
use hashlanes_testkit::ragged::Rng;

use crate::hashes::{Named, Tested, assert_digests, each_algorithm, expected, unwritten};
use crate::suite::{Suite, seed};
use crate::verbs::counts;

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.one(A::NAME, "fixed", fixed::<A>);
        suite.each_kernel::<<A as Algorithm>::Function>(A::NAME, "fixed", fixed_on::<A>);
    });
    suite.one("sha256", "pairs and 32", pairs_and_32);
}

/// Lengths of messages over a block: of two blocks with their padding and of three, a header, a page.
fn long(block_bytes: usize) -> [usize; 6] {
    [block_bytes + 1, 80, 2 * block_bytes - 9, 2 * block_bytes, 3 * block_bytes + 1, 4096]
}

fn fixed<A: Named>() {
    let mut rng = Rng::new(seed());
    for len in (0..=A::BLOCK_BYTES).chain(long(A::BLOCK_BYTES)) {
        for n in [0, 1, 2, 3, 15, 16, 17, 100, 300] {
            let mut messages = vec![0; n * len];
            rng.fill(&mut messages);
            let expected = expected::<A>((0..n).map(|i| &messages[i * len..][..len]));
            let mut digests = unwritten::<A>(n);
            A::fixed(&messages, len, &mut digests);
            assert_digests(&digests, &expected, format!("{n} of {len} bytes"));
            let mut digests = unwritten::<A>(n);
            A::try_fixed(&messages, len, &mut digests).expect("lengths that fit");
            assert_digests(&digests, &expected, format!("{n} of {len} bytes, try"));
        }
    }
}

fn fixed_on<A: Named>(kernel: &'static Kernel<A::Function>) {
    let mut rng = Rng::new(seed());
    let start = Hasher::<A>::new().midstate().expect("nothing is whole blocks");
    for len in (0..=A::BLOCK_BYTES).chain(long(A::BLOCK_BYTES)) {
        for n in counts(kernel.degree()) {
            let mut messages = vec![0; n * len];
            rng.fill(&mut messages);
            let prefix = <A::Function as Tested>::states(&mut rng, 1)[0];
            for start in [start, Midstate::new(prefix, 5 * A::BLOCK_BYTES as u64)] {
                let expected: Vec<Vec<u8>> = (0..n)
                    .map(|i| &messages[i * len..][..len])
                    .map(|message| A::ORACLE.resume(*start.state(), start.n_bytes().into(), message))
                    .collect();
                let mut digests = unwritten::<A>(n);
                Hasher::digest_fixed_on(kernel, start, &messages, len, &mut digests);
                let before = start.n_bytes();
                assert_digests(&digests, &expected, format!("{n} of {len} bytes behind {before}"));
            }
        }
    }
}

/// The two functions that only SHA-256 has.
fn pairs_and_32() {
    let mut rng = Rng::new(seed());
    for n in 0..=40 {
        let mut nodes = vec![[0; 64]; n];
        rng.fill(nodes.as_flattened_mut());
        let of_nodes = expected::<algorithms::Sha256>(nodes.iter().map(|node| &node[..]));
        let mut digests = unwritten::<algorithms::Sha256>(n);
        hashlanes_sha::sha256_pairs(&nodes, &mut digests);
        assert_digests(&digests, &of_nodes, format!("{n} pairs"));
        // The digests, as messages of 32 bytes.
        let of_digests = expected::<algorithms::Sha256>(digests.iter().map(|digest| &digest[..]));
        let mut again = unwritten::<algorithms::Sha256>(n);
        hashlanes_sha::sha256_32(&digests, &mut again);
        assert_digests(&again, &of_digests, format!("{n} of 32 bytes"));
    }
}
