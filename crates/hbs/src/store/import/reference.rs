//! The layout of the reference code of RFC 8391: OID ‖ idx ‖ S_XMSS ‖ SK_PRF ‖ root ‖ SEED, and the state of a traversal.

use super::{Secret, big_endian, set_of};
use crate::hazmat::Derivation;
use crate::{Error, Scheme};

/// idx has the bytes that it has in a signature. The state of the traversal is not needed.
pub(super) fn read(scheme: Scheme, bytes: &[u8]) -> Result<Secret<'_>, Error> {
    let (set, rest) = set_of(scheme, bytes)?;
    let (n, index_bytes) = (set.n(), set.index_bytes());
    let expected = 4 + index_bytes + 4 * n;
    let parts = rest.split_at_checked(index_bytes).filter(|(_, rest)| rest.len() >= 4 * n);
    let (index, rest) = parts.ok_or(Error::SecretKeyLength { given: bytes.len(), expected })?;
    let index = big_endian(index);
    if index > set.signatures() {
        return Err(Error::Index { index, signatures: set.signatures() });
    }
    Ok(Secret {
        set,
        derivation: Derivation::Sp800_208,
        indices: index..set.signatures(),
        secret_seed: &rest[..n],
        prf: &rest[n..2 * n],
        root: &rest[2 * n..3 * n],
        seed: &rest[3 * n..4 * n],
    })
}
