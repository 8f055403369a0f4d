//! Addresses of data, and leftovers of keys.

use hashlanes_aes::gcm::{Aes128Gcm, Aes256Gcm};
use hashlanes_testkit::guarded::Guarded;
use hashlanes_testkit::ragged::{Rng, pattern};

use crate::subjects::{Subject, on, random};
use crate::suite::{Gcm, Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel_apart("memory", "page borders", page_borders);
    suite.each_kernel("memory", "any alignment", any_alignment);
    #[cfg(target_os = "linux")]
    suite.each_kernel_apart("memory", "keys are gone", scan::keys_are_overwritten);
}

/// All buffers directly before an unmapped page, then directly after one.
fn page_borders(kernel: &'static Gcm) {
    let rng = &mut Rng::new(seed());
    let key = random(rng, 16);
    let (cipher, nonce) = (on::<16>(kernel, &key), [7; 12]);
    for n in (0..=80).chain([127, 128, 129, 255, 256, 257, 300, 512, 513]) {
        let [ad, message] = [n / 2, n].map(|n| random(rng, n));
        let (ct, tag) = Aes128Gcm::oracle(&key, &nonce, &ad, &message);
        for side in [Guarded::at_end as fn(usize) -> Guarded, Guarded::at_start] {
            let (ad, message) = (side(ad.len()).holding(&ad), side(n).holding(&message));
            let mut text = side(n);
            assert_eq!(cipher.encrypt(&nonce, &ad, &message, &mut text), Ok(tag), "{n} bytes");
            assert_eq!(text[..], ct, "{n} bytes");
            cipher.decrypt_in_place(&nonce, &ad, &mut text, &tag).unwrap();
            assert_eq!(text[..], message[..], "{n} bytes, back");
        }
    }
}

/// Text and result at any distance from a multiple of 64, not the same.
fn any_alignment(kernel: &'static Gcm) {
    const BYTES: usize = 300;
    let (data, mut room) = (pattern(BYTES + 128, 1), vec![0; BYTES + 128]);
    let (key, nonce) = ([3; 32], [5; 12]);
    let cipher = on::<32>(kernel, &key);
    for at in 0..64 {
        let (message, output) = (&data[at..at + BYTES], &mut room[64 - at..64 - at + BYTES]);
        let tag = cipher.encrypt(&nonce, &data[at..at + 40], message, output).unwrap();
        let expected = Aes256Gcm::oracle(&key, &nonce, &data[at..at + 40], message);
        assert!((&*output, tag) == (&expected.0[..], expected.1), "at {at}");
    }
}

#[cfg(target_os = "linux")]
mod scan {
    //! Leftovers in the process's own memory.

    use std::hint::black_box;

    use hashlanes_aes::gcm::{AesGcm, Message};
    use hashlanes_aes::{Block, Buffer};
    use hashlanes_testkit::oracle::Aes;
    use hashlanes_testkit::process_memory::found;

    use super::*;
    use crate::child::runner;
    use crate::many::Many;
    use crate::subjects::each;

    #[derive(Clone, Copy, PartialEq)]
    enum Then {
        Keep,
        Drop,
    }

    /// Keys are used for messages of several lengths, and dropped; then their round keys, H and its first
    /// powers are searched for in all memory that may be written.
    pub(super) fn keys_are_overwritten(kernel: &'static Gcm) {
        if !runner().is_empty() {
            return; // An emulator's memory is no concern of ours.
        }
        each!(N => {
            for (then, lengths) in [
                (Then::Drop, &[][..]),
                (Then::Drop, &[0]),
                (Then::Drop, &[5]),
                (Then::Drop, &[300]),
                (Then::Drop, &[5000, 33]),
                (Then::Keep, &[300]),
            ] {
                let needles = needles(N, then);
                let n_found = found(&needles, || use_key::<N>(kernel, then, lengths));
                match then {
                    Then::Drop => assert_eq!(n_found, 0, "AES-{}, {lengths:?}: {n_found} secrets", 8 * N),
                    // Where keys are kept, the search finds them: round keys, and powers.
                    Then::Keep => assert!(n_found > needles.len() - 2, "AES-{}: {n_found} are found", 8 * N),
                }
            }
        });
    }

    /// A key that no code holds: it is made where it is used.
    fn key_byte(n_bytes: usize, then: Then, i: usize) -> u8 {
        black_box(i as u8).wrapping_mul(103).wrapping_add(n_bytes as u8)
            ^ if then == Then::Keep { 0x3d } else { 0xc2 }
    }

    #[inline(never)]
    fn use_key<const N: usize>(kernel: &'static Gcm, then: Then, lengths: &[usize])
    where
        AesGcm<N>: Subject,
        for<'k, 'm> Message<'k, 'm, N>: Many,
    {
        let mut bytes = [0; N];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = key_byte(N, then, i);
        }
        let cipher = Box::new(on::<N>(kernel, &bytes));
        bytes.fill(0);
        black_box(&bytes);
        for &n_bytes in lengths {
            let mut text = vec![1; n_bytes];
            let tag = cipher.encrypt_in_place(&[1; 12], b"some data", &mut text).unwrap();
            cipher.decrypt_in_place(&[1; 12], b"some data", &mut text, &tag).unwrap();
            cipher.decrypt_in_place(&[2; 12], b"some data", &mut text, &tag).unwrap_err();
        }
        if !lengths.is_empty() {
            let mut text = *b"one of many";
            let buffer = Buffer::in_place(&mut text);
            let mut messages = [Message { cipher: &*cipher, nonce: [3; 12], ad: b"", buffer, tag: [0; 16] }];
            Many::encrypt(kernel, &mut messages).unwrap();
            Many::decrypt(kernel, &mut messages, &mut [Ok(())]).unwrap();
        }
        if then == Then::Keep {
            std::mem::forget(cipher);
        }
    }

    /// Multiplication by x in the field of POLYVAL.
    fn times_x(x: u128) -> u128 {
        (x << 1) ^ if x >> 127 == 1 { 0xc2 << 120 | 1 } else { 0 }
    }

    /// The patterns to search for, with inverted bits, so that they are not found themselves: the round keys,
    /// and H times x with its bytes reversed, the first of its powers.
    fn needles(n_bytes: usize, then: Then) -> Vec<Block> {
        let mut bytes: Vec<u8> = (0..n_bytes).map(|i| key_byte(n_bytes, then, i)).collect();
        let mut oracle = Aes::new(&bytes);
        bytes.fill(0);
        black_box(&bytes);
        let mut needles: Vec<Block> = oracle.round_keys().iter().map(|key| key.map(|byte| !byte)).collect();
        let h = u128::from_be_bytes(oracle.encrypt(&[0; 16]));
        needles.push((!times_x(h)).to_le_bytes());
        oracle.forget();
        needles
    }
}
