//! The state in the files of a key's directory.
//!
//! ```text
//! commit:  check lock, state and log → reserve space in the log → state.new (write, fsync) → rename to state
//!          → fsync directory → log (append, fsync) → witness (its own new file, fsync, rename, fsync directory)
//! ```
//!
//! An index is taken only after all steps. Until the rename the old state is there, so an error leaves the
//! key unchanged. After the rename either state may be there, and the indices are burned. After a failed
//! fsync the content of the disk is unknown, and a second fsync may report success wrongly; so this handle
//! stops.

use alloc::boxed::Box;
use core::fmt;
use core::ops::Range;

use crate::passphrase::Passphrase;
use crate::store::fields::MacKeys;
use crate::store::file_identity::{Binding, Evidence, Place, Stamp};
use crate::store::file_system::{Facts, FileSystem, Open, Posix};
use crate::store::key_format::{Identity, KeyFile, instance_of, read_key};
use crate::store::lock::Lock;
use crate::store::log::{self, Log};
use crate::store::old_format::{self, OldLog};
use crate::store::open_directory::{Directory, Replaced};
use crate::store::rollback::{LogFile, Reading, evidence};
use crate::store::state_format::{self, NAME};
use crate::store::witness::Witness;
use crate::store::{Error, Handle, KeyDirectory, Purpose, Record, State, StateStore, Status};

/// Keeps a state in the files of a [`super::KeyDirectory`], under its lock.
pub struct FileStore<F: FileSystem = Posix> {
    pub(super) directory: Directory<F>,
    lock: Lock<F>,
    keys: MacKeys,
    identity: Identity,
    state: State,
    /// The file `state`, as this handle read or wrote it; `None` before that.
    file: Option<Facts>,
    evidence: Evidence,
    place: Place,
    log: Log<F>,
    witness: Option<Witness<F>>,
    /// The passphrase of the file `key`.
    pub(super) passphrase: Option<Passphrase>,
    handle: Handle,
}

impl<F: FileSystem> fmt::Debug for FileStore<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").field("state", &self.state).finish_non_exhaustive()
    }
}

impl<F: FileSystem> FileStore<F> {
    /// Writes the first state of a new key, whose other files exist, except `key`.
    pub(super) fn create(
        place: &KeyDirectory<F>,
        directory: Directory<F>,
        lock: Lock<F>,
        key: &KeyFile,
    ) -> Result<Self, Error> {
        let (keys, identity) = (key.mac_keys(), key.identity());
        let passphrase = place.passphrase.clone();
        let evidence = evidence(place, &directory, &lock.facts, place.witness.is_some())?;
        let mut state = State::new(identity.key_id, key.range.start);
        if key.range.is_empty() {
            state.status = Status::Exhausted;
        }
        let record = Record { purpose: Purpose::Create, first: key.range.start, count: 0, digest: [0; 32] };
        let first = (state.generation, &record, Stamp::default());
        let log = Log::create(&directory, &keys, &identity, first)?;
        let mut witness = Witness::open(&place.file_system, place.witness.as_ref(), &keys, &identity)?;
        if let Some(new) = &mut witness {
            if let Some((witness, witnessed)) = new.recorded().filter(|(_, seen)| *seen > state.generation) {
                let state = state.generation;
                return Err(Error::RolledBack { state, witness, witnessed });
            }
            new.store(&keys, &identity, &state)?;
        }
        let (file, handle) = (None, Handle::Usable);
        let place = Place::of(&directory, &lock.facts)?;
        let mut store = Self {
            directory,
            lock,
            keys,
            identity,
            state,
            file,
            evidence,
            place,
            log,
            witness,
            passphrase,
            handle,
        };
        let state = store.state.clone();
        store.replace_state(&state).map_err(|(_, error)| error)?;
        Ok(store)
    }

    /// Reads the state of an existing key.
    pub(super) fn open(
        place: &KeyDirectory<F>,
        directory: Directory<F>,
        lock: Lock<F>,
        key: &KeyFile,
    ) -> Result<Self, Error> {
        let (keys, identity) = (key.mac_keys(), key.identity());
        let passphrase = place.passphrase.clone();
        let witness = Witness::open(&place.file_system, place.witness.as_ref(), &keys, &identity)?;
        let seen = witness.as_ref().and_then(Witness::recorded);
        let is_witnessed = seen.is_some();
        let reading = Reading { directory: &directory, keys: &keys, key };
        let (found, log) = reading.found(&lock.facts, seen, Open::Append)?;
        found.check()?;
        witness.as_ref().map_or(Ok(()), |witness| witness.check(&found.state))?;
        if found.needs_witness && !is_witnessed {
            return Err(Error::NoEvidence(place.path.clone()));
        }
        let evidence = evidence(place, &directory, &lock.facts, is_witnessed)?;
        let (state, file) = (found.state, Some(found.file));
        if state.status == Status::Poisoned {
            return Err(Error::PoisonedKey);
        }
        let handle = Handle::Usable;
        let (log, is_old) = match log {
            LogFile::Present(log) => (log, found.is_old),
            LogFile::Old(old) => {
                (begin_upgrade(&directory, (&keys, &identity), (&state, &found.file), &old)?, true)
            }
        };
        let place = Place::of(&directory, &lock.facts)?;
        let mut store = Self {
            directory,
            lock,
            keys,
            identity,
            state,
            file,
            evidence,
            place,
            log,
            witness,
            passphrase,
            handle,
        };
        if is_old {
            store.finish_upgrade()?;
        }
        store.finish_interrupted()?;
        Ok(store)
    }

