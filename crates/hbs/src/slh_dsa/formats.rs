//! Keys in DER and PEM (RFC 9909): SubjectPublicKeyInfo, and OneAsymmetricKey of PKCS#8.
//!
//! Both hold the raw key: the first in its BIT STRING, the second in its OCTET STRING. The algorithm has no
//! parameters.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use der::pem::LineEnding;
use der::{Decode, Document, Encode, Reader, SecretDocument, SliceReader, Tagged};
use spki::{
    AlgorithmIdentifier, AlgorithmIdentifierRef, EncodePublicKey, ObjectIdentifier, SubjectPublicKeyInfo,
    SubjectPublicKeyInfoRef,
};
use zeroize::Zeroizing;

use super::error::Error;
use super::params::ParameterSet;
use super::signing_key::SigningKey;
use super::verifying_key::VerifyingKey;
#[cfg(feature = "passphrase")]
use crate::passphrase::{self, Passphrase};

/// The label of an encrypted key.
#[cfg(feature = "passphrase")]
const ENCRYPTED: &str = "HASHLANES ENCRYPTED PRIVATE KEY";
/// The arc of the sets: RFC 9909, section 3.
const SIGNATURES: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3");
/// Difference between the numbers of a set's pre-hash form and of the set.
const PRE_HASH: u8 = 15;

fn damaged(error: der::Error) -> Error {
    Error::Format(error.to_string())
}

fn oid_of(set: ParameterSet) -> ObjectIdentifier {
    SIGNATURES.push_arc(set.oid().into()).expect("a short identifier")
}

