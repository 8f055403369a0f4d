//! A witness that is no file: its trait, and the checks of its answers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

use hashlanes_sha::Sha256;

use crate::store::key_format::Identity;
use crate::store::state_format::Seen;
use crate::store::{Error, State};

/// A witness that is no file: a counter of a TPM, a service, a database.
///
/// It records the generation of a key's state, which goes up by one with each commit, and the next index.
/// After each record it is asked for it again, and a signature is released only if it returns it.
///
/// A witness that returns an older record, or none, is refused when the key is opened: like the state, it may
/// have been restored. [`KeyDirectory::adopt`](super::KeyDirectory::adopt) records a key with a new witness.
pub trait ExternalWitness: fmt::Debug + Send + Sync {
    /// Returns the name in error messages.
    fn name(&self) -> String;

    /// Returns the last record of `key`, or `None` if it has never recorded it.
    ///
    /// `key` differs for each key, and for each part of a split key.
    ///
    /// # Errors
    /// The reason why it cannot be read. The key is refused then.
    fn last(&self, key: &[u8; 32]) -> Result<Option<Witnessed>, String>;

    /// Records `new`, durably, before it returns. It must refuse a generation below the recorded one.
    ///
    /// # Errors
    /// The reason why it is not recorded. No signature is released then.
    fn record(&self, key: &[u8; 32], new: Witnessed) -> Result<(), String>;
}

/// The data of a state that a witness keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// The number of commits.
    pub generation: u64,
    /// The first index that was never reserved. An external witness that can only count returns `None`.
    pub next: Option<u64>,
}

/// An external witness, and the key that it is asked for.
pub(super) struct OfKey {
    pub(super) witness: Arc<dyn ExternalWitness>,
    key: [u8; 32],
    pub(super) seen: Option<Witnessed>,
}

impl OfKey {
    pub(super) fn open(witness: Arc<dyn ExternalWitness>, identity: &Identity) -> Result<Self, Error> {
        let mut id = Sha256::new();
        id.update(identity.key_id);
        id.update(identity.instance);
        let mut of_key = Self { witness, key: id.finish(), seen: None };
        of_key.seen = of_key.last()?;
        Ok(of_key)
    }

    fn failed(&self, why: String) -> Error {
        Error::Witness { witness: self.witness.name(), why }
    }

    fn last(&self) -> Result<Option<Witnessed>, Error> {
        self.witness.last(&self.key).map_err(|why| self.failed(why))
    }

    /// Checks that the record is not older than the state, except for one interrupted commit.
    pub(super) fn check(&self, state: &State) -> Result<(), Error> {
        let Self { witness, seen, .. } = self;
        let behind =
            |witnessed| Error::WitnessBehind { witness: witness.name(), state: state.generation, witnessed };
        let Some(seen) = seen else { return Err(behind(None)) };
        if seen.generation.saturating_add(1) < state.generation {
            return Err(behind(Some(seen.generation)));
        }
        match seen.next {
            Some(next) if seen.generation == state.generation && next != state.next => {
                let why = format!(
                    "it returns the next index {next} for generation {}, whose next index is {}",
                    state.generation, state.next
                );
                Err(Error::Witness { witness: witness.name(), why })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn record(&mut self, state: Seen) -> Result<(), Error> {
        let new = Witnessed { generation: state.generation, next: Some(state.next) };
        self.witness.record(&self.key, new).map_err(|why| self.failed(why))?;
        match self.last()? {
            Some(seen)
                if seen.generation == new.generation && seen.next.is_none_or(|next| next == state.next) =>
            {
                self.seen = Some(seen);
                Ok(())
            }
            Some(Witnessed { generation, next }) => Err(self.failed(format!(
                "it was given generation {} and index {}, and returns {generation} and {}",
                new.generation,
                state.next,
                next.map_or_else(|| "none".to_string(), |next| next.to_string())
            ))),
            None => Err(self.failed(format!("it was given generation {}, and returns none", new.generation))),
        }
    }
}
