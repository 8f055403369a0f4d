//! The destination of a file: a directory that is opened once, and a name in it.
//!
//! Every later call is relative to the open directory and follows no link, so another user who may write to
//! the directory cannot redirect it. The directory part of a path is resolved by the kernel when the
//! directory is opened. A link in the last part is followed only if it belongs to this user or to root.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::ffi::OsStrExt;
use crate::platform::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use crate::platform::io::{Errno, retry_on_intr};
use crate::platform::{self, AS_PATH};

/// Links that are followed one after another, as in Linux.
const MOST_LINKS: usize = 40;

/// An open directory.
#[derive(Clone, Debug)]
pub(crate) struct Directory(Arc<OwnedFd>);

impl Directory {
    /// Opens a directory.
    ///
    /// # Errors
    /// It cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::open_at(CWD, path)
    }

    /// Opens a directory in which many files are made: a link in the last part of the path is followed if it
    /// belongs to this user or to root.
    ///
    /// # Errors
    /// It cannot be opened, or such a link belongs to another user.
    pub(crate) fn following(path: &Path) -> io::Result<Self> {
        if path.file_name().is_none() {
            // `.`, `..`, `/`: no links.
            return Self::open(path);
        }
        let place = Place::following(path)?;
        Self::open_with(place.directory.as_fd(), Path::new(&place.name), OFlags::NOFOLLOW)
    }

    fn open_at(at: BorrowedFd<'_>, path: &Path) -> io::Result<Self> {
        Self::open_with(at, path, OFlags::empty())
    }

    fn open_with(at: BorrowedFd<'_>, path: &Path, more: OFlags) -> io::Result<Self> {
        let open = |how| {
            let flags = how | more | OFlags::DIRECTORY | OFlags::CLOEXEC;
            retry_on_intr(|| platform::fs::openat(at, path, flags, Mode::empty()))
        };
        let opened = match open(OFlags::RDONLY) {
            // Files can be made in a directory that cannot be listed.
            Err(Errno::ACCESS) => open(AS_PATH),
            opened => opened,
        };
        Ok(Self(Arc::new(opened?)))
    }

    /// Writes its names to the disk; `file` is one that has a name in it.
    ///
    /// # Errors
    /// The names may be lost with a loss of power.
    pub(crate) fn sync(&self, file: &File) -> io::Result<()> {
        match platform::fs::fsync(&*self.0) {
            // A directory that cannot be listed is open only as a path. Its whole file system is synced
            // instead.
            Err(Errno::BADF) => platform::sync_by(file, Errno::BADF),
            synced => Ok(synced?),
        }
    }
}

impl AsFd for Directory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// A name in an open directory.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(super) directory: Directory,
    pub(super) name: OsString,
}

/// Whether a file was there before it was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    New,
    Old,
}

