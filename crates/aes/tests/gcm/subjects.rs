//! The three ciphers as tests see them, each with the other implementation.

use aes_gcm::aead::{AeadInOut, KeyInit, inout::InOutBuf};
use hashlanes_aes::gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm, AesGcm, Error};
use hashlanes_testkit::ragged::Rng;

use crate::suite::Gcm;

/// The block with `$N` = the bytes of the key of each cipher.
macro_rules! each {
    ($N:ident => $body:block) => {
        $crate::subjects::each!(@ $N $body 16 24 32)
    };
    (@ $N:ident $body:block $($key_bytes:literal)*) => {$({
        const $N: usize = $key_bytes;
        $body
    })*};
}
pub(crate) use each;

/// A cipher by the length of its keys.
pub(crate) trait Subject: Sized {
    fn with_key(key: &[u8]) -> Result<Self, Error>;
    fn on(self, kernel: &'static Gcm) -> Self;
    /// Ciphertext and tag, by the other implementation.
    fn oracle(key: &[u8], nonce: &[u8; 12], ad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]);
}

macro_rules! subjects {
    ($($ours:ident $theirs:ty;)*) => {$(
        impl Subject for $ours {
            fn with_key(key: &[u8]) -> Result<Self, Error> {
                Self::from_slice(key)
            }
            fn on(self, kernel: &'static Gcm) -> Self {
                AesGcm::on(self, kernel)
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
    Aes128Gcm aes_gcm::Aes128Gcm;
    Aes192Gcm aes_gcm::AesGcm<aes_gcm::aes::Aes192, aes_gcm::aead::array::typenum::U12>;
    Aes256Gcm aes_gcm::Aes256Gcm;
}

/// A cipher on a kernel.
pub(crate) fn on<const N: usize>(kernel: &'static Gcm, key: &[u8]) -> AesGcm<N>
where
    AesGcm<N>: Subject,
{
    Subject::on(AesGcm::with_key(key).expect("a key's length"), kernel)
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
