//! Keys that are encrypted under a passphrase: refused without it, never in clear on the disk, and not lost
//! when their passphrase changes.

use hashlanes_hbs::passphrase::{self, Cost, Passphrase};
use hashlanes_hbs::store::{Class, Error};

use crate::ledger::{Key, Ledger, generation, opened, place, with_key};
use crate::simulated::{After, EIO, ENOSPC, Fault, Simulated};

/// A passphrase that takes no time.
fn passphrase(text: &str) -> Passphrase {
    Passphrase::new(text).unwrap().cost(Cost::new(8, 1, 1).unwrap())
}

/// Creates an encrypted key in `/key`, and signs with it.
fn create(simulated: &Simulated, ledger: &mut Ledger) -> Result<(), Error> {
    let here = place(simulated, "/key").witness("/witness").passphrase(passphrase("one"));
    ledger.sign(&mut here.create(generation())?).map(drop)
}

fn with_encrypted_key() -> (Simulated, Ledger) {
    let (simulated, mut ledger) = (Simulated::new(), Ledger::default());
    create(&simulated, &mut ledger).unwrap();
    (simulated, ledger)
}

/// Returns whether a file in one of these directories contains the secret seed of the keys of the tests.
fn is_in_clear(simulated: &Simulated, directories: &[&str]) -> bool {
    let exists = |directory: &&&str| simulated.names("/").iter().any(|name| *name == directory[1..]);
    directories.iter().filter(exists).any(|directory| {
        simulated.names(directory).iter().any(|name| {
            let bytes = simulated.bytes(&format!("{directory}/{name}")).unwrap_or_default();
            bytes.windows(24).any(|window| *window == [3; 24])
        })
    })
}

