//! Tree modes of files, and proofs of RFC 6962.

use std::fs;
use std::path::{Path, PathBuf};

use hashlanes::Algorithm;
use hashlanes::algorithms::{Sha1, Sha256, Sha384, Sha512};
use hashlanes::tree::merkle::{
    Bep52, DmVerity, FsVerity, Glacier, MerkleError, Preset, Rfc6962, Rfc6962Leaves, S3Composite, Ssz,
};
use hashlanes::tree::{Mode, Tree, TreeError, Variant};
use hashlanes_formats::encoding::hex;
use hashlanes_formats::proof::{self, Leaf, Trusted};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{converted, text_of};
use crate::bytes::bytes_of;
use crate::errors::{FormatError, VerificationError};
use crate::steps::{Steps, os_error};

/// The parameters of modes; each has those that its format defines.
struct Parameters {
    hash: Option<String>,
    block_size: Option<usize>,
    salt: Option<Vec<u8>>,
    part_size: Option<usize>,
    leaf_size: Option<usize>,
    limit: Option<u64>,
    mix_in_length: Option<u64>,
}

impl Parameters {
    /// Reads a dictionary of all parameters.
    ///
    /// # Errors
    /// `TypeError` or `ValueError` with the parameter's name.
    fn of(parameters: &Bound<'_, PyDict>) -> PyResult<Self> {
        let salt = parameters.as_any().get_item("salt")?;
        let salt = match salt.is_none() {
            true => None,
            false => Some(bytes_of(&salt, "salt", &mut None)?.to_vec()),
        };
        Ok(Self {
            hash: parameter(parameters, "hash")?,
            block_size: parameter(parameters, "block_size")?,
            salt,
            part_size: parameter(parameters, "part_size")?,
            leaf_size: parameter(parameters, "leaf_size")?,
            limit: parameter(parameters, "limit")?,
            mix_in_length: parameter(parameters, "mix_in_length")?,
        })
    }

    /// Returns the first parameter that is set but not part of the mode.
    fn misplaced(&self, of_mode: &[&str]) -> Option<&'static str> {
        let set = [
            ("hash", self.hash.is_some()),
            ("block_size", self.block_size.is_some()),
            ("salt", self.salt.is_some()),
            ("part_size", self.part_size.is_some()),
            ("leaf_size", self.leaf_size.is_some()),
            ("limit", self.limit.is_some()),
            ("mix_in_length", self.mix_in_length.is_some()),
        ];
        set.into_iter().find(|(name, is_set)| *is_set && !of_mode.contains(name)).map(|(name, _)| name)
    }
}

/// Returns a parameter; `None` if it is not set.
fn parameter<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    parameters: &Bound<'py, PyDict>,
    name: &str,
) -> PyResult<Option<T>> {
    converted(&parameters.as_any().get_item(name)?, name)
}

/// The formats that are not a [`Mode`] of the library, and their parameters.
const MERKLE: [(&str, &[&str]); 7] = [
    ("fs-verity", &["hash", "block_size", "salt"]),
    ("dm-verity", &["hash", "block_size", "salt"]),
    ("bep52", &[]),
    ("glacier", &[]),
    ("s3-composite", &["part_size"]),
    ("rfc6962", &["leaf_size"]),
    ("ssz", &["limit", "mix_in_length"]),
];

/// Returns the result of a tree mode for a file, as printed by the program.
#[pyfunction]
pub(crate) fn tree_digest(
    py: Python<'_>,
    path: PathBuf,
    mode: &Bound<'_, PyAny>,
    parameters: &Bound<'_, PyDict>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let mode = text_of(mode, "mode")?;
    let (steps, parameters) = (Steps::of(progress)?, Parameters::of(parameters)?);
    let merkle = MERKLE.iter().find(|(name, _)| *name == mode);
    if let Some(misplaced) = parameters.misplaced(merkle.map_or(&[], |(_, parameters)| parameters)) {
        return Err(PyValueError::new_err(format!("{misplaced}: not a parameter of {mode}")));
    }
    py.detach(|| match merkle {
        Some(_) => by_merkle(mode, &parameters, &path, &steps),
        None => by_mode(mode, &path, &steps),
    })
}

