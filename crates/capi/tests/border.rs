//! Wrong use from C, and the results of every function.
#![allow(unsafe_code, reason = "the functions are called as C calls them")]

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use hashlanes_capi::hashlanes_error::{self, *};
use hashlanes_capi::*;

const ALL: std::ops::RangeInclusive<hashlanes_hash> = 1..=12;
const WITH_QUEUES: std::ops::RangeInclusive<hashlanes_hash> = 1..=7;

type OneShot = unsafe extern "C" fn(*const c_void, usize, *mut u8) -> hashlanes_error;
const ONE: [OneShot; 12] = [
    hashlanes_sha1,
    hashlanes_sha224,
    hashlanes_sha256,
    hashlanes_sha384,
    hashlanes_sha512,
    hashlanes_sha512_224,
    hashlanes_sha512_256,
    hashlanes_sha3_224,
    hashlanes_sha3_256,
    hashlanes_sha3_384,
    hashlanes_sha3_512,
    hashlanes_keccak256,
];

fn one(hash: hashlanes_hash, message: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; hashlanes_digest_bytes(hash)];
    // SAFETY: the pointers and lengths come from slices.
    let error =
        unsafe { ONE[hash as usize - 1](message.as_ptr().cast(), message.len(), digest.as_mut_ptr()) };
    assert_eq!(error, HASHLANES_OK);
    digest
}

/// Messages of all lengths around a block's end, and some longer ones; more than are on the stack at a time.
fn messages() -> Vec<Vec<u8>> {
    (0..1500usize).map(|i| (0..i * 7 % 411).map(|k| (i + k * 31) as u8).collect()).collect()
}

fn vectors(messages: &[Vec<u8>]) -> Vec<iovec> {
    let vector = |m: &Vec<u8>| iovec {
        iov_base: if m.is_empty() { null_mut() } else { m.as_ptr().cast_mut().cast() },
        iov_len: m.len(),
    };
    messages.iter().map(vector).collect()
}

