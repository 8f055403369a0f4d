//! Addresses of data, and leftovers of keys.

use hashlanes_testkit::guarded::Guarded;
use hashlanes_testkit::ragged::{Rng, pattern};

use crate::subjects::{Subject, each, random};
use crate::suite::{Gcm, Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel_apart("memory", "page borders", page_borders);
    suite.each_kernel("memory", "any alignment", any_alignment);
    #[cfg(target_os = "linux")]
    suite.each_kernel_apart("memory", "keys are gone", scan::keys_are_overwritten);
}

/// All buffers directly before an unmapped page, then directly after one.
fn page_borders(kernel: &'static Gcm) {
    each!(C => {
        let rng = &mut Rng::new(seed());
        let key = random(rng, C::KEY_BYTES);
        let (cipher, nonce) = (<C as Subject>::new(kernel, &key), [7; 12]);
        for n in (0..=80).chain([127, 128, 129, 255, 256, 257, 300, 512, 513]) {
            let [ad, message] = [n / 2, n].map(|n| random(rng, n));
            let (ct, tag) = C::oracle(&key, &nonce, &ad, &message);
            for side in [Guarded::at_end as fn(usize) -> Guarded, Guarded::at_start] {
                let (ad, message) = (side(ad.len()).holding(&ad), side(n).holding(&message));
                let mut text = side(n);
                assert_eq!(cipher.encrypt(&nonce, &ad, &message, &mut text), Ok(tag), "{}: {n} bytes", C::NAME);
                assert_eq!(text[..], ct, "{}: {n} bytes", C::NAME);
                cipher.decrypt_in_place(&nonce, &ad, &mut text, &tag).unwrap();
                assert_eq!(text[..], message[..], "{}: {n} bytes, back", C::NAME);
            }
        }
    });
}

/// Text and result at any distance from a multiple of 64, not the same.
fn any_alignment(kernel: &'static Gcm) {
    const BYTES: usize = 300;
    let (data, mut room) = (pattern(BYTES + 128, 1), vec![0; BYTES + 128]);
    each!(C => {
        let (key, nonce) = ([3; <C as Subject>::KEY_BYTES], [5; 12]);
        let cipher = <C as Subject>::new(kernel, &key);
        for at in 0..64 {
            let (message, output) = (&data[at..at + BYTES], &mut room[64 - at..64 - at + BYTES]);
            let tag = cipher.encrypt(&nonce, &data[at..at + 40], message, output).unwrap();
            let expected = C::oracle(&key, &nonce, &data[at..at + 40], message);
            assert!((&*output, tag) == (&expected.0[..], expected.1), "{}: at {at}", C::NAME);
        }
    });
}

#[cfg(target_os = "linux")]
mod scan {
    //! Leftovers in the process's own memory.

    use std::hint::black_box;

    use hashlanes_aes::Block;
    use hashlanes_testkit::oracle::Aes;
    use hashlanes_testkit::process_memory::found;

    use super::*;
    use crate::child::runner;

    #[derive(Clone, Copy, PartialEq)]
    enum Then {
        Keep,
        Drop,
    }

    /// Keys are used for messages of several lengths, and dropped; then their round keys and H, of GCM-SIV
    /// those of every nonce, too, are searched for in all memory that may be written.
    pub(super) fn keys_are_overwritten(kernel: &'static Gcm) {
        if !runner().is_empty() {
            return; // An emulator's memory is no concern of ours.
        }
        each!(C => {
            for (then, lengths) in [
                (Then::Drop, &[][..]),
                (Then::Drop, &[0]),
                (Then::Drop, &[5]),
                (Then::Drop, &[300]),
                (Then::Drop, &[5000, 33]),
                (Then::Keep, &[300]),
            ] {
                let needles = needles::<C>(then);
                let n_found = found(&needles, || use_key::<C>(kernel, then, lengths));
                match then {
                    Then::Drop => assert_eq!(n_found, 0, "{}, {lengths:?}: {n_found} secrets", C::NAME),
                    // Where keys are kept, the search finds them.
                    Then::Keep => assert!(n_found > C::KEY_BYTES / 4 + 5, "{}: {n_found} are found", C::NAME),
                }
            }
        });
    }

    /// The nonces of [`use_key`].
    const NONCES: [[u8; 12]; 5] = [[1; 12], [2; 12], [3; 12], [4; 12], [5; 12]];

    /// A key that no code holds: it is made where it is used.
    fn key_byte(n_bytes: usize, then: Then, i: usize) -> u8 {
        black_box(i as u8).wrapping_mul(103).wrapping_add(n_bytes as u8)
            ^ if then == Then::Keep { 0x35 } else { 0xc2 }
    }

    #[inline(never)]
    fn use_key<C: Subject>(kernel: &'static Gcm, then: Then, lengths: &[usize]) {
        let mut bytes = [0; 32];
        let key = &mut bytes[..C::KEY_BYTES];
        for (i, byte) in key.iter_mut().enumerate() {
            *byte = key_byte(C::KEY_BYTES, then, i);
        }
        let cipher = Box::new(C::new(kernel, key));
        bytes.fill(0);
        black_box(&bytes);
        for &n_bytes in lengths {
            let mut text = vec![1; n_bytes];
            let tag = cipher.encrypt_in_place(&NONCES[0], b"some data", &mut text).unwrap();
            cipher.decrypt_in_place(&NONCES[0], b"some data", &mut text, &tag).unwrap();
            cipher.decrypt_in_place(&NONCES[1], b"some data", &mut text, &tag).unwrap_err();
        }
        if !lengths.is_empty() {
            let mut texts = vec![*b"one of many"; 40];
            let mut messages: Vec<_> = texts
                .iter_mut()
                .enumerate()
                .map(|(i, text)| cipher.message(NONCES[2 + i % 3], b"", text))
                .collect();
            C::encrypt_many(Some(kernel), &mut messages).unwrap();
            C::decrypt_many(Some(kernel), &mut messages, &mut [Ok(()); 40]).unwrap();
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
    /// and H times x with its bytes reversed, the first of GCM's powers; of GCM-SIV for each nonce its H and
    /// round keys.
    fn needles<C: Subject>(then: Then) -> Vec<Block> {
        let mut bytes = [0; 32];
        let key = &mut bytes[..C::KEY_BYTES];
        for (i, byte) in key.iter_mut().enumerate() {
            *byte = key_byte(C::KEY_BYTES, then, i);
        }
        let mut oracle = Aes::new(key);
        let mut needles = round_keys(&oracle);
        if C::NAME.ends_with("siv") {
            for nonce in NONCES {
                let mut derived = [0; 48];
                for i in 0..2 + C::KEY_BYTES / 8 {
                    let mut block = [i as u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
                    block[4..].copy_from_slice(&nonce);
                    block = oracle.encrypt(&block);
                    derived[8 * i..][..8].copy_from_slice(&block[..8]);
                    block.fill(0);
                    black_box(&block);
                }
                needles.push(core::array::from_fn(|i| !derived[i]));
                let mut of_nonce = Aes::new(&derived[16..][..C::KEY_BYTES]);
                needles.extend(round_keys(&of_nonce));
                of_nonce.forget();
                derived.fill(0);
                black_box(&derived);
            }
        } else {
            let h = u128::from_be_bytes(oracle.encrypt(&[0; 16]));
            needles.push((!times_x(h)).to_le_bytes());
        }
        bytes.fill(0);
        black_box(&bytes);
        oracle.forget();
        needles
    }

    fn round_keys(oracle: &Aes) -> Vec<Block> {
        oracle.round_keys().iter().map(|key| key.map(|byte| !byte)).collect()
    }
}
