//! Freed memory holds no message and no key: every public type that keeps bytes of one, dropped on the heap.
//!
//! A moved value leaves a copy, so all of them are used in place, in a box.

use hashlanes::aes::aegis::{Aegis128L, AegisMac128L};
use hashlanes::aes::gcm::Aes256Gcm;
use hashlanes::aes::gcm_siv::Aes256GcmSiv;
use hashlanes::aes::{Buffer, CbcPlaintext, CounterBits, Ctr, Key, cbc_encrypt_many};
use hashlanes::hbs::hazmat::KeyGeneration;
use hashlanes::hbs::{ParameterSet, Scheme};
use hashlanes::tree::merkle::{
    Bep52, DmVeritySha256, FsVeritySha512, Glacier, Preset, Rfc6962Leaves, S3Composite, Ssz,
};
use hashlanes::tree::{
    JLanesSha256, JPointersSha512, MhSha1, MhSha256, Mode, Tree, parallel_hash_with_length,
};
use hashlanes::{Algorithm, Hasher, Hmac, HmacKey, Queue, algorithms};
use hashlanes_testkit::freed::{Watching, count_left};

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// Lengths on both sides of blocks of 64 and 128 bytes, and of the buffers of trees.
const LENGTHS: [usize; 8] = [40, 63, 64, 100, 127, 200, 1000, 20_000];

#[track_caller]
fn assert_none(what: &str, body: impl Fn(&[u8])) {
    for len_bytes in LENGTHS {
        let n_found = count_left(len_bytes, &body);
        assert_eq!(n_found, 0, "{what}: {n_found} pieces of {len_bytes} secret bytes in freed memory");
    }
}

macro_rules! each_algorithm {
    ($A:ident => $body:block) => {
        each_algorithm!(@ $A $body Sha1 Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256)
    };
    (@ $A:ident $body:block $($algorithm:ident)*) => {$({
        type $A = algorithms::$algorithm;
        $body
    })*};
}

/// The search finds a leftover.
#[test]
fn remaining_copies_are_found() {
    for len_bytes in LENGTHS {
        let n_found = count_left(len_bytes, |secret| drop(secret.to_vec()));
        assert_eq!(n_found, len_bytes / 8, "{len_bytes} bytes");
    }
    assert_eq!(count_left(100, |_| drop(vec![7; 100])), 0);
    let grows = |secret: &[u8]| {
        let mut bytes = secret.to_vec();
        bytes.reserve_exact(1000);
        bytes.fill(0);
    };
    assert_eq!(count_left(64, grows), 8, "a vector's old place");
}

#[test]
fn hashers() {
    each_algorithm!(A => {
        assert_none("dropped", |secret| {
            let mut hasher = Box::new(Hasher::<A>::new());
            hasher.update(secret);
            drop(hasher);
        });
        assert_none("finished", |secret| {
            let mut hasher = Box::new(Hasher::<A>::new());
            secret.chunks(9).for_each(|part| hasher.update(part));
            assert_eq!(hasher.finish_reset(), Hasher::<A>::digest(secret));
            assert_eq!(hasher.finish_reset(), Hasher::<A>::digest(b""));
        });
        assert_none("many", |secret| {
            let mut hashers = vec![Hasher::<A>::new(); 5];
            let mut parts: Vec<_> = hashers.iter_mut().map(|hasher| (hasher, secret)).collect();
            Hasher::update_many(&mut parts);
            let mut digests = [A::ZERO_DIGEST; 5];
            Hasher::finish_many(&mut hashers[..2], &mut digests[..2]);
            drop(hashers.clone());
        });
        assert_none("a queue", |secret| {
            // 64 are hashed, and 3 are waiting when it is dropped.
            let mut queue = Box::new(Queue::<A, &[u8]>::new());
            for _ in 0..67 {
                queue.submit(secret);
            }
        });
    });
}

#[cfg(feature = "sha3")]
#[test]
fn sponges() {
    use hashlanes::{Sha3_512, Shake128, sha3_512};
    assert_none("dropped", |secret| {
        let mut hasher = Box::new(Sha3_512::new());
        hasher.update(secret);
        drop(hasher);
    });
    assert_none("finished", |secret| {
        let mut hasher = Box::new(Sha3_512::new());
        secret.chunks(9).for_each(|part| hasher.update(part));
        assert_eq!(hasher.finish_reset(), sha3_512(secret));
        assert_eq!(hasher.finish_reset(), sha3_512(b""));
    });
    assert_none("a reader", |secret| {
        let mut hasher = Box::new(Shake128::new());
        hasher.update(secret);
        let mut reader = Box::new(hasher.finish_xof_reset());
        reader.read(&mut [0; 200]);
    });
}

