//! SHA-256 of many messages, each in a separate object.

use hashlanes::sha256_many as digest_many;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::bytes::{Buffer, OutBuffer, bytes_of, detach_if_long};

/// Number of messages that are hashed at a time: enough for every lane, and few enough that they stay in the
/// cache.
const BATCH: usize = 1024;

/// Number of copied bytes that end a batch: 16 messages of 1 MiB fill the lanes.
const COPIED_BYTES: usize = 16 << 20;

/// Returns the SHA-256 digests of many messages, in order; with `out`, writes them there and returns it.
///
/// The messages of a list or a tuple must not change until the call returns. Another iterable may reuse the
/// memory of a message for the next one: each message is copied, except `bytes`. `out` must not overlap a
/// message.
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
    let mut remaining = messages.try_iter().map(Iterator::fuse).map_err(|error| match found.name() {
        Ok(found) if error.is_instance_of::<PyTypeError>(py) => {
            PyTypeError::new_err(format!("messages: expected an iterable of buffers, not {found}"))
        }
        _ => error,
    })?;
    if let (Some(buffer), Ok(n_messages)) = (&buffer, messages.len()) {
        buffer.check_len(n_messages.saturating_mul(32), "out")?;
    }
    // Between the items of these, no code runs that could change a message.
    let stays = messages.is_exact_instance_of::<PyList>() || messages.is_exact_instance_of::<PyTuple>();
    let mut n_hashed = 0;
    loop {
        let (mut batch, mut n_copied) = (Vec::new(), 0);
        while batch.len() < BATCH && n_copied < COPIED_BYTES {
            let Some(message) = remaining.next() else { break };
            let (message, number) = (message?, n_hashed + batch.len());
            if let Some(buffer) = &buffer
                && buffer.len_bytes() / 32 == number
            {
                let text = format!("out: {} bytes; the digests have more", buffer.len_bytes());
                return Err(PyValueError::new_err(text));
            }
            if stays || message.is_exact_instance_of::<PyBytes>() {
                batch.push(message);
                continue;
            }
            let mut held = None;
            let bytes = message_bytes(&message, number, &mut held, buffer.as_ref())?;
            n_copied += bytes.len();
            batch.push(PyBytes::new(py, bytes).into_any());
        }
        if batch.is_empty() {
            break;
        }
        let digests = digests_of(py, &batch, n_hashed, buffer.as_ref())?;
        match &mut buffer {
            Some(buffer) => {
                let digests = digests.as_flattened();
                buffer.bytes_mut()[32 * n_hashed..][..digests.len()].copy_from_slice(digests);
            }
            None => digests.iter().try_for_each(|digest| list.append(PyBytes::new(py, digest)))?,
        }
        n_hashed += batch.len();
        py.check_signals()?;
    }
    if let Some(buffer) = buffer {
        buffer.check_len(32 * n_hashed, "out")?;
    }
    Ok(out.unwrap_or(&list).clone())
}

/// Returns the digests of messages; the first of them has number `first`.
fn digests_of(
    py: Python<'_>,
    messages: &[Bound<'_, PyAny>],
    first: usize,
    out: Option<&OutBuffer>,
) -> PyResult<Vec<[u8; 32]>> {
    let mut held = Vec::new();
    held.resize_with(messages.len(), || None);
    let bytes = (first..).zip(messages).zip(&mut held);
    let bytes = bytes.map(|((number, message), held)| message_bytes(message, number, held, out));
    let bytes = bytes.collect::<PyResult<Vec<&[u8]>>>()?;
    let mut digests = vec![[0; 32]; messages.len()];
    let n_bytes = bytes.iter().map(|bytes| bytes.len()).sum();
    detach_if_long(py, n_bytes, || digest_many(&bytes, &mut digests));
    Ok(digests)
}

/// Returns the bytes of a message, which `out` must not overlap.
#[inline(always)]
fn message_bytes<'a>(
    message: &'a Bound<'_, PyAny>,
    number: usize,
    held: &'a mut Option<Buffer>,
    out: Option<&OutBuffer>,
) -> PyResult<&'a [u8]> {
    let bytes = bytes_of(message, format_args!("messages[{number}]"), held)?;
    if let Some(out) = out {
        out.check_apart("out", bytes.as_ptr_range(), format_args!("messages[{number}]"))?;
    }
    Ok(bytes)
}
