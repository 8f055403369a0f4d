//! Tree modes, proofs, ciphers and signatures through the C interface.
#![allow(unsafe_code, reason = "the functions are called as C calls them")]

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use hashlanes::aes::aegis::{Aegis128L, Aegis256X4, Tag128};
use hashlanes::aes::gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm};
use hashlanes::aes::gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
use hashlanes::tree::Tree;
use hashlanes_capi::hashlanes_error::*;
use hashlanes_capi::*;

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 31 + i / 251) as u8).collect()
}

fn at(slice: &[u8]) -> *const c_void {
    slice.as_ptr().cast()
}

#[test]
fn tree_modes_whole_and_in_parts() {
    let message = bytes(100_000);
    for mode in [c"jlanes-v1-sha256-16", c"jpointers-v1-sha512-8", c"mh_sha1", c"parallel_hash"] {
        let expected = Tree::new(mode.to_str().unwrap().parse().unwrap()).digest(&message).unwrap();
        let (mut digest, mut len, mut tree) = ([0; 64], 0, null_mut());
        // SAFETY: the pointers and lengths come from slices.
        unsafe {
            let whole =
                hashlanes_tree_digest(mode.as_ptr(), at(&message), 100_000, digest.as_mut_ptr(), &mut len);
            assert_eq!((whole, &digest[..len]), (HASHLANES_OK, expected.as_ref()));
            digest = [0; 64];
            assert_eq!(hashlanes_tree_new(mode.as_ptr(), 100_000, &mut tree), HASHLANES_OK);
            for part in message.chunks(999) {
                assert_eq!(hashlanes_tree_update(tree, at(part), part.len()), HASHLANES_OK);
            }
            assert_eq!(hashlanes_tree_finish(tree, digest.as_mut_ptr(), &mut len), HASHLANES_OK);
            assert_eq!(&digest[..len], expected.as_ref());
            assert_eq!(hashlanes_tree_finish(tree, digest.as_mut_ptr(), &mut len), HASHLANES_NOT_INITIALISED);
            assert_eq!(hashlanes_tree_update(tree, null(), 0), HASHLANES_NOT_INITIALISED);
            hashlanes_tree_free(tree);
        }
    }
    let begin = |mode: &CStr, len| {
        let mut tree = null_mut();
        // SAFETY: a string and a place.
        unsafe {
            let error = hashlanes_tree_new(mode.as_ptr(), len, &mut tree);
            hashlanes_tree_free(tree);
            error
        }
    };
    assert_eq!(begin(c"sha256", 5), HASHLANES_UNKNOWN_MODE);
    assert_eq!(begin(c"jlanes-v1-sha256-0", 5), HASHLANES_UNKNOWN_MODE);
    assert_eq!(begin(c"jpointers-v1-sha256-4", HASHLANES_UNKNOWN_LENGTH), HASHLANES_MESSAGE_LENGTH);
    assert_eq!(begin(c"jlanes-v1-sha256-4", HASHLANES_UNKNOWN_LENGTH), HASHLANES_OK);
}

