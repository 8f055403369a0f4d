//! Errors of keys, signatures and requests.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;

use crate::params::{ParameterSet, Scheme};

/// Why a key, a signature or a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The parameter set's name is unknown.
    #[cfg(feature = "alloc")]
    UnknownSet(String),
    /// The parameter set's OID is unknown.
    UnknownOid {
        /// XMSS or XMSS^MT: each numbers its sets from 1.
        scheme: Scheme,
        /// The OID.
        oid: u32,
    },
    /// The set uses SHAKE, which this crate does not support.
    Shake(ParameterSet),
    /// A pair of an LMS and an LM-OTS typecode that no standard defines, or of different hashes.
    Typecode {
        /// The LMS typecode.
        lms: u32,
        /// The LM-OTS typecode.
        lmots: u32,
    },
    /// A number of levels, or a pair of levels, that HSS does not allow.
    Levels(&'static str),
    /// A public key has another length than its set requires.
    PublicKeyLength {
        /// The key's length in bytes.
        given: usize,
        /// The required length in bytes; for a key too short to name its set, the shortest length.
        expected: usize,
    },
    /// A SubjectPublicKeyInfo that is malformed, or not of XMSS or XMSS^MT.
    #[cfg(feature = "alloc")]
    Spki(String),
    /// A signature has another length than its set requires.
    SignatureLength {
        /// The signature's length in bytes.
        given: usize,
        /// The required length in bytes.
        expected: usize,
    },
    /// The index of a signature or a request is not below 2^h.
    Index {
        /// The index.
        index: u64,
        /// The number of signatures, 2^h.
        signatures: u64,
    },
    /// The signature is not valid for the message under the key.
    Invalid,
    /// The seeds do not have a length of 3 · n bytes.
    SeedsLength {
        /// The seeds' length in bytes.
        given: usize,
        /// The required length in bytes.
        expected: usize,
    },
    /// An imported secret key is shorter than its set requires.
    SecretKeyLength {
        /// The key's length in bytes.
        given: usize,
        /// The least length in bytes.
        expected: usize,
    },
    /// An imported secret key is damaged, or its format is unknown.
    #[cfg(feature = "alloc")]
    SecretKey(String),
    /// A message could not be read.
    #[cfg(feature = "alloc")]
    Message(String),
    /// The system's source of random numbers failed.
    #[cfg(feature = "alloc")]
    Random(String),
    /// The older derivation is not defined for this set: SP 800-208 introduced n = 24.
    NoLegacy(ParameterSet),
    /// The seeds give another root than the expected one.
    OtherRoot,
    /// Another key made the signature: its random value does not come from this key's secrets.
    OtherSigner,
    /// An index below the next one was requested; it may have been used.
    IndexUsed {
        /// The requested index.
        index: u64,
        /// The next index.
        next: u64,
    },
    /// The key is exhausted: all 2^h signatures are made.
    Exhausted,
    /// A new signature did not verify and was not released; its index is used up.
    SelfCheck,
    /// A rebuilt tree has another root than the one that was signed: a computing error or a fault attack.
    /// Nothing is released, because a second signature with the same index would help a forger.
    Fault {
        /// The tree's layer.
        layer: u32,
        /// The tree's number in its layer.
        tree: u64,
        /// The first index after the tree: signatures from there on do not depend on it.
        end: u64,
    },
    /// The kernel is unknown, or this CPU cannot run it; the text lists the available ones.
    #[cfg(feature = "alloc")]
    Kernel(String),
    /// The caller stopped the generation of a key.
    Stopped,
    /// The file of nodes belongs to another key.
    OtherNodes,
    /// The file of nodes cannot be read or written.
    #[cfg(feature = "alloc")]
    File(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "alloc")]
            Self::UnknownSet(name) => {
                write!(
                    f,
                    "unknown parameter set {name:?}; examples of names: XMSS-SHA2_10_256, XMSSMT-SHA2_20/4_256"
                )
            }
            Self::UnknownOid { scheme, oid } => {
                write!(f, "{} has no parameter set of OID {oid:#010x}", scheme.name())
            }
            Self::Shake(set) => write!(f, "{set}: sets over SHAKE are not supported, those over SHA-2 are"),
            Self::PublicKeyLength { given, expected } => {
                write!(f, "public key: {given} bytes instead of {expected}")
            }
            #[cfg(feature = "alloc")]
            Self::Spki(what) => write!(f, "SubjectPublicKeyInfo: {what}"),
            Self::Typecode { lms, lmots } => write!(
                f,
                "unknown pair of typecodes: LMS {lms:#x} with LM-OTS {lmots:#x}; both must be known, and have the same hash"
            ),
            Self::Levels(what) => f.write_str(what),
            Self::SignatureLength { given, expected } => {
                write!(f, "signature: {given} bytes instead of {expected}")
            }
            Self::Index { index, signatures } => {
                write!(f, "index {index}: the key has indices 0 to {}", signatures.saturating_sub(1))
            }
            Self::Invalid => f.write_str("the signature is not valid"),
            Self::SeedsLength { given, expected } => write!(f, "seeds: {given} bytes instead of {expected}"),
            Self::SecretKeyLength { given, expected } => {
                write!(f, "secret key: {given} bytes instead of {expected} at least")
            }
            #[cfg(feature = "alloc")]
            Self::SecretKey(what) => f.write_str(what),
            #[cfg(feature = "alloc")]
            Self::Message(why) => write!(f, "message: cannot be read: {why}"),
            #[cfg(feature = "alloc")]
            Self::Random(why) => write!(f, "no seeds from the system's source of random numbers: {why}"),
            Self::NoLegacy(set) => write!(f, "{set}: the older derivation is not defined for n = 24"),
            Self::OtherSigner => f.write_str("signature: made by another key"),
            Self::OtherRoot => f.write_str("the seeds give another root: other seeds, or another derivation"),
            Self::IndexUsed { index, next } => {
                write!(f, "index {index} may have been used: the next one is {next}")
            }
            Self::Exhausted => f.write_str("the key is exhausted: all its indices are used"),
            Self::SelfCheck => {
                f.write_str("the new signature did not verify: it is not released, and its index is used up")
            }
            Self::Fault { layer, tree, end } => write!(
                f,
                "fault: tree {tree} of layer {layer} was rebuilt with another root than the one that was signed; nothing \
                 is released; its indices end before {end}"
            ),
            #[cfg(feature = "alloc")]
            Self::Kernel(why) => f.write_str(why),
            Self::Stopped => f.write_str("key generation was stopped"),
            Self::OtherNodes => f.write_str("the file of nodes belongs to another key"),
            #[cfg(feature = "alloc")]
            Self::File(why) => write!(f, "file of nodes: {why}"),
        }
    }
}

impl core::error::Error for Error {}
