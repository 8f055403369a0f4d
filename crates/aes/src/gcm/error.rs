//! Errors of AES-GCM and AES-GCM-SIV.

use core::fmt;

/// The reason why nothing was encrypted or decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key, nonce or tag has another length than the cipher requires.
    Length {
        /// The argument: `key`, `nonce`, `tag`.
        of: &'static str,
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
    /// Ciphertext and tag together are shorter than a tag: this number of bytes.
    NoTag(usize),
    /// The message is longer than its counter lasts: 2^36 - 32 bytes with AES-GCM (SP 800-38D, section
    /// 5.2.1.1), 2^36 bytes with AES-GCM-SIV (RFC 8452, section 6).
    MessageTooLong,
    /// The associated data is longer than 2^61 - 1 bytes with AES-GCM, 2^36 bytes with AES-GCM-SIV.
    DataTooLong,
    /// The number of results is not the number of messages.
    Count {
        /// The number of messages.
        messages: usize,
        /// The number of results.
        results: usize,
    },
    /// The tag does not match key, nonce, associated data and ciphertext: at least one of them was changed,
    /// or belongs to another message. The result is zeros.
    Forged,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { of, n_bytes, expected } => {
                write!(f, "{of}: {n_bytes} bytes; this cipher takes {expected}")
            }
            Self::Output { input_bytes, output_bytes } => {
                write!(f, "output: {output_bytes} bytes for a result of {input_bytes}")
            }
            Self::NoTag(n_bytes) => write!(f, "ciphertext with tag: {n_bytes} bytes, less than the tag's 16"),
            Self::MessageTooLong => f.write_str(
                "message: too long; the limit is 2^36 - 32 bytes with AES-GCM, 2^36 with AES-GCM-SIV",
            ),
            Self::DataTooLong => f.write_str(
                "associated data: too long; the limit is 2^61 - 1 bytes with AES-GCM, 2^36 with AES-GCM-SIV",
            ),
            Self::Count { messages, results } => {
                write!(f, "results: {results} for {messages} messages; there must be one for each")
            }
            Self::Forged => f.write_str("tag: not that of this key, nonce and data; they are not authentic"),
        }
    }
}

impl core::error::Error for Error {}

/// Converts `bytes` to a key, nonce or tag.
pub(crate) fn exactly<const N: usize>(of: &'static str, bytes: &[u8]) -> Result<[u8; N], Error> {
    bytes.try_into().map_err(|_| Error::Length { of, n_bytes: bytes.len(), expected: N })
}

/// Checks the numbers of bytes of AES-GCM against SP 800-38D, section 5.2.1.1.
///
/// # Errors
/// [`Error::MessageTooLong`], [`Error::DataTooLong`].
#[inline]
pub fn check_lengths(ad_bytes: u64, message_bytes: u64) -> Result<(), Error> {
    if message_bytes > (1 << 36) - 32 {
        return Err(Error::MessageTooLong);
    }
    if ad_bytes > (1 << 61) - 1 {
        return Err(Error::DataTooLong);
    }
    Ok(())
}
