//! `--cache FILE`: results of files that were not changed since they were hashed.
//!
//! ```text
//!   hashlanes cache 1 sha256,sha1\n                                   magic, version, hashes
//!   device inode size mtime ctime | results | check                   a record for each file, all equally long
//!   …
//! ```
//!
//! A file is identified by device and inode; its results are valid while size, mtime and ctime do not change.
//! A write moves the ctime, and only the clock moves it back; but clocks tick. So a file that changed within
//! [`TICK`] of being examined is not remembered: it could change again without showing it.
//!
//! Records are appended under a lock, so several processes can use one cache; the last record of a file
//! counts. The check value of a record is the beginning of a hash of head and record. Damaged or incomplete
//! records are reported, never used, and dropped when the cache is rewritten.

use std::fs::File as StdFile;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use hashlanes::Sha256;

use crate::files::{Identity, long_paths};
use crate::new_file::{Existing, NewFile, Place};
use crate::platform;
use crate::platform::file::FileExt;
use crate::platform::fs::{AtFlags, CWD, FlockOperation};
use hashlanes_formats::hash::Hash;

const MAGIC: &str = "hashlanes cache 1 ";
/// Device, inode, size, and two times of 8 and 4 bytes.
const KEY_BYTES: usize = 3 * 8 + 2 * 12;
const CHECK_BYTES: usize = 8;
/// The coarsest clock of a file system that people use: FAT's.
const TICK: i64 = 2;
/// Records that are added together.
const BATCH: usize = 512;
/// A cache is rewritten if more than half of this many records were replaced by later ones.
const LEAST_TO_REWRITE: usize = 10_000;

/// Identifies a file, and shows whether it changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    device: u64,
    inode: u64,
    pub(super) n_bytes: u64,
    /// Seconds and nanoseconds.
    mtime: (i64, u32),
    ctime: (i64, u32),
}

impl Key {
    /// Returns the key of a regular file; `None` for others.
    #[allow(clippy::unnecessary_cast)] // On other systems than Linux they have other types.
    pub(super) fn of(name: &[u8]) -> Option<Key> {
        let stat = long_paths::stat(CWD, name, AtFlags::empty()).ok()?;
        let is_file =
            platform::fs::FileType::from_raw_mode(stat.st_mode) == platform::fs::FileType::RegularFile;
        let Identity { device, inode } = Identity::of(&stat);
        let mtime = (stat.st_mtime as i64, stat.st_mtime_nsec as u32);
        let ctime = (stat.st_ctime as i64, stat.st_ctime_nsec as u32);
        is_file.then_some(Key { device, inode, n_bytes: stat.st_size as u64, mtime, ctime })
    }

    /// Returns whether the file could be changed from now on without its times showing it.
    pub(super) fn is_fresh(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs() as i64);
        self.mtime.0.max(self.ctime.0) + TICK >= now
    }

    fn bytes(&self) -> [u8; KEY_BYTES] {
        let mut bytes = [0; KEY_BYTES];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&self.device.to_le_bytes());
        put(&self.inode.to_le_bytes());
        put(&self.n_bytes.to_le_bytes());
        for (seconds, nanoseconds) in [self.mtime, self.ctime] {
            put(&seconds.to_le_bytes());
            put(&nanoseconds.to_le_bytes());
        }
        bytes
    }
}

/// Returns the first bytes of a key, device and inode, as a number: files that share one are distinguished by
/// their records.
fn slot_of(key: &[u8]) -> u64 {
    let number = |at: usize| u64::from_le_bytes(key[at..at + 8].try_into().expect("8 bytes"));
    number(0).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number(8)
}

/// A cache on disk.
pub(super) struct Cache {
    place: Place,
    file: StdFile,
    head: Vec<u8>,
    result_bytes: usize,
    /// Slots and numbers of records, in order; of several with one slot the last one is the latest.
    index: Vec<(u64, u32)>,
    /// Records that are not written yet.
    waiting: Mutex<Vec<u8>>,
    n_records: usize,
    pub(super) n_damaged: usize,
}

/// Returns why a file is not a cache for these hashes.
pub(super) enum Trouble {
    Io(io::Error),
    /// The file is not a cache, and is kept.
    NotACache,
    /// It is of these hashes.
    OfOthers(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Io(error)
    }
}

impl Cache {
    /// Opens a cache of these hashes, or begins one.
    pub(super) fn open(path: &Path, hashes: &[Hash], result_bytes: usize) -> Result<Cache, Trouble> {
        let names: Vec<_> = hashes.iter().map(|hash| hash.name()).collect();
        let head = format!("{MAGIC}{}\n", names.join(",")).into_bytes();
        let place = Place::following(path)?;
        let (file, _) = place.open_or_create()?;
        platform::fs::flock(&file, FlockOperation::LockExclusive).map_err(io::Error::from)?;
        if file.metadata()?.len() == 0 {
            let begun = file.write_all_at(&head, 0);
            // Half a head would be no cache, and no empty file either.
            begun.or_else(|error| file.set_len(0).and(Err(error)))?;
        }
        let waiting = Mutex::new(Vec::new());
        let mut cache =
            Cache { place, file, head, result_bytes, index: Vec::new(), waiting, n_records: 0, n_damaged: 0 };
        let read = cache.read();
        platform::fs::flock(&cache.file, FlockOperation::Unlock).map_err(io::Error::from)?;
        read.map(|()| cache)
    }

    fn record_bytes(&self) -> usize {
        KEY_BYTES + self.result_bytes + CHECK_BYTES
    }

    fn check(&self, record: &[u8]) -> [u8; CHECK_BYTES] {
        let mut hasher = Sha256::new();
        hasher.update(&self.head);
        hasher.update(record);
        hasher.finish()[..CHECK_BYTES].try_into().expect("as many")
    }