fn by_mode(name: &str, path: &Path, steps: &Steps) -> PyResult<String> {
    let wrong = |error: TreeError| PyValueError::new_err(format!("mode: {error}"));
    let mode: Mode = name.parse().map_err(|error: TreeError| {
        let merkle = MERKLE.map(|(name, _)| name).join(", ");
        PyValueError::new_err(format!("mode: {error}, {merkle}"))
    })?;
    if mode.variant().is_some_and(|variant: Variant| !variant.is_sound()) {
        return Err(PyValueError::new_err(format!(
            "mode: {name} is not sound: it has collisions with other messages"
        )));
    }
    let n_bytes = mode.needs_length().then(|| fs::metadata(path).map(|file| file.len())).transpose();
    let n_bytes = n_bytes.map_err(|error| os_error(&error, path))?;
    let mut hasher = Tree::new(mode).hasher(n_bytes).map_err(wrong)?;
    steps.read(path, |part| hasher.update(part).map_err(wrong))?;
    Ok(hasher.finish().map_err(wrong)?.to_string())
}

fn by_merkle(mode: &str, parameters: &Parameters, path: &Path, steps: &Steps) -> PyResult<String> {
    let salt = parameters.salt.as_deref().unwrap_or(&[]);
    let block_bytes = parameters.block_size.unwrap_or(4096);
    let hash = parameters.hash.as_deref().unwrap_or("sha256");
    macro_rules! of {
        ($preset:expr) => {
            digest(&$preset.map_err(wrong)?, path, steps)
        };
    }
    match (mode, hash) {
        ("fs-verity", "sha256") => Ok(hex(&of!(FsVerity::<Sha256>::new(block_bytes, salt))?.digest)),
        ("fs-verity", "sha512") => Ok(hex(&of!(FsVerity::<Sha512>::new(block_bytes, salt))?.digest)),
        ("dm-verity", "sha1") => dm_verity::<Sha1>(block_bytes, salt, path, steps),
        ("dm-verity", "sha256") => dm_verity::<Sha256>(block_bytes, salt, path, steps),
        ("dm-verity", "sha384") => dm_verity::<Sha384>(block_bytes, salt, path, steps),
        ("dm-verity", "sha512") => dm_verity::<Sha512>(block_bytes, salt, path, steps),
        ("fs-verity" | "dm-verity", _) => {
            Err(PyValueError::new_err(format!("hash: {hash:?} is not defined for {mode}")))
        }
        // Every piece length gives the same root.
        ("bep52", _) => Ok(hex(&of!(Bep52::new(1 << 63))?.root)),
        ("glacier", _) => Ok(hex(&digest(&Glacier::new(), path, steps)?)),
        ("s3-composite", _) => {
            let part_bytes = parameters
                .part_size
                .ok_or_else(|| PyValueError::new_err("part_size: needed for s3-composite"))?;
            Ok(of!(S3Composite::new(part_bytes))?.to_string())
        }
        ("rfc6962", _) => match parameters.leaf_size {
            Some(leaf_bytes) => Ok(hex(&of!(Rfc6962::with_leaf_bytes(leaf_bytes))?.root)),
            None => lines(path, steps),
        },
        _ => {
            let preset = parameters.limit.map_or_else(Ssz::new, Ssz::with_limit);
            let preset = match parameters.mix_in_length {
                Some(length) => preset.mix_in_length(length),
                None => preset,
            };
            Ok(hex(&digest(&preset, path, steps)?))
        }
    }
}

fn dm_verity<A: Algorithm>(block_bytes: usize, salt: &[u8], path: &Path, steps: &Steps) -> PyResult<String> {
    let preset = DmVerity::<A>::new(block_bytes, salt).map_err(wrong)?;
    Ok(hex(digest(&preset, path, steps)?.as_ref()))
}

