//! Digests as text.

use core::fmt;

/// A digest as text, in lower-case hexadecimal: `Hex(sha256(b"abc")).to_string()`.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Hex, sha1};
///
/// assert_eq!(Hex(sha1(b"abc")).to_string(), "a9993e364706816aba3e25717850c26c9cd0d89d");
/// println!("{}  a file", Hex(sha1(b"abc")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hex<D>(pub D);

impl<D: AsRef<[u8]>> fmt::Display for Hex<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 128];
        self.0.as_ref().chunks(64).try_for_each(|bytes| {
            let digits = &mut digits[..2 * bytes.len()];
            put_hex(bytes, digits);
            f.write_str(str::from_utf8(digits).expect("digits are ASCII"))
        })
    }
}

/// Writes bytes in hexadecimal, two digits each.
#[inline]
pub(crate) fn put_hex(bytes: &[u8], hex: &mut [u8]) {
    for (two, byte) in hex.as_chunks_mut().0.iter_mut().zip(bytes) {
        *two = digits(*byte);
    }
}

/// A byte's two digits, in lower case. Arithmetic on both at once is compiled to half as many vector
/// instructions as on one; a table to none.
#[inline(always)]
fn digits(byte: u8) -> [u8; 2] {
    let values = u16::from(byte >> 4) | u16::from(byte & 15) << 8;
    let are_letters = (values + 0x0606) >> 4 & 0x0101;
    let from_zero = u16::from_le_bytes([b'0'; 2]) + are_letters * u16::from(b'a' - 10 - b'0');
    (values + from_zero).to_le_bytes()
}
