//! Errors of AEGIS.

use core::fmt;

/// The reason why nothing was encrypted or decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key, nonce or tag has another length than the cipher requires.
    Length {
        /// The argument: `key`, `nonce`, `tag`.
        of: &'static str,
        /// The cipher.
        cipher: &'static str,
        /// The given number of bytes.
        n_bytes: usize,
        /// The required number of bytes.
        expected: usize,
    },
    /// The place of the result does not have the length of the result.
    Output {
        /// The number of bytes of the input.
        input_bytes: usize,
        /// The number of bytes of the result's place.
        output_bytes: usize,
    },
    /// Ciphertext and tag together are shorter than a tag.
    NoTag {
        /// The number of bytes of both.
        n_bytes: usize,
        /// The number of bytes of a tag.
        tag_bytes: usize,
    },
    /// The input is longer than the cipher allows: 2^61 - 1 bytes, because it counts bits in 64 (RFC 10032,
    /// section 3).
    TooLong {
        /// The input in question: `associated data`, `message`, `data`.
        of: &'static str,
    },
    /// The number of results is not the number of messages.
    Count {
        /// The number of messages.
        messages: usize,
        /// The number of results.
        results: usize,
    },
    /// The tag does not match key, nonce, associated data and ciphertext (or data): at least one of them was
    /// changed, or belongs to another message. If the message was decrypted as a whole, the result is zeros;
    /// parts that a decryptor returned before are not authentic.
    Forged,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { of, cipher, n_bytes, expected } => {
                write!(f, "{of}: {n_bytes} bytes; {cipher} takes {expected}")
            }
            Self::Output { input_bytes, output_bytes } => {
                write!(f, "output: {output_bytes} bytes for a result of {input_bytes}")
            }
            Self::NoTag { n_bytes, tag_bytes } => {
                write!(f, "ciphertext with tag: {n_bytes} bytes, less than the tag's {tag_bytes}")
            }
            Self::TooLong { of } => write!(f, "{of}: more than 2^61 - 1 bytes"),
            Self::Count { messages, results } => {
                write!(f, "results: {results} for {messages} messages; there must be one for each")
            }
            Self::Forged => f.write_str("tag: not that of this key, nonce and data; they are not authentic"),
        }
    }
}

impl core::error::Error for Error {}

/// Converts `bytes` to a key, nonce or tag.
pub(crate) fn exactly<'a, T: TryFrom<&'a [u8]>>(
    of: &'static str,
    cipher: &'static str,
    bytes: &'a [u8],
    expected: usize,
) -> Result<T, Error> {
    T::try_from(bytes).map_err(|_| Error::Length { of, cipher, n_bytes: bytes.len(), expected })
}

/// P_MAX and A_MAX of RFC 10032, section 3.
pub(crate) const MOST_BYTES: u64 = (1 << 61) - 1;

/// Returns the number of bytes, if the cipher allows it.
#[inline(always)]
pub(crate) fn counted(of: &'static str, before: u64, more: usize) -> Result<u64, Error> {
    let n = before.checked_add(more as u64).filter(|&n| n <= MOST_BYTES);
    n.ok_or(Error::TooLong { of })
}
