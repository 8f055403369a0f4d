//! Faults 13, 15 and 20: files that are truncated, changed, of another kind, left over, accessible to others;
//! a damaged cache.

use hashlanes_hbs::Signature;
use hashlanes_hbs::store::{Class, Error, Status};
use hashlanes_sha::hmac_sha256;

use crate::ledger::{Ledger, generation_of_layers, opened, place, with_key};
use crate::simulated::{EROFS, Fault, Simulated};

/// A key that signed three times.
fn used() -> (Simulated, Ledger) {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let mut key = place(&simulated, "/key").open().unwrap();
    ledger.sign_some(&mut key, 3);
    drop(key);
    (simulated, ledger)
}

/// Checks that opening fails with the right message, or continues after the used indices.
fn is_refused_or_continues(simulated: &Simulated, ledger: &Ledger, what: &str) -> Option<Error> {
    let mut ledger = ledger.clone();
    match place(simulated, "/key").open() {
        Ok(mut key) => {
            ledger.sign(&mut key).unwrap();
            assert!(ledger.reused.is_empty(), "{what}");
            None
        }
        Err(error) => Some(error),
    }
}

/// Length of a record of the log.
const LOG_RECORD: usize = 160;

#[test]
fn every_truncation_and_every_changed_byte_is_refused() {
    let (simulated, ledger) = used();
    let disk = simulated.disk();
    let mut cases = 0;
    for file in ["state", "key", "log"] {
        let path = format!("/key/{file}");
        let length = simulated.bytes(&path).unwrap().len();
        for at in 0..length {
            let truncated = Simulated::with(&disk);
            truncated.tamper(&path, |bytes| bytes.truncate(at));
            let what = format!("{file}, {at} bytes");
            match is_refused_or_continues(&truncated, &ledger, &what) {
                Some(error) => assert!(
                    matches!(error.class(), Class::Damaged | Class::Rollback)
                        && error.to_string().contains(file),
                    "{what}: {error}"
                ),
                // Only the last record is missing or torn: the effect of a crash.
                None => assert!(file == "log" && at >= length - LOG_RECORD, "{what}"),
            }
            let changed = Simulated::with(&disk);
            changed.tamper(&path, |bytes| bytes[at] ^= 1 << (at % 8));
            let what = format!("{file}, byte {at} changed");
            match is_refused_or_continues(&changed, &ledger, &what) {
                Some(error) => assert_eq!(error.class(), Class::Damaged, "{what}: {error}"),
                // Signing does not read the older records, which only an audit reads.
                None => assert!(file == "log" && at < length - LOG_RECORD, "{what}"),
            }
            cases += 2;
        }
        let longer = Simulated::with(&disk);
        longer.tamper(&path, |bytes| bytes.push(0));
        let error = is_refused_or_continues(&longer, &ledger, file);
        assert_eq!(error.is_none(), file == "log", "{file}");
    }
    println!("{cases} truncated and changed files: index 0 never again");
}

#[test]
fn texts_name_the_file_and_the_fault() {
    let (simulated, _) = used();
    let disk = simulated.disk();
    let of = |file: &str, change: fn(&mut Vec<u8>)| {
        let simulated = Simulated::with(&disk);
        simulated.tamper(&format!("/key/{file}"), change);
        opened(&place(&simulated, "/key")).unwrap_err().to_string()
    };
    assert_eq!(of("state", Vec::clear), "/key/state: is empty");
    assert_eq!(of("state", |bytes| bytes.truncate(50)), "/key/state: is truncated");
    assert_eq!(of("state", |bytes| bytes[70] ^= 1), "/key/state: was changed: its code is wrong");
    assert_eq!(of("state", |bytes| bytes[0] ^= 1), "/key/state: is another kind of file");
    assert_eq!(of("state", |bytes| bytes[19] = 3), "/key/state: unknown version 3; a newer program wrote it");
    assert_eq!(of("key", |bytes| bytes[100] ^= 1), "/key/key: has another key-id than its key");
    assert_eq!(of("log", |bytes| bytes.truncate(68)), "/key/log: is truncated");
}

