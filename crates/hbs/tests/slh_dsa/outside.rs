//! NIST's vectors, and other implementations' keys and signatures.

use hashlanes_hbs::slh_dsa::{
    Digest, Error, Family, Message, ParameterSet, PreHash, Randomness, SigningKey, VerifyingKey,
};
use hashlanes_sha::{sha3_256, sha256};
use hashlanes_testkit::vectors;

pub(crate) fn set(name: &str) -> ParameterSet {
    name.parse().unwrap()
}

/// The message of a vector: `how` is `pure`, `internal`, or a hash function.
fn message<'a>(how: &str, message: &'a [u8], context: &'a [u8]) -> Message<'a> {
    let content = match how {
        "pure" => Message::new(message),
        "internal" => return Message::internal(message),
        name => {
            let function = PreHash::ALL.iter().find(|function| function.name() == name).unwrap();
            Message::of_digest(Digest::of(*function, message))
        }
    };
    content.with_context(context).unwrap()
}

#[test]
fn keys_are_the_same() {
    let keys = vectors::slh_dsa_keys();
    for vector in &keys {
        let set = set(&vector.set);
        let key = SigningKey::from_seeds(set, &vector.private_key[..3 * set.n()]).unwrap();
        assert_eq!(key.as_bytes(), vector.private_key, "{set}");
        assert_eq!(key.verifying_key().as_bytes(), &vector.private_key[2 * set.n()..], "{set}");
    }
    assert_eq!(keys.len(), 4 * ParameterSet::all().count());
}

#[test]
fn signatures_are_the_same() {
    let signatures = vectors::slh_dsa_signatures();
    for vector in &signatures {
        let set = set(&vector.set);
        let what = format!("{} {set} {}", vector.origin, vector.how);
        let key = SigningKey::from_bytes(set, &vector.private_key).unwrap();
        let message = message(&vector.how, &vector.message, &vector.context);
        let randomness = vector.random.as_deref().map_or(Randomness::Deterministic, Randomness::Given);
        let signature = key.sign(&message, randomness).unwrap();
        let over_sha3 = vector.origin == "botan" && set.family() == Family::Shake;
        let digest = if over_sha3 { sha3_256(signature.as_ref()) } else { sha256(signature.as_ref()) };
        assert_eq!(digest[..], vector.digest[..], "{what}");
        assert_eq!(key.verifying_key().verify(&message, signature.as_ref()), Ok(()), "{what}");
    }
    assert_eq!(signatures.len(), 48 + 12 + 24);
}

#[test]
fn signatures_are_verified_and_altered_ones_refused() {
    let (mut n_valid, mut n_invalid) = (0, 0);
    for vector in vectors::slh_dsa_claims() {
        let set = set(&vector.set);
        let key = VerifyingKey::from_bytes(set, &vector.public_key).unwrap();
        let message = message(&vector.how, &vector.message, &vector.context);
        let result = key.verify(&message, &vector.signature);
        if vector.is_valid {
            assert_eq!(result, Ok(()), "{set} {}", vector.how);
            n_valid += 1;
        } else {
            assert!(matches!(result, Err(Error::Invalid | Error::SignatureLength { .. })), "{set}");
            n_invalid += 1;
        }
    }
    assert_eq!((n_valid, n_invalid), (16, 12));
}
