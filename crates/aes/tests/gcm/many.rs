//! Sets of messages of many lengths, each with its own key, nonce and associated data.

use hashlanes_aes::gcm::{self, Error};
use hashlanes_testkit::ragged::Rng;

use crate::subjects::{Subject, each, nonce, random};
use crate::suite::{Gcm, Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("many", "ragged sets", ragged);
    suite.one("many::without messages, and wrong counts", counts);
    suite.one("many::the chosen kernel", by_choice);
}

/// Keys of two, messages of many lengths, every third one forged before it is decrypted.
fn ragged(kernel: &'static Gcm) {
    let rng = &mut Rng::new(seed());
    for n_messages in [1, 2, 3, 15, 16, 17, 40] {
        each!(C => {
            let keys = [random(rng, C::KEY_BYTES), random(rng, C::KEY_BYTES)];
            let ciphers = keys.each_ref().map(|key| <C as Subject>::new(kernel, key));
            let inputs: Vec<_> = (0..n_messages)
                .map(|i| {
                    let (ad, message) = (rng.below(40), [rng.below(600), 256, 0, 1420][i % 4]);
                    (nonce(rng), random(rng, ad), random(rng, message))
                })
                .collect();
            let mut texts: Vec<_> = inputs.iter().map(|(.., message)| message.clone()).collect();
            let mut messages: Vec<_> = inputs
                .iter()
                .zip(&mut texts)
                .enumerate()
                .map(|(i, ((nonce, ad, _), text))| ciphers[i % 2].message(*nonce, ad, text))
                .collect();
            assert_eq!(C::encrypt_many(Some(kernel), &mut messages), Ok(()));
            for (i, (message, (nonce, ad, plain))) in messages.iter_mut().zip(&inputs).enumerate() {
                let (ct, tag) = C::oracle(&keys[i % 2], nonce, ad, plain);
                let what = format!("message {i} of {n_messages}, {}", C::NAME);
                let (text, its_tag) = C::text_and_tag(message);
                assert!(text == ct && *its_tag == tag, "{what}");
                if i % 3 == 2 {
                    its_tag[i % 16] ^= 4;
                }
            }
            let mut results = vec![Err(Error::MessageTooLong); n_messages];
            assert_eq!(C::decrypt_many(Some(kernel), &mut messages, &mut results), Ok(()));
            for (i, (result, (text, (.., plain)))) in results.iter().zip(texts.iter().zip(&inputs)).enumerate() {
                let what = format!("message {i} of {n_messages}, {}, back", C::NAME);
                if i % 3 == 2 {
                    assert_eq!(*result, Err(Error::Forged), "{what}");
                    assert!(text.iter().all(|byte| *byte == 0), "{what}: the result is zeros");
                } else {
                    assert_eq!(*result, Ok(()), "{what}");
                    assert!(text == plain, "{what}");
                }
            }
        });
    }
}

fn counts() {
    assert_eq!(gcm::aes128_gcm_encrypt_many(&mut []), Ok(()));
    assert_eq!(gcm::aes128_gcm_decrypt_many(&mut [], &mut []), Ok(()));
    let wrong = gcm::aes128_gcm_decrypt_many(&mut [], &mut [Ok(())]);
    assert_eq!(wrong, Err(Error::Count { messages: 0, results: 1 }));
    let text = "results: 1 for 0 messages; there must be one for each";
    assert_eq!(wrong.unwrap_err().to_string(), text);
}

/// The functions of all ciphers choose a kernel.
fn by_choice() {
    each!(C => {
        let cipher = C::new(&[1; <C as Subject>::KEY_BYTES]);
        let mut text = *b"a message";
        let mut message = [cipher.message([2; 12], b"data", &mut text)];
        C::encrypt_many(None, &mut message).unwrap();
        let mut results = [Err(Error::Forged)];
        C::decrypt_many(None, &mut message, &mut results).unwrap();
        assert_eq!((results, &text), ([Ok(())], b"a message"), "{}", C::NAME);
    });
}
