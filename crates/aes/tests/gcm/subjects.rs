//! The ciphers as tests see them, each with another implementation.

use aes_gcm::aead::array::typenum::U12;
use aes_gcm::aead::inout::InOutBuf;
use aes_gcm::aead::{AeadInOut, KeyInit};
use hashlanes_aes::Buffer;
use hashlanes_aes::gcm;
pub(crate) use hashlanes_aes::gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm, Error};
use hashlanes_aes::gcm_siv;
pub(crate) use hashlanes_aes::gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
use hashlanes_testkit::ragged::Rng;

use crate::suite::Gcm;

/// The block with `$C` = each of the ciphers.
macro_rules! each {
    ($C:ident => $body:block) => {
        $crate::subjects::each!(@ $C $body Aes128Gcm Aes192Gcm Aes256Gcm);
        $crate::subjects::each!(@ $C $body Aes128GcmSiv Aes256GcmSiv)
    };
    (@ $C:ident $body:block $($cipher:ident)*) => {$({
        type $C = $crate::subjects::$cipher;
        $body
    })*};
}
pub(crate) use each;

/// A cipher.
pub(crate) trait Subject: Clone + Sized {
    /// Its name in vectors and messages.
    const NAME: &'static str;
    const KEY_BYTES: usize;
    /// A message of many.
    type Message<'k, 'm>
    where
        Self: 'k;

