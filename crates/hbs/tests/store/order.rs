//! The rest of fault 2, and the mutants: the content of the disk before a signature is released; leaving out
//! any step is detected.

use hashlanes_hbs::store::Error;

use crate::ledger::{HEIGHT, Ledger, OF_A_TREE, generation, generation_of_layers, place, with_key};
use crate::simulated::{After, Left, Simulated};

/// The steps of a commit, in order.
const COMMIT: [&str; 10] = [
    "allocate log",
    "open state",
    "unlink state.new",
    "open state.new",
    "write state.new",
    "sync state.new",
    "rename state",
    "sync .",
    "write log",
    "sync log",
];

fn without_facts(trace: &[String]) -> Vec<&str> {
    trace.iter().map(String::as_str).filter(|call| !call.starts_with("facts")).collect()
}

#[test]
fn a_signature_leaves_after_its_state_is_on_the_disk() {
    let simulated = with_key();
    let mut key = place(&simulated, "/key").open().unwrap();
    simulated.take_trace();
    key.try_sign(b"message").unwrap();
    let trace = simulated.take_trace();
    let calls = without_facts(&trace);
    assert_eq!(calls[..COMMIT.len()], COMMIT);
    // The tree's header and one node of each level are read, not earlier.
    let (opened, read) = calls[COMMIT.len()..].split_first().unwrap();
    assert_eq!((*opened, read), ("open tree-0", &["read tree-0"; 1 + HEIGHT][..]));
    key.try_sign(b"message").unwrap();
    let trace = simulated.take_trace();
    assert_eq!(without_facts(&trace)[COMMIT.len()..], ["read tree-0"; HEIGHT]);
}

#[test]
fn a_witness_is_on_the_disk_too() {
    let simulated = with_key();
    let mut key = place(&simulated, "/key").witness("/witness").open().unwrap();
    simulated.take_trace();
    key.try_sign(b"message").unwrap();
    let trace = simulated.take_trace();
    let calls = without_facts(&trace);
    assert_eq!(calls[..COMMIT.len()], COMMIT);
    let witness = ["unlink", "open", "write", "sync"].map(|call| format!("{call} witness.new"));
    assert_eq!(calls[COMMIT.len()..][..4], witness);
    assert_eq!(calls[COMMIT.len() + 4..][..2], ["rename witness", "sync ."]);
}

#[test]
fn a_window_is_one_commit() {
    let simulated = with_key();
    let mut key = place(&simulated, "/key").window(5).open().unwrap();
    simulated.take_trace();
    for _ in 0..5 {
        key.try_sign(b"message").unwrap();
    }
    let syncs = |trace: Vec<String>| trace.iter().filter(|call| call.starts_with("sync")).count();
    assert_eq!(syncs(simulated.take_trace()), 3);
    let messages = [b"a", b"b", b"c", b"d", b"e", b"f", b"g"];
    let signatures = key.sign_many(&mut messages.map(|message| message.into())).unwrap();
    assert!(signatures.iter().all(Result::is_ok));
    assert_eq!(syncs(simulated.take_trace()), 3);
    assert_eq!(key.sign_many(&mut []).unwrap().len(), 0);
    assert_eq!(simulated.take_trace().len(), 0);
}

/// Signs, loses power, signs again, with a step of the commit left out. Returns how many indices were used
/// twice, or why it was refused.
fn reused_without(left: Left) -> Result<usize, Error> {
    let simulated = with_key();
    simulated.leave_out(left);
    let mut ledger = Ledger::default();
    for _ in 0..4 {
        let mut key = place(&simulated, "/key").open()?;
        ledger.sign(&mut key)?;
        drop(key);
        simulated.restart(After::Synced);
    }
    Ok(ledger.reused.len())
}

/// A signing key that skipped a step of the list would use an index twice; the tests detect it.
#[test]
fn mutants_that_leave_a_step_out_are_caught() {
    assert_eq!(reused_without(Left("none", "")).unwrap(), 0);
    // The state is renamed before it is stored: the file is then empty, or still the old one.
    assert!(matches!(reused_without(Left("sync", "state.new")), Err(Error::Damaged { .. })));
    assert!(reused_without(Left("sync", ".")).map_or(true, |reused| reused > 0));
    // The log lacks two records.
    assert!(matches!(reused_without(Left("sync", "log")), Err(Error::RolledBack { .. })));
    // `next` goes down: the old state comes back, and the log with it.
    let simulated = with_key();
    let mut ledger = Ledger::default();
    let disk = simulated.disk();
    ledger.sign(&mut place(&simulated, "/key").open().unwrap()).unwrap();
    ledger.sign(&mut place(&Simulated::with(&disk), "/key").open().unwrap()).unwrap();
    assert_eq!(ledger.reused, [0]);
}

/// Fault 6: no index is taken on a full disk, and signing continues when there is space again.
#[test]
fn a_full_disk_takes_no_index() {
    let simulated = with_key();
    let (mut ledger, mut refused) = (Ledger::default(), 0);
    let mut key = place(&simulated, "/key").open().unwrap();
    let used = simulated.used();
    for room in 0..400 {
        simulated.set_capacity(used + room);
        let state = simulated.bytes("/key/state");
        match ledger.sign(&mut key) {
            Ok(_) => break,
            Err(error @ Error::NotCommitted { .. }) => {
                refused += 1;
                assert_eq!(simulated.bytes("/key/state"), state, "{error}");
                assert!(
                    error.to_string().ends_with("index 0 was not taken, the key is unchanged"),
                    "{error}"
                );
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(refused > 100);
    simulated.set_capacity(usize::MAX);
    // The disk may still fill up between two steps; then the handle reports that the content of the disk is
    // unknown.
    for _ in 1..4 {
        ledger.sign_verified(&mut key).unwrap();
    }
    assert_eq!((ledger.reused.len(), ledger.is_released(0)), (0, true));
    assert_eq!(place(&simulated, "/key").status().unwrap().next, 4);
}

#[test]
fn a_key_is_created_when_there_is_space_again() {
    let simulated = Simulated::new();
    for room in (0..6000).step_by(100) {
        simulated.set_capacity(room);
        let here = place(&simulated, "/key");
        let generation = here.unfinished().ok().flatten().unwrap_or_else(generation);
        if let Ok(mut key) = here.create(generation) {
            assert!(room > 1000);
            simulated.set_capacity(usize::MAX);
            assert_eq!(Ledger::default().sign_verified(&mut key).unwrap(), 0);
            return;
        }
    }
    panic!("it is never made");
}

/// The trees of other layers are replaced when they end, without waiting.
#[test]
fn trees_follow_each_other_over_restarts() {
    let end = 4 * OF_A_TREE;
    for signatures in [1, 3, end] {
        let simulated = Simulated::new();
        let mut ledger = Ledger::default();
        drop(place(&simulated, "/key").create(generation_of_layers()).unwrap());
        while (ledger.len() as u64) < end {
            let mut key = place(&simulated, "/key").open().unwrap();
            for _ in 0..signatures.min(end - ledger.len() as u64) {
                ledger.sign_verified(&mut key).unwrap();
            }
        }
        assert!(ledger.reused.is_empty());
        assert_eq!(simulated.names("/key/cache"), ["next-0", "tree-0", "tree-1"]);
    }
}
