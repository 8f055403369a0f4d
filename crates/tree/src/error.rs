//! Errors in a tree's shape, its input's length, or a mode's name.

use alloc::string::String;
use core::fmt;

use crate::mode::Mode;

/// The names of the modes.
const NAMES: &str = "jlanes-v1-HASH-J, jpointers-v1-HASH-J (HASH: sha1, sha256, sha384, sha512; J: 1 to 255; \
     v1s, v1n for v1: single-prefix, no-prefix), mh_sha1, mh_sha256, parallel_hash";

/// The greatest number of lanes or slices: in v1 it fits into a byte.
pub const MAX_J: usize = 255;

/// An error of a tree mode.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// The number of lanes or slices must be 1 to 255.
    J(usize),
    /// The number of slices, or of their digests, must be that of the mode.
    Slices {
        /// The given number.
        given: usize,
        /// The required number.
        j: usize,
    },
    /// The function is not defined for a message this short.
    TooShort {
        /// The message's length in bytes.
        len_bytes: u64,
        /// The shortest allowed length.
        least: u64,
    },
    /// The message does not have the length that was given at its beginning.
    Length {
        /// The given length in bytes.
        said: u64,
        /// The actual length in bytes; if it is greater than the given one, up to the part that exceeded it.
        came: u64,
    },
    /// The mode cuts the message by its length, which must be known before its first byte.
    LengthUnknown(Mode),
    /// An unknown mode.
    UnknownMode(String),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::J(j) => write!(f, "j: {j}; there are 1 to {MAX_J} lanes or slices"),
            Self::Slices { given, j } => write!(f, "slices: {given}; there must be {j}"),
            Self::TooShort { len_bytes, least } => {
                write!(f, "message: {len_bytes} bytes; the function is defined from {least} bytes on")
            }
            Self::Length { said, came } => write!(f, "message: {came} bytes instead of {said} as was said"),
            Self::LengthUnknown(mode) => {
                write!(f, "{mode} cuts a message by its length, which must be known before it begins")
            }
            Self::UnknownMode(name) => write!(f, "unknown tree mode {name:?}; expected one of {NAMES}"),
        }
    }
}

impl core::error::Error for TreeError {}

/// Returns the value, or panics with the error's message.
#[track_caller]
pub(crate) fn expect<T>(result: Result<T, TreeError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
