//! Every change is an error, and the output is then zeros.

use hashlanes_aes::gcm::Error;
use hashlanes_testkit::ragged::Rng;

use crate::subjects::{Subject, each, random};
use crate::suite::{Gcm, Suite, seed, stride};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("forgery", "every bit", every_bit);
}

/// Each bit of nonce, associated data, ciphertext and tag.
fn every_bit(kernel: &'static Gcm) {
    let rng = &mut Rng::new(seed());
    each!(C => {
        let [key, nonce, ad, message] = [C::KEY_BYTES, 12, 19, 53].map(|n| random(rng, n));
        let to_nonce = |bytes: &[u8]| C::nonce(bytes).unwrap();
        let cipher = <C as Subject>::new(kernel, &key);
        let sealed = cipher.seal(&to_nonce(&nonce), &ad, &message).unwrap();
        let (ct, tag) = sealed.split_at(message.len());
        let right = [nonce, ad, ct.to_vec(), tag.to_vec()];
        for (part, what) in ["nonce", "associated data", "ciphertext", "tag"].into_iter().enumerate() {
            for bit in (0..8 * right[part].len()).step_by(stride()) {
                let mut inputs = right.clone();
                inputs[part][bit / 8] ^= 1 << (bit % 8);
                let [nonce, ad, ct, tag] = &inputs;
                let (nonce, tag) = (to_nonce(nonce), C::tag(tag).unwrap());
                let mut apart = vec![1; ct.len()];
                let result = cipher.decrypt(&nonce, ad, ct, &tag, &mut apart);
                assert_eq!(result, Err(Error::Forged), "{}: bit {bit} of the {what}", C::NAME);
                let mut in_place = ct.clone();
                assert_eq!(cipher.decrypt_in_place(&nonce, ad, &mut in_place, &tag), Err(Error::Forged));
                assert_eq!((apart, in_place), (vec![0; ct.len()], vec![0; ct.len()]), "{what}");
            }
        }
        let [nonce, ad, ..] = &right;
        assert_eq!(cipher.open(&to_nonce(nonce), ad, &sealed).as_ref(), Ok(&message), "nothing changed");
    });
}
