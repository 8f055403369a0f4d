//! Verification without an allocator: the same answers as the other verifier, no allocation, and less than 8
//! KiB of stack.

#[cfg(feature = "lms")]
mod lms;
#[cfg(feature = "slh-dsa")]
mod slh_dsa;
#[cfg(target_os = "linux")]
mod stack;

use hashlanes_hbs::hazmat::KeyGeneration;
use hashlanes_hbs::{Error, HashFamily, ParameterSet, Scheme, VerifyingKey, verify_no_alloc, verify_of_set};
use hashlanes_testkit::vectors::{XmssVector, xmss, xmss_nonconforming};

fn scheme(vector: &XmssVector) -> Scheme {
    if vector.name.starts_with("XMSSMT") { Scheme::XmssMt } else { Scheme::Xmss }
}

/// Returns the answer of both verifiers, which must agree.
#[track_caller]
fn verify(vector: &XmssVector, message: &[u8], signature: &[u8]) -> Result<(), Error> {
    let scheme = scheme(vector);
    let expected =
        VerifyingKey::from_bytes(scheme, &vector.public_key).and_then(|key| key.verify(message, signature));
    assert_eq!(verify_no_alloc(scheme, &vector.public_key, message, signature), expected, "{}", vector.name);
    expected
}

/// Signatures of other implementations, valid ones and ones changed in every part.
#[test]
fn vectors_get_the_other_verifiers_answers() {
    let mut n_valid = 0;
    for vector in xmss().into_iter().chain(xmss_nonconforming()) {
        for of_vector in &vector.signatures {
            let Some(signature) = &of_vector.signature else { continue };
            let message = &of_vector.message;
            n_valid += usize::from(verify(&vector, message, signature).is_ok());
            let _ = verify(&vector, b"another message", signature);
            let _ = verify(&vector, message, &signature[1..]);
            let _ = verify(&vector, message, &[]);
            let last = signature.len() - 1;
            for at in [0, 1, 3, 4, 36, last / 4, last / 2, last] {
                let mut wrong = signature.clone();
                wrong[at] ^= 0x80;
                assert!(verify(&vector, message, &wrong).is_err(), "{}: byte {at}", vector.name);
            }
        }
    }
    assert!(n_valid >= 20, "{n_valid} signatures are valid");
}

/// All supported sets, every index of small ones: leaves on both sides, trees of several layers.
#[test]
fn signatures_of_small_keys_are_valid() {
    for n in [24, 32, 64] {
        for (scheme, height, layers) in [(Scheme::Xmss, 1, 1), (Scheme::Xmss, 4, 1), (Scheme::XmssMt, 6, 3)] {
            let set = ParameterSet::of_height(scheme, n, height, layers);
            let mut key = KeyGeneration::new(set, &vec![7; 3 * usize::from(n)]).unwrap().run().unwrap();
            let public = [key.verifying_key().root(), key.verifying_key().seed()].concat();
            for index in 0..set.signatures() {
                let message = vec![index as u8; 3 * index as usize];
                let signature = key.try_sign(&message).unwrap();
                let what = format!("n = {n}, {scheme:?}, index {index}");
                assert_eq!(verify_of_set(set, &public, &message, signature.as_ref()), Ok(()), "{what}");
                let other = verify_of_set(set, &public, b"another", signature.as_ref());
                assert_eq!(other, Err(Error::Invalid), "{what}");
            }
        }
    }
}

#[test]
fn unreadable_keys_are_named() {
    let length = |given, expected| Err(Error::PublicKeyLength { given, expected });
    assert_eq!(verify_no_alloc(Scheme::Xmss, &[0, 0, 0], b"", b""), length(3, 52));
    assert_eq!(verify_no_alloc(Scheme::Xmss, &[0, 0, 0, 1], b"", b""), length(4, 68));
    let unknown = Err(Error::UnknownOid { scheme: Scheme::XmssMt, oid: 99 });
    assert_eq!(verify_no_alloc(Scheme::XmssMt, &[0, 0, 0, 99, 0], b"", b""), unknown);
    let shake = ParameterSet::all().find(|set| set.hash() == HashFamily::Shake).expect("a set over SHAKE");
    let mut key = vec![0; shake.public_key_bytes()];
    key[..4].copy_from_slice(&shake.oid().expect("a set of the standards").to_be_bytes());
    let answer = verify_no_alloc(shake.scheme(), &key, b"", &vec![0; shake.signature_bytes()]);
    assert_eq!(answer, Err(Error::Shake(shake)));
}

#[test]
#[cfg(target_os = "linux")]
fn less_than_8_kib_are_used() {
    for n in [24, 32, 64] {
        for (scheme, height, layers) in [(Scheme::Xmss, 4, 1), (Scheme::XmssMt, 4, 2)] {
            let set = ParameterSet::of_height(scheme, n, height, layers);
            let mut key = KeyGeneration::new(set, &vec![7; 3 * usize::from(n)]).unwrap().run().unwrap();
            let public = [key.verifying_key().root(), key.verifying_key().seed()].concat();
            let message = vec![1; 1000];
            let signature = key.try_sign(&message).unwrap();
            let n_bytes = stack::used(move || verify_of_set(set, &public, &message, signature.as_ref()));
            assert!((512..8 * 1024).contains(&n_bytes), "n = {n}, {scheme:?}: {n_bytes} bytes of stack");
        }
    }
}