#[test]
fn a_damaged_public_key_is_noticed() {
    let (simulated, _) = used();
    let here = place(&simulated, "/key");
    simulated.tamper("/key/public.pem", |bytes| bytes.push(b'x'));
    let text = "/key/public.pem: is not the public key of this key";
    assert_eq!(opened(&here).unwrap_err().to_string(), text);
    assert_eq!(here.status().unwrap_err().to_string(), text);
    simulated.remove("/key/public.pem", false);
    opened(&here).unwrap();
}

#[test]
fn missing_files_are_named_and_replaced_with_a_known_index() {
    for file in ["state", "log", "lock"] {
        let (simulated, mut ledger) = used();
        simulated.remove(&format!("/key/{file}"), false);
        let here = place(&simulated, "/key");
        let error = opened(&here).unwrap_err();
        assert_eq!(error.to_string(), format!("/key/{file}: is missing"));
        assert!(here.adopt(0).is_err(), "{file}");
        let mut key = here.adopt(4).unwrap();
        assert_eq!(ledger.sign_verified(&mut key).unwrap(), 4, "{file}");
        drop(key);
        opened(&here).unwrap();
    }
    let (simulated, _) = used();
    simulated.remove("/key/key", false);
    assert!(matches!(opened(&place(&simulated, "/key")).unwrap_err(), Error::NoKey(_)));
    // Nothing is created in its place.
    assert!(matches!(
        place(&simulated, "/key").create(generation_of_layers()).map(drop),
        Err(Error::Exists(_))
    ));
    simulated.remove("/key", false);
    assert!(matches!(opened(&place(&simulated, "/key")).unwrap_err(), Error::NoKey(_)));
}

#[test]
fn pipes_and_modes_are_refused() {
    for file in ["state", "log", "lock", "key"] {
        let (simulated, _) = used();
        simulated.remove(&format!("/key/{file}"), true);
        let error = opened(&place(&simulated, "/key")).unwrap_err();
        assert_eq!(error.to_string(), format!("/key/{file}: is no regular file"));
        assert_eq!(error.class(), Class::Damaged);
    }
    let (simulated, _) = used();
    simulated.set_mode("/key/key", 0o440);
    let error = opened(&place(&simulated, "/key")).unwrap_err();
    assert_eq!(error.to_string(), "/key/key: others may read it (mode 440 instead of 400)");
    simulated.set_mode("/key/key", 0o400);
    simulated.set_mode("/key/state", 0o620);
    let error = opened(&place(&simulated, "/key")).unwrap_err();
    assert_eq!(error.to_string(), "/key/state: others may write it (mode 620)");
    simulated.set_mode("/key", 0o755);
    let error = opened(&place(&simulated, "/key")).unwrap_err();
    assert_eq!(error.to_string(), "/key: others may use it (mode 755 instead of 700)");
}

#[test]
fn directories_and_witnesses_of_other_users_are_refused() {
    let (simulated, mut ledger) = used();
    let with_witness = || place(&simulated, "/key").witness("/witness");
    drop(with_witness().open().unwrap());
    simulated.set_user(1000);
    let words = "it belongs to another user (uid 0, this is uid 1000); run as its owner, or chown it";
    let error = opened(&place(&simulated, "/key")).unwrap_err();
    assert_eq!(error.to_string(), format!("/key: {words}"));
    assert!(place(&simulated, "/key").status().is_err());
    // The bytes of the witness, in a file that another user created.
    simulated.copy("/witness", "/witness");
    simulated.set_user(0);
    let error = opened(&with_witness()).unwrap_err().to_string();
    assert!(
        error
            .ends_with("it belongs to another user (uid 1000, this is uid 0); run as its owner, or chown it")
    );
    simulated.remove("/witness", false);
    ledger.sign(&mut with_witness().open().unwrap()).unwrap();
}

#[test]
fn leftovers_of_a_crash_are_removed() {
    let (simulated, mut ledger) = used();
    simulated.copy("/key/state", "/key/state.new");
    simulated.tamper("/key/state.new", Vec::clear);
    simulated.copy("/key/key", "/key/unfinished");
    ledger.sign(&mut place(&simulated, "/key").open().unwrap()).unwrap();
    assert_eq!(simulated.names("/key"), ["cache", "key", "lock", "log", "public.pem", "state"]);
    // A leftover that cannot be removed stops the commit, and no index is taken.
    simulated.copy("/key/state", "/key/state.new");
    let mut key = place(&simulated, "/key").open().unwrap();
    simulated.take_trace();
    // After four calls: metadata of lock, state and log, space in the log, its metadata again, and the old
    // state opened and checked.
    simulated.plan(7, Fault::Always(EROFS));
    assert!(matches!(key.try_sign(b"message"), Err(Error::NotCommitted { .. })));
    assert_eq!(simulated.take_trace()[7], "unlink state.new");
    assert_eq!(key.next_index(), 4);
}

