//! The leftovers of calls with keys on the stack: none from which their results could be computed again.
//!
//! The stack below a frame is painted, the call is made, and the used stack is searched for the secret.

#![allow(unsafe_code)] // What a call leaves is looked at in place.

use std::hint::black_box;

use hashlanes::*;

/// Bytes below a frame that are looked at: more than any call takes.
const DEPTH: usize = 200 << 10;

/// The words of the stack below this frame.
#[inline(never)]
fn words_below() -> Vec<u8> {
    let here = 0_u8;
    let from = ((&raw const here).addr() & !7) - DEPTH;
    let mut words = vec![0_u64; DEPTH / 8];
    for (i, word) in words.iter_mut().enumerate() {
        // SAFETY: not of the language: a thread's stack is mapped, and what stands there is looked at as it
        // is.
        *word = unsafe { std::ptr::with_exposed_provenance::<u64>(from + 8 * i).read_volatile() };
    }
    black_box(&here);
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// Writes zeros there, so that it is mapped, and empty.
#[inline(never)]
fn paint() {
    black_box([0_u8; DEPTH]);
}

/// Whether the call leaves the secret.
#[inline(never)]
fn leaves(secret: &[u8], call: &dyn Fn()) -> bool {
    paint();
    call();
    words_below().windows(secret.len()).any(|bytes| bytes == secret)
}

/// The inner block of a key for HMAC.
fn inner_block<const BYTES: usize>(key: &[u8]) -> [u8; BYTES] {
    let mut block = [0x36; BYTES];
    block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
    block
}

/// HMAC-SHA-256's data of a key: the state after its inner block.
fn inner_state(key: &[u8]) -> Vec<u8> {
    let mut hasher = Sha256::new();
    hasher.update(inner_block::<64>(key));
    let midstate = hasher.midstate().expect("a whole block");
    midstate.state().iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The search finds a leftover.
#[test]
fn remaining_copies_are_found() {
    let leave = || {
        // Deeper than the frames of the search.
        let mut copies = [*b"a secret of thirty-two bytes ..."; 256];
        black_box(&mut copies);
    };
    assert!(leaves(b"a secret of thirty-two bytes ...", &leave));
}

#[test]
fn derived_keys() {
    let password = b"correct horse battery staple";
    let pbkdf2 = || {
        let mut keys = [[0; 40]];
        pbkdf2_sha256_many(&[&password[..]], &[b"salt"], 10, &mut keys);
        black_box(&keys);
    };
    assert!(!leaves(&inner_state(password), &pbkdf2), "PBKDF2");

    let prk = hmac_sha256(b"salt", b"a secret");
    let hkdf = || {
        let mut keys = [[0; 42]];
        hkdf_sha256_many(b"salt", &[b"a secret"], b"info", &mut keys);
        black_box(&keys);
    };
    assert!(!leaves(&inner_state(&prk), &hkdf), "HKDF, of its key");
    assert!(!leaves(&prk, &hkdf), "HKDF, its key");
}

/// Few messages and many, shorter and longer than a block: each way of hashing them uses the stack to its own
/// depth.
#[test]
fn macs_of_any_number() {
    const SECRET: &[u8; 32] = b"a secret of thirty-two bytes ...";
    for n in [1, 3, 5, 9, 16, 31, 32, 65, 130] {
        for n_more in [0, 20, 40, 300] {
            let message = [&SECRET[..], &vec![b'.'; n_more]].concat();
            let messages = vec![&message[..]; n];
            let macs = std::cell::RefCell::new(vec![[0; 32]; n]);
            let many = || hmac_sha256_many(b"a key", &messages, &mut macs.borrow_mut());
            assert!(!leaves(&inner_state(b"a key"), &many), "the key: {n} messages, {n_more} bytes more");
            assert!(!leaves(SECRET, &many), "the messages: {n}, {n_more} bytes more");
            let macs = std::cell::RefCell::new(vec![[0; 64]; n]);
            let many = || hmac_sha512_many(b"a key", &messages, &mut macs.borrow_mut());
            assert!(!leaves(SECRET, &many), "the messages by SHA-512: {n}, {n_more} bytes more");
        }
    }
}

/// Functions that hash in one call leave parts of the message; `wipe_stack` overwrites them.
#[test]
fn messages_that_were_hashed_in_one_call() {
    const SECRET: &[u8; 32] = b"a secret of thirty-two bytes ...";
    for n_more in [0, 20, 40, 300, 5000] {
        let message = [&SECRET[..], &vec![b'.'; n_more], &SECRET[..]].concat();
        for n in [1, 2, 3, 5, 9, 16, 33, 128, 256] {
            let messages = vec![&message[..]; n];
            // The words of the message as they are, and as the hashes read them.
            let as_read = |bytes: usize| -> Vec<u8> {
                SECRET.chunks(bytes).flat_map(|word| word.iter().rev().copied()).collect()
            };
            let secrets = [SECRET.to_vec(), as_read(4), as_read(8)];
            let calls: [(&str, &dyn Fn()); 4] = [
                ("SHA-1", &|| sha1_many(&messages, &mut black_box(vec![[0; 20]; n]))),
                ("SHA-256", &|| sha256_many(&messages, &mut black_box(vec![[0; 32]; n]))),
                ("SHA-512", &|| sha512_many(&messages, &mut black_box(vec![[0; 64]; n]))),
                ("SHA3-256", &|| sha3_256_many(&messages, &mut black_box(vec![[0; 32]; n]))),
            ];
            for (hash, call) in calls {
                let then_wipe = || {
                    call();
                    wipe_stack();
                };
                for secret in &secrets {
                    // A part of it, too.
                    let is_left = leaves(&secret[..16], &then_wipe);
                    assert!(!is_left, "{hash}: {n} messages of {} bytes", message.len());
                }
            }
            let one = || {
                black_box((sha256(messages[0]), sha512(messages[0]), sha3_256(messages[0])));
                wipe_stack();
            };
            for secret in &secrets {
                assert!(!leaves(&secret[..16], &one), "one message of {} bytes", message.len());
            }
        }
    }
}

/// What is called, the parts of its state, and the call.
type Case<'a> = (&'a str, &'a [Vec<u8>], &'a dyn Fn());

/// After a message of 64 KiB or more, the stack holds neither the key nor the state.
#[test]
fn keys_of_long_messages() {
    use hashlanes::aes::aegis::{Aegis128L, AegisMac128L, Tag256};
    use hashlanes::aes::gcm::Aes128Gcm;

    let (key, nonce) = (*b"a key of 16 byte", *b"a nonce of 16 b.");
    let message = vec![b'.'; 64 << 10];
    let output = std::cell::RefCell::new(message.clone());
    let cipher = Aegis128L::new(&key);
    let mut encryptor = cipher.encryptor(&nonce, b"").expect("no data");
    encryptor.update(&message, &mut output.borrow_mut()).expect("as many bytes");
    let mut mac = AegisMac128L::<Tag256>::new(&key, &nonce);
    mac.update(&message).expect("a short message");
    // SAFETY: not of the language: values are looked at as they are, whose padding reads as anything.
    let [encryptor, mac] = unsafe { [words_of(&encryptor), words_of(&mac)] };
    let gcm = Aes128Gcm::new(&key);
    let cases: [Case<'_>; 3] = [
        ("AEGIS-128L", &encryptor, &|| {
            let tag = cipher.encrypt(&nonce, b"", &message, &mut output.borrow_mut());
            black_box(tag.expect("as many bytes"));
        }),
        ("AegisMac128L", &mac, &|| {
            black_box(AegisMac128L::<Tag256>::mac(&key, &nonce, &message).expect("a short message"));
        }),
        ("AES-128-GCM", &[], &|| {
            let tag = gcm.encrypt(&[7; 12], b"", &message, &mut output.borrow_mut());
            black_box(tag.expect("as many bytes"));
        }),
    ];
    for (of, state, call) in cases {
        for secret in state.iter().map(Vec::as_slice).chain([&key[..]]) {
            assert!(!leaves(secret, call), "{of}: {secret:x?}");
        }
    }
}

/// The parts of 16 bytes of a value that are no counters or addresses.
unsafe fn words_of<T>(value: &T) -> Vec<Vec<u8>> {
    let start = std::ptr::from_ref(value).cast::<u8>();
    // SAFETY: within the value; the caller accepts what padding reads as.
    let bytes: Vec<u8> = (0..size_of::<T>()).map(|i| unsafe { start.add(i).read_volatile() }).collect();
    let is_random = |word: &&[u8]| word.len() == 16 && word.iter().filter(|byte| **byte == 0).count() < 3;
    bytes.chunks(16).filter(is_random).map(<[u8]>::to_vec).collect()
}

#[test]
fn macs_of_many() {
    let hmacs = std::cell::RefCell::new(vec![HmacSha256::new(b"a key"); 3]);
    let finish_many = || HmacSha256::finish_many(&mut hmacs.borrow_mut(), &mut [[0; 32]; 3]);
    assert!(!leaves(&inner_state(b"a key"), &finish_many), "finish_many");
    let many = || hmac_sha256_many(b"a key", &[b"a", b"b", b"c"], &mut [[0; 32]; 3]);
    assert!(!leaves(&inner_state(b"a key"), &many), "many");
    // Nine are a group of a kernel without code of its own for equal ones.
    let mut hasher = Sha512::new();
    hasher.update(inner_block::<128>(b"a key"));
    let midstate = hasher.midstate().expect("a whole block");
    let state: Vec<u8> = midstate.state().iter().flat_map(|word| word.to_ne_bytes()).collect();
    for n in 2..=9 {
        let many = || hmac_sha512_many(b"a key", &vec![&b"a"[..]; n], &mut vec![[0; 64]; n]);
        assert!(!leaves(&state, &many), "{n} by SHA-512");
    }
}
