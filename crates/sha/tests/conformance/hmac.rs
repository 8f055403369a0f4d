//! HMAC: the vectors of RFC 2202, RFC 4231 and Project Wycheproof, keys of every length against the oracle,
//! many messages with one key schedule, and codes that are wrong. Columns are in `rows`.

use std::io::Write;

use hashlanes_sha::{Algorithm, Hmac, HmacKey};
use hashlanes_testkit::ragged::{Rng, batches, pattern};
use hashlanes_testkit::vectors::{self, HMAC_HASHES};

use crate::hashes::{Named, assert_digests, each_algorithm, mac_in_parts, unwritten};
use crate::suite::{Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        if HMAC_HASHES.contains(&A::ORACLE.name) {
            suite.one(A::NAME, "vectors", rfc_vectors::<A>);
        }
        suite.one(A::NAME, "Wycheproof", wycheproof::<A>);
        suite.one(A::NAME, "every key length", every_key_length::<A>);
        suite.one(A::NAME, "many", many::<A>);
        suite.one(A::NAME, "verify", verify::<A>);
    });
}

fn rfc_vectors<A: Named>() {
    let vectors = vectors::hmac(A::ORACLE.name);
    for vector in &vectors {
        let (key, message) = (&vector.key[..], &vector.message[..]);
        assert!(vector.matches(A::hmac(key, message).as_ref()), "{vector:02x?}");
        let schedule = HmacKey::<A>::new(key);
        for split in 0..=message.len() {
            let mac = mac_in_parts(&schedule, message, split);
            assert!(vector.matches(mac.as_ref()), "split at {split}: {vector:02x?}");
        }
        let mut macs = unwritten::<A>(3);
        A::hmac_many(key, &[message; 3], &mut macs);
        assert!(macs.iter().all(|mac| vector.matches(mac.as_ref())), "many: {vector:02x?}");
        let mut hmac = Hmac::<A>::new(key);
        hmac.update(message);
        // A code whose source gives only the first bytes is not the code.
        assert_eq!(hmac.verify(&vector.mac), !vector.truncated, "verify: {vector:02x?}");
    }
}

/// Right codes and such as are wrong by a bit or a byte, whole or halved.
fn wycheproof<A: Named>() {
    for claim in vectors::hmac_claims(A::ORACLE.name) {
        let schedule = HmacKey::<A>::new(&claim.key);
        let mac = schedule.mac(&claim.message);
        assert_eq!(mac.as_ref().starts_with(&claim.mac), claim.valid, "{claim:02x?}");
        let mut hmac = schedule.begin();
        hmac.update(&claim.message);
        let is_whole = claim.mac.len() == A::DIGEST_BYTES;
        assert_eq!(hmac.verify(&claim.mac), claim.valid && is_whole, "{claim:02x?}");
    }
}

fn every_key_length<A: Named>() {
    for len in 0..=2 * A::BLOCK_BYTES + 1 {
        let (key, message) = (pattern(len, len), pattern(3 * len % 301, len + 7));
        let expected = A::ORACLE.hmac(&key, &message);
        let schedule = HmacKey::<A>::new(&key);
        let macs = [A::hmac(&key, &message), mac_in_parts(&schedule, &message, message.len() / 2)];
        assert_digests(&macs, &vec![expected.clone(); 2], format!("a key of {len} bytes"));

        let mut written = schedule.clone().begin();
        written.write_all(&message).expect("never fails");
        written.flush().expect("never fails");
        assert_digests(&[written.finish()], &[expected], format!("a key of {len} bytes, written"));
    }
}

/// Counts about whole groups and about the outer hashes' batch (64).
fn many<A: Named>() {
    let mut rng = Rng::new(seed());
    let batch = batches(seed(), 40, 150, 5 * A::BLOCK_BYTES)
        .map(|batch| batch.messages().map(<[u8]>::to_vec).collect());
    let equal = [0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129].map(|n| vec![pattern(20, n); n]);
    for messages in batch.chain(equal) {
        let messages: Vec<Vec<u8>> = messages;
        let key = pattern(rng.below(200), messages.len());
        let expected: Vec<Vec<u8>> = messages.iter().map(|message| A::ORACLE.hmac(&key, message)).collect();
        let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let mut macs = unwritten::<A>(messages.len());
        A::hmac_many(&key, &messages, &mut macs);
        assert_digests(&macs, &expected, format!("{} messages", messages.len()));
        let mut macs = unwritten::<A>(messages.len());
        A::try_hmac_many(&key, &messages, &mut macs).expect("as many codes as messages");
        assert_digests(&macs, &expected, format!("{} messages, try", messages.len()));
        // Together in parts, under keys of their own, and again from there.
        let key = |i: usize| pattern(7 * i % 200, i);
        let expected: Vec<Vec<u8>> =
            messages.iter().enumerate().map(|(i, message)| A::ORACLE.hmac(&key(i), message)).collect();
        let mut hmacs: Vec<Hmac<A>> = (0..messages.len()).map(|i| Hmac::new(&key(i))).collect();
        for split in [0, 3] {
            let split = |message: &&[u8]| message.len() * split / 7;
            let heads = messages.iter().map(|message| &message[..split(message)]);
            let tails = messages.iter().map(|message| &message[split(message)..]);
            Hmac::update_many(&mut hmacs.iter_mut().zip(heads).collect::<Vec<_>>());
            Hmac::update_many(&mut hmacs.iter_mut().zip(tails).collect::<Vec<_>>());
            let mut macs = unwritten::<A>(messages.len());
            Hmac::finish_many(&mut hmacs, &mut macs);
            assert_digests(&macs, &expected, format!("{} messages in parts", messages.len()));
        }
        assert!(Hmac::try_finish_many(&mut hmacs, &mut unwritten::<A>(messages.len() + 1)).is_err());
    }
}

/// The code, every bit of it, and all of it.
fn verify<A: Named>() {
    let schedule = HmacKey::<A>::new(b"key");
    let begin = || {
        let mut hmac = schedule.begin();
        hmac.update(b"message");
        hmac
    };
    let right = A::ORACLE.hmac(b"key", b"message");
    assert!(begin().verify(&right));
    for bit in 0..8 * right.len() {
        let mut wrong = right.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(!begin().verify(&wrong), "bit {bit} turned");
    }
    for len in 0..right.len() {
        assert!(!begin().verify(&right[..len]), "{len} bytes of it");
    }
    assert!(!begin().verify(&[&right[..], &[0]].concat()), "a byte more");
    // Data that must not show in logs.
    let debug = format!("{:?}{:?}", begin(), schedule);
    assert!(debug.contains(A::NAME) && !debug.contains("state: ["), "{debug}");
}
