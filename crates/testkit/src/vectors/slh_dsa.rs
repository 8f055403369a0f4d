//! The vectors of SLH-DSA, made by `spec/vectors/convert_slh_dsa.py`.

use serde::Deserialize;

use super::{from_hex, perhaps_from_hex, tree_table};

/// A private key, which ends in its public key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlhDsaKeyVector {
    /// The set's name.
    pub set: String,
    /// SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root.
    #[serde(deserialize_with = "from_hex")]
    pub private_key: Vec<u8>,
}

/// A signature as another implementation makes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlhDsaSignatureVector {
    /// The implementation: `acvp`, `botan` or `bouncycastle`.
    pub origin: String,
    /// The set's name.
    pub set: String,
    /// SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root.
    #[serde(deserialize_with = "from_hex")]
    pub private_key: Vec<u8>,
    /// `pure`, `internal`, or the hash function of a pre-hashed message.
    pub how: String,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// The context string.
    #[serde(deserialize_with = "from_hex")]
    pub context: Vec<u8>,
    /// The random value; `None` for a deterministic signature.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub random: Option<Vec<u8>>,
    /// SHA-256 of the signature (SHA3-256 for Botan's signatures over SHAKE).
    #[serde(deserialize_with = "from_hex")]
    pub digest: Vec<u8>,
}

/// A signature to be verified.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlhDsaClaimVector {
    /// The set's name.
    pub set: String,
    /// PK.seed ‖ PK.root.
    #[serde(deserialize_with = "from_hex")]
    pub public_key: Vec<u8>,
    /// See [`SlhDsaSignatureVector`].
    pub how: String,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// The context string.
    #[serde(deserialize_with = "from_hex")]
    pub context: Vec<u8>,
    /// The signature.
    #[serde(deserialize_with = "from_hex")]
    pub signature: Vec<u8>,
    /// Whether it is valid.
    pub is_valid: bool,
}

/// A key as another implementation writes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlhDsaFormatVector {
    /// The implementation: `openssl` or `bouncycastle`.
    pub origin: String,
    /// The set's name.
    pub set: String,
    /// The private key in PKCS#8.
    pub pkcs8_pem: String,
    /// The public key, SubjectPublicKeyInfo.
    pub spki_pem: String,
    /// The same with the identifier of HashSLH-DSA, in DER.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub hash_spki_der: Option<Vec<u8>>,
}

/// Keys and their roots.
pub fn slh_dsa_keys() -> Vec<SlhDsaKeyVector> {
    tree_table("slh-dsa.json", "keys")
}

/// Signatures of given keys.
pub fn slh_dsa_signatures() -> Vec<SlhDsaSignatureVector> {
    tree_table("slh-dsa.json", "signatures")
}

/// Signatures to be verified, valid and altered ones.
pub fn slh_dsa_claims() -> Vec<SlhDsaClaimVector> {
    tree_table("slh-dsa.json", "claims")
}

/// Keys in DER and PEM.
pub fn slh_dsa_formats() -> Vec<SlhDsaFormatVector> {
    tree_table("slh-dsa.json", "formats")
}
