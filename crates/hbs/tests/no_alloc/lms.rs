//! LMS and HSS: the answers of the other verifier.

use hashlanes_hbs::lms::{KeyGeneration, ParameterSet, VerifyingKey};
use hashlanes_hbs::{Error, verify_lms_no_alloc};
use hashlanes_testkit::vectors;

const SETS: [&str; 8] = [
    "LMS_SHA256_M32_H5_W1",
    "LMS_SHA256_M32_H5_W2",
    "LMS_SHA256_M32_H5_W4",
    "LMS_SHA256_M32_H5_W8",
    "LMS_SHA256_M24_H5_W1",
    "LMS_SHA256_M24_H5_W4",
    "LMS_SHA256_M24_H5_W8",
    "LMS_SHA256_M32_H5_W4/LMS_SHA256_M32_H5_W8",
];

fn signed(set: &str, index: u64, message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let set: ParameterSet = set.parse().unwrap();
    let mut key = KeyGeneration::new(set, &vec![7; set.n() + 16]).unwrap().run().unwrap();
    key.advance_to(index).unwrap();
    let signature = key.try_sign(message).unwrap();
    (key.verifying_key().to_bytes(), signature.as_ref().to_vec())
}

#[test]
fn signatures_get_the_other_verifiers_answers() {
    for set in SETS {
        for index in [0, 1, 31] {
            let (public, signature) = signed(set, index, b"message");
            assert_eq!(verify_lms_no_alloc(&public, b"message", &signature), Ok(()), "{set} {index}");
            assert_eq!(verify_lms_no_alloc(&public, b"messagE", &signature), Err(Error::Invalid), "{set}");
            // LMS alone.
            if !set.contains('/') {
                let answer = verify_lms_no_alloc(&public[4..], b"message", &signature[4..]);
                assert_eq!(answer, Ok(()), "{set} {index}");
            }
            for at in (0..signature.len()).step_by(61).chain(0..16) {
                let mut changed = signature.clone();
                changed[at] ^= 0x10;
                assert!(verify_lms_no_alloc(&public, b"message", &changed).is_err(), "{set}: byte {at}");
                assert!(verify_lms_no_alloc(&public, b"message", &signature[..at]).is_err(), "{set}: {at}");
            }
        }
    }
}

/// The examples of BouncyCastle, by the digests of their signatures, and those of RFC 8554.
#[test]
fn other_keys_are_refused_or_read_alike() {
    for vector in vectors::lms_signatures() {
        let key = VerifyingKey::from_bytes(&vector.public_key);
        let answer = verify_lms_no_alloc(&vector.public_key, b"", b"");
        match (vector.set.contains("SHAKE"), answer) {
            (true, Err(Error::Typecode { .. })) | (false, Err(Error::Invalid)) => assert!(key.is_ok()),
            (_, answer) => panic!("{}: {answer:?}", vector.set),
        }
    }
    assert_eq!(verify_lms_no_alloc(&[], b"", b""), Err(Error::PublicKeyLength { given: 0, expected: 60 }));
    let other = verify_lms_no_alloc(&[9; 56], b"", b"");
    assert_eq!(other, Err(Error::Typecode { lms: 0x0909_0909, lmots: 0x0909_0909 }));
}

#[test]
#[cfg(target_os = "linux")]
fn less_than_8_kib_are_used() {
    for set in SETS {
        let (public, signature) = signed(set, 5, &[1; 1000]);
        let n_bytes = crate::stack::used(move || verify_lms_no_alloc(&public, &[1; 1000], &signature));
        assert!((256..8 * 1024).contains(&n_bytes), "{set}: {n_bytes} bytes of stack");
    }
}
