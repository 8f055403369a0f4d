//! Every change is an error, and the output is then zeros.

use hashlanes_aes::aegis::Error;
use hashlanes_testkit::ragged::Rng;

use crate::subjects::{Subject, each, random};
use crate::suite::{Aegis, Suite, seed, stride};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("forgery", "every bit", every_bit);
}

/// Each bit of nonce, associated data, ciphertext and tag.
fn every_bit(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    each!(S => {
        let [key, nonce, ad, message] = random(rng, S::KEY_BYTES, 19, S::RATE_BYTES + 3);
        let cipher = S::on(kernel, &key);
        let sealed = cipher.seal(&S::nonce(&nonce), &ad, &message).unwrap();
        let (ct, tag) = sealed.split_at(message.len());
        let right = [nonce, ad, ct.to_vec(), tag.to_vec()];
        for (part, what) in ["nonce", "associated data", "ciphertext", "tag"].into_iter().enumerate() {
            for bit in (0..8 * right[part].len()).step_by(stride()) {
                let mut inputs = right.clone();
                inputs[part][bit / 8] ^= 1 << (bit % 8);
                let [nonce, ad, ct, tag] = &inputs;
                let (nonce, tag) = (S::nonce(nonce), S::tag(tag));
                let mut apart = vec![1; ct.len()];
                let result = cipher.decrypt(&nonce, ad, ct, &tag, &mut apart);
                assert_eq!(result, Err(Error::Forged), "{}: bit {bit} of the {what}", S::name());
                let mut in_place = ct.clone();
                assert_eq!(cipher.decrypt_in_place(&nonce, ad, &mut in_place, &tag), Err(Error::Forged));
                assert_eq!((apart, in_place), (vec![0; ct.len()], vec![0; ct.len()]), "{}, {what}", S::name());
            }
        }
        let [nonce, ad, ..] = &right;
        assert_eq!(cipher.open(&S::nonce(nonce), ad, &sealed).as_ref(), Ok(&message), "nothing changed");
    });
}
