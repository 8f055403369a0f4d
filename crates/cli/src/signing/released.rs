//! Files of signatures: there whole, or not at all.
//!
//! What can go wrong with a file should go wrong before an index is taken for it. So it is made beforehand, under a
//! name of its own in the directory where it belongs, with room for the signature; the signature is written into it,
//! and it gets its name. What is no regular file (a device, a pipe, standard output) is written to as it is.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{CWD, FallocateFlags};
use rustix::io::Errno;

use super::interruption::Temporary;
use crate::closed;

/// Whether a file that is there is written over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Existing {
    Kept,
    Replaced,
}

/// A place for a signature.
#[derive(Debug)]
pub(super) enum Place {
    /// Becomes `path` when the signature is in it.
    File {
        path: PathBuf,
        temporary: Temporary,
        existing: Existing,
    },
    /// Written to as it is.
    Stream(File),
    StandardOutput,
}

impl Place {
    /// Makes room for a signature of so many bytes at `path`; `-` is standard output.
    ///
    /// # Errors
    /// Why there can be none.
    pub(super) fn new(path: &Path, n_bytes: usize, existing: Existing) -> io::Result<Self> {
        if path == Path::new("-") {
            closed::standard_output()?;
            return Ok(Self::StandardOutput);
        }
        match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(metadata) if metadata.is_dir() => return Err(Errno::ISDIR.into()),
            Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => {
                return File::options().write(true).open(path).map(Self::Stream);
            }
            Ok(_) if existing == Existing::Kept => return Err(is_there()),
            Ok(_) => {}
        }
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".hashlanes-{}-{number}.tmp", std::process::id());
        let make = |path: &Path| File::options().write(true).create_new(true).open(path);
        let (temporary, file) = Temporary::new(path.with_file_name(name), make)?;
        match rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, n_bytes as u64) {
            // Some file systems cannot.
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Self::File { path: path.to_owned(), temporary, existing })
    }

    /// Writes the signature, for which the room was made.
    ///
    /// # Errors
    /// It is not there, or not all of it.
    pub(super) fn release(self, signature: &[u8]) -> io::Result<()> {
        match self {
            Self::StandardOutput => {
                let mut output = io::stdout().lock();
                output.write_all(signature)?;
                output.flush()
            }
            Self::Stream(mut file) => file.write_all(signature),
            Self::File { path, temporary, existing } => {
                let mut file = File::options().write(true).open(temporary.path())?;
                file.write_all(signature)?;
                match existing {
                    Existing::Replaced => std::fs::rename(temporary.path(), &path),
                    Existing::Kept => name_new(temporary.path(), &path),
                }
            }
        }
    }
}

fn is_there() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it is there already; --force writes over it")
}

/// Gives a file its name, if nothing has it.
fn name_new(temporary: &Path, path: &Path) -> io::Result<()> {
    match rustix::fs::linkat(CWD, temporary, CWD, path, rustix::fs::AtFlags::empty()) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(is_there()),
        // Some file systems have one name a file.
        Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK) => {
            if path.symlink_metadata().is_ok() { Err(is_there()) } else { std::fs::rename(temporary, path) }
        }
        Err(error) => Err(error.into()),
    }
}
