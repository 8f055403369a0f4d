//! The file `log`: a record for each commit, for audits, and as evidence against a restored state.
//!
//! ```text
//! bytes    field
//! 16       "hashlanes log" and zeros
//! 4        version, 2
//! 32       key-id
//! 16       instance
//! then for each commit, and each opening, a record:
//! 8        number, from 0 on
//! 8        generation
//! 8        first index
//! 8        count
//! 8        purpose: 1 create, 2 sign, 3 split, 4 advance, 5 adopt, 6 recover, 7 poison, 8 open, 9 upgrade
//! 8        time: nanoseconds since 1970
//! 32       SHA-256 of the message; see `Record::digest`
//! 2 × 8    the file `state` when the record was written: inode, change time; see `file_identity.rs`
//! 32       HMAC of the record before this one; zeros in the first record
//! 32       HMAC of key-id, instance and the fields of this record
//! ```
//!
//! The records form a chain. A change, a removal, an insertion or a move of a record breaks it; only the end
//! can be cut off, and `state` knows the generation of the last commit. Opening a key checks the last record
//! and its number, so a missing last record is detected; [`check`] checks all. A record whose fsync failed
//! can be missing later although later ones are there: the chain continues after such a gap, and the gap is
//! reported.
//!
//! An incomplete record at the end was cut off by a crash. Opening the key also adds a record: after a failed
//! fsync a record can be readable and still be lost with the power. So the last record that counts was always
//! synced by the process that continues.
//!
//! Version 1 is read by `old_format.rs`.

use alloc::vec::Vec;

use crate::store::fields::{MAC_BYTES, MacKeys, Reader, is_mac};
use crate::store::file_identity::Stamp;
use crate::store::file_system::{Facts, FileSystem, Open};
use crate::store::key_format::Identity;
use crate::store::open_directory::Directory;
use crate::store::{Error, Purpose, Record};

pub(super) const NAME: &str = "log";
pub(super) const MAGIC: &[u8; 16] = b"hashlanes log\0\0\0";
const VERSION: u32 = 2;
pub(super) const HEAD_BYTES: usize = 16 + 4 + 32 + 16;
const RECORD_BYTES: usize = 6 * 8 + 32 + 2 * 8 + 2 * MAC_BYTES;

/// A record of the log: the purpose, the indices and the time of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogRecord {
    /// Its number in the log, from 0 on.
    pub number: u64,
    /// The generation of the state that was committed.
    pub generation: u64,
    /// Purpose, indices, and the digest of the messages.
    pub record: Record,
    /// The time in nanoseconds since 1970, by the clock of the machine.
    pub time: u64,
}

impl LogRecord {
    /// Returns the first index after those of the record.
    pub(super) fn end(&self) -> u64 {
        self.record.first.saturating_add(self.record.count)
    }
}

/// A record with its metadata in the file.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) logged: LogRecord,
    pub(super) state: Stamp,
    previous: [u8; MAC_BYTES],
    mac: [u8; MAC_BYTES],
}

/// The log, open at its end.
#[derive(Debug)]
pub(super) struct Log<F: FileSystem> {
    file: F::File,
    pub(super) last: Entry,
    /// The length of all whole records in bytes.
    length: u64,
    /// The stamp when the log was opened, or after the last record was added.
    pub(super) facts: Facts,
}

impl<F: FileSystem> Log<F> {
    /// Creates a log with a first record. Replaces an older one.
    pub(super) fn create(
        directory: &Directory<F>,
        keys: &MacKeys,
        identity: &Identity,
        (generation, record, state): (u64, &Record, Stamp),
    ) -> Result<Self, Error> {
        let head = [&MAGIC[..], &VERSION.to_be_bytes(), &identity.key_id, &identity.instance].concat();
        let time = directory.file_system.now();
        let logged = LogRecord { number: 0, generation, record: *record, time };
        let first = Entry::new(keys, identity, logged, state, [0; MAC_BYTES]);
        let bytes = [head, first.to_bytes()].concat();
        directory.replace(NAME, &bytes, Open::New).map_err(|(_, error)| error)?;
        Self::open(directory, keys, identity, Open::Append)
    }

