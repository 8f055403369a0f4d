//! The parts of the store that depend on the scheme: the files of a key, its levels, and damaged ones.

use hashlanes_hbs::lms::{KeyGeneration, ParameterSet, VerifyingKey};
use hashlanes_hbs::store::{Class, Error, Generation, KeySet, Standing};

use crate::ledger::{Ledger, generation_of_layers, opened, place, with_key};
use crate::simulated::Simulated;

#[test]
fn a_key_of_three_levels_is_kept_signs_and_is_split() {
    let set: ParameterSet = ["LMS_SHAKE_M24_H5_W8"; 3].join("/").parse().unwrap();
    let simulated = Simulated::new();
    let here = place(&simulated, "/key");
    let mut ledger = Ledger::default();
    let mut key = here.create(KeyGeneration::new(set, &[7; 40]).unwrap()).unwrap();
    assert_eq!((key.set(), key.left()), (KeySet::Lms(set), 32768));
    ledger.sign_some(&mut key, 2);
    drop(key);
    // Crosses the ends of trees of two levels.
    let mut key = here.open().unwrap();
    key.advance_to(1022).unwrap();
    ledger.sign_some(&mut key, 4);
    let signature = key.try_sign(b"message").unwrap();
    assert_eq!(here.index_of(signature.as_ref()).unwrap(), 1026);
    key.split(100, &place(&simulated, "/part")).unwrap();
    ledger.sign_some(&mut key, 1);
    let mut part = place(&simulated, "/part").open().unwrap();
    assert_eq!(part.range(), 1027..1127);
    ledger.sign_some(&mut part, 3);
    assert!(ledger.reused.is_empty() && ledger.is_released(1127));
    assert!(matches!(key.set_kernel("avx2-x8"), Err(Error::Key(hashlanes_hbs::Error::Kernel(_)))));
    let status = here.status().unwrap();
    assert_eq!((status.set, status.standing), (KeySet::Lms(set), Standing::Sound));
    let pem = String::from_utf8(simulated.bytes("/key/public.pem").unwrap()).unwrap();
    assert_eq!(VerifyingKey::from_spki_pem(&pem).unwrap().to_bytes(), key.verifying_key().to_bytes());
    assert_eq!(simulated.names("/key/cache"), ["next-0", "next-1", "tree-0", "tree-1", "tree-2"]);
}

#[test]
fn a_lost_or_damaged_cache_gives_the_same_signatures() {
    let simulated = Simulated::new();
    let mut key = place(&simulated, "/key").create(generation_of_layers()).unwrap();
    key.advance_to(40).unwrap();
    drop(key);
    let disk = simulated.disk();
    let signature_of = |simulated: &Simulated| {
        let mut key = place(simulated, "/key").open().unwrap();
        key.try_sign(b"message").unwrap()
    };
    let expected = signature_of(&Simulated::with(&disk));
    let without = Simulated::with(&disk);
    without.remove("/key/cache", false);
    assert_eq!(signature_of(&without), expected);
    for file in ["tree-0", "tree-1", "next-0"] {
        let path = format!("/key/cache/{file}");
        if simulated.names("/key/cache").iter().all(|name| name != file) {
            continue;
        }
        let length = simulated.bytes(&path).unwrap().len();
        for at in (0..length).step_by(29) {
            let damaged = Simulated::with(&disk);
            damaged.tamper(&path, |bytes| bytes[at] ^= 1);
            assert_eq!(signature_of(&damaged), expected, "{file}, {at}");
        }
    }
}

#[test]
fn each_changed_byte_of_the_key_and_the_state_is_refused() {
    let simulated = with_key();
    let disk = simulated.disk();
    for file in ["key", "state"] {
        let path = format!("/key/{file}");
        for at in 0..simulated.bytes(&path).unwrap().len() {
            let damaged = Simulated::with(&disk);
            damaged.tamper(&path, |bytes| bytes[at] ^= 1);
            let error = opened(&place(&damaged, "/key")).unwrap_err();
            assert_eq!(error.class(), Class::Damaged, "{file}, {at}: {error}");
        }
        let cut = Simulated::with(&disk);
        cut.tamper(&path, |bytes| bytes.truncate(bytes.len() - 1));
        assert_eq!(opened(&place(&cut, "/key")).unwrap_err().class(), Class::Damaged);
    }
}

#[test]
fn an_unfinished_key_of_the_same_set_continues() {
    let simulated = Simulated::new();
    let stopped = crate::ledger::generation().progress(|_| std::ops::ControlFlow::Break(()));
    let here = place(&simulated, "/key");
    assert!(matches!(here.create(stopped).map(drop), Err(Error::Key(hashlanes_hbs::Error::Stopped))));
    assert!(matches!(here.unfinished().unwrap(), Some(Generation::Lms(_))));
    assert!(matches!(here.create(crate::ledger::other_generation()).map(drop), Err(Error::Exists(_))));
    let key = here.resume(|generation| generation).unwrap().unwrap();
    assert_eq!(key.verifying_key(), with_key_of(&Simulated::new()).verifying_key());
}

fn with_key_of(simulated: &Simulated) -> crate::ledger::Key {
    place(simulated, "/key").create(crate::ledger::generation()).unwrap()
}
