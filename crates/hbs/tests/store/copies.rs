//! Faults 22 and 23 on simulated file systems: older files restored in every way, on file systems that keep
//! more or fewer facts of their files; and keys that stayed in place while their device number changed.

use hashlanes_hbs::store::{Class, Error};

use crate::ledger::{Ledger, generation, opened, place};
use crate::simulated::{Keeps, Simulated};

const FILE_SYSTEMS: [Keeps; 4] = [Keeps::ALL, Keeps::SECONDS, Keeps::CHANGES, Keeps::BOTH];

/// A way to restore `state` and `log` of `/saved` to `/key`.
struct Way {
    name: &'static str,
    save: fn(&Simulated),
    restore: fn(&Simulated),
}

fn save_copy(simulated: &Simulated) {
    simulated.copy("/key", "/saved");
}

fn overwrite(simulated: &Simulated, file: &str) {
    let bytes = simulated.bytes(&format!("/saved/{file}")).unwrap();
    simulated.tamper(&format!("/key/{file}"), |there| *there = bytes);
}

const WAYS: [Way; 6] = [
    Way {
        name: "cp: into the same files",
        save: save_copy,
        restore: |simulated| ["state", "log"].iter().for_each(|file| overwrite(simulated, file)),
    },
    Way {
        name: "tar: new files",
        save: save_copy,
        restore: |simulated| {
            ["state", "log"].iter().for_each(|file| simulated.remove(&format!("/key/{file}"), false));
            ["state", "log"]
                .iter()
                .for_each(|file| simulated.copy(&format!("/saved/{file}"), &format!("/key/{file}")));
        },
    },
    Way {
        name: "rsync: new files, renamed into place",
        save: save_copy,
        restore: |simulated| {
            for file in ["log", "state"] {
                simulated.copy(&format!("/saved/{file}"), "/key/.temporary");
                simulated.move_to("/key/.temporary", &format!("/key/{file}"));
            }
        },
    },
    Way {
        name: "mv: the saved copies themselves",
        save: save_copy,
        restore: |simulated| {
            ["state", "log"]
                .iter()
                .for_each(|file| simulated.move_to(&format!("/saved/{file}"), &format!("/key/{file}")));
        },
    },
    Way {
        name: "rm -r, cp -a: the whole directory",
        save: save_copy,
        restore: |simulated| {
            simulated.remove("/key", false);
            simulated.copy("/saved", "/key");
        },
    },
    Way {
        name: "cp: all files into the same ones",
        save: save_copy,
        restore: |simulated| {
            ["state", "log", "lock", "key"].iter().for_each(|file| overwrite(simulated, file));
        },
    },
];

#[test]
fn a_restored_copy_is_refused_on_every_file_system() {
    let mut cases = 0;
    for keeps in FILE_SYSTEMS {
        for way in &WAYS {
            for commits in 1..=4 {
                let (simulated, mut ledger) = (Simulated::keeping(keeps), Ledger::default());
                drop(place(&simulated, "/key").create(generation()).unwrap());
                ledger.sign(&mut place(&simulated, "/key").open().unwrap()).unwrap();
                (way.save)(&simulated);
                for _ in 0..commits {
                    ledger.sign(&mut place(&simulated, "/key").open().unwrap()).unwrap();
                }
                (way.restore)(&simulated);
                let what = format!("{keeps:?}, {}, {commits} commits", way.name);
                let error = opened(&place(&simulated, "/key")).expect_err(&what);
                assert_eq!(error.class(), Class::Rollback, "{what}: {error}");
                assert!(place(&simulated, "/key").status().is_ok(), "{what}");
                cases += 1;
            }
        }
    }
    println!("{cases} copies put back, all refused");
}

/// A process that commits faster than the file system's clock ticks.
#[test]
fn commits_within_one_tick_of_the_clock_are_distinguished() {
    for keeps in [Keeps { tick: 4_000_000, ..Keeps::ALL }, Keeps::SECONDS] {
        let (simulated, mut ledger) = (Simulated::keeping(keeps), Ledger::default());
        let mut key = place(&simulated, "/key").create(generation()).unwrap();
        ledger.sign(&mut key).unwrap();
        simulated.copy("/key", "/saved");
        ledger.sign_some(&mut key, 2);
        drop(key);
        ["state", "log"].iter().for_each(|file| overwrite(&simulated, file));
        assert!(matches!(opened(&place(&simulated, "/key")), Err(Error::Moved { .. })), "{keeps:?}");
    }
}

/// The original file, kept alive under another name: it has the number and the birth time that are written in
/// it.
#[test]
fn a_file_with_a_second_name_is_refused() {
    for keeps in FILE_SYSTEMS {
        for file in ["state", "log", "lock", "key"] {
            let simulated = Simulated::keeping(keeps);
            drop(place(&simulated, "/key").create(generation()).unwrap());
            simulated.link(&format!("/key/{file}"), "/second");
            let error = opened(&place(&simulated, "/key")).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("/key/{file}: it has 2 names (hard links); remove the others")
            );
            assert_eq!(error.class(), Class::Damaged);
        }
    }
}