#[test]
fn known_digests() {
    let text = |hash| one(hash, b"abc").iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(text(HASHLANES_SHA1), "a9993e364706816aba3e25717850c26c9cd0d89d");
    assert_eq!(text(HASHLANES_SHA256), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(text(HASHLANES_SHA3_256), "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
    assert_eq!(text(HASHLANES_KECCAK256), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
}

#[test]
fn every_way_gives_the_same_digests() {
    let messages = messages();
    let vectors = vectors(&messages);
    let data: Vec<*const c_void> = vectors.iter().map(|v| v.iov_base.cast_const()).collect();
    let lengths: Vec<usize> = vectors.iter().map(|v| v.iov_len).collect();
    let values = messages.concat();
    let ends = messages.iter().scan(0, |end, m| {
        *end += m.len() as i64;
        Some(*end)
    });
    let offsets64: Vec<i64> = std::iter::once(0).chain(ends).collect();
    let offsets32: Vec<i32> = offsets64.iter().map(|offset| *offset as i32).collect();
    let n = messages.len();
    for hash in ALL {
        let expected: Vec<u8> = messages.iter().flat_map(|m| one(hash, m)).collect();
        let mut ways = vec![vec![0; expected.len()]; 5];
        let [many, arrays, rows32, rows64, parts] = &mut ways[..] else { unreachable!() };
        // SAFETY: the pointers and lengths come from slices.
        unsafe {
            assert_eq!(hashlanes_many(hash, vectors.as_ptr(), n, many.as_mut_ptr()), HASHLANES_OK);
            let (data, lengths) = (data.as_ptr(), lengths.as_ptr());
            assert_eq!(hashlanes_many_arrays(hash, data, lengths, n, arrays.as_mut_ptr()), HASHLANES_OK);
            let (bytes, len) = (values.as_ptr().cast(), values.len());
            let (offsets32, offsets64) = (offsets32.as_ptr(), offsets64.as_ptr());
            let done = hashlanes_rows32(hash, bytes, len, offsets32, n, null(), 0, rows32.as_mut_ptr());
            assert_eq!(done, HASHLANES_OK);
            let done = hashlanes_rows64(hash, bytes, len, offsets64, n, null(), 0, rows64.as_mut_ptr());
            assert_eq!(done, HASHLANES_OK);

            let mut hashers: Vec<*mut hashlanes_hasher> =
                (0..n).map(|_| hashlanes_hasher_new(hash)).collect();
            let (first, rest): (Vec<iovec>, Vec<iovec>) = messages.iter().map(|m| split(m)).unzip();
            for part in [first, rest] {
                assert_eq!(hashlanes_hasher_update_many(hashers.as_ptr(), part.as_ptr(), n), HASHLANES_OK);
            }
            let done = hashlanes_hasher_finish_many(hashers.as_mut_ptr(), n, parts.as_mut_ptr());
            assert_eq!(done, HASHLANES_OK);
            hashers.into_iter().for_each(|hasher| hashlanes_hasher_free(hasher));
        }
        assert!(ways.iter().all(|way| *way == expected), "hash {hash}");
    }
}

fn split(message: &[u8]) -> (iovec, iovec) {
    let (first, rest) = message.split_at(message.len() / 3);
    let vector = |part: &[u8]| iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() };
    (vector(first), vector(rest))
}

#[test]
fn fixed_lengths_and_nulls() {
    let messages: Vec<u8> = (0..10 * 33).map(|i| i as u8).collect();
    let offsets: Vec<i32> = (0..=10).map(|i| 33 * i).collect();
    for hash in ALL {
        let bytes = hashlanes_digest_bytes(hash);
        let (mut fixed, mut valid) = (vec![0; 10 * bytes], vec![1; 10 * bytes]);
        let bitmap = [0b1010_1000, 0b1111];
        // SAFETY: the pointers and lengths come from slices.
        unsafe {
            let done = hashlanes_fixed(hash, messages.as_ptr().cast(), 33, 10, fixed.as_mut_ptr());
            assert_eq!(done, HASHLANES_OK);
            let (values, offsets) = (messages.as_ptr().cast(), offsets.as_ptr());
            let done =
                hashlanes_rows32(hash, values, 330, offsets, 10, bitmap.as_ptr(), 2, valid.as_mut_ptr());
            assert_eq!(done, HASHLANES_OK);
        }
        for i in 0..10 {
            let expected = one(hash, &messages[33 * i..33 * (i + 1)]);
            assert_eq!(fixed[i * bytes..][..bytes], expected);
            let is_valid = bitmap[(i + 2) / 8] >> ((i + 2) % 8) & 1 == 1;
            let expected = if is_valid { expected } else { vec![0; bytes] };
            assert_eq!(valid[i * bytes..][..bytes], expected, "row {i}");
        }
    }
}

#[test]
fn a_queue_hands_messages_back_in_order() {
    let messages = messages();
    for hash in WITH_QUEUES {
        let mut queue = null_mut();
        let mut came = 0;
        let mut take = |done: &hashlanes_done| {
            assert_eq!(done.user as usize, came);
            assert_eq!(done.len, messages[came].len());
            let expected = one(hash, &messages[came]);
            assert_eq!(done.digest[..expected.len()], expected);
            came += 1;
        };
        // SAFETY: the messages outlive the queue.
        unsafe {
            assert_eq!(hashlanes_queue_new(hash, &mut queue), HASHLANES_OK);
            let mut done = std::mem::zeroed();
            for (i, m) in messages.iter().enumerate() {
                let user = i as *mut c_void;
                let error = hashlanes_queue_submit(queue, m.as_ptr().cast(), m.len(), user, &mut done);
                assert_eq!(error, HASHLANES_OK);
                if done.ready {
                    take(&done);
                }
            }
            assert!(hashlanes_queue_len(queue) > 0);
            loop {
                assert_eq!(hashlanes_queue_flush(queue, &mut done), HASHLANES_OK);
                if !done.ready {
                    break;
                }
                take(&done);
            }
            assert_eq!(hashlanes_queue_len(queue), 0);
            hashlanes_queue_free(queue);
        }
        assert_eq!(came, messages.len());
    }
    let mut queue = null_mut();
    // SAFETY: nothing is written.
    assert_eq!(unsafe { hashlanes_queue_new(HASHLANES_SHA3_256, &mut queue) }, HASHLANES_UNSUPPORTED);
}

#[test]
fn hmac_of_every_kind_agrees() {
    let (messages, key) = (messages(), b"a key of some length");
    let vectors = vectors(&messages);
    let (key, key_bytes) = (key.as_ptr().cast(), key.len());
    for hash in WITH_QUEUES {
        let bytes = hashlanes_digest_bytes(hash);
        let mut many = vec![0; messages.len() * bytes];
        // SAFETY: the pointers and lengths come from slices.
        unsafe {
            let done =
                hashlanes_hmac_many(hash, key, key_bytes, vectors.as_ptr(), vectors.len(), many.as_mut_ptr());
            assert_eq!(done, HASHLANES_OK);
            let mut hmac = null_mut();
            assert_eq!(hashlanes_hmac_new(hash, key, key_bytes, &mut hmac), HASHLANES_OK);
            for (m, expected) in messages.iter().zip(many.chunks(bytes)) {
                let (mut one, mut parts) = (vec![0; bytes], vec![0; bytes]);
                let (data, len) = (m.as_ptr().cast(), m.len());
                let done = hashlanes_hmac_one(hash, key, key_bytes, data, len, one.as_mut_ptr());
                assert_eq!(done, HASHLANES_OK);
                assert_eq!(hashlanes_hmac_update(hmac, data, len), HASHLANES_OK);
                assert_eq!(hashlanes_hmac_finish(hmac, parts.as_mut_ptr()), HASHLANES_OK);
                assert!(one == expected && parts == expected);
                let check = |mac: &[u8]| {
                    hashlanes_hmac_check(hash, key, key_bytes, data, len, mac.as_ptr(), mac.len())
                };
                assert_eq!(check(&one), HASHLANES_OK);
                assert_eq!(check(&one[1..]), HASHLANES_FORGED);
                one[bytes - 1] ^= 1;
                assert_eq!(check(&one), HASHLANES_FORGED);
            }
            hashlanes_hmac_free(hmac);
        }
    }
}

#[test]
fn hmac_of_a_column() {
    let (values, offsets) = (b"onetwothree", [0, 3, 6, 11i64]);
    let mut macs = [0; 96];
    // SAFETY: the pointers and lengths come from slices.
    unsafe {
        let (key, values) = (b"key".as_ptr().cast(), values.as_ptr().cast());
        let offsets = offsets.as_ptr();
        let macs = macs.as_mut_ptr();
        let done = hashlanes_hmac_rows64(HASHLANES_SHA256, key, 3, values, 11, offsets, 3, null(), 0, macs);
        assert_eq!(done, HASHLANES_OK);
        let check =
            hashlanes_hmac_check(HASHLANES_SHA256, key, 3, b"three".as_ptr().cast(), 5, macs.add(64), 32);
        assert_eq!(check, HASHLANES_OK);
    }
}

#[test]
fn nulls_are_errors_except_of_no_bytes() {
    let mut digest = [0; 64];
    let (out, text) = (digest.as_mut_ptr(), b"abc".as_ptr().cast());
    // SAFETY: null, or slices of these lengths.
    unsafe {
        for hash in ONE {
            assert_eq!(hash(null(), 0, out), HASHLANES_OK);
            assert_eq!(hash(null(), 1, out), HASHLANES_NULL);
            assert_eq!(hash(text, 3, null_mut()), HASHLANES_NULL);
            assert_eq!(hash(text, usize::MAX, out), HASHLANES_TOO_LONG);
        }
        assert_eq!(hashlanes_many(HASHLANES_SHA256, null(), 0, null_mut()), HASHLANES_OK);
        assert_eq!(hashlanes_many(HASHLANES_SHA256, null(), 1, out), HASHLANES_NULL);
        assert_eq!(hashlanes_many(0, null(), 0, out), HASHLANES_UNSUPPORTED);
        assert_eq!(hashlanes_many(13, null(), 0, out), HASHLANES_UNSUPPORTED);
        let vector = iovec { iov_base: null_mut(), iov_len: 5 };
        assert_eq!(hashlanes_many(HASHLANES_SHA256, &vector, 1, out), HASHLANES_NULL);
        let vector = iovec { iov_base: text.cast_mut(), iov_len: 3 };
        assert_eq!(hashlanes_many(HASHLANES_SHA256, &vector, 1, null_mut()), HASHLANES_NULL);
        assert_eq!(hashlanes_many(HASHLANES_SHA256, &vector, usize::MAX / 16, out), HASHLANES_TOO_LONG);
        assert_eq!(hashlanes_fixed(HASHLANES_SHA256, text, usize::MAX / 2, 3, out), HASHLANES_TOO_LONG);
        assert_eq!(hashlanes_fixed(HASHLANES_SHA256, null(), 3, 2, null_mut()), HASHLANES_NULL);
        assert_eq!(hashlanes_hasher_init(null_mut(), HASHLANES_SHA256), HASHLANES_NULL);
        assert_eq!(hashlanes_hmac_update(null_mut(), text, 3), HASHLANES_NULL);
        assert_eq!(hashlanes_queue_flush(null_mut(), null_mut()), HASHLANES_NULL);
        assert!(hashlanes_hasher_new(99).is_null());
        hashlanes_hasher_free(null_mut());
        hashlanes_queue_free(null_mut());
        hashlanes_hmac_free(null_mut());
    }
}

#[test]
fn overlaps_are_errors() {
    let mut memory = [7u8; 200];
    let at = |offset: usize| memory.as_ptr().wrapping_add(offset).cast_mut();
    let many = |message: usize, len: usize, digest: usize| {
        let vector = iovec { iov_base: at(message).cast(), iov_len: len };
        // SAFETY: inside the memory.
        unsafe { hashlanes_many(HASHLANES_SHA256, &vector, 1, at(digest)) }
    };
    assert_eq!(many(0, 50, 49), HASHLANES_OVERLAP);
    assert_eq!(many(31, 50, 0), HASHLANES_OVERLAP);
    assert_eq!(many(10, 5, 0), HASHLANES_OVERLAP);
    assert_eq!(many(0, 100, 10), HASHLANES_OVERLAP);
    assert_eq!(many(10, 0, 0), HASHLANES_OK);
    assert_eq!(many(0, 50, 50), HASHLANES_OK);
    assert_eq!(many(32, 50, 0), HASHLANES_OK);
    // SAFETY: inside the memory. One message may be overwritten by its digest.
    unsafe {
        let expected = one(HASHLANES_SHA256, &[9; 200]);
        memory = [9; 200];
        let at = memory.as_mut_ptr();
        assert_eq!(hashlanes_sha256(at.cast(), 200, at.add(3)), HASHLANES_OK);
        assert_eq!(memory[3..35], expected);
    }
}

#[test]
fn a_column_must_be_inside_its_values() {
    let mut digests = [0; 3 * 32];
    let mut rows = |offsets: &[i32]| {
        let (values, offsets, n) = (b"abcdef".as_ptr().cast(), offsets.as_ptr(), offsets.len() - 1);
        // SAFETY: the pointers and lengths come from slices.
        unsafe { hashlanes_rows32(HASHLANES_SHA256, values, 6, offsets, n, null(), 0, digests.as_mut_ptr()) }
    };
    assert_eq!(rows(&[0, 2, 6]), HASHLANES_OK);
    assert_eq!(rows(&[0, 2, 7]), HASHLANES_OFFSETS);
    assert_eq!(rows(&[0, 3, 2]), HASHLANES_OFFSETS);
    assert_eq!(rows(&[-1, 3, 4]), HASHLANES_OFFSETS);
    let misaligned = digests.as_ptr().wrapping_add(1).cast();
    // SAFETY: inside the array; its alignment is refused.
    let error =
        unsafe { hashlanes_rows32(HASHLANES_SHA256, null(), 0, misaligned, 1, null(), 0, null_mut()) };
    assert_eq!(error, HASHLANES_MISALIGNED);
}

#[test]
fn hashers_are_initialised_and_occur_once() {
    let mut digest = [0; 64];
    let text = b"abc".as_ptr().cast();
    let part = || iovec { iov_base: b"abc".as_ptr().cast_mut().cast(), iov_len: 3 };
    // SAFETY: memory of hashers, and slices of these lengths.
    unsafe {
        let mut a = hashlanes_hasher { content: [0; 56] };
        assert_eq!(hashlanes_hasher_update(&mut a, text, 3), HASHLANES_NOT_INITIALISED);
        assert_eq!(hashlanes_hasher_init(&mut a, 0), HASHLANES_UNSUPPORTED);
        assert_eq!(hashlanes_hasher_init(&mut a, HASHLANES_SHA512), HASHLANES_OK);
        assert_eq!(hashlanes_hasher_update(&mut a, text, 3), HASHLANES_OK);
        let mut b = hashlanes_hasher { content: a.content };
        assert_eq!(hashlanes_hasher_update(&mut b, text, 3), HASHLANES_OK);

        let twice = [&raw mut a, &raw mut b, &raw mut a];
        let parts = [part(), part(), part()];
        assert_eq!(hashlanes_hasher_update_many(twice.as_ptr(), parts.as_ptr(), 3), HASHLANES_OVERLAP);
        let mut other = hashlanes_hasher { content: [0; 56] };
        assert_eq!(hashlanes_hasher_init(&mut other, HASHLANES_SHA384), HASHLANES_OK);
        let mixed = [&raw mut a, &raw mut other];
        assert_eq!(hashlanes_hasher_update_many(mixed.as_ptr(), parts.as_ptr(), 2), HASHLANES_UNSUPPORTED);
        let into_itself = (&raw mut a).cast();
        assert_eq!(hashlanes_hasher_finish_many(twice.as_ptr(), 1, into_itself), HASHLANES_OVERLAP);

        // These errors leave them unchanged.
        assert_eq!(hashlanes_hasher_finish(&mut b, digest.as_mut_ptr()), HASHLANES_OK);
        assert_eq!(digest[..], one(HASHLANES_SHA512, b"abcabc"));
        assert_eq!(hashlanes_hasher_finish(&mut a, digest.as_mut_ptr()), HASHLANES_OK);
        assert_eq!(digest[..], one(HASHLANES_SHA512, b"abc"));
        hashlanes_hasher_clear(&mut a);
        assert_eq!(hashlanes_hasher_finish(&mut a, digest.as_mut_ptr()), HASHLANES_NOT_INITIALISED);
        hashlanes_hasher_clear(null_mut());
    }
}

#[test]
fn names_and_texts() {
    // SAFETY: static texts.
    let text = |at: *const std::ffi::c_char| unsafe { CStr::from_ptr(at) }.to_str().unwrap();
    for hash in ALL {
        // SAFETY: a text of the library's.
        assert_eq!(unsafe { hashlanes_hash_named(hashlanes_hash_name(hash)) }, hash);
    }
    assert!(hashlanes_hash_name(13).is_null());
    assert_eq!(hashlanes_digest_bytes(13), 0);
    // SAFETY: null and a text.
    unsafe {
        assert_eq!(hashlanes_hash_named(null()), 0);
        assert_eq!(hashlanes_hash_named(c"md5".as_ptr()), 0);
    }
    assert_eq!(text(hashlanes_version()), env!("CARGO_PKG_VERSION"));
    for hash in WITH_QUEUES {
        let names = (0..).map(|i| hashlanes_kernel_name(hash, i)).take_while(|name| !name.is_null());
        assert!(names.map(text).all(|name| !name.is_empty()) && !hashlanes_kernel_name(hash, 0).is_null());
    }
    assert_eq!(text(hashlanes_strerror(0)), "success");
    assert_eq!(
        text(hashlanes_strerror(HASHLANES_INTERNAL as i32)),
        "a bug in hashlanes, or memory was exhausted"
    );
    assert_eq!(text(hashlanes_strerror(HASHLANES_INTERNAL as i32 + 1)), "unknown error");
    assert_eq!(text(hashlanes_strerror(-1)), "unknown error");
}

#[test]
fn shake() {
    let mut output = [0; 32];
    // SAFETY: the pointers and lengths come from slices.
    unsafe {
        assert_eq!(hashlanes_shake128(null(), 0, output.as_mut_ptr(), 32), HASHLANES_OK);
        assert_eq!(output[..4], [0x7f, 0x9c, 0x2b, 0xa4]);
        let at = output.as_mut_ptr();
        assert_eq!(hashlanes_shake256(at.cast(), 5, at.add(4), 8), HASHLANES_OVERLAP);
        assert_eq!(hashlanes_shake256(null(), 0, null_mut(), 0), HASHLANES_OK);
    }
}
