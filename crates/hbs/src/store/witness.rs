//! The witness: a file on another volume, or an [`ExternalWitness`], that records the generation of the
//! state.
//!
//! The file's directory may be shared. Another user who can write there can remove the witness or restore an
//! older one. But the file is never read or written through a link, must belong to the user, and an exchange
//! of the file during a write is an error: no signature is released then.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use std::path::{Path, PathBuf};

use crate::store::external_witness::{ExternalWitness, OfKey};
use crate::store::fields::MacKeys;
use crate::store::file_system::{FileSystem, Open};
use crate::store::key_format::Identity;
use crate::store::open_directory::Directory;
use crate::store::state_format::{self, Seen};
use crate::store::{Error, State};

/// The place of a witness.
#[derive(Clone, Debug)]
pub(super) enum WitnessPlace {
    File(PathBuf),
    External(Arc<dyn ExternalWitness>),
}

/// A witness of one key.
pub(super) enum Witness<F: FileSystem> {
    File(WitnessFile<F>),
    External(OfKey),
}

impl<F: FileSystem> Witness<F> {
    /// Opens the witness of a key, if it has one.
    pub(super) fn open(
        file_system: &F,
        place: Option<&WitnessPlace>,
        keys: &MacKeys,
        identity: &Identity,
    ) -> Result<Option<Self>, Error> {
        let Some(place) = place else { return Ok(None) };
        Ok(Some(match place {
            WitnessPlace::File(path) => Self::File(WitnessFile::open(file_system, path, keys, identity)?),
            WitnessPlace::External(witness) => Self::External(OfKey::open(Arc::clone(witness), identity)?),
        }))
    }

    /// Returns whether something exists at the place of a witness that is a file.
    pub(super) fn is_there(file_system: &F, path: &Path) -> Result<bool, Error> {
        let (directory, name) = WitnessFile::place(file_system, path)?;
        directory.has(&name)
    }

    pub(super) fn store(&mut self, keys: &MacKeys, identity: &Identity, state: &State) -> Result<(), Error> {
        match self {
            Self::File(file) => file.store(keys, identity, state),
            Self::External(witness) => witness.record(Seen::of(state)),
        }
    }

    /// Returns its name and its recorded generation.
    pub(super) fn recorded(&self) -> Option<(String, u64)> {
        match self {
            Self::File(file) => Some((file.directory.path_of(&file.name), file.seen?.generation)),
            Self::External(witness) => Some((witness.witness.name(), witness.seen?.generation)),
        }
    }

    /// Returns the next index that it recorded; 0 without a record, or if it only counts.
    pub(super) fn next(&self) -> u64 {
        match self {
            Self::File(file) => file.seen.map_or(0, |seen| seen.next),
            Self::External(witness) => witness.seen.and_then(|seen| seen.next).unwrap_or(0),
        }
    }

    /// Checks that an external witness is not older than the state, except for one interrupted commit.
    ///
    /// A file that is older was not used for a while, or is new: its volume is trusted less.
    pub(super) fn check(&self, state: &State) -> Result<(), Error> {
        match self {
            Self::File(_) => Ok(()),
            Self::External(witness) => witness.check(state),
        }
    }
}

/// A file outside of the directory that records the generation of the state.
pub(super) struct WitnessFile<F: FileSystem> {
    directory: Directory<F>,
    name: String,
    /// `None` if the file does not exist yet.
    seen: Option<Seen>,
}

impl<F: FileSystem> WitnessFile<F> {
    fn open(file_system: &F, path: &Path, keys: &MacKeys, identity: &Identity) -> Result<Self, Error> {
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

    fn store(&mut self, keys: &MacKeys, identity: &Identity, state: &State) -> Result<(), Error> {
        let seen = Seen::of(state);
        let bytes = state_format::witness_to_bytes(keys, identity, seen);
        self.directory.replace(&self.name, &bytes, Open::New).map_err(|(_, error)| error)?;
        self.seen = Some(seen);
        Ok(())
    }
}
