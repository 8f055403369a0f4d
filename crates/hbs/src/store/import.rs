//! Secret keys of other implementations.

use core::fmt;

use zeroize::Zeroizing;

use crate::hazmat::{Derivation, KeyGeneration};
use crate::{Error, ParameterSet, Scheme};

/// A secret key that was read: what its generation takes, and where it stands.
pub struct Import<'a> {
    /// With the seeds, and the root that they must give.
    pub generation: KeyGeneration<'a>,
    /// The next index, as the file has it: that of the file's last copy. If other copies signed since, or may sign later, their
    /// indices are used twice: begin behind them.
    pub next: u64,
}

impl fmt::Debug for Import<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Import").field("next", &self.next).finish_non_exhaustive()
    }
}

/// Reads a secret key in the layout of RFC 8391's reference code, OID ‖ idx ‖ S_XMSS ‖ SK_PRF ‖ root ‖ SEED; the state of its
/// traversal may follow, and is not needed. idx has the bytes that it has in a signature.
///
/// ```
/// # use hashlanes_hbs as hbs;
/// use hbs::Scheme;
/// use hbs::store::{Derivation, import};
///
/// // XMSS-SHA2_10_256 at index 5.
/// let bytes = [&[0, 0, 0, 1, 0, 0, 0, 5][..], &[7; 128]].concat();
/// let imported = import(Scheme::Xmss, &bytes, Derivation::Sp800_208)?;
/// assert_eq!(imported.next, 5);
/// # Ok::<(), hbs::Error>(())
/// ```
///
/// # Errors
/// [`Error::SecretKeyLength`], [`Error::UnknownOid`], [`Error::Shake`], [`Error::NoLegacy`]; [`Error::Index`] if it is above 2^h. That the
/// seeds do not give the root shows when the key is generated: [`Error::OtherRoot`].
pub fn import(scheme: Scheme, bytes: &[u8], derivation: Derivation) -> Result<Import<'static>, Error> {
    let too_short = |expected| Error::SecretKeyLength { given: bytes.len(), expected };
    let (oid, rest) = bytes.split_first_chunk::<4>().ok_or(too_short(4 + 4 + 4 * 24))?;
    let set = ParameterSet::from_oid(scheme, u32::from_be_bytes(*oid))?.supported()?;
    let (n, index_bytes) = (set.n(), set.index_bytes());
    if rest.len() < index_bytes + 4 * n {
        return Err(too_short(4 + index_bytes + 4 * n));
    }
    let (index, rest) = rest.split_at(index_bytes);
    let next = index.iter().fold(0, |index, byte| index << 8 | u64::from(*byte));
    if next > set.signatures() {
        return Err(Error::Index { index: next, signatures: set.signatures() });
    }
    let (secret, rest) = rest.split_at(2 * n);
    let (root, rest) = rest.split_at(n);
    let seeds = Zeroizing::new([secret, &rest[..n]].concat());
    let generation = KeyGeneration::new(set, &seeds)?.derivation(derivation)?.expecting_root(root);
    Ok(Import { generation, next })
}
