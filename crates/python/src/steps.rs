//! Work between the parts of a long operation: handles signals, and reports progress to the caller.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;

/// Number of bytes that are read at a time from a file that is hashed alone: half a millisecond.
const PART_BYTES: usize = 1 << 20;

/// The caller's `progress` function, and the handling of signals.
pub(crate) struct Steps(Option<Py<PyAny>>);

impl Steps {
    /// Returns the steps that call `progress`, if given.
    ///
    /// # Errors
    /// `TypeError` if it cannot be called.
    pub(crate) fn of(progress: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        match &progress {
            Some(object) if !object.is_callable() => {
                let found = object.get_type().name()?;
                Err(PyTypeError::new_err(format!("progress: expected a function, not {found}")))
            }
            _ => Ok(Self(progress.map(Bound::unbind))),
        }
    }

    /// Runs the handlers of pending signals, and calls `progress` with the number of bytes hashed since its
    /// previous call.
    ///
    /// # Errors
    /// The exceptions that they raise: `KeyboardInterrupt` after Ctrl-C.
    pub(crate) fn step(&self, n_bytes: usize) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            match &self.0 {
                Some(progress) if n_bytes > 0 => progress.call1(py, (n_bytes,)).map(drop),
                _ => Ok(()),
            }
        })
    }

    /// Reads until `room` is full or the file ends; returns the number of bytes. A signal interrupts a
    /// waiting read.
    ///
    /// # Errors
    /// `Ok(Err(…))` if the file cannot be read, `Err` if a step raises.
    pub(crate) fn fill(&self, file: &mut File, room: &mut [u8]) -> PyResult<io::Result<usize>> {
        let mut n_bytes = 0;
        while n_bytes < room.len() {
            match file.read(&mut room[n_bytes..]) {
                Ok(0) => break,
                Ok(n) => n_bytes += n,
                Err(error) if error.kind() == ErrorKind::Interrupted => self.step(0)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(n_bytes))
    }

    /// Passes a file to `sink`, part by part.
    ///
    /// # Errors
    /// `OSError` if it cannot be read; the exceptions of a step or of `sink`.
    pub(crate) fn read(&self, path: &Path, mut sink: impl FnMut(&[u8]) -> PyResult<()>) -> PyResult<()> {
        let mut file = File::open(path).map_err(|error| os_error(&error, path))?;
        let mut room = vec![0; PART_BYTES];
        loop {
            let n_bytes = self.fill(&mut file, &mut room)?.map_err(|error| os_error(&error, path))?;
            sink(&room[..n_bytes])?;
            self.step(n_bytes)?;
            if n_bytes < PART_BYTES {
                return Ok(());
            }
        }
    }
}

/// Returns the exception of a failed operation: `FileNotFoundError` or another, by the error number.
pub(crate) fn os_error(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.rsplit_once(" (os error").map_or(&*text, |(text, _)| text).to_owned();
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}