#[test]
fn proofs_of_rfc_6962() {
    let texts: Vec<Vec<u8>> = (0..21).map(|i| bytes(i * 3)).collect();
    let leaf = |text: &Vec<u8>| iovec { iov_base: text.as_ptr().cast_mut().cast(), iov_len: text.len() };
    let leaves: Vec<iovec> = texts.iter().map(leaf).collect();
    let (mut root, mut nodes) = ([0; 32], [[0u8; 32]; 64]);
    // SAFETY: the pointers and lengths come from slices.
    unsafe {
        assert_eq!(hashlanes_rfc6962_root(leaves.as_ptr(), 21, root.as_mut_ptr()), HASHLANES_OK);
        for (i, text) in texts.iter().enumerate() {
            let (index, mut n) = (i as u64, nodes.len());
            let at_nodes = nodes.as_mut_ptr().cast();
            assert_eq!(hashlanes_rfc6962_prove(leaves.as_ptr(), 21, index, at_nodes, &mut n), HASHLANES_OK);
            let check = |index, n_leaves| {
                hashlanes_rfc6962_check(at(text), text.len(), index, n_leaves, at_nodes, n, root.as_ptr())
            };
            assert_eq!(check(index, 21), HASHLANES_OK);
            assert_eq!(check((index + 1) % 21, 21), HASHLANES_WRONG_PROOF);
            assert_eq!(check(21, 21), HASHLANES_NO_LEAF);
            let mut room = n - 1;
            let error = hashlanes_rfc6962_prove(leaves.as_ptr(), 21, index, at_nodes, &mut room);
            assert_eq!((error, room), (HASHLANES_BUFFER_TOO_SMALL, n));
        }
        // A tree of two leaves begins with its first one; the proof is the second leaf's digest.
        let (mut first, mut second) = ([0; 32], [0; 32]);
        assert_eq!(hashlanes_rfc6962_root(leaves.as_ptr(), 1, first.as_mut_ptr()), HASHLANES_OK);
        assert_eq!(hashlanes_rfc6962_root(leaves.as_ptr().add(1), 1, second.as_mut_ptr()), HASHLANES_OK);
        assert_eq!(hashlanes_rfc6962_root(leaves.as_ptr(), 2, root.as_mut_ptr()), HASHLANES_OK);
        let check = |first_root: &[u8; 32]| {
            hashlanes_rfc6962_check_consistency(1, 2, second.as_ptr(), 1, first_root.as_ptr(), root.as_ptr())
        };
        assert_eq!(check(&first), HASHLANES_OK);
        assert_eq!(check(&second), HASHLANES_WRONG_PROOF);
    }
}

