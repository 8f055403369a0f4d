//! The input of lists: a file, or standard input.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

use super::file::read;
use crate::closed_descriptors;

pub(crate) enum Input {
    Standard,
    File(OwnedFd),
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(name: &[u8]) -> Result<Input, Errno> {
        if name == b"-" {
            return Ok(Input::Standard);
        }
        rustix::fs::openat(CWD, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).map(Input::File)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::Standard => {
                Ok(closed_descriptors::standard_input()
                    .and_then(|()| read(rustix::stdio::stdin(), buffer))?)
            }
            Input::File(fd) => Ok(read(fd.as_fd(), buffer)?),
        }
    }
}
