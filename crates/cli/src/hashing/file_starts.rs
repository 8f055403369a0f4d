//! The starts of files: opened and read until a buffer is full, with a mark for those that ended.
//!
//! ```text
//!   one by one   file after file: open, fstat, read, fstat, close
//!   in phases    open and fstat of all; one read of all, in the ring; fstat and close of all
//! ```
//!
//! Small files in memory are processed one by one: between two calls for a file the kernel's data for it stay
//! in the caches. In phases, even without a ring, a file's calls take 7 % longer. Files on storage are
//! processed in phases (`read_method.rs`).
//!
//! Phases must know the room for a file before it is read. A file that is not regular has no size, and
//! opening it may wait for a writer that waits until the previous file was read: so it is read separately,
//! before the next file is opened.

use std::ops::Range;
use std::time::Instant;

use super::Changes;
use super::Part;
use super::read_method::{Pace, Rings};
use crate::files::{Change, End, File, Filled, Origin, Stamp, fill};
use crate::platform::fd::{AsFd, OwnedFd};
use crate::platform::io::Errno;

/// The least room for a file: files of /proc report a size of 0, but have content.
const LEAST_ROOM: usize = 4096;

/// A file from the source, with its number there and the source's data for it.
pub(super) struct Taken<T> {
    pub(super) number: u64,
    pub(super) file: File,
    pub(super) tag: T,
}

/// The bytes read of a file.
pub(super) enum Start {
    /// All of it is at this place of the buffer.
    Whole {
        at: Range<usize>,
        change: Change,
    },
    /// More bytes follow this place.
    Begun {
        at: Range<usize>,
        fd: OwnedFd,
        stamp: Option<Stamp>,
    },
    Failed(Errno),
}

/// Reads starts of files. One of a worker.
pub(super) struct Starts {
    buffer: Vec<u8>,
    /// Bytes read of a file at most.
    read_bytes: usize,
    changes: Changes,
    pace: Pace,
}

/// Files in order, and the buffer with their data.
pub(super) type Take<'t, T> = &'t mut dyn FnMut(Vec<(Taken<T>, Start)>, &[u8]);

impl Starts {
    /// With a buffer of `n_starts` times `read_bytes`.
    pub(super) fn new(n_starts: usize, read_bytes: usize, changes: Changes) -> Starts {
        Starts { buffer: vec![0; n_starts * read_bytes], read_bytes, changes, pace: Pace::default() }
    }

    /// Reads the starts of all files.
    pub(super) fn read<T>(&mut self, files: Vec<Taken<T>>, rings: &mut Rings, take: Take<'_, T>) {
        if rings.serve(&self.pace) {
            self.read_in_phases(files, rings, take);
        } else {
            self.read_one_by_one(files, take);
        }
    }

    fn read_one_by_one<T>(&mut self, files: Vec<Taken<T>>, take: Take<'_, T>) {
        let (mut starts, mut used) = (Vec::with_capacity(files.len()), 0);
        let mut since = Instant::now();
        for taken in files {
            if self.buffer.len() - used < self.read_bytes {
                self.pace.took(since.elapsed(), starts.len(), used);
                take(std::mem::take(&mut starts), &self.buffer);
                (used, since) = (0, Instant::now());
            }
            let at = used..used + self.read_bytes;
            let start = match open(&taken.file, self.changes) {
                Err(error) => Start::Failed(error),
                Ok((fd, stamp)) => read_on(&mut self.buffer, at, 0, fd, stamp),
            };
            if let Start::Whole { at, .. } | Start::Begun { at, .. } = &start {
                used = start_after(at.end).min(self.buffer.len());
            }
            starts.push((taken, start));
        }
        self.pace.took(since.elapsed(), starts.len(), used);
        take(starts, &self.buffer);
    }

