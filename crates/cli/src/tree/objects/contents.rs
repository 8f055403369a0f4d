//! The contents of many files. Threads take the next group of files each. A thread reads the short files of
//! its group to memory, and hashes them in lanes; long ones are hashed alone.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::paths::{Node, below, system};
use crate::hashing::Counters;
use crate::platform;
use crate::tree::input::{Failure, Input};
use crate::tree::reading::Reading;

/// A format that names files, links and directories by a hash of their content.
pub(super) trait Format: Sync {
    /// The name of an entry, and what its directory records of it.
    type Id: Display + Send;

    /// Appends the bytes before the content of a file.
    fn head(&self, len_bytes: usize, bytes: &mut Vec<u8>);

    /// Names short files, each with its head. `SHORT` is the limit of their length.
    fn short(&self, files: &[&[u8]]) -> Vec<Self::Id>;

    /// Names a file of `n_bytes` bytes.
    fn long(&self, reading: &Reading<'_>, n_bytes: u64) -> Result<Self::Id, Failure>;

    fn link(&self, target: &[u8]) -> Self::Id;

    /// Names a directory, whose entries are in the order of the bytes of their names.
    fn directory(&self, entries: &[(&[u8], &Node, Self::Id)]) -> Result<Self::Id, Failure>;

    fn records_empty_directories(&self) -> bool;
}

/// Longer files are hashed alone. It is also the length of a chunk of UnixFS.
pub(super) const SHORT: usize = 256 << 10;

/// Files of a group.
const GROUP: usize = 64;

/// Names files, in order.
pub(super) fn ids<F: Format>(
    format: &F,
    files: &[Vec<u8>],
    jobs: usize,
    counters: &Counters,
) -> Result<Vec<F::Id>, Failure> {
    let groups: Vec<&[Vec<u8>]> = files.chunks(GROUP).collect();
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let done = Mutex::new(Vec::with_capacity(groups.len()));
    let one = || {
        while !is_over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(group) = groups.get(number) else { return };
            let ids = ids_of_group(format, group, counters);
            is_over.fetch_or(ids.is_err(), Ordering::Relaxed);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, ids));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(groups.len()) {
            // If a thread cannot be started, the work continues with fewer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, one);
        }
        one();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(number, _)| *number);
    let mut ids = Vec::with_capacity(files.len());
    for (_, of_group) in done {
        ids.extend(of_group?);
    }
    Ok(ids)
}

fn ids_of_group<F: Format>(
    format: &F,
    files: &[Vec<u8>],
    counters: &Counters,
) -> Result<Vec<F::Id>, Failure> {
    /// Bytes of short files in memory.
    const MOST: usize = 4 << 20;
    let mut ids: Vec<Option<F::Id>> = files.iter().map(|_| None).collect();
    // All heads and contents, one after the other, and where each begins.
    let (mut memory, mut places) = (Vec::new(), Vec::<(usize, std::ops::Range<usize>)>::new());
    let end = |memory: &mut Vec<u8>,
               places: &mut Vec<(usize, std::ops::Range<usize>)>,
               ids: &mut [Option<F::Id>]| {
        let messages: Vec<&[u8]> = places.iter().map(|(_, place)| &memory[place.clone()]).collect();
        for ((number, _), id) in places.iter().zip(format.short(&messages)) {
            ids[*number] = Some(id);
        }
        memory.clear();
        places.clear();
    };
    for (number, path) in files.iter().enumerate() {
        let start = memory.len();
        if read_short(format, path, &mut memory).map_err(|failure| below(path, &failure))? {
            counters.add(1, memory.len() - start);
            places.push((number, start..memory.len()));
        } else {
            memory.truncate(start);
            let input = Input::open(path);
            let id = input.and_then(|input| {
                let n_bytes = input.n_bytes().ok_or_else(|| Failure::message("not a regular file"))?;
                format.long(&Reading { input: &input, jobs: 1, counters }, n_bytes)
            });
            ids[number] = Some(id.map_err(|failure| below(path, &failure))?);
            counters.add(1, 0);
        }
        if memory.len() > MOST {
            end(&mut memory, &mut places, &mut ids);
        }
    }
    end(&mut memory, &mut places, &mut ids);
    Ok(ids.into_iter().map(|id| id.expect("each file has its own")).collect())
}

/// Appends the head and the content of a file, unless it is long.
fn read_short<F: Format>(format: &F, path: &[u8], memory: &mut Vec<u8>) -> Result<bool, Failure> {
    let mut file = File::open(&*platform::os_str(path)).map_err(system)?;
    let n_bytes = file.metadata().map_err(system)?.len();
    if n_bytes > SHORT as u64 {
        return Ok(false);
    }
    format.head(n_bytes as usize, memory);
    let start = memory.len();
    let most = SHORT as u64 + 1;
    let n_read = (&mut file).take(most).read_to_end(memory).map_err(system)?;
    if n_read as u64 != n_bytes {
        // The head has another length: a file of /proc, or one that changes.
        if n_read as u64 == most {
            return Ok(false);
        }
        let content = memory.split_off(start);
        memory.truncate(start - head_bytes(format, n_bytes));
        format.head(content.len(), memory);
        memory.extend_from_slice(&content);
    }
    Ok(true)
}

fn head_bytes<F: Format>(format: &F, n_bytes: u64) -> usize {
    let mut head = Vec::new();
    format.head(n_bytes as usize, &mut head);
    head.len()
}
