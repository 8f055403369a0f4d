//! Changed signatures, messages and keys are refused; many verified in lanes give the same results as one by
//! one.

use hashlanes_hbs::Error;
use hashlanes_hbs::lms::VerifyingKey;

use crate::life::key;

const SETS: [&str; 6] = [
    "LMS_SHA256_M32_H5_W8/LMS_SHA256_M32_H5_W4",
    "LMS_SHA256_M24_H5_W2",
    "LMS_SHA256_M32_H5_W1",
    "LMS_SHAKE_M32_H5_W8",
    "LMS_SHAKE_M24_H5_W4/LMS_SHAKE_M24_H5_W8/LMS_SHAKE_M24_H5_W8",
    "LMS_SHA256_M24_H5_W8",
];

#[test]
fn each_changed_byte_of_a_signature_is_refused() {
    for name in SETS {
        let mut key = key(name);
        key.advance_to(21).unwrap();
        let public = key.verifying_key().clone();
        let signature = key.try_sign(b"a message").unwrap();
        let signature = signature.as_ref();
        let changed: Vec<Vec<u8>> = (0..signature.len())
            .map(|at| {
                let mut changed = signature.to_vec();
                changed[at] ^= 1 << (at % 8);
                changed
            })
            .collect();
        let mut claims: Vec<(&[u8], &[u8])> =
            changed.iter().map(|signature| (&b"a message"[..], &signature[..])).collect();
        claims.insert(changed.len() / 2, (b"a message", signature));
        claims.push((b"a message", signature));
        let results = public.verify_many(&claims);
        let valid: Vec<usize> = (0..results.len()).filter(|i| results[*i].is_ok()).collect();
        assert_eq!(valid, [changed.len() / 2, changed.len() + 1], "{name}");
    }
}

#[test]
fn other_lengths_messages_and_keys_are_refused() {
    for name in SETS {
        let mut key = key(name);
        let public = key.verifying_key().clone();
        let signature = key.try_sign(b"a message").unwrap();
        let signature = signature.as_ref();
        for n in (0..signature.len()).step_by(7) {
            let error = public.verify(b"a message", &signature[..n]).unwrap_err();
            assert!(
                matches!(error, Error::SignatureLength { given, expected } if given == n && expected > n),
                "{name}: {error}"
            );
        }
        let longer = [signature, &[0]].concat();
        let expected = signature.len();
        let error = Error::SignatureLength { given: expected + 1, expected };
        assert_eq!(public.verify(b"a message", &longer), Err(error));
        for message in [&b""[..], b"a messagf", b"a message\0"] {
            assert_eq!(public.verify(message, signature), Err(Error::Invalid), "{name}");
        }
        let bytes = public.to_bytes();
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            let Ok(other) = VerifyingKey::from_bytes(&bytes) else { continue };
            assert!(other.verify(b"a message", signature).is_err(), "{name}: byte {at}");
        }
    }
}
