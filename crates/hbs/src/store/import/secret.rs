//! The parts of a secret key, and what can be wrong with them.

use core::ops::Range;

use crate::hazmat::Derivation;
use crate::{Error, ParameterSet, Scheme};

pub(super) fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The set that a raw key names in its first four bytes.
pub(super) fn set_of(scheme: Scheme, bytes: &[u8]) -> Result<(ParameterSet, &[u8]), Error> {
    let too_short = Error::SecretKeyLength { given: bytes.len(), expected: 4 + 4 + 4 * 24 };
    let (oid, rest) = bytes.split_first_chunk::<4>().ok_or(too_short)?;
    Ok((ParameterSet::from_oid(scheme, u32::from_be_bytes(*oid))?.supported()?, rest))
}

/// The parts of a secret key, borrowed from its file.
pub(super) struct Secret<'a> {
    pub(super) set: ParameterSet,
    /// The derivation of one-time keys that the format implies or records.
    pub(super) derivation: Derivation,
    pub(super) indices: Range<u64>,
    /// S_XMSS.
    pub(super) secret_seed: &'a [u8],
    /// SK_PRF.
    pub(super) prf: &'a [u8],
    /// SEED.
    pub(super) seed: &'a [u8],
    pub(super) root: &'a [u8],
}

/// A fault in a key: malformed DER, or wrong content.
pub(super) enum Fault {
    Der(der::Error),
    Key(Error),
}

impl From<der::Error> for Fault {
    fn from(error: der::Error) -> Self {
        Self::Der(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Key(error)
    }
}
