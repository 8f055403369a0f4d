//! The vectors of AES's modes, made by `spec/vectors/convert_aes.py`.

use serde::Deserialize;

use super::{List, from_hex, read};

/// A message and its ciphertext.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CipherVector {
    /// The key: 16, 24 or 32 bytes.
    #[serde(deserialize_with = "from_hex")]
    pub key: Vec<u8>,
    /// The initialization vector, or the first counter block.
    #[serde(deserialize_with = "from_hex")]
    pub iv: Vec<u8>,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// Its ciphertext.
    #[serde(deserialize_with = "from_hex")]
    pub ciphertext: Vec<u8>,
}

/// A ciphertext, valid or not, and its message.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CipherClaim {
    /// The key: 16, 24 or 32 bytes.
    #[serde(deserialize_with = "from_hex")]
    pub key: Vec<u8>,
    /// The initialization vector.
    #[serde(deserialize_with = "from_hex")]
    pub iv: Vec<u8>,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// The ciphertext.
    #[serde(deserialize_with = "from_hex")]
    pub ciphertext: Vec<u8>,
    /// Whether the ciphertext is valid.
    pub valid: bool,
}

/// CBC of whole blocks: NIST's known answers and messages of several blocks.
pub fn aes_cbc() -> Vec<CipherVector> {
    read::<List<CipherVector>>("aes", "cbc").vectors
}

/// CTR with 32 bits that count: RFC 3686.
pub fn aes_ctr() -> Vec<CipherVector> {
    read::<List<CipherVector>>("aes", "ctr").vectors
}

/// CBC with the padding of PKCS #7: Project Wycheproof.
pub fn aes_cbc_claims() -> Vec<CipherClaim> {
    read::<List<CipherClaim>>("aes", "wycheproof").vectors
}
