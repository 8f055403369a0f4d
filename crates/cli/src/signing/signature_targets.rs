//! Where signatures may go: not over what is signed, not over each other, not among the files of the key.
//!
//! A file may have several names (`f`, `./f`, links), so files and directories are compared by device and inode.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use super::exit_status::Status;
use super::refusal::Refusal;
use crate::files::Identity;

/// What signatures must not be written over, and the places that are given away already.
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
    /// What is not there is not compared: it is told when it is opened.
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

    /// Gives the place `to` to the signature of the file `name`. `-` is standard output.
    ///
    /// # Errors
    /// It must not be written there.
    pub(super) fn take(&mut self, name: &Path, to: &Path) -> Result<(), Refusal> {
        if to == Path::new("-") {
            return Ok(());
        }
        let refused = |path: &Path, why: &str| {
            let words = format!("{why}; nothing was signed, no index was used up");
            Err(Refusal::new(Status::WrongUse, path, words))
        };
        let there = identity(to);
        if there.is_some_and(|there| self.inputs.contains(&there)) {
            return refused(to, "a signature would be written over this file, which is to be signed");
        }
        if there.is_some() && there == self.witness {
            return refused(to, "a signature would be written over the witness of the key");
        }
        let target = there.and_then(|_| to.canonicalize().ok());
        let at = target.as_deref().and_then(Path::parent);
        if self.is_in_key(directory(to)) || at.is_some_and(|at| self.is_in_key(at)) {
            return refused(to, "it is in the directory of the key, where nothing but the key belongs");
        }
        if let (Some(parent), Some(file_name)) = (identity(directory(to)), to.file_name())
            && !self.taken.insert((parent, file_name.to_owned()))
        {
            let why = "a FILE is named twice: it would use up two indices, and have one signature";
            return refused(name, why);
        }
        Ok(())
    }

    /// Whether a directory is that of the key, or below it.
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

/// The directory in which a file is, or will be.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Of a file that is signed; `-` is standard input.
fn of_input(path: &Path) -> Option<Identity> {
    if path == Path::new("-") {
        return rustix::fs::fstat(rustix::stdio::stdin()).ok().map(|stat| Identity::of(&stat));
    }
    identity(path)
}

/// Of what a path leads to, through links.
fn identity(path: &Path) -> Option<Identity> {
    rustix::fs::stat(path).ok().map(|stat| Identity::of(&stat))
}
