//! Digests of files, which are hashed together, a part of each at a time.
//!
//! Each step reads the next part of every unfinished file, hashes the parts in lanes, and finishes the files
//! that ended. Between steps the caller may stop.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use hashlanes::Hasher;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::algorithms::{Algorithm, with_hasher};
use crate::steps::{Steps, os_error};

/// Number of bytes of a file that are read at a time. A step of 64 files takes a few milliseconds, so
/// interrupts are handled soon.
const PART_BYTES: usize = 64 << 10;

/// Returns the digests of files, or the errors of those that cannot be read.
///
/// `progress` is called with the number of bytes hashed since its previous call.
#[pyfunction]
pub(crate) fn digest_files<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    algorithm: &Bound<'py, PyAny>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let steps = Steps::of(progress)?;
    let empty = (Algorithm::given(algorithm, "algorithm")?.hasher)();
    let digests = with_hasher!(&empty, empty => py.detach(|| digest_all(empty, &paths, &steps)))?;
    let results = paths.iter().zip(digests).map(|(path, digest)| match digest {
        Ok(digest) => PyBytes::new(py, &digest).into_any(),
        Err(error) => os_error(&error, path).into_value(py).into_bound(py).into_any(),
    });
    Ok(results.collect())
}

/// An unfinished file.
struct Begun<A: hashlanes::Algorithm> {
    number: usize,
    file: File,
    hasher: Hasher<A>,
}

/// Returns the digests of files, or the errors of files that cannot be read.
///
/// # Errors
/// The exceptions of a step.
pub(crate) fn digest_all<A: hashlanes::Algorithm>(
    empty: &Hasher<A>,
    paths: &[PathBuf],
    steps: &Steps,
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
            match steps.fill(&mut begun.file, room)? {
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
        steps.step(n_bytes)?;
    }
    Ok(results)
}
