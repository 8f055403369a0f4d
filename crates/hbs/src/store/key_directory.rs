//! The directory of a key: made, opened, looked at.

use alloc::string::String;
use core::ops::Range;
use core::time::Duration;
use std::path::{Path, PathBuf};

use crate::hazmat::KeyGeneration;
use crate::store::file_system::{FileSystem, Posix};
use crate::store::{Error, FileStore, SigningKey, Status};
use crate::{ParameterSet, VerifyingKey};

/// A directory that holds a key, or will, and how it is opened.
#[derive(Clone, Debug)]
pub struct KeyDirectory<F: FileSystem = Posix> {
    pub(super) path: PathBuf,
    pub(super) wait: Duration,
    pub(super) witness: Option<PathBuf>,
    pub(super) window: u64,
    pub(super) file_system: F,
}

/// What is known of a key without taking it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyStatus {
    /// The parameter set.
    pub set: ParameterSet,
    /// SHA-256 of the public key (OID ‖ root ‖ SEED).
    pub key_id: [u8; 32],
    /// The indices that this directory may use.
    pub range: Range<u64>,
    /// The first that was never reserved; the end of the range of an exhausted key.
    pub next: u64,
    /// How many commits there were.
    pub generation: u64,
    /// Whether it signs.
    pub status: Status,
    /// Whether its files agree.
    pub standing: Standing,
}

/// Whether the files of a key agree with each other and with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// They do.
    Sound,
    /// The last commit was interrupted: its indices are burned when the key is opened.
    Interrupted,
    /// The state is older than another witness: [`Error::RolledBack`].
    RolledBack {
        /// `log`, or the witness's path.
        witness: String,
    },
    /// The directory is elsewhere than its state was written: [`Error::Moved`].
    Moved {
        /// What differs.
        what: &'static str,
    },
}

impl KeyStatus {
    /// Signatures that are left.
    pub fn left(&self) -> u64 {
        self.range.end - self.next
    }

    /// Whether 90 % of the range are used: time to make the next key known.
    pub fn is_nearly_exhausted(&self) -> bool {
        is_nearly_exhausted(&self.range, self.next)
    }
}

/// From 90 % on. Widened: 10 · 2^60 does not fit.
pub(super) fn is_nearly_exhausted(range: &Range<u64>, next: u64) -> bool {
    10 * u128::from(next - range.start) >= 9 * u128::from(range.end - range.start)
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

    /// Makes the directory (its parent must be there), generates the key, and opens it. Interrupted, killed or stopped by the generation's
    /// progress, it goes on when it is called with the generation of [`KeyDirectory::unfinished`].
    ///
    /// # Errors
    /// [`Error::Exists`] if something is there but an unfinished generation of the same seeds; [`Error::File`];
    /// [`Error::Key`] of the generation.
    pub fn create(&self, generation: KeyGeneration<'_>) -> Result<SigningKey<FileStore<F>>, Error> {
        self.create_from(generation, 0)
    }

    /// As [`KeyDirectory::create`], with `first` as the first index: of a key that signed elsewhere, see [`super::import`].
    ///
    /// # Errors
    /// As [`KeyDirectory::create`]; of an index above 2^h [`Error::Key`], of 2^h itself [`Error::Exhausted`].
    pub fn create_from(
        &self,
        generation: KeyGeneration<'_>,
        first: u64,
    ) -> Result<SigningKey<FileStore<F>>, Error> {
        let _ = (generation, first);
        todo!()
    }

    /// The generation that was interrupted in this directory, with its seeds and what is computed; `None` if there is none.
    /// Give it to [`KeyDirectory::create`] (with the same first index, if there was one).
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Unsafe`], [`Error::File`] of its file.
    pub fn unfinished(&self) -> Result<Option<KeyGeneration<'static>>, Error> {
        todo!()
    }

    /// Opens the key, and keeps all others out until it is dropped.
    ///
    /// # Errors
    /// [`Error::Locked`] after the time that [`KeyDirectory::wait`] gives; [`Error::NoKey`], [`Error::Unfinished`];
    /// [`Error::RolledBack`], [`Error::Moved`]; [`Error::PoisonedKey`]; of files [`Error::Damaged`],
    /// [`Error::Version`], [`Error::OtherKey`], [`Error::Unsafe`], [`Error::File`]. An exhausted key is opened.
    pub fn open(&self) -> Result<SigningKey<FileStore<F>>, Error> {
        todo!()
    }

    /// Opens a key whose directory was moved on purpose, or whose state was found to be an older one, and binds it to
    /// where it is now. It goes on at the highest of its state's next index, the end of what its log has, and `at_least`.
    ///
    /// **Hazardous:** that no other copy of this directory signs, and that no index from there on was ever used, the caller must know.
    ///
    /// # Errors
    /// [`Error::RolledBack`] if the witness knows a later generation, and `at_least` is not above the next index otherwise; those of
    /// [`KeyDirectory::open`].
    pub fn adopt(&self, at_least: u64) -> Result<SigningKey<FileStore<F>>, Error> {
        let _ = at_least;
        todo!()
    }

    /// Looks at the key without taking it: also while another process has it.
    ///
    /// # Errors
    /// As [`KeyDirectory::open`], but for what [`Standing`] tells.
    pub fn status(&self) -> Result<KeyStatus, Error> {
        todo!()
    }

    /// The public key, from the file `key`; see [`VerifyingKey::to_spki_pem`] and [`VerifyingKey::to_bytes`].
    ///
    /// # Errors
    /// Those of [`KeyDirectory::open`] for the file `key`.
    pub fn verifying_key(&self) -> Result<VerifyingKey, Error> {
        todo!()
    }
}