#[test]
fn cbc_and_ctr() {
    let (mut key, text) = (null_mut(), bytes(64));
    let (mut sealed, mut opened, mut many) = (vec![0; 64], vec![0; 64], vec![0; 64]);
    // SAFETY: the pointers and lengths come from slices.
    unsafe {
        assert_eq!(hashlanes_aes_key_new(at(&[0; 32]), 15, &mut key), HASHLANES_KEY_LENGTH);
        assert_eq!(hashlanes_aes_key_new(at(&[0; 32]), 32, &mut key), HASHLANES_OK);
        let mut iv = [9; 16];
        let out = sealed.as_mut_ptr().cast();
        assert_eq!(hashlanes_aes_cbc_encrypt(key, iv.as_mut_ptr(), at(&text), out, 64), HASHLANES_OK);
        assert_eq!(iv, sealed[48..]);
        iv = [9; 16];
        let out = opened.as_mut_ptr().cast();
        assert_eq!(hashlanes_aes_cbc_decrypt(key, iv.as_mut_ptr(), at(&sealed), out, 64), HASHLANES_OK);
        assert_eq!(opened, text);
        let error = hashlanes_aes_cbc_decrypt(key, iv.as_mut_ptr(), at(&sealed), out, 63);
        assert_eq!(error, HASHLANES_NOT_WHOLE_BLOCKS);
        let message = |i: usize| hashlanes_cbc_message {
            key,
            iv: [9; 16],
            input: at(&text),
            output: many.as_ptr().wrapping_add(i).cast_mut().cast(),
            len: 64,
        };
        assert_eq!(hashlanes_aes_cbc_encrypt_many(&mut message(0), 1), HASHLANES_OK);
        let inside =
            hashlanes_cbc_message { input: many.as_ptr().wrapping_add(1).cast(), len: 32, ..message(0) };
        assert_eq!(hashlanes_aes_cbc_encrypt_many(&mut { inside }, 1), HASHLANES_OVERLAP);
        assert_eq!(many, sealed);
        let mut back = hashlanes_cbc_message { input: many.as_ptr().cast(), ..message(0) };
        assert_eq!(hashlanes_aes_cbc_decrypt_many(&mut back, 1), HASHLANES_OK);
        assert_eq!((&many, back.iv), (&text, sealed[48..].try_into().unwrap()));
        back.len = 63;
        assert_eq!(hashlanes_aes_cbc_decrypt_many(&mut back, 1), HASHLANES_NOT_WHOLE_BLOCKS);

        let ctr = |skip, input: &[u8], output: &mut [u8]| {
            let out = output.as_mut_ptr().cast();
            hashlanes_aes_ctr(key, [1; 16].as_ptr(), 32, skip, at(input), out, input.len())
        };
        assert_eq!(ctr(0, &text, &mut sealed), HASHLANES_OK);
        assert_eq!(ctr(2, &sealed[32..], &mut opened[32..]), HASHLANES_OK);
        assert_eq!(ctr(0, &sealed[..32], &mut opened[..32]), HASHLANES_OK);
        assert_eq!(opened, text);
        assert_eq!(ctr(1 << 32, &sealed, &mut many), HASHLANES_COUNTER_REPEATS);
        let out = sealed.as_mut_ptr();
        assert_eq!(
            hashlanes_aes_ctr(key, [1; 16].as_ptr(), 128, 0, out.cast_const().cast(), out.cast(), 64),
            HASHLANES_OK
        );
        assert_eq!(
            hashlanes_aes_ctr(key, [1; 16].as_ptr(), 31, 0, null(), null_mut(), 0),
            HASHLANES_UNSUPPORTED
        );
        // 300 messages: more than are on the stack at a time.
        let mut texts: Vec<Vec<u8>> = (0..300).map(bytes).collect();
        let message = |(i, text): (usize, &mut Vec<u8>)| hashlanes_ctr_message {
            key,
            first: (i as u128).rotate_left(100).to_be_bytes(),
            counter_bits: [32, 64, 128][i % 3],
            input: at(text),
            output: text.as_mut_ptr().cast(),
            len: text.len(),
        };
        let mut messages: Vec<_> = texts.iter_mut().enumerate().map(message).collect();
        assert_eq!(hashlanes_aes_ctr_many(messages.as_ptr(), 300), HASHLANES_OK);
        for (i, message) in messages.iter().enumerate() {
            let (mut one, text) = (bytes(i), bytes(i));
            let (first, out) = (message.first.as_ptr(), one.as_mut_ptr().cast());
            assert_eq!(
                hashlanes_aes_ctr(key, first, message.counter_bits, 0, at(&text), out, i),
                HASHLANES_OK
            );
            assert_eq!(texts[i], one, "message {i}");
        }
        // A faulty message at the end: nothing is done to those before it.
        let sealed = texts.clone();
        let last = hashlanes_ctr_message { ..messages[299] };
        let inside = last.input.cast::<u8>().wrapping_add(1).cast();
        let array = messages.as_mut_ptr();
        for (faulty, error) in [
            (hashlanes_ctr_message { counter_bits: 31, ..last }, HASHLANES_UNSUPPORTED),
            (hashlanes_ctr_message { key: null(), ..last }, HASHLANES_NULL),
            (hashlanes_ctr_message { input: inside, len: 200, ..last }, HASHLANES_OVERLAP),
            (hashlanes_ctr_message { output: array.cast(), ..last }, HASHLANES_OVERLAP),
            #[cfg(target_pointer_width = "64")]
            (
                hashlanes_ctr_message { len: (16 << 32) + 1, counter_bits: 32, ..last },
                HASHLANES_COUNTER_REPEATS,
            ),
        ] {
            array.add(299).write(faulty);
            assert_eq!(hashlanes_aes_ctr_many(array, 300), error);
            assert!(texts == sealed);
        }
        assert_eq!(hashlanes_aes_ctr_many(array, 299), HASHLANES_OK);
        assert!((0..299).all(|i| texts[i] == bytes(i)));
        assert_eq!(hashlanes_aes_ctr_many(null(), 0), HASHLANES_OK);
        assert_eq!(hashlanes_aes_ctr_many(null(), 1), HASHLANES_NULL);
        hashlanes_aes_key_free(key);
    }
}

