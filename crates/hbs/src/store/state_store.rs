//! The state: which indices are taken, and the trait of its storage.

use crate::store::Error;

/// The state of a key between two signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct State {
    /// SHA-256 of the public key (OID ‖ root ‖ SEED).
    pub key_id: [u8; 32],
    /// Goes up by one with each commit.
    pub generation: u64,
    /// The first index that was never reserved, up to 2^60; for an exhausted key the index after its range.
    pub next: u64,
    /// Whether the key signs.
    pub status: Status,
}

/// Whether a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The key signs.
    Active,
    /// All indices of its range are reserved.
    Exhausted,
    /// A fault was found; see [`Error::Fault`].
    Poisoned,
}

impl State {
    /// Returns the first state of a key whose first index is `next`.
    pub fn new(key_id: [u8; 32], next: u64) -> Self {
        Self { key_id, generation: 0, next, status: Status::Active }
    }

    /// Returns the state after this one.
    #[must_use]
    pub fn successor(&self, next: u64, status: Status) -> Self {
        Self { key_id: self.key_id, generation: self.generation + 1, next, status }
    }
}

/// The purpose of a commit, for audits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// The key was created.
    Create,
    /// Indices are reserved for signatures.
    Sign,
    /// Indices are moved to another directory.
    Split,
    /// Indices are skipped.
    Advance,
    /// The directory was moved on purpose.
    Adopt,
    /// A commit was interrupted; its indices are burned.
    Recover,
    /// A fault was found.
    Poison,
    /// The key was opened. This takes no index, and has the generation of the commit before it.
    Open,
    /// The files were rewritten in a newer format. Takes the indices of a commit that was interrupted before.
    Upgrade,
}

/// The record of a commit, in addition to the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The purpose.
    pub purpose: Purpose,
    /// The first index that it takes.
    pub first: u64,
    /// The number of indices.
    pub count: u64,
    /// For one message its SHA-256; for several, SHA-256 of theirs in a row. A window that later messages
    /// share has the digest of the messages for which it was reserved. Zero without a message.
    pub digest: [u8; 32],
}

/// Keeps a state: in files ([`super::FileStore`]), in hardware, in a database.
///
/// These guarantees of an implementation prevent that an index is used twice:
///
/// - **Durable.** After `commit` returns `Ok`, every later `load`, also after a loss of power, returns the
///   new state or a later one.
/// - **Exclusive.** Of two commits on the same generation at most one succeeds, also from different processes
///   (compare and swap).
/// - **Forward.** `next` never goes down; a commit that would lower it is refused.
///
/// After an error there is no guarantee: the key takes none of the indices. See [`Error::NotCommitted`].
pub trait StateStore {
    /// Returns the state of the last commit.
    ///
    /// # Errors
    /// An error if it cannot be read, or is not to be trusted.
    fn load(&mut self) -> Result<State, Error>;

    /// Replaces the state of generation `previous` by `new`, whose generation is the next one.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the state has another generation; other errors as they occur. An error other
    /// than [`Error::NotCommitted`] with [`super::Handle::Usable`] stops the key's handle.
    fn commit(&mut self, previous: u64, new: &State, record: &Record) -> Result<(), Error>;

    /// Checks that this handle is still the one that reserved the indices; called before each index is taken.
    ///
    /// # Errors
    /// [`Error::Forked`], [`Error::Replaced`] and the like.
    fn is_still_ours(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
