//! AES-GCM and AES-GCM-SIV as workloads: `aes-128-gcm`, `aes-256-gcm`, `aes-128-gcm-siv`, `aes-256-gcm-siv`:
//! a message, or many, each encrypted with a nonce of its own and 13 bytes of associated data, as many as in
//! a record of TLS 1.2. Its result is the text with the tag after it.

use std::str::FromStr;

use aes_gcm::aead::array::typenum::U12;
use aes_gcm::aead::inout::InOutBuf;
use aes_gcm::{AeadInOut, Aes128Gcm, Aes256Gcm, KeyInit};
use aes_gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};

use crate::shape::Shape;

/// Encryption with a key of this length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gcm {
    Aes128,
    Aes256,
    Aes128Siv,
    Aes256Siv,
}

/// The key, truncated to the cipher's key length.
const KEY: [u8; 32] = *b"the key of all works, 32 bytes..";

/// The associated data of every message.
pub(crate) const AD: [u8; 13] = *b"a TLS header.";

impl Gcm {
    /// The name on command lines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Gcm::Aes128 => "aes-128-gcm",
            Gcm::Aes256 => "aes-256-gcm",
            Gcm::Aes128Siv => "aes-128-gcm-siv",
            Gcm::Aes256Siv => "aes-256-gcm-siv",
        }
    }

    /// The key of all messages.
    pub(crate) fn key(self) -> &'static [u8] {
        match self {
            Gcm::Aes128 | Gcm::Aes128Siv => &KEY[..16],
            Gcm::Aes256 | Gcm::Aes256Siv => &KEY,
        }
    }

    /// Whether it is AES-GCM-SIV.
    pub(crate) fn is_siv(self) -> bool {
        matches!(self, Gcm::Aes128Siv | Gcm::Aes256Siv)
    }

    /// The nonce of message `i`.
    pub(crate) fn nonce(i: usize) -> [u8; 12] {
        let mut nonce = [0; 12];
        nonce[4..].copy_from_slice(&(i as u64).to_be_bytes());
        nonce
    }

    /// The result for a message, by the crate `aes-gcm` or `aes-gcm-siv`.
    pub(crate) fn expected(self, i: usize, message: &[u8]) -> Vec<u8> {
        fn seal<C: KeyInit + AeadInOut<NonceSize = U12>>(key: &[u8], i: usize, message: &[u8]) -> Vec<u8> {
            let mut text = message.to_vec();
            let cipher = C::new_from_slice(key).expect("a key of its length");
            let (nonce, buffer) = (Gcm::nonce(i), InOutBuf::from(&mut text[..]));
            let tag = cipher.encrypt_inout_detached(&nonce.into(), &AD, buffer).expect("below the limit");
            [&text[..], &tag[..]].concat()
        }
        match self {
            Gcm::Aes128 => seal::<Aes128Gcm>(self.key(), i, message),
            Gcm::Aes256 => seal::<Aes256Gcm>(self.key(), i, message),
            Gcm::Aes128Siv => seal::<Aes128GcmSiv>(self.key(), i, message),
            Gcm::Aes256Siv => seal::<Aes256GcmSiv>(self.key(), i, message),
        }
    }

    /// Returns whether it supports messages of this shape.
    pub(crate) fn takes(shape: Shape) -> bool {
        matches!(shape, Shape::One { .. } | Shape::Many { .. } | Shape::Random { .. })
    }
}

impl FromStr for Gcm {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        [Gcm::Aes128, Gcm::Aes256, Gcm::Aes128Siv, Gcm::Aes256Siv]
            .into_iter()
            .find(|gcm| gcm.name() == name)
            .ok_or(())
    }
}
