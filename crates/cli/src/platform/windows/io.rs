//! Reads and writes of open files.

use std::io::{Read, Write};
use std::os::windows::fs::FileExt;

use super::errno::errno;
pub(crate) use super::errno::{Errno, Result};
use super::fd::{AsFd, BorrowedFd, OwnedFd};

/// Calls once: no call is interrupted here.
pub(crate) fn retry_on_intr<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    call()
}

pub(crate) fn read(fd: impl AsFd, buffer: &mut [u8]) -> Result<usize> {
    match fd.as_fd() {
        // The standard library decodes what is typed on a console.
        BorrowedFd::Standard(_) => std::io::stdin().read(buffer).map_err(errno),
        fd => fd.with_file(|mut file| file.read(buffer)),
    }
}

/// Writes all bytes.
pub(crate) fn write(fd: impl AsFd, bytes: &[u8]) -> Result<usize> {
    match fd.as_fd() {
        BorrowedFd::Standard(_) => {
            let mut output = std::io::stdout().lock();
            output.write_all(bytes).and_then(|()| output.flush()).map_err(errno)?;
        }
        fd => fd.with_file(|mut file| file.write_all(bytes))?,
    }
    Ok(bytes.len())
}

/// Reads at an offset. Also moves the file's position, which no caller uses afterwards.
pub(crate) fn pread(fd: impl AsFd, buffer: &mut [u8], at: u64) -> Result<usize> {
    /// ERROR_HANDLE_EOF
    const END: Errno = Errno::from_code(38);
    match fd.as_fd().with_file(|file| file.seek_read(buffer, at)) {
        Err(END) => Ok(0),
        read => read,
    }
}

pub(crate) fn fcntl_dupfd_cloexec(fd: impl AsFd, _: i32) -> Result<OwnedFd> {
    fd.as_fd().try_clone_to_owned().map_err(errno)
}
