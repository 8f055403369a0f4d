//! Error numbers, and their texts.

use std::ffi::{CStr, c_char, c_int};

use hashlanes::ShapeError;

/// The result of a function. A function that returns an error has written nothing, unless its description
/// says otherwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum hashlanes_error {
    /// Success.
    HASHLANES_OK = 0,
    /// A pointer is NULL where memory is required.
    HASHLANES_NULL = 1,
    /// Memory that is written overlaps memory that is read, or a handle occurs twice.
    HASHLANES_OVERLAP = 2,
    /// A length is greater than half the address space, or than the algorithm permits.
    HASHLANES_TOO_LONG = 3,
    /// An array of integers or structures is not aligned as its type.
    HASHLANES_MISALIGNED = 4,
    /// An unknown algorithm, or one that the function does not support.
    HASHLANES_UNSUPPORTED = 5,
    /// A hasher that was not initialised, or was cleared.
    HASHLANES_NOT_INITIALISED = 6,
    /// An offset of a column decreases, is negative, or passes the end of the values.
    HASHLANES_OFFSETS = 7,
    /// The result does not fit into the memory for it.
    HASHLANES_BUFFER_TOO_SMALL = 8,
    /// An authentication code or tag does not match: the message is forged, or the key is wrong.
    HASHLANES_FORGED = 9,
    /// A key, nonce, tag or initialization vector has a length that the algorithm does not support.
    HASHLANES_KEY_LENGTH = 10,
    /// The length of a message is not a multiple of the block length.
    HASHLANES_NOT_WHOLE_BLOCKS = 11,
    /// A counter would repeat a value.
    HASHLANES_COUNTER_REPEATS = 12,
    /// A public key cannot be read: it is malformed, or of an unknown parameter set.
    HASHLANES_PUBLIC_KEY = 13,
    /// A signature is not valid for the message and the key.
    HASHLANES_INVALID_SIGNATURE = 14,
    /// No tree mode has this name.
    HASHLANES_UNKNOWN_MODE = 15,
    /// A message does not have the announced length, or the length that the mode requires.
    HASHLANES_MESSAGE_LENGTH = 16,
    /// An index or a number of leaves is not possible in the tree.
    HASHLANES_NO_LEAF = 17,
    /// A proof does not result in the root.
    HASHLANES_WRONG_PROOF = 18,
    /// A bug in this library, or no memory left. Handles of this call may only be freed.
    HASHLANES_INTERNAL = 19,
}

use hashlanes_error::*;

impl From<ShapeError> for hashlanes_error {
    fn from(error: ShapeError) -> Self {
        match error {
            ShapeError::NoOffsets | ShapeError::OffsetFalls { .. } | ShapeError::OffsetPassesEnd { .. } => {
                HASHLANES_OFFSETS
            }
            // `border.rs` only makes buffers of valid lengths.
            _ => HASHLANES_INTERNAL,
        }
    }
}

/// Returns a sentence that describes an error, in English, without a full stop. The text is static; do not
/// free it. For an unknown number it returns "unknown error".
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_strerror(error: c_int) -> *const c_char {
    const TEXTS: [&CStr; 20] = [
        c"success",
        c"a pointer is NULL where there must be memory",
        c"memory that is written overlaps memory that is read, or a handle is given twice",
        c"a length is greater than half the address space, or than the algorithm permits",
        c"an array is not aligned as its type",
        c"an unknown algorithm, or one that the function does not support",
        c"the hasher was not initialised, or was cleared",
        c"an offset of the column decreases, is negative, or passes the end of the values",
        c"the result does not fit into the memory for it",
        c"the authentication code or tag is not that of the message",
        c"a key, nonce, tag or initialization vector has a length that the algorithm does not have",
        c"the message is not whole blocks",
        c"the counter would return to a value that it had",
        c"the public key is malformed, or of an unknown parameter set",
        c"the signature is not valid for the message and the key",
        c"no tree mode has this name",
        c"the message does not have the length that was announced, or that the mode requires",
        c"an index or a count of leaves is not of the tree",
        c"the proof does not lead to the root",
        c"a bug in hashlanes, or memory was exhausted",
    ];
    let text = usize::try_from(error).ok().and_then(|error| TEXTS.get(error));
    text.unwrap_or(&c"unknown error").as_ptr()
}
