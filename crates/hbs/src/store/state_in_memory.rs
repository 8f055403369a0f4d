//! A state in memory alone: for tests, and for those who keep it elsewhere.

use crate::store::{Error, Record, State, StateStore};

/// Keeps a state in memory.
///
/// **Hazardous:** it promises nothing of what [`StateStore`] asks: it is gone with the process.
#[derive(Debug)]
pub struct MemoryStore(State);

impl MemoryStore {
    /// Begins with this state.
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