    /// Opens the log, and reads its header and its last record. [`Open::Append`] for `how` requires the lock,
    /// and cuts off an incomplete record.
    pub(super) fn open(
        directory: &Directory<F>,
        keys: &MacKeys,
        identity: &Identity,
        how: Open,
    ) -> Result<Self, Error> {
        let (file, facts) = directory.open_file(NAME, how)?;
        let reader = read_head(directory, &file, identity, VERSION)?;
        let n_records = n_records(&facts);
        let Some(last) = n_records.checked_sub(1) else { return Err(reader.damaged("is truncated")) };
        let last = read_entry(directory, &file, (keys, identity), last)?;
        let last = last.ok_or_else(|| {
            reader.damaged("was changed: its last record is not the one that was written there")
        })?;
        let length = HEAD_BYTES as u64 + n_records * RECORD_BYTES as u64;
        if how == Open::Append && facts.length > length {
            let cut = directory.file_system.truncate(&file, length);
            cut.map_err(directory.failed("truncating", NAME))?;
        }
        Ok(Self { file, last, length, facts })
    }

    /// Returns the present stamp of the file.
    pub(super) fn stamp(&self, directory: &Directory<F>) -> Result<Stamp, Error> {
        let facts =
            directory.file_system.facts(&self.file).map_err(directory.failed("reading metadata of", NAME))?;
        Ok(Stamp::of(&facts))
    }

    /// Reserves space for the next record, so that a full disk is detected before the state is changed.
    pub(super) fn make_room(&self, directory: &Directory<F>) -> Result<(), Error> {
        let room = directory.file_system.allocate(&self.file, self.length, RECORD_BYTES as u64);
        room.map_err(directory.failed("reserving space in", NAME))
    }

    /// Adds a record. When it returns, the record survives a loss of power.
    pub(super) fn append(
        &mut self,
        directory: &Directory<F>,
        (keys, identity): (&MacKeys, &Identity),
        (generation, record, state): (u64, &Record, Stamp),
    ) -> Result<(), Error> {
        let number = self.last.logged.number + 1;
        let logged = LogRecord { number, generation, record: *record, time: directory.file_system.now() };
        let entry = Entry::new(keys, identity, logged, state, self.last.mac);
        let bytes = entry.to_bytes();
        directory.write(&self.file, &bytes).map_err(directory.failed("writing", NAME))?;
        directory.file_system.sync(&self.file).map_err(directory.failed("syncing", NAME))?;
        self.length += bytes.len() as u64;
        self.last = entry;
        Ok(())
    }
}

/// Reads all records in their order: returns for each its number, and `None` for a record that is invalid.
pub(super) fn check<F: FileSystem>(
    directory: &Directory<F>,
    (keys, identity): (&MacKeys, &Identity),
    each: &mut dyn FnMut(u64, Option<&LogRecord>),
) -> Result<(), Error> {
    let (file, facts) = directory.open_file(NAME, Open::Read)?;
    read_head(directory, &file, identity, VERSION)?;
    let mut before: Option<Entry> = None;
    for number in 0..n_records(&facts) {
        let entry = read_entry(directory, &file, (keys, identity), number)?;
        // If two records do not follow each other, the later one counts.
        let entry = entry.filter(|entry| entry.can_follow(before.as_ref()));
        each(number, entry.as_ref().map(|entry| &entry.logged));
        before = entry;
    }
    Ok(())
}

/// Returns the first index after those of all records that were written with this key.
///
/// This includes broken chains: two processes wrote the log, or it was changed.
pub(super) fn highest_end<F: FileSystem>(
    directory: &Directory<F>,
    (keys, identity): (&MacKeys, &Identity),
) -> Result<u64, Error> {
    let (file, facts) = directory.open_file(NAME, Open::Read)?;
    read_head(directory, &file, identity, VERSION)?;
    let mut highest = 0;
    for number in 0..n_records(&facts) {
        let mut bytes = [0; RECORD_BYTES];
        let n = read_bytes(directory, &file, number, &mut bytes)?;
        let entry = if n == RECORD_BYTES { Entry::from_bytes(keys, identity, &bytes) } else { None };
        highest = highest.max(entry.map_or(0, |entry| entry.logged.end()));
    }
    Ok(highest)
}

/// Returns the number of whole records of a log.
fn n_records(facts: &Facts) -> u64 {
    facts.length.saturating_sub(HEAD_BYTES as u64) / RECORD_BYTES as u64
}

