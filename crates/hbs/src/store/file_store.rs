//! The state in the files of a key's directory.
//!
//! ```text
//! commit:  lock still ours? → room in the log → state.new (write, fsync) → rename to state → fsync directory
//!          → log (append, fsync) → witness (its own new file, fsync, rename, fsync directory)
//! ```
//!
//! An index is taken after all of that. Until the rename the old state is there, so an error leaves the key as it was;
//! from the rename on, either may be there, and the indices are burned. After an fsync that failed it is not known what
//! the disk holds, and a second one may say that all is well when it is not: so this handle stops.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::fmt;
use core::ops::Range;
use std::path::{Path, PathBuf};

use crate::store::directory::{Directory, Replaced};
use crate::store::fields::MacKeys;
use crate::store::file_system::{Facts, FileSystem, Open, Posix};
use crate::store::key_directory::{KeyDirectory, Standing, read_key};
use crate::store::key_file::{Identity, KeyFile, instance_of};
use crate::store::lock::Lock;
use crate::store::log::Log;
use crate::store::state_file::{self, Binding, Seen};
use crate::store::{Error, Handle, Purpose, Record, State, StateStore, Status};

pub(super) const NAME: &str = "state";

/// Keeps a state in the files of a [`super::KeyDirectory`], under its lock.
pub struct FileStore<F: FileSystem = Posix> {
    pub(super) path: PathBuf,
    pub(super) directory: Directory<F>,
    lock: Lock<F>,
    keys: MacKeys,
    identity: Identity,
    state: State,
    log: Log<F>,
    witness: Option<Witness<F>>,
    handle: Handle,
}

impl<F: FileSystem> fmt::Debug for FileStore<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").field("state", &self.state).finish_non_exhaustive()
    }
}

/// A file outside that keeps how far the state is.
pub(super) struct Witness<F: FileSystem> {
    directory: Directory<F>,
    name: String,
    /// `None` if the file is not there yet.
    seen: Option<Seen>,
}

impl<F: FileSystem> Witness<F> {
    fn open(file_system: &F, path: &Path, keys: &MacKeys, identity: &Identity) -> Result<Self, Error> {
        let (directory, name) = Self::place(file_system, path)?;
        let seen = if directory.has(&name)? {
            let bytes = directory.read(&name)?;
            Some(state_file::witness_from_bytes(keys, identity, directory.path_of(&name), &bytes)?)
        } else {
            None
        };
        Ok(Self { directory, name, seen })
    }

    /// Whether there is something at `path`.
    pub(super) fn is_there(file_system: &F, path: &Path) -> Result<bool, Error> {
        let (directory, name) = Self::place(file_system, path)?;
        directory.has(&name)
    }

    fn place(file_system: &F, path: &Path) -> Result<(Directory<F>, String), Error> {
        let damaged = |path: &Path, why| Error::Damaged { file: path.display().to_string(), why };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = match Directory::open_any(file_system, parent.unwrap_or(Path::new("."))) {
            Err(Error::NoKey(path)) => return Err(damaged(&path, "is no directory for a witness")),
            result => result?,
        };
        let name = path.file_name().and_then(|name| name.to_str()).map(ToString::to_string);
        Ok((directory, name.ok_or_else(|| damaged(path, "a witness needs a file name in UTF-8"))?))
    }

    fn store(&mut self, keys: &MacKeys, identity: &Identity, state: &State) -> Result<(), Error> {
        let seen = Seen::of(state);
        let bytes = state_file::witness_to_bytes(keys, identity, seen);
        self.directory.replace(&self.name, &bytes, Open::New).map_err(|(_, error)| error)?;
        self.seen = Some(seen);
        Ok(())
    }

    fn path(&self) -> String {
        self.directory.path_of(&self.name)
    }

    /// Path and generation, if it knows one.
    fn told(&self) -> Option<(String, u64)> {
        Some((self.path(), self.seen?.generation))
    }
}

