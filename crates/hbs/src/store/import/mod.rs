//! Secret keys of other implementations.
//!
//! | file | holds |
//! |---|---|
//! | `reference.rs` | the layout of the reference code of RFC 8391 |
//! | `botan.rs` | the layout of Botan 2 and 3 |
//! | `bouncycastle.rs` | both layouts of BouncyCastle |
//! | `traversal.rs` | the index in BouncyCastle's traversal state |
//! | `pkcs8.rs` | PKCS#8, which wraps the keys of Botan and BouncyCastle |

mod botan;
mod bouncycastle;
mod pkcs8;
mod reference;
mod traversal;

use alloc::format;
use alloc::string::ToString;
use core::fmt;
use core::ops::Range;

use der::SecretDocument;
use zeroize::Zeroizing;

use crate::hazmat::{Derivation, KeyGeneration};
use crate::{Error, ParameterSet, Scheme};

/// A secret key of another implementation: the input of its generation, and its unused indices.
pub struct Import<'a> {
    /// The generation, with the seeds and the expected root.
    pub generation: KeyGeneration<'a>,
    /// The indices that the file may still use: for [`super::KeyDirectory::create_within`].
    ///
    /// The file knows only its own signatures. If another copy signed later, start after the last index of that copy.
    pub indices: Range<u64>,
}

impl fmt::Debug for Import<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Import").field("indices", &self.indices).finish_non_exhaustive()
    }
}

/// Reads a secret key of another implementation. The format is recognized:
///
/// - PKCS#8, PEM or DER, as BouncyCastle (XMSS and XMSS^MT) and Botan (XMSS) write it, without a passphrase;
/// - the raw key of Botan 2 or 3;
/// - the raw key of the reference code of RFC 8391: OID ‖ idx ‖ S_XMSS ‖ SK_PRF ‖ root ‖ SEED. Bytes after it are ignored.
///
/// A raw key does not contain its `scheme`; PKCS#8 does. `derivation` overrides the derivation of the format, which is
/// [`Derivation::Legacy`] for BouncyCastle and Botan 2, the recorded one for Botan 3, and [`Derivation::Sp800_208`] for the reference code.
///
/// ```
/// # use hashlanes_hbs as hbs;
/// use hbs::Scheme;
/// use hbs::store::import;
///
/// // XMSS-SHA2_10_256 at index 5, as the reference code writes it.
/// let bytes = [&[0, 0, 0, 1, 0, 0, 0, 5][..], &[7; 128]].concat();
/// let imported = import(Some(Scheme::Xmss), &bytes, None)?;
/// assert_eq!(imported.indices, 5..1024);
/// # Ok::<(), hbs::Error>(())
/// ```
///
/// # Errors
/// [`Error::SecretKey`] if the format is unknown, the file is damaged, or its parts contradict each other; [`Error::SecretKeyLength`],
/// [`Error::UnknownOid`], [`Error::Shake`], [`Error::NoLegacy`]; [`Error::Index`] if the index is above 2^h. Whether the seeds give the
/// root is checked when the key is generated: [`Error::OtherRoot`].
pub fn import(
    scheme: Option<Scheme>,
    bytes: &[u8],
    derivation: Option<Derivation>,
) -> Result<Import<'static>, Error> {
    let document;
    let secret = if bytes.trim_ascii_start().starts_with(b"-----BEGIN") {
        document = from_pem(bytes)?;
        pkcs8::read(document.as_bytes())?
    } else if bytes.first() == Some(&pkcs8::SEQUENCE) {
        pkcs8::read(bytes)?
    } else {
        raw(scheme, bytes)?
    };
    if let Some(scheme) = scheme
        && secret.set.scheme() != scheme
    {
        return Err(Error::SecretKey(format!("the key is of {}, not of {}", secret.set, scheme.name())));
    }
    secret.into_import(derivation)
}

fn from_pem(bytes: &[u8]) -> Result<SecretDocument, Error> {
    let text = core::str::from_utf8(bytes.trim_ascii_start());
    let text = text.map_err(|_| Error::SecretKey("PEM that is not text".to_string()))?;
    let (label, document) =
        SecretDocument::from_pem(text).map_err(|error| Error::SecretKey(format!("damaged PEM: {error}")))?;
    match label {
        "PRIVATE KEY" => Ok(document),
        "ENCRYPTED PRIVATE KEY" => {
            Err(Error::SecretKey("the key is encrypted; export it without a passphrase".to_string()))
        }
        _ => Err(Error::SecretKey(format!("the PEM label is {label:?}; expected \"PRIVATE KEY\""))),
    }
}

/// A key without PKCS#8: of the reference code or of Botan.
fn raw(scheme: Option<Scheme>, bytes: &[u8]) -> Result<Secret<'_>, Error> {
    let Some(scheme) = scheme else {
        // Every OID begins with 0.
        let words = if bytes.first() == Some(&0) {
            "a raw key does not contain its scheme; name it: XMSS or XMSSMT"
        } else {
            "unknown format; expected PKCS#8 (PEM or DER) of BouncyCastle or Botan, or a raw key that begins with its OID"
        };
        return Err(Error::SecretKey(words.to_string()));
    };
    let of_reference = reference::read(scheme, bytes);
    if scheme == Scheme::Xmss && of_reference.is_err() {
        // Botan's root is where the reference code has the index. A root that is also an index below 2^h has a chance of
        // 2^(h - 32); such a key is then refused, because its root differs.
        let of_botan = botan::read(bytes);
        if of_botan.is_ok() {
            return of_botan;
        }
    }
    of_reference
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The set that a raw key names in its first four bytes.
fn set_of(scheme: Scheme, bytes: &[u8]) -> Result<(ParameterSet, &[u8]), Error> {
    let too_short = Error::SecretKeyLength { given: bytes.len(), expected: 4 + 4 + 4 * 24 };
    let (oid, rest) = bytes.split_first_chunk::<4>().ok_or(too_short)?;
    Ok((ParameterSet::from_oid(scheme, u32::from_be_bytes(*oid))?.supported()?, rest))
}

/// The parts of a secret key, borrowed from its file.
struct Secret<'a> {
    set: ParameterSet,
    /// The derivation of one-time keys that the format implies or records.
    derivation: Derivation,
    indices: Range<u64>,
    /// S_XMSS.
    secret_seed: &'a [u8],
    /// SK_PRF.
    prf: &'a [u8],
    /// SEED.
    seed: &'a [u8],
    root: &'a [u8],
}

impl Secret<'_> {
    fn into_import(self, derivation: Option<Derivation>) -> Result<Import<'static>, Error> {
        let Range { start, end } = self.indices;
        if start > end || end > self.set.signatures() {
            return Err(Error::Index { index: start.max(end), signatures: end.min(self.set.signatures()) });
        }
        let seeds = Zeroizing::new([self.secret_seed, self.prf, self.seed].concat());
        let generation = KeyGeneration::new(self.set, &seeds)?;
        let generation = generation.derivation(derivation.unwrap_or(self.derivation))?;
        Ok(Import { generation: generation.expecting_root(self.root), indices: self.indices })
    }
}
