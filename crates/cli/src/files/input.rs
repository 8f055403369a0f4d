//! The input of lists: a file, or standard input.

use std::io::{self, Read};

use super::file::read;
use crate::closed_descriptors;
use crate::platform;
use crate::platform::fd::{AsFd, OwnedFd};
use crate::platform::fs::{CWD, Mode, OFlags};
use crate::platform::io::Errno;

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
        platform::fs::openat(CWD, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).map(Input::File)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::Standard => {
                Ok(closed_descriptors::standard_input()
                    .and_then(|()| read(platform::stdio::stdin(), buffer))?)
            }
            Input::File(fd) => Ok(read(fd.as_fd(), buffer)?),
        }
    }
}
