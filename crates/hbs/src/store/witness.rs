//! The witness: a file on another volume that records the generation of the state.
//!
//! Its directory may be shared. Another user who can write there can remove the witness or restore an older
//! one. But the file is never read or written through a link, must belong to the user, and an exchange of the
//! file during a write is an error: no signature is released then.

use alloc::string::{String, ToString};
use std::path::Path;

use crate::store::fields::MacKeys;
use crate::store::file_system::{FileSystem, Open};
use crate::store::key_format::Identity;
use crate::store::open_directory::Directory;
use crate::store::state_format::{self, Seen};
use crate::store::{Error, State};

/// A file outside of the directory that records the generation of the state.
pub(super) struct Witness<F: FileSystem> {
    directory: Directory<F>,
    name: String,
    /// `None` if the file does not exist yet.
    pub(super) seen: Option<Seen>,
}

impl<F: FileSystem> Witness<F> {
    pub(super) fn open(
        file_system: &F,
        path: &Path,
        keys: &MacKeys,
        identity: &Identity,
    ) -> Result<Self, Error> {
        let (directory, name) = Self::place(file_system, path)?;
        let seen = if directory.has(&name)? {
            let (bytes, facts) = directory.read_with_facts(&name)?;
            directory.check_owner(&name, &facts)?;
            Some(state_format::witness_from_bytes(keys, identity, directory.path_of(&name), &bytes)?)
        } else {
            None
        };
        Ok(Self { directory, name, seen })
    }

    /// Returns whether something exists at `path`.
    pub(super) fn is_there(file_system: &F, path: &Path) -> Result<bool, Error> {
        let (directory, name) = Self::place(file_system, path)?;
        directory.has(&name)
    }

    fn place(file_system: &F, path: &Path) -> Result<(Directory<F>, String), Error> {
        let damaged = |path: &Path, why| Error::Damaged { file: path.display().to_string(), why };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = match Directory::open_any(file_system, parent.unwrap_or(Path::new("."))) {
            Err(Error::NoKey(path)) => return Err(damaged(&path, "is not a directory for a witness")),
            result => result?,
        };
        let name = path.file_name().and_then(|name| name.to_str()).map(ToString::to_string);
        Ok((directory, name.ok_or_else(|| damaged(path, "a witness needs a file name in UTF-8"))?))
    }

    pub(super) fn store(&mut self, keys: &MacKeys, identity: &Identity, state: &State) -> Result<(), Error> {
        let seen = Seen::of(state);
        let bytes = state_format::witness_to_bytes(keys, identity, seen);
        self.directory.replace(&self.name, &bytes, Open::New).map_err(|(_, error)| error)?;
        self.seen = Some(seen);
        Ok(())
    }

    /// Returns its path and its recorded generation.
    pub(super) fn recorded(&self) -> Option<(String, u64)> {
        Some((self.directory.path_of(&self.name), self.seen?.generation))
    }
}
