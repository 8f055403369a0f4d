//! Every length about the groups of all kernels, against the other implementation.

use hashlanes_testkit::ragged::Rng;

use crate::subjects::{Aes128Gcm, Aes128GcmSiv, Subject, each, nonce, random};
use crate::suite::{Gcm, Suite, seed, stride};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("lengths", "every length", every_length);
    suite.each_kernel("lengths", "every length of associated data", every_length_of_data);
    suite.each_kernel("lengths", "long messages", long_messages);
}

/// Encrypts and decrypts, apart and in place.
fn as_the_oracle<C: Subject>(kernel: &'static Gcm, rng: &mut Rng, ad_bytes: usize, n_bytes: usize) {
    let [key, ad, message] = [C::KEY_BYTES, ad_bytes, n_bytes].map(|n| random(rng, n));
    let nonce = nonce(rng);
    let (ct, tag) = C::oracle(&key, &nonce, &ad, &message);
    let what = format!("{}, {ad_bytes} and {n_bytes} bytes", C::NAME);
    let cipher = C::new(kernel, &key);
    let mut text = vec![0; n_bytes];
    assert_eq!(cipher.encrypt(&nonce, &ad, &message, &mut text), Ok(tag), "{what}");
    assert!(text == ct, "{what}: the ciphertext");
    let mut apart = vec![1; n_bytes];
    assert_eq!(cipher.decrypt(&nonce, &ad, &text, &tag, &mut apart), Ok(()), "{what}, back");
    assert!(apart == message, "{what}, back");
    assert_eq!(cipher.decrypt_in_place(&nonce, &ad, &mut text, &tag), Ok(()), "{what}, back in place");
    assert!(text == message, "{what}, back in place");
    assert_eq!(cipher.encrypt_in_place(&nonce, &ad, &mut text), Ok(tag), "{what}, in place");
    assert!(text == ct, "{what}, in place");
}

/// Messages of up to more than two groups of the widest kernel.
fn every_length(kernel: &'static Gcm) {
    let rng = &mut Rng::new(seed());
    for n_bytes in (0..=600).step_by(stride()) {
        let ad_bytes = rng.below(40);
        each!(C => { as_the_oracle::<C>(kernel, rng, ad_bytes, n_bytes) });
    }
}

/// Associated data of more than a group, with messages of a few blocks.
fn every_length_of_data(kernel: &'static Gcm) {
    let rng = &mut Rng::new(seed());
    for ad_bytes in (0..=300).step_by(stride()) {
        for n_bytes in [0, 1, 16, 47] {
            as_the_oracle::<Aes128Gcm>(kernel, rng, ad_bytes, n_bytes);
            as_the_oracle::<Aes128GcmSiv>(kernel, rng, ad_bytes, n_bytes);
        }
    }
}

/// Counters with carries from their lowest two bytes.
fn long_messages(kernel: &'static Gcm) {
    let rng = &mut Rng::new(seed());
    let is_slow = kernel.features().is_empty() || stride() > 1;
    for n_bytes in [4096, 5000, if is_slow { 5001 } else { 1 << 20 | 77 }] {
        each!(C => { as_the_oracle::<C>(kernel, rng, 13, n_bytes) });
    }
}