/// What the files of a key say of its state.
pub(super) struct Found {
    pub(super) state: State,
    /// As it was written, and as it is.
    binding: [Binding; 2],
    log_generation: u64,
    /// Path and generation.
    witness: Option<(String, u64)>,
}

impl Found {
    /// Compares them with each other, and with where they are.
    pub(super) fn standing(&self) -> Standing {
        let log_name = super::log::NAME.to_string();
        if self.state.generation < self.log_generation || self.state.generation > self.log_generation + 1 {
            return Standing::RolledBack { witness: log_name };
        }
        // A state that is newer than the witness by more was committed without it.
        if let Some((path, generation)) = &self.witness
            && self.state.generation < *generation
        {
            return Standing::RolledBack { witness: path.clone() };
        }
        let [written, here] = &self.binding;
        if let Some(what) = written.difference(here) {
            return Standing::Moved { what };
        }
        if self.state.generation > self.log_generation { Standing::Interrupted } else { Standing::Sound }
    }

    fn check(&self) -> Result<(), Error> {
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

/// Reads `state`: what it holds, and its binding as it was written and as it is.
fn read_state<F: FileSystem>(
    directory: &Directory<F>,
    lock: &Facts,
    keys: &MacKeys,
    key: &KeyFile,
) -> Result<(State, [Binding; 2]), Error> {
    let (bytes, facts) = directory.read_with_facts(NAME)?;
    let (state, written) = state_file::from_bytes(keys, &key.identity(), directory.path_of(NAME), &bytes)?;
    if state.next < key.range.start || state.next > key.range.end {
        return Err(directory.damaged(NAME, "has an index out of the key's range"));
    }
    Ok((state, [written, Binding::new(&directory.file_system, lock, &facts)]))
}

/// Looks at all without the lock. `None` if somebody committed meanwhile.
pub(super) fn look<F: FileSystem>(
    place: &KeyDirectory<F>,
    directory: &Directory<F>,
    keys: &MacKeys,
    key: &KeyFile,
) -> Result<Option<Found>, Error> {
    let lock = directory.facts_at(super::lock::NAME);
    let lock = lock.map_err(|_| directory.damaged(super::lock::NAME, "is missing"))?;
    let (before, _) = read_state(directory, &lock, keys, key)?;
    let log = Log::open(directory, keys, &key.identity(), Open::Read)?;
    let witness = place
        .witness
        .as_ref()
        .map(|path| Witness::open(&place.file_system, path, keys, &key.identity()))
        .transpose()?;
    let (state, binding) = read_state(directory, &lock, keys, key)?;
    let witness = witness.and_then(|witness| witness.told());
    let is_same = before == state;
    Ok(is_same.then_some(Found { state, binding, log_generation: log.generation, witness }))
}

impl<F: FileSystem> FileStore<F> {
    /// The first state of a new key, whose other files are there, `key` excepted.
    pub(super) fn create(
        place: &KeyDirectory<F>,
        directory: Directory<F>,
        lock: Lock<F>,
        key: &KeyFile,
    ) -> Result<Self, Error> {
        let (keys, identity) = (MacKeys::new(&key.seeds), key.identity());
        let mut state = State::new(identity.key_id, key.range.start);
        if key.range.is_empty() {
            state.status = Status::Exhausted;
        }
        let record = Record { purpose: Purpose::Create, first: key.range.start, count: 0, digest: [0; 32] };
        let log = Log::create(&directory, &keys, &identity, (state.generation, &record))?;
        let mut witness = None;
        if let Some(path) = &place.witness {
            let mut new = Witness::open(&place.file_system, path, &keys, &identity)?;
            if let Some((witness, witnessed)) = new.told().filter(|(_, seen)| *seen > state.generation) {
                let state = state.generation;
                return Err(Error::RolledBack { state, witness, witnessed });
            }
            new.store(&keys, &identity, &state)?;
            witness = Some(new);
        }
        let handle = Handle::Usable;
        let path = place.path.clone();
        let mut store = Self { path, directory, lock, keys, identity, state, log, witness, handle };
        let state = store.state.clone();
        store.replace_state(&state).map_err(|(_, error)| error)?;
        Ok(store)
    }

    /// Of a key that is there.
    pub(super) fn open(
        place: &KeyDirectory<F>,
        directory: Directory<F>,
        lock: Lock<F>,
        key: &KeyFile,
    ) -> Result<Self, Error> {
        let (keys, identity) = (MacKeys::new(&key.seeds), key.identity());
        let (state, binding) = read_state(&directory, &lock.facts, &keys, key)?;
        let log = Log::open(&directory, &keys, &identity, Open::Append)?;
        let witness = Self::witness(place, &keys, &identity)?;
        let seen = witness.as_ref().and_then(Witness::told);
        let found = Found { state, binding, log_generation: log.generation, witness: seen };
        found.check()?;
        let (state, handle) = (found.state, Handle::Usable);
        if state.status == Status::Poisoned {
            return Err(Error::PoisonedKey);
        }
        let path = place.path.clone();
        let mut store = Self { path, directory, lock, keys, identity, state, log, witness, handle };
        store.finish_interrupted()?;
        Ok(store)
    }

    fn witness(
        place: &KeyDirectory<F>,
        keys: &MacKeys,
        identity: &Identity,
    ) -> Result<Option<Witness<F>>, Error> {
        let path = place.witness.as_ref();
        path.map(|path| Witness::open(&place.file_system, path, keys, identity)).transpose()
    }

    /// Adds a record of the opening, so that the log's last one is surely on the disk. After a crash between the state and the
    /// log or the witness also what is missing there: the indices are behind `next`, and stay burned.
    fn finish_interrupted(&mut self) -> Result<(), Error> {
        let (generation, next) = (self.state.generation, self.state.next);
        let record = if self.log.generation < generation {
            // What is in `state` may be in memory alone, after a crash before the directory was synced.
            self.directory.sync()?;
            let first = self.log.end.min(next);
            Record { purpose: Purpose::Recover, first, count: next - first, digest: [0; 32] }
        } else {
            Record { purpose: Purpose::Open, first: next, count: 0, digest: [0; 32] }
        };
        self.log.append(&self.directory, (&self.keys, &self.identity), generation, &record)?;
        if let Some(witness) = &mut self.witness
            && witness.seen.is_none_or(|seen| seen.generation < generation)
        {
            witness.store(&self.keys, &self.identity, &self.state)?;
        }
        Ok(())
    }

    /// Of a key whose directory was moved, or whose state is not the newest: see [`KeyDirectory::adopt`].
    pub(super) fn adopt(
        place: &KeyDirectory<F>,
        directory: Directory<F>,
        lock: Lock<F>,
        key: &KeyFile,
        at_least: u64,
    ) -> Result<Self, Error> {
        let (keys, identity) = (MacKeys::new(&key.seeds), key.identity());
        // With an index that the caller vouches for, one of both may be lost.
        let state = match read_state(&directory, &lock.facts, &keys, key) {
            Err(error @ Error::Damaged { .. }) if at_least == 0 => return Err(error),
            Err(Error::Damaged { .. }) => State::new(identity.key_id, key.range.start),
            result => result?.0,
        };
        let log = match Log::open(&directory, &keys, &identity, Open::Append) {
            Err(Error::Damaged { .. }) if at_least > 0 => {
                let (first, next) = (key.range.start, state.next);
                let record =
                    Record { purpose: Purpose::Recover, first, count: next - first, digest: [0; 32] };
                Log::create(&directory, &keys, &identity, (state.generation, &record))?
            }
            result => result?,
        };
        let witness = Self::witness(place, &keys, &identity)?;
        let seen = witness.as_ref().and_then(Witness::told);
        let known = state.next.max(log.highest_end(&directory, (&keys, &identity))?);
        let newest = state.generation.max(log.generation);
        if let Some((witness, witnessed)) = &seen
            && *witnessed > newest
            && at_least <= known
        {
            let (witness, witnessed) = (witness.clone(), *witnessed);
            return Err(Error::RolledBack { state: newest, witness, witnessed });
        }
        // What the witness saw counts, whatever the caller believes.
        let witnessed = witness.as_ref().and_then(|witness| witness.seen).map_or(0, |seen| seen.next);
        let next = known.max(at_least).max(witnessed);
        if next > key.range.end {
            let (index, signatures) = (next, key.range.end);
            return Err(crate::Error::Index { index, signatures }.into());
        }
        let newest = newest.max(seen.map_or(0, |(_, generation)| generation));
        let status = if next == key.range.end { Status::Exhausted } else { Status::Active };
        let new = State { key_id: identity.key_id, generation: newest + 1, next, status };
        let record =
            Record { purpose: Purpose::Adopt, first: state.next, count: next - state.next, digest: [0; 32] };
        let handle = Handle::Usable;
        let path = place.path.clone();
        let mut store = Self { path, directory, lock, keys, identity, state, log, witness, handle };
        store.store(&new, &record).map_err(|(_, error)| error)?;
        Ok(store)
    }

    /// The file `key` of a part with these indices, which the next commit gives away.
    pub(super) fn part(&self, range: Range<u64>) -> Result<KeyFile, Error> {
        let key = read_key(&self.directory)?;
        let instance = instance_of(Some((&self.identity, self.state.generation)), &range);
        Ok(KeyFile { range, instance, ..key })
    }

    fn replace_state(&mut self, new: &State) -> Result<(), (Replaced, Error)> {
        self.directory.replace_by(NAME, Open::New, |facts| {
            let binding = Binding::new(&self.directory.file_system, &self.lock.facts, facts);
            state_file::to_bytes(&self.keys, &self.identity, new, &binding)
        })
    }

    /// All steps of a commit.
    fn store(&mut self, new: &State, record: &Record) -> Result<(), (Replaced, Error)> {
        self.log.make_room(&self.directory).map_err(|error| (Replaced::No, error))?;
        self.replace_state(new)?;
        let unknown = |error| (Replaced::Unknown, error);
        let with = (&self.keys, &self.identity);
        self.log.append(&self.directory, with, new.generation, record).map_err(unknown)?;
        if let Some(witness) = &mut self.witness {
            witness.store(&self.keys, &self.identity, new).map_err(unknown)?;
        }
        self.state = new.clone();
        Ok(())
    }
}

impl<F: FileSystem> StateStore for FileStore<F> {
    fn load(&mut self) -> Result<State, Error> {
        Ok(self.state.clone())
    }

    fn commit(&mut self, previous: u64, new: &State, record: &Record) -> Result<(), Error> {
        self.is_still_ours()?;
        if previous != self.state.generation || new.generation != previous + 1 {
            return Err(Error::Conflict { known: previous, found: self.state.generation });
        }
        if new.next < self.state.next {
            return Err(Error::IndexUsed { index: new.next, next: self.state.next });
        }
        self.store(new, record).map_err(|(replaced, why)| {
            if replaced == Replaced::Unknown {
                self.handle = Handle::Poisoned;
            }
            let indices = record.first..record.first + record.count;
            Error::NotCommitted { indices, handle: self.handle, why: Box::new(why) }
        })
    }

    fn is_still_ours(&mut self) -> Result<(), Error> {
        if self.handle == Handle::Poisoned {
            return Err(Error::PoisonedHandle);
        }
        let checked = self.lock.check(&self.directory);
        if matches!(checked, Err(Error::Forked | Error::LockReplaced)) {
            self.handle = Handle::Poisoned;
        }
        checked
    }
}
