//! Faults 11, 12 and 14: files that were restored, moved, or belong to another key.

use hashlanes_hbs::store::{Class, Error, Standing};

use crate::ledger::{Ledger, SIGNATURES, generation, opened, other_generation, place, with_key};
use crate::simulated::{After, Simulated};

/// A key that signed three times, and an earlier copy of its directory at `/copy`.
fn used_with_copy() -> (Simulated, Ledger) {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let mut key = place(&simulated, "/key").witness("/witness").open().unwrap();
    ledger.sign(&mut key).unwrap();
    drop(key);
    simulated.copy("/key", "/copy");
    simulated.copy("/witness", "/old-witness");
    let mut key = place(&simulated, "/key").witness("/witness").open().unwrap();
    ledger.sign(&mut key).unwrap();
    ledger.sign(&mut key).unwrap();
    drop(key);
    (simulated, ledger)
}

#[test]
fn a_restored_state_is_refused() {
    let (simulated, mut ledger) = used_with_copy();
    simulated.copy("/copy/state", "/key/state");
    let here = place(&simulated, "/key");
    let error = opened(&here).unwrap_err();
    assert!(
        matches!(&error, Error::RolledBack { state: 1, witness, witnessed: 3 } if witness == "log"),
        "{error}"
    );
    assert_eq!(error.class(), Class::Rollback);
    assert_eq!(here.status().unwrap().standing, Standing::RolledBack { witness: "log".into() });
    // The log records the progress.
    let mut key = here.adopt(0).unwrap();
    assert_eq!(ledger.sign_verified(&mut key).unwrap(), 3);
    assert!(ledger.reused.is_empty());
}

#[test]
fn a_restored_directory_is_refused() {
    let (simulated, mut ledger) = used_with_copy();
    simulated.copy("/copy", "/key");
    let here = place(&simulated, "/key");
    let error = opened(&here).unwrap_err();
    assert!(matches!(error, Error::Moved { what: "the file lock" }), "{error}");
    assert_eq!(error.class(), Class::Rollback);
    assert_eq!(here.status().unwrap().standing, Standing::Moved { what: "the file lock" });
    let with_witness = here.clone().witness("/witness");
    assert!(matches!(with_witness.adopt(0).map(drop), Err(Error::RolledBack { state: 1, witnessed: 3, .. })));
    // The user knows the index.
    let mut key = with_witness.adopt(3).unwrap();
    assert_eq!(ledger.sign_verified(&mut key).unwrap(), 3);
    assert!(ledger.reused.is_empty());
    drop(key);
    opened(&with_witness).unwrap();
    opened(&here).unwrap();
}

/// Another process did not notice the removed lock, and wrote into the log: the log is damaged, and its
/// highest record counts.
#[test]
fn the_highest_record_of_the_log_counts() {
    const RECORD: usize = 160;
    let (simulated, mut ledger) = used_with_copy();
    simulated.copy("/key", "/other");
    place(&simulated, "/other").adopt(9).unwrap();
    let record = simulated.bytes("/other/log").unwrap();
    simulated.tamper("/key/log", |log| {
        let last = log[log.len() - RECORD..].to_vec();
        log.extend_from_slice(&record[record.len() - RECORD..]);
        log.extend_from_slice(&last);
    });
    let here = place(&simulated, "/key");
    assert!(matches!(opened(&here), Err(Error::Damaged { .. })));
    assert!(matches!(here.adopt(0).map(drop), Err(Error::Damaged { .. })));
    assert_eq!(ledger.sign(&mut here.adopt(1).unwrap()).unwrap(), 9);
}

/// A copy over the files of the directory itself: the same files with their former content.
#[test]
fn files_restored_in_place_are_refused() {
    let (simulated, mut ledger) = used_with_copy();
    for file in ["state", "log"] {
        let old = simulated.bytes(&format!("/copy/{file}")).unwrap();
        simulated.tamper(&format!("/key/{file}"), |bytes| *bytes = old);
    }
    let here = place(&simulated, "/key");
    assert!(matches!(opened(&here).unwrap_err(), Error::Moved { what: "the file state" }));
    assert_eq!(here.status().unwrap().standing, Standing::Moved { what: "the file state" });
    let mut key = here.adopt(3).unwrap();
    assert_eq!(ledger.sign_verified(&mut key).unwrap(), 3);
    assert!(ledger.reused.is_empty());
}

