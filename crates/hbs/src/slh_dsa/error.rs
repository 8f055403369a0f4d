//! Errors of SLH-DSA keys and signatures.

use alloc::string::String;
use core::fmt;

/// Why a key, a signature or a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The parameter set is unknown.
    UnknownSet(String),
    /// A public key has another length than its set requires.
    PublicKeyLength {
        /// In bytes.
        given: usize,
        /// In bytes.
        expected: usize,
    },
    /// A private key, or the seeds of one, has another length than its set requires.
    PrivateKeyLength {
        /// In bytes.
        given: usize,
        /// In bytes.
        expected: usize,
    },
    /// The root in a private key is not the root of its seeds.
    OtherRoot,
    /// A signature has another length than its set requires.
    SignatureLength {
        /// In bytes.
        given: usize,
        /// In bytes.
        expected: usize,
    },
    /// The random value of a hedged signature has another length than n.
    RandomLength {
        /// In bytes.
        given: usize,
        /// In bytes.
        expected: usize,
    },
    /// A context string is longer than 255 bytes.
    ContextLength(usize),
    /// The signature is not valid for this message under this key.
    Invalid,
    /// A key in DER or PEM is malformed, or belongs to another algorithm.
    Format(String),
    /// A key cannot be encrypted or decrypted.
    #[cfg(feature = "passphrase")]
    Passphrase(crate::passphrase::Error),
    /// A message could not be read.
    Message(String),
    /// The system's source of random numbers failed.
    Random(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSet(name) => {
                write!(f, "unknown parameter set {name:?}; expected SLH-DSA-SHA2-128s, SLH-DSA-SHAKE-256f, …")
            }
            Self::PublicKeyLength { given, expected } => {
                write!(f, "public key: {given} bytes instead of {expected}")
            }
            Self::PrivateKeyLength { given, expected } => {
                write!(f, "private key: {given} bytes instead of {expected}")
            }
            Self::OtherRoot => f.write_str("private key: damaged (its root is not the root of its seeds)"),
            Self::SignatureLength { given, expected } => {
                write!(f, "signature: {given} bytes instead of {expected}")
            }
            Self::RandomLength { given, expected } => {
                write!(f, "random value: {given} bytes instead of {expected}")
            }
            Self::ContextLength(given) => write!(f, "context string: {given} bytes, more than 255"),
            Self::Invalid => f.write_str("the signature is not valid"),
            Self::Format(what) => write!(f, "key: {what}"),
            #[cfg(feature = "passphrase")]
            Self::Passphrase(why) => why.fmt(f),
            Self::Message(why) => write!(f, "message: not readable ({why})"),
            Self::Random(why) => write!(f, "the system's source of random numbers failed: {why}"),
        }
    }
}

impl core::error::Error for Error {}
