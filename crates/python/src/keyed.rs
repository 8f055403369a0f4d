//! HMAC and PBKDF2.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithms::Algorithm;
use crate::arguments::converted;
use crate::bytes::{bytes_of, detach_if_long};

/// Returns the HMAC-SHA-256 code of `data` under `key`.
#[pyfunction]
#[pyo3(signature = (key, data, /))]
pub(crate) fn hmac_sha256<'py>(
    key: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, mut held_key, mut held) = (key.py(), None, None);
    let (key, data) = (bytes_of(key, "key", &mut held_key)?, bytes_of(data, "data", &mut held)?);
    let mac = detach_if_long(py, key.len() + data.len(), || hashlanes::hmac_sha256(key, data));
    Ok(PyBytes::new(py, &mac))
}

/// Derives a key of `dklen` bytes (by default, a digest's length) from a password with PBKDF2 and HMAC (RFC
/// 8018).
#[pyfunction]
#[pyo3(signature = (hash_name, password, salt, iterations, dklen=None))]
pub(crate) fn pbkdf2_hmac<'py>(
    py: Python<'py>,
    hash_name: &Bound<'py, PyAny>,
    password: &Bound<'py, PyAny>,
    salt: &Bound<'py, PyAny>,
    iterations: &Bound<'py, PyAny>,
    dklen: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = Algorithm::given(hash_name, "hash_name")?;
    // RFC 8018, section 5.2: at most 2^32 - 1 blocks; iterations are limited as in `hashlib`.
    const MOST: i64 = i32::MAX as i64;
    let positive = |value: &Bound<'py, PyAny>, name: &str| match converted(value, name)? {
        number @ 1..=MOST => Ok(number),
        number => Err(PyValueError::new_err(format!("{name}: {number} is not between 1 and {MOST}"))),
    };
    let iterations = positive(iterations, "iterations")? as u32;
    let key_bytes = match dklen {
        Some(dklen) => positive(dklen, "dklen")? as usize,
        None => algorithm.digest_bytes,
    };
    let (mut held_password, mut held_salt) = (None, None);
    let password = bytes_of(password, "password", &mut held_password)?;
    let salt = bytes_of(salt, "salt", &mut held_salt)?;
    PyBytes::new_with(py, key_bytes, |key| {
        py.detach(|| (algorithm.pbkdf2)(password, salt, iterations, key));
        Ok(())
    })
}
