//! Lists of digests, and audits of the files of a manifest.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use hashlanes_formats::audit::Audit;
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::{Dialect, Forms, Item, Records, Trouble};
use hashlanes_formats::manifest::{From, Manifest};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::algorithms::{Algorithm, with_hasher};
use crate::errors::FormatError;
use crate::files::digest_all;
use crate::steps::{Steps, os_error};

/// Files that are read and hashed together.
const TOGETHER: usize = 64;

/// A file that a list names.
#[derive(IntoPyObject)]
pub(crate) struct Named {
    /// The file's name; `None` for a malformed line.
    name: Option<PathBuf>,
    /// The number of the line or the object.
    number: u64,
    /// Algorithms and digests.
    digests: Vec<(&'static str, Vec<u8>)>,
}

/// Reads a list of digests of any format.
#[pyfunction]
pub(crate) fn read_list(
    py: Python<'_>,
    path: PathBuf,
    algorithm: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Named>> {
    let hashes = match algorithm {
        Some(name) => vec![hash_of(Algorithm::given(name, "algorithm")?)],
        None => Vec::new(),
    };
    py.detach(|| {
        let file = File::open(&path).map_err(|error| os_error(&error, &path))?;
        let failed = |trouble| failed(trouble, &path, "list of digests");
        let hashes = if hashes.is_empty() { &Hash::FAST[..] } else { &hashes };
        let mut dialect = Dialect::new(hashes, Keyed::No, Forms::All);
        let mut records = Records::new(file, &mut dialect).map_err(failed)?;
        let (mut files, mut may_go_on) = (Vec::<Named>::new(), false);
        while let Some(item) = records.next().map_err(failed)? {
            let number = records.number();
            let record = match item {
                Item::Malformed(number) | Item::Unsupported(number, _) => {
                    files.push(Named { name: None, number, digests: Vec::new() });
                    may_go_on = false;
                    continue;
                }
                Item::Record(record) => record,
                Item::Root(_) => continue,
            };
            let name = PathBuf::from(OsStr::from_bytes(&record.name));
            let digests = record.sums.into_iter().map(|(hash, digest)| (name_of(hash), digest));
            // The next line may have another hash of the same file.
            match files.last_mut() {
                Some(last) if may_go_on && last.name.as_ref() == Some(&name) => last.digests.extend(digests),
                _ => files.push(Named { name: Some(name), number, digests: digests.collect() }),
            }
            may_go_on = record.may_go_on;
        }
        Ok(files)
    })
}

/// Compares files and directories with a manifest; returns the findings, and the errors of unreadable files.
///
/// Without paths, files are searched in the roots that the manifest records, or in the longest common
/// directory of its names. Names without a directory are compared only with the files of these names.
#[pyfunction]
pub(crate) fn audit_files<'py>(
    py: Python<'py>,
    manifest: PathBuf,
    paths: Option<Vec<PathBuf>>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let steps = Steps::of(progress)?;
    let (audit, errors) = py.detach(|| find(&manifest, paths, &steps))?;
    let findings = audit.findings();
    let names = |names: Vec<Vec<u8>>| PyList::new(py, names.into_iter().map(path_of));
    let dictionary = PyDict::new(py);
    dictionary.set_item("n_same", findings.n_same)?;
    dictionary.set_item("changed", names(findings.changed)?)?;
    let moved = findings.moved.into_iter().map(|(old, new)| (path_of(old), path_of(new)));
    dictionary.set_item("moved", PyList::new(py, moved)?)?;
    dictionary.set_item("new", names(findings.new)?)?;
    dictionary.set_item("missing", names(findings.missing)?)?;
    dictionary.set_item("errors", PyList::new(py, errors.into_iter().map(|error| error.into_value(py)))?)?;
    Ok(dictionary)
}

fn find(list: &Path, paths: Option<Vec<PathBuf>>, steps: &Steps) -> PyResult<(Audit, Vec<PyErr>)> {
    let file = File::open(list).map_err(|error| os_error(&error, list))?;
    let mut errors = Vec::new();
    let mut contradictory = |name: &[u8]| {
        let name = String::from_utf8_lossy(name);
        let text = format!("{}: {name}: listed twice, with different digests", list.display());
        errors.push(FormatError::new_err(text));
    };
    let read = Manifest::read(file, From::File, &Hash::FAST, Keyed::No, &mut contradictory);
    let manifest = read.map_err(|trouble| failed(trouble, list, "manifest"))?;
    if manifest.files.is_empty() {
        let text = format!("{}: not a manifest: no properly formatted line", list.display());
        return Err(FormatError::new_err(text));
    }
    if manifest.n_malformed > 0 {
        let (n, name) = (manifest.n_malformed, list.display());
        errors.push(FormatError::new_err(format!("{name}: improperly formatted lines: {n}")));
    }
    let roots_are_listed = paths.is_none();
    let paths = match paths {
        Some(paths) => paths,
        None => {
            let search = manifest.search().ok_or_else(|| {
                let why = "its names have no directory in common but /; give the paths to look at";
                FormatError::new_err(format!("{}: {why}", list.display()))
            })?;
            search.into_paths().into_iter().map(path_of).collect()
        }
    };
    let hashes: Vec<Hash> = manifest.hashes.iter().collect();
    let mut audit = Audit::new(manifest);
    let mut add_error = |audit: &mut Audit, path: &Path, error: std::io::Error| {
        let name = path.as_os_str().as_bytes();
        // A file that does not exist is listed as missing.
        if error.kind() != std::io::ErrorKind::NotFound || !(audit.lists(name) || roots_are_listed) {
            audit.add_unreadable(name);
            errors.push(os_error(&error, path));
        }
    };
    let mut files = Vec::new();
    for root in paths {
        walk(&root, &mut files, &mut |path, error| add_error(&mut audit, path, error), steps)?;
    }
    // The manifest does not list itself.
    let own = fs::canonicalize(list).ok();
    files.retain(|file| {
        audit.lists(file.as_os_str().as_bytes()) || own.is_none() || fs::canonicalize(file).ok() != own
    });
    for batch in files.chunks(TOGETHER) {
        let mut results: Vec<std::io::Result<Vec<u8>>> = batch.iter().map(|_| Ok(Vec::new())).collect();
        for hash in &hashes {
            let algorithm = Algorithm::named(name_of(*hash)).expect("a hash of the package");
            let empty = (algorithm.hasher)();
            let digests = with_hasher!(&empty, empty => digest_all(empty, batch, steps))?;
            for (result, digest) in results.iter_mut().zip(digests) {
                match (result.as_mut(), digest) {
                    (Ok(result), Ok(digest)) => result.extend(digest),
                    (Ok(_), Err(error)) => *result = Err(error),
                    (Err(_), _) => {}
                }
            }
        }
        for (path, result) in batch.iter().zip(results) {
            match result {
                Ok(digests) => {
                    audit.add(path.as_os_str().as_bytes(), &digests);
                }
                Err(error) => add_error(&mut audit, path, error),
            }
        }
    }
    Ok((audit, errors))
}

/// Adds the regular files in a directory and its subdirectories, in the order of their names, or the single
/// file `path`. Links in directories are not followed.
fn walk(
    path: &Path,
    files: &mut Vec<PathBuf>,
    failed: &mut dyn FnMut(&Path, std::io::Error),
    steps: &Steps,
) -> PyResult<()> {
    steps.step(0)?;
    match fs::metadata(path) {
        Err(error) => failed(path, error),
        Ok(found) if !found.is_dir() => files.push(path.to_owned()),
        Ok(_) => {
            let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
            let mut entries = match entries {
                Ok(entries) => entries,
                Err(error) => {
                    failed(path, error);
                    return Ok(());
                }
            };
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let path = entry.path();
                match entry.file_type() {
                    Ok(of) if of.is_dir() => walk(&path, files, failed, steps)?,
                    Ok(of) if of.is_file() => files.push(path),
                    Ok(_) => {}
                    Err(error) => failed(&path, error),
                }
            }
        }
    }
    Ok(())
}

fn failed(trouble: Trouble, path: &Path, what: &str) -> PyErr {
    match trouble {
        Trouble::Io(error) => os_error(&error, path),
        Trouble::Format(why) => FormatError::new_err(format!("{}: not a {what}: {why}", path.display())),
    }
}

fn path_of(name: Vec<u8>) -> PathBuf {
    std::ffi::OsString::from_vec(name).into()
}

/// Converts the program's names to this package's: an underscore replaces a hyphen or a slash.
fn name_of(hash: Hash) -> &'static str {
    match hash {
        Hash::Sha1 => "sha1",
        Hash::Sha224 => "sha224",
        Hash::Sha256 => "sha256",
        Hash::Sha384 => "sha384",
        Hash::Sha512 => "sha512",
        Hash::Sha512_224 => "sha512_224",
        Hash::Sha512_256 => "sha512_256",
        _ => unreachable!("lists are read with other hashes"),
    }
}

fn hash_of(algorithm: &Algorithm) -> Hash {
    let found = Hash::FAST.into_iter().find(|hash| name_of(*hash) == algorithm.name);
    found.expect("the package and the program have the same hashes")
}
