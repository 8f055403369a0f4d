//! HMAC and PBKDF2.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithms::Algorithm;
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
    hash_name: &str,
    password: &Bound<'py, PyAny>,
    salt: &Bound<'py, PyAny>,
    iterations: i64,
    dklen: Option<i64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let algorithm = Algorithm::named(hash_name)?;
    // RFC 8018, section 5.2: at most 2^32 - 1 blocks; iterations are limited as in `hashlib`.
    let positive = |name: &str, value: i64, most: i64| match value {
        1.. if value <= most => Ok(value),
        _ => Err(PyValueError::new_err(format!("{name}: {value} is not between 1 and {most}"))),
    };
    let iterations = positive("iterations", iterations, i32::MAX.into())? as u32;
    let key_bytes =
        positive("dklen", dklen.unwrap_or(algorithm.digest_bytes as i64), i32::MAX.into())? as usize;
    let (mut held_password, mut held_salt) = (None, None);
    let password = bytes_of(password, "password", &mut held_password)?;
    let salt = bytes_of(salt, "salt", &mut held_salt)?;
    PyBytes::new_with(py, key_bytes, |key| {
        py.detach(|| (algorithm.pbkdf2)(password, salt, iterations, key));
        Ok(())
    })
}