/// What the library for Rust makes of a message.
type Seal = fn(key: &[u8], nonce: &[u8; 12], ad: &[u8], text: &[u8]) -> Vec<u8>;

const GCM: [(u32, usize, Seal); 5] = [
    (HASHLANES_AES_GCM, 16, |key, nonce, ad, text| {
        Aes128Gcm::from_slice(key).unwrap().seal(nonce, ad, text).unwrap()
    }),
    (HASHLANES_AES_GCM, 24, |key, nonce, ad, text| {
        Aes192Gcm::from_slice(key).unwrap().seal(nonce, ad, text).unwrap()
    }),
    (HASHLANES_AES_GCM, 32, |key, nonce, ad, text| {
        Aes256Gcm::from_slice(key).unwrap().seal(nonce, ad, text).unwrap()
    }),
    (HASHLANES_AES_GCM_SIV, 16, |key, nonce, ad, text| {
        Aes128GcmSiv::from_slice(key).unwrap().seal(nonce, ad, text).unwrap()
    }),
    (HASHLANES_AES_GCM_SIV, 32, |key, nonce, ad, text| {
        Aes256GcmSiv::from_slice(key).unwrap().seal(nonce, ad, text).unwrap()
    }),
];

/// Calls `body` with each cipher: its key's bytes, its key, what it must make of a message.
fn with_gcm_keys(body: impl Fn(&[u8], *mut hashlanes_gcm_key, Seal)) {
    for (cipher, key_bytes, seal) in GCM {
        let (bytes, mut key) = (bytes(key_bytes), null_mut());
        // SAFETY: a slice and a place; the key is freed once.
        unsafe {
            assert_eq!(hashlanes_gcm_key_new(cipher, at(&bytes), key_bytes, &mut key), HASHLANES_OK);
            body(&bytes, key, seal);
            hashlanes_gcm_key_free(key);
        }
    }
}

#[test]
fn gcm_of_one_message() {
    with_gcm_keys(|key_bytes, key, seal| {
        let (text, nonce, ad) = (bytes(1000), [8; 12], b"associated data");
        let (mut sealed, mut opened, mut tag) = (vec![0; 1000], vec![1; 1000], [0; 16]);
        let (nonce_at, ad_at, tag_at) = (nonce.as_ptr(), at(ad), tag.as_mut_ptr());
        let decrypt = |sealed: *const c_void, opened: *mut c_void, tag: &[u8; 16]| {
            // SAFETY: the pointers and lengths come from slices.
            unsafe { hashlanes_gcm_decrypt(key, nonce_at, ad_at, 15, sealed, opened, 1000, tag.as_ptr()) }
        };
        let out = sealed.as_mut_ptr().cast();
        // SAFETY: the pointers and lengths come from slices.
        let error = unsafe { hashlanes_gcm_encrypt(key, nonce_at, ad_at, 15, at(&text), out, 1000, tag_at) };
        assert_eq!(error, HASHLANES_OK);
        assert_eq!([&sealed[..], &tag].concat(), seal(key_bytes, &nonce, ad, &text));
        let mut wrong = tag;
        wrong[15] ^= 128;
        assert_eq!(decrypt(at(&sealed), opened.as_mut_ptr().cast(), &wrong), HASHLANES_FORGED);
        assert_eq!(opened, [0; 1000]);
        assert_eq!(decrypt(at(&sealed), opened.as_mut_ptr().cast(), &tag), HASHLANES_OK);
        assert_eq!(opened, text);
        let in_place = sealed.as_mut_ptr().cast();
        assert_eq!(decrypt(in_place, in_place, &tag), HASHLANES_OK);
        assert_eq!(sealed, text);
    });
}

