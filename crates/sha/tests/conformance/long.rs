//! Tests that take minutes: `cargo xtask test --slow`, or `-- --ignored long::`.

use hashlanes_sha::{Algorithm, Hasher};
use hashlanes_testkit::ragged::pattern;

use crate::hashes::{Named, assert_digests, each_algorithm, unwritten};
use crate::ragged::ragged;
use crate::rows::million_rows;
use crate::suite::Suite;

/// Ragged batches on the default choice, over all algorithms.
const BATCHES: usize = 1_000_000;

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.long(A::NAME, "a million ragged batches among the hashes", || {
            ragged::<A>(fresh_seed(), BATCHES / 7);
        });
        suite.long(A::NAME, "a column of a million rows", || million_rows::<A>(fresh_seed()));
        suite.long(A::NAME, "over 4 GiB, streamed", streamed::<A>);
        #[cfg(target_pointer_width = "64")]
        suite.long(A::NAME, "over 4 GiB, in one piece", in_one_piece::<A>);
    });
    #[cfg(target_os = "linux")]
    suite.long("sha256", "ten million rows take no memory", ten_million_rows);
}

/// The seed from the environment, or a new one each time; it is printed.
fn fresh_seed() -> u64 {
    let asked_for = std::env::var_os("HASHLANES_TEST_SEED").is_some();
    let now = || std::time::UNIX_EPOCH.elapsed().expect("a clock after 1970").as_nanos() as u64;
    let seed = if asked_for { crate::suite::seed() } else { now() };
    println!("HASHLANES_TEST_SEED={seed:#x}");
    seed
}

/// Ten million values of 12 bytes: the process holds no more afterwards than before, or while it hashes.
#[cfg(target_os = "linux")]
fn ten_million_rows() {
    const ROWS: usize = 10_000_000;
    let values = pattern(12 * ROWS, 3);
    let offsets: Vec<i32> = (0..=ROWS).map(|i| 12 * i as i32).collect();
    let mut digests = vec![[1; 32]; ROWS];
    let before = peak_kib();
    hashlanes_sha::sha256_rows(&values, &offsets, &mut digests);
    let grown = peak_kib() - before;
    assert!(grown < 1024, "{grown} KiB more");
    for i in (0..ROWS).step_by(99_991) {
        assert_eq!(
            digests[i][..],
            hashlanes_testkit::oracle::SHA256.digest(&values[12 * i..][..12]),
            "row {i}"
        );
    }
}

/// The most memory that the process ever held.
#[cfg(target_os = "linux")]
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line VmHWM");
    line.trim().trim_end_matches(" kB").parse().expect("a number of KiB")
}

/// Real bytes, in parts of an odd length, alone and as one of several.
fn streamed<A: Named>() {
    let part = pattern((1 << 20) + 13, 1);
    let n_parts = ((1_u64 << 32) / part.len() as u64) as usize + 2;
    let mut alone = Hasher::<A>::new();
    let mut together = vec![Hasher::<A>::new(); 2];
    for _ in 0..n_parts {
        alone.update(&part);
        let mut parts: Vec<_> = together.iter_mut().map(|hasher| (hasher, &part[..])).collect();
        A::update_many(&mut parts);
    }
    let mut digests = unwritten::<A>(2);
    A::finish_many(&mut together, &mut digests);
    digests.push(alone.finish());

    // The oracle in parts of whole blocks: the same bytes from another place of the pattern.
    let len = n_parts as u64 * part.len() as u64;
    let mut stream = std::iter::repeat_n(&part, n_parts).flatten().copied();
    let mut midstate = A::ORACLE.initial();
    let whole = len / A::BLOCK_BYTES as u64 * A::BLOCK_BYTES as u64;
    let mut done = 0;
    while done < whole {
        let piece: Vec<u8> = stream.by_ref().take((1 << 20).min(whole - done) as usize).collect();
        midstate.compress(&piece);
        done += piece.len() as u64;
    }
    let rest: Vec<u8> = stream.collect();
    let expected = A::ORACLE.resume(midstate, whole as u128, &rest);
    assert_digests(&digests, &vec![expected; 3], format!("{len} bytes"));
}

/// Zeros, which the system need not hold in memory: alone, and as one of several.
#[cfg(target_pointer_width = "64")]
fn in_one_piece<A: Named>() {
    let zeros = vec![0; (1 << 32) + 1000];
    let mut midstate = A::ORACLE.initial();
    let piece = vec![0; 1 << 20];
    (0..1 << 12).for_each(|_| midstate.compress(&piece));
    let expected = A::ORACLE.resume(midstate, 1 << 32, &zeros[..1000]);
    assert_digests(&[A::one(&zeros)], std::slice::from_ref(&expected), "alone");
    let mut digests = unwritten::<A>(3);
    A::many(&[&zeros, b"abc", &zeros], &mut digests);
    assert_digests(&digests, &[expected.clone(), A::ORACLE.digest(b"abc"), expected], "together");
}
