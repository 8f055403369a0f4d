//! Detection of a rollback: state, log and witness agree with each other and with the place, unless an older
//! copy of some was restored.

use alloc::string::{String, ToString};

use crate::store::fields::MacKeys;
use crate::store::file_identity::{Binding, Evidence, Place, Stamp};
use crate::store::file_system::{Facts, FileSystem, Open};
use crate::store::key_format::KeyFile;
use crate::store::log::{self, Log};
use crate::store::old_format::{self, OldLog};
use crate::store::open_directory::Directory;
use crate::store::witness::Witness;
use crate::store::{Error, KeyDirectory, Purpose, State, lock, state_format};

/// Whether the files of a key agree with each other and with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// They agree.
    Sound,
    /// The last commit was interrupted: its indices are burned when the key is opened.
    Interrupted,
    /// The state is older than another witness: [`Error::RolledBack`].
    RolledBack {
        /// `log`, or the witness's path.
        witness: String,
    },
    /// The directory is not at the place where its state was written: [`Error::Moved`].
    Moved {
        /// The difference.
        what: &'static str,
    },
}

/// The information about its state in the files of a key.
pub(super) struct Found {
    pub(super) state: State,
    /// The file `state`.
    pub(super) file: Facts,
    /// Whether `state` has the format of version 1.
    pub(super) is_old: bool,
    /// Whether the state was written to a file system without distinguishing facts: it then counts only with
    /// its witness, wherever it is now.
    pub(super) needs_witness: bool,
    /// The difference from the place where the state was written.
    difference: Option<&'static str>,
    log_generation: u64,
    /// The witness's path and generation.
    witness: Option<(String, u64)>,
}

/// The log, in one of its formats.
#[derive(Debug)]
pub(super) enum LogFile<F: FileSystem> {
    Present(Log<F>),
    Old(OldLog),
}

impl Found {
    /// Compares the files with each other and with the place.
    pub(super) fn standing(&self) -> Standing {
        let log_name = log::NAME.to_string();
        if self.state.generation < self.log_generation || self.state.generation > self.log_generation + 1 {
            return Standing::RolledBack { witness: log_name };
        }
        // A state that is newer than the witness by more than one generation was committed without it.
        if let Some((path, generation)) = &self.witness
            && self.state.generation < *generation
        {
            return Standing::RolledBack { witness: path.clone() };
        }
        if let Some(what) = self.difference {
            return Standing::Moved { what };
        }
        if self.state.generation > self.log_generation { Standing::Interrupted } else { Standing::Sound }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        match self.standing() {
            Standing::Sound | Standing::Interrupted => Ok(()),
            Standing::Moved { what } => Err(Error::Moved { what }),
            Standing::RolledBack { witness } => {
                let of_witness = self.witness.as_ref().filter(|(path, _)| *path == witness);
                let witnessed = of_witness.map_or(self.log_generation, |(_, generation)| *generation);
                Err(Error::RolledBack { state: self.state.generation, witness, witnessed })
            }
        }
    }
}

/// The bindings of all formats.
enum Written {
    Present(Binding),
    Old(old_format::OldBinding),
}

/// The inputs for reading the files of a key.
pub(super) struct Reading<'a, F: FileSystem> {
    pub(super) directory: &'a Directory<F>,
    pub(super) keys: &'a MacKeys,
    pub(super) key: &'a KeyFile,
}

