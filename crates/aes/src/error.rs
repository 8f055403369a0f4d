//! Errors in arguments and in received data.

use core::fmt;

/// Why nothing was encrypted or decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key of this length in bytes: AES has keys of 16, 24 and 32.
    KeyLength(usize),
    /// A message of this length in bytes, where whole blocks of 16 are required.
    NotWholeBlocks(usize),
    /// An initialization vector or counter block of this length in bytes: it must have 16.
    IvLength(usize),
    /// This number of bytes of a message would repeat the counter.
    CounterRepeats(usize),
    /// This byte, counted from the first counter block, is after the end of the keystream.
    AfterKeystream(u128),
    /// The decrypted bytes do not end with a padding.
    Padding,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyLength(bytes) => write!(f, "key: {bytes} bytes; AES takes 16, 24 or 32"),
            Self::NotWholeBlocks(0) => f.write_str("ciphertext: 0 bytes; padding makes it 16 at least"),
            Self::NotWholeBlocks(bytes) => write!(f, "message: {bytes} bytes are no whole blocks of 16"),
            Self::IvLength(bytes) => write!(f, "iv: {bytes} bytes; AES takes 16"),
            Self::CounterRepeats(bytes) => {
                write!(f, "message: {bytes} bytes more, and the counter would come round to where it began")
            }
            Self::AfterKeystream(byte) => {
                write!(f, "n_bytes: byte {byte} is after the end of the keystream, where the counter repeats")
            }
            Self::Padding => f.write_str("ciphertext: it does not decrypt to a padded message"),
        }
    }
}

impl core::error::Error for Error {}
