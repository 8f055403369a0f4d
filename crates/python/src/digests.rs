//! Digests of a column's rows, and their encodings.

use std::ffi::CStr;
use std::mem;
use std::ops::RangeInclusive;
use std::sync::Mutex;

use base64ct::{Base64, Encoding as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::text_of;

/// The encoding of a digest.
#[derive(Clone, Copy)]
pub(crate) enum Encoding {
    Binary,
    Hex,
    Base64,
}

impl Encoding {
    /// Returns the encoding that an argument names.
    ///
    /// # Errors
    /// `TypeError` or `ValueError` with the argument's name.
    pub(crate) fn given(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        match text_of(object, "encoding")? {
            "binary" => Ok(Encoding::Binary),
            "hex" => Ok(Encoding::Hex),
            "base64" => Ok(Encoding::Base64),
            name => {
                let text = format!("encoding: unknown encoding {name:?}; expected binary, hex or base64");
                Err(PyValueError::new_err(text))
            }
        }
    }

    /// Length of a digest in bytes.
    pub(crate) fn width(self) -> usize {
        match self {
            Encoding::Binary => 32,
            Encoding::Hex => 64,
            Encoding::Base64 => 44,
        }
    }

    /// Writes the digest of a null row: zeros, as in the library.
    pub(crate) fn encode_null(self, result: &mut [u8]) {
        match self {
            Encoding::Binary => result.fill(0),
            Encoding::Hex => result.fill(b'0'),
            Encoding::Base64 => encode_base64(&[0; 32], result),
        }
    }
}

/// Writes a digest as 44 characters.
pub(crate) fn encode_base64(digest: &[u8; 32], text: &mut [u8]) {
    Base64::encode(digest, text).expect("44 characters");
}

/// Digests of a column's rows.
pub(crate) struct Digests {
    pub(crate) encoding: Encoding,
    /// The digests, one after the other.
    pub(crate) values: Vec<u8>,
    /// For text: the offset of each, and of the end.
    pub(crate) offsets: Option<Vec<i32>>,
    /// The validity bitmap (bit i mod 8 of byte i / 8 is 1 if row i is not null), and the number of nulls.
    pub(crate) validity: Option<(Vec<u8>, usize)>,
}

/// The memory of a dropped column, kept for the next one. Otherwise batches of a column would take 15 %
/// longer if the allocator fills memory with zeros, or 40 % if it comes from the system.
static SPARE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Least and greatest number of bytes that are kept: 2,048 rows, and 262,144 rows in hexadecimal.
const SPARE_BYTES: RangeInclusive<usize> = 64 << 10..=16 << 20;

/// Returns memory for digests, to be overwritten.
pub(crate) fn memory(n_bytes: usize) -> Vec<u8> {
    if let Ok(mut spare) = SPARE.try_lock()
        // Not used for a column that needs less than half of it.
        && (n_bytes..=2 * n_bytes).contains(&spare.capacity())
    {
        let mut memory = mem::take(&mut *spare);
        memory.resize(n_bytes, 0);
        return memory;
    }
    vec![0; n_bytes]
}

impl Drop for Digests {
    fn drop(&mut self) {
        if SPARE_BYTES.contains(&self.values.capacity())
            && let Ok(mut spare) = SPARE.try_lock()
        {
            *spare = mem::take(&mut self.values);
        }
    }
}

impl Digests {
    pub(crate) fn n_rows(&self) -> usize {
        self.values.len() / self.encoding.width()
    }

    /// Returns the type in the format of Arrow's C data interface: FixedSizeBinary(32) or Utf8.
    pub(crate) fn format(&self) -> &'static CStr {
        match self.encoding {
            Encoding::Binary => c"w:32",
            Encoding::Hex | Encoding::Base64 => c"u",
        }
    }
}