impl Place {
    /// Returns the place that a path names. A link at the place is not followed.
    ///
    /// # Errors
    /// The directory cannot be opened, or the path names no file.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        Self::at(CWD, path)
    }

    /// Returns the place of a path whose [`directory_of`] is open already.
    ///
    /// # Errors
    /// The path names no file.
    pub(crate) fn within(directory: &Directory, path: &Path) -> io::Result<Self> {
        Ok(Self { directory: directory.clone(), name: name_of(path)?.to_owned() })
    }

    /// Returns the place that a path names or, if a link is there, the place that the link leads to.
    ///
    /// # Errors
    /// Like [`Place::of`]; also if a link belongs to a user other than this one and root.
    pub(crate) fn following(path: &Path) -> io::Result<Self> {
        let mut place = Self::of(path)?;
        for _ in 0..MOST_LINKS {
            match place.link()? {
                None => return Ok(place),
                Some(target) => place = Self::at(place.directory.as_fd(), Path::new(&target))?,
            }
        }
        Err(Errno::LOOP.into())
    }

    fn at(at: BorrowedFd<'_>, path: &Path) -> io::Result<Self> {
        let name = name_of(path)?.to_owned();
        Ok(Self { directory: Directory::open_at(at, directory_of(path))?, name })
    }

    /// Returns the target of the link here, if there is one.
    fn link(&self) -> io::Result<Option<OsString>> {
        let (stat, target) = match platform::entry(self.directory.as_fd(), &self.name) {
            Err(error) if Errno::from_io_error(&error) == Some(Errno::NOENT) => return Ok(None),
            entry => entry?,
        };
        if target.is_none() {
            return Ok(None);
        }
        let ours = [0, platform::process::geteuid().as_raw()];
        if !ours.contains(&stat.st_uid) {
            let words =
                format!("symbolic link of another user (uid {}); name its target instead", stat.st_uid);
            return Err(io::Error::other(words));
        }
        Ok(target)
    }

    /// Examines the entry at the place; a link is not followed.
    ///
    /// # Errors
    /// It cannot be looked at.
    pub(crate) fn look(&self) -> io::Result<Option<Stat>> {
        match platform::fs::statat(&self.directory, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => Ok(None),
            stat => Ok(Some(stat?)),
        }
    }

    /// Opens the regular file that is here to read and write it, or makes an empty one.
    ///
    /// # Errors
    /// It cannot be opened, or something other than a regular file is here.
    pub(crate) fn open_or_create(&self) -> io::Result<(File, Found)> {
        let open = |more| {
            let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY | more;
            let mode = Mode::from_raw_mode(0o666);
            retry_on_intr(|| platform::fs::openat(&self.directory, &self.name, flags, mode))
        };
        /// Another process may make and remove the file in turn.
        const TRIES: usize = 100;
        for _ in 0..TRIES {
            match open(OFlags::CREATE | OFlags::EXCL) {
                Ok(file) => return Ok((file.into(), Found::New)),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            match open(OFlags::NONBLOCK) {
                Err(Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
                Ok(file) => {
                    let stat = platform::fs::fstat(&file)?;
                    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
                        return Err(not_regular());
                    }
                    return Ok((file.into(), Found::Old));
                }
            }
        }
        Err(Errno::AGAIN.into())
    }
}

/// Opens the target of a path for writing, if it is a pipe or a device; `None` if it is a regular file or
/// missing.
///
/// # Errors
/// It is a directory, or cannot be opened.
pub(crate) fn stream(path: &Path) -> io::Result<Option<File>> {
    let is_regular = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    match platform::fs::stat(path) {
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
        Ok(stat) if is_regular(&stat) => return Ok(None),
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
            return Err(Errno::ISDIR.into());
        }
        Ok(_) => {}
    }
    let file = File::options().write(true).open(path)?;
    // A regular file may have taken its place meanwhile: it is not written in place.
    if is_regular(&platform::fs::fstat(&file)?) { Err(changed()) } else { Ok(Some(file)) }
}

/// Returns the directory in which the file of a path is.
pub(crate) fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the last part of a path, if that can be a file.
fn name_of(path: &Path) -> io::Result<&OsStr> {
    let bytes = path.as_os_str().as_bytes();
    if bytes.is_empty() {
        return Err(Errno::NOENT.into());
    }
    if bytes.ends_with(b"/") || bytes.ends_with(b"/.") {
        return Err(Errno::ISDIR.into());
    }
    path.file_name().ok_or_else(|| Errno::ISDIR.into())
}

fn not_regular() -> io::Error {
    io::Error::other("not a regular file")
}

/// Returns the error for a name that leads to another file than the one that was created.
pub(super) fn changed() -> io::Error {
    io::Error::other("another process changed this file meanwhile; it was not replaced")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_name_no_file() {
        for (path, error) in [
            ("", Errno::NOENT),
            (".", Errno::ISDIR),
            ("..", Errno::ISDIR),
            ("/", Errno::ISDIR),
            ("a/", Errno::ISDIR),
            ("a/.", Errno::ISDIR),
            ("a/..", Errno::ISDIR),
        ] {
            let refused = name_of(Path::new(path)).expect_err(path);
            assert_eq!(Errno::from_io_error(&refused), Some(error), "{path}");
        }
        for (path, directory, name) in
            [("a", ".", "a"), ("/a", "/", "a"), ("a/b", "a", "b"), ("a//b", "a", "b")]
        {
            let path = Path::new(path);
            assert_eq!(
                (directory_of(path), name_of(path).unwrap()),
                (Path::new(directory), OsStr::new(name))
            );
        }
    }
}
