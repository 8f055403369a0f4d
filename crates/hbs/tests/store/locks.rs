//! Faults 9, 10 and 19: several users of the same key.

use std::time::Duration;

use hashlanes_hbs::store::{Class, Error, FileStore, KeyDirectory, KeyGeneration, SigningKey};

use crate::ledger::{Ledger, generation, opened, place, with_key};
use crate::simulated::{After, Simulated};

#[test]
fn a_second_handle_waits_and_is_refused() {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let mut key = place(&simulated, "/key").open().unwrap();
    let second = place(&simulated, "/key").wait(Duration::from_millis(250));
    let error = opened(&second).unwrap_err();
    assert_eq!(error.to_string(), "the key is in use by another process (waited 0.25 s)");
    assert_eq!(error.class(), Class::Locked);
    assert_eq!(simulated.paused(), Duration::from_millis(250));
    assert!(matches!(second.adopt(0).map(drop), Err(Error::Locked { .. })));
    // Reading the status needs no lock.
    ledger.sign(&mut key).unwrap();
    assert_eq!(second.status().unwrap().next, 1);
    drop(key);
    ledger.sign(&mut second.open().unwrap()).unwrap();
    assert!(ledger.reused.is_empty());
}

#[test]
fn a_second_generation_waits_too() {
    let simulated = Simulated::new();
    let mut tried = false;
    let generation = generation().progress(|_| {
        let second = place(&simulated, "/key");
        if !tried {
            tried = true;
            let generation = second.unfinished().unwrap().unwrap();
            assert!(matches!(second.create(generation).map(drop), Err(Error::Locked { .. })));
            assert!(matches!(opened(&second).unwrap_err(), Error::Unfinished(_)));
        }
        std::ops::ControlFlow::Continue(())
    });
    drop(place(&simulated, "/key").create(generation).unwrap());
    assert!(tried);
    let again = place(&simulated, "/key").create(crate::ledger::generation());
    assert!(matches!(again.map(drop), Err(Error::Exists(_))));
}

#[test]
fn a_forked_child_does_not_sign() {
    for window in [1, 8] {
        let (simulated, mut ledger) = (with_key(), Ledger::default());
        let mut key = place(&simulated, "/key").window(window).open().unwrap();
        ledger.sign(&mut key).unwrap();
        simulated.set_process(2);
        let error = key.try_sign(b"of the child").unwrap_err();
        assert!(matches!(error, Error::Forked), "{error}");
        assert_eq!(error.class(), Class::Poisoned);
    }
}

#[test]
fn a_lock_that_was_removed_stops_the_handle() {
    for window in [1, 8] {
        let (simulated, mut ledger) = (with_key(), Ledger::default());
        let mut key = place(&simulated, "/key").window(window).open().unwrap();
        ledger.sign(&mut key).unwrap();
        let disk = simulated.disk();
        simulated.remove("/key/lock", false);
        assert!(matches!(key.try_sign(b"m"), Err(Error::Replaced { file: "lock" })));
        assert!(matches!(key.try_sign(b"m"), Err(Error::PoisonedHandle)));
        // Another file in its place counts as another place.
        simulated.copy("/key/log", "/key/lock");
        assert!(matches!(
            opened(&place(&simulated, "/key")).unwrap_err(),
            Error::Moved { what: "the file lock" }
        ));
        drop(key);
        let simulated = Simulated::with(&disk);
        ledger.sign(&mut place(&simulated, "/key").open().unwrap()).unwrap();
        assert!(ledger.reused.is_empty());
    }
}

/// Another process creates and locks a new file while this one waits for the old file.
#[test]
fn a_lock_that_was_replaced_while_it_was_taken_is_not_taken() {
    let simulated = with_key();
    let first = place(&simulated, "/key").open().unwrap();
    simulated.copy("/key/log", "/key/lock");
    // The new file is free, but the state is bound to the old one.
    assert!(matches!(opened(&place(&simulated, "/key")).unwrap_err(), Error::Moved { .. }));
    drop(first);
    simulated.restart(After::Everything);
    assert!(matches!(opened(&place(&simulated, "/key")).unwrap_err(), Error::Moved { .. }));
}

fn is_send<T: Send>(_: &T) {}

/// On the real file system: eight threads, each of which opens the key repeatedly.
#[test]
fn threads_never_get_the_same_index() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("store-threads");
    let _ = std::fs::remove_dir_all(&path);
    let set = hashlanes_hbs::ParameterSet::of_height(hashlanes_hbs::Scheme::Xmss, 24, 7, 1);
    let here = KeyDirectory::new(&path).wait(Duration::from_secs(100));
    let key: SigningKey<FileStore> = here.create(KeyGeneration::new(set, &[5; 72]).unwrap()).unwrap();
    is_send(&key);
    drop(key);
    let of_thread = || {
        (0..8)
            .map(|_| {
                let signature = here.open().unwrap().try_sign(b"message").unwrap();
                u32::from_be_bytes(*signature.as_ref().first_chunk().unwrap())
            })
            .collect::<Vec<_>>()
    };
    let mut indices: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(of_thread)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    indices.sort_unstable();
    assert_eq!(indices, (0..64).collect::<Vec<_>>());
    std::fs::remove_dir_all(&path).unwrap();
}
