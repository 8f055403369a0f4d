//! The state: which indices are taken, and who keeps that.

use crate::store::Error;

/// What is kept of a key between two signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct State {
    /// SHA-256 of the public key (OID ‖ root ‖ SEED).
    pub key_id: [u8; 32],
    /// Goes up by one with each commit.
    pub generation: u64,
    /// The first index that was never reserved; behind the last one of an exhausted key, up to 2^60.
    pub next: u64,
    /// Whether the key signs.
    pub status: Status,
}

/// Whether a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It does.
    Active,
    /// All indices of its range are reserved.
    Exhausted,
    /// A fault was found; see [`Error::Fault`].
    Poisoned,
}

impl State {
    /// The first state of a key whose first index is `next`.
    pub fn new(key_id: [u8; 32], next: u64) -> Self {
        Self { key_id, generation: 0, next, status: Status::Active }
    }

    /// The state after this one.
    #[must_use]
    pub fn successor(&self, next: u64, status: Status) -> Self {
        Self { key_id: self.key_id, generation: self.generation + 1, next, status }
    }
}

/// Why a state is committed: for an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// The key was made.
    Create,
    /// Indices are reserved for signatures.
    Sign,
    /// Indices are given to another directory.
    Split,
    /// Indices are left out.
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

/// What a commit is for, beside the state itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Why.
    pub purpose: Purpose,
    /// The first index that it takes.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// Of one message its SHA-256; of several, SHA-256 of theirs in a row. Of a window that later messages share: of
    /// those for which it was reserved. Zero if there is no message.
    pub digest: [u8; 32],
}

/// Keeps a state: in files ([`super::FileStore`]), in hardware, in a database.
///
/// What an implementation promises is what keeps an index from being used twice:
///
/// - **Durable.** When `commit` returns `Ok`, every later `load`, also after a loss of power, gives the new state or a
///   later one.
/// - **Exclusive.** Of two commits upon the same generation one succeeds at most, whoever makes them (compare and swap).
/// - **Forward.** `next` never goes down; a commit that would is refused.
///
/// After an error nothing is promised: the key takes none of the indices. See [`Error::NotCommitted`].
pub trait StateStore {
    /// The state that was committed last.
    ///
    /// # Errors
    /// If it cannot be read, or is not to be trusted.
    fn load(&mut self) -> Result<State, Error>;

    /// Replaces the state of generation `previous` by `new`, whose generation is the next one.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the state is of another generation; others as it fails. An error that is not
    /// [`Error::NotCommitted`] with [`super::Handle::Usable`] ends the key's use.
    fn commit(&mut self, previous: u64, new: &State, record: &Record) -> Result<(), Error>;

    /// Asked before each index is taken: whether this handle is still the one that reserved it.
    ///
    /// # Errors
    /// [`Error::Forked`], [`Error::Replaced`] and the like.
    fn is_still_ours(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