#[test]
fn gcm_of_many_messages() {
    with_gcm_keys(|key_bytes, key, seal| {
        let ad = b"associated data";
        // More than are on the stack at a time.
        let mut texts: Vec<Vec<u8>> = (0..300).map(bytes).collect();
        let message = |(i, text): (usize, &mut Vec<u8>)| hashlanes_gcm_message {
            key,
            nonce: [i as u8; 12],
            tag: [0; 16],
            error: -1,
            ad: at(ad),
            ad_bytes: i % 16,
            input: at(text),
            output: text.as_mut_ptr().cast(),
            len: text.len(),
        };
        let mut messages: Vec<_> = texts.iter_mut().enumerate().map(message).collect();
        // SAFETY: the pointers and lengths come from slices.
        assert_eq!(unsafe { hashlanes_gcm_encrypt_many(messages.as_mut_ptr(), 300) }, HASHLANES_OK);
        for (i, message) in messages.iter().enumerate() {
            let sealed = [&texts[i][..], &message.tag].concat();
            assert_eq!(sealed, seal(key_bytes, &[i as u8; 12], &ad[..i % 16], &bytes(i)), "message {i}");
            assert_eq!(message.error, 0);
        }
        messages[77].tag[3] ^= 1;
        // SAFETY: the pointers and lengths come from slices.
        assert_eq!(unsafe { hashlanes_gcm_decrypt_many(messages.as_mut_ptr(), 300) }, HASHLANES_FORGED);
        for (i, message) in messages.iter().enumerate() {
            let (error, text) =
                if i == 77 { (HASHLANES_FORGED, vec![0; i]) } else { (HASHLANES_OK, bytes(i)) };
            assert_eq!((message.error, &texts[i]), (error as i32, &text), "message {i}");
        }
    });
}

/// Keys of all ciphers and lengths in one call, in runs of one to five messages.
#[test]
fn gcm_of_many_keys() {
    let mut keys = [null_mut(); 5];
    let mut texts: Vec<Vec<u8>> = (0..100).map(bytes).collect();
    let key_of = |i: usize| (i / (1 + i % 5)) % 5;
    // SAFETY: the pointers and lengths come from slices; keys are freed once.
    unsafe {
        for ((cipher, key_bytes, _), key) in GCM.into_iter().zip(&mut keys) {
            assert_eq!(hashlanes_gcm_key_new(cipher, at(&bytes(32)), key_bytes, key), HASHLANES_OK);
        }
        let message = |(i, text): (usize, &mut Vec<u8>)| hashlanes_gcm_message {
            key: keys[key_of(i)],
            nonce: [i as u8; 12],
            tag: [7; 16],
            error: -1,
            ad: null(),
            ad_bytes: 0,
            input: at(text),
            output: text.as_mut_ptr().cast(),
            len: text.len(),
        };
        let mut messages: Vec<_> = texts.iter_mut().enumerate().map(message).collect();
        assert_eq!(hashlanes_gcm_encrypt_many(messages.as_mut_ptr(), 100), HASHLANES_OK);
        for (i, message) in messages.iter().enumerate() {
            let (_, key_bytes, seal) = GCM[key_of(i)];
            let expected = seal(&bytes(key_bytes), &[i as u8; 12], b"", &bytes(i));
            assert_eq!([&texts[i][..], &message.tag].concat(), expected, "message {i}");
            assert_eq!(message.error, 0);
        }
        messages[0].tag[0] ^= 1;
        messages[99].tag[15] ^= 1;
        assert_eq!(hashlanes_gcm_decrypt_many(messages.as_mut_ptr(), 100), HASHLANES_FORGED);
        for (i, message) in messages.iter().enumerate() {
            let is_forged = i == 0 || i == 99;
            let error = if is_forged { HASHLANES_FORGED } else { HASHLANES_OK };
            let text = if is_forged { vec![0; i] } else { bytes(i) };
            assert_eq!((message.error, &texts[i]), (error as i32, &text), "message {i}");
        }
        keys.into_iter().for_each(|key| hashlanes_gcm_key_free(key));
    }
}

