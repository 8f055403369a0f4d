//! Directories of earlier versions, whose states contain a device number: accepted once, and upgraded.

use std::path::Path;

use hashlanes_hbs::store::file_system::FileSystem;
use hashlanes_hbs::store::{Class, Error, Purpose};
use hashlanes_sha::{hmac_sha256, sha256};

use crate::ledger::{Ledger, generation, opened, place};
use crate::simulated::{After, Fault, Keeps, Simulated};

const HEAD: usize = 68;

/// Returns the code of a file, under a key from the seeds [3; 72].
fn code(label: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    hmac_sha256(&hmac_sha256(&[3; 48], label), &parts.concat())
}

/// Rewrites `state` and `log` of the key in `/key` in version 1, after two signatures.
fn downgrade(simulated: &Simulated) {
    let directory = simulated.open_directory(Path::new("/key")).unwrap();
    let facts = |name| simulated.facts_at(&directory, Path::new(name)).unwrap();
    let head = simulated.bytes("/key/log").unwrap()[20..HEAD].to_vec();
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|n| n.to_be_bytes()).collect::<Vec<_>>();
    simulated.tamper("/key/log", |log| {
        *log = [&b"hashlanes log\0\0\0"[..], &1_u32.to_be_bytes(), &head].concat();
        for (generation, first, count, purpose) in [(0, 0, 0, 1), (1, 0, 1, 2), (2, 1, 1, 2)] {
            let fields = [&numbers(&[generation, first, count, purpose])[..], &[7; 32]].concat();
            let mac = code(b"hashlanes: codes of a log", &[&head, &fields]);
            log.extend_from_slice(&[&fields[..], &mac].concat());
        }
    });
    let (lock, state) = (facts("lock"), facts("state"));
    let of_lock = numbers(&[lock.device, lock.inode, lock.born.unwrap_or(lock.changed)]);
    let of_state = numbers(&[state.inode, state.born.unwrap_or(0)]);
    let fields = [
        &b"hashlanes state\0"[..],
        &1_u32.to_be_bytes(),
        &head,
        &numbers(&[2, 2]),
        &1_u32.to_be_bytes(),
        &sha256(b"this machine"),
        &of_lock,
        &of_state,
    ]
    .concat();
    let mac = code(b"hashlanes: code of a state", &[&fields]);
    simulated.tamper("/key/state", |state| *state = [&fields[..], &mac].concat());
}

/// A key of version 1 that signed twice.
fn old_key(keeps: Keeps) -> (Simulated, Ledger) {
    let (simulated, mut ledger) = (Simulated::keeping(keeps), Ledger::default());
    let mut key = place(&simulated, "/key").create(generation()).unwrap();
    ledger.sign_some(&mut key, 2);
    drop(key);
    downgrade(&simulated);
    (simulated, ledger)
}

#[test]
fn a_key_of_the_old_format_is_upgraded_once() {
    for keeps in [Keeps::ALL, Keeps::SECONDS, Keeps::CHANGES, Keeps::BOTH] {
        let (simulated, mut ledger) = old_key(keeps);
        // Its device number has changed since, which no longer matters.
        simulated.set_device(8);
        let old_log = simulated.bytes("/key/log").unwrap();
        let here = place(&simulated, "/key");
        assert_eq!(here.status().unwrap().next, 2);
        simulated.copy("/key", "/saved");
        ledger.sign_some(&mut here.open().unwrap(), 1);
        assert_eq!(simulated.bytes("/key/log-1").unwrap(), old_log);
        let mut records = Vec::new();
        here.log(|_, record| records.push(record.unwrap().clone())).unwrap();
        assert_eq!(records[0].record.purpose, Purpose::Upgrade);
        assert_eq!(records[0].record.digest, sha256(&old_log));
        ledger.sign_some(&mut here.open().unwrap(), 1);
        assert!(ledger.reused.is_empty());
        // Files from before the upgrade are restored: the state, state and log, all files.
        for files in [&["state"][..], &["state", "log"], &["state", "log", "lock"]] {
            let simulated = Simulated::with(&simulated.disk());
            for file in files {
                let bytes = simulated.bytes(&format!("/saved/{file}")).unwrap();
                simulated.tamper(&format!("/key/{file}"), |there| *there = bytes);
            }
            if files.len() > 1 {
                simulated.remove("/key/log-1", false);
            }
            let error = opened(&place(&simulated, "/key")).expect_err(&format!("{keeps:?} {files:?}"));
            assert_eq!(error.class(), Class::Rollback, "{keeps:?} {files:?} {error}");
        }
    }
}

/// A copy of the old files is refused without an upgrade.
#[test]
fn a_copy_of_an_old_key_is_not_upgraded() {
    let (simulated, mut ledger) = old_key(Keeps::CHANGES);
    simulated.copy("/key", "/copy");
    let copy = place(&simulated, "/copy");
    assert!(matches!(opened(&copy), Err(Error::Moved { what: "the file lock" })));
    ledger.sign_some(&mut copy.adopt(2).unwrap(), 1);
    ledger.sign_some(&mut copy.open().unwrap(), 1);
    assert!(ledger.reused.is_empty());
}

#[test]
fn an_upgrade_continues_after_a_kill_at_any_call() {
    let mut cases = 0;
    for keeps in [Keeps::ALL, Keeps::CHANGES] {
        let (simulated, ledger) = old_key(keeps);
        let disk = simulated.disk();
        for at in 0.. {
            let simulated = Simulated::with(&disk);
            simulated.plan(at, Fault::Kill);
            let done = place(&simulated, "/key").open().map(drop);
            if !simulated.has_failed() {
                done.unwrap();
                break;
            }
            for after in [After::Everything, After::Synced, After::SyncedBytes, After::SyncedNames] {
                let (simulated, mut ledger) = (simulated.fork(), ledger.clone());
                simulated.restart(after);
                let here = place(&simulated, "/key");
                let mut key = match here.open() {
                    // Without birth times, the mark in `lock` or a truncated record looks like a copy's.
                    Err(Error::Moved { .. }) if keeps == Keeps::CHANGES => here.adopt(0).unwrap(),
                    result => result.unwrap_or_else(|error| {
                        panic!("{keeps:?} {at} {after:?}: {error} {:?}", simulated.take_trace())
                    }),
                };
                ledger.sign_some(&mut key, 1);
                assert!(ledger.reused.is_empty(), "{keeps:?} {at} {after:?}");
                cases += 1;
            }
        }
    }
    println!("{cases} upgrades that were killed: no index used twice, no key lost");
}
