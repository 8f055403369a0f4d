//! Operations on the directory of a key: creating, resuming, opening and adopting the key, reading its log
//! and its status.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use zeroize::Zeroizing;

use crate::passphrase::{self, Passphrase};
use crate::store::cache::Cache;
use crate::store::directory_entry::{Entry, Named};
use crate::store::file_system::{FileSystem, Open};
use crate::store::key_format::{self, KeyFile, Stage, read_key};
use crate::store::lock::Lock;
use crate::store::log::{self, LogRecord};
use crate::store::open_directory::Directory;
use crate::store::scheme::Signer;
use crate::store::{
    Error, FileStore, Generation, KeyDirectory, KeySet, PublicKey, SigningKey, Standing, Status, lock,
    rollback, secret_file, signing_key, state_format,
};

const PUBLIC: &str = "public.pem";
/// The file with the seeds of an unfinished generation.
const UNFINISHED: &str = "unfinished";
/// The file with its finished leaves.
const LEAVES: &str = "leaves";

/// The directory of an unfinished key, with its lock and its name.
pub(super) type Begun<F> = (Directory<F>, Lock<F>, Entry<F>);

/// The status of a key, read without taking the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyStatus {
    /// The parameter set.
    pub set: KeySet,
    /// SHA-256 of the raw public key.
    pub key_id: [u8; 32],
    /// The indices that this directory may use.
    pub range: Range<u64>,
    /// The first index that was never reserved; the end of the range if the key is exhausted.
    pub next: u64,
    /// The number of commits.
    pub generation: u64,
    /// Whether the key signs.
    pub status: Status,
    /// Whether its files agree.
    pub standing: Standing,
}

impl KeyStatus {
    /// Returns the number of signatures left.
    pub fn left(&self) -> u64 {
        self.range.end - self.next
    }

    /// Returns whether 90 % of the range are used: time to publish the next key.
    pub fn is_nearly_exhausted(&self) -> bool {
        signing_key::is_nearly_exhausted(&self.range, self.next)
    }

    /// Returns whether 99 % of the range are used: sign with the next key soon.
    pub fn is_in_last_percent(&self) -> bool {
        signing_key::is_in_last_percent(&self.range, self.next)
    }
}