#[test]
fn gcm_refuses_faulty_calls_and_does_nothing() {
    let mut keys = [null_mut(); 5];
    // SAFETY: the pointers and lengths come from slices; keys are freed once.
    unsafe {
        for ((cipher, key_bytes, _), key) in GCM.into_iter().zip(&mut keys) {
            assert_eq!(hashlanes_gcm_key_new(cipher, at(&[0; 32]), key_bytes, key), HASHLANES_OK);
        }
        let mut unused = null_mut();
        let new =
            |cipher, key_bytes, key: *mut _| hashlanes_gcm_key_new(cipher, at(&[0; 33]), key_bytes, key);
        for (cipher, n_bytes) in
            [(HASHLANES_AES_GCM, 15), (HASHLANES_AES_GCM, 33), (HASHLANES_AES_GCM_SIV, 24)]
        {
            assert_eq!(new(cipher, n_bytes, &mut unused), HASHLANES_KEY_LENGTH);
        }
        assert_eq!(new(HASHLANES_AEGIS_128L, 16, &mut unused), HASHLANES_UNSUPPORTED);
        assert_eq!(new(HASHLANES_AES_GCM, 16, null_mut()), HASHLANES_NULL);
        assert_eq!(hashlanes_gcm_key_new(HASHLANES_AES_GCM, null(), 16, &mut unused), HASHLANES_NULL);
        assert!(unused.is_null());

        // The faulty message is the last of more than are on the stack at a time.
        let mut texts = [[0; 64]; 41];
        let texts_at = texts.as_mut_ptr().cast::<u8>();
        let message = |i: usize| hashlanes_gcm_message {
            key: keys[0],
            nonce: [0; 12],
            tag: [0; 16],
            error: 0,
            ad: null(),
            ad_bytes: 0,
            input: texts_at.wrapping_add(64 * i).cast(),
            output: texts_at.wrapping_add(64 * i).cast(),
            len: 64,
        };
        let mut messages: Vec<_> = (0..41).map(message).collect();
        let many = messages.as_mut_ptr();
        let last = texts_at.wrapping_add(64 * 40).cast::<c_void>();
        let inside = last.wrapping_byte_add(1);
        for (faulty, error) in [
            (hashlanes_gcm_message { key: null(), ..message(40) }, HASHLANES_NULL),
            (hashlanes_gcm_message { output: null_mut(), ..message(40) }, HASHLANES_NULL),
            (hashlanes_gcm_message { ad_bytes: 1, ..message(40) }, HASHLANES_NULL),
            (hashlanes_gcm_message { ad: last, ad_bytes: 1, ..message(40) }, HASHLANES_OVERLAP),
            (hashlanes_gcm_message { input: inside, len: 32, ..message(40) }, HASHLANES_OVERLAP),
            (hashlanes_gcm_message { output: many.cast(), ..message(40) }, HASHLANES_OVERLAP),
            (hashlanes_gcm_message { len: usize::MAX, ..message(40) }, HASHLANES_TOO_LONG),
            (hashlanes_gcm_message { len: isize::MAX as usize, ..message(40) }, HASHLANES_TOO_LONG),
        ] {
            for process in [hashlanes_gcm_encrypt_many, hashlanes_gcm_decrypt_many] {
                many.add(40).write(hashlanes_gcm_message { ..faulty });
                assert_eq!(process(many, 41), error);
                for i in 0..41 {
                    assert_eq!(((*many.add(i)).error, (*many.add(i)).tag), (error as i32, [0; 16]));
                    (*many.add(i)).error = 0;
                }
                assert_eq!(texts, [[0; 64]; 41]);
            }
        }
        assert_eq!(hashlanes_gcm_encrypt_many(null_mut(), 0), HASHLANES_OK);
        assert_eq!(hashlanes_gcm_encrypt_many(null_mut(), 1), HASHLANES_NULL);
        assert_eq!(hashlanes_gcm_encrypt_many(std::ptr::without_provenance_mut(1), 1), HASHLANES_MISALIGNED);

        let one = |key, nonce, tag: *mut u8| {
            hashlanes_gcm_encrypt(key, nonce, null(), 0, last.cast_const(), last, 64, tag)
        };
        let (nonce, mut tag) = ([0; 12], [0; 16]);
        assert_eq!(one(null(), nonce.as_ptr(), tag.as_mut_ptr()), HASHLANES_NULL);
        assert_eq!(one(keys[4], null(), tag.as_mut_ptr()), HASHLANES_NULL);
        assert_eq!(one(keys[4], nonce.as_ptr(), null_mut()), HASHLANES_NULL);
        assert_eq!(one(keys[4], nonce.as_ptr(), last.cast::<u8>().wrapping_sub(4)), HASHLANES_OVERLAP);
        assert_eq!(
            hashlanes_gcm_decrypt(keys[4], nonce.as_ptr(), null(), 0, null(), null_mut(), 0, null()),
            HASHLANES_NULL
        );
        assert_eq!(texts, [[0; 64]; 41]);
        keys.into_iter().for_each(|key| hashlanes_gcm_key_free(key));
        hashlanes_gcm_key_free(null_mut());
    }
}