#[test]
fn an_encrypted_key_needs_its_passphrase() {
    let (simulated, mut ledger) = with_encrypted_key();
    let plain = place(&simulated, "/key").witness("/witness");
    assert!(plain.is_encrypted().unwrap());
    let refused = |error: Error, words: &str| {
        assert_eq!(error.class(), Class::WrongUse, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    refused(opened(&plain).unwrap_err(), "/key/key: the key is encrypted; its passphrase is needed");
    refused(plain.status().unwrap_err(), "is encrypted");
    refused(plain.verifying_key().unwrap_err(), "is encrypted");
    refused(plain.adopt(0).map(drop).unwrap_err(), "is encrypted");
    let wrong = plain.clone().passphrase(passphrase("two"));
    refused(opened(&wrong).unwrap_err(), "/key/key: the passphrase is wrong");
    let right = plain.passphrase(passphrase("one"));
    let mut key = right.open().unwrap();
    ledger.sign_some(&mut key, 2);
    drop(key);
    assert_eq!(right.status().unwrap().next, 3);
    assert!(ledger.reused.is_empty());
    assert!(!is_in_clear(&simulated, &["/key"]));

    // A passphrase for a key that has none is a mistake.
    let simulated = with_key();
    assert!(is_in_clear(&simulated, &["/key"]));
    let here = place(&simulated, "/key").passphrase(passphrase("one"));
    assert!(!here.is_encrypted().unwrap());
    refused(opened(&here).unwrap_err(), "is not encrypted, but a passphrase is given");
}

#[test]
fn a_part_of_an_encrypted_key_is_encrypted() {
    let (simulated, mut ledger) = with_encrypted_key();
    let here = place(&simulated, "/key").witness("/witness").passphrase(passphrase("one"));
    let mut key = here.open().unwrap();
    key.split(3, &place(&simulated, "/part")).unwrap();
    key.split(3, &place(&simulated, "/other").passphrase(passphrase("two"))).unwrap();
    ledger.sign_some(&mut key, 1);
    for (path, text) in [("/part", "one"), ("/other", "two")] {
        let part = place(&simulated, path);
        assert!(matches!(opened(&part), Err(Error::Encrypted { .. })));
        ledger.sign_some(&mut part.passphrase(passphrase(text)).open().unwrap(), 3);
    }
    assert!(ledger.reused.is_empty());
    assert!(!is_in_clear(&simulated, &["/key", "/part", "/other"]));
}

/// A fault at any call of the creation: the secret is never in clear, and the key signs afterwards.
#[test]
fn no_secret_is_in_clear_after_a_fault_at_any_call_of_a_generation() {
    for fault in [Fault::Kill, Fault::Once(EIO), Fault::Always(ENOSPC)] {
        for at in 0.. {
            let (simulated, mut ledger) = (Simulated::new(), Ledger::default());
            simulated.plan(at, fault);
            let result = create(&simulated, &mut ledger);
            assert!(!is_in_clear(&simulated, &["/key"]), "{fault:?} {at}");
            if !simulated.has_failed() {
                result.unwrap();
                break;
            }
            simulated.restart(After::Synced);
            let here = place(&simulated, "/key").witness("/witness").passphrase(passphrase("one"));
            let mut key = match here.open() {
                Err(Error::Unfinished(_)) => here.resume(|generation| generation).unwrap().unwrap(),
                Err(Error::NoKey(_)) => here.create(generation()).unwrap(),
                result => result.unwrap(),
            };
            ledger.sign(&mut key).unwrap();
            assert!(ledger.reused.is_empty(), "{fault:?} {at}");
            assert!(!is_in_clear(&simulated, &["/key"]), "{fault:?} {at}");
        }
    }
}

/// Opens the key with one of the passphrases, or without.
fn opened_by_any(simulated: &Simulated, texts: &[Option<&str>]) -> Option<Key> {
    texts.iter().find_map(|text| {
        let here = place(simulated, "/key").witness("/witness");
        let here = match text {
            Some(text) => here.passphrase(passphrase(text)),
            None => here,
        };
        match here.open() {
            Err(Error::Encrypted { .. } | Error::NotEncrypted { .. } | Error::Passphrase { .. }) => None,
            result => Some(result.unwrap()),
        }
    })
}

#[test]
fn no_key_is_lost_after_a_fault_at_any_call_of_a_change_of_the_passphrase() {
    let (encrypted, signed) = with_encrypted_key();
    let disk = encrypted.disk();
    for fault in [Fault::Kill, Fault::Once(EIO), Fault::Always(ENOSPC), Fault::Short] {
        for after in [After::Everything, After::Synced, After::SyncedBytes, After::SyncedNames] {
            for new in [Some("two"), None] {
                for at in 0.. {
                    let (simulated, mut ledger) = (Simulated::with(&disk), signed.clone());
                    simulated.plan(at, fault);
                    let here = place(&simulated, "/key").witness("/witness").passphrase(passphrase("one"));
                    let changed = here.change_passphrase(new.map(passphrase).as_ref());
                    let (has_failed, what) = (simulated.has_failed(), (fault, after, new, at));
                    simulated.restart(after);
                    let texts = if changed.is_ok() { vec![new] } else { vec![Some("one"), new] };
                    let mut key = opened_by_any(&simulated, &texts).unwrap_or_else(|| panic!("{what:?}"));
                    assert_eq!(ledger.sign(&mut key).unwrap(), 1, "{what:?}");
                    assert!(ledger.reused.is_empty(), "{what:?}");
                    if !has_failed {
                        changed.unwrap();
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn a_passphrase_is_not_changed_while_the_key_is_open() {
    let (simulated, mut ledger) = with_encrypted_key();
    let here = place(&simulated, "/key").witness("/witness").passphrase(passphrase("one"));
    let mut key = here.open().unwrap();
    let error = here.change_passphrase(Some(&passphrase("two"))).unwrap_err();
    assert_eq!(error.class(), Class::Locked, "{error}");
    ledger.sign_some(&mut key, 1);
    drop(key);
    here.change_passphrase(Some(&passphrase("two"))).unwrap();
    let error = here.change_passphrase(None).unwrap_err();
    let is_wrong = matches!(error, Error::Passphrase { why: passphrase::Error::WrongPassphrase, .. });
    assert!(is_wrong, "{error}");
}

/// Every truncated and every changed byte of the file is refused.
#[test]
fn a_damaged_encrypted_key_is_refused() {
    let (simulated, _) = with_encrypted_key();
    let here = place(&simulated, "/key").witness("/witness").passphrase(passphrase("one"));
    let whole = simulated.bytes("/key/key").unwrap();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= if (20..32).contains(&at) { 0x80 } else { 1 };
        simulated.tamper("/key/key", |bytes| *bytes = changed);
        let error = opened(&here).unwrap_err();
        assert!(matches!(error.class(), Class::WrongUse | Class::Damaged), "{at}: {error}");
        simulated.tamper("/key/key", |bytes| *bytes = whole[..at].to_vec());
        opened(&here).unwrap_err();
    }
    simulated.tamper("/key/key", |bytes| *bytes = whole);
    here.open().unwrap();
}
