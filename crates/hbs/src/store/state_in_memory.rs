//! A state in memory: for tests, and for callers that keep it elsewhere.

use crate::store::{Error, Record, State, StateStore};

/// Keeps a state in memory.
///
/// **Hazardous:** it gives none of the guarantees of [`StateStore`], because it is lost with the process.
#[derive(Debug)]
pub struct MemoryStore(State);

impl MemoryStore {
    /// Creates a store with this state.
    pub fn new(state: State) -> Self {
        Self(state)
    }
}

impl StateStore for MemoryStore {
    fn load(&mut self) -> Result<State, Error> {
        Ok(self.0.clone())
    }

    fn commit(&mut self, previous: u64, new: &State, _: &Record) -> Result<(), Error> {
        if previous != self.0.generation {
            return Err(Error::Conflict { known: previous, found: self.0.generation });
        }
        if new.next < self.0.next {
            return Err(Error::IndexUsed { index: new.next, next: self.0.next });
        }
        self.0 = new.clone();
        Ok(())
    }
}
