//! Every length about the rates, against the oracle.

use hashlanes_testkit::ragged::Rng;

use crate::subjects::{Subject, each, random};
use crate::suite::{Aegis, Suite, cases, seed, stride};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("lengths", "every length", every_length);
    suite.each_kernel("lengths", "random lengths", random_lengths);
}

/// Encrypts apart and decrypts in place.
fn as_the_oracle<S: Subject>(kernel: &'static Aegis, rng: &mut Rng, ad_bytes: usize, message_bytes: usize) {
    let [key, nonce, ad, message] = random(rng, S::KEY_BYTES, ad_bytes, message_bytes);
    let (ct, tag) = S::oracle().encrypt(&key, &nonce, &ad, &message, S::TAG_BYTES);
    let what = format!("{} of {ad_bytes} and {message_bytes} bytes", S::name());
    let (cipher, nonce) = (S::on(kernel, &key), S::nonce(&nonce));
    let mut text = vec![0; message_bytes];
    let computed = cipher.encrypt(&nonce, &ad, &message, &mut text).unwrap();
    assert_eq!((&text, computed.as_ref()), (&ct, &tag[..]), "{what}");
    cipher.decrypt_in_place(&nonce, &ad, &mut text, &computed).unwrap();
    assert!(text == message, "{what}, back");
}

/// Up to two rates and one byte; the other length is the complement, so both pass every border.
fn every_length(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    each!(S => {
        let most = 2 * S::RATE_BYTES + 1;
        for n in (0..=most).step_by(stride()) {
            as_the_oracle::<S>(kernel, rng, most - n, n);
        }
    });
}

fn random_lengths(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    for _ in 0..cases(40) {
        each!(S => {
            let (ad_bytes, message_bytes) = (rng.below(300), rng.below(2000));
            as_the_oracle::<S>(kernel, rng, ad_bytes, message_bytes);
        });
    }
}