    /// Replaces a state of version 1, whose log is new already: see `old_format.rs`.
    fn finish_upgrade(&mut self) -> Result<(), Error> {
        if !self.lock.is_marked() {
            self.lock.mark(&self.directory)?;
            self.place = Place::of(&self.directory, &self.lock.facts)?;
        }
        let new = self.state.successor(self.state.next, self.state.status);
        self.replace_state(&new).map_err(|(_, error)| error)?;
        self.state = new;
        Ok(())
    }

    /// Adds a record of the opening, so that the last record of the log is on the disk.
    ///
    /// After a crash between the state and the log or the witness, also adds the missing data: the indices
    /// are below `next`, and stay burned.
    fn finish_interrupted(&mut self) -> Result<(), Error> {
        let (generation, next) = (self.state.generation, self.state.next);
        let record = if self.log.last.logged.generation < generation {
            // After a crash before the directory was synced, the content of `state` may be only in memory.
            self.directory.sync()?;
            let first = self.log.last.logged.end().min(next);
            Record { purpose: Purpose::Recover, first, count: next - first, digest: [0; 32] }
        } else {
            Record { purpose: Purpose::Open, first: next, count: 0, digest: [0; 32] }
        };
        self.add_record(generation, &record)?;
        if let Some(witness) = &mut self.witness
            && witness.recorded().is_none_or(|(_, seen)| seen < generation)
        {
            witness.store(&self.keys, &self.identity, &self.state)?;
        }
        Ok(())
    }

    /// Takes a key whose directory was moved, or whose state is not the newest: see [`KeyDirectory::adopt`].
    pub(super) fn adopt(
        place: &KeyDirectory<F>,
        directory: Directory<F>,
        mut lock: Lock<F>,
        key: &KeyFile,
        at_least: u64,
    ) -> Result<Self, Error> {
        let (keys, identity) = (key.mac_keys(), key.identity());
        let passphrase = place.passphrase.clone();
        let evidence = evidence(place, &directory, &lock.facts, place.witness.is_some())?;
        if !lock.is_marked() {
            lock.mark(&directory)?;
        }
        let reading = Reading { directory: &directory, keys: &keys, key };
        // With an index from the caller, one of the two may be lost.
        let state = match reading.state() {
            Err(error @ Error::Damaged { .. }) if at_least == 0 => return Err(error),
            Err(Error::Damaged { .. }) => State::new(identity.key_id, key.range.start),
            result => result?.0,
        };
        let (log, known) = Self::log_to_adopt(&reading, &state, at_least)?;
        let witness = Witness::open(&place.file_system, place.witness.as_ref(), &keys, &identity)?;
        let seen = witness.as_ref().and_then(Witness::recorded);
        let newest = state.generation.max(log.last.logged.generation);
        if let Some((witness, witnessed)) = &seen
            && *witnessed > newest
            && at_least <= known
        {
            let (witness, witnessed) = (witness.clone(), *witnessed);
            return Err(Error::RolledBack { state: newest, witness, witnessed });
        }
        // The witness's record counts, even if the caller gives a lower index.
        let witnessed = witness.as_ref().map_or(0, Witness::next);
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
        let (file, handle) = (None, Handle::Usable);
        let place = Place::of(&directory, &lock.facts)?;
        let mut store = Self {
            directory,
            lock,
            keys,
            identity,
            state,
            file,
            evidence,
            place,
            log,
            witness,
            passphrase,
            handle,
        };
        store.store(&new, &record).map_err(|(_, error)| error)?;
        Ok(store)
    }

    /// Returns the log of an adopted key, and the first index after those in state and log. A damaged log is
    /// replaced if the caller gives an index.
    fn log_to_adopt(reading: &Reading<'_, F>, state: &State, at_least: u64) -> Result<(Log<F>, u64), Error> {
        let Reading { directory, keys, key } = *reading;
        let identity = key.identity();
        let highest_end = || log::highest_end(directory, (keys, &identity));
        let (end, digest) = match reading.log(Open::Append) {
            Ok(LogFile::Present(log)) => return Ok((log, state.next.max(highest_end()?))),
            Ok(LogFile::Old(old)) => {
                keep_old_log(directory)?;
                (old.highest_end, old.digest)
            }
            // The readable part of it still counts.
            Err(Error::Damaged { .. }) if at_least > 0 => (highest_end().unwrap_or(0), [0; 32]),
            Err(error) => return Err(error),
        };
        let (first, known) = (key.range.start, state.next.max(end));
        let record = Record { purpose: Purpose::Recover, first, count: known.saturating_sub(first), digest };
        let first = (state.generation, &record, Stamp::default());
        Ok((Log::create(directory, keys, &identity, first)?, known))
    }

