//! Errors of certificates and signed messages.

use alloc::string::String;
use core::fmt;

/// Why a certificate or a message cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The DER is malformed, or a field has an unsupported value.
    Field {
        /// The field, from the outside to the inside: `SignedData: SignerInfo 1: digestAlgorithm`.
        field: String,
        /// The fault.
        why: String,
    },
    /// A distinguished name is malformed.
    Name(String),
    /// The end of a certificate's validity is before its beginning, or the year is after 9999.
    Validity,
    /// No standard has signed messages of this kind of key.
    NoStandard {
        /// The kind of key.
        kind: &'static str,
    },
    /// The certificate contains another public key.
    OtherKey,
    /// The digest is not by the message's hash function.
    OtherDigest,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { field, why } => write!(f, "{field}: {why}"),
            Self::Name(why) => write!(f, "name: {why}"),
            Self::Validity => f.write_str("the validity ends before it begins, or after the year 9999"),
            Self::NoStandard { kind } => {
                write!(f, "no standard has signed messages of {kind}; expected a key of SLH-DSA, HSS or LMS")
            }
            Self::OtherKey => f.write_str("the certificate contains another public key"),
            Self::OtherDigest => f.write_str("the digest is of another hash function"),
        }
    }
}

impl core::error::Error for Error {}
