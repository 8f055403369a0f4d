//! The hash functions of signed messages: their identifiers (RFC 5754, RFC 8702), and which one a key uses.

use alloc::format;
use alloc::string::ToString;

use spki::ObjectIdentifier;

use super::certificate::KeyInfo;
use super::error::Error;
use crate::slh_dsa::PreHash;

/// id-alg-hss-lms-hashsig.
const HSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.3.17");
/// The arcs of NIST's hash functions and of SLH-DSA.
const HASHES: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2");
const SIGNATURES: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3");
/// LMS of SHA-256, 192 bits and 256 bits, end before this type (RFC 8554, RFC 9858); then come those of
/// SHAKE.
const LMS_OF_SHA256: core::ops::RangeInclusive<u32> = 5..=14;

/// Returns the identifier of a hash function.
pub(super) fn oid_of(function: PreHash) -> ObjectIdentifier {
    HASHES.push_arc(function.number().into()).expect("a short identifier")
}

/// Returns the hash function of an identifier.
pub(super) fn function_of(oid: ObjectIdentifier) -> Option<PreHash> {
    PreHash::ALL.iter().copied().find(|function| oid_of(*function) == oid)
}

/// Returns the hash function for messages of a key: RFC 9814, section 4, and RFC 9708, section 5.
pub(super) fn for_key(info: &KeyInfo<'_>) -> Result<PreHash, Error> {
    if info.oid == HSS {
        // u32str(L) ‖ u32str(type) ‖ …
        let kind = info.key.get(4..8).and_then(|kind| kind.try_into().ok()).map(u32::from_be_bytes);
        let is_sha256 = kind.is_some_and(|kind| LMS_OF_SHA256.contains(&kind));
        return Ok(if is_sha256 { PreHash::Sha256 } else { PreHash::Shake256 });
    }
    // The sets' numbers: SHA2-128s, 128f, 192s, 192f, 256s, 256f, and the same of SHAKE.
    let number = (20..=31).find(|number| SIGNATURES.push_arc(*number).is_ok_and(|oid| oid == info.oid));
    match number {
        Some(20 | 21) => Ok(PreHash::Sha256),
        Some(22..=25) => Ok(PreHash::Sha512),
        Some(26 | 27) => Ok(PreHash::Shake128),
        Some(_) => Ok(PreHash::Shake256),
        None if info.oid == crate::spki::XMSS => Err(Error::NoStandard { kind: "XMSS" }),
        None if info.oid == crate::spki::XMSS_MT => Err(Error::NoStandard { kind: "XMSS^MT" }),
        None => Err(Error::Field {
            field: "SubjectPublicKeyInfo: algorithm".to_string(),
            why: format!("{}; expected SLH-DSA or HSS", info.oid),
        }),
    }
}
