//! Public keys in files: as X.509 has them (RFC 9802, PEM or DER), and raw (RFC 8391: OID ‖ root ‖ SEED).
//!
//! XMSS and XMSS^MT number their sets apart, so a raw key does not tell which of two sets it is of. The length of a
//! signature does: no two sets of one number have signatures of one length.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hashlanes::hbs::{Error, Scheme, VerifyingKey};

use super::parameter_sets::Wanted;
use crate::message::io_reason;

/// Longer than any public key: raw ones have 132 bytes at most.
const MOST_BYTES: u64 = 64 << 10;

/// A public key, of two sets at most.
#[derive(Debug)]
pub(super) struct PublicKey(Vec<VerifyingKey>);

impl PublicKey {
    /// Reads it from a file; of a key directory, from `public.pem` in it.
    ///
    /// # Errors
    /// Why it is none, in words.
    pub(super) fn read(path: &Path, wanted: Option<Wanted>) -> Result<Self, String> {
        let bytes = match bounded(path) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => bounded(&path.join("public.pem")),
            other => other,
        };
        let bytes = bytes.map_err(|error| format!("cannot read the public key: {}", io_reason(&error)))?;
        Self::of_bytes(&bytes, wanted).map_err(|why| format!("no public key: {why}"))
    }

    fn of_bytes(bytes: &[u8], wanted: Option<Wanted>) -> Result<Self, String> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err("the file is longer than 64 KiB".into());
        }
        let keys = if bytes.trim_ascii_start().starts_with(b"-----BEGIN") {
            let text = std::str::from_utf8(bytes).map_err(|_| "PEM that is no text")?;
            vec![VerifyingKey::from_spki_pem(text).map_err(|error| error.to_string())?]
        } else if bytes.first() == Some(&0x30) {
            vec![VerifyingKey::from_spki_der(bytes).map_err(|error| error.to_string())?]
        } else {
            raw(bytes)?
        };
        let names: Vec<String> = keys.iter().map(|key| key.set().to_string()).collect();
        let of_wanted = |key: &VerifyingKey| wanted.is_none_or(|wanted| wanted.admits(key.set()));
        let keys: Vec<VerifyingKey> = keys.into_iter().filter(of_wanted).collect();
        match wanted {
            Some(wanted) if keys.is_empty() => {
                Err(format!("it is of {}, not of {}", names.join(" or "), wanted.name()))
            }
            _ => Ok(Self(keys)),
        }
    }

    /// The key that has signatures of that length.
    ///
    /// # Errors
    /// [`Error::SignatureLength`].
    pub(super) fn of_signature(&self, given: usize) -> Result<&VerifyingKey, Error> {
        let fitting = self.0.iter().find(|key| key.set().signature_bytes() == given);
        let expected = self.0[0].set().signature_bytes();
        fitting.ok_or(Error::SignatureLength { given, expected })
    }

    /// Bytes of the longest signature.
    pub(super) fn longest_signature(&self) -> usize {
        self.0.iter().map(|key| key.set().signature_bytes()).max().expect("a key")
    }
}

/// The keys that the bytes may be, if XMSS or XMSS^MT has a set of their number and length.
fn raw(bytes: &[u8]) -> Result<Vec<VerifyingKey>, String> {
    let [of_xmss, of_xmss_mt] =
        [Scheme::Xmss, Scheme::XmssMt].map(|scheme| VerifyingKey::from_bytes(scheme, bytes));
    let mut errors = Vec::new();
    let mut keys = Vec::new();
    for key in [of_xmss, of_xmss_mt] {
        match key {
            Ok(key) => keys.push(key),
            Err(error) => errors.push(error),
        }
    }
    if !keys.is_empty() {
        return Ok(keys);
    }
    // The error that tells most: of bytes that have no such number, neither tells anything.
    let of_length = |error: &&Error| matches!(error, Error::PublicKeyLength { given: 4.., .. });
    let shake = errors.iter().find(|error| matches!(error, Error::Shake(_)));
    Err(shake.or_else(|| errors.iter().find(of_length)).map_or_else(
        || "neither PEM nor DER of a public key, nor a raw one (OID, root, SEED)".into(),
        Error::to_string,
    ))
}

/// A file up to the byte that makes it too long.
fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashlanes::hbs::ParameterSet;

    /// What the choice by length rests on.
    #[test]
    fn sets_of_one_number_have_signatures_of_two_lengths() {
        for set in ParameterSet::all().filter(|set| set.scheme() == Scheme::Xmss) {
            let other = ParameterSet::from_oid(Scheme::XmssMt, set.oid().unwrap()).unwrap();
            assert_ne!(set.signature_bytes(), other.signature_bytes(), "{set} {other}");
        }
    }
}
