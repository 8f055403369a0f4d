//! The published vectors: NIST's CAVP files, short and long, and its Monte Carlo test, which makes a chain of
//! 100,000 digests and so meets states that no test would write down.

use hashlanes_sha::kernels::Kernel;
use hashlanes_sha::{Algorithm, Hasher};
use hashlanes_testkit::vectors::{self, MessageVector};

use crate::hashes::{Named, Tested, assert_digests, each_algorithm, unwritten};
use crate::suite::{Suite, cases};

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.one(A::NAME, "cavp", cavp::<A>);
        suite.each_kernel::<<A as Algorithm>::Function>(A::NAME, "cavp", cavp_on::<A>);
        // The kernel of one message, and one of many lanes, which share no code.
        let one = hashlanes_isa::Plan::<<A as Algorithm>::Function>::BEST.kernel(1, 16);
        let many = <A as Algorithm>::Function::kernels().max_by_key(|kernel| kernel.degree());
        for kernel in [Some(one), many.filter(|many| !std::ptr::eq(*many, one))].into_iter().flatten() {
            let what = format!("{}::monte", kernel.name());
            suite.one(A::NAME, &what, move || monte_on::<A>(kernel));
        }
    });
}

fn digests(vectors: &[MessageVector]) -> Vec<Vec<u8>> {
    vectors.iter().map(|vector| vector.digest.clone()).collect()
}

/// The parts into which an incremental message is cut: odd, so that blocks fill at every place.
fn odd_parts(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut rest, mut n) = (message, 1);
    std::iter::from_fn(move || {
        let (part, others) = rest.split_at(rest.len().min(n));
        (rest, n) = (others, n % 301 + 38);
        (!part.is_empty()).then_some(part)
    })
}

fn cavp<A: Named>() {
    let vectors = vectors::short_and_long(A::ORACLE.name);
    for vector in &vectors {
        let n = vector.message.len();
        assert_digests(
            &[A::one(&vector.message)],
            std::slice::from_ref(&vector.digest),
            format!("{n} bytes"),
        );
    }
    let messages: Vec<&[u8]> = vectors.iter().map(|vector| &vector.message[..]).collect();
    let mut got = unwritten::<A>(messages.len());
    A::many(&messages, &mut got);
    assert_digests(&got, &digests(&vectors), "many");
}

/// All at once, and one by one in odd parts.
fn cavp_on<A: Named>(kernel: &'static Kernel<A::Function>) {
    let vectors = vectors::short_and_long(A::ORACLE.name);
    let expected = digests(&vectors);
    let messages: Vec<&[u8]> = vectors.iter().map(|vector| &vector.message[..]).collect();
    let mut got = unwritten::<A>(messages.len());
    Hasher::<A>::digest_many_on(kernel, &messages, &mut got);
    assert_digests(&got, &expected, "digest_many_on");

    let in_parts = |message: &&[u8]| {
        let mut hasher = Hasher::<A>::with_kernel(kernel);
        odd_parts(message).for_each(|part| hasher.update(part));
        hasher.finish()
    };
    assert_digests(&messages.iter().map(in_parts).collect::<Vec<_>>(), &expected, "in odd parts");
}

fn monte_on<A: Named>(kernel: &'static Kernel<A::Function>) {
    let mut vector = vectors::monte(A::ORACLE.name);
    vector.checkpoints.truncate(cases(vector.checkpoints.len()).max(3));
    let reached = vector.run(|message| {
        let mut digest = [A::ZERO_DIGEST];
        Hasher::<A>::digest_many_on(kernel, &[message], &mut digest);
        digest[0].as_ref().to_vec()
    });
    assert!(reached == vector.checkpoints);
}
