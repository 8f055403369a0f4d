//! What can be wrong with arguments, and with what was received.

use core::fmt;

/// Why nothing was encrypted or decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key of so many bytes: AES has keys of 16, 24 and 32.
    KeyLength(usize),
    /// A message of so many bytes, where whole blocks of 16 are asked for.
    NotWholeBlocks(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyLength(bytes) => write!(f, "key: {bytes} bytes; AES takes 16, 24 or 32"),
            Self::NotWholeBlocks(bytes) => write!(f, "message: {bytes} bytes are no whole blocks of 16"),
        }
    }
}

impl core::error::Error for Error {}
