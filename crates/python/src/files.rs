//! Digests of files, which advance together, a part of each at a time.
//!
//! Each step reads the next part of every file that has not ended, hashes the parts in lanes, and ends those files that did.
//! Between steps the caller may stop.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hashlanes::Hasher;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithms::{Algorithm, with_hasher};

/// Bytes of a file that are read at a time. A step of 64 files takes some milliseconds, so that an interrupt is soon noticed.
const PART_BYTES: usize = 64 << 10;

/// Returns the digests of files, or the errors of those that cannot be read.
///
/// `progress` is called with the number of bytes that were hashed since the call before.
#[pyfunction]
pub(crate) fn digest_files<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    algorithm: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let step = |n_bytes: usize| {
        Python::attach(|py| {
            py.check_signals()?;
            progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (n_bytes,)).map(drop))
        })
    };
    let empty = (Algorithm::named(algorithm)?.hasher)();
    let digests = with_hasher!(&empty, empty => py.detach(|| digest_all(empty, &paths, &step)))?;
    let results = paths.iter().zip(digests).map(|(path, digest)| match digest {
        Ok(digest) => PyBytes::new(py, &digest).into_any(),
        Err(error) => os_error(&error, path).into_value(py).into_bound(py).into_any(),
    });
    Ok(results.collect())
}

/// The exception of a failed operation: `FileNotFoundError` and its like, by the number of the error.
fn os_error(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.rsplit_once(" (os error").map_or(&*text, |(text, _)| text).to_owned();
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// A file that has not ended.
struct Begun<A: hashlanes::Algorithm> {
    number: usize,
    file: File,
    hasher: Hasher<A>,
}

/// The digests of files. `step` gets the number of bytes of each step.
fn digest_all<A: hashlanes::Algorithm>(
    empty: &Hasher<A>,
    paths: &[PathBuf],
    step: &(impl Fn(usize) -> PyResult<()> + Sync),
) -> PyResult<Vec<io::Result<Vec<u8>>>> {
    let mut results: Vec<io::Result<Vec<u8>>> = paths.iter().map(|_| Ok(Vec::new())).collect();
    let mut files = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        match File::open(path) {
            Ok(file) => files.push(Begun { number, file, hasher: empty.clone() }),
            Err(error) => results[number] = Err(error),
        }
    }
    let mut buffer = vec![0; PART_BYTES * files.len()];
    while !files.is_empty() {
        let (mut read, mut parts) = (Vec::new(), Vec::new());
        for (mut begun, room) in files.drain(..).zip(buffer.chunks_exact_mut(PART_BYTES)) {
            match fill(&mut begun.file, room) {
                Ok(n_bytes) => {
                    read.push(begun);
                    parts.push(&room[..n_bytes]);
                }
                Err(error) => results[begun.number] = Err(error),
            }
        }
        let hashers = read.iter_mut().map(|begun| &mut begun.hasher);
        Hasher::update_many(&mut hashers.zip(parts.iter().copied()).collect::<Vec<_>>());
        let n_bytes = parts.iter().map(|part| part.len()).sum();

        let (mut ended, mut hashers) = (Vec::new(), Vec::new());
        for (begun, part) in read.into_iter().zip(parts) {
            if part.len() == PART_BYTES {
                files.push(begun);
            } else {
                ended.push(begun.number);
                hashers.push(begun.hasher);
            }
        }
        let mut digests = vec![A::ZERO_DIGEST; hashers.len()];
        Hasher::finish_many(&mut hashers, &mut digests);
        for (number, digest) in ended.into_iter().zip(digests) {
            results[number] = Ok(digest.as_ref().to_vec());
        }
        step(n_bytes)?;
    }
    Ok(results)
}

/// Reads until `room` is full or the file ends; returns the number of bytes.
fn fill(file: &mut File, room: &mut [u8]) -> io::Result<usize> {
    let mut n_bytes = 0;
    while n_bytes < room.len() {
        match file.read(&mut room[n_bytes..]) {
            Ok(0) => break,
            Ok(n) => n_bytes += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n_bytes)
}
