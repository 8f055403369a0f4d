//! Certificates and messages in PEM: RFC 7468.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use der::pem::LineEnding;

use super::error::Error;

/// The labels of certificates.
pub const CERTIFICATE_LABELS: &[&str] = &["CERTIFICATE"];
/// The labels of certificate requests.
pub const REQUEST_LABELS: &[&str] = &["CERTIFICATE REQUEST"];
/// The labels of signed messages: of RFC 7468, and an older one.
pub const MESSAGE_LABELS: &[&str] = &["CMS", "PKCS7"];

/// Returns the DER of a file that is in PEM with one of these labels; other files as they are.
///
/// # Errors
/// [`Error::Field`] if a file begins like PEM, and is malformed or has another label.
pub fn der_of<'a>(file: &'a [u8], labels: &[&'static str]) -> Result<Cow<'a, [u8]>, Error> {
    let text = file.trim_ascii_start();
    if !text.starts_with(b"-----BEGIN ") {
        return Ok(Cow::Borrowed(file));
    }
    let failed = |why: String| Error::Field { field: "PEM".to_string(), why };
    let (label, der) = der::pem::decode_vec(text).map_err(|error| failed(error.to_string()))?;
    if labels.contains(&label) {
        Ok(Cow::Owned(der))
    } else {
        Err(failed(alloc::format!("the label is {label:?}; expected {:?}", labels[0])))
    }
}

/// Returns DER in PEM, with the first of these labels.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::pki::{MESSAGE_LABELS, der_of, to_pem};
///
/// let pem = to_pem(MESSAGE_LABELS, &[0x30, 0]);
/// assert_eq!(pem, "-----BEGIN CMS-----\nMAA=\n-----END CMS-----\n");
/// assert_eq!(*der_of(pem.as_bytes(), MESSAGE_LABELS)?, [0x30, 0]);
/// # Ok::<(), hashlanes::hbs::pki::Error>(())
/// ```
///
/// # Panics
/// If the DER has more than a quarter of the addressable bytes.
pub fn to_pem(labels: &[&'static str], der: &[u8]) -> String {
    der::pem::encode_string(labels[0], LineEnding::LF, der).expect("it fits into memory")
}
