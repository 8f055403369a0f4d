//! Directories that files were found in, and how many of them stay open.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::fs::CWD;

/// A directory in which files were found.
pub(crate) struct Directory {
    /// The text before the names in it: the path and a slash.
    prefix: Vec<u8>,
    /// The bytes of the argument, with which the prefix begins.
    argument_bytes: usize,
    fd: Option<CountedFd>,
}

impl Directory {
    /// Names a directory, whose entries get the prefix `prefix`; it stays open if more entries may follow.
    /// The walk came to it from the argument that is the first `argument_bytes` of the prefix.
    pub(super) fn new(
        prefix: Vec<u8>,
        argument_bytes: usize,
        fd: OwnedFd,
        open: &Arc<OpenDirectories>,
    ) -> Directory {
        Directory { prefix, argument_bytes, fd: CountedFd::keep(fd, open) }
    }

    pub(crate) fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// Returns the bytes of the argument, with which the prefix begins.
    pub(crate) fn argument_bytes(&self) -> usize {
        self.argument_bytes
    }

    /// Returns the directory and the name for opening an entry whose path begins with the prefix: this one,
    /// if the directory is kept open, otherwise the working directory.
    pub(crate) fn locate<'p>(&'p self, path: &'p [u8]) -> (BorrowedFd<'p>, &'p [u8]) {
        match self.fd() {
            Some(fd) => (fd, &path[self.prefix.len()..]),
            None => (CWD, path),
        }
    }

    /// Returns the directory itself, if it is kept open.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.fd.as_ref().map(|counted| counted.fd.as_fd())
    }
}

/// The number of directories that are open for relative opening.
pub(super) struct OpenDirectories {
    now: AtomicUsize,
    most: usize,
}

impl OpenDirectories {
    pub(super) fn at_most(most: usize) -> Arc<OpenDirectories> {
        Arc::new(OpenDirectories { now: AtomicUsize::new(0), most })
    }
}

struct CountedFd {
    fd: OwnedFd,
    count: Arc<OpenDirectories>,
}

impl CountedFd {
    /// Keeps the directory open if there may be one more.
    fn keep(fd: OwnedFd, count: &Arc<OpenDirectories>) -> Option<CountedFd> {
        if count.now.fetch_add(1, Ordering::Relaxed) >= count.most {
            count.now.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(CountedFd { fd, count: Arc::clone(count) })
    }
}

impl Drop for CountedFd {
    fn drop(&mut self) {
        self.count.now.fetch_sub(1, Ordering::Relaxed);
    }
}