impl<F: FileSystem> Reading<'_, F> {
    fn written(&self) -> Result<(State, Facts, Written), Error> {
        let Self { directory, keys, key } = self;
        let (bytes, facts) = directory.read_with_facts(state_format::NAME)?;
        let (identity, path) = (key.identity(), directory.path_of(state_format::NAME));
        let (state, written) = match state_format::from_bytes(keys, &identity, path.clone(), &bytes) {
            Err(Error::Version { found: old_format::VERSION, .. }) => {
                let (state, binding) = old_format::state(keys, &identity, path, &bytes)?;
                (state, Written::Old(binding))
            }
            result => result.map(|(state, binding)| (state, Written::Present(binding)))?,
        };
        if state.next < key.range.start || state.next > key.range.end {
            return Err(directory.damaged(state_format::NAME, "has an index out of the key's range"));
        }
        Ok((state, facts, written))
    }

    /// Reads the state alone; returns it with the file.
    pub(super) fn state(&self) -> Result<(State, Facts), Error> {
        self.written().map(|(state, facts, _)| (state, facts))
    }

    /// Reads the log, in either format.
    pub(super) fn log(&self, how: Open) -> Result<LogFile<F>, Error> {
        let Self { directory, keys, key } = self;
        let identity = key.identity();
        if !directory.has(log::NAME)? && directory.has(old_format::LOG)? {
            return OldLog::read(directory, (keys, &identity)).map(LogFile::Old);
        }
        match Log::open(directory, keys, &identity, how) {
            Err(Error::Version { found: old_format::VERSION, .. }) => {
                OldLog::read(directory, (keys, &identity)).map(LogFile::Old)
            }
            result => result.map(LogFile::Present),
        }
    }

    /// Reads all files.
    pub(super) fn found(
        &self,
        lock: &Facts,
        witness: Option<(String, u64)>,
        how: Open,
    ) -> Result<(Found, LogFile<F>), Error> {
        let (state, file, written) = self.written()?;
        let log = self.log(how)?;
        let (log_generation, difference) = match (&written, &log) {
            (Written::Present(binding), LogFile::Present(log)) => {
                let place = Place::of(self.directory, lock)?;
                let difference = binding.difference(&place, &file, Stamp::of(&log.facts), log.last.state);
                (log.last.logged.generation, difference)
            }
            (Written::Present(_), LogFile::Old(_)) => {
                return Err(self
                    .directory
                    .damaged(log::NAME, "is of an older format than state: an old copy"));
            }
            (Written::Old(binding), LogFile::Old(log)) => {
                let differs = binding.difference(&self.directory.file_system, lock, &file);
                (log.generation, differs.or((lock.length > 0).then_some("the file lock")))
            }
            (Written::Old(_), LogFile::Present(log)) if is_begun_upgrade(&state, log) => {
                // Written before the crash, by the upgrade of this very file.
                let is_same = log.last.state == Stamp::of(&file);
                (state.generation, (!is_same).then_some("the file state"))
            }
            (Written::Old(_), LogFile::Present(log)) => {
                // A state of the old format after the upgrade is an old copy, whatever its generation.
                (log.last.logged.generation.max(state.generation + 1), None)
            }
        };
        let is_old = matches!(written, Written::Old(_));
        let needs_witness = matches!(written, Written::Present(Binding { evidence: Evidence::Nothing, .. }));
        Ok((Found { state, file, is_old, needs_witness, difference, log_generation, witness }, log))
    }
}

/// Returns whether an upgrade of this state created the log and did not finish.
fn is_begun_upgrade<F: FileSystem>(state: &State, log: &Log<F>) -> bool {
    let last = &log.last.logged;
    last.record.purpose == Purpose::Upgrade
        && last.number == 0
        && last.generation == state.generation + 1
        && last.end() == state.next
}

/// Reads all files without the lock. Returns `None` if another process committed meanwhile.
pub(super) fn look<F: FileSystem>(
    place: &KeyDirectory<F>,
    directory: &Directory<F>,
    keys: &MacKeys,
    key: &KeyFile,
) -> Result<Option<Found>, Error> {
    let lock = directory.facts_at(lock::NAME);
    let lock = lock.map_err(|_| directory.damaged(lock::NAME, "is missing"))?;
    let reading = Reading { directory, keys, key };
    let (before, _) = reading.state()?;
    let witness = Witness::open(&place.file_system, place.witness.as_ref(), keys, &key.identity())?;
    let seen = witness.as_ref().and_then(Witness::recorded);
    let (found, _) = reading.found(&lock, seen, Open::Read)?;
    let (after, _) = reading.state()?;
    if before != found.state || found.state != after {
        return Ok(None);
    }
    witness.map_or(Ok(()), |witness| witness.check(&found.state))?;
    Ok(Some(found))
}

/// Refuses a place without distinguishing facts, unless there is a witness.
pub(super) fn evidence<F: FileSystem>(
    place: &KeyDirectory<F>,
    directory: &Directory<F>,
    lock: &Facts,
    is_witnessed: bool,
) -> Result<Evidence, Error> {
    match Evidence::of(directory, lock)? {
        Evidence::Nothing if !is_witnessed => Err(Error::NoEvidence(place.path.clone())),
        evidence => Ok(evidence),
    }
}
