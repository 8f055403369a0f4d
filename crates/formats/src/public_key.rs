//! Public keys of XMSS and XMSS^MT: in the encoding of X.509 (RFC 9802, PEM or DER), and raw (RFC 8391: OID ‖
//! root ‖ SEED).
//!
//! XMSS and XMSS^MT number their sets independently, so a raw key may belong to either of two sets. The
//! length of a signature decides: no two sets of one number have signatures of one length.

use hashlanes::hbs::{Error, Scheme, VerifyingKey};

/// Returns the keys that the bytes may be: two at most, at least one.
///
/// # Errors
/// The bytes are not a public key; the message gives the reason.
pub fn of_bytes(bytes: &[u8]) -> Result<Vec<VerifyingKey>, String> {
    if bytes.trim_ascii_start().starts_with(b"-----BEGIN") {
        let text = std::str::from_utf8(bytes).map_err(|_| "PEM that is no text")?;
        VerifyingKey::from_spki_pem(text).map(|key| vec![key]).map_err(|error| error.to_string())
    } else if bytes.first() == Some(&0x30) {
        VerifyingKey::from_spki_der(bytes).map(|key| vec![key]).map_err(|error| error.to_string())
    } else {
        raw(bytes)
    }
}

/// Returns the key that has signatures of that length, of keys that [`of_bytes`] returned.
///
/// # Errors
/// [`Error::SignatureLength`].
pub fn of_signature(keys: &[VerifyingKey], given: usize) -> Result<&VerifyingKey, Error> {
    let fitting = keys.iter().find(|key| key.set().signature_bytes() == given);
    let expected = keys[0].set().signature_bytes();
    fitting.ok_or(Error::SignatureLength { given, expected })
}

/// Returns the keys that the bytes may be, if XMSS or XMSS^MT has a set of their number and length.
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
    // The more informative of the errors. Bytes that do not begin with a known number get a general message.
    let of_length = |error: &&Error| matches!(error, Error::PublicKeyLength { given: 4.., .. });
    let shake = errors.iter().find(|error| matches!(error, Error::Shake(_)));
    Err(shake.or_else(|| errors.iter().find(of_length)).map_or_else(
        || "neither PEM nor DER of a public key, nor a raw one (OID, root, SEED)".into(),
        Error::to_string,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashlanes::hbs::ParameterSet;

    /// The fact on which the choice by length is based.
    #[test]
    fn sets_of_one_number_have_signatures_of_two_lengths() {
        for set in ParameterSet::all().filter(|set| set.scheme() == Scheme::Xmss) {
            let other = ParameterSet::from_oid(Scheme::XmssMt, set.oid().unwrap()).unwrap();
            assert_ne!(set.signature_bytes(), other.signature_bytes(), "{set} {other}");
        }
    }
}