#[test]
fn aegis_one_and_many() {
    let (text, ad) = (bytes(1000), b"associated data");
    let (mut sealed, mut opened, mut tag) = (vec![0; 1000], vec![0; 1000], [0; 32]);
    let expected = Aegis256X4::new(&[7; 32]).seal(&[8; 32], ad, &text).unwrap();
    // SAFETY: the pointers and lengths come from slices.
    unsafe {
        let (key, nonce, out) = ([7; 32], [8; 32], sealed.as_mut_ptr().cast());
        let (key, nonce, ad_at) = (key.as_ptr(), nonce.as_ptr(), at(ad));
        let encrypt = |cipher, tag: *mut u8, tag_bytes| {
            hashlanes_aegis_encrypt(cipher, key, nonce, ad_at, ad.len(), at(&text), out, 1000, tag, tag_bytes)
        };
        assert_eq!(encrypt(HASHLANES_AEGIS_256X4, tag.as_mut_ptr(), 32), HASHLANES_OK);
        assert_eq!(encrypt(HASHLANES_AEGIS_256X4, tag.as_mut_ptr(), 12), HASHLANES_KEY_LENGTH);
        assert_eq!(encrypt(7, tag.as_mut_ptr(), 32), HASHLANES_UNSUPPORTED);
        assert_eq!([&sealed[..], &tag].concat(), expected);
        let mut decrypt = |tag: &[u8; 32]| {
            let (tag, out) = (tag.as_ptr(), opened.as_mut_ptr().cast());
            let (cipher, input) = (HASHLANES_AEGIS_256X4, at(&sealed));
            hashlanes_aegis_decrypt(cipher, key, nonce, ad_at, ad.len(), input, out, 1000, tag, 32)
        };
        let mut wrong = tag;
        wrong[31] ^= 1;
        assert_eq!(decrypt(&wrong), HASHLANES_FORGED);
        assert_eq!(decrypt(&tag), HASHLANES_OK);
        assert_eq!(opened, text);

        // 300 records: more than are on the stack at a time.
        let cipher = Aegis128L::<Tag128>::with_tag(&[7; 16]);
        let mut texts: Vec<Vec<u8>> = (0..300).map(bytes).collect();
        let record = |(i, text): (usize, &mut Vec<u8>)| hashlanes_aegis_record {
            nonce: [i as u8; 16],
            ad: ad_at,
            ad_bytes: ad.len(),
            input: at(text),
            output: text.as_mut_ptr().cast(),
            len: text.len(),
            tag: [0; 32],
            error: -1,
        };
        let mut records: Vec<_> = texts.iter_mut().enumerate().map(record).collect();
        let many = records.as_mut_ptr();
        assert_eq!(hashlanes_aegis128l_encrypt_many(key, many, 300, 16), HASHLANES_OK);
        for (i, record) in records.iter().enumerate() {
            let sealed = [&texts[i][..], &record.tag[..16]].concat();
            assert_eq!(cipher.seal(&[i as u8; 16], ad, &bytes(i)).unwrap(), sealed);
            assert_eq!(record.error, 0);
        }
        records[299].tag[3] ^= 1;
        let many = records.as_mut_ptr();
        assert_eq!(hashlanes_aegis128l_decrypt_many(key, many, 300, 16), HASHLANES_FORGED);
        assert!(records[..299].iter().all(|record| record.error == 0));
        assert_eq!(records[299].error, HASHLANES_FORGED as i32);
        assert!((0..299).all(|i| texts[i] == bytes(i)) && texts[299] == [0; 299]);
        // A faulty record at the end: nothing is done to those before it, and all have the error.
        let before = texts.clone();
        let inside = records[299].input.cast::<u8>().wrapping_add(1).cast();
        records[299].input = inside;
        records[299].len = 200;
        let many = records.as_mut_ptr();
        assert_eq!(hashlanes_aegis128l_encrypt_many(key, many, 300, 16), HASHLANES_OVERLAP);
        records[299].len = 0;
        assert!(records.iter().all(|record| record.error == HASHLANES_OVERLAP as i32));
        let many = records.as_mut_ptr();
        assert_eq!(hashlanes_aegis128l_encrypt_many(key, many, 300, 12), HASHLANES_KEY_LENGTH);
        assert!(records.iter().all(|record| record.error == HASHLANES_KEY_LENGTH as i32));
        assert!(texts == before);
        let misaligned = many.wrapping_byte_add(1);
        assert_eq!(hashlanes_aegis128l_encrypt_many(key, misaligned, 1, 16), HASHLANES_MISALIGNED);
        assert_eq!(hashlanes_aegis128l_encrypt_many(key, null_mut(), 1, 16), HASHLANES_NULL);
        assert_eq!(hashlanes_aegis128l_encrypt_many(key, null_mut(), 0, 16), HASHLANES_OK);
    }
}

