//! SLH-DSA: the answers of the other verifier.

use hashlanes_hbs::slh_dsa::{Message, Randomness, SigningKey};
use hashlanes_hbs::slh_dsa_sets::{Sha2_128f, Sha2_128s, Sha2_192f, Sha2_192s, Sha2_256f, Sha2_256s};
use hashlanes_hbs::{Error, SlhDsaSet, verify_slh_dsa_no_alloc};

fn signed(name: &str, message: &[u8], context: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let set: hashlanes_hbs::slh_dsa::ParameterSet = name.parse().unwrap();
    let key = SigningKey::from_seeds(set, &vec![7; 3 * set.n()]).unwrap();
    let message = Message::new(message).with_context(context).unwrap();
    let signature = key.sign(&message, Randomness::Deterministic).unwrap();
    (key.verifying_key().as_bytes().to_vec(), signature.as_ref().to_vec())
}

fn check<S: SlhDsaSet>(name: &str) {
    for (message, context) in [(&b""[..], &b""[..]), (b"message", b""), (&[1; 1000], b"context")] {
        let (public, signature) = signed(name, message, context);
        let verify = |context, message, signature: &[u8]| {
            verify_slh_dsa_no_alloc::<S>(&public, context, message, signature)
        };
        assert_eq!(verify(context, message, &signature), Ok(()), "{name}");
        assert_eq!(verify(b"other", message, &signature), Err(Error::Invalid), "{name}");
        assert_eq!(verify(context, b"other", &signature), Err(Error::Invalid), "{name}");
        for at in (0..signature.len()).step_by(signature.len() / 97) {
            let mut changed = signature.clone();
            changed[at] ^= 4;
            assert_eq!(verify(context, message, &changed), Err(Error::Invalid), "{name}: byte {at}");
        }
        let (given, expected) = (signature.len() - 1, signature.len());
        let short = verify(context, message, &signature[1..]);
        assert_eq!(short, Err(Error::SignatureLength { given, expected }), "{name}");
        assert_eq!(verify(&[0; 256], message, &signature), Err(Error::Invalid), "{name}");
        let other_key = verify_slh_dsa_no_alloc::<S>(&public[1..], context, message, &signature);
        assert!(matches!(other_key, Err(Error::PublicKeyLength { .. })), "{name}");
    }
}

#[test]
fn signatures_get_the_other_verifiers_answers() {
    check::<Sha2_128s>("SLH-DSA-SHA2-128s");
    check::<Sha2_128f>("SLH-DSA-SHA2-128f");
    check::<Sha2_192s>("SLH-DSA-SHA2-192s");
    check::<Sha2_192f>("SLH-DSA-SHA2-192f");
    check::<Sha2_256s>("SLH-DSA-SHA2-256s");
    check::<Sha2_256f>("SLH-DSA-SHA2-256f");
}

#[test]
#[cfg(target_os = "linux")]
fn less_than_8_kib_are_used() {
    fn used<S: SlhDsaSet>(name: &str) {
        let (public, signature) = signed(name, &[1; 1000], b"");
        let n_bytes =
            crate::stack::used(move || verify_slh_dsa_no_alloc::<S>(&public, b"", &[1; 1000], &signature));
        assert!((256..8 * 1024).contains(&n_bytes), "{name}: {n_bytes} bytes of stack");
    }
    used::<Sha2_128f>("SLH-DSA-SHA2-128f");
    used::<Sha2_256f>("SLH-DSA-SHA2-256f");
}
