//! Public keys in X.509's SubjectPublicKeyInfo (RFC 9802), as DER and PEM.
//!
//! RFC 9802 puts the raw key, OID ‖ root ‖ SEED, into the BIT STRING. An older draft has other identifiers
//! and an OCTET STRING in the BIT STRING; this module reads both forms. Neither has parameters.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use der::{Decode, Document, Encode};
use spki::{
    AlgorithmIdentifier, EncodePublicKey, ObjectIdentifier, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef,
};

use crate::{Error, Scheme, VerifyingKey};

/// id-alg-xmss-hashsig, RFC 9802.
pub(crate) const XMSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.6.34");
/// id-alg-xmssmt-hashsig, RFC 9802.
pub(crate) const XMSS_MT: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.6.35");
/// id-alg-xmss of draft-vangeest-x509-hash-sigs.
pub(crate) const OLD_XMSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("0.4.0.127.0.15.1.1.13.0");
/// id-alg-xmssmt of the same draft.
pub(crate) const OLD_XMSS_MT: ObjectIdentifier = ObjectIdentifier::new_unwrap("0.4.0.127.0.15.1.1.14.0");

impl From<der::Error> for Error {
    fn from(error: der::Error) -> Self {
        Self::Spki(error.to_string())
    }
}

impl VerifyingKey {
    /// Reads a DER-encoded SubjectPublicKeyInfo, which identifies XMSS or XMSS^MT.
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
            return Err(Error::Spki(alloc::format!("the label is {label:?}")));
        }
        Self::from_spki_der(document.as_bytes())
    }

    /// Writes a DER-encoded SubjectPublicKeyInfo of RFC 9802.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::{Scheme, VerifyingKey};
    ///
    /// let key = VerifyingKey::from_bytes(Scheme::XmssMt, &[&[0, 0, 0, 1][..], &[7; 64]].concat())?;
    /// assert_eq!(VerifyingKey::from_spki_der(&key.to_spki_der())?, key);
    /// assert_eq!(VerifyingKey::from_spki_pem(&key.to_spki_pem())?, key);
    /// # Ok::<(), hashlanes::hbs::Error>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the set has no OID, like [`VerifyingKey::to_bytes`].
    pub fn to_spki_der(&self) -> Vec<u8> {
        self.to_public_key_der().expect("a short key").into_vec()
    }

    /// Writes a SubjectPublicKeyInfo in PEM.
    ///
    /// # Panics
    /// Panics if the set has no OID, like [`VerifyingKey::to_bytes`].
    pub fn to_spki_pem(&self) -> String {
        self.to_public_key_pem(der::pem::LineEnding::LF).expect("a short key")
    }

    fn from_spki(info: &SubjectPublicKeyInfoRef<'_>) -> Result<Self, Error> {
        let (scheme, is_old) = match info.algorithm.oid {
            XMSS => (Scheme::Xmss, false),
            XMSS_MT => (Scheme::XmssMt, false),
            OLD_XMSS => (Scheme::Xmss, true),
            OLD_XMSS_MT => (Scheme::XmssMt, true),
            oid => return Err(Error::Spki(alloc::format!("{oid} is neither XMSS nor XMSS^MT"))),
        };
        if info.algorithm.parameters.is_some() {
            return Err(Error::Spki("the algorithm has parameters".to_string()));
        }
        let bits = info.subject_public_key.as_bytes();
        let bits = bits.ok_or_else(|| Error::Spki("the key is not whole bytes".to_string()))?;
        Self::from_bytes(scheme, if is_old { <&OctetStringRef>::from_der(bits)?.as_bytes() } else { bits })
    }
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let oid = match self.set().scheme() {
            Scheme::Xmss => XMSS,
            Scheme::XmssMt => XMSS_MT,
        };
        let raw = self.to_bytes();
        let algorithm = AlgorithmIdentifier::<AnyRef<'_>> { oid, parameters: None };
        let subject_public_key = BitStringRef::from_bytes(&raw)?;
        let info = SubjectPublicKeyInfo { algorithm, subject_public_key };
        Ok(Document::try_from(info.to_der()?)?)
    }
}

/// For the trait `DecodePublicKey` of the crate `spki`, whose errors have fewer details.
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Self::from_spki(&info).map_err(|_| spki::Error::KeyMalformed)
    }
}
