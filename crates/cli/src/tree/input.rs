//! A file for a tree mode: its length, if that is known, and any part of it.

use crate::closed_descriptors;
use crate::message::reason;
use crate::platform;
use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::fs::{CWD, FileType, Mode, OFlags, SeekFrom};
use crate::platform::io::Errno;

/// The reason why a file has no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The system's reason.
    System(Errno),
    /// Ours.
    Message(String),
}

impl Failure {
    pub(super) fn message(why: impl ToString) -> Self {
        Self::Message(why.to_string())
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::System(error) => reason(*error),
            Self::Message(text) => text.clone(),
        }
    }
}

impl From<Errno> for Failure {
    fn from(error: Errno) -> Self {
        Self::System(error)
    }
}

/// An open file, or standard input.
#[derive(Debug)]
pub(super) struct Input {
    fd: OwnedFd,
    /// The start offset: standard input may begin within a file.
    start: u64,
    /// The number of bytes from there on; `None` where only reading shows it, as with a pipe or a file of
    /// /proc.
    n_bytes: Option<u64>,
    /// Whether the file may continue after them.
    is_part: bool,
}

impl Input {
    /// Opens the file; `-` is standard input.
    pub(super) fn open(name: &[u8]) -> Result<Self, Failure> {
        let fd = if name == b"-" {
            closed_descriptors::standard_input()?;
            platform::stdio::stdin().try_clone_to_owned().map_err(|error| {
                Errno::from_io_error(&error).map_or_else(|| Failure::message(error), Failure::System)
            })?
        } else {
            let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
            loop {
                match platform::fs::openat(CWD, name, flags, Mode::empty()) {
                    Err(Errno::INTR) => {}
                    opened => break opened?,
                }
            }
        };
        let stat = platform::fs::fstat(&fd)?;
        let (start, end) = match FileType::from_raw_mode(stat.st_mode) {
            // Files of /proc report that they are empty, and are not.
            FileType::RegularFile
                if stat.st_size > 0 || platform::io::pread(&fd, &mut [0; 1], 0) == Ok(0) =>
            {
                (platform::fs::seek(&fd, SeekFrom::Current(0))?, Some(stat.st_size as u64))
            }
            FileType::BlockDevice => {
                let start = platform::fs::seek(&fd, SeekFrom::Current(0))?;
                let end = platform::fs::seek(&fd, SeekFrom::End(0))?;
                platform::fs::seek(&fd, SeekFrom::Start(start))?;
                (start, Some(end))
            }
            FileType::Directory => return Err(Errno::ISDIR.into()),
            _ => (0, None),
        };
        Ok(Self { fd, start, n_bytes: end.map(|end| end.saturating_sub(start)), is_part: false })
    }

    /// Returns the first `n_bytes` bytes of an input of known length as an input.
    ///
    /// # Errors
    /// If it is shorter.
    pub(super) fn first(&self, n_bytes: u64) -> Result<Self, Failure> {
        match self.n_bytes {
            Some(has) if has >= n_bytes => {
                let fd = platform::io::fcntl_dupfd_cloexec(&self.fd, 0)?;
                Ok(Self { fd, start: self.start, n_bytes: Some(n_bytes), is_part: true })
            }
            Some(has) => Err(Failure::message(format!("has {has} of {n_bytes} bytes"))),
            None => Err(Failure::message("a part of it requires a regular file or a block device")),
        }
    }

    /// Returns the place in the file where the input ends, if that is known.
    pub(super) fn end(&self) -> Option<u64> {
        self.n_bytes.map(|n_bytes| self.start + n_bytes)
    }

    /// Returns whether the file may continue after this input.
    pub(super) fn is_part(&self) -> bool {
        self.is_part
    }

    /// Returns the file itself.
    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Its length, if that is known before it is read.
    pub(super) fn n_bytes(&self) -> Option<u64> {
        self.n_bytes
    }

    /// Reads the next bytes, from the start on; returns 0 at the end.
    pub(super) fn read(&self, buffer: &mut [u8]) -> Result<usize, Failure> {
        Ok(crate::files::read(self.fd.as_fd(), buffer)?)
    }

    /// Fills the buffer from byte `at` on, of an input of known length.
    pub(super) fn read_at(&self, at: u64, buffer: &mut [u8]) -> Result<(), Failure> {
        let mut filled = 0;
        while filled < buffer.len() {
            let at = self.start + at + filled as u64;
            match platform::io::pread(&self.fd, &mut buffer[filled..], at) {
                Ok(0) => return Err(Failure::message("became shorter while it was read")),
                Ok(n) => filled += n,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Whether an input of known length still ends where it ended.
    pub(super) fn check_end(&self) -> Result<(), Failure> {
        let Some(n_bytes) = self.n_bytes.filter(|_| !self.is_part) else { return Ok(()) };
        loop {
            match platform::io::pread(&self.fd, &mut [0; 1], self.start + n_bytes) {
                Ok(0) => return Ok(()),
                Ok(_) => return Err(Failure::message("became longer while it was read")),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