#[test]
fn keys_of_codes() {
    each_algorithm!(A => {
        assert_none("an HMAC", |secret| {
            let mut hmac = Box::new(Hmac::<A>::new(secret));
            hmac.update(secret);
        });
        assert_none("its key", |secret| drop(Box::new(HmacKey::<A>::new(secret))));
        assert_none("many", |secret| {
            let key = Box::new(HmacKey::<A>::new(secret));
            let mut macs = [A::ZERO_DIGEST; 3];
            key.mac_many(&[secret; 3], &mut macs);
            let mut hmacs = vec![key.begin(), key.begin()];
            let mut parts: Vec<_> = hmacs.iter_mut().map(|hmac| (hmac, secret)).collect();
            Hmac::update_many(&mut parts);
            Hmac::finish_many(&mut hmacs, &mut macs[..2]);
        });
    });
}

#[test]
fn tree_modes() {
    assert_none("j-lanes", |secret| {
        let mut hasher = Box::new(JLanesSha256::new(16).hasher());
        hasher.update(secret);
    });
    assert_none("j-pointers", |secret| {
        let mut hasher = Box::new(JPointersSha512::new(3).with_length(1 << 20));
        hasher.update(secret).unwrap();
    });
    assert_none("parallel_hash", |secret| {
        let mut hasher = Box::new(parallel_hash_with_length(1 << 20).unwrap());
        hasher.update(secret).unwrap();
    });
    assert_none("mh_sha1", |secret| {
        let mut hasher = Box::new(MhSha1::new());
        hasher.update(secret);
    });
    assert_none("mh_sha256", |secret| {
        let mut hasher = Box::new(MhSha256::new());
        hasher.update(secret);
    });
    for mode in ["jlanes-v1-sha256-16", "jpointers-v1-sha512-8", "mh_sha256"] {
        assert_none(mode, |secret| {
            let tree = Tree::new(mode.parse::<Mode>().unwrap());
            let mut hasher = tree.hasher(Some(secret.len() as u64)).unwrap();
            secret.chunks(77).for_each(|part| hasher.update(part).unwrap());
            hasher.finish().unwrap();
        });
    }
}

#[test]
fn merkle_trees() {
    fn both<P: Preset + Clone>(what: &str, preset: P) {
        assert_none(what, |secret| {
            let mut hasher = Box::new(preset.hasher());
            secret.chunks(77).for_each(|part| hasher.update(part));
        });
        assert_none(what, |secret| {
            let mut hasher = preset.hasher();
            secret.chunks(77).for_each(|part| hasher.update(part));
            drop(hasher.finish());
        });
    }
    both("fs-verity", FsVeritySha512::new(4096, b"salt").unwrap());
    both("dm-verity", DmVeritySha256::new(4096, b"salt").unwrap());
    both("bep52", Bep52::new(1 << 16).unwrap());
    both("ssz", Ssz::new());
    both("glacier", Glacier::new());
    both("s3", S3Composite::new(1 << 23).unwrap());
    assert_none("rfc6962", |secret| {
        let mut leaves = Box::new(Rfc6962Leaves::new());
        for leaf in secret.chunks(100) {
            leaves.push(leaf);
        }
    });
}

#[test]
fn ciphers() {
    let key = |secret: &[u8]| -> [u8; 32] { secret[..32].try_into().unwrap() };
    assert_none("a key", |secret| drop(Box::new(Key::new(&key(secret)).unwrap())));
    assert_none("CTR", |secret| {
        let key = Box::new(Key::new(&key(secret)).unwrap());
        let mut message = secret.to_vec();
        let mut keystream = Box::new(Ctr::new(&*key, &[1; 16], CounterBits::Bits32));
        keystream.apply(Buffer::in_place(&mut message)).unwrap();
    });
    assert_none("CBC", |secret| {
        let key = Box::new(Key::new(&key(secret)).unwrap());
        let message = |n: u8| CbcPlaintext { key: &key, iv: [n; 16], message: secret };
        cbc_encrypt_many(&[message(1), message(2)]);
    });
    assert_none("AEGIS", |secret| {
        let key: [u8; 16] = secret[..16].try_into().unwrap();
        let aegis = Box::new(Aegis128L::new(&key));
        let mut encryptor = Box::new(aegis.encryptor(&[1; 16], secret).unwrap());
        let mut ciphertext = vec![0; secret.len() + 32];
        let _ = encryptor.update(secret, &mut ciphertext);
        let mut mac = Box::new(AegisMac128L::new(&key, &[1; 16]));
        mac.update(secret).unwrap();
    });
    assert_none("AES-GCM", |secret| {
        let gcm = Box::new(Aes256Gcm::new(&key(secret)));
        drop(gcm.clone());
        let mut text = secret.to_vec();
        gcm.encrypt_in_place(&[1; 12], secret, &mut text).unwrap();
    });
    assert_none("AES-GCM-SIV", |secret| {
        let gcm_siv = Box::new(Aes256GcmSiv::new(&key(secret)));
        drop(gcm_siv.clone());
        let mut text = secret.to_vec();
        gcm_siv.encrypt_in_place(&[1; 12], secret, &mut text).unwrap();
    });
}