/// A key of several layers, two signatures into its second tree, and its next signatures, across the end of
/// the tree.
fn of_layers() -> (Simulated, Vec<Signature>) {
    let (simulated, mut ledger) = (Simulated::new(), Ledger::default());
    let mut key = place(&simulated, "/key").create(generation_of_layers()).unwrap();
    ledger.sign_some(&mut key, 6);
    drop(key);
    let expected = next_ones(&Simulated::with(&simulated.disk()));
    (simulated, expected)
}

fn next_ones(simulated: &Simulated) -> Vec<Signature> {
    let mut key = place(simulated, "/key").open().unwrap();
    (0..4).map(|_| key.try_sign(b"m").unwrap()).collect()
}

#[test]
fn a_damaged_cache_gives_the_same_signatures() {
    let (simulated, expected) = of_layers();
    let disk = simulated.disk();
    let mut cases = 0;
    for file in simulated.names("/key/cache") {
        let path = format!("/key/cache/{file}");
        let length = simulated.bytes(&path).unwrap().len();
        for at in (0..length).step_by(if length > 1000 { 37 } else { 11 }).chain([length - 1]) {
            for change in [
                |bytes: &mut Vec<u8>, at: usize| bytes.truncate(at),
                |bytes: &mut Vec<u8>, at| bytes[at] ^= 4,
            ] {
                let simulated = Simulated::with(&disk);
                simulated.tamper(&path, |bytes| change(bytes, at));
                assert_eq!(next_ones(&simulated), expected, "{file}, {at}");
                cases += 1;
            }
        }
        let simulated = Simulated::with(&disk);
        simulated.remove(&path, cases % 2 == 0);
        assert_eq!(next_ones(&simulated), expected);
    }
    let simulated = Simulated::with(&disk);
    simulated.remove("/key/cache", false);
    assert_eq!(next_ones(&simulated), expected);
    println!("{cases} damaged caches: the same signatures");
}

/// The code of the cache, as `fields.rs` describes it: derived from S_XMSS ‖ SK_PRF.
fn code(bytes: &[u8]) -> [u8; 32] {
    let key = hmac_sha256(&[3; 48], b"hashlanes: codes of kept trees");
    hmac_sha256(&key, bytes)
}

/// A signed root differs when its tree is rebuilt: here the kept root is wrong, changed with knowledge of the
/// secret.
#[test]
fn a_second_root_is_a_fault_and_poisons_the_key() {
    let (simulated, _) = of_layers();
    let (n, head) = (24, 64);
    let certificate = (51 + 2) * n;
    simulated.tamper("/key/cache/tree-0", |bytes| {
        bytes[head] ^= 1;
        let coded = head + n + 4 + certificate;
        let mac = code(&bytes[..coded]);
        bytes[coded..coded + 32].copy_from_slice(&mac);
        // A wrong path makes the key rebuild the tree.
        bytes[coded + 32..].fill(0);
    });
    let here = place(&simulated, "/key");
    let mut key = here.open().unwrap();
    let error = key.try_sign(b"message").unwrap_err();
    assert_eq!(error.class(), Class::Fault);
    let Error::Burned { index: 6, why } = &error else { panic!("{error}") };
    assert!(matches!(**why, Error::Fault { layer: 0, tree: 1, end: 8 }), "{error}");
    assert!(matches!(key.try_sign(b"message"), Err(Error::PoisonedHandle)));
    drop(key);
    assert!(matches!(opened(&here).unwrap_err(), Error::PoisonedKey));
    assert_eq!(here.status().unwrap().status, Status::Poisoned);
    let mut key = here.adopt(8).unwrap();
    let mut ledger = Ledger::default();
    ledger.sign_some(&mut key, 8);
    assert!(ledger.is_released(8) && ledger.is_released(15));
}
