//! A file to hash: where it is, how it is opened, where it ends, whether it changed meanwhile.
//!
//! A small file costs five calls: open, `fstat`, one read of the whole file, `fstat`, close. If the second
//! `fstat` finds the same size and times as the first, the file ends where the read ended, and nothing wrote
//! to it meanwhile.
//!
//! Unless both show the same end, a read must find the end of the file. A short read is not enough: a failing
//! disk returns one before its error, pipes and the files of /proc return them all the time, and a wrong
//! digest is worse than a tenth of a microsecond.
//!
//! Both `fstat` cost 0.23 µs more than the read that they save, 5 % of the whole cost of a file of 4 KiB (4.2
//! µs). A single `fstat` after the read, with the file's times compared to the clock before, would cost 2 %.
//! But it would have to trust that a file server's clock equals ours, and that a coarse clock orders a write
//! and the open. Only a queried time is exact: from Linux 6.13 on, a write after an `fstat` gets a time of
//! its own. Before, writes within one tick (1 to 4 ms) have the same time, and only the size shows them. Not
//! detected are writes through a mapping whose page was already dirty, and writes that a file server has not
//! reported yet.

use std::sync::Arc;

use super::directory::Directory;
use super::long_paths;

use crate::platform;
use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::fs::{AtFlags, CWD, FileType, OFlags, Stat};
use crate::platform::io::Errno;

/// The place of a file.
pub(crate) struct File {
    /// The name in results and messages; except for standard input also the path.
    pub(crate) name: Vec<u8>,
    pub(crate) origin: Origin,
}

/// The origin of the file, which decides how it is opened.
pub(crate) enum Origin {
    /// Standard input, the how-manieth time (see `hashing/waiting_files.rs`).
    StandardInput(u64),
    /// Named by the user: links are followed, and any type of file is read to its end.
    Named,
    /// A named file that may keep a reader waiting.
    Awaited(Identity),
    /// Found as a regular file in a directory, under the last part of its name.
    Found(Arc<Directory>),
    /// Found as a link to a regular file in a directory, and followed.
    Linked(Arc<Directory>),
    /// Found as a named pipe or device in a directory, directly or through a link, and requested.
    Special(Arc<Directory>, Identity),
}

impl File {
    /// The file's identity, if it is known and may keep a reader waiting.
    pub(crate) fn awaited(&self) -> Option<Identity> {
        match &self.origin {
            // A closed standard input has no identity, and equals no other file.
            Origin::StandardInput(_) => Some(
                platform::fs::fstat(platform::stdio::stdin())
                    .as_ref()
                    .map_or_else(|_| Identity { device: 0, inode: 0 }, Identity::of),
            ),
            Origin::Awaited(identity) | Origin::Special(_, identity) => Some(*identity),
            Origin::Named | Origin::Found(_) | Origin::Linked(_) => None,
        }
    }

    /// Returns the directory among the arguments in which the file was found.
    pub(crate) fn root(&self) -> Option<&[u8]> {
        match &self.origin {
            Origin::Found(directory) | Origin::Linked(directory) | Origin::Special(directory, _) => {
                Some(&self.name[..directory.argument_bytes()])
            }
            Origin::Named | Origin::Awaited(_) | Origin::StandardInput(_) => None,
        }
    }

    /// Opens the file; not for standard input.
    ///
    /// Opens a found file such that nothing that replaced it meanwhile is opened: only links that were found
    /// are followed, and pipes are not waited for.
    pub(crate) fn open(&self) -> Result<OwnedFd, Errno> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
        let (directory, flags) = match &self.origin {
            Origin::Found(directory) => (Some(directory), flags | OFlags::NOFOLLOW | OFlags::NONBLOCK),
            Origin::Linked(directory) => (Some(directory), flags | OFlags::NONBLOCK),
            Origin::Special(directory, _) => (Some(directory), flags),
            Origin::Named | Origin::Awaited(_) | Origin::StandardInput(_) => (None, flags),
        };
        let (at, path) = directory.map_or((CWD, &self.name[..]), |directory| directory.locate(&self.name));
        loop {
            match long_paths::open(at, path, flags) {
                Err(Errno::INTR) => {}
                other => return other,
            }
        }
    }

    /// Returns the length of a regular file; 0 for a file that cannot be examined; `None` for other files,
    /// whose length only reading shows.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        let Ok(stat) = self.stat() else { return Some(0) };
        (FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile).then_some(stat.st_size as u64)
    }

    /// Examines the file without opening it.
    pub(crate) fn stat(&self) -> Result<Stat, Errno> {
        match &self.origin {
            Origin::StandardInput(_) => platform::fs::fstat(platform::stdio::stdin()),
            Origin::Found(directory) => {
                let (at, name) = directory.locate(&self.name);
                long_paths::stat(at, name, AtFlags::SYMLINK_NOFOLLOW)
            }
            _ => long_paths::stat(CWD, &self.name, AtFlags::empty()),
        }
    }

    /// Returns the file's stamp; `None` if it is not a regular file: it has no size, and its times are
    /// meaningless.
    ///
    /// # Errors
    /// An entry that was a regular file when it was found, and is not any more, is an error, as if it were
    /// missing.
    pub(crate) fn stamp(&self, fd: &OwnedFd) -> Result<Option<Stamp>, Errno> {
        let (kind, stamp) = Stamp::of(fd.as_fd())?;
        match (kind, &self.origin) {
            (FileType::RegularFile, _) => Ok(Some(stamp)),
            (FileType::Directory, Origin::Found(_) | Origin::Linked(_)) => Err(Errno::ISDIR),
            (_, Origin::Found(_) | Origin::Linked(_)) => Err(Errno::NOENT),
            _ => Ok(None),
        }
    }
}

