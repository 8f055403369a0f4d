//! Reading signed messages: CMS, RFC 5652, section 5.

use alloc::format;
use alloc::vec::Vec;

use spki::ObjectIdentifier;

use super::digest_algorithm;
use super::error::Error;
use super::reading::Fields;
use super::signed_message::{CONTENT_TYPE, DATA, MESSAGE_DIGEST, SIGNED_DATA};
use super::writing::{CONTEXT, CONTEXT_CONSTRUCTED, INTEGER, NULL, OCTET_STRING, SEQUENCE, SET, element};
use crate::slh_dsa::{Digest, PreHash};

/// A signed message, of any number of signers. Certificates in it are ignored.
#[derive(Clone, Debug)]
pub struct ReceivedMessage<'a> {
    content: Option<&'a [u8]>,
    signers: Vec<Signer<'a>>,
}

/// A signer of a message.
#[derive(Clone, Debug)]
pub struct Signer<'a> {
    function: PreHash,
    algorithm: ObjectIdentifier,
    /// The signed attributes as a SET, and the digest in them. `None`: the content itself is signed.
    attributes: Option<(Vec<u8>, &'a [u8])>,
    signature: &'a [u8],
}

impl<'a> ReceivedMessage<'a> {
    /// Returns whether bytes begin like a message in DER, rather than like a raw signature.
    pub fn is_one(bytes: &[u8]) -> bool {
        let begin = [&[6, 9], SIGNED_DATA.as_bytes()].concat();
        let head = match bytes {
            [SEQUENCE, 0x80, ..] => 2,
            [SEQUENCE, length, ..] if *length > 0x80 => 2 + usize::from(length & 0x7f),
            [SEQUENCE, ..] => 2,
            _ => return false,
        };
        bytes.get(head..).is_some_and(|rest| rest.starts_with(&begin))
    }

    /// Reads a message in DER.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::pki::ReceivedMessage;
    ///
    /// let error = ReceivedMessage::from_der(&[0x30, 3, 6, 1, 42]).unwrap_err();
    /// assert_eq!(error.to_string(), "ContentInfo: contentType: 1.2; expected signedData");
    /// ```
    ///
    /// # Errors
    /// [`Error::Field`], which names the field.
    pub fn from_der(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut info = Fields::of_whole("ContentInfo", SEQUENCE, bytes)?;
        let kind = info.oid("contentType")?;
        if kind != SIGNED_DATA {
            return Err(info.error("contentType", format!("{kind}; expected signedData")));
        }
        let content = info.next("content", CONTEXT_CONSTRUCTED)?;
        info.end()?;
        let mut data = Fields::of_whole("SignedData", SEQUENCE, content.value)?;
        data.next("version", INTEGER)?;
        data.next("digestAlgorithms", SET)?;
        let mut encapsulated = data.inner("encapContentInfo", SEQUENCE)?;
        let content_type = encapsulated.oid("eContentType")?;
        if content_type != DATA {
            return Err(encapsulated.error("eContentType", format!("{content_type}; expected data")));
        }
        let content = match encapsulated.optional("eContent", CONTEXT_CONSTRUCTED)? {
            None => None,
            Some(explicit) => {
                let mut explicit = Fields::of("SignedData: encapContentInfo: eContent", explicit.value);
                let octets = explicit.next("", OCTET_STRING)?;
                explicit.end()?;
                Some(octets.value)
            }
        };
        encapsulated.end()?;
        data.optional("certificates", CONTEXT_CONSTRUCTED)?;
        data.optional("crls", CONTEXT_CONSTRUCTED | 1)?;
        let mut infos = data.inner("signerInfos", SET)?;
        data.end()?;
        let mut signers = Vec::new();
        while !infos.is_at_end() {
            let fields = infos.inner(&format!("SignerInfo {}", signers.len()), SEQUENCE)?;
            signers.push(Signer::read(fields)?);
        }
        if signers.is_empty() {
            return Err(infos.error("", "no signature"));
        }
        Ok(Self { content, signers })
    }

