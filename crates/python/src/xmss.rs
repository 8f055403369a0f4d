//! Signatures of XMSS and XMSS^MT.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hashlanes::hbs::{Error, VerifyingKey};
use hashlanes_formats::public_key;
use pyo3::prelude::*;

use crate::arguments::converted;
use crate::bytes::bytes_of;
use crate::errors::{FormatError, VerificationError};
use crate::steps::{Steps, os_error};

/// Verifies the signature of a message; returns nothing, or raises `VerificationError`.
///
/// `public_key` is PEM or DER (RFC 9802), or raw: the bytes of its file.
#[pyfunction]
pub(crate) fn xmss_verify(
    public_key: &Bound<'_, PyAny>,
    message: &Bound<'_, PyAny>,
    signature: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (py, mut held) = (message.py(), [None, None, None]);
    let [held_key, held_message, held_signature] = &mut held;
    let message = bytes_of(message, "message", held_message)?;
    let signature = bytes_of(signature, "signature", held_signature)?;
    let key = key_for(bytes_of(public_key, "public_key", held_key)?, signature)?;
    py.detach(|| key.verify(message, signature)).map_err(|error| invalid(&error))
}

/// Verifies the signature of a file, which is read part by part.
#[pyfunction]
#[pyo3(signature = (public_key, path, signature, *, progress=None))]
pub(crate) fn xmss_verify_file(
    public_key: &Bound<'_, PyAny>,
    path: &Bound<'_, PyAny>,
    signature: &Bound<'_, PyAny>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (py, mut held_key, mut held_signature) = (signature.py(), None, None);
    let (path, steps): (PathBuf, _) = (converted(path, "path")?, Steps::of(progress)?);
    let signature = bytes_of(signature, "signature", &mut held_signature)?;
    let key = key_for(bytes_of(public_key, "public_key", &mut held_key)?, signature)?;
    py.detach(|| {
        let file = File::open(&path).map_err(|error| os_error(&error, &path))?;
        let message = Stepped { path: &path, file, steps, raised: RefCell::new(None) };
        match key.verify_reader(&message, signature) {
            Ok(()) => Ok(()),
            Err(error) => Err(message.raised.into_inner().unwrap_or_else(|| invalid(&error))),
        }
    })
}

/// Returns the public key in these bytes whose signatures have this length.
fn key_for(public_key: &[u8], signature: &[u8]) -> PyResult<VerifyingKey> {
    let keys =
        public_key::of_bytes(public_key).map_err(|why| FormatError::new_err(format!("public_key: {why}")))?;
    public_key::of_signature(&keys, signature.len()).cloned().map_err(|error| invalid(&error))
}

fn invalid(error: &Error) -> PyErr {
    VerificationError::new_err(error.to_string())
}

/// A file that runs a step between its parts.
struct Stepped<'a> {
    path: &'a Path,
    file: File,
    steps: Steps,
    /// Returns the exception of a step, or the reason why the file cannot be read.
    raised: RefCell<Option<PyErr>>,
}

impl Read for &Stepped<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let raised = |error: PyErr| {
            self.raised.replace(Some(error));
            io::Error::other("stopped")
        };
        let n_bytes = (&self.file).read(room).or_else(|error| match error.kind() {
            ErrorKind::Interrupted => self.steps.step(0).map_err(raised).and(Err(error)),
            _ => Err(raised(os_error(&error, self.path))),
        })?;
        self.steps.step(n_bytes).map_err(raised)?;
        Ok(n_bytes)
    }
}
