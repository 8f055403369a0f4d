//! Raw keys.
//!
//! ```text
//! reference code of RFC 8391   OID ‖ idx ‖ S_XMSS ‖ SK_PRF ‖ root ‖ SEED, and the state of a traversal
//! Botan 2 and 3                OID ‖ root ‖ SEED ‖ idx (4 bytes) ‖ SK_PRF ‖ S_XMSS; of Botan 3 also a byte for the derivation
//! ```

use alloc::format;
use alloc::string::ToString;

use super::secret::{Secret, big_endian, set_of};
use crate::hazmat::Derivation;
use crate::{Error, ParameterSet, Scheme};

/// Bytes of Botan's idx.
const INDEX_BYTES: usize = 4;

/// A key without PKCS#8: of the reference code or of Botan.
pub(super) fn read(scheme: Option<Scheme>, bytes: &[u8]) -> Result<Secret<'_>, Error> {
    let Some(scheme) = scheme else {
        // Every OID begins with 0.
        let words = if bytes.first() == Some(&0) {
            "a raw key does not contain its scheme; name it: XMSS or XMSSMT"
        } else {
            "unknown format; expected PKCS#8 (PEM or DER) of BouncyCastle or Botan, or a raw key that begins with its OID"
        };
        return Err(Error::SecretKey(words.to_string()));
    };
    let of_reference = read_reference(scheme, bytes);
    if scheme == Scheme::Xmss && of_reference.is_err() {
        // Botan's root is where the reference code has the index. A root that is also an index below 2^h has
        // a chance of 2^(h - 32); such a key is then refused, because its root differs.
        let of_botan = read_botan(bytes);
        if of_botan.is_ok() {
            return of_botan;
        }
    }
    of_reference
}

/// Whether a key of Botan of that set has that length.
pub(super) fn is_length_of_botan(set: &ParameterSet, bytes: usize) -> bool {
    let botan2 = 4 + INDEX_BYTES + 4 * set.n();
    bytes == botan2 || bytes == botan2 + 1
}

/// A key of Botan.
pub(super) fn read_botan(bytes: &[u8]) -> Result<Secret<'_>, Error> {
    let (set, rest) = set_of(Scheme::Xmss, bytes)?;
    let n = set.n();
    if !is_length_of_botan(&set, bytes.len()) {
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

/// A key of the reference code. idx has the bytes that it has in a signature. The state of the traversal is
/// not needed.
fn read_reference(scheme: Scheme, bytes: &[u8]) -> Result<Secret<'_>, Error> {
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
