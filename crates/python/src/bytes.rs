//! The bytes of Python objects that support the buffer protocol.
//!
//! # Safety
//! A [`Buffer`] holds a `Py_buffer` that the exporter filled, so its memory stays in place and has at least
//! the length in the `Py_buffer`. It was checked to be contiguous. Its contents may change: another thread
//! may write to a `bytearray` or an array while it is hashed, with or without the GIL. The result is then
//! unspecified, as with `hashlib`. Only hash functions and encoders read the memory; no branch and no address
//! in them depends on a byte's value.
//!
//! Functions of this module run with the GIL: they have a reference to a Python object, or to a [`Buffer`],
//! which is not [`Send`]. So the closure of a `detach` has no `Buffer`, and does not drop one.
//!
//! An [`OutBuffer`] is the same for writable memory. Digests are written into it while no slice of another
//! buffer exists, or after a check that it does not overlap the others, among them those of Arrow.
#![allow(unsafe_code)] // The argument is above.

use std::ffi::{CStr, c_char, c_int};
use std::fmt::Display;
use std::ops::Range;
use std::ptr::NonNull;
use std::slice;

use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi::{self, Py_buffer};
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

/// Returns whether an object supports the buffer protocol.
pub(crate) fn has_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// A C-contiguous buffer of any item type and number of dimensions. The `Py_buffer` stays at one address:
/// its exporter may have set its pointers to its own fields.
pub(crate) struct Buffer(NonNull<Py_buffer>);

impl Buffer {
    /// Returns the buffer of an object.
    ///
    /// # Errors
    /// With the argument's name: `TypeError` if it has none, or one of Python objects, whose addresses are
    /// not data; `ValueError` if it is not C-contiguous. The object's own errors, such as that of a
    /// `memoryview` that was released.
    pub(crate) fn of(object: &Bound<'_, PyAny>, argument: impl Display) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(format!("{argument}: strings must be encoded before hashing")));
        }
        if !has_buffer(object) {
            let found = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{argument}: expected bytes or another buffer, not {found}"
            )));
        }
        let py = object.py();
        let (buffer, has_objects) = match Self::request(object, ffi::PyBUF_FULL_RO) {
            Ok(buffer) => {
                let has_objects = buffer.has_objects();
                (buffer, has_objects)
            }
            // Some types of NumPy, such as datetime64, have no format. Other errors are raised again.
            Err(error)
                if error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyBufferError>(py) =>
            {
                (Self::request(object, ffi::PyBUF_INDIRECT)?, has_numpy_objects(object)?)
            }
            Err(error) => return Err(error),
        };
        if has_objects {
            return Err(PyTypeError::new_err(format!(
                "{argument}: the buffer holds Python objects, not bytes"
            )));
        }
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err(format!("{argument}: the buffer is not C-contiguous")));
        }
        Ok(buffer)
    }

    fn request(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Self> {
        let buffer = NonNull::from(Box::leak(Box::new(Py_buffer::new())));
        // SAFETY: a live object, and a struct for its exporter to fill.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), buffer.as_ptr(), flags) } == 0 {
            return Ok(Self(buffer));
        }
        // SAFETY: it was leaked above, and nothing refers to it after an error.
        drop(unsafe { Box::from_raw(buffer.as_ptr()) });
        Err(PyErr::fetch(object.py()))
    }

    fn fields(&self) -> &Py_buffer {
        // SAFETY: it was allocated in `request`, and is freed in `drop`.
        unsafe { self.0.as_ref() }
    }

    fn is_c_contiguous(&self) -> bool {
        // SAFETY: the exporter filled it.
        unsafe { ffi::PyBuffer_IsContiguous(self.0.as_ptr(), b'C' as c_char) != 0 }
    }

    /// Returns whether the format, if there is one, has Python objects.
    fn has_objects(&self) -> bool {
        let format = self.fields().format;
        if format.is_null() {
            return false; // Bytes.
        }
        // SAFETY: a string that lives as long as the buffer.
        let format = unsafe { CStr::from_ptr(format) }.to_bytes();
        // Names of fields are between colons.
        format.split(|byte| *byte == b':').step_by(2).flatten().any(|code| *code == b'O')
    }

    /// Items in each dimension.
    pub(crate) fn shape(&self) -> &[usize] {
        let (shape, n_dimensions) = (self.fields().shape, self.fields().ndim);
        if shape.is_null() {
            return &[]; // A single item.
        }
        // SAFETY: it has this number of dimensions, whose lengths are not negative.
        unsafe { slice::from_raw_parts(shape.cast(), n_dimensions as usize) }
    }

    fn len_bytes(&self) -> usize {
        self.fields().len as usize
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        if self.len_bytes() == 0 {
            return &[]; // The pointer may be null.
        }
        // SAFETY: the buffer has this length and is contiguous; see above.
        unsafe { slice::from_raw_parts(self.fields().buf.cast(), self.len_bytes()) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the GIL is held; see above. `request` leaked the box, and the exporter filled it.
        unsafe {
            ffi::PyBuffer_Release(self.0.as_ptr());
            drop(Box::from_raw(self.0.as_ptr()));
        }
    }
}

/// Returns whether an object has a NumPy type of Python objects.
fn has_numpy_objects(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(dtype) = object.getattr_opt("dtype")? else { return Ok(false) };
    dtype.getattr_opt("hasobject")?.map_or(Ok(false), |has_objects| has_objects.is_truthy())
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
        if buffer.fields().readonly != 0 {
            return Err(PyValueError::new_err(format!("{argument}: the buffer is read-only")));
        }
        Ok(Self(buffer))
    }

    pub(crate) fn len_bytes(&self) -> usize {
        self.0.len_bytes()
    }

    /// Checks that results of `n_bytes` bytes fill it.
    ///
    /// # Errors
    /// `ValueError` with the argument's name.
    pub(crate) fn check_len(&self, n_bytes: usize, argument: &str) -> PyResult<()> {
        let len_bytes = self.len_bytes();
        if len_bytes == n_bytes {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("{argument}: {len_bytes} bytes; the digests have {n_bytes}")))
    }

    /// Checks that it does not overlap an input.
    ///
    /// # Errors
    /// `ValueError` with the names of both arguments.
    pub(crate) fn check_apart(
        &self,
        argument: &str,
        input: Range<*const u8>,
        of_input: impl Display,
    ) -> PyResult<()> {
        let ours = self.0.bytes().as_ptr_range();
        if ours.start < input.end && input.start < ours.end {
            return Err(PyValueError::new_err(format!("{argument}: the buffer overlaps {of_input}")));
        }
        Ok(())
    }

    /// Returns the whole buffer, for results of input that does not overlap it.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        if self.len_bytes() == 0 {
            return &mut []; // The pointer may be null.
        }
        // SAFETY: the buffer has this length, is contiguous and writable; see the head of this file.
        unsafe { slice::from_raw_parts_mut(self.0.fields().buf.cast(), self.len_bytes()) }
    }
}
