//! What can be wrong.

use core::fmt;

/// Why nothing was encrypted, or decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Bytes of another number than the cipher's.
    Length {
        /// Which: `key`, `nonce`, `tag`.
        of: &'static str,
        /// The cipher.
        cipher: &'static str,
        /// How many there are.
        n_bytes: usize,
        /// How many it takes.
        expected: usize,
    },
    /// A place for the result that is not as long as what goes there.
    Output {
        /// Bytes of what goes in.
        input_bytes: usize,
        /// Bytes of the result's place.
        output_bytes: usize,
    },
    /// Ciphertext and tag in one are shorter than a tag.
    NoTag {
        /// Bytes of both.
        n_bytes: usize,
        /// Bytes of a tag.
        tag_bytes: usize,
    },
    /// More than the cipher may take: 2^61 - 1 bytes, as it counts bits in 64 (RFC 10032, section 3).
    TooLong {
        /// Of what: `associated data`, `message`, `data`.
        of: &'static str,
    },
    /// There must be a result for each message.
    Count {
        /// How many messages there are.
        messages: usize,
        /// How many results.
        results: usize,
    },
    /// The tag is not that of this key and nonce, and of the associated data and ciphertext, or the data: at least one was
    /// changed, or is another's. What was decrypted into a place of the caller's as a whole is zeros; what a decryptor of parts gave
    /// out before is not authentic.
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

/// `bytes` as the key, nonce or tag that they are to be.
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

/// The number of bytes, if the cipher may take so many.
pub(crate) fn counted(of: &'static str, before: u64, more: usize) -> Result<u64, Error> {
    let n = before.checked_add(more as u64).filter(|&n| n <= MOST_BYTES);
    n.ok_or(Error::TooLong { of })
}