/// The second name is given between any two calls of a commit: after the last check the file would survive
/// alone, with its number and its birth time.
#[test]
fn a_second_name_given_during_a_commit_is_of_no_use() {
    for keeps in FILE_SYSTEMS {
        let (mut refused, mut survived) = (0, 0);
        for call in 0.. {
            let (simulated, mut ledger) = (Simulated::keeping(keeps), Ledger::default());
            let mut key = place(&simulated, "/key").create(generation()).unwrap();
            ledger.sign(&mut key).unwrap();
            simulated.copy("/key", "/saved");
            simulated.link_at(call, "/key/state", "/second");
            let signed = ledger.sign(&mut key);
            if simulated.calls() <= call {
                break;
            }
            drop(key);
            if signed.is_err() {
                refused += 1;
                continue;
            }
            // The old file under its name again, and the log with its old content.
            simulated.move_to("/second", "/key/state");
            overwrite(&simulated, "log");
            // A name given after the new file had its own refers to the new file.
            match place(&simulated, "/key").open() {
                Ok(mut key) => drop(ledger.sign(&mut key)),
                Err(_) => survived += 1,
            }
            assert!(ledger.reused.is_empty(), "{keeps:?}: linked before call {call}");
        }
        assert!(refused > 0 && survived > 0, "{keeps:?}: {refused} commits refused, {survived} not");
    }
}

/// The same attack while a key is open.
#[test]
fn a_file_that_is_linked_or_moved_stops_an_open_key() {
    type Change = fn(&Simulated, &str);
    let changes: [Change; 2] = [
        |simulated, file| simulated.link(file, "/second"),
        |simulated, file| {
            simulated.move_to(file, "/second");
            simulated.copy("/second", file);
        },
    ];
    for keeps in FILE_SYSTEMS {
        for file in ["state", "log"] {
            for change in changes {
                let simulated = Simulated::keeping(keeps);
                let mut key = place(&simulated, "/key").create(generation()).unwrap();
                change(&simulated, &format!("/key/{file}"));
                let error = key.try_sign(b"message").unwrap_err();
                let Error::NotCommitted { why, .. } = &error else { panic!("{error}") };
                assert!(matches!(**why, Error::Replaced { file: named } if named == file), "{error}");
                assert!(matches!(key.try_sign(b"message"), Err(Error::PoisonedHandle)));
            }
        }
    }
}

#[test]
fn an_honest_key_signs_with_another_device_number() {
    for keeps in FILE_SYSTEMS {
        let (simulated, mut ledger) = (Simulated::keeping(keeps), Ledger::default());
        drop(place(&simulated, "/key").create(generation()).unwrap());
        for device in 8..12 {
            simulated.set_device(device);
            ledger.sign_verified(&mut place(&simulated, "/key").open().unwrap()).unwrap();
        }
        assert!(ledger.reused.is_empty());
    }
}

/// A snapshot has the same files; its volume differs.
#[test]
fn a_snapshot_of_the_volume_is_refused() {
    let simulated = Simulated::new();
    drop(place(&simulated, "/key").create(generation()).unwrap());
    simulated.set_volume(2);
    let error = opened(&place(&simulated, "/key")).unwrap_err();
    assert!(matches!(error, Error::Moved { what: "the volume" }), "{error}");
}

/// On a file system that does not distinguish copies, a key needs a witness from the first command on.
#[test]
fn a_file_system_that_keeps_nothing_needs_a_witness() {
    let (simulated, mut ledger) = (Simulated::keeping(Keeps::NOTHING), Ledger::default());
    let here = place(&simulated, "/key");
    let error = here.create(generation()).map(drop).unwrap_err();
    assert!(matches!(error, Error::NoEvidence(_)), "{error}");
    assert_eq!(error.class(), Class::WrongUse);
    let witnessed = here.clone().witness("/witness");
    ledger.sign(&mut witnessed.create(generation()).unwrap()).unwrap();
    assert!(matches!(opened(&here), Err(Error::NoEvidence(_))));
    assert!(matches!(opened(&here.clone().witness("/another")), Err(Error::NoEvidence(_))));
    // Also after a copy to a better file system: none of its facts shows which copy is the key.
    simulated.copy("/key", "/copy");
    simulated.set_keeps(Keeps::ALL);
    assert!(matches!(opened(&place(&simulated, "/copy")), Err(Error::NoEvidence(_))));
    simulated.set_keeps(Keeps::NOTHING);
    for commits in 1..=4 {
        simulated.copy("/key", "/saved");
        for _ in 0..commits {
            ledger.sign(&mut witnessed.open().unwrap()).unwrap();
        }
        let newest = ["state", "log"].map(|file| simulated.bytes(&format!("/key/{file}")).unwrap());
        ["state", "log"].iter().for_each(|file| overwrite(&simulated, file));
        assert!(matches!(opened(&witnessed), Err(Error::RolledBack { .. })));
        for (file, bytes) in ["state", "log"].iter().zip(newest) {
            simulated.tamper(&format!("/key/{file}"), |there| *there = bytes);
        }
    }
    assert!(ledger.reused.is_empty());
}