/// Creates a key in a box from a secret, and signs.
fn sign_with(secret: &[u8]) {
    // The two secret seeds.
    let mut seeds = [9; 96];
    seeds[..64].iter_mut().zip(secret.iter().cycle()).for_each(|(to, from)| *to = *from);
    let mut key = Box::new(KeyGeneration::new(set(), &seeds).unwrap().run().unwrap());
    key.try_sign(b"message").unwrap();
}

fn set() -> ParameterSet {
    ParameterSet::of_height(Scheme::XmssMt, 32, 4, 2)
}

/// Leaves a secret all over the stack below the caller, as tests do that ran in the same thread's stack
/// before.
#[inline(never)]
fn fill_stack(secret: &[u8]) {
    let mut stack = [0; 64 * 1024];
    stack.iter_mut().zip(secret.iter().cycle()).for_each(|(to, from)| *to = *from);
    std::hint::black_box(&stack);
}

/// The unused words of a `None` are moved to the heap with a key: the old stack data in them is not a
/// leftover of the key.
#[test]
fn secrets_of_earlier_tests_are_not_found() {
    for len_bytes in LENGTHS {
        assert_eq!(count_left(len_bytes, fill_stack), 0);
        let n_found = count_left(len_bytes, sign_with);
        assert_eq!(n_found, 0, "{n_found} pieces of {len_bytes} secret bytes in freed memory");
    }
}

#[test]
fn signing_keys() {
    let set = set();
    assert_none("seeds", sign_with);
    let mut key = KeyGeneration::new(set, &[3; 96]).unwrap().run().unwrap();
    let signature = key.try_sign(b"message").unwrap();
    let key = key.verifying_key().clone();
    assert_none("messages", |secret| {
        assert!(key.verify(secret, signature.as_ref()).is_err());
        let mut claim = Box::new(key.claim(signature.as_ref()).unwrap());
        claim.update(secret);
    });
}

#[cfg(feature = "slh-dsa")]
#[test]
fn signing_keys_without_a_state() {
    use hashlanes::hbs::slh_dsa::{Message, Randomness, SigningKey};
    for name in ["SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128f"] {
        let set: hashlanes::hbs::slh_dsa::ParameterSet = name.parse().unwrap();
        // SK.seed and SK.prf; PK.seed is public.
        let n_found = count_left(2 * set.n(), |secret| {
            let mut seeds = [0; 3 * 32];
            seeds[..2 * set.n()].copy_from_slice(secret);
            let key = SigningKey::from_seeds(set, &seeds[..3 * set.n()]).unwrap();
            key.sign(&Message::new(b"message"), Randomness::Deterministic).unwrap();
            key.check().unwrap();
            let read = SigningKey::from_pkcs8_der(&key.to_pkcs8_der()).unwrap();
            let read = SigningKey::from_pkcs8_pem(&read.to_pkcs8_pem()).unwrap();
            assert_eq!(read.verifying_key(), key.verifying_key());
        });
        assert_eq!(n_found, 0, "{name}: {n_found} pieces of a secret key in freed memory");
    }
}

#[cfg(feature = "lms")]
#[test]
fn signing_keys_of_hss() {
    use hashlanes::hbs::lms::{KeyGeneration, ParameterSet};
    for name in ["LMS_SHA256_M32_H5_W4/LMS_SHA256_M32_H5_W4", "LMS_SHAKE_M24_H5_W4"] {
        let set: ParameterSet = name.parse().unwrap();
        let n_found = count_left(set.n(), |secret| {
            let mut seeds = [5; 32 + 16];
            seeds[..set.n()].copy_from_slice(secret);
            let mut key = KeyGeneration::new(set, &seeds[..set.n() + 16]).unwrap().run().unwrap();
            key.advance_to(30).unwrap();
            key.try_sign(b"message").unwrap();
            key.try_sign(b"another").unwrap();
        });
        assert_eq!(n_found, 0, "{name}: {n_found} pieces of a secret key in freed memory");
    }
}
