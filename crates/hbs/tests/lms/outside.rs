//! The test cases of RFC 8554, appendix F, and BouncyCastle's keys and signatures.

use hashlanes_hbs::lms::{Claim, KeyGeneration, VerifyingKey};
use hashlanes_sha::sha256;
use hashlanes_testkit::vectors;

use crate::life::key;

#[test]
fn keys_are_the_same() {
    for vector in vectors::lms_keys() {
        let key = KeyGeneration::new(vector.set.parse().unwrap(), &vector.seeds).unwrap().run().unwrap();
        assert_eq!(
            key.verifying_key().to_bytes(),
            [&[0, 0, 0, 1], &vector.key[..]].concat(),
            "{}",
            vector.set
        );
    }
}

#[test]
fn signatures_are_valid_whole_and_in_parts() {
    for vector in vectors::lms_claims() {
        let key = VerifyingKey::from_bytes(&vector.public_key).unwrap();
        assert_eq!(key.n_levels(), 2);
        assert_eq!(key.verify(&vector.message, &vector.signature), Ok(()));
        assert_eq!(key.verify_reader(&vector.message[..], &vector.signature), Ok(()));
        let mut claims = [0; 3].map(|_| Claim::new(&key, &vector.signature).unwrap());
        for part in vector.message.chunks(40) {
            Claim::update_many(&mut claims.each_mut().map(|claim| (claim, part)));
        }
        claims[1].update(b"more");
        let results = Claim::finish_many(claims.into());
        assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    }
}

#[test]
fn bouncycastle_makes_the_same_signatures() {
    let vectors = vectors::lms_signatures();
    assert_eq!(vectors.len(), 20);
    for vector in vectors {
        let mut key = key(&vector.set);
        assert_eq!(key.verifying_key().to_bytes(), vector.public_key, "{}", vector.set);
        key.advance_to(vector.index).unwrap();
        let signature = key.try_sign(b"BouncyCastle").unwrap();
        assert_eq!(sha256(signature.as_ref())[..], vector.digest, "{}", vector.set);
    }
}