/// Returns the set of an algorithm identifier. Keys for pre-hashed messages only are also read.
fn set_of(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<ParameterSet, Error> {
    let mut sets = ParameterSet::all();
    let is_of = |set: &ParameterSet| {
        let pre_hash = SIGNATURES.push_arc((set.oid() + PRE_HASH).into()).expect("a short identifier");
        algorithm.oid == oid_of(*set) || algorithm.oid == pre_hash
    };
    let set = sets
        .find(is_of)
        .ok_or_else(|| Error::Format(format!("algorithm {}; expected SLH-DSA", algorithm.oid)))?;
    match algorithm.parameters {
        None => Ok(set),
        Some(_) => Err(Error::Format("the algorithm has parameters; expected none".to_string())),
    }
}

fn read_pem(pem: &str, label: &str) -> Result<SecretDocument, Error> {
    let (given, document) = SecretDocument::from_pem(pem).map_err(damaged)?;
    if given == label {
        Ok(document)
    } else {
        Err(Error::Format(format!("PEM of {given:?}; expected {label:?}")))
    }
}

impl VerifyingKey {
    /// Reads a DER-encoded SubjectPublicKeyInfo, which names the set.
    ///
    /// # Errors
    /// [`Error::Format`] if it is malformed or of another algorithm; [`Error::PublicKeyLength`] if the raw
    /// key has a wrong length.
    pub fn from_spki_der(der: &[u8]) -> Result<Self, Error> {
        Self::from_spki(&SubjectPublicKeyInfoRef::from_der(der).map_err(damaged)?)
    }

    /// Reads a SubjectPublicKeyInfo in PEM, `-----BEGIN PUBLIC KEY-----`.
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::from_spki_der`].
    pub fn from_spki_pem(pem: &str) -> Result<Self, Error> {
        Self::from_spki_der(read_pem(pem, "PUBLIC KEY")?.as_bytes())
    }

    /// Writes a DER-encoded SubjectPublicKeyInfo.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::slh_dsa::VerifyingKey;
    ///
    /// let set = "SLH-DSA-SHA2-192s".parse()?;
    /// let key = VerifyingKey::from_bytes(set, &[7; 48])?;
    /// assert_eq!(VerifyingKey::from_spki_der(&key.to_spki_der())?, key);
    /// assert_eq!(VerifyingKey::from_spki_pem(&key.to_spki_pem())?, key);
    /// # Ok::<(), hashlanes::hbs::slh_dsa::Error>(())
    /// ```
    pub fn to_spki_der(&self) -> Vec<u8> {
        self.to_public_key_der().expect("a short key").into_vec()
    }

    /// Writes a SubjectPublicKeyInfo in PEM.
    pub fn to_spki_pem(&self) -> String {
        self.to_public_key_pem(LineEnding::LF).expect("a short key")
    }

    fn from_spki(info: &SubjectPublicKeyInfoRef<'_>) -> Result<Self, Error> {
        let set = set_of(&info.algorithm)?;
        let bits = info.subject_public_key.as_bytes();
        let bits = bits.ok_or_else(|| Error::Format("the public key is not whole bytes".to_string()))?;
        Self::from_bytes(set, bits)
    }
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let algorithm = AlgorithmIdentifier::<AnyRef<'_>> { oid: oid_of(self.set()), parameters: None };
        let subject_public_key = BitStringRef::from_bytes(self.as_bytes())?;
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

/// Reports a fault in PKCS#8.
enum Fault {
    Der(der::Error),
    Key(Error),
}

impl From<der::Error> for Fault {
    fn from(error: der::Error) -> Self {
        Self::Der(error)
    }
}

impl SigningKey {
    /// Reads a DER-encoded key of PKCS#8. The root is not computed: see [`SigningKey::check`].
    ///
    /// # Errors
    /// [`Error::Format`] if it is malformed or of another algorithm; [`Error::PrivateKeyLength`] if the raw
    /// key has a wrong length.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, Error> {
        read_pkcs8(der).map_err(|fault| match fault {
            Fault::Der(error) => damaged(error),
            Fault::Key(error) => error,
        })
    }

    /// Reads a key of PKCS#8 in PEM, `-----BEGIN PRIVATE KEY-----`.
    ///
    /// # Errors
    /// The errors of [`SigningKey::from_pkcs8_der`].
    pub fn from_pkcs8_pem(pem: &str) -> Result<Self, Error> {
        Self::from_pkcs8_der(read_pem(pem, "PRIVATE KEY")?.as_bytes())
    }

    /// Writes the key in PKCS#8, DER-encoded. The result is overwritten when dropped.
    ///
    /// # Panics
    /// Never.
    pub fn to_pkcs8_der(&self) -> Zeroizing<Vec<u8>> {
        let algorithm = AlgorithmIdentifier::<AnyRef<'_>> { oid: oid_of(self.set()), parameters: None };
        let algorithm = algorithm.to_der().expect("a short identifier");
        // A SEQUENCE of the version 0, the algorithm, and an OCTET STRING of the key.
        let mut content = Zeroizing::new(Vec::with_capacity(3 + algorithm.len() + 3 + self.as_bytes().len()));
        content.extend_from_slice(&[2, 1, 0]);
        content.extend_from_slice(&algorithm);
        put_head(4, self.as_bytes().len(), &mut content);
        content.extend_from_slice(self.as_bytes());
        let mut der = Zeroizing::new(Vec::with_capacity(4 + content.len()));
        put_head(0x30, content.len(), &mut der);
        der.extend_from_slice(&content);
        der
    }

    /// Writes the key in PKCS#8 and PEM. The result is overwritten when dropped.
    ///
    /// # Panics
    /// Never.
    pub fn to_pkcs8_pem(&self) -> Zeroizing<String> {
        let document = SecretDocument::try_from(self.to_pkcs8_der().as_slice()).expect("DER");
        document.to_pem("PRIVATE KEY", LineEnding::LF).expect("a short key")
    }
}

#[cfg(feature = "passphrase")]
impl SigningKey {
    /// Writes the key in PEM, encrypted under a passphrase.
    ///
    /// The label is `HASHLANES ENCRYPTED PRIVATE KEY`: no standard has Argon2id for PKCS#8. The bytes are
    /// those of [`Passphrase::seal`] for the DER-encoded key of PKCS#8.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::passphrase::{Cost, Passphrase};
    /// use hashlanes::hbs::slh_dsa::{Error, SigningKey};
    ///
    /// let key = SigningKey::from_seeds("SLH-DSA-SHA2-128f".parse()?, &[7; 48])?;
    /// let passphrase = Passphrase::new(*b"correct horse battery staple").map_err(Error::Passphrase)?;
    /// let pem = key.to_encrypted_pem(&passphrase)?;
    /// assert!(SigningKey::is_encrypted_pem(&pem));
    /// let read = SigningKey::from_encrypted_pem(&pem, &passphrase)?;
    /// assert_eq!(read.verifying_key(), key.verifying_key());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Passphrase`] if there is no memory for Argon2id, or the source of random numbers fails.
    ///
    /// # Panics
    /// Never.
    pub fn to_encrypted_pem(&self, passphrase: &Passphrase) -> Result<Zeroizing<String>, Error> {
        let der = self.to_pkcs8_der();
        let sealed = passphrase.seal(&der).map_err(Error::Passphrase)?;
        // The key would be lost if the machine had computed wrongly.
        if *passphrase.open(&sealed).map_err(Error::Passphrase)? != *der {
            return Err(Error::Passphrase(passphrase::Error::WrongPassphrase));
        }
        let pem = der::pem::encode_string(ENCRYPTED, LineEnding::LF, &sealed);
        Ok(Zeroizing::new(pem.expect("a short key")))
    }

    /// Reads a key that [`SigningKey::to_encrypted_pem`] wrote.
    ///
    /// # Errors
    /// [`Error::Passphrase`] if the passphrase is wrong or the file was changed; the errors of
    /// [`SigningKey::from_pkcs8_pem`].
    pub fn from_encrypted_pem(pem: &str, passphrase: &Passphrase) -> Result<Self, Error> {
        let (label, sealed) =
            der::pem::decode_vec(pem.as_bytes()).map_err(|error| Error::Format(error.to_string()))?;
        if label != ENCRYPTED {
            return Err(Error::Format(format!("PEM of {label:?}; expected {ENCRYPTED:?}")));
        }
        Self::from_pkcs8_der(&passphrase.open(&sealed).map_err(Error::Passphrase)?)
    }

    /// Returns whether a text begins like the result of [`SigningKey::to_encrypted_pem`].
    pub fn is_encrypted_pem(text: &str) -> bool {
        let rest = text.trim_ascii_start().strip_prefix("-----BEGIN ");
        rest.is_some_and(|rest| rest.starts_with(ENCRYPTED))
    }
}

/// Writes a tag and a length below 256.
fn put_head(tag: u8, length: usize, to: &mut Vec<u8>) {
    to.push(tag);
    if length >= 0x80 {
        to.push(0x81);
    }
    to.push(u8::try_from(length).expect("a short value"));
}

fn read_pkcs8(der: &[u8]) -> Result<SigningKey, Fault> {
    let other = |what: String| Fault::Key(Error::Format(what));
    let mut reader = SliceReader::new(der)?;
    let (algorithm, key) = reader.sequence(|reader| {
        let version: u8 = reader.decode()?;
        if version > 1 {
            return Err(other(format!("PKCS#8 version {version}; expected 0 or 1")));
        }
        let algorithm: AlgorithmIdentifierRef<'_> = reader.decode()?;
        let key: &OctetStringRef = reader.decode()?;
        // Attributes [0] and the public key [1].
        while !reader.is_finished() {
            let tag = AnyRef::decode(reader)?.tag();
            if !tag.is_context_specific() {
                return Err(other(format!("unexpected {tag} after the key")));
            }
        }
        Ok((algorithm, key.as_bytes()))
    })?;
    reader.finish()?;
    let set = set_of(&algorithm).map_err(Fault::Key)?;
    SigningKey::from_bytes(set, key).map_err(Fault::Key)
}
