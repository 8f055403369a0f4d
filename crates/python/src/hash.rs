//! Hash objects, as Python's `hashlib` has them, and digests in one call.

use std::convert::Infallible;

use hashlanes::Hex;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithms::{Algorithm, AnyHasher, with_hasher};
use crate::algorithms::{SHA1, SHA224, SHA256, SHA384, SHA512, SHA512_224, SHA512_256};
use crate::bytes::{DETACH_FROM, bytes_of, detach_if_long};
use crate::shared::Shared;

/// A hash object: takes a message in parts.
#[pyclass(frozen, module = "hashlanes", name = "HASH")]
pub(crate) struct Hash {
    algorithm: &'static Algorithm,
    hasher: Shared<AnyHasher>,
}

impl Hash {
    #[inline]
    fn of(algorithm: &'static Algorithm, mut hasher: AnyHasher, data: Data<'_, '_>) -> PyResult<Self> {
        if let Some(data) = data.0 {
            let mut held = None;
            let bytes = bytes_of(&data, "data", &mut held)?;
            detach_if_long(
                data.py(),
                bytes.len(),
                || with_hasher!(&mut hasher, hasher => hasher.update(bytes)),
            );
        }
        Ok(Self { algorithm, hasher: Shared::new(hasher) })
    }
}

/// The argument `data`, which may be left out but not be `None`.
pub(crate) struct Data<'a, 'py>(Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Data<'a, 'py> {
    type Error = Infallible;

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self(Some(object)))
    }
}

#[pymethods]
impl Hash {
    /// Absorbs the next part of the message.
    #[pyo3(signature = (data, /))]
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, mut held) = (data.py(), None);
        let data = bytes_of(data, "data", &mut held)?;
        let update = |hasher: &mut AnyHasher| with_hasher!(hasher, hasher => hasher.update(data));
        match data.len() {
            ..DETACH_FROM => self.hasher.with(py, update),
            _ => self.hasher.with_detached(py, update),
        }
        Ok(())
    }

    /// Returns the digest of the message so far.
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        // The copy is finished where it is made: a move costs 14 ns of 200. To create bytes or a string runs no Python code.
        self.hasher
            .with(py, |hasher| with_hasher!(hasher, hasher => PyBytes::new(py, &hasher.clone().finish())))
    }

    /// Returns the digest of the message so far, in lower-case hexadecimal.
    fn hexdigest(&self, py: Python<'_>) -> String {
        self.hasher
            .with(py, |hasher| with_hasher!(hasher, hasher => Hex(hasher.clone().finish()).to_string()))
    }

    /// Returns a copy that continues on its own.
    fn copy(&self, py: Python<'_>) -> Self {
        Self { algorithm: self.algorithm, hasher: Shared::new(self.hasher.with(py, |hasher| hasher.clone())) }
    }

    /// The hash's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    /// Bytes in a block.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.block_bytes
    }

    /// Bytes in a digest.
    #[getter]
    fn digest_size(&self) -> usize {
        self.algorithm.digest_bytes
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        format!("<{} hashlanes.HASH object @ {:p}>", slf.get().algorithm.name, slf.as_ptr())
    }
}

/// Begins a hash by name.
#[pyfunction]
#[pyo3(signature = (name, data=Data(None), *, usedforsecurity=None), text_signature = "(name, data=b'', *, usedforsecurity=True)")]
pub(crate) fn new(
    name: &str,
    data: Data<'_, '_>,
    usedforsecurity: Option<&Bound<'_, PyAny>>,
) -> PyResult<Hash> {
    let _ = usedforsecurity; // As of `hashlib`; it changes no digest.
    let algorithm = Algorithm::named(name)?;
    Hash::of(algorithm, (algorithm.hasher)(), data)
}

macro_rules! constructors {
    ($($function:ident $algorithm:ident $variant:ident $name:literal;)*) => {$(
        #[doc = concat!("Begins a ", $name, " hash.")]
        #[pyfunction]
        #[pyo3(signature = (data=Data(None), *, usedforsecurity=None), text_signature = "(data=b'', *, usedforsecurity=True)")]
        pub(crate) fn $function(data: Data<'_, '_>, usedforsecurity: Option<&Bound<'_, PyAny>>) -> PyResult<Hash> {
            let _ = usedforsecurity;
            Hash::of(&$algorithm, AnyHasher::$variant(Default::default()), data)
        }
    )*};
}
constructors! {
    sha1 SHA1 Sha1 "SHA-1";
    sha224 SHA224 Sha224 "SHA-224";
    sha256 SHA256 Sha256 "SHA-256";
    sha384 SHA384 Sha384 "SHA-384";
    sha512 SHA512 Sha512 "SHA-512";
    sha512_224 SHA512_224 Sha512_224 "SHA-512/224";
    sha512_256 SHA512_256 Sha512_256 "SHA-512/256";
}

/// Returns the SHA-256 digest of `data`.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub(crate) fn sha256_digest<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(data.py(), &sha256_of(data)?))
}

/// Returns the SHA-256 digest of `data`, in lower-case hexadecimal.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub(crate) fn sha256_hexdigest(data: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(Hex(sha256_of(data)?).to_string())
}

#[inline]
fn sha256_of(data: &Bound<'_, PyAny>) -> PyResult<[u8; 32]> {
    let mut held = None;
    let bytes = bytes_of(data, "data", &mut held)?;
    Ok(detach_if_long(data.py(), bytes.len(), || hashlanes::sha256(bytes)))
}