/// Data that changes when a regular file is written.
///
/// Includes the time of the status, because a writer can set the other time back. It also changes when the
/// file is renamed or its permissions change, so those count as changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    n_bytes: u64,
    /// Seconds and nanoseconds of the last write, and of the last change of the status.
    written: (i64, i64),
    status_changed: (i64, i64),
}

impl Stamp {
    fn of(fd: BorrowedFd<'_>) -> Result<(FileType, Stamp), Errno> {
        let stat = platform::fs::fstat(fd)?;
        let stamp = Stamp {
            n_bytes: stat.st_size as u64,
            written: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            status_changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        };
        Ok((FileType::from_raw_mode(stat.st_mode), stamp))
    }

    /// Returns the stamp of a file that may not be regular, or standard input: `None` then.
    pub(crate) fn of_regular(fd: BorrowedFd<'_>) -> Option<Stamp> {
        Stamp::of(fd).ok().filter(|(kind, _)| *kind == FileType::RegularFile).map(|(_, stamp)| stamp)
    }

    /// Returns the size; files of /proc, though regular, have 0, and those of /sys more than they hold.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Returns whether the file changed since. A file whose stamp is no longer available counts as unknown.
    pub(crate) fn change(&self, fd: BorrowedFd<'_>) -> Change {
        match Stamp::of(fd) {
            Ok((_, now)) if now == *self => Change::NotSeen,
            _ => Change::Seen,
        }
    }
}

/// Whether a file was seen to change while it was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    NotSeen,
    Seen,
}

/// The amount of a file that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Filled {
    pub(crate) n_bytes: usize,
    pub(crate) end: End,
    /// Reports files that ended.
    pub(crate) change: Change,
}

/// Continues to read after the `n_bytes` in `room`, until `room` is full or the file ends. `before` is the
/// stamp of a regular file from before its first byte was read.
pub(crate) fn fill(
    fd: BorrowedFd<'_>,
    room: &mut [u8],
    mut n_bytes: usize,
    before: Option<&Stamp>,
) -> Result<Filled, Errno> {
    while n_bytes < room.len() {
        // Not for empty files: those of /proc report that they are empty.
        if let Some(before) = before
            && n_bytes > 0
            && before.n_bytes == n_bytes as u64
            && before.change(fd) == Change::NotSeen
        {
            return Ok(Filled { n_bytes, end: End::Seen, change: Change::NotSeen });
        }
        let n = read(fd, &mut room[n_bytes..])?;
        if n == 0 {
            let change = before.map_or(Change::NotSeen, |before| before.change(fd));
            return Ok(Filled { n_bytes, end: End::Seen, change });
        }
        n_bytes += n;
    }
    Ok(Filled { n_bytes, end: End::NotSeen, change: Change::NotSeen })
}

/// Whether a reader came to the end of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Seen,
    NotSeen,
}

/// One `read`, begun again when a signal interrupts it.
pub(crate) fn read(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize, Errno> {
    loop {
        match platform::io::read(fd, &mut *buffer) {
            Err(Errno::INTR) => {}
            other => return other,
        }
    }
}

/// Identifies a file while it exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) inode: u64,
}

impl Identity {
    pub(crate) fn of(stat: &Stat) -> Identity {
        #[allow(clippy::unnecessary_cast)] // On other systems than Linux they have other types.
        Identity { device: stat.st_dev as u64, inode: stat.st_ino as u64 }
    }

    /// Returns the identity of the file that standard output goes to, if it is a regular file.
    pub(crate) fn of_output() -> Option<Identity> {
        let stat = platform::fs::fstat(platform::stdio::stdout()).ok()?;
        (FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile).then(|| Identity::of(&stat))
    }
}
