//! Splitting: moves indices of a key to a new directory.

use alloc::boxed::Box;

use crate::store::cache::{self, copy_trees};
use crate::store::directory_entry::{Entry, Named};
use crate::store::file_system::{FileSystem, Open};
use crate::store::key_format::KeyFile;
use crate::store::key_lifecycle::{Begun, open_cache};
use crate::store::lock::{self, Lock};
use crate::store::open_directory::Directory;
use crate::store::witness::{Witness, WitnessPlace};
use crate::store::{Error, FileStore, KeyDirectory, Purpose, Record, SigningKey};

impl<F: FileSystem> SigningKey<FileStore<F>> {
    /// Moves the next `count` indices to a new directory, which signs with them under the same public key.
    ///
    /// This is the only way in which the secret leaves its directory. This key commits that it gives up the
    /// indices before the part is written; if writing fails, they are burned. Indices that this handle
    /// reserved and did not use are burned, too. The part of an encrypted key has its passphrase, unless
    /// `child` has another one.
    ///
    /// # Errors
    /// [`Error::TooFewLeft`], [`Error::Exhausted`], [`Error::Exists`], [`Error::NotCommitted`]: no index was
    /// moved. After any other error the indices are burned, and the text names them.
    pub fn split(&mut self, count: u64, child: &KeyDirectory<F>) -> Result<(), Error> {
        self.check()?;
        let (first, left) = (self.state.next, self.range.end - self.state.next);
        if left == 0 {
            return Err(Error::Exhausted { end: self.range.end });
        }
        if count == 0 || count > left {
            return Err(Error::TooFewLeft { asked: count, left });
        }
        // The secret of an encrypted key is not written without encryption.
        let passphrase = child.passphrase.clone().or_else(|| self.store.passphrase.clone());
        let child = KeyDirectory { passphrase, ..child.clone() };
        let part = child.begin_part()?;
        let range = first..first + count;
        let key = self.store.part(range.clone())?;
        self.commit(range.end, &Record { purpose: Purpose::Split, first, count, digest: [0; 32] })?;
        // The part's indices lie between these and the next ones, so they do not form one window.
        self.reserved = range.end..range.end;
        let finished = child.finish_part(part, &key, &self.store.directory);
        finished.map_err(|why| Error::BurnedRange { indices: range, why: Box::new(why) })
    }
}

impl<F: FileSystem> KeyDirectory<F> {
    /// Creates the directory of a part of a key, empty and locked.
    fn begin_part(&self) -> Result<Begun<F>, Error> {
        // An external witness distinguishes the part from its parent.
        if let Some(WitnessPlace::File(witness)) = &self.witness
            && Witness::is_there(&self.file_system, witness)?
        {
            return Err(Error::Exists(witness.clone()));
        }
        let Named { directory, entry, is_made } = Entry::make(&self.file_system, &self.path)?;
        if !is_made || !directory.is_empty()? {
            return Err(Error::Exists(self.path.clone()));
        }
        drop(directory.create_file(lock::NAME, Open::New)?);
        let lock = Lock::take(&directory, self.wait)?;
        Ok((directory, lock, entry))
    }

    /// Writes the part's files, with the trees of `parent`.
    fn finish_part(
        &self,
        (directory, lock, entry): Begun<F>,
        key: &KeyFile,
        parent: &Directory<F>,
    ) -> Result<(), Error> {
        drop(open_cache(&directory, key)?);
        let caches = [parent, &directory].map(|directory| directory.open_inner(cache::NAME));
        if let [Ok(Some(from)), Ok(Some(to))] = &caches {
            copy_trees(from, to, key.set.shape().n_layers());
        }
        let store = self.finish(directory, lock, key)?;
        entry.check(&store.directory)?;
        entry.sync()
    }
}
