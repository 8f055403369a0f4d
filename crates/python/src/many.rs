//! SHA-256 of many messages, each in a separate object.

use hashlanes::sha256_many as digest_many;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::bytes::{OutBuffer, bytes_of, detach_if_long};

/// Number of messages that are hashed at a time: enough for every lane, and few enough that they stay in the
/// cache.
const BATCH: usize = 1024;

/// Returns the SHA-256 digests of many messages, in order; with `out`, writes them there and returns it.
#[pyfunction]
#[pyo3(signature = (messages, *, out=None))]
pub(crate) fn sha256_many<'py>(
    messages: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let mut buffer = out.map(|out| OutBuffer::of(out, "out")).transpose()?;
    let list = PyList::empty(py);
    let found = messages.get_type();
    let mut messages = messages.try_iter().map_err(|error| match found.name() {
        Ok(found) if error.is_instance_of::<PyTypeError>(py) => {
            PyTypeError::new_err(format!("messages: expected an iterable of buffers, not {found}"))
        }
        _ => error,
    })?;
    let mut n_hashed = 0;
    loop {
        let batch = messages.by_ref().take(BATCH).collect::<PyResult<Vec<_>>>()?;
        let digests = digests_of(py, &batch, n_hashed)?;
        match &mut buffer {
            Some(buffer) => buffer.write(32 * n_hashed, digests.as_flattened()),
            None => digests.iter().try_for_each(|digest| list.append(PyBytes::new(py, digest)))?,
        }
        n_hashed += batch.len();
        if batch.len() < BATCH {
            break;
        }
    }
    if let Some(buffer) = buffer {
        buffer.check_len(32 * n_hashed, "out")?;
    }
    Ok(out.unwrap_or(&list).clone())
}

/// Returns the digests of messages; the first of them has number `first`.
fn digests_of(py: Python<'_>, messages: &[Bound<'_, PyAny>], first: usize) -> PyResult<Vec<[u8; 32]>> {
    let mut held = Vec::new();
    held.resize_with(messages.len(), || None);
    let bytes = (first..).zip(messages).zip(&mut held);
    let bytes = bytes.map(|((i, message), held)| bytes_of(message, format_args!("messages[{i}]"), held));
    let bytes = bytes.collect::<PyResult<Vec<&[u8]>>>()?;
    let mut digests = vec![[0; 32]; messages.len()];
    let n_bytes = bytes.iter().map(|bytes| bytes.len()).sum();
    detach_if_long(py, n_bytes, || digest_many(&bytes, &mut digests));
    Ok(digests)
}
