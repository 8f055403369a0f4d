//! The key that signs.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::hazmat::KeyGeneration;
use crate::store::file_system::FileSystem;
use crate::store::{Error, FileStore, KeyDirectory, Message, StateStore};
use crate::{ParameterSet, Signature, VerifyingKey};

/// A key whose state is kept by `S`: in a [`KeyDirectory`], or elsewhere.
///
/// Each index is on the disk as used before anything is computed with it, and each signature is verified before it is
/// returned. Overwritten when dropped.
pub struct SigningKey<S: StateStore = FileStore> {
    store: S,
    window: u64,
    range: Range<u64>,
}

impl<S: StateStore> fmt::Debug for SigningKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("range", &self.range).finish_non_exhaustive()
    }
}

impl<S: StateStore> SigningKey<S> {
    /// Generates the key from its seeds, with its trees in memory, and signs with the indices of `range` that `store` has not
    /// given away: for states in hardware, in a database.
    ///
    /// # Errors
    /// [`Error::OtherKey`] if the state is another key's; [`Error::Key`] of the generation, or of a range above 2^h; those of
    /// [`StateStore::load`]; [`Error::PoisonedKey`].
    pub fn with_store(generation: KeyGeneration<'_>, range: Range<u64>, store: S) -> Result<Self, Error> {
        let _ = (generation, range, store);
        todo!()
    }

    /// What its signatures are verified with.
    pub fn verifying_key(&self) -> &VerifyingKey {
        todo!()
    }
    /// The parameter set.
    pub fn set(&self) -> ParameterSet {
        self.verifying_key().set()
    }
    /// The indices that this key may use.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
    /// The index of the next signature: of those that are reserved the first one, or the first that is not. The end of the range of
    /// an exhausted key.
    pub fn next_index(&self) -> u64 {
        todo!()
    }
    /// Signatures that are left, those included whose indices are reserved.
    pub fn left(&self) -> u64 {
        self.range.end - self.next_index()
    }
    /// Whether 90 % of the range are used: time to make the next key known.
    pub fn is_nearly_exhausted(&self) -> bool {
        super::key_directory::is_nearly_exhausted(&self.range, self.next_index())
    }
    /// Indices that are reserved with one commit; see [`KeyDirectory::window`].
    pub fn set_window(&mut self, indices: u64) {
        self.window = indices.max(1);
    }

    /// Signs bytes, or a stream (`&mut File`), with the next index.
    ///
    /// # Errors
    /// Without an index taken: [`Error::Exhausted`], before any work; [`Error::Message`]; [`Error::NotCommitted`]; [`Error::PoisonedHandle`];
    /// [`Error::Forked`], [`Error::LockReplaced`], [`Error::Conflict`]. With the index lost: [`Error::Burned`].
    pub fn try_sign<'m>(&mut self, message: impl Into<Message<'m>>) -> Result<Signature, Error> {
        let _ = message.into();
        todo!()
    }

    /// Signs many, with one commit for all: a signature or an error for each, in their order.
    ///
    /// # Errors
    /// As [`SigningKey::try_sign`] without an index taken, then for all of them together; [`Error::TooFewLeft`].
    /// Errors that burn an index stand in the list.
    pub fn sign_many(
        &mut self,
        messages: &mut [Message<'_>],
    ) -> Result<Vec<Result<Signature, Error>>, Error> {
        let _ = messages;
        todo!()
    }

    /// Leaves out the indices before `index`: forward alone. Those that are reserved are burned, too. The end of the range
    /// exhausts the key.
    ///
    /// # Errors
    /// [`Error::IndexUsed`]; [`Error::Key`] with [`crate::Error::Index`] if it is behind the range; [`Error::NotCommitted`].
    pub fn advance_to(&mut self, index: u64) -> Result<(), Error> {
        let _ = index;
        todo!()
    }

    /// Leaves out the indices up to that of a signature of this key: one that came from a copy, say. It does nothing if they are used
    /// already. The signature's message is not needed, so it is not verified.
    ///
    /// # Errors
    /// [`Error::Key`] if it cannot be a signature of this key; those of [`SigningKey::advance_to`].
    pub fn advance_past(&mut self, signature: &[u8]) -> Result<(), Error> {
        let _ = signature;
        todo!()
    }
}

impl<F: FileSystem> SigningKey<FileStore<F>> {
    /// Gives the next `count` indices to a new directory, which signs with them under the same public key: the only way in which
    /// the secret leaves its directory. This key commits that it does without them before the child is written: if that fails,
    /// they are burned.
    ///
    /// # Errors
    /// [`Error::TooFewLeft`], [`Error::Exhausted`], [`Error::Exists`], [`Error::NotCommitted`]: nothing was given away. Others: the indices
    /// are burned, and the text names them.
    pub fn split(&mut self, count: u64, child: &KeyDirectory<F>) -> Result<(), Error> {
        let _ = (count, child);
        todo!()
    }
}
