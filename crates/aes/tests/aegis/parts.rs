//! Messages and data in parts give the same results as whole ones.

use hashlanes_aes::aegis::{AegisMac, Error};
use hashlanes_testkit::ragged::Rng;

use crate::subjects::{Subject, WithCode, each, each_with_code, random};
use crate::suite::{Aegis, Suite, cases, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("parts", "encryption", encryption);
    #[cfg(feature = "hazmat")]
    suite.each_kernel("parts", "decryption", decryption);
    suite.each_kernel("parts", "codes", codes);
}

/// Lengths of parts that are `n` bytes together: many short ones, some of rates, some empty.
fn parts(rng: &mut Rng, n: usize, rate: usize) -> Vec<usize> {
    let mut left = n;
    let mut parts = vec![];
    while left > 0 {
        let part = rng.choose(&[0, 1, 2, rate - 1, rate, rate + 1, 3 * rate, 7]).min(left);
        parts.push(part);
        left -= part;
    }
    parts
}

fn encryption(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    for _ in 0..cases(20) {
        each!(S => {
            let n = rng.below(8 * S::RATE_BYTES);
            let [secret, nonce, ad, message] = random(rng, S::KEY_BYTES, n / 3, n);
            let expected = S::oracle().encrypt(&secret, &nonce, &ad, &message, S::TAG_BYTES);
            let mut encryptor = S::on(kernel, &secret).encryptor(&S::nonce(&nonce), &ad).unwrap();
            let (mut at, mut text) = (0, vec![0; n]);
            for part in parts(rng, n, S::RATE_BYTES) {
                encryptor.update(&message[at..at + part], &mut text[at..at + part]).unwrap();
                at += part;
            }
            let tag = encryptor.finish();
            assert_eq!((text, tag.as_ref().to_vec()), expected, "{} of {n} bytes", S::name());
        });
    }
}

#[cfg(feature = "hazmat")]
fn decryption(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    for _ in 0..cases(20) {
        each!(S => {
            let n = rng.below(8 * S::RATE_BYTES);
            let [secret, nonce, ad, message] = random(rng, S::KEY_BYTES, n / 3, n);
            let (ct, tag) = S::oracle().encrypt(&secret, &nonce, &ad, &message, S::TAG_BYTES);
            for right in [true, false] {
                let mut decryptor = S::on(kernel, &secret).decryptor(&S::nonce(&nonce), &ad).unwrap();
                let (mut at, mut text) = (0, vec![0; n]);
                for part in parts(rng, n, S::RATE_BYTES) {
                    decryptor.update(&ct[at..at + part], &mut text[at..at + part]).unwrap();
                    at += part;
                }
                let mut tag = tag.clone();
                tag[n % 16] ^= u8::from(!right);
                let expected = if right { Ok(()) } else { Err(Error::Forged) };
                assert_eq!(decryptor.verify(&S::tag(&tag)), expected, "{} of {n} bytes", S::name());
                assert!(text == message, "{} of {n} bytes", S::name());
            }
        });
    }
}

fn codes(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    for _ in 0..cases(20) {
        each_with_code!(S => {
            let n = rng.below(8 * S::RATE_BYTES);
            let [secret, nonce, _, data] = random(rng, S::KEY_BYTES, 0, n);
            let expected = S::oracle().mac(&secret, &nonce, &data, S::TAG_BYTES);
            let (key, start) = (S::nonce(&secret), S::nonce(&nonce));
            let mut mac = AegisMac::<<S as Subject>::C, <S as Subject>::T>::with_tag_on(kernel, &key, &start);
            let mut at = 0;
            for part in parts(rng, n, S::RATE_BYTES) {
                mac.update(&data[at..at + part]).unwrap();
                at += part;
            }
            assert_eq!(mac.clone().finish().as_ref(), &expected[..], "{} of {n} bytes", S::name());
            assert_eq!(S::mac(kernel, &secret, &nonce, &data).as_ref(), Ok(&expected), "{} of {n} bytes, in one", S::name());
            assert_eq!(mac.clone().verify(&S::tag(&expected)), Ok(()));
            let mut other = expected;
            other[n % 16] ^= 1;
            assert_eq!(mac.verify(&S::tag(&other)), Err(Error::Forged));
        });
    }
}
