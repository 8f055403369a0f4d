//! Tree modes, proofs, ciphers and signatures through the C interface.
#![allow(unsafe_code, reason = "the functions are called as C calls them")]

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use hashlanes::aes::aegis::{Aegis128L, Aegis256X4, Tag128};
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
        hashlanes_aes_key_free(key);
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