/// Reads the header, which must be of this key and version.
pub(super) fn read_head<F: FileSystem>(
    directory: &Directory<F>,
    file: &F::File,
    identity: &Identity,
    version: u32,
) -> Result<Reader<'static>, Error> {
    let mut head = [0; HEAD_BYTES];
    let n = directory.read_at(file, &mut head, 0).map_err(directory.failed("reading", NAME))?;
    let mut reader = Reader::new(directory.path_of(NAME), &head[..n], MAGIC, version)?;
    if (Identity { key_id: reader.array()?, instance: reader.array()? }) != *identity {
        return Err(reader.other_key());
    }
    Ok(reader.at_end())
}

fn read_bytes<F: FileSystem>(
    directory: &Directory<F>,
    file: &F::File,
    number: u64,
    to: &mut [u8; RECORD_BYTES],
) -> Result<usize, Error> {
    let at = HEAD_BYTES as u64 + number * RECORD_BYTES as u64;
    directory.read_at(file, to, at).map_err(directory.failed("reading", NAME))
}

/// Reads a record; `None` if it was not written there with this key.
fn read_entry<F: FileSystem>(
    directory: &Directory<F>,
    file: &F::File,
    (keys, identity): (&MacKeys, &Identity),
    number: u64,
) -> Result<Option<Entry>, Error> {
    let mut bytes = [0; RECORD_BYTES];
    if read_bytes(directory, file, number, &mut bytes)? < RECORD_BYTES {
        return Ok(None);
    }
    Ok(Entry::from_bytes(keys, identity, &bytes).filter(|entry| entry.logged.number == number))
}

const PURPOSES: [Purpose; 9] = [
    Purpose::Create,
    Purpose::Sign,
    Purpose::Split,
    Purpose::Advance,
    Purpose::Adopt,
    Purpose::Recover,
    Purpose::Poison,
    Purpose::Open,
    Purpose::Upgrade,
];

impl Entry {
    fn new(
        keys: &MacKeys,
        identity: &Identity,
        logged: LogRecord,
        state: Stamp,
        previous: [u8; MAC_BYTES],
    ) -> Self {
        let mut entry = Self { logged, state, previous, mac: [0; MAC_BYTES] };
        entry.mac = keys.log.mac(&[&identity.key_id[..], &identity.instance, &entry.fields()].concat());
        entry
    }

    /// Returns whether the record may come after `before`, or after a record that cannot be read.
    fn can_follow(&self, before: Option<&Self>) -> bool {
        let is_first = self.logged.number == 0;
        is_first == (self.previous == [0; MAC_BYTES])
            && before.is_none_or(|before| self.previous == before.mac)
    }

    fn fields(&self) -> Vec<u8> {
        let LogRecord { number, generation, record, time } = &self.logged;
        let purpose = PURPOSES.iter().position(|purpose| *purpose == record.purpose).expect("all are there");
        let numbers = [*number, *generation, record.first, record.count, purpose as u64 + 1, *time];
        let stamp = [self.state.inode, self.state.changed].map(u64::to_be_bytes).concat();
        [&numbers.map(u64::to_be_bytes).concat()[..], &record.digest, &stamp, &self.previous].concat()
    }

    fn to_bytes(&self) -> Vec<u8> {
        [&self.fields()[..], &self.mac].concat()
    }

    /// Returns `None` if its code is wrong.
    fn from_bytes(keys: &MacKeys, identity: &Identity, bytes: &[u8; RECORD_BYTES]) -> Option<Self> {
        let (fields, mac) = bytes.split_last_chunk::<MAC_BYTES>()?;
        if !is_mac(&keys.log, &[&identity.key_id, &identity.instance, fields], mac) {
            return None;
        }
        let (numbers, rest) = fields.split_first_chunk::<48>()?;
        let (digest, rest) = rest.split_first_chunk::<32>()?;
        let (stamp, previous) = rest.split_first_chunk::<16>()?;
        let number =
            |bytes: &[u8], at: usize| u64::from_be_bytes(*bytes[8 * at..].first_chunk().expect("8 bytes"));
        let purpose = *PURPOSES.get(number(numbers, 4).checked_sub(1)? as usize)?;
        let (first, count) = (number(numbers, 2), number(numbers, 3));
        first.checked_add(count)?;
        let record = Record { purpose, first, count, digest: *digest };
        let logged = LogRecord {
            number: number(numbers, 0),
            generation: number(numbers, 1),
            record,
            time: number(numbers, 5),
        };
        let state = Stamp { inode: number(stamp, 0), changed: number(stamp, 1) };
        Some(Self { logged, state, previous: *previous.first_chunk()?, mac: *mac })
    }
}