#[test]
fn signatures_are_verified() {
    let pem = include_bytes!("firmware/key.pem");
    let firmware = include_bytes!("firmware/firmware.bin");
    let mut signature = include_bytes!("firmware/firmware.bin.sig").to_vec();
    let mut key = null_mut();
    // SAFETY: the pointers and lengths come from slices; the key outlives the claim.
    unsafe {
        let new = |encoding, bytes: &[u8], key: &mut _| {
            hashlanes_xmss_key_new(encoding, at(bytes), bytes.len(), key)
        };
        assert_eq!(new(HASHLANES_XMSS, pem, &mut key), HASHLANES_PUBLIC_KEY);
        assert_eq!(new(9, pem, &mut key), HASHLANES_UNSUPPORTED);
        assert_eq!(new(HASHLANES_XMSS_PEM, pem, &mut key), HASHLANES_OK);
        assert_eq!(hashlanes_xmss_signature_bytes(key), signature.len());
        let verify = |signature: &[u8]| {
            hashlanes_xmss_verify(key, at(firmware), firmware.len(), at(signature), signature.len())
        };
        let claim = |signature: &[u8]| {
            let mut claim = null_mut();
            assert_eq!(
                hashlanes_xmss_claim_new(key, at(signature), signature.len(), &mut claim),
                HASHLANES_OK
            );
            for part in firmware.chunks(100) {
                assert_eq!(hashlanes_xmss_claim_update(claim, at(part), part.len()), HASHLANES_OK);
            }
            let result = hashlanes_xmss_claim_finish(claim);
            assert_eq!(hashlanes_xmss_claim_finish(claim), HASHLANES_NOT_INITIALISED);
            hashlanes_xmss_claim_free(claim);
            result
        };
        assert_eq!((verify(&signature), claim(&signature)), (HASHLANES_OK, HASHLANES_OK));
        assert_eq!(verify(&signature[1..]), HASHLANES_INVALID_SIGNATURE);
        *signature.last_mut().unwrap() ^= 1;
        let invalid = HASHLANES_INVALID_SIGNATURE;
        assert_eq!((verify(&signature), claim(&signature)), (invalid, invalid));
        hashlanes_xmss_key_free(key);
    }
}