    /// Writes the file `key` of a part with these indices, which the next commit gives up.
    pub(super) fn part(&self, range: Range<u64>) -> Result<KeyFile, Error> {
        let key = read_key(&self.directory, self.passphrase.as_ref())?;
        let instance = instance_of(Some((&self.identity, self.state.generation)), &range);
        Ok(KeyFile { range, instance, ..key })
    }

    fn replace_state(&mut self, new: &State) -> Result<(), (Replaced, Error)> {
        let not_yet = |error| (Replaced::No, error);
        let log = self.log.stamp(&self.directory).map_err(not_yet)?;
        let has_old = self.file.is_some();
        let old =
            has_old.then(|| self.directory.open_file(NAME, Open::Append)).transpose().map_err(not_yet)?;
        let is_distinct =
            |new: &Facts| self.file.as_ref().is_none_or(|old| self.evidence.distinguishes(new, old));
        self.directory.replace_by(NAME, Open::New, is_distinct, |facts| {
            let binding = Binding::new(self.evidence, &self.place, facts, log);
            state_format::to_bytes(&self.keys, &self.identity, new, &binding)
        })?;
        let unknown = |error| (Replaced::Unknown, error);
        if let Some((old, _)) = &old {
            self.directory.empty_if_linked(NAME, old).map_err(unknown)?;
        }
        let facts = self.directory.facts_at(NAME).map_err(self.directory.failed("reading metadata of", NAME));
        self.file = Some(facts.map_err(unknown)?);
        Ok(())
    }

    fn add_record(&mut self, generation: u64, record: &Record) -> Result<(), Error> {
        let state = self.file.as_ref().map(Stamp::of).unwrap_or_default();
        self.log.append(&self.directory, (&self.keys, &self.identity), (generation, record, state))
    }

    /// Checks that `state` and `log` are the files that this handle read or wrote, without another name.
    ///
    /// Otherwise the old `state` would live on, and could be restored.
    fn check_files(&self) -> Result<(), Error> {
        let is_same = |name, inode, born: Option<u64>| match self.directory.facts_at(name) {
            Ok(here) => here.inode == inode && here.born == born && here.links == 1,
            Err(_) => false,
        };
        if let Some(Facts { inode, born, .. }) = self.file
            && !is_same(NAME, inode, born)
        {
            return Err(Error::Replaced { file: NAME });
        }
        let Facts { inode, born, .. } = self.log.facts;
        if is_same(log::NAME, inode, born) { Ok(()) } else { Err(Error::Replaced { file: log::NAME }) }
    }

    /// Performs all steps of a commit.
    fn store(&mut self, new: &State, record: &Record) -> Result<(), (Replaced, Error)> {
        self.check_files().map_err(|error| (Replaced::Unknown, error))?;
        self.log.make_room(&self.directory).map_err(|error| (Replaced::No, error))?;
        self.replace_state(new)?;
        let unknown = |error| (Replaced::Unknown, error);
        self.add_record(new.generation, record).map_err(unknown)?;
        if let Some(witness) = &mut self.witness {
            witness.store(&self.keys, &self.identity, new).map_err(unknown)?;
        }
        self.state = new.clone();
        Ok(())
    }
}

/// Keeps the log of version 1 under its other name.
fn keep_old_log<F: FileSystem>(directory: &Directory<F>) -> Result<(), Error> {
    if !directory.has(old_format::LOG)? {
        directory.rename(log::NAME, old_format::LOG)?;
        directory.sync()?;
    }
    Ok(())
}

/// Creates the log of an upgrade: see `old_format.rs`. Its first record has the indices of an interrupted
/// commit.
fn begin_upgrade<F: FileSystem>(
    directory: &Directory<F>,
    (keys, identity): (&MacKeys, &Identity),
    (state, file): (&State, &Facts),
    old: &OldLog,
) -> Result<Log<F>, Error> {
    keep_old_log(directory)?;
    let first = old.end.min(state.next);
    let record = Record { purpose: Purpose::Upgrade, first, count: state.next - first, digest: old.digest };
    Log::create(directory, keys, identity, (state.generation + 1, &record, Stamp::of(file)))
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
        if matches!(checked, Err(Error::Forked | Error::Replaced { .. })) {
            self.handle = Handle::Poisoned;
        }
        checked
    }
}
