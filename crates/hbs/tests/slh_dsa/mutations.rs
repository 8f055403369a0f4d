//! Changed signatures, messages, contexts and keys are refused; many verified in lanes give the same results
//! as one by one.

use hashlanes_hbs::slh_dsa::{
    Claim, Digest, Error, Message, ParameterSet, PreHash, Randomness, SigningKey, VerifyingKey,
};

use crate::outside::set;

/// A fast set of each hash family and n.
const FAST: [&str; 6] = [
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHA2-192f",
    "SLH-DSA-SHA2-256f",
    "SLH-DSA-SHAKE-128f",
    "SLH-DSA-SHAKE-192f",
    "SLH-DSA-SHAKE-256f",
];

fn key(set: ParameterSet) -> SigningKey {
    SigningKey::from_seeds(set, &vec![9; 3 * set.n()]).unwrap()
}

fn sign(key: &SigningKey, message: &Message<'_>) -> Vec<u8> {
    key.sign(message, Randomness::Deterministic).unwrap().as_ref().to_vec()
}

#[test]
fn each_changed_part_of_a_signature_is_refused() {
    for name in FAST {
        let set = set(name);
        let key = key(set);
        let message = Message::new(b"a message");
        let signature = sign(&key, &message);
        // Changes a byte in each value of n bytes: R, FORS, chains, paths. The six sets have 10,700 values.
        let step = set.n() * if cfg!(debug_assertions) { 13 } else { 1 };
        let changed: Vec<Vec<u8>> = (0..signature.len())
            .step_by(step)
            .map(|at| {
                let mut changed = signature.clone();
                changed[at + at / step % set.n()] ^= 1 << (at % 8);
                changed
            })
            .collect();
        let mut claims: Vec<(Message<'_>, &[u8])> =
            changed.iter().map(|signature| (message.clone(), &signature[..])).collect();
        // Valid signatures among them, and one that is too short.
        claims.insert(claims.len() / 2, (message.clone(), &signature));
        claims.push((message.clone(), &signature[1..]));
        claims.push((message.clone(), &signature));
        let results = key.verifying_key().verify_many(&claims);
        let valid: Vec<usize> = (0..results.len()).filter(|i| results[*i].is_ok()).collect();
        assert_eq!(valid, [changed.len() / 2, changed.len() + 2], "{name}");
        assert!(matches!(results[changed.len() + 1], Err(Error::SignatureLength { .. })));
    }
}

#[test]
fn other_messages_contexts_and_keys_are_refused() {
    for name in FAST {
        let set = set(name);
        let key = key(set);
        let public = key.verifying_key();
        let whole = Message::new(b"a message");
        let signature = sign(&key, &whole);
        let parts: [&[u8]; 4] = [b"a ", b"", b"mess", b"age"];
        assert_eq!(sign(&key, &Message::of_parts(&parts)), signature, "parts");
        assert_eq!(public.verify(&Message::of_parts(&parts), &signature), Ok(()));
        assert_eq!(public.verify_reader(&b"a message"[..], b"", &signature), Ok(()));
        assert_eq!(public.verify_reader(&b"a message"[..], b"context", &signature), Err(Error::Invalid));
        let claims =
            [(&b"a message"[..], &b""[..]), (b"a messagf", b""), (b"a message", b"c"), (b"a message", b"")];
        let begun = claims.map(|(message, context)| {
            let mut claim = Claim::new(&public, context, &signature).unwrap();
            message.chunks(4).for_each(|part| claim.update(part));
            claim
        });
        let results = Claim::finish_many(begun.into());
        assert_eq!(results, [Ok(()), Err(Error::Invalid), Err(Error::Invalid), Ok(())], "{name}");
        let hashed = Message::of_digest(Digest::of(PreHash::Sha256, b"a message"));
        for message in [
            Message::new(b"a messagf"),
            Message::new(b"a message\0"),
            whole.clone().with_context(b"context").unwrap(),
            Message::internal(b"a message"),
            hashed.clone(),
        ] {
            assert_eq!(public.verify(&message, &signature), Err(Error::Invalid), "{name} {message:?}");
            let other = sign(&key, &message);
            assert_eq!(public.verify(&message, &other), Ok(()), "{name} {message:?}");
            assert_eq!(public.verify(&whole, &other), Err(Error::Invalid), "{name} {message:?}");
        }
        let other_hash = Message::of_digest(Digest::of(PreHash::Sha3_256, b"a message"));
        assert_eq!(public.verify(&other_hash, &sign(&key, &hashed)), Err(Error::Invalid));
        for at in 0..public.as_bytes().len() {
            let mut bytes = public.as_bytes().to_vec();
            bytes[at] ^= 0x80;
            let other = VerifyingKey::from_bytes(set, &bytes).unwrap();
            assert_eq!(other.verify(&whole, &signature), Err(Error::Invalid), "{name}: byte {at}");
        }
    }
}
