//! Secret keys of other implementations.

// | file | holds |
// |---|---|
// | `secret.rs` | the parts of a secret key, and faults in it |
// | `raw.rs` | the layouts of the reference code of RFC 8391, and of Botan 2 and 3 |
// | `bouncycastle.rs` | both layouts of BouncyCastle |
// | `traversal.rs` | the index in BouncyCastle's traversal state |
// | `pkcs8.rs` | PKCS#8, which wraps the keys of Botan and BouncyCastle |

mod bouncycastle;
mod pkcs8;
mod raw;
mod secret;
mod traversal;

use alloc::format;
use alloc::string::ToString;
use core::fmt;
use core::ops::Range;

use der::SecretDocument;
use zeroize::Zeroizing;

use crate::hazmat::{Derivation, KeyGeneration};
use crate::{Error, Scheme};
use secret::Secret;

/// A secret key of another implementation: the input of its generation, and its unused indices.
pub struct Import<'a> {
    /// The generation, with the seeds and the expected root.
    pub generation: KeyGeneration<'a>,
    /// The indices that the file may still use: for [`super::KeyDirectory::create_within`].
    ///
    /// The file knows only its own signatures. If another copy signed later, start after the last index of
    /// that copy.
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
/// - the raw key of the reference code of RFC 8391: OID ‖ idx ‖ S_XMSS ‖ SK_PRF ‖ root ‖ SEED. Bytes after it
///   are ignored.
///
/// A raw key does not contain its `scheme`; PKCS#8 does. `derivation` overrides the derivation of the format,
/// which is [`Derivation::Legacy`] for BouncyCastle and Botan 2, the recorded one for Botan 3, and
/// [`Derivation::Sp800_208`] for the reference code.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::Scheme;
/// use hashlanes::hbs::store::import;
///
/// // XMSS-SHA2_10_256 at index 5, as the reference code writes it.
/// let bytes = [&[0, 0, 0, 1, 0, 0, 0, 5][..], &[7; 128]].concat();
/// let imported = import(Some(Scheme::Xmss), &bytes, None)?;
/// assert_eq!(imported.indices, 5..1024);
/// # Ok::<(), hashlanes::hbs::Error>(())
/// ```
///
/// # Errors
/// [`Error::SecretKey`] if the format is unknown, the file is damaged, or its parts contradict each other;
/// [`Error::SecretKeyLength`], [`Error::UnknownOid`], [`Error::Shake`], [`Error::NoLegacy`]; [`Error::Index`]
/// if the index is above 2^h. Whether the seeds give the root is checked when the key is generated:
/// [`Error::OtherRoot`].
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
        raw::read(scheme, bytes)?
    };
    if let Some(scheme) = scheme
        && secret.set.scheme() != scheme
    {
        return Err(Error::SecretKey(format!("the key is of {}, not of {}", secret.set, scheme.name())));
    }
    into_import(secret, derivation)
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

fn into_import(secret: Secret<'_>, derivation: Option<Derivation>) -> Result<Import<'static>, Error> {
    let Range { start, end } = secret.indices;
    if start > end || end > secret.set.signatures() {
        return Err(Error::Index { index: start.max(end), signatures: end.min(secret.set.signatures()) });
    }
    let seeds = Zeroizing::new([secret.secret_seed, secret.prf, secret.seed].concat());
    let generation = KeyGeneration::new(secret.set, &seeds)?;
    let generation = generation.derivation(derivation.unwrap_or(secret.derivation))?;
    Ok(Import { generation: generation.expecting_root(secret.root), indices: secret.indices })
}
