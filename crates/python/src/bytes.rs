//! The bytes of Python objects that support the buffer protocol.
//!
//! # Safety
//! A [`Buffer`] holds a `Py_buffer`, so its memory stays in place and has at least the length in the
//! `Py_buffer`. It was checked to be contiguous. Its contents may change: another thread may write to a
//! `bytearray` or an array while it is hashed, with or without the GIL. The result is then unspecified, as
//! with `hashlib`. Only hash functions and encoders read the memory; no branch and no address in them depends
//! on a byte's value.
//!
//! An [`OutBuffer`] is the same for writable memory. Digests are written into it while no slice of another
//! buffer exists, or after a check that it does not overlap the others. Arrow's memory is immutable by its
//! specification, so it needs none of these rules.
#![allow(unsafe_code)] // The argument is above.

use std::fmt::Display;
use std::{ptr, slice};

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The length in bytes from which hashing releases the GIL. Python's own `hashlib` releases it from 2,048 on.
pub(crate) const DETACH_FROM: usize = 2048;

/// Runs `work` on `n_bytes` bytes, and releases the GIL for large inputs.
#[inline]
pub(crate) fn detach_if_long<R: Send>(py: Python<'_>, n_bytes: usize, work: impl FnOnce() -> R + Send) -> R {
    if n_bytes < DETACH_FROM { work() } else { py.detach(work) }
}

/// Returns the bytes of `object`, which is `bytes` or has a C-contiguous buffer; `held` keeps the buffer.
///
/// Inlined, so that a slice of `bytes` stays in registers: in memory, as part of a struct, it costs 10 ns.
///
/// # Errors
/// `TypeError` or `ValueError` with the argument's name.
#[inline(always)]
pub(crate) fn bytes_of<'a>(
    object: &'a Bound<'_, PyAny>,
    argument: impl Display,
    held: &'a mut Option<Buffer>,
) -> PyResult<&'a [u8]> {
    match object.cast_exact::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes()),
        Err(_) => Ok(held.insert(Buffer::of(object, argument)?).bytes()),
    }
}

/// A C-contiguous buffer of any item type and number of dimensions.
pub(crate) struct Buffer(PyUntypedBuffer);

impl Buffer {
    /// Returns the buffer of an object.
    ///
    /// # Errors
    /// With the argument's name: `TypeError` if it has none, or one of Python objects, whose addresses are
    /// not data; `ValueError` if it is not C-contiguous.
    pub(crate) fn of(object: &Bound<'_, PyAny>, argument: impl Display) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(format!("{argument}: strings must be encoded before hashing")));
        }
        let Ok(buffer) = PyUntypedBuffer::get(object) else {
            let found = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{argument}: expected bytes or another buffer, not {found}"
            )));
        };
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err(format!("{argument}: the buffer is not C-contiguous")));
        }
        // Names of fields are between colons.
        let types = buffer.format().to_bytes().split(|byte| *byte == b':').step_by(2);
        if types.flatten().any(|code| *code == b'O') {
            return Err(PyTypeError::new_err(format!(
                "{argument}: the buffer holds Python objects, not bytes"
            )));
        }
        Ok(Self(buffer))
    }

    /// Items in each dimension.
    pub(crate) fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        if self.0.len_bytes() == 0 {
            return &[]; // The pointer may be null.
        }
        // SAFETY: the buffer has this length and is contiguous; see above.
        unsafe { slice::from_raw_parts(self.0.buf_ptr().cast(), self.0.len_bytes()) }
    }
}

/// A writable buffer for results.
pub(crate) struct OutBuffer(Buffer);

impl OutBuffer {
    /// Returns the buffer of an object.
    ///
    /// # Errors
    /// The errors of [`Buffer::of`], `ValueError` if it is read-only.
    pub(crate) fn of(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Self> {
        let buffer = Buffer::of(object, argument)?;
        if buffer.0.readonly() {
            return Err(PyValueError::new_err(format!("{argument}: the buffer is read-only")));
        }
        Ok(Self(buffer))
    }

    /// Checks that results of `n_bytes` bytes fill it.
    ///
    /// # Errors
    /// `ValueError` with the argument's name.
    pub(crate) fn check_len(&self, n_bytes: usize, argument: &str) -> PyResult<()> {
        let len_bytes = self.0.0.len_bytes();
        if len_bytes == n_bytes {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("{argument}: {len_bytes} bytes; the digests have {n_bytes}")))
    }

    /// Writes the part of `results` that fits, from the byte `at` on.
    pub(crate) fn write(&mut self, at: usize, results: &[u8]) {
        let room = self.0.0.len_bytes().saturating_sub(at);
        let n_bytes = results.len().min(room);
        if n_bytes > 0 {
            // SAFETY: they fit, and the results are the caller's own memory.
            unsafe {
                ptr::copy_nonoverlapping(results.as_ptr(), self.0.0.buf_ptr().cast::<u8>().add(at), n_bytes)
            }
        }
    }

    /// Returns whether it overlaps `other`.
    pub(crate) fn overlaps(&self, other: &[u8]) -> bool {
        let (ours, theirs) = (self.0.bytes().as_ptr_range(), other.as_ptr_range());
        ours.start < theirs.end && theirs.start < ours.end
    }

    /// Returns the whole buffer, for results of input that does not overlap it.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        if self.0.0.len_bytes() == 0 {
            return &mut []; // The pointer may be null.
        }
        // SAFETY: the buffer has this length, is contiguous and writable; see the head of this file.
        unsafe { slice::from_raw_parts_mut(self.0.0.buf_ptr().cast(), self.0.0.len_bytes()) }
    }
}
