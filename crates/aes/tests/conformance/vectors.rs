//! The published vectors on every kernel.

use hashlanes_aes::kernels::{AesVerbs, Kernel};
use hashlanes_aes::{CounterBits, Ctr, Error, InFlight, Key, cbc_decrypt, cbc_encrypt, iv};
use hashlanes_testkit::vectors;

use crate::on_kernel::{self, Place};
use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("CBC, NIST", cbc);
    suite.each_kernel("CTR, RFC 3686", ctr);
    suite.each_kernel("CBC with padding, Wycheproof", wycheproof_on);
    suite.one("aes", "CBC with padding, Wycheproof", wycheproof);
}

fn cbc(kernel: &'static Kernel<AesVerbs>) {
    let vectors = vectors::aes_cbc();
    assert!(vectors.len() > 1000);
    for vector in vectors {
        let (key, iv) = (Key::new(&vector.key).unwrap(), iv(&vector.iv).unwrap());
        assert_eq!(
            on_kernel::cbc_encrypt(kernel, &key, &iv, &vector.message),
            vector.ciphertext,
            "{vector:?}"
        );
        let message =
            on_kernel::cbc_decrypt(kernel, InFlight::Best, &key, &iv, &vector.ciphertext, Place::Same);
        assert_eq!(message, vector.message, "{vector:?}");
    }
}

fn ctr(kernel: &'static Kernel<AesVerbs>) {
    for vector in vectors::aes_ctr() {
        let (key, first) = (Key::new(&vector.key).unwrap(), iv(&vector.iv).unwrap());
        let keystream = Ctr::new(&key, &first, CounterBits::Bits32);
        let out = on_kernel::ctr(kernel, InFlight::Best, keystream, &vector.message, &[]);
        assert_eq!(out, vector.ciphertext, "{vector:?}");
    }
}

/// Valid ciphertexts are padded messages encrypted; invalid ones, where they are whole blocks, are of
/// messages that are not.
fn wycheproof_on(kernel: &'static Kernel<AesVerbs>) {
    for claim in vectors::aes_cbc_claims() {
        let (key, iv) = (Key::new(&claim.key).unwrap(), iv(&claim.iv).unwrap());
        let message =
            on_kernel::cbc_decrypt(kernel, InFlight::Best, &key, &iv, &claim.ciphertext, Place::Other);
        let n_bytes = usize::from(message.last().copied().unwrap_or(0));
        let is_padded = (1..=16).contains(&n_bytes)
            && message.ends_with(&vec![n_bytes as u8; n_bytes])
            && message.len() >= n_bytes;
        assert_eq!(is_padded, claim.valid, "{claim:?}");
        if claim.valid {
            assert_eq!(message[..message.len() - n_bytes], claim.message);
            assert_eq!(on_kernel::cbc_encrypt(kernel, &key, &iv, &message), claim.ciphertext);
        }
    }
}

fn wycheproof() {
    for claim in vectors::aes_cbc_claims() {
        let (key, iv) = (Key::new(&claim.key).unwrap(), iv(&claim.iv).unwrap());
        match cbc_decrypt(&key, &iv, &claim.ciphertext) {
            Ok(message) => {
                assert!(claim.valid && message == claim.message, "{claim:?}");
                assert_eq!(cbc_encrypt(&key, &iv, &message), claim.ciphertext);
            }
            Err(error) => {
                let expected = match claim.ciphertext.len() {
                    0 => Error::NotWholeBlocks(0),
                    _ => Error::Padding,
                };
                assert!(!claim.valid && error == expected, "{claim:?}");
            }
        }
    }
}