impl<F: FileSystem> KeyDirectory<F> {
    /// Creates the directory, generates the key, and opens it.
    ///
    /// The parent must exist. An empty directory of the user is accepted, a symbolic link is not. An
    /// interrupted, killed or stopped generation continues when this is called with the generation of
    /// [`KeyDirectory::unfinished`].
    ///
    /// # Errors
    /// [`Error::Exists`] if the path exists and is not an unfinished generation of the same seeds;
    /// [`Error::Unsafe`] if the directory belongs to another user, is accessible to others, or is exchanged
    /// meanwhile; [`Error::File`] if a system call fails; [`Error::Key`] if the generation fails.
    pub fn create<'a>(
        &self,
        generation: impl Into<Generation<'a>>,
    ) -> Result<SigningKey<FileStore<F>>, Error> {
        let generation = generation.into();
        let indices = 0..generation.set().signatures();
        self.create_within(generation, indices)
    }

    /// Creates a key like [`KeyDirectory::create`] that uses only these indices.
    ///
    /// For a key that signed elsewhere: see [`super::import`].
    ///
    /// # Errors
    /// The errors of [`KeyDirectory::create`]; [`Error::Key`] if an index is above 2^h; [`Error::Exhausted`]
    /// if no index is left.
    pub fn create_within<'a>(
        &self,
        generation: impl Into<Generation<'a>>,
        range: Range<u64>,
    ) -> Result<SigningKey<FileStore<F>>, Error> {
        let generation = generation.into();
        let signatures = generation.set().signatures();
        let highest = range.start.max(range.end);
        if highest > signatures {
            return Err(crate::Error::Index { index: highest, signatures }.into());
        }
        if range.is_empty() {
            return Err(Error::Exhausted { end: range.end });
        }
        let mut begun = KeyFile::begun(&generation, range);
        let (directory, lock, entry) = self.begin(&begun)?;
        let generation = match directory.system_file(LEAVES)? {
            Some(file) => generation.opened_nodes_file(file, directory.path_of(LEAVES)),
            None => generation,
        };
        let generated = generation.generate()?;
        begun.root = Some(generated.root().to_vec());
        begun.stage = Stage::Finished;
        let cache = open_cache(&directory, &begun)?;
        let signer = Signer::generated(generated, Box::new(cache))?;
        let store = self.finish(directory, lock, &begun)?;
        entry.check(&store.directory)?;
        SigningKey::new(signer, begun.range, store, self.window)
    }

    /// Prepares the directory with the lock and `unfinished` for a generation.
    fn begin(&self, key: &KeyFile) -> Result<Begun<F>, Error> {
        let exists = || Error::Exists(self.path.clone());
        let Named { directory, entry, .. } = Entry::make(&self.file_system, &self.path)?;
        // An existing directory is used only if it is empty, or if its lock shows that a generation began
        // there.
        let is_new = directory.is_empty()?;
        if directory.has(key_format::NAME)? || !is_new && !directory.has(lock::NAME)? {
            return Err(exists());
        }
        if is_new {
            drop(directory.create_file(lock::NAME, Open::New)?);
        }
        let lock = Lock::take(&directory, self.wait)?;
        // Written before the trees are computed, which may take hours.
        rollback::evidence(self, &directory, &lock.facts, self.witness.is_some())?;
        if directory.has(UNFINISHED)? {
            if directory.has(key_format::NAME)?
                || *self.read_secret(&directory, UNFINISHED)? != *key.to_bytes()
            {
                return Err(exists());
            }
        } else if directory.has(state_format::NAME)? || directory.has(key_format::NAME)? {
            return Err(exists());
        } else {
            self.write_secret(&directory, UNFINISHED, key)?;
        }
        entry.sync()?;
        Ok((directory, lock, entry))
    }

    /// Writes all files of a new key except the cache; `key` comes last, because it makes the directory a
    /// key.
    pub(super) fn finish(
        &self,
        directory: Directory<F>,
        lock: Lock<F>,
        key: &KeyFile,
    ) -> Result<FileStore<F>, Error> {
        let pem = key.public_key().to_file();
        let written = directory.replace(PUBLIC, pem.as_bytes(), Open::NewPublic);
        written.map_err(|(_, error)| error)?;
        let store = FileStore::create(self, directory, lock, key)?;
        self.write_secret(&store.directory, key_format::NAME, key)?;
        Self::clean_up(&store.directory)?;
        Ok(store)
    }

    /// Reads a file with secrets.
    fn read_secret(&self, directory: &Directory<F>, name: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
        secret_file::read(directory, self.passphrase.as_ref(), name)
    }

    /// Writes a file with the secrets of a key, encrypted if there is a passphrase.
    fn write_secret(&self, directory: &Directory<F>, name: &str, key: &KeyFile) -> Result<(), Error> {
        let passphrase = self.passphrase.as_ref();
        let bytes = secret_file::to_file(passphrase, directory.path_of(name), key.to_bytes())?;
        directory.replace(name, &bytes, Open::NewReadOnly).map_err(|(_, error)| error)
    }

    /// Returns whether the key, or its unfinished generation, is encrypted under a passphrase.
    ///
    /// # Errors
    /// [`Error::NoKey`] if there is no key; [`Error::Unsafe`], [`Error::File`].
    pub fn is_encrypted(&self) -> Result<bool, Error> {
        let directory = Directory::open_any(&self.file_system, &self.path)?;
        for name in [key_format::NAME, UNFINISHED] {
            if directory.has(name)? {
                return Ok(passphrase::is_sealed(&directory.read(name)?));
            }
        }
        Err(Error::NoKey(self.path.clone()))
    }

    /// Encrypts the key under another passphrase, or with `None` stores it without encryption.
    ///
    /// [`KeyDirectory::passphrase`] sets the present passphrase. The indices do not change. The file with the
    /// old passphrase may still be readable on the disk, and in backups of it.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::passphrase::Passphrase;
    /// use hashlanes::hbs::store::{Error, KeyDirectory, KeyGeneration};
    ///
    /// # let place = std::env::temp_dir().join(format!("hashlanes-passphrase-{}", std::process::id()));
    /// # std::fs::create_dir_all(&place)?;
    /// # let path = place.join("release-key");
    /// let plain = KeyDirectory::new(&path);
    /// let seeds = [7; 96]; // Of a real key: `KeyGeneration::random`.
    /// drop(plain.create(KeyGeneration::new("XMSSMT-SHA2_60/12_256".parse()?, &seeds)?)?);
    /// let passphrase = Passphrase::new(*b"correct horse battery staple")?;
    /// plain.change_passphrase(Some(&passphrase))?;
    /// assert!(plain.is_encrypted()?);
    /// assert!(matches!(plain.open(), Err(Error::Encrypted { .. })));
    /// let mut key = plain.passphrase(passphrase).open()?;
    /// let signature = key.try_sign(b"message")?;
    /// # drop(key);
    /// # std::fs::remove_dir_all(&place)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Locked`] if the key is in use; the errors of [`KeyDirectory::open`] for the file `key`. The
    /// key then has its old passphrase, or after [`Error::File`] one of the two.
    pub fn change_passphrase(&self, new: Option<&Passphrase>) -> Result<(), Error> {
        let (directory, key) = self.read()?;
        let _lock = Lock::take(&directory, self.wait)?;
        // A crash may have left the seeds of the generation.
        Self::clean_up(&directory)?;
        let other = Self { passphrase: new.cloned(), ..self.clone() };
        other.write_secret(&directory, key_format::NAME, &key)
    }

    /// Removes the files that only a generation needs.
    fn clean_up(directory: &Directory<F>) -> Result<(), Error> {
        if directory.has(UNFINISHED)? || directory.has(LEAVES)? {
            directory.remove(UNFINISHED)?;
            directory.remove(LEAVES)?;
            directory.sync()?;
        }
        Ok(())
    }

    /// Returns the generation that was interrupted in this directory, with its seeds and finished leaves;
    /// `None` if there is none.
    ///
    /// [`KeyDirectory::resume`] continues it.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Unsafe`] or [`Error::File`] if its file cannot be read.
    pub fn unfinished(&self) -> Result<Option<Generation<'static>>, Error> {
        Ok(self.begun()?.map(|(generation, _)| generation))
    }

    /// Continues the generation that was interrupted in this directory, with its original first index.
    ///
    /// `with` may add a progress function or a kernel. Returns `None` if there is no interrupted generation.
    ///
    /// # Errors
    /// The errors of [`KeyDirectory::unfinished`] and [`KeyDirectory::create`].
    pub fn resume<'a>(
        &self,
        with: impl FnOnce(Generation<'static>) -> Generation<'a>,
    ) -> Result<Option<SigningKey<FileStore<F>>>, Error> {
        let begun = self.begun()?;
        begun.map(|(generation, range)| self.create_within(with(generation), range)).transpose()
    }

    /// Returns the interrupted generation, and the indices of its key.
    fn begun(&self) -> Result<Option<(Generation<'static>, Range<u64>)>, Error> {
        let directory = match Directory::open(&self.file_system, &self.path) {
            Err(Error::NoKey(_)) => return Ok(None),
            result => result?,
        };
        if directory.has(key_format::NAME)? || !directory.has(UNFINISHED)? {
            return Ok(None);
        }
        let bytes = self.read_secret(&directory, UNFINISHED)?;
        let key = KeyFile::unfinished_from_bytes(directory.path_of(UNFINISHED), &bytes)?;
        Ok(Some((key.generation()?, key.range)))
    }

    /// Opens the key, and locks out other users of it until it is dropped.
    ///
    /// # Errors
    /// [`Error::Locked`] after the time that [`KeyDirectory::wait`] sets; [`Error::NoKey`],
    /// [`Error::Unfinished`]; [`Error::RolledBack`], [`Error::Moved`]; [`Error::PoisonedKey`]; for files
    /// [`Error::Damaged`], [`Error::Version`], [`Error::OtherKey`], [`Error::Unsafe`], [`Error::File`]. An
    /// exhausted key is opened.
    pub fn open(&self) -> Result<SigningKey<FileStore<F>>, Error> {
        let (directory, key) = self.read()?;
        let lock = Lock::take(&directory, self.wait)?;
        check_public(&directory, &key)?;
        let store = FileStore::open(self, directory, lock, &key)?;
        self.opened(key, store)
    }

    /// Opens a key whose directory was moved on purpose, or whose state is an older one, and binds it to the
    /// present place.
    ///
    /// The next index is the highest of the state's next index, the end of the log's indices, and `at_least`.
    /// If `at_least` is above 0, `state`, `log` or `lock` may be missing or damaged. A key that a fault
    /// poisoned signs again; `at_least` should then be at least the index that [`Error::Fault`] names as the
    /// end of the tree, because its root may have been signed wrongly.
    ///
    /// **Hazardous:** the caller must know that no other copy of this directory signs, and that no index from
    /// there on was ever used.
    ///
    /// # Errors
    /// [`Error::RolledBack`] if the witness knows a later generation, and `at_least` is not above the next
    /// index otherwise; the errors of [`KeyDirectory::open`].
    pub fn adopt(&self, at_least: u64) -> Result<SigningKey<FileStore<F>>, Error> {
        let (directory, key) = self.read()?;
        if at_least > 0 && !directory.has(lock::NAME)? {
            drop(directory.create_file(lock::NAME, Open::New)?);
        }
        let lock = Lock::take(&directory, self.wait)?;
        let store = FileStore::adopt(self, directory, lock, &key, at_least)?;
        self.opened(key, store)
    }

    fn opened(&self, key: KeyFile, store: FileStore<F>) -> Result<SigningKey<FileStore<F>>, Error> {
        Self::clean_up(&store.directory)?;
        let cache = Box::new(open_cache(&store.directory, &key)?);
        let signer = key.signer(cache);
        SigningKey::new(signer, key.range, store, self.window)
    }

    /// Reads the log: passes the number of every record to `each`, and `None` in place of a record that is
    /// invalid.
    ///
    /// The log of an earlier version is kept as `log-1`, and not read.
    ///
    /// # Errors
    /// The errors of [`KeyDirectory::open`] for the files `key` and `log`.
    pub fn log(&self, mut each: impl FnMut(u64, Option<&LogRecord>)) -> Result<(), Error> {
        let (directory, key) = self.read()?;
        log::check(&directory, (&key.mac_keys(), &key.identity()), &mut each)
    }

    /// Reads the status of a key without the lock, even while another process has the key open.
    ///
    /// # Errors
    /// The errors of [`KeyDirectory::open`], except those that [`Standing`] reports.
    pub fn status(&self) -> Result<KeyStatus, Error> {
        let (directory, key) = self.read()?;
        check_public(&directory, &key)?;
        let keys = key.mac_keys();
        let found = loop {
            if let Some(found) = rollback::look(self, &directory, &keys, &key)? {
                break found;
            }
        };
        Ok(KeyStatus {
            set: key.set,
            key_id: key.key_id(),
            standing: found.standing(),
            range: key.range,
            next: found.state.next,
            generation: found.state.generation,
            status: found.state.status,
        })
    }

    /// Returns the public key, from the file `key`.
    ///
    /// See [`PublicKey::to_spki_pem`] and [`PublicKey::to_bytes`].
    ///
    /// # Errors
    /// The errors of [`KeyDirectory::open`] for the file `key`.
    pub fn verifying_key(&self) -> Result<PublicKey, Error> {
        let (_, key) = self.read()?;
        Ok(key.public_key())
    }

    /// Returns the index of a signature that this key made, or a copy of the key.
    ///
    /// The signature's random value identifies the key, because the message is not known.
    ///
    /// # Errors
    /// [`Error::Key`] if another key made the signature; the errors of [`KeyDirectory::open`] for the file
    /// `key`.
    pub fn index_of(&self, signature: &[u8]) -> Result<u64, Error> {
        let (_, key) = self.read()?;
        Ok(key.index_of(signature)?)
    }

    /// Opens the directory, and reads its file `key`.
    pub(super) fn read(&self) -> Result<(Directory<F>, KeyFile), Error> {
        // A directory without a key is not reported as having the wrong mode.
        let directory = Directory::open_any(&self.file_system, &self.path)?;
        if directory.has(key_format::NAME)? || directory.has(UNFINISHED)? {
            directory.check_private()?;
        }
        if !directory.has(key_format::NAME)? {
            return Err(if directory.has(UNFINISHED)? {
                Error::Unfinished(self.path.clone())
            } else {
                Error::NoKey(self.path.clone())
            });
        }
        let key = read_key(&directory, self.passphrase.as_ref())?;
        Ok((directory, key))
    }
}

/// Opens the cache of a key.
pub(super) fn open_cache<F: FileSystem>(directory: &Directory<F>, key: &KeyFile) -> Result<Cache<F>, Error> {
    Cache::open(directory, (&key.mac_keys(), key.key_id()), key.set.shape())
}

/// Compares `public.pem` with the key. It may be missing, or have other line endings.
fn check_public<F: FileSystem>(directory: &Directory<F>, key: &KeyFile) -> Result<(), Error> {
    if !directory.has(PUBLIC)? {
        return Ok(());
    }
    let bytes = directory.read_public(PUBLIC)?;
    let public = key.public_key();
    let is_same = core::str::from_utf8(&bytes).ok().and_then(|pem| public.is_in_pem(pem));
    let is_same = is_same.unwrap_or_else(|| *bytes == *public.to_file().as_bytes());
    if is_same { Ok(()) } else { Err(directory.damaged(PUBLIC, "is not the public key of this key")) }
}
