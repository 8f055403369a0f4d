//! Open files. An open directory is its path: there is no way to name a file relative to an open directory.

use std::fs::File;
use std::path::{Path, PathBuf};

use winapi_util::HandleRef;

use super::errno::{Errno, Result, errno};

#[derive(Debug)]
pub(crate) enum OwnedFd {
    File(File),
    Directory(PathBuf),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum BorrowedFd<'f> {
    File(&'f File),
    Directory(&'f Path),
    WorkingDirectory,
    Standard(Stream),
}

/// A stream that the program begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stream {
    Input,
    Output,
    Errors,
}

impl BorrowedFd<'_> {
    /// Calls a function with the file.
    pub(super) fn with_file<R>(self, call: impl FnOnce(&File) -> std::io::Result<R>) -> Result<R> {
        match self {
            Self::File(file) => call(file).map_err(errno),
            Self::Directory(_) | Self::WorkingDirectory => Err(Errno::ISDIR),
            Self::Standard(stream) => {
                let handle = match stream {
                    Stream::Input => HandleRef::stdin(),
                    Stream::Output => HandleRef::stdout(),
                    Stream::Errors => HandleRef::stderr(),
                };
                call(handle.as_file()).map_err(errno)
            }
        }
    }

    pub(crate) fn try_clone_to_owned(self) -> std::io::Result<OwnedFd> {
        match self {
            Self::Directory(path) => Ok(OwnedFd::Directory(path.to_owned())),
            fd => Ok(OwnedFd::File(fd.with_file(File::try_clone)?)),
        }
    }
}

pub(crate) trait AsFd {
    fn as_fd(&self) -> BorrowedFd<'_>;
}

impl AsFd for OwnedFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::File(file) => BorrowedFd::File(file),
            Self::Directory(path) => BorrowedFd::Directory(path),
        }
    }
}

impl AsFd for BorrowedFd<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        *self
    }
}

impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        BorrowedFd::File(self)
    }
}

impl<F: AsFd> AsFd for &F {
    fn as_fd(&self) -> BorrowedFd<'_> {
        F::as_fd(self)
    }
}

/// Only files are opened to be one.
impl From<OwnedFd> for File {
    fn from(fd: OwnedFd) -> File {
        match fd {
            OwnedFd::File(file) => file,
            OwnedFd::Directory(path) => unreachable!("{} is a directory", path.display()),
        }
    }
}