fn digest<P: Preset>(preset: &P, path: &Path, steps: &Steps) -> PyResult<P::Output> {
    let mut hasher = preset.hasher();
    steps.read(path, |part| {
        hasher.update(part);
        Ok(())
    })?;
    hasher.finish().map_err(wrong)
}

/// Returns the root of a tree whose leaves are the file's lines.
fn lines(path: &Path, steps: &Steps) -> PyResult<String> {
    let (mut leaves, mut line) = (Rfc6962Leaves::new(), Vec::new());
    steps.read(path, |part| {
        let mut rest = part;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            line.extend_from_slice(&rest[..end]);
            leaves.push(&line);
            line.clear();
            rest = &rest[end + 1..];
        }
        line.extend_from_slice(rest);
        Ok(())
    })?;
    if !line.is_empty() {
        leaves.push(&line);
    }
    Ok(hex(&leaves.finish().root))
}

fn wrong(error: MerkleError) -> PyErr {
    let text = error.to_string();
    PyValueError::new_err(match error {
        // The library's names of parameters have a space.
        MerkleError::BlockSize { .. } | MerkleError::NoBytes { .. } => text.replacen(' ', "_", 1),
        MerkleError::OverLimit { .. } => format!("limit: {text}"),
        _ => text,
    })
}

/// Checks a proof of RFC 6962 that the program wrote (`tree --prove`); returns the proven statement.
///
/// `proof` is the JSON text. `root` is the trusted digest. A proof of inclusion also needs the leaf's bytes,
/// its index or both. Raises `FormatError` or `VerificationError`.
#[pyfunction]
#[pyo3(signature = (proof, *, root, leaf=None, index=None, n_leaves=None, new_root=None))]
pub(crate) fn verify_proof(
    proof: &Bound<'_, PyAny>,
    root: &Bound<'_, PyAny>,
    leaf: Option<&Bound<'_, PyAny>>,
    index: Option<&Bound<'_, PyAny>>,
    n_leaves: Option<&Bound<'_, PyAny>>,
    new_root: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let text = match proof.extract::<String>() {
        Ok(text) => text.into_bytes(),
        Err(_) => bytes_of(proof, "proof", &mut None)?.to_vec(),
    };
    let index = index.map(|index| converted(index, "index")).transpose()?;
    let n_leaves = n_leaves.map(|n_leaves| converted(n_leaves, "n_leaves")).transpose()?;
    let leaf = leaf.map(|leaf| bytes_of(leaf, "leaf", &mut None).map(Leaf::of)).transpose()?;
    let new_root = new_root.map(|root| digest_of(root, "new_root")).transpose()?;
    let trusted = Trusted { root: digest_of(root, "root")?, n_leaves, new_root, leaf, index };
    proof::verify(&text, &trusted).map_err(|error| match error {
        proof::Error::Format(why) => FormatError::new_err(why),
        proof::Error::Fails(why) => VerificationError::new_err(as_arguments(&why)),
    })
}

/// Reads a digest: 32 bytes, or 64 hexadecimal digits.
fn digest_of(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<[u8; 32]> {
    let bytes = match object.extract::<String>() {
        Ok(text) => hashlanes_formats::encoding::bytes_of_hex(&text).unwrap_or_default(),
        Err(_) => bytes_of(object, argument, &mut None)?.to_vec(),
    };
    let wrong = || PyValueError::new_err(format!("{argument}: not 32 bytes, nor 64 hexadecimal digits"));
    bytes.try_into().map_err(|_| wrong())
}

/// Converts the program's option names to this package's arguments.
fn as_arguments(text: &str) -> String {
    let options =
        [("--new-root", "new_root"), ("--root", "root"), ("--leaf FILE", "leaf"), ("--leaf", "leaf")];
    let options = options.into_iter().chain([("--index N", "index"), ("--index", "index")]);
    options.fold(text.to_owned(), |text, (option, argument)| text.replace(option, argument))
}
