//! Certificates: RFC 5280, section 4.

use alloc::vec::Vec;
use core::time::Duration;

use der::Encode;
use der::asn1::{GeneralizedTime, UtcTime};
use hashlanes_sha::Sha256;
use spki::ObjectIdentifier;

use super::error::Error;
use super::name::Name;
use super::reading::Fields;
use super::writing::{
    BIT_STRING, BOOLEAN, CONTEXT_CONSTRUCTED, INTEGER, OCTET_STRING, SEQUENCE, bit_string, element, integer,
    oid,
};

const SUBJECT_KEY_IDENTIFIER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.14");
const KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.15");
const BASIC_CONSTRAINTS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.19");

/// The parts of a SubjectPublicKeyInfo.
pub(super) struct KeyInfo<'a> {
    /// AlgorithmIdentifier, which also identifies the signatures.
    pub(super) algorithm: &'a [u8],
    pub(super) oid: ObjectIdentifier,
    /// The content of the BIT STRING.
    pub(super) key: &'a [u8],
}

impl<'a> KeyInfo<'a> {
    pub(super) fn of(spki_der: &'a [u8]) -> Result<Self, Error> {
        let mut info = Fields::of_whole("SubjectPublicKeyInfo", SEQUENCE, spki_der)?;
        let mut copy = info.clone();
        let algorithm = copy.any("algorithm")?.whole;
        let oid = info.inner("algorithm", SEQUENCE)?.oid("algorithm")?;
        let key = info.bits("subjectPublicKey")?;
        info.end()?;
        Ok(Self { algorithm, oid, key })
    }

    /// Returns the key's identifier: method 1 of RFC 7093, section 2.
    pub(super) fn identifier(&self) -> [u8; 20] {
        *hashlanes_sha::sha256(self.key).first_chunk().expect("32 bytes")
    }
}

/// A certificate that is not signed yet.
///
/// It is self-signed: issuer and subject are the same. The extensions are the subject's key identifier (RFC
/// 7093), basic constraints and the key's usage, which is to sign. The serial number is a hash of the other
/// fields.
#[derive(Clone, Debug)]
pub struct Certificate {
    to_sign: Vec<u8>,
    algorithm: Vec<u8>,
}

impl Certificate {
    /// Begins a certificate of the key `spki_der`, valid from and until these seconds after the beginning of
    /// 1970.
    ///
    /// # Errors
    /// [`Error::Field`] if the key is malformed; [`Error::Validity`].
    pub fn self_signed(spki_der: &[u8], subject: &Name, from: u64, until: u64) -> Result<Self, Error> {
        Self::new(spki_der, subject, (from, until), Usage::Signatures)
    }

    /// Begins the certificate of an authority, whose key signs other certificates.
    ///
    /// # Errors
    /// The errors of [`Certificate::self_signed`].
    pub fn self_signed_authority(
        spki_der: &[u8],
        subject: &Name,
        from: u64,
        until: u64,
    ) -> Result<Self, Error> {
        Self::new(spki_der, subject, (from, until), Usage::Authority)
    }

    fn new(spki_der: &[u8], subject: &Name, (from, until): (u64, u64), usage: Usage) -> Result<Self, Error> {
        let info = KeyInfo::of(spki_der)?;
        if from > until {
            return Err(Error::Validity);
        }
        let validity = element(SEQUENCE, &[&time(from)?, &time(until)?]);
        let mut serial = Sha256::new();
        [spki_der, subject.as_der(), &validity].iter().for_each(|part| serial.update(part));
        let serial = serial.finish();
        // Positive, and without a zero at its begin.
        let serial = element(INTEGER, &[&[serial[0] & 0x3f | 0x40], &serial[1..16]]);
        let to_sign = element(
            SEQUENCE,
            &[
                // Version 3.
                &element(CONTEXT_CONSTRUCTED, &[&integer(2)]),
                &serial,
                info.algorithm,
                subject.as_der(),
                &validity,
                subject.as_der(),
                spki_der,
                &element(CONTEXT_CONSTRUCTED | 3, &[&extensions(&info, usage)]),
            ],
        );
        Ok(Self { to_sign, algorithm: info.algorithm.to_vec() })
    }

    /// Returns the bytes to sign.
    pub fn to_sign(&self) -> &[u8] {
        &self.to_sign
    }

    /// Returns the certificate in DER, with its signature.
    #[must_use]
    pub fn finish(&self, signature: &[u8]) -> Vec<u8> {
        element(SEQUENCE, &[&self.to_sign, &self.algorithm, &bit_string(signature)])
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Usage {
    Signatures,
    Authority,
}

fn extensions(info: &KeyInfo<'_>, usage: Usage) -> Vec<u8> {
    const TRUE: [u8; 3] = [BOOLEAN, 1, 0xff];
    let extension = |id, critical: &[u8], value: &[u8]| {
        element(SEQUENCE, &[&oid(id), critical, &element(OCTET_STRING, &[value])])
    };
    let identifier = element(OCTET_STRING, &[&info.identifier()]);
    // digitalSignature is bit 0; keyCertSign and cRLSign are bits 5 and 6. One and seven bits are unused.
    let (constraints, usage): (&[u8], [u8; 2]) = match usage {
        Usage::Signatures => (&[], [7, 0x80]),
        Usage::Authority => (&TRUE, [1, 0x86]),
    };
    element(
        SEQUENCE,
        &[
            &extension(SUBJECT_KEY_IDENTIFIER, &[], &identifier),
            &extension(KEY_USAGE, &TRUE, &element(BIT_STRING, &[&usage])),
            &extension(BASIC_CONSTRAINTS, &TRUE, &element(SEQUENCE, &[constraints])),
        ],
    )
}

/// UTCTime before 2050, GeneralizedTime from then on.
fn time(seconds: u64) -> Result<Vec<u8>, Error> {
    let duration = Duration::from_secs(seconds);
    let time = match UtcTime::from_unix_duration(duration) {
        Ok(time) => time.to_der(),
        Err(_) => GeneralizedTime::from_unix_duration(duration).map_err(|_| Error::Validity)?.to_der(),
    };
    time.map_err(|_| Error::Validity)
}

/// The fields of a certificate that others refer to.
pub(super) struct Parts<'a> {
    pub(super) issuer: &'a [u8],
    pub(super) serial: &'a [u8],
    pub(super) spki_der: &'a [u8],
}

impl<'a> Parts<'a> {
    pub(super) fn of(certificate: &'a [u8]) -> Result<Self, Error> {
        let mut fields = Fields::of_whole("Certificate", SEQUENCE, certificate)?;
        let mut signed = fields.inner("tbsCertificate", SEQUENCE)?;
        signed.optional("version", CONTEXT_CONSTRUCTED)?;
        let serial = signed.next("serialNumber", INTEGER)?.whole;
        signed.next("signature", SEQUENCE)?;
        let issuer = signed.next("issuer", SEQUENCE)?.whole;
        signed.next("validity", SEQUENCE)?;
        signed.next("subject", SEQUENCE)?;
        let spki_der = signed.next("subjectPublicKeyInfo", SEQUENCE)?.whole;
        fields.next("signatureAlgorithm", SEQUENCE)?;
        fields.bits("signature")?;
        fields.end()?;
        Ok(Self { issuer, serial, spki_der })
    }
}

/// Returns the SubjectPublicKeyInfo in a certificate. Neither the signature nor the validity is checked.
///
/// # Errors
/// [`Error::Field`] if the certificate is malformed.
pub fn public_key_of(certificate: &[u8]) -> Result<&[u8], Error> {
    Parts::of(certificate).map(|parts| parts.spki_der)
}