/// Like a restored snapshot of the volume: all files are the former ones.
#[test]
fn a_restored_volume_is_detected_by_the_witness() {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let here = |simulated: &Simulated| place(simulated, "/key").witness("/witness");
    ledger.sign(&mut here(&simulated).open().unwrap()).unwrap();
    let before = simulated.disk();
    let mut key = here(&simulated).open().unwrap();
    ledger.sign(&mut key).unwrap();
    drop(key);
    let witness = simulated.bytes("/witness").unwrap();
    let simulated = Simulated::with(&before);
    // No fact in the directory shows it.
    assert_eq!(place(&simulated, "/key").status().unwrap().standing, Standing::Sound);
    simulated.tamper("/witness", |bytes| *bytes = witness);
    let here = here(&simulated);
    let error = opened(&here).unwrap_err();
    assert!(matches!(&error, Error::RolledBack { witness, .. } if witness == "//witness"), "{error}");
    assert_eq!(here.status().unwrap().standing, Standing::RolledBack { witness: "//witness".into() });
}

/// The user gives a lower index than the witness recorded.
#[test]
fn the_record_of_the_witness_counts_when_a_key_is_adopted() {
    let (simulated, mut ledger) = used_with_copy();
    simulated.copy("/copy", "/key");
    let mut key = place(&simulated, "/key").witness("/witness").adopt(2).unwrap();
    assert_eq!(ledger.sign_verified(&mut key).unwrap(), 3);
    assert!(ledger.reused.is_empty());
}

#[test]
fn a_signature_of_another_key_is_refused() {
    let simulated = with_key();
    let other = other_generation();
    let foreign = place(&simulated, "/other").create(other).unwrap().try_sign(b"m").unwrap();
    let here = place(&simulated, "/key");
    let mut key = here.open().unwrap();
    let own = key.try_sign(b"m").unwrap();
    assert_eq!(here.index_of(own.as_ref()).unwrap(), 0);
    let is_foreign =
        |result: Result<(), Error>| matches!(result, Err(Error::Key(hashlanes_hbs::Error::OtherSigner)));
    assert!(is_foreign(here.index_of(foreign.as_ref()).map(drop)));
    assert!(is_foreign(key.advance_past(foreign.as_ref())));
    assert_eq!(key.next_index(), 1);
}

#[test]
fn a_witness_that_lags_catches_up() {
    let (simulated, mut ledger) = used_with_copy();
    simulated.copy("/old-witness", "/witness");
    let here = place(&simulated, "/key").witness("/witness");
    ledger.sign(&mut here.open().unwrap()).unwrap();
    simulated.copy("/copy/state", "/key/state");
    assert!(opened(&here).is_err());
}

#[test]
fn a_key_that_was_moved_is_adopted() {
    for (path, expected) in [("/copy", "the file lock"), ("/key", "the volume"), ("/key", "the machine")] {
        let (simulated, mut ledger) = (with_key(), Ledger::default());
        ledger.sign(&mut place(&simulated, "/key").open().unwrap()).unwrap();
        simulated.copy("/key", "/copy");
        match expected {
            "the volume" => simulated.set_volume(8),
            "the machine" => simulated.set_machine(b"another"),
            _ => {}
        }
        let here = place(&simulated, path);
        assert!(matches!(opened(&here).unwrap_err(), Error::Moved { what } if what == expected));
        assert_eq!(ledger.sign(&mut here.adopt(0).unwrap()).unwrap(), 1);
        assert_eq!(ledger.sign(&mut here.open().unwrap()).unwrap(), 2);
        assert!(matches!(
            here.adopt(SIGNATURES + 1).map(drop),
            Err(Error::Key(hashlanes_hbs::Error::Index { .. }))
        ));
        assert!(matches!(
            here.adopt(SIGNATURES).unwrap().try_sign(b"m"),
            Err(Error::Exhausted { end: SIGNATURES })
        ));
        assert!(ledger.reused.is_empty());
    }
}

