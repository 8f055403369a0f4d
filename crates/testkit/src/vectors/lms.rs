//! The vectors of LMS and HSS, made by `spec/vectors/convert_lms.py`.

use serde::Deserialize;

use super::{from_hex, tree_table};

/// A tree's key from its seeds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LmsKeyVector {
    /// The name of its parameters.
    pub set: String,
    /// SEED ‖ I.
    #[serde(deserialize_with = "from_hex")]
    pub seeds: Vec<u8>,
    /// The public key of LMS.
    #[serde(deserialize_with = "from_hex")]
    pub key: Vec<u8>,
}

/// A valid signature.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LmsClaimVector {
    /// The public key of HSS.
    #[serde(deserialize_with = "from_hex")]
    pub public_key: Vec<u8>,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// The signature.
    #[serde(deserialize_with = "from_hex")]
    pub signature: Vec<u8>,
}

/// A key of HSS and one of its signatures, as another implementation makes them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LmsSignatureVector {
    /// The name of its set.
    pub set: String,
    /// The public key; SEED ‖ I are 0, 1, 2, ….
    #[serde(deserialize_with = "from_hex")]
    pub public_key: Vec<u8>,
    /// The index of the signature, whose message is `BouncyCastle`.
    pub index: u64,
    /// SHA-256 of the signature.
    #[serde(deserialize_with = "from_hex")]
    pub digest: Vec<u8>,
}

/// Keys of one tree.
pub fn lms_keys() -> Vec<LmsKeyVector> {
    tree_table("lms.json", "keys")
}

/// Signatures of HSS.
pub fn lms_claims() -> Vec<LmsClaimVector> {
    tree_table("lms.json", "claims")
}

/// Keys and signatures of other implementations.
pub fn lms_signatures() -> Vec<LmsSignatureVector> {
    tree_table("lms.json", "signatures")
}
