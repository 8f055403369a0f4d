//! Authenticated encryption with AEGIS (RFC 10032).

use hashlanes::aes::aegis::{Aegis128L, Aegis256, Error, Tag128, Tag256};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::converted;
use crate::bytes::{bytes_of, detach_if_long};
use crate::errors::VerificationError;

/// `with_cipher!((key, tag_bytes), cipher => expression)`: the expression with the cipher of a key of 16
/// bytes, AEGIS-128L, or 32 bytes, AEGIS-256.
macro_rules! with_cipher {
    (($key:expr, $tag_bytes:expr), $cipher:ident => $body:expr) => {
        match ($key.len(), $tag_bytes) {
            (16, 16) => with_cipher!(@ Aegis128L Tag128 $key, $cipher => $body),
            (16, 32) => with_cipher!(@ Aegis128L Tag256 $key, $cipher => $body),
            (32, 16) => with_cipher!(@ Aegis256 Tag128 $key, $cipher => $body),
            (32, 32) => with_cipher!(@ Aegis256 Tag256 $key, $cipher => $body),
            (16 | 32, n) => Err(PyValueError::new_err(format!("tag_bytes: {n}; tags have 16 or 32 bytes"))),
            (n, _) => Err(PyValueError::new_err(format!(
                "key: {n} bytes; AEGIS-128L has keys of 16 bytes, AEGIS-256 of 32"
            ))),
        }
    };
    (@ $type:ident $tag:ident $key:expr, $cipher:ident => $body:expr) => {{
        type Cipher = $type<$tag>;
        let $cipher = Cipher::from_slice($key).map_err(raised)?;
        $body
    }};
}

/// Encrypts and authenticates a message; returns the ciphertext with the tag at its end.
///
/// A key of 16 bytes selects AEGIS-128L, one of 32 bytes AEGIS-256. The nonce is as long as the key; use it
/// only once with a key.
#[pyfunction]
#[pyo3(signature = (key, nonce, message, associated_data=None, *, tag_bytes=32))]
pub(crate) fn aegis_seal<'py>(
    key: &Bound<'py, PyAny>,
    nonce: &Bound<'py, PyAny>,
    message: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = tag_bytes_of)] tag_bytes: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, mut held) = (key.py(), [None, None, None, None]);
    let [held_key, held_nonce, held_message, held_data] = &mut held;
    let (key, nonce) = (bytes_of(key, "key", held_key)?, bytes_of(nonce, "nonce", held_nonce)?);
    let message = bytes_of(message, "message", held_message)?;
    let data = associated_data.map(|data| bytes_of(data, "associated_data", held_data));
    let data = data.transpose()?.unwrap_or(&[]);
    with_cipher!((key, tag_bytes), cipher => {
        let nonce = Cipher::nonce(nonce).map_err(raised)?;
        let n_bytes = data.len() + message.len();
        PyBytes::new_with(py, message.len() + tag_bytes, |sealed| {
            let (ciphertext, tag_place) = sealed.split_at_mut(message.len());
            let tag = detach_if_long(py, n_bytes, || cipher.encrypt(&nonce, data, message, ciphertext));
            tag_place.copy_from_slice(tag.map_err(raised)?.as_ref());
            Ok(())
        })
    })
}

/// Decrypts the result of `seal`, with the same key, nonce, associated data and length of tags.
///
/// Raises `VerificationError` if any of them, or the sealed message, differs.
#[pyfunction]
#[pyo3(signature = (key, nonce, sealed, associated_data=None, *, tag_bytes=32))]
pub(crate) fn aegis_open<'py>(
    key: &Bound<'py, PyAny>,
    nonce: &Bound<'py, PyAny>,
    sealed: &Bound<'py, PyAny>,
    associated_data: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = tag_bytes_of)] tag_bytes: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, mut held) = (key.py(), [None, None, None, None]);
    let [held_key, held_nonce, held_sealed, held_data] = &mut held;
    let (key, nonce) = (bytes_of(key, "key", held_key)?, bytes_of(nonce, "nonce", held_nonce)?);
    let sealed = bytes_of(sealed, "sealed", held_sealed)?;
    let data = associated_data.map(|data| bytes_of(data, "associated_data", held_data));
    let data = data.transpose()?.unwrap_or(&[]);
    with_cipher!((key, tag_bytes), cipher => {
        let nonce = Cipher::nonce(nonce).map_err(raised)?;
        let n_bytes = sealed.len();
        let Some(message_bytes) = n_bytes.checked_sub(tag_bytes) else {
            return Err(raised(Error::NoTag { n_bytes, tag_bytes }));
        };
        let (ciphertext, tag) = sealed.split_at(message_bytes);
        let tag = Cipher::tag(tag).map_err(raised)?;
        PyBytes::new_with(py, message_bytes, |message| {
            let decrypt = || cipher.decrypt(&nonce, data, ciphertext, &tag, message);
            detach_if_long(py, data.len() + n_bytes, decrypt).map_err(raised)
        })
    })
}

fn tag_bytes_of(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    converted(object, "tag_bytes")
}

fn raised(error: Error) -> PyErr {
    match error {
        Error::Forged | Error::NoTag { .. } => VerificationError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