#[test]
fn files_of_another_key_are_refused() {
    let simulated = with_key();
    let other = other_generation();
    drop(place(&simulated, "/other").create(other).unwrap());
    let before = simulated.disk();
    for file in ["state", "log"] {
        let simulated = Simulated::with(&before);
        simulated.copy(&format!("/other/{file}"), &format!("/key/{file}"));
        let error = opened(&place(&simulated, "/key")).unwrap_err();
        assert!(
            matches!(&error, Error::OtherKey { file: named } if *named == format!("/key/{file}")),
            "{error}"
        );
        assert_eq!(error.class(), Class::Damaged);
        let simulated = Simulated::with(&before);
        opened(&place(&simulated, "/key")).unwrap();
        simulated.copy("/other/key", "/key/key");
        // Sets that are not only for tests have a public.pem, which is compared first.
        let error = opened(&place(&simulated, "/key")).unwrap_err();
        let is_public = matches!(&error, Error::Damaged { file, .. } if file == "/key/public.pem");
        assert!(is_public || matches!(error, Error::OtherKey { .. }), "{error}");
    }
    drop(place(&simulated, "/other").witness("/witness").open().unwrap());
    let error = opened(&place(&with_key_in(&simulated), "/key").witness("/witness")).unwrap_err();
    assert!(matches!(&error, Error::OtherKey { file } if file == "//witness"), "{error}");
}

/// Returns the same file system, with an intact key.
fn with_key_in(simulated: &Simulated) -> Simulated {
    let new = Simulated::with(&simulated.disk());
    new.remove("/key", false);
    drop(place(&new, "/key").create(generation()).unwrap());
    new
}

/// The parts of a split key share only the public key.
#[test]
fn files_of_another_part_are_refused() {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let mut key = place(&simulated, "/key").open().unwrap();
    let part = place(&simulated, "/part");
    assert!(matches!(key.split(SIGNATURES + 1, &part), Err(Error::TooFewLeft { left: SIGNATURES, .. })));
    assert!(matches!(key.split(0, &part), Err(Error::TooFewLeft { asked: 0, .. })));
    ledger.sign(&mut key).unwrap();
    key.split(SIGNATURES - 1, &part).unwrap();
    assert!(matches!(key.split(1, &place(&simulated, "/third")), Err(Error::Exhausted { end: SIGNATURES })));
    assert!(matches!(key.try_sign(b"m"), Err(Error::Exhausted { end: SIGNATURES })));
    let mut child = part.open().unwrap();
    assert_eq!((child.range(), child.next_index(), child.left()), (1..SIGNATURES, 1, SIGNATURES - 1));
    assert_eq!(child.verifying_key(), key.verifying_key());
    ledger.sign_verified(&mut child).unwrap();
    // A part of a part, and of all indices that are left.
    child.split(SIGNATURES - 2, &place(&simulated, "/third")).unwrap();
    ledger.sign_verified(&mut place(&simulated, "/third").open().unwrap()).unwrap();
    assert!(ledger.reused.is_empty());
    drop((child, key));
    simulated.restart(After::Synced);
    for (from, to) in [("/key", "/part"), ("/part", "/key"), ("/third", "/part")] {
        for file in ["state", "log"] {
            let simulated = Simulated::with(&simulated.disk());
            simulated.copy(&format!("{from}/{file}"), &format!("{to}/{file}"));
            assert!(matches!(opened(&place(&simulated, to)).unwrap_err(), Error::OtherKey { .. }));
            assert!(matches!(place(&simulated, to).adopt(0).map(drop), Err(Error::OtherKey { .. })));
        }
    }
}

#[test]
fn reserved_and_split_off_indices_are_disjoint() {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let mut key = place(&simulated, "/key").window(4).open().unwrap();
    ledger.sign(&mut key).unwrap();
    key.split(4, &place(&simulated, "/part")).unwrap();
    let mut part = place(&simulated, "/part").open().unwrap();
    assert_eq!(part.range(), 4..8);
    while ledger.sign(&mut part).is_ok() {}
    while ledger.sign(&mut key).is_ok() {}
    assert_eq!((ledger.reused.len(), ledger.len()), (0, SIGNATURES as usize - 3));
}

/// One witness prevents that the same seeds become a second key.
#[test]
fn a_key_is_not_created_again_under_its_witness() {
    let (simulated, _) = used_with_copy();
    let again = place(&simulated, "/again").witness("/witness").create(generation());
    assert!(matches!(again.map(drop), Err(Error::RolledBack { state: 0, witnessed: 3, .. })));
}