    /// Returns the content, unless it is detached.
    pub fn content(&self) -> Option<&'a [u8]> {
        self.content
    }

    /// Returns the signers; at least one.
    pub fn signers(&self) -> &[Signer<'a>] {
        &self.signers
    }
}

impl<'a> Signer<'a> {
    fn read(mut fields: Fields<'a>) -> Result<Self, Error> {
        fields.next("version", INTEGER)?;
        match fields.peek() {
            Some(SEQUENCE | CONTEXT) => fields.any("sid")?,
            _ => return Err(fields.error("sid", "expected an issuer and serial number, or a key identifier")),
        };
        let mut algorithm = fields.inner("digestAlgorithm", SEQUENCE)?;
        let oid = algorithm.oid("algorithm")?;
        let function = digest_algorithm::function_of(oid)
            .ok_or_else(|| algorithm.error("", format!("unknown hash function {oid}")))?;
        // RFC 5754: implementations accept parameters that are NULL.
        algorithm.optional("parameters", NULL)?;
        algorithm.end()?;
        let mut copy = fields.clone();
        let attributes = match fields.optional("signedAttrs", CONTEXT_CONSTRUCTED)? {
            None => None,
            Some(attributes) => {
                let digest = digest_in(copy.inner("signedAttrs", CONTEXT_CONSTRUCTED)?)?;
                // The signature is over a SET.
                Some((element(SET, &[attributes.value]), digest))
            }
        };
        let mut algorithm = fields.inner("signatureAlgorithm", SEQUENCE)?;
        let oid = algorithm.oid("algorithm")?;
        if !algorithm.is_at_end() {
            return Err(algorithm.error("parameters", "expected none"));
        }
        let signature = fields.next("signature", OCTET_STRING)?.value;
        fields.optional("unsignedAttrs", CONTEXT_CONSTRUCTED | 1)?;
        fields.end()?;
        Ok(Self { function, algorithm: oid, attributes, signature })
    }

    /// Returns the hash function of the content's digest.
    pub fn digest_function(&self) -> PreHash {
        self.function
    }

    /// Returns whether a SubjectPublicKeyInfo has the algorithm of this signature.
    pub fn is_of(&self, spki_der: &[u8]) -> bool {
        super::certificate::KeyInfo::of(spki_der).is_ok_and(|info| info.oid == self.algorithm)
    }

    /// Returns whether the content itself is signed, without attributes.
    pub fn signs_content(&self) -> bool {
        self.attributes.is_none()
    }

    /// Returns the signed bytes of a content with this digest: the attributes. `None` if the content is
    /// another one, or is signed without attributes.
    pub fn signed(&self, digest: &Digest) -> Option<&[u8]> {
        let (attributes, expected) = self.attributes.as_ref()?;
        (digest.function() == self.function && digest.bytes() == *expected).then_some(&attributes[..])
    }

    /// Returns the signature.
    pub fn signature(&self) -> &'a [u8] {
        self.signature
    }
}

/// Returns the digest in the signed attributes. contentType and messageDigest are there, once each.
fn digest_in(mut fields: Fields<'_>) -> Result<&[u8], Error> {
    let (mut digest, mut content_type) = (None, None);
    while !fields.is_at_end() {
        let mut attribute = fields.inner("attribute", SEQUENCE)?;
        let kind = attribute.oid("attrType")?;
        let mut values = attribute.inner("attrValues", SET)?;
        attribute.end()?;
        let is_repeated = match kind {
            MESSAGE_DIGEST => digest.replace(values.next("messageDigest", OCTET_STRING)?.value).is_some(),
            CONTENT_TYPE => content_type.replace(values.oid("contentType")?).is_some(),
            _ => continue,
        };
        values.end()?;
        if is_repeated {
            return Err(attribute.error("", format!("{kind} occurs twice")));
        }
    }
    match (digest, content_type) {
        (Some(digest), Some(DATA)) => Ok(digest),
        (None, _) => Err(fields.error("messageDigest", "is missing")),
        (_, None) => Err(fields.error("contentType", "is missing")),
        (_, Some(other)) => Err(fields.error("contentType", format!("{other}; expected data"))),
    }
}
