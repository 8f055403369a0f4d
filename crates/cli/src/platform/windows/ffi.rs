//! Names as bytes: WTF-8, which is UTF-8 for every name that is UTF-16, and lossless for all others.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::OsStringExt as _;

pub(crate) trait OsStrExt {
    /// Returns the name's bytes. The standard library does not promise that its encoding is WTF-8; a test
    /// would show another one.
    fn as_bytes(&self) -> &[u8];
}

impl OsStrExt for OsStr {
    fn as_bytes(&self) -> &[u8] {
        self.as_encoded_bytes()
    }
}

pub(crate) trait OsStringExt {
    fn into_vec(self) -> Vec<u8>;
    fn from_vec(bytes: Vec<u8>) -> Self;
}

impl OsStringExt for OsString {
    fn into_vec(self) -> Vec<u8> {
        self.into_encoded_bytes()
    }

    fn from_vec(bytes: Vec<u8>) -> Self {
        os_str(&bytes).into_owned()
    }
}

/// Returns the name of a file. Bytes that are not WTF-8, and so the name of no file, become a name that no
/// file can have.
pub(crate) fn os_str(bytes: &[u8]) -> Cow<'_, OsStr> {
    match std::str::from_utf8(bytes) {
        Ok(name) => Cow::Borrowed(OsStr::new(name)),
        Err(_) => {
            let units = utf16(bytes).unwrap_or_else(|| vec![0]);
            Cow::Owned(OsString::from_wide(&units))
        }
    }
}

/// Decodes WTF-8.
fn utf16(mut bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    loop {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => {
                units.extend(text.encode_utf16());
                return Some(units);
            }
            Err(error) => error,
        };
        let (text, rest) = bytes.split_at(error.valid_up_to());
        units.extend(std::str::from_utf8(text).ok()?.encode_utf16());
        // A surrogate without its partner: ED A0..BF 80..BF.
        let [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, rest @ ..] = rest else { return None };
        units.push(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f));
        bytes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halves of surrogate pairs are kept; pairs are one character, as in UTF-8.
    #[test]
    fn names_are_lossless() {
        for (units, bytes) in [
            (&[0x61, 0x20ac][..], &b"a\xe2\x82\xac"[..]),
            (&[0xd83d, 0xde00], b"\xf0\x9f\x98\x80"),
            (&[0x61, 0xd800, 0x62], b"a\xed\xa0\x80b"),
            (&[0xdfff, 0xdbff], b"\xed\xbf\xbf\xed\xaf\xbf"),
        ] {
            let name = OsString::from_wide(units);
            assert_eq!(name.as_bytes(), bytes);
            assert_eq!(*os_str(bytes), *name);
        }
        for bytes in [&b"a\xff"[..], b"\xed\xa0", b"\xc0\x80"] {
            assert_eq!(*os_str(bytes), *OsStr::new("\0"));
        }
    }
}
