//! Where a key is, and how it is opened.

use core::time::Duration;
use std::path::{Path, PathBuf};

use crate::store::file_system::{FileSystem, Posix};

/// A directory that holds a key, or will, and how it is opened.
#[derive(Clone, Debug)]
pub struct KeyDirectory<F: FileSystem = Posix> {
    pub(super) path: PathBuf,
    pub(super) wait: Duration,
    pub(super) witness: Option<PathBuf>,
    pub(super) window: u64,
    pub(super) file_system: F,
}

impl KeyDirectory {
    /// The directory at `path`: no waiting for a lock, no witness, a window of one index.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::on(path, Posix)
    }
}

impl<F: FileSystem> KeyDirectory<F> {
    /// The same on another file system, for tests.
    #[doc(hidden)]
    pub fn on(path: impl Into<PathBuf>, file_system: F) -> Self {
        Self { path: path.into(), wait: Duration::ZERO, witness: None, window: 1, file_system }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits so long for another process that has the key.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Keeps the generation in this file, too: best on another volume, as a copy of the whole volume that is put back is not
    /// seen otherwise. Once a key had a witness, it is opened with it, or what a restored copy signs is not noticed. A
    /// witness that is not there is made.
    #[must_use]
    pub fn witness(mut self, path: impl Into<PathBuf>) -> Self {
        self.witness = Some(path.into());
        self
    }

    /// Indices that are reserved with one commit, at least 1. A commit takes milliseconds; what is left of a
    /// window when the key is closed, or the process dies, is burned.
    #[must_use]
    pub fn window(mut self, indices: u64) -> Self {
        self.window = indices.max(1);
        self
    }
}
