//! Threads that hash at once, from the first call in the process on: the plan's answers and the CPU's
//! features, which the first calls find out, are shared. Miri runs this test with several orders of the
//! threads.

use std::sync::Barrier;
use std::thread;

use hashlanes::{sha256, sha256_many, sha512_many};

/// SHA-256 of "abc", FIPS 180-4's example.
const ABC: [u8; 4] = [0xba, 0x78, 0x16, 0xbf];

#[test]
fn first_calls_at_once() {
    const N_THREADS: usize = 3;
    let messages: [&[u8]; 5] = [b"abc", b"", b"a longer message", &[7; 64], &[8; 130]];
    let start = Barrier::new(N_THREADS);
    let hash = || {
        start.wait();
        let (mut short, mut long) = ([[0; 32]; 5], [[0; 64]; 5]);
        sha256_many(&messages, &mut short);
        sha512_many(&messages, &mut long);
        (short, long)
    };
    let (first, others) = thread::scope(|scope| {
        let others: Vec<_> = (1..N_THREADS).map(|_| scope.spawn(hash)).collect();
        let first = hash();
        (first, others.into_iter().map(|other| other.join().expect("no panic")).collect::<Vec<_>>())
    });
    assert!(others.iter().all(|digests| *digests == first));
    assert_eq!(first.0[0][..4], ABC);
    assert_eq!(first.0, messages.map(sha256));
}
