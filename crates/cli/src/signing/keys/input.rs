//! The files to sign: opened when they are read; standard input is kept in a file meanwhile.
//!
//! A message is read twice (its digest goes into the log before an index is taken), so it must be one that
//! can go back to its beginning. A file is open only while it is read: as many as are signed together may be
//! more than a process may open.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::closed_descriptors;
use crate::new_file::{Directory, scratch};
use crate::platform;

/// A regular file, or the content of standard input.
#[derive(Debug)]
pub(super) struct Input {
    source: Source,
    file: Option<File>,
}

#[derive(Debug)]
enum Source {
    Path(PathBuf),
    /// A file without a name.
    Kept(File),
}

impl Input {
    /// Checks that the file exists, can be read, and is regular. `-` is standard input, which is read to its
    /// end.
    ///
    /// # Errors
    /// Why it cannot be signed.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self { source: Source::Kept(kept_standard_input()?), file: None });
        }
        // Examined before it is opened: opening a pipe would wait for a writer.
        let metadata = path.metadata()?;
        if metadata.is_dir() {
            return Err(platform::io::Errno::ISDIR.into());
        }
        if !metadata.is_file() {
            let why = "not a regular file; pipe it to `hashlanes sign -`";
            return Err(io::Error::other(why));
        }
        File::open(path)?;
        Ok(Self { source: Source::Path(path.to_owned()), file: None })
    }

    fn file(&mut self) -> io::Result<&mut File> {
        let Self { source, file } = self;
        if file.is_none() {
            *file = Some(match source {
                Source::Path(path) => File::open(path)?,
                Source::Kept(kept) => kept.try_clone()?,
            });
        }
        Ok(file.as_mut().expect("it was just opened"))
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file()?.read(buffer)?;
        if n == 0 && !buffer.is_empty() {
            self.file = None;
        }
        Ok(n)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file()?.seek(to)
    }
}

/// Copies standard input, to its end, into a file without a name in the directory for temporary files.
fn kept_standard_input() -> io::Result<File> {
    closed_descriptors::standard_input()?;
    let mut file = scratch(&Directory::open(&std::env::temp_dir())?)?;
    io::copy(&mut io::stdin().lock(), &mut file)?;
    Ok(file)
}
