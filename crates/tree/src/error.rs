//! What can be wrong with a tree's shape, its input's length, or a mode's name.

use alloc::string::String;
use core::fmt;

use crate::mode::Mode;

/// The modes that there are.
const NAMES: &str = "jlanes-v1-HASH-J, jpointers-v1-HASH-J (HASH: sha1, sha256, sha384, sha512; J: 1 to 255; \
     v1s, v1n for v1: single-prefix, no-prefix), mh_sha1, mh_sha256, parallel_hash";

/// The most lanes or slices: v1 gives their number a range that a byte holds.
pub const MAX_J: usize = 255;

/// What cannot be hashed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeError {
    /// There are 1 to 255 lanes or slices.
    J(usize),
    /// There must be as many slices, or digests of them, as the mode says.
    Slices {
        /// How many were given.
        given: usize,
        /// How many there are.
        j: usize,
    },
    /// The function is not defined for so short a message.
    TooShort {
        /// The message's length in bytes.
        len_bytes: u64,
        /// The shortest that there is.
        least: u64,
    },
    /// The message is not as long as was said when it began.
    Length {
        /// What was said, in bytes.
        said: u64,
        /// What came, in bytes; if more than was said, as far as it was given.
        came: u64,
    },
    /// The mode cuts the message by its length, which must be known before its first byte.
    LengthUnknown(Mode),
    /// There is no mode of that name.
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
            Self::UnknownMode(name) => write!(f, "there is no tree mode {name:?}; there is {NAMES}"),
        }
    }
}

impl core::error::Error for TreeError {}

/// The value, or a panic with the error's text.
#[track_caller]
pub(crate) fn expect<T>(result: Result<T, TreeError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
