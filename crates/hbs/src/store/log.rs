//! The file `log`: a record for each commit, for audits, and as a witness against a state that was put back.
//!
//! ```text
//! bytes    field
//! 16       "hashlanes log" and zeros
//! 4        version, 1
//! 32       key-id
//! 16       instance
//! then for each commit, and each opening
//! 8        generation
//! 8        first index
//! 8        count
//! 8        purpose: 1 create, 2 sign, 3 split, 4 advance, 5 adopt, 6 recover, 7 poison, 8 open
//! 32       SHA-256 of the message; see `Record::digest`
//! 32       HMAC of key-id, instance and the record
//! ```
//!
//! A record that is not whole at the end is one that a crash cut off. Opening the key adds a record, too: after an fsync that
//! failed, the record that was to be stored can be read as if it were there, and be gone with the power; so the last one that counts
//! is always one that was synced by whoever goes on.

use alloc::vec::Vec;

use crate::store::directory::Directory;
use crate::store::fields::{MAC_BYTES, MacKeys, Reader, is_mac};
use crate::store::file_system::{FileSystem, Open};
use crate::store::key_file::Identity;
use crate::store::{Error, Purpose, Record};

pub(super) const NAME: &str = "log";
const MAGIC: &[u8; 16] = b"hashlanes log\0\0\0";
const HEAD_BYTES: usize = 16 + 4 + 32 + 16;
const RECORD_BYTES: usize = 4 * 8 + 32 + MAC_BYTES;

/// The log, open at its end.
#[derive(Debug)]
pub(super) struct Log<F: FileSystem> {
    file: F::File,
    /// Its last record.
    pub(super) generation: u64,
    /// The first index behind those that its last record has.
    pub(super) end: u64,
    /// In bytes.
    length: u64,
}

/// What is read of a record.
struct Entry {
    generation: u64,
    /// The first index behind those that it has.
    end: u64,
}

impl<F: FileSystem> Log<F> {
    /// A new one, with a first record. An older one is replaced.
    pub(super) fn create(
        directory: &Directory<F>,
        keys: &MacKeys,
        identity: &Identity,
        (generation, record): (u64, &Record),
    ) -> Result<Self, Error> {
        let head = [&MAGIC[..], &1_u32.to_be_bytes(), &identity.key_id, &identity.instance].concat();
        let bytes = [head, to_bytes(keys, identity, generation, record)].concat();
        directory.replace(NAME, &bytes, Open::New).map_err(|(_, error)| error)?;
        Self::open(directory, keys, identity, Open::Append)
    }

    /// Looks at its head and its last record.
    pub(super) fn open(
        directory: &Directory<F>,
        keys: &MacKeys,
        identity: &Identity,
        how: Open,
    ) -> Result<Self, Error> {
        let (file, facts) = directory.open_file(NAME, how)?;
        let mut head = [0; HEAD_BYTES];
        let n = directory.read_at(&file, &mut head, 0).map_err(directory.failed("reading", NAME))?;
        let mut reader = Reader::new(directory.path_of(NAME), &head[..n], MAGIC)?;
        if (Identity { key_id: reader.array()?, instance: reader.array()? }) != *identity {
            return Err(reader.other_key());
        }
        let n_records = (facts.length - HEAD_BYTES as u64) / RECORD_BYTES as u64;
        if n_records == 0 {
            return Err(reader.damaged("is truncated"));
        }
        let length = HEAD_BYTES as u64 + n_records * RECORD_BYTES as u64;
        let last = n_records - 1;
        let last = Self::read(directory, &file, (keys, identity), last)?;
        let last = last.ok_or_else(|| reader.damaged("was changed: its last record's code is wrong"))?;
        let log = Self { file, generation: last.generation, end: last.end, length };
        if how == Open::Append && facts.length > length {
            let cut = directory.file_system.truncate(&log.file, length);
            cut.map_err(directory.failed("truncating", NAME))?;
        }
        Ok(log)
    }

    /// Reads a record; `None` if its code is wrong.
    fn read(
        directory: &Directory<F>,
        file: &F::File,
        (keys, identity): (&MacKeys, &Identity),
        number: u64,
    ) -> Result<Option<Entry>, Error> {
        let mut record = [0; RECORD_BYTES];
        let at = HEAD_BYTES as u64 + number * RECORD_BYTES as u64;
        let n = directory.read_at(file, &mut record, at).map_err(directory.failed("reading", NAME))?;
        let (fields, mac) = record.split_at(RECORD_BYTES - MAC_BYTES);
        let is_whole = n == RECORD_BYTES;
        if !is_whole || !is_mac(&keys.log, &[&identity.key_id, &identity.instance, fields], mac) {
            return Ok(None);
        }
        let number = |at: usize| u64::from_be_bytes(*fields[8 * at..].first_chunk().expect("8 bytes"));
        Ok(number(1).checked_add(number(2)).map(|end| Entry { generation: number(0), end }))
    }

    /// The first index behind those of all records: also if another process, which did not see that its lock was gone, wrote
    /// the last one.
    pub(super) fn highest_end(
        &self,
        directory: &Directory<F>,
        (keys, identity): (&MacKeys, &Identity),
    ) -> Result<u64, Error> {
        let mut highest = self.end;
        for number in 0..(self.length - HEAD_BYTES as u64) / RECORD_BYTES as u64 {
            let entry = Self::read(directory, &self.file, (keys, identity), number)?;
            highest = highest.max(entry.map_or(0, |entry| entry.end));
        }
        Ok(highest)
    }

    /// Takes room for the next record, so that a full disk shows before the state is changed.
    pub(super) fn make_room(&self, directory: &Directory<F>) -> Result<(), Error> {
        let room = directory.file_system.allocate(&self.file, self.length, RECORD_BYTES as u64);
        room.map_err(directory.failed("making room in", NAME))
    }

    /// Adds a record: when it returns, it is there also after a loss of power.
    pub(super) fn append(
        &mut self,
        directory: &Directory<F>,
        (keys, identity): (&MacKeys, &Identity),
        generation: u64,
        record: &Record,
    ) -> Result<(), Error> {
        let bytes = to_bytes(keys, identity, generation, record);
        directory.write(&self.file, &bytes).map_err(directory.failed("writing", NAME))?;
        directory.file_system.sync(&self.file).map_err(directory.failed("syncing", NAME))?;
        self.length += bytes.len() as u64;
        (self.generation, self.end) = (generation, record.first + record.count);
        Ok(())
    }
}

fn to_bytes(keys: &MacKeys, identity: &Identity, generation: u64, record: &Record) -> Vec<u8> {
    let purpose: u64 = match record.purpose {
        Purpose::Create => 1,
        Purpose::Sign => 2,
        Purpose::Split => 3,
        Purpose::Advance => 4,
        Purpose::Adopt => 5,
        Purpose::Recover => 6,
        Purpose::Poison => 7,
        Purpose::Open => 8,
    };
    let numbers = [generation, record.first, record.count, purpose].map(u64::to_be_bytes).concat();
    let fields = [&numbers[..], &record.digest].concat();
    let mac = keys.log.mac(&[&identity.key_id[..], &identity.instance, &fields].concat());
    [&fields[..], &mac].concat()
}
