//! A file to hash: where it is, how it is opened, where it ends.
//!
//! A small file costs four calls: open, a read that takes it whole, a read that finds its end, close.
//! The second read is not to be saved: a short read is also what a failing disk gives before its
//! error, and what pipes and the files of /proc give all the time, and a wrong digest is worse than a tenth
//! of a microsecond (3 % of a 4 KiB file). `fstat` is saved: nobody needs the size.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::directory::Directory;
use super::identity::Identity;

/// Where a file is.
pub(crate) struct File {
    /// The name in results and messages; for all but standard input also the path.
    pub(crate) name: Vec<u8>,
    pub(crate) origin: Origin,
}

/// How the file was come by, and so how it is opened.
pub(crate) enum Origin {
    /// Standard input, the how-manieth time (see `hashing/awaited.rs`).
    StandardInput(u64),
    /// Named by the user: links are followed, and whatever it is, it is read to its end.
    Named,
    /// The same, and known to be what may keep a reader waiting.
    Awaited(Identity),
    /// Found as a regular file in a directory, under the last part of its name.
    Found(Arc<Directory>),
    /// Found as a link to a regular file in a directory, and followed.
    Linked(Arc<Directory>),
    /// Found as a named pipe or device in a directory, itself or behind a link, and asked for.
    Special(Arc<Directory>, Identity),
}

impl File {
    /// Which file it is, if it may keep a reader waiting and that is known.
    pub(crate) fn awaited(&self) -> Option<Identity> {
        match &self.origin {
            // Closed, it is none, and no other.
            Origin::StandardInput(_) => Some(
                rustix::fs::fstat(rustix::stdio::stdin())
                    .as_ref()
                    .map_or_else(|_| Identity { device: 0, inode: 0 }, Identity::of),
            ),
            Origin::Awaited(identity) | Origin::Special(_, identity) => Some(*identity),
            Origin::Named | Origin::Found(_) | Origin::Linked(_) => None,
        }
    }

    /// Opens the file; not for standard input.
    ///
    /// What was found is opened such that nothing else that took its place meanwhile is: no link is
    /// followed but one that was, no pipe waited for.
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
            match rustix::fs::openat(at, path, flags, Mode::empty()) {
                Err(Errno::INTR) => {}
                other => return other,
            }
        }
    }

    /// Its length, if it is a regular file that can be seen.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        let stat = match &self.origin {
            Origin::StandardInput(_) => rustix::fs::fstat(rustix::stdio::stdin()),
            Origin::Found(directory) if directory.fd().is_some() => {
                let name = &self.name[directory.prefix().len()..];
                rustix::fs::statat(directory.fd()?, name, AtFlags::SYMLINK_NOFOLLOW)
            }
            _ => rustix::fs::statat(CWD, &self.name[..], AtFlags::empty()),
        };
        let stat = stat.ok()?;
        (FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile).then_some(stat.st_size as u64)
    }

    /// Reads until `buffer` is full or the file ends. The bytes read, and whether the end was seen.
    pub(crate) fn read_start(&self, fd: &OwnedFd, buffer: &mut [u8]) -> Result<(usize, End), Errno> {
        let mut filled = 0;
        while filled < buffer.len() {
            let n = read(fd.as_fd(), &mut buffer[filled..])?;
            if n == 0 {
                if filled == 0 {
                    self.check_still_regular(fd)?;
                }
                return Ok((filled, End::Seen));
            }
            filled += n;
        }
        Ok((filled, End::NotSeen))
    }

    /// A pipe or socket that took a found file's place reads as empty: tell it from an empty file.
    fn check_still_regular(&self, fd: &OwnedFd) -> Result<(), Errno> {
        if let Origin::Found(_) | Origin::Linked(_) = self.origin {
            let kind = FileType::from_raw_mode(rustix::fs::fstat(fd)?.st_mode);
            if kind != FileType::RegularFile {
                return Err(Errno::NOENT); // the file that was found is gone
            }
        }
        Ok(())
    }
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
        match rustix::io::read(fd, &mut *buffer) {
            Err(Errno::INTR) => {}
            other => return other,
        }
    }
}
