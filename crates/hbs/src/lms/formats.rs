//! Public keys in DER and PEM: SubjectPublicKeyInfo of HSS (RFC 9708, section 4, and RFC 9802).
//!
//! Its BIT STRING holds the raw key, u32str(L) ‖ the topmost tree's key. The algorithm has no parameters.
//! Keys of RFC 8708, with an OCTET STRING around the raw key, are also read.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use der::{Decode, Document, Encode};
use spki::{
    AlgorithmIdentifier, EncodePublicKey, ObjectIdentifier, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef,
};

use super::verifying_key::VerifyingKey;
use crate::Error;

/// id-alg-hss-lms-hashsig.
const HSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.3.17");

impl VerifyingKey {
    /// Reads a DER-encoded SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// [`Error::Spki`] if it is malformed or of another algorithm; the errors of [`VerifyingKey::from_bytes`]
    /// for the key in it.
    pub fn from_spki_der(der: &[u8]) -> Result<Self, Error> {
        Self::from_spki(&SubjectPublicKeyInfoRef::from_der(der)?)
    }

    /// Reads a SubjectPublicKeyInfo in PEM, `-----BEGIN PUBLIC KEY-----`.
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::from_spki_der`].
    pub fn from_spki_pem(pem: &str) -> Result<Self, Error> {
        let (label, document) = Document::from_pem(pem)?;
        if label != "PUBLIC KEY" {
            return Err(Error::Spki(format!("the label is {label:?}")));
        }
        Self::from_spki_der(document.as_bytes())
    }

    /// Writes a DER-encoded SubjectPublicKeyInfo. Keys of LMS alone have no such encoding.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::lms::VerifyingKey;
    ///
    /// let key = VerifyingKey::from_bytes(&[&[0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 4][..], &[7; 16 + 32]].concat())?;
    /// assert_eq!(VerifyingKey::from_spki_der(&key.to_spki_der()?)?, key);
    /// assert_eq!(VerifyingKey::from_spki_pem(&key.to_spki_pem()?)?, key);
    /// # Ok::<(), hashlanes::hbs::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Spki`] for a key of LMS alone.
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        self.document().map(Document::into_vec)
    }

    /// Writes a SubjectPublicKeyInfo in PEM.
    ///
    /// # Errors
    /// [`Error::Spki`] for a key of LMS alone.
    pub fn to_spki_pem(&self) -> Result<String, Error> {
        Ok(self.document()?.to_pem("PUBLIC KEY", der::pem::LineEnding::LF)?)
    }

    fn document(&self) -> Result<Document, Error> {
        if !self.is_hss() {
            return Err(Error::Spki("a key of LMS alone has none; expected a key of HSS".to_string()));
        }
        let raw = self.to_bytes();
        let algorithm = AlgorithmIdentifier::<AnyRef<'_>> { oid: HSS, parameters: None };
        let subject_public_key = BitStringRef::from_bytes(&raw)?;
        let info = SubjectPublicKeyInfo { algorithm, subject_public_key };
        Ok(Document::try_from(info.to_der()?)?)
    }

    fn from_spki(info: &SubjectPublicKeyInfoRef<'_>) -> Result<Self, Error> {
        if info.algorithm.oid != HSS {
            return Err(Error::Spki(format!("{} is not HSS", info.algorithm.oid)));
        }
        if info.algorithm.parameters.is_some() {
            return Err(Error::Spki("the algorithm has parameters; expected none".to_string()));
        }
        let bits = info.subject_public_key.as_bytes();
        let bits = bits.ok_or_else(|| Error::Spki("the key is not whole bytes".to_string()))?;
        // L is 8 at most, so a raw key begins with a zero.
        let is_wrapped = bits.first() == Some(&4);
        let raw = if is_wrapped { <&OctetStringRef>::from_der(bits)?.as_bytes() } else { bits };
        let key = Self::from_bytes(raw)?;
        if key.is_hss() { Ok(key) } else { Err(Error::Spki("a key of LMS alone; expected HSS".to_string())) }
    }
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        self.document().map_err(|_| spki::Error::KeyMalformed)
    }
}

/// For the trait `DecodePublicKey` of the crate `spki`, whose errors have fewer details.
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Self::from_spki(&info).map_err(|_| spki::Error::KeyMalformed)
    }
}
