//! Allowed places of signatures: they must not overwrite the signed files, each other, or the files of the
//! key.
//!
//! A file may have several names (`f`, `./f`, links), so files and directories are compared by device and
//! inode.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use super::refusal::Refusal;
use crate::files::Identity;
use crate::platform;
use crate::signing::exit_status::Status;

/// The files that signatures must not overwrite, and the places already in use.
#[derive(Debug)]
pub(super) struct Targets {
    inputs: BTreeSet<Identity>,
    key: Option<Identity>,
    witness: Option<Identity>,
    /// Directories that are not the key's, nor below it.
    elsewhere: BTreeSet<Identity>,
    /// By directory and name: most are not there yet.
    taken: BTreeSet<(Identity, OsString)>,
}

impl Targets {
    /// A missing file is not compared: opening it reports the error.
    pub(super) fn new<'p>(
        inputs: impl Iterator<Item = &'p Path>,
        key: &Path,
        witness: Option<&Path>,
    ) -> Self {
        Self {
            inputs: inputs.filter_map(of_input).collect(),
            key: identity(key),
            witness: witness.and_then(identity),
            elsewhere: BTreeSet::new(),
            taken: BTreeSet::new(),
        }
    }

    /// Assigns the destination `to` to the signature of the file `name`. `-` is standard output.
    ///
    /// # Errors
    /// It must not be written there.
    pub(super) fn take(&mut self, name: &Path, to: &Path) -> Result<(), Refusal> {
        if to == Path::new("-") {
            return Ok(());
        }
        let refused = |path: &Path, why: &str| {
            let words = format!("{why}; nothing was signed, no index was used");
            Err(Refusal::new(Status::WrongUse, path, words))
        };
        let there = identity(to);
        if there.is_some_and(|there| self.inputs.contains(&there)) {
            return refused(to, "is a FILE to sign; a signature must not overwrite it");
        }
        if there.is_some() && there == self.witness {
            return refused(to, "is the witness of the key; a signature must not overwrite it");
        }
        let target = there.and_then(|_| to.canonicalize().ok());
        let at = target.as_deref().and_then(Path::parent);
        if self.is_in_key(directory(to)) || at.is_some_and(|at| self.is_in_key(at)) {
            return refused(to, "is in the directory of the key; choose another --output");
        }
        if let (Some(parent), Some(file_name)) = (identity(directory(to)), to.file_name())
            && !self.taken.insert((parent, file_name.to_owned()))
        {
            let why = "a FILE is named twice; name each file once";
            return refused(name, why);
        }
        Ok(())
    }

    /// Returns whether a directory is that of the key, or below it.
    fn is_in_key(&mut self, directory: &Path) -> bool {
        let (Some(key), Some(asked)) = (self.key, identity(directory)) else { return false };
        if self.elsewhere.contains(&asked) {
            return false;
        }
        // By identity, not by name: a directory may be mounted at a second place.
        let Ok(path) = directory.canonicalize() else { return false };
        let is_in = path.ancestors().any(|ancestor| identity(ancestor) == Some(key));
        if !is_in {
            self.elsewhere.insert(asked);
        }
        is_in
    }
}

/// Returns the directory in which a file is, or will be.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns the identity of a file to sign; `-` is standard input.
fn of_input(path: &Path) -> Option<Identity> {
    if path == Path::new("-") {
        return platform::fs::fstat(platform::stdio::stdin()).ok().map(|stat| Identity::of(&stat));
    }
    identity(path)
}

/// Returns the identity of a path's target, through links.
fn identity(path: &Path) -> Option<Identity> {
    platform::fs::stat(path).ok().map(|stat| Identity::of(&stat))
}