    fn read_in_phases<T>(&mut self, files: Vec<Taken<T>>, rings: &mut Rings, take: Take<'_, T>) {
        let (mut opened, mut used) = (Vec::with_capacity(files.len()), 0);
        for taken in files {
            let file = open(&taken.file, Changes::Watched);
            let room = match &file {
                Err(_) => 0,
                Ok((_, Some(stamp))) => self.room_for(stamp),
                Ok((_, None)) => self.read_bytes,
            };
            if self.buffer.len() - used < room {
                self.hand_over(&mut opened, rings, take);
                used = 0;
            }
            let at = used..used + room;
            used = start_after(at.end).min(self.buffer.len());
            let start = match file {
                Err(error) => Opened::Done(Start::Failed(error)),
                Ok((fd, Some(stamp))) => Opened::Regular(fd, stamp),
                Ok((fd, None)) => Opened::Done(read_on(&mut self.buffer, at.clone(), 0, fd, None)),
            };
            opened.push((taken, start, at));
        }
        self.hand_over(&mut opened, rings, take);
    }

    /// All of a regular file, and one byte more, to see whether it grew.
    fn room_for(&self, stamp: &Stamp) -> usize {
        let room = usize::try_from(stamp.n_bytes()).unwrap_or(usize::MAX).saturating_add(1);
        room.clamp(LEAST_ROOM.min(self.read_bytes), self.read_bytes)
    }

    /// Reads all that is opened, and hands the buffer over.
    fn hand_over<T>(
        &mut self,
        opened: &mut Vec<(Taken<T>, Opened, Range<usize>)>,
        rings: &mut Rings,
        take: Take<'_, T>,
    ) {
        let mut parts = Vec::with_capacity(opened.len());
        let (mut rest, mut rest_at) = (&mut self.buffer[..], 0);
        for (_, start, at) in opened.iter() {
            if let Opened::Regular(fd, _) = start {
                let (_, from_here) = rest.split_at_mut(at.start - rest_at);
                let (room, behind) = from_here.split_at_mut(at.len());
                (rest, rest_at) = (behind, at.end);
                parts.push(Part::new(fd.as_fd(), room));
            }
        }
        rings.read_many(&mut parts.iter_mut().collect::<Vec<_>>(), &mut self.pace);
        let mut read = parts.into_iter().map(|part| part.n_bytes).collect::<Vec<_>>().into_iter();
        let finish = |(taken, start, at)| match start {
            Opened::Done(start) => (taken, start),
            Opened::Regular(fd, stamp) => {
                (taken, read_on(&mut self.buffer, at, read.next().unwrap_or(0), fd, Some(stamp)))
            }
        };
        let starts = opened.drain(..).map(finish).collect();
        take(starts, &self.buffer);
    }
}

/// A file of a phase.
enum Opened {
    Regular(OwnedFd, Stamp),
    Done(Start),
}

/// Opens a file. Returns its stamp if changes are watched, or if it must still be the file that was found.
fn open(file: &File, changes: Changes) -> Result<(OwnedFd, Option<Stamp>), Errno> {
    let fd = file.open()?;
    let is_found = matches!(file.origin, Origin::Found(_));
    let stamp = if is_found || changes == Changes::Watched { file.stamp(&fd)? } else { None };
    Ok((fd, stamp))
}

/// Reads a file on, of which `n_bytes` are at the place `at` already.
fn read_on(buffer: &mut [u8], at: Range<usize>, n_bytes: usize, fd: OwnedFd, stamp: Option<Stamp>) -> Start {
    match fill(fd.as_fd(), &mut buffer[at.clone()], n_bytes, stamp.as_ref()) {
        Err(error) => Start::Failed(error),
        Ok(Filled { n_bytes, end, change }) => {
            let at = at.start..at.start + n_bytes;
            match end {
                End::Seen => Start::Whole { at, change },
                // A long file's stamp also shows that it is regular.
                End::NotSeen => {
                    Start::Begun { at, stamp: stamp.or_else(|| Stamp::of_regular(fd.as_fd())), fd }
                }
            }
        }
    }
}

/// Returns the offset at which the next file may begin. Whole cache lines, and never a multiple of 4 KiB
/// apart: lanes that read the same offsets of different pages compete for one set of the first-level cache.
fn start_after(end: usize) -> usize {
    end.next_multiple_of(64) + 64
}