    /// Returns the record, if it is whole and right.
    fn right<'r>(&self, record: &'r [u8]) -> Option<&'r [u8]> {
        let (record, check) = record.split_at_checked(KEY_BYTES + self.result_bytes)?;
        (check == self.check(record)).then_some(record)
    }

    /// Reads head and records, and remembers where each file's are.
    fn read(&mut self) -> Result<(), Trouble> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut input = BufReader::with_capacity(1 << 20, &self.file);
        let mut head = Vec::new();
        io::BufRead::read_until(&mut (&mut input).take(1000), b'\n', &mut head)?;
        if head != self.head {
            let others = head.strip_prefix(MAGIC.as_bytes()).and_then(|names| names.strip_suffix(b"\n"));
            return Err(others.map_or(Trouble::NotACache, |names| {
                Trouble::OfOthers(String::from_utf8_lossy(names).into_owned())
            }));
        }
        let mut record = vec![0; self.record_bytes()];
        let mut index = Vec::new();
        for number in 0.. {
            let n = read_whole(&mut input, &mut record)?;
            match self.right(&record[..n]) {
                Some(record) => index.push((slot_of(record), number)),
                None if n == 0 => break,
                None => self.n_damaged += 1,
            }
            self.n_records += 1;
        }
        index.sort_unstable();
        self.index = index;
        Ok(())
    }

    fn record(&self, number: u32) -> Option<Vec<u8>> {
        let mut record = vec![0; self.record_bytes()];
        let at = self.head.len() as u64 + u64::from(number) * self.record_bytes() as u64;
        self.file.read_exact_at(&mut record, at).ok()?;
        self.right(&record).map(<[u8]>::to_vec)
    }

    /// Returns the file that it is in.
    pub(super) fn file(&self) -> &StdFile {
        &self.file
    }

    /// Returns the results of a file that was not changed.
    pub(super) fn results(&self, key: &Key) -> Option<Vec<u8>> {
        let bytes = key.bytes();
        let slot = slot_of(&bytes);
        let end = self.index.partition_point(|(other, _)| *other <= slot);
        let numbers = self.index[..end].iter().rev().take_while(|(other, _)| *other == slot);
        // The latest record of this file, not of another one in its slot.
        let is_of_file = |record: &Vec<u8>| record[..16] == bytes[..16];
        let record = numbers.filter_map(|(_, number)| self.record(*number)).find(is_of_file)?;
        (record[..KEY_BYTES] == bytes).then(|| record[KEY_BYTES..].to_vec())
    }

    /// Stores the results of a file that still has the stamp `key`, and was not changed recently before it
    /// was read.
    pub(super) fn add(&self, key: &Key, results: &[u8]) -> io::Result<()> {
        let record = [&key.bytes()[..], results].concat();
        let check = self.check(&record);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend_from_slice(&record);
        waiting.extend_from_slice(&check);
        if waiting.len() >= BATCH * self.record_bytes() { self.write(&mut waiting) } else { Ok(()) }
    }

    /// Adds the records that wait. What another process was stopped at writing is cut off first.
    fn write(&self, waiting: &mut Vec<u8>) -> io::Result<()> {
        if waiting.is_empty() {
            return Ok(());
        }
        platform::fs::flock(&self.file, FlockOperation::LockExclusive)?;
        let head = self.head.len() as u64;
        let records = self.file.metadata()?.len().saturating_sub(head);
        let whole = head + records / self.record_bytes() as u64 * self.record_bytes() as u64;
        let result = self.file.write_all_at(waiting, whole);
        waiting.clear();
        platform::fs::flock(&self.file, FlockOperation::Unlock)?;
        result
    }

    /// Writes the pending entries; rewrites the whole file if much of it is damaged or old.
    pub(super) fn end(self) -> io::Result<()> {
        self.write(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))?;
        let n_files = self.index.chunk_by(|a, b| a.0 == b.0).count();
        if self.n_damaged == 0 && (self.n_records < LEAST_TO_REWRITE || self.n_records < 2 * n_files) {
            return Ok(());
        }
        self.rewrite()
    }

    /// A new file in the place of this one, with the latest record of each file. A process that has the old
    /// one open adds to that, and only has to hash those files again.
    fn rewrite(&self) -> io::Result<()> {
        platform::fs::flock(&self.file, FlockOperation::LockExclusive)?;
        let new = NewFile::create(self.place.clone(), Existing::Replaced)?;
        self.write_latest(new.file())?;
        new.finish().map(drop)
    }

    fn write_latest(&self, file: &StdFile) -> io::Result<()> {
        let mut out = io::BufWriter::new(file);
        out.write_all(&self.head)?;
        // Records that were added since are read too: the last record of each file counts.
        let mut all = self.index.clone();
        let n_now = (self.file.metadata()?.len() - self.head.len() as u64) / self.record_bytes() as u64;
        for number in self.n_records as u32..n_now as u32 {
            if let Some(record) = self.record(number) {
                all.push((slot_of(&record), number));
            }
        }
        all.sort_unstable();
        for of_slot in all.chunk_by(|a, b| a.0 == b.0) {
            let mut written: Vec<Vec<u8>> = Vec::new();
            for record in of_slot.iter().rev().filter_map(|(_, number)| self.record(*number)) {
                if written.iter().all(|other| other[..16] != record[..16]) {
                    out.write_all(&record)?;
                    out.write_all(&self.check(&record))?;
                    written.push(record);
                }
            }
        }
        out.flush()
    }
}

/// Reads until the buffer is full or the input ends.
fn read_whole(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
