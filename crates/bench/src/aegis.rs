//! AEGIS as a workload: `aegis-128l`, `aegis-128-decrypt`, …: a message, or many, each with a nonce of its
//! own and a tag of 128 bits. Its result is the text with the tag after it.

use std::str::FromStr;

use hashlanes_testkit::oracle;

use crate::shape::Shape;

/// A cipher of the family, and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Aegis {
    pub(crate) cipher: Cipher,
    pub(crate) direction: Direction,
}

/// The ciphers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cipher {
    C128,
    C128L,
    C128X2,
    C128X4,
    C256,
    C256X2,
    C256X4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// Names as in `spec/aegis.py`.
const NAMES: [(Cipher, &str); 7] = [
    (Cipher::C128, "aegis-128"),
    (Cipher::C128L, "aegis-128l"),
    (Cipher::C128X2, "aegis-128x2"),
    (Cipher::C128X4, "aegis-128x4"),
    (Cipher::C256, "aegis-256"),
    (Cipher::C256X2, "aegis-256x2"),
    (Cipher::C256X4, "aegis-256x4"),
];

/// The key, truncated to the cipher's key length.
const KEY: [u8; 32] = *b"the key of all works, 32 bytes..";

impl Aegis {
    /// Encryption.
    pub(crate) const fn of(cipher: Cipher) -> Self {
        Aegis { cipher, direction: Direction::Encrypt }
    }

    /// The name in `spec/aegis.py`.
    fn cipher_name(self) -> &'static str {
        let (_, name) =
            NAMES.iter().find(|(cipher, _)| *cipher == self.cipher).expect("every cipher has a name");
        name
    }

    /// The name on command lines.
    pub(crate) fn name(self) -> String {
        let end = if self.direction == Direction::Decrypt { "-decrypt" } else { "" };
        format!("{}{end}", self.cipher_name())
    }

    /// The key of all messages.
    pub(crate) fn key(self) -> &'static [u8] {
        let is_long = matches!(self.cipher, Cipher::C256 | Cipher::C256X2 | Cipher::C256X4);
        &KEY[..if is_long { 32 } else { 16 }]
    }

    /// The nonce of message `i`, as long as the key.
    pub(crate) fn nonce(self, i: usize) -> Vec<u8> {
        let mut nonce = vec![0; self.key().len()];
        nonce[..8].copy_from_slice(&(i as u64).to_le_bytes());
        nonce
    }

    /// A message's ciphertext and tag, by the oracle.
    pub(crate) fn sealed(self, i: usize, message: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let oracle = oracle::Aegis::by_name(self.cipher_name()).expect("an oracle");
        oracle.encrypt(self.key(), &self.nonce(i), &[], message, 16)
    }

    /// The result for a message; decryption starts from its ciphertext.
    pub(crate) fn expected(self, i: usize, message: &[u8]) -> Vec<u8> {
        let (ciphertext, tag) = self.sealed(i, message);
        match self.direction {
            Direction::Encrypt => [ciphertext, tag].concat(),
            Direction::Decrypt => [message, &tag[..]].concat(),
        }
    }

    /// Returns whether it supports messages of this shape.
    pub(crate) fn takes(shape: Shape) -> bool {
        matches!(shape, Shape::One { .. } | Shape::Many { .. } | Shape::Random { .. })
    }
}

impl FromStr for Aegis {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let (name, direction) = match name.strip_suffix("-decrypt") {
            Some(name) => (name, Direction::Decrypt),
            None => (name, Direction::Encrypt),
        };
        let (cipher, _) = NAMES.into_iter().find(|(_, known)| *known == name).ok_or(())?;
        Ok(Aegis { cipher, direction })
    }
}
