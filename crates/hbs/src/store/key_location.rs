//! The location of a key, and how it is opened.

use alloc::sync::Arc;
use core::time::Duration;
use std::path::{Path, PathBuf};

use crate::passphrase::Passphrase;
use crate::store::external_witness::ExternalWitness;
use crate::store::file_system::{FileSystem, Posix};
use crate::store::witness::WitnessPlace;

/// The path of a directory for a key, and how it is opened.
#[derive(Clone, Debug)]
pub struct KeyDirectory<F: FileSystem = Posix> {
    pub(super) path: PathBuf,
    pub(super) wait: Duration,
    pub(super) witness: Option<WitnessPlace>,
    pub(super) window: u64,
    pub(super) passphrase: Option<Passphrase>,
    pub(super) file_system: F,
}

impl KeyDirectory {
    /// Returns the directory at `path`: no waiting for a lock, no witness, a window of one index, no
    /// passphrase.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::on(path, Posix)
    }
}

impl<F: FileSystem> KeyDirectory<F> {
    /// Returns the directory on another file system, for tests.
    #[doc(hidden)]
    pub fn on(path: impl Into<PathBuf>, file_system: F) -> Self {
        let (wait, witness, window, passphrase) = (Duration::ZERO, None, 1, None);
        Self { path: path.into(), wait, witness, window, passphrase, file_system }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets how long an operation waits for another process that has the key open.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets a witness: a file that also keeps the generation, best on another volume.
    ///
    /// Only a witness detects that a copy of the whole volume was restored. Once a key had a witness, always
    /// open it with the witness: otherwise signatures of a restored copy are not detected. A missing witness
    /// is created.
    #[must_use]
    pub fn witness(mut self, path: impl Into<PathBuf>) -> Self {
        self.witness = Some(WitnessPlace::File(path.into()));
        self
    }

    /// Sets a witness that is no file, such as a counter of a TPM, in place of [`KeyDirectory::witness`].
    ///
    /// Only [`KeyDirectory::create`] and [`KeyDirectory::adopt`] accept a witness without a record of the
    /// key.
    #[must_use]
    pub fn external_witness(mut self, witness: Arc<dyn ExternalWitness>) -> Self {
        self.witness = Some(WitnessPlace::External(witness));
        self
    }

    /// Sets the passphrase that decrypts the key, or encrypts a new one.
    ///
    /// Every operation needs it, because the codes of all files are under keys that are derived from the
    /// secret seeds. A key that is not encrypted is then refused with
    /// [`Error::NotEncrypted`](super::Error::NotEncrypted).
    #[must_use]
    pub fn passphrase(mut self, passphrase: Passphrase) -> Self {
        self.passphrase = Some(passphrase);
        self
    }

    /// Sets the number of indices that are reserved with one commit, at least 1.
    ///
    /// A commit takes milliseconds. The unused indices of a window are burned when the key is closed, or the
    /// process dies.
    #[must_use]
    pub fn window(mut self, indices: u64) -> Self {
        self.window = indices.max(1);
        self
    }
}
