//! `state` and `log` in the format of earlier versions, and their upgrade.
//!
//! ```text
//! bytes    field of `state`, version 1                bytes    field of `log`, version 1
//! …        up to the status as today                  …        the head as today
//! 32       SHA-256 of the machine's identity                   then for each commit, and each opening
//! 8        device of the file `lock`                  8        generation
//! 2 × 8    the file `lock`: inode, and birth time     8        first index
//!          or else change time                        8        count
//! 2 × 8    this file: inode, and birth time or zero   8        purpose
//! 32       HMAC                                       32       SHA-256 of the message
//!                                                     32       HMAC of key-id, instance and the record
//! ```
//!
//! On a file system without birth times, this binding does not distinguish every copy of the files from them.
//! So a state of version 1 is accepted only once:
//!
//! ```text
//! log → log-1 → a new log, whose record names the digest of log-1 → a mark in lock → state, version 2
//! ```
//!
//! Once the mark is set, no state of version 1 is accepted. The mark changes the change time of `lock`.
//! Without birth times the binding of such a state contains that time, so removing the mark does not help.
//! The device number is ignored.

use alloc::string::String;
use alloc::vec;

use hashlanes_sha::Sha256;

use crate::store::fields::{MAC_BYTES, MacKeys, Reader, is_mac};
use crate::store::file_identity::machine;
use crate::store::file_system::{Facts, FileSystem, Open};
use crate::store::key_format::Identity;
use crate::store::log::{self, HEAD_BYTES};
use crate::store::open_directory::Directory;
use crate::store::state_format;
use crate::store::{Error, State};

pub(super) const VERSION: u32 = 1;
/// The log of version 1, after the upgrade.
pub(super) const LOG: &str = "log-1";
const RECORD_BYTES: usize = 4 * 8 + 32 + MAC_BYTES;

/// The place where a state of version 1 was written.
pub(super) struct OldBinding {
    machine: [u8; 32],
    lock: [u64; 2],
    state: [u64; 2],
}

impl OldBinding {
    /// Returns the difference from the present place.
    pub(super) fn difference(
        &self,
        file_system: &impl FileSystem,
        lock: &Facts,
        state: &Facts,
    ) -> Option<&'static str> {
        if self.machine != machine(file_system) {
            Some("the machine")
        } else if self.lock != [lock.inode, lock.born.unwrap_or(lock.changed)] {
            Some("the file lock")
        } else if self.state != [state.inode, state.born.unwrap_or(0)] {
            Some("the file state")
        } else {
            None
        }
    }
}

/// Reads a state of version 1.
pub(super) fn state(
    keys: &MacKeys,
    identity: &Identity,
    file: String,
    bytes: &[u8],
) -> Result<(State, OldBinding), Error> {
    let mut reader = Reader::new(file, bytes, state_format::MAGIC, VERSION)?;
    let state = state_format::read_state(&mut reader, identity)?;
    let machine = reader.array()?;
    let _device = reader.number()?;
    let binding = OldBinding {
        machine,
        lock: [reader.number()?, reader.number()?],
        state: [reader.number()?, reader.number()?],
    };
    reader.finish(&keys.state)?;
    Ok((state, binding))
}

/// The relevant content of a log of version 1.
#[derive(Debug)]
pub(super) struct OldLog {
    /// The generation of its last record.
    pub(super) generation: u64,
    /// The first index after those of its last record.
    pub(super) end: u64,
    /// The first index after those of all records.
    pub(super) highest_end: u64,
    /// SHA-256 of the whole file.
    pub(super) digest: [u8; 32],
}

impl OldLog {
    /// Reads `log-1`, or `log` if the upgrade has not begun.
    pub(super) fn read<F: FileSystem>(
        directory: &Directory<F>,
        (keys, identity): (&MacKeys, &Identity),
    ) -> Result<Self, Error> {
        let name = if directory.has(LOG)? { LOG } else { log::NAME };
        let (file, facts) = directory.open_file(name, Open::Read)?;
        let reader = log::read_head(directory, &file, identity, VERSION)?;
        let failed = || directory.failed("reading", name);
        let mut head = [0; HEAD_BYTES];
        directory.read_at(&file, &mut head, 0).map_err(failed())?;
        let mut hasher = Sha256::new();
        hasher.update(head);
        let (mut last, mut highest_end) = (None, 0);
        let mut at = HEAD_BYTES as u64;
        let mut buffer = vec![0; RECORD_BYTES];
        while at < facts.length {
            let n = directory.read_at(&file, &mut buffer, at).map_err(failed())?;
            hasher.update(&buffer[..n]);
            if n < RECORD_BYTES {
                break;
            }
            last = record(keys, identity, &buffer);
            highest_end = highest_end.max(last.map_or(0, |(_, end)| end));
            at += n as u64;
        }
        let is_empty = at == HEAD_BYTES as u64;
        let why = if is_empty { "is truncated" } else { "was changed: its last record's code is wrong" };
        let (generation, end) = last.ok_or_else(|| reader.damaged(why))?;
        Ok(Self { generation, end, highest_end, digest: hasher.finish() })
    }
}

/// Returns the generation and the end of a record; `None` if its code is wrong.
fn record(keys: &MacKeys, identity: &Identity, bytes: &[u8]) -> Option<(u64, u64)> {
    let (fields, mac) = bytes.split_at(RECORD_BYTES - MAC_BYTES);
    if !is_mac(&keys.log, &[&identity.key_id, &identity.instance, fields], mac) {
        return None;
    }
    let number = |at: usize| u64::from_be_bytes(*fields[8 * at..].first_chunk().expect("8 bytes"));
    Some((number(0), number(1).checked_add(number(2))?))
}