    fn new(kernel: &'static Gcm, key: &[u8]) -> Self;
    fn encrypt(&self, nonce: &[u8; 12], ad: &[u8], text: &[u8], to: &mut [u8]) -> Result<[u8; 16], Error>;
    fn encrypt_in_place(&self, nonce: &[u8; 12], ad: &[u8], text: &mut [u8]) -> Result<[u8; 16], Error>;
    fn decrypt(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        text: &[u8],
        tag: &[u8; 16],
        to: &mut [u8],
    ) -> Result<(), Error>;
    fn decrypt_in_place(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        text: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error>;

    fn message<'k, 'm>(&'k self, nonce: [u8; 12], ad: &'m [u8], text: &'m mut [u8]) -> Self::Message<'k, 'm>;
    fn text_and_tag<'a>(message: &'a mut Self::Message<'_, '_>) -> (&'a [u8], &'a mut [u8; 16]);
    /// Many on a kernel, or on the chosen one.
    fn encrypt_many(
        kernel: Option<&'static Gcm>,
        messages: &mut [Self::Message<'_, '_>],
    ) -> Result<(), Error>;
    fn decrypt_many(
        kernel: Option<&'static Gcm>,
        messages: &mut [Self::Message<'_, '_>],
        results: &mut [Result<(), Error>],
    ) -> Result<(), Error>;

    /// Ciphertext and tag, by the other implementation.
    fn oracle(key: &[u8], nonce: &[u8; 12], ad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]);
}

macro_rules! subjects {
    ($($ours:ident $name:literal $module:ident $key_bytes:literal
        $encrypt:ident $decrypt:ident $encrypt_on:ident $decrypt_on:ident $theirs:ty;)*) => {$(
        impl Subject for $ours {
            const NAME: &'static str = $name;
            const KEY_BYTES: usize = $key_bytes;
            type Message<'k, 'm> = $module::Message<'k, 'm, $key_bytes>;

            fn new(kernel: &'static Gcm, key: &[u8]) -> Self {
                $ours::from_slice(key).expect("a key's length").on(kernel)
            }
            fn encrypt(
                &self,
                nonce: &[u8; 12],
                ad: &[u8],
                text: &[u8],
                to: &mut [u8],
            ) -> Result<[u8; 16], Error> {
                $ours::encrypt(self, nonce, ad, text, to)
            }
            fn encrypt_in_place(
                &self,
                nonce: &[u8; 12],
                ad: &[u8],
                text: &mut [u8],
            ) -> Result<[u8; 16], Error> {
                $ours::encrypt_in_place(self, nonce, ad, text)
            }
            fn decrypt(
                &self,
                nonce: &[u8; 12],
                ad: &[u8],
                text: &[u8],
                tag: &[u8; 16],
                to: &mut [u8],
            ) -> Result<(), Error> {
                $ours::decrypt(self, nonce, ad, text, tag, to)
            }
            fn decrypt_in_place(
                &self,
                nonce: &[u8; 12],
                ad: &[u8],
                text: &mut [u8],
                tag: &[u8; 16],
            ) -> Result<(), Error> {
                $ours::decrypt_in_place(self, nonce, ad, text, tag)
            }
            fn message<'k, 'm>(
                &'k self,
                nonce: [u8; 12],
                ad: &'m [u8],
                text: &'m mut [u8],
            ) -> Self::Message<'k, 'm> {
                $module::Message { cipher: self, nonce, ad, buffer: Buffer::in_place(text), tag: [0; 16] }
            }
            fn text_and_tag<'a>(message: &'a mut Self::Message<'_, '_>) -> (&'a [u8], &'a mut [u8; 16]) {
                (message.buffer.input(), &mut message.tag)
            }
            fn encrypt_many(
                kernel: Option<&'static Gcm>,
                messages: &mut [Self::Message<'_, '_>],
            ) -> Result<(), Error> {
                match kernel {
                    Some(kernel) => $module::$encrypt_on(kernel, messages),
                    None => $module::$encrypt(messages),
                }
            }
            fn decrypt_many(
                kernel: Option<&'static Gcm>,
                messages: &mut [Self::Message<'_, '_>],
                results: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                match kernel {
                    Some(kernel) => $module::$decrypt_on(kernel, messages, results),
                    None => $module::$decrypt(messages, results),
                }
            }
            fn oracle(key: &[u8], nonce: &[u8; 12], ad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]) {
                let cipher = <$theirs>::new_from_slice(key).expect("a key's length");
                let mut text = message.to_vec();
                let buffer = InOutBuf::from(&mut text[..]);
                let tag = cipher.encrypt_inout_detached(nonce.into(), ad, buffer).expect("a short message");
                (text, tag.into())
            }
        }
    )*};
}
subjects! {
    Aes128Gcm "aes-128-gcm" gcm 16
        aes128_gcm_encrypt_many aes128_gcm_decrypt_many aes128_gcm_encrypt_many_on aes128_gcm_decrypt_many_on
        aes_gcm::Aes128Gcm;
    Aes192Gcm "aes-192-gcm" gcm 24
        aes192_gcm_encrypt_many aes192_gcm_decrypt_many aes192_gcm_encrypt_many_on aes192_gcm_decrypt_many_on
        aes_gcm::AesGcm<aes_gcm::aes::Aes192, U12>;
    Aes256Gcm "aes-256-gcm" gcm 32
        aes256_gcm_encrypt_many aes256_gcm_decrypt_many aes256_gcm_encrypt_many_on aes256_gcm_decrypt_many_on
        aes_gcm::Aes256Gcm;
    Aes128GcmSiv "aes-128-gcm-siv" gcm_siv 16
        aes128_gcm_siv_encrypt_many aes128_gcm_siv_decrypt_many
        aes128_gcm_siv_encrypt_many_on aes128_gcm_siv_decrypt_many_on
        aes_gcm_siv::Aes128GcmSiv;
    Aes256GcmSiv "aes-256-gcm-siv" gcm_siv 32
        aes256_gcm_siv_encrypt_many aes256_gcm_siv_decrypt_many
        aes256_gcm_siv_encrypt_many_on aes256_gcm_siv_decrypt_many_on
        aes_gcm_siv::Aes256GcmSiv;
}

/// Bytes of this length.
pub(crate) fn random(rng: &mut Rng, n: usize) -> Vec<u8> {
    let mut bytes = vec![0; n];
    rng.fill(&mut bytes);
    bytes
}

/// A random nonce.
pub(crate) fn nonce(rng: &mut Rng) -> [u8; 12] {
    random(rng, 12).try_into().expect("12 bytes")
}
