//! Codes and tags are compared in constant time: by Welch's t-test, for codes that differ at the first bit
//! and at the last.

use std::hint::black_box;

use hashlanes::aes::aegis::AegisMac128L;
use hashlanes::aes::gcm::Aes128Gcm;
use hashlanes::aes::gcm_siv::Aes128GcmSiv;
use hashlanes::{HmacSha256, HmacSha512};
use hashlanes_testkit::times::assert_constant;

const SEED: u64 = 1;

/// Returns two wrong codes: one differs at the first bit, the other at the last.
fn wrong<const N: usize>(code: [u8; N]) -> [[u8; N]; 2] {
    let mut codes = [code; 2];
    codes[0][0] ^= 1;
    codes[1][N - 1] ^= 0x80;
    codes
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn hmacs() {
    let (short, long) = (HmacSha256::new(&[1; 32]), HmacSha512::new(&[1; 64]));
    let codes = wrong(short.clone().finish());
    assert_constant("HMAC-SHA-256", SEED, |class| {
        assert!(!black_box(short.clone().verify(black_box(&codes[class]))));
    });
    let codes = wrong(long.clone().finish());
    assert_constant("HMAC-SHA-512", SEED, |class| {
        assert!(!black_box(long.clone().verify(black_box(&codes[class]))));
    });
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn tags() {
    let mut mac = AegisMac128L::new(&[1; 16], &[2; 16]);
    mac.update(b"data").expect("few data");
    let codes = wrong(mac.clone().finish());
    assert_constant("codes of AEGIS-128L", SEED, |class| {
        assert!(black_box(mac.clone().verify(black_box(&codes[class]))).is_err());
    });
    macro_rules! of {
        ($($cipher:ident $name:literal;)*) => {$(
            let (cipher, mut text) = ($cipher::new(&[1; 16]), [5; 64]);
            let tag = cipher.encrypt_in_place(&[2; 12], b"", &mut text).expect("a short message");
            // With AES-GCM-SIV, a wrong tag gives another text, in the same time.
            let tags = wrong(tag);
            assert_constant(concat!("tags of ", $name), SEED, |class| {
                let mut text = black_box(text);
                let tag = black_box(&tags[class]);
                assert!(black_box(cipher.decrypt_in_place(&[2; 12], b"", &mut text, tag)).is_err());
            });
        )*};
    }
    of! { Aes128Gcm "AES-GCM"; Aes128GcmSiv "AES-GCM-SIV"; }
}
