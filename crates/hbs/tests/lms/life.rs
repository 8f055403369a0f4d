//! Keys that sign, from the first signature to the last.

use std::ops::ControlFlow;

use hashlanes_hbs::Error;
use hashlanes_hbs::lms::{KeyGeneration, Level, ParameterSet, SigningKey, VerifyingKey};

pub(crate) fn set(name: &str) -> ParameterSet {
    name.parse().unwrap()
}

pub(crate) fn generation(name: &str) -> KeyGeneration<'static> {
    let set = set(name);
    let seeds: Vec<u8> = (0..set.n() as u8 + 16).collect();
    KeyGeneration::new(set, &seeds).unwrap()
}

pub(crate) fn key(name: &str) -> SigningKey {
    generation(name).run().unwrap()
}

#[test]
fn each_set_of_the_smallest_height_signs() {
    for level in Level::all().filter(|level| level.height() == 5) {
        let mut key = key(&level.to_string());
        for message in [&b"one"[..], b"", &[7; 1000]] {
            let signature = key.try_sign(message).unwrap();
            assert_eq!(signature.as_ref().len(), key.set().signature_bytes(), "{level}");
            assert_eq!(key.verifying_key().verify(message, signature.as_ref()), Ok(()), "{level}");
            assert_eq!(key.verifying_key().index_of(signature.as_ref()), Ok(key.next_index() - 1));
        }
    }
}

#[test]
fn a_key_of_two_levels_makes_each_signature_once() {
    let name = "LMS_SHA256_M24_H5_W4/LMS_SHA256_M24_H5_W8";
    let mut key = key(name);
    let public = key.verifying_key().clone();
    let mut first_bytes = std::collections::HashSet::new();
    for index in 0..1024_u64 {
        let message = index.to_be_bytes();
        let signature = key.try_sign(&message).unwrap();
        let signature = signature.as_ref();
        assert_eq!(public.verify(&message, signature), Ok(()), "{index}");
        assert_eq!(public.index_of(signature), Ok(index));
        // The q, C and y of the lowest tree.
        assert!(first_bytes.insert(signature[signature.len() - 24 * (26 + 1 + 5)..].to_vec()));
    }
    assert_eq!(key.try_sign(b"one more"), Err(Error::Exhausted));
    assert_eq!(key.next_index(), 1024);
}

#[test]
fn the_same_signature_at_an_index_however_it_is_reached() {
    let name = ["LMS_SHAKE_M24_H5_W8"; 3].join("/");
    let mut walked = key(&name);
    for index in [0, 1, 31, 32, 33, 1023, 1024, 1056, 32767] {
        walked.advance_to(index).unwrap();
        let mut new = key(&name);
        new.advance_to(index).unwrap();
        let signature = walked.try_sign(b"message").unwrap();
        assert_eq!(new.try_sign(b"message").unwrap(), signature, "{index}");
        assert_eq!(new.verifying_key().verify(b"message", signature.as_ref()), Ok(()), "{index}");
    }
    assert_eq!(walked.try_sign(b"message"), Err(Error::Exhausted));
    assert_eq!(walked.advance_to(5), Err(Error::IndexUsed { index: 5, next: 32768 }));
    assert_eq!(walked.advance_to(32769), Err(Error::Index { index: 32769, signatures: 32768 }));
}

#[test]
fn a_key_of_lms_alone_is_read_and_verifies() {
    let mut key = key("LMS_SHA256_M32_H5_W8");
    let signature = key.try_sign(b"message").unwrap();
    let public = VerifyingKey::from_bytes(&key.verifying_key().to_bytes()[4..]).unwrap();
    assert!(!public.is_hss());
    assert_eq!(public.verify(b"message", &signature.as_ref()[4..]), Ok(()));
    assert!(public.verify(b"message", signature.as_ref()).is_err());
    assert_eq!(
        public.to_spki_der().unwrap_err().to_string(),
        "SubjectPublicKeyInfo: a key of LMS alone has none; expected a key of HSS"
    );
}

#[test]
fn an_interrupted_generation_continues() {
    let name = "LMS_SHA256_M32_H15_W1";
    let path = std::env::temp_dir().join(format!("hashlanes-lms-leaves-{}", std::process::id()));
    let mut seen = Vec::new();
    let stopped = generation(name).nodes_file(&path).progress(|progress| {
        seen.push(progress.done);
        if progress.done >= 8192 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(stopped.run().unwrap_err(), Error::Stopped);
    assert_eq!(seen, [0, 4096, 8192]);
    let other = KeyGeneration::new(set(name), &[9; 48]).unwrap().nodes_file(&path);
    assert_eq!(other.run().unwrap_err(), Error::OtherNodes);
    let mut first = None;
    let went_on = generation(name).nodes_file(&path).progress(|progress| {
        first.get_or_insert(progress.done);
        ControlFlow::Continue(())
    });
    let went_on = went_on.run().unwrap();
    assert_eq!(first, Some(8192));
    assert_eq!(went_on.verifying_key(), key(name).verifying_key());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn wrong_seeds_and_keys_are_refused_with_the_reason() {
    let set = set("LMS_SHA256_M24_H5_W8");
    let error = KeyGeneration::new(set, &[0; 48]).unwrap_err();
    assert_eq!(error, Error::SeedsLength { given: 48, expected: 40 });
    let whole = key("LMS_SHA256_M24_H5_W8").verifying_key().to_bytes();
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        VerifyingKey::from_bytes(&bytes).unwrap_err().to_string()
    };
    assert_eq!(changed(3, 0), "public key: a number of levels that is not 1 to 8");
    assert_eq!(changed(3, 9), "public key: a number of levels that is not 1 to 8");
    assert!(
        changed(7, 0x0f).starts_with("unknown pair of typecodes: LMS 0xf with LM-OTS 0x8"),
        "{}",
        changed(7, 0x0f)
    );
    for n in [0, 3, 10, 47, 51, 53] {
        let bytes: Vec<u8> = whole.iter().copied().chain([0]).take(n).collect();
        assert!(matches!(VerifyingKey::from_bytes(&bytes), Err(Error::PublicKeyLength { .. })), "{n} bytes");
    }
}
