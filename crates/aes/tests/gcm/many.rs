//! Sets of messages of many lengths, each with its own key, nonce and associated data.

use hashlanes_aes::Buffer;
use hashlanes_aes::gcm::{self, AesGcm, Error, Message};
use hashlanes_testkit::ragged::Rng;

use crate::subjects::{Subject, each, nonce, on, random};
use crate::suite::{Gcm, Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("many", "ragged sets", ragged);
    suite.one("many::without messages, and wrong counts", counts);
    suite.one("many::the chosen kernel", by_choice);
}

/// The functions of a cipher.
pub(crate) trait Many: Sized {
    fn encrypt(kernel: &'static Gcm, messages: &mut [Self]) -> Result<(), Error>;
    fn decrypt(
        kernel: &'static Gcm,
        messages: &mut [Self],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error>;
}

macro_rules! many {
    ($($key_bytes:literal $encrypt:ident $decrypt:ident;)*) => {$(
        impl Many for Message<'_, '_, $key_bytes> {
            fn encrypt(kernel: &'static Gcm, messages: &mut [Self]) -> Result<(), Error> {
                gcm::$encrypt(kernel, messages)
            }
            fn decrypt(
                kernel: &'static Gcm,
                messages: &mut [Self],
                results: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                gcm::$decrypt(kernel, messages, results)
            }
        }
    )*};
}
many! {
    16 aes128_gcm_encrypt_many_on aes128_gcm_decrypt_many_on;
    24 aes192_gcm_encrypt_many_on aes192_gcm_decrypt_many_on;
    32 aes256_gcm_encrypt_many_on aes256_gcm_decrypt_many_on;
}

/// Keys of two, messages of many lengths, every third one forged before it is decrypted.
fn ragged(kernel: &'static Gcm) {
    let rng = &mut Rng::new(seed());
    for n_messages in [1, 2, 3, 15, 16, 17, 40] {
        each!(N => {
            let keys = [random(rng, N), random(rng, N)];
            let ciphers = keys.each_ref().map(|key| on::<N>(kernel, key));
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
                .map(|(i, ((nonce, ad, _), text))| Message::<N> {
                    cipher: &ciphers[i % 2],
                    nonce: *nonce,
                    ad,
                    buffer: Buffer::in_place(text),
                    tag: [0; 16],
                })
                .collect();
            assert_eq!(Message::encrypt(kernel, &mut messages), Ok(()));
            for (i, (message, (nonce, ad, plain))) in messages.iter_mut().zip(&inputs).enumerate() {
                let (ct, tag) = AesGcm::<N>::oracle(&keys[i % 2], nonce, ad, plain);
                let what = format!("message {i} of {n_messages}, AES-{}", 8 * N);
                assert!(message.buffer.input() == ct && message.tag == tag, "{what}");
                if i % 3 == 2 {
                    message.tag[i % 16] ^= 4;
                }
            }
            let mut results = vec![Err(Error::MessageTooLong); n_messages];
            assert_eq!(Message::decrypt(kernel, &mut messages, &mut results), Ok(()));
            for (i, (result, (text, (.., plain)))) in results.iter().zip(texts.iter().zip(&inputs)).enumerate() {
                let what = format!("message {i} of {n_messages}, AES-{}, back", 8 * N);
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

/// The functions of all keys choose a kernel.
fn by_choice() {
    macro_rules! through {
        ($($key_bytes:literal $encrypt:ident $decrypt:ident;)*) => {$(
            let cipher = AesGcm::<$key_bytes>::new(&[1; $key_bytes]);
            let mut text = *b"a message";
            let buffer = Buffer::in_place(&mut text);
            let mut message = [Message { cipher: &cipher, nonce: [2; 12], ad: b"data", buffer, tag: [0; 16] }];
            gcm::$encrypt(&mut message).unwrap();
            let mut results = [Err(Error::Forged)];
            gcm::$decrypt(&mut message, &mut results).unwrap();
            assert_eq!((results, &text), ([Ok(())], b"a message"));
        )*};
    }
    through! {
        16 aes128_gcm_encrypt_many aes128_gcm_decrypt_many;
        24 aes192_gcm_encrypt_many aes192_gcm_decrypt_many;
        32 aes256_gcm_encrypt_many aes256_gcm_decrypt_many;
    }
}
