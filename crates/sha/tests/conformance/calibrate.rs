//! Costs measured on this CPU: they change choices, never digests. Costs concern a whole process, so all of
//! this runs in child processes.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use hashlanes_isa::{Cost, Function, Plan};
use hashlanes_sha::algorithms::{Sha1, Sha256, Sha512};
use hashlanes_sha::kernels::{self, Row};
use hashlanes_sha::sha3_256;
use hashlanes_testkit::oracle;
use hashlanes_testkit::ragged::batches;

use crate::child;
use crate::hashes::{Named, Tested, assert_digests, each_function, expected, unwritten};
use crate::suite::{Suite, cases, seed};

/// Threads that use all hashes for the first time at once.
const THREADS: u64 = 8;

pub(crate) fn add(suite: &mut Suite) {
    for role in ["first-use", "calibrate"] {
        suite.one("all", role, move || drop(child::output(role, &[])));
    }
    #[cfg(feature = "env-override")]
    suite.one("all", "masks", || {
        let inherited = std::env::var("HASHLANES_DISABLE").unwrap_or_default();
        #[cfg(target_arch = "x86_64")]
        const MASKS: &[&str] = &["avx512f", "avx2,sha", "ssse3"];
        #[cfg(not(target_arch = "x86_64"))]
        const MASKS: &[&str] = &[""];
        for mask in MASKS {
            let mask = format!("{inherited},{mask}");
            for role in ["first-use", "calibrate"] {
                child::output(role, &[("HASHLANES_DISABLE", &mask)]);
            }
        }
    });
    // A forced kernel needs no costs.
    #[cfg(feature = "env-override")]
    each_function!(F => {
        suite.one(F::NAME, "not if a kernel is forced", || {
            let kernel = F::kernels().last().expect("a kernel").name();
            let role = format!("not-measured {}", F::NAME);
            child::output(&role, &[(F::KERNEL_VARIABLE, kernel)]);
        });
    });
}

/// In a child: threads hash at once. On a CPU without a column of its own, the kernels are measured by then.
pub(crate) fn play_first_use() {
    let barrier = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        for i in 0..THREADS {
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                hash_all(seed() + i);
            });
        }
    });
    let has_own_column = kernels::column().1;
    for (hash, rows) in candidates() {
        let n_measured = rows.iter().filter(|row| row.is_measured).count();
        if has_own_column || rows.len() == 1 {
            assert_eq!(n_measured, 0, "{hash}");
        } else {
            // A sample that was disturbed throughout leaves the column's cost.
            assert!(n_measured > 0, "{hash}");
        }
    }
}

/// In a child: after hashing, the table has the column's costs.
pub(crate) fn play_not_measured(hash: &str) {
    hash_all(seed());
    assert!(candidates()[hash].iter().all(|row| !row.is_measured), "{hash}");
}

/// In a child: measured by request, also while other threads hash.
pub(crate) fn play_calibrate() {
    let columns = candidates();
    let mut choices = Vec::new();
    each_function!(F => { choices.push(choices_of::<F>()); });
    hash_all(seed());

    let start = Instant::now();
    let found = kernels::calibrate();
    println!("{} kernels measured in {:?}", found.len(), start.elapsed());
    for (hash, row) in &found {
        let column = columns[hash].iter().find(|column| column.name == row.name);
        let (name, column) = (row.name, column.expect("a candidate that this CPU can run"));
        let (cost, most) = (row.cost, 8 * column.cost.block);
        assert!(row.is_measured && (1..=most).contains(&cost.block), "{hash} {name}: {cost:?}");
        assert!(cost.of(1, 2) > cost.of(1, 1) && cost.of_equal(1, 2) > cost.of_equal(1, 1), "{cost:?}");
        assert!(row.degree > 1 || cost.equal <= cost.call, "{hash} {name}: alone among equal ones, {cost:?}");
    }
    for (hash, rows) in candidates() {
        let n_measured = found.iter().filter(|(of, _)| *of == hash).count();
        assert_eq!(n_measured, rows.iter().filter(|row| row.is_measured).count(), "{hash}");
        assert_eq!(n_measured > 0, rows.len() > 1, "{hash}");
    }
    hash_all(seed());
    #[cfg(feature = "count-calls")]
    each_function!(F => { crate::reach::best_is_fastest::<F>(); });

    thread::scope(|scope| {
        for i in 0..THREADS {
            scope.spawn(move || match i {
                0 => drop(kernels::calibrate()),
                _ => hash_all(seed() + i),
            });
        }
    });

    each_function!(F => { chosen_by_costs::<F>(); });
    // Without costs of its own, the table has the column's again.
    kernels::set_costs(&[]);
    let mut after = Vec::new();
    each_function!(F => { after.push(choices_of::<F>()); });
    if kernels::column().1 {
        assert_eq!(after, choices);
    }
}

/// The candidates that this CPU can run, for each hash.
fn candidates() -> BTreeMap<&'static str, Vec<Row>> {
    let mut candidates = BTreeMap::<_, Vec<Row>>::new();
    for (hash, row) in kernels::every_row().filter(|(_, row)| row.supported && row.is_candidate) {
        candidates.entry(hash).or_default().push(row);
    }
    candidates
}

/// The kernels chosen for some numbers of messages and blocks.
fn choices_of<F: Tested>() -> Vec<&'static str> {
    let numbers = (1..=16).flat_map(|n| [1, 2, 10, 100].map(|b| (n, b)));
    numbers.map(|(n, b)| Plan::<F>::BEST.kernel(n, b).name()).collect()
}

/// A kernel that takes next to no time is chosen at once, and is not if it takes long.
fn chosen_by_costs<F: Tested>() {
    let rows = &candidates()[F::NAME];
    for row in rows {
        for (block, is_chosen) in [(1, true), (1 << 20, rows.len() == 1), (1, true)] {
            let mut row = *row;
            row.cost = Cost { call: 0, equal: 0, block };
            kernels::set_costs(&[(F::NAME, row)]);
            for n in [1, row.degree] {
                let chosen = Plan::<F>::BEST.kernel(n, 100).name() == row.name;
                assert!(chosen == is_chosen || n < row.degree, "{} {}: {block}", F::NAME, row.name);
            }
        }
    }
}

/// Hashes batches by every table, one message and many, and compares the digests with the oracle's.
fn hash_all(seed: u64) {
    fn hash<A: Named>(seed: u64) {
        for batch in batches(seed, cases(40).max(2), 40, 12 * A::BLOCK_BYTES) {
            let messages = batch.slices();
            let digests = expected::<A>(messages.iter().copied());
            let mut out = unwritten::<A>(messages.len());
            A::many(&messages, &mut out);
            assert_digests(&out, &digests, &batch);
            for (message, digest) in messages.iter().zip(&digests) {
                assert_eq!(A::one(message).as_ref(), &digest[..], "{batch}");
            }
        }
        for len in [55, 64] {
            let messages = vec![7; 35 * len];
            let mut out = unwritten::<A>(35);
            A::fixed(&messages, len, &mut out);
            assert_digests(&out, &vec![A::ORACLE.digest(&messages[..len]); 35], len);
        }
    }
    hash::<Sha1>(seed);
    hash::<Sha256>(seed);
    hash::<Sha512>(seed);
    assert_eq!(sha3_256(b"abc").as_ref(), oracle::sha3_256(b"abc"));
}
