//! Writing signed messages: CMS, RFC 5652, section 5, with keys of RFC 9708 and RFC 9814.
//!
//! ```text
//! ContentInfo      signedData
//! SignedData       version, digestAlgorithms, content (or without), certificates, SignerInfo
//! SignerInfo       version, issuer and serial number (of a certificate) or key identifier, digestAlgorithm,
//!                  signedAttrs: contentType and messageDigest, signatureAlgorithm, signature
//! ```

use alloc::vec::Vec;

use spki::ObjectIdentifier;

use super::certificate::{KeyInfo, Parts};
use super::digest_algorithm;
use super::error::Error;
use super::writing::{CONTEXT, CONTEXT_CONSTRUCTED, OCTET_STRING, SEQUENCE, SET, element, integer, oid};
use crate::slh_dsa::{Digest, PreHash};

pub(super) const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
pub(super) const DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.1");
pub(super) const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
pub(super) const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");

/// A message that is not signed yet: CMS's SignedData with one signer.
#[derive(Clone, Debug)]
pub struct SignedMessage {
    function: PreHash,
    spki_der: Vec<u8>,
    algorithm: Vec<u8>,
    /// SignerIdentifier.
    signer: Vec<u8>,
    /// Of SignerInfo; that of SignedData is the same.
    version: u8,
    certificate: Option<Vec<u8>>,
}

impl SignedMessage {
    /// Begins a message of the key `spki_der`, which names the key by its identifier.
    ///
    /// # Errors
    /// [`Error::Field`] if the key is malformed; [`Error::NoStandard`] for keys of XMSS and XMSS^MT.
    pub fn new(spki_der: &[u8]) -> Result<Self, Error> {
        let info = KeyInfo::of(spki_der)?;
        Ok(Self {
            function: digest_algorithm::for_key(&info)?,
            spki_der: spki_der.to_vec(),
            algorithm: info.algorithm.to_vec(),
            signer: element(CONTEXT, &[&info.identifier()]),
            version: 3,
            certificate: None,
        })
    }

    /// Includes a certificate of the key, and names the key by its issuer and serial number.
    ///
    /// # Errors
    /// [`Error::Field`] if the certificate is malformed; [`Error::OtherKey`].
    pub fn certificate(self, certificate: &[u8]) -> Result<Self, Error> {
        let parts = Parts::of(certificate)?;
        if parts.spki_der != self.spki_der {
            return Err(Error::OtherKey);
        }
        let signer = element(SEQUENCE, &[parts.issuer, parts.serial]);
        Ok(Self { signer, version: 1, certificate: Some(certificate.to_vec()), ..self })
    }

    /// Returns the hash function of the content's digest.
    pub fn digest_function(&self) -> PreHash {
        self.function
    }

    /// Returns the bytes to sign: the signed attributes.
    ///
    /// # Errors
    /// [`Error::OtherDigest`] if the digest is by another function than [`SignedMessage::digest_function`].
    pub fn to_sign(&self, digest: &Digest) -> Result<Vec<u8>, Error> {
        if digest.function() != self.function {
            return Err(Error::OtherDigest);
        }
        Ok(element(SET, &[&attributes(digest)]))
    }

    /// Returns the message in DER, with its signature; with `content` in it, or detached from it.
    #[must_use]
    pub fn finish(&self, digest: &Digest, signature: &[u8], content: Option<&[u8]>) -> Vec<u8> {
        let function = element(SEQUENCE, &[&oid(digest_algorithm::oid_of(self.function))]);
        let info = element(
            SEQUENCE,
            &[
                &integer(self.version),
                &self.signer,
                &function,
                &element(CONTEXT_CONSTRUCTED, &[&attributes(digest)]),
                &self.algorithm,
                &element(OCTET_STRING, &[signature]),
            ],
        );
        let content =
            content.map(|content| element(CONTEXT_CONSTRUCTED, &[&element(OCTET_STRING, &[content])]));
        let certificates =
            self.certificate.as_ref().map(|certificate| element(CONTEXT_CONSTRUCTED, &[certificate]));
        let data = element(
            SEQUENCE,
            &[
                &integer(self.version),
                &element(SET, &[&function]),
                &element(SEQUENCE, &[&oid(DATA), content.as_deref().unwrap_or_default()]),
                certificates.as_deref().unwrap_or_default(),
                &element(SET, &[&info]),
            ],
        );
        element(SEQUENCE, &[&oid(SIGNED_DATA), &element(CONTEXT_CONSTRUCTED, &[&data])])
    }
}

/// Returns contentType and messageDigest, in the order of a SET OF.
fn attributes(digest: &Digest) -> Vec<u8> {
    let attribute = |kind, value: &[u8]| element(SEQUENCE, &[&oid(kind), &element(SET, &[value])]);
    let mut attributes = [
        attribute(CONTENT_TYPE, &oid(DATA)),
        attribute(MESSAGE_DIGEST, &element(OCTET_STRING, &[digest.bytes()])),
    ];
    attributes.sort_unstable();
    attributes.concat()
}
