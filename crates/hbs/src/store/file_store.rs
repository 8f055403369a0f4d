//! The state in the files of a key's directory.

use core::fmt;

use crate::store::file_system::{FileSystem, Posix};
use crate::store::{Error, Record, State, StateStore};

/// Keeps a state in the files of a [`super::KeyDirectory`], under its lock.
pub struct FileStore<F: FileSystem = Posix> {
    file_system: F,
}

impl<F: FileSystem> fmt::Debug for FileStore<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").finish_non_exhaustive()
    }
}

impl<F: FileSystem> StateStore for FileStore<F> {
    fn load(&mut self) -> Result<State, Error> {
        todo!()
    }
    fn commit(&mut self, previous: u64, new: &State, record: &Record) -> Result<(), Error> {
        let _ = (previous, new, record, &self.file_system);
        todo!()
    }
}
