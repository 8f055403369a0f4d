//! What can be wrong with keys, signatures and requests.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;

use crate::params::{ParameterSet, Scheme};

/// Why a key is not read, a signature not accepted or not made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no parameter set of that name.
    #[cfg(feature = "alloc")]
    UnknownSet(String),
    /// There is no parameter set of that OID.
    UnknownOid {
        /// XMSS or XMSS^MT, which number their sets apart.
        scheme: Scheme,
        /// The number.
        oid: u32,
    },
    /// The set is over SHAKE, which is not computed here.
    Shake(ParameterSet),
    /// A pair of an LMS and an LM-OTS typecode that no standard has, or of different hashes.
    Typecode {
        /// Of LMS.
        lms: u32,
        /// Of LM-OTS.
        lmots: u32,
    },
    /// A number of levels, or a pair of levels, that no key of HSS has.
    Levels(&'static str),
    /// A public key has another length than its set asks.
    PublicKeyLength {
        /// In bytes.
        given: usize,
        /// In bytes; of a key too short to name its set, the least that there is.
        expected: usize,
    },
    /// A SubjectPublicKeyInfo that is malformed, or not of XMSS or XMSS^MT.
    #[cfg(feature = "alloc")]
    Spki(String),
    /// A signature has another length than its set asks.
    SignatureLength {
        /// In bytes.
        given: usize,
        /// In bytes.
        expected: usize,
    },
    /// A signature's index, or one asked for, is not below 2^h.
    Index {
        /// The index.
        index: u64,
        /// 2^h.
        signatures: u64,
    },
    /// The signature is not that of the message under the key.
    Invalid,
    /// The seeds have another length than 3 · n bytes.
    SeedsLength {
        /// In bytes.
        given: usize,
        /// In bytes.
        expected: usize,
    },
    /// A secret key to be imported is shorter than its set asks.
    SecretKeyLength {
        /// In bytes.
        given: usize,
        /// In bytes, at least.
        expected: usize,
    },
    /// A secret key to be imported is damaged, or of an unknown format.
    #[cfg(feature = "alloc")]
    SecretKey(String),
    /// A message could not be read.
    #[cfg(feature = "alloc")]
    Message(String),
    /// The system's source of random numbers gave no seeds.
    #[cfg(feature = "alloc")]
    Random(String),
    /// The older derivation was never defined for this set: n = 24 came with SP 800-208.
    NoLegacy(ParameterSet),
    /// The root that the seeds give is another than the one that belongs to them.
    OtherRoot,
    /// A signature whose random value is not the one that the key's secrets give: another key made it.
    OtherSigner,
    /// An index behind the next one: it may have been used.
    IndexUsed {
        /// The index asked for.
        index: u64,
        /// The next one.
        next: u64,
    },
    /// All 2^h signatures are made.
    Exhausted,
    /// A signature that was made did not verify, and was not released; its index is used up.
    SelfCheck,
    /// A tree that was built again has another root than the one that was signed: the computer erred, or was made to. Nothing is
    /// released, as a second signature with the same index would be.
    Fault {
        /// The tree's layer.
        layer: u32,
        /// The tree's number in it.
        tree: u64,
        /// The first index behind the tree: no signature from there on rests on it.
        behind: u64,
    },
    /// There is no such kernel, or this CPU cannot run it: the text lists what there is.
    #[cfg(feature = "alloc")]
    Kernel(String),
    /// The caller stopped the generation of a key.
    Stopped,
    /// The file of a key's nodes belongs to another key.
    OtherNodes,
    /// The file of a key's nodes cannot be read or written.
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
                    "there is no parameter set {name:?}; names are XMSS-SHA2_10_256, XMSSMT-SHA2_20/4_256, …"
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
            Self::Message(why) => write!(f, "the message could not be read: {why}"),
            #[cfg(feature = "alloc")]
            Self::Random(why) => write!(f, "no seeds from the system's source of random numbers: {why}"),
            Self::NoLegacy(set) => write!(f, "{set}: the older derivation is not defined for n = 24"),
            Self::OtherSigner => f.write_str("the signature was made by another key"),
            Self::OtherRoot => f.write_str("the seeds give another root: other seeds, or another derivation"),
            Self::IndexUsed { index, next } => {
                write!(f, "index {index} may have been used: the next one is {next}")
            }
            Self::Exhausted => f.write_str("the key is exhausted: all its indices are used"),
            Self::SelfCheck => {
                f.write_str("the signature made did not verify: it is not released, its index is used up")
            }
            Self::Fault { layer, tree, behind } => write!(
                f,
                "fault: tree {tree} of layer {layer} was built again with another root than the one that was signed; nothing \
                 is released. Its indices end before {behind}"
            ),
            #[cfg(feature = "alloc")]
            Self::Kernel(why) => f.write_str(why),
            Self::Stopped => f.write_str("the generation of the key was stopped"),
            Self::OtherNodes => f.write_str("the file of nodes belongs to another key"),
            #[cfg(feature = "alloc")]
            Self::File(why) => write!(f, "file of nodes: {why}"),
        }
    }
}

impl core::error::Error for Error {}
