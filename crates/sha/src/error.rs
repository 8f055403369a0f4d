//! Errors in the shape of arguments.

use core::fmt;

/// Arguments whose shapes do not match. The plain functions panic with this message; the functions `try_…`
/// return it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// The number of results is not the number of messages.
    Count {
        /// The items that each need a result: `messages`, `hashers`, `nodes`, `rows`.
        of: &'static str,
        /// Their number.
        inputs: usize,
        /// The argument for the results: `digests`, `macs`, `hex`.
        into: &'static str,
        /// Its length.
        results: usize,
    },
    /// A column of n rows has n + 1 offsets.
    NoOffsets,
    /// An offset is less than zero or less than the one before it.
    OffsetFalls {
        /// Its index in `offsets`.
        index: usize,
    },
    /// An offset passes the end of the values.
    OffsetPassesEnd {
        /// Its index in `offsets`.
        index: usize,
        /// The length of `values` in bytes.
        values_bytes: usize,
    },
    /// The validity bitmap has fewer bits than the column has rows.
    ValidityShort {
        /// Its length in bytes.
        validity_bytes: usize,
        /// The bit of the first row.
        first_bit: usize,
        /// Rows of the column.
        rows: usize,
    },
    /// A view has a negative length, or is not inside its buffer.
    ViewOutside {
        /// Its index in `views`.
        index: usize,
    },
    /// A midstate must follow whole blocks, and so few that the length does not wrap.
    Midstate {
        /// The number of bytes before it.
        n_bytes: u64,
        /// The number of bytes of a block.
        block_bytes: usize,
    },
    /// The buffer of equal messages must be their length times the number of results.
    BufferLength {
        /// The name of the argument.
        buffer: &'static str,
        /// Its length in bytes.
        buffer_bytes: usize,
        /// The number of bytes of a message.
        len_bytes: usize,
        /// The name of the argument for the results.
        into: &'static str,
        /// The number of results.
        results: usize,
    },
    /// The buffer of outputs must be an output's length times the number of messages.
    OutputLength {
        /// Its length in bytes.
        buffer_bytes: usize,
        /// The number of bytes of an output.
        len_bytes: usize,
        /// The number of `messages`.
        messages: usize,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Count { of, inputs, into, results } => {
                write!(f, "{into}: {results} for {inputs} {of}; there must be one for each")
            }
            Self::NoOffsets => f.write_str("offsets: none; a column of n rows has n + 1"),
            Self::OffsetFalls { index } => {
                write!(f, "offsets[{index}]: less than the offset before it (or than zero)")
            }
            Self::OffsetPassesEnd { index, values_bytes } => {
                write!(f, "offsets[{index}]: passes the end of values, {values_bytes} bytes")
            }
            Self::ValidityShort { validity_bytes, first_bit: 0, rows } => {
                write!(f, "validity: {validity_bytes} bytes are fewer bits than the column has rows, {rows}")
            }
            Self::ValidityShort { validity_bytes, first_bit, rows } => {
                write!(
                    f,
                    "validity: {validity_bytes} bytes are too short for {rows} rows from bit {first_bit} on"
                )
            }
            Self::ViewOutside { index } => {
                write!(f, "views[{index}]: not inside its buffer (or a length less than zero)")
            }
            Self::Midstate { n_bytes, block_bytes } => {
                write!(f, "midstate after {n_bytes} bytes: not whole blocks of {block_bytes}, or too many")
            }
            Self::BufferLength { buffer, buffer_bytes, len_bytes, into, results } => {
                write!(f, "{buffer}: {buffer_bytes} bytes, not {results} ({into}) times {len_bytes}")
            }
            Self::OutputLength { buffer_bytes, len_bytes, messages } => {
                write!(f, "outputs: {buffer_bytes} bytes, not {messages} (messages) times {len_bytes}")
            }
        }
    }
}

impl core::error::Error for ShapeError {}

/// Returns the value, or panics with the error's message.
#[track_caller]
pub(crate) fn expect<T>(result: Result<T, ShapeError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

/// Checks that there is a result for each input.
pub(crate) fn same_count(
    of: &'static str,
    inputs: usize,
    into: &'static str,
    results: usize,
) -> Result<(), ShapeError> {
    if inputs == results { Ok(()) } else { Err(ShapeError::Count { of, inputs, into, results }) }
}

/// Returns whether the length of `buffer` is `len_bytes` times the number of results.
pub(crate) fn same_length(
    buffer: (&'static str, usize),
    len_bytes: usize,
    into: (&'static str, usize),
) -> Result<(), ShapeError> {
    let ((buffer, buffer_bytes), (into, results)) = (buffer, into);
    if len_bytes.checked_mul(results) == Some(buffer_bytes) {
        return Ok(());
    }
    Err(ShapeError::BufferLength { buffer, buffer_bytes, len_bytes, into, results })
}
