//! The layout of Botan 2 and 3: OID ‖ root ‖ SEED ‖ idx (4 bytes) ‖ SK_PRF ‖ S_XMSS; of Botan 3 also a byte for the derivation.

use alloc::format;

use super::{Secret, big_endian, set_of};
use crate::hazmat::Derivation;
use crate::{Error, ParameterSet, Scheme};

/// Bytes of idx.
const INDEX_BYTES: usize = 4;

/// Whether a key of that set has that length.
pub(super) fn is_length(set: &ParameterSet, bytes: usize) -> bool {
    let botan2 = 4 + INDEX_BYTES + 4 * set.n();
    bytes == botan2 || bytes == botan2 + 1
}

pub(super) fn read(bytes: &[u8]) -> Result<Secret<'_>, Error> {
    let (set, rest) = set_of(Scheme::Xmss, bytes)?;
    let n = set.n();
    if !is_length(&set, bytes.len()) {
        return Err(Error::SecretKeyLength { given: bytes.len(), expected: 4 + INDEX_BYTES + 4 * n });
    }
    let (public, rest) = rest.split_at(2 * n);
    let (index, rest) = rest.split_at(INDEX_BYTES);
    let (index, signatures) = (big_endian(index), set.signatures());
    if index > signatures {
        return Err(Error::Index { index, signatures });
    }
    let derivation = match rest[2 * n..] {
        [] | [1] => Derivation::Legacy,
        [2] => Derivation::Sp800_208,
        ref byte => {
            return Err(Error::SecretKey(format!(
                "unknown derivation {}; expected 1 or 2",
                big_endian(byte)
            )));
        }
    };
    Ok(Secret {
        set,
        derivation,
        indices: index..signatures,
        root: &public[..n],
        seed: &public[n..],
        prf: &rest[..n],
        secret_seed: &rest[n..2 * n],
    })
}
