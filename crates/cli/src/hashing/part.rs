//! A read among others: of which file, and where to.

use std::os::fd::BorrowedFd;

use rustix::io::Errno;

use crate::files::read;

/// A read among others.
pub(super) struct Part<'p> {
    pub(super) fd: BorrowedFd<'p>,
    pub(super) room: &'p mut [u8],
    /// Bytes that the ring read. None: the end, or an error, or the ring was not asked.
    pub(super) n_bytes: usize,
}

impl<'p> Part<'p> {
    pub(super) fn new(fd: BorrowedFd<'p>, room: &'p mut [u8]) -> Self {
        Part { fd, room, n_bytes: 0 }
    }

    /// What was read; of nothing a plain read tells what that means.
    pub(super) fn finish(self) -> Result<usize, Errno> {
        if self.n_bytes > 0 { Ok(self.n_bytes) } else { read(self.fd, self.room) }
    }
}
