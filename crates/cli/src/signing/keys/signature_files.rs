//! Files of signatures: complete and on the disk, or absent.
//!
//! Errors of a file should happen before an index is used for it. So each file is created beforehand, without
//! a name, with room for the signature. Afterwards all signatures of a window are written, then synced, then
//! named, and then their directories are synced: a signature is on disk when its line is printed. Pipes,
//! devices and standard output are written directly.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::closed_descriptors;
use crate::new_file::{Directory, Existing, Finished, NewFile, Place, directory_of, stream};
use crate::platform;
use crate::platform::fs::FallocateFlags;
use crate::platform::io::Errno;

/// The destination of a signature.
#[derive(Debug)]
pub(super) enum Destination {
    /// To be made; with the number of its directory.
    File(Box<NewFile>, usize),
    /// Written directly.
    Stream(File),
    StandardOutput,
}

/// The destinations of a window, and their directories, each of which is opened once.
#[derive(Debug, Default)]
pub(super) struct Destinations {
    numbers: BTreeMap<PathBuf, usize>,
    directories: Vec<Directory>,
}

impl Destinations {
    /// Reserves space for a signature of this length at `path`; `-` is standard output.
    ///
    /// # Errors
    /// The signature cannot be written there.
    pub(super) fn open(
        &mut self,
        path: &Path,
        n_bytes: usize,
        existing: Existing,
    ) -> io::Result<Destination> {
        if path == Path::new("-") {
            closed_descriptors::standard_output()?;
            return Ok(Destination::StandardOutput);
        }
        if let Some(stream) = stream(path)? {
            return Ok(Destination::Stream(stream));
        }
        let (directory, number) = self.directory(directory_of(path))?;
        let place = Place::within(&directory, path)?;
        let file = NewFile::create(place, existing).map_err(explained)?;
        match platform::fs::fallocate(file.file(), FallocateFlags::empty(), 0, n_bytes as u64) {
            // Some file systems cannot.
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Destination::File(Box::new(file), number))
    }

    fn directory(&mut self, path: &Path) -> io::Result<(Directory, usize)> {
        let number = match self.numbers.get(path) {
            Some(number) => *number,
            None => {
                self.directories.push(Directory::open(path)?);
                self.numbers.insert(path.to_owned(), self.directories.len() - 1);
                self.directories.len() - 1
            }
        };
        Ok((self.directories[number].clone(), number))
    }

    /// Writes signatures, each for its destination. For each it is reported whether it is there, and on the
    /// disk if it is in a file; if not, no file has its name.
    pub(super) fn release(&self, signatures: Vec<(Destination, &[u8])>) -> Vec<io::Result<()>> {
        let written: Vec<io::Result<Option<(NewFile, usize)>>> =
            signatures.into_iter().map(|(destination, bytes)| destination.write(bytes)).collect();
        // Each step is done for all files: the first sync writes the data of all to the disk.
        let synced: Vec<_> = written.into_iter().map(|result| result.and_then(sync)).collect();
        let named: Vec<_> = synced.into_iter().map(|result| result.and_then(name)).collect();
        let mut durable: Vec<Option<Option<Errno>>> = vec![None; self.directories.len()];
        let mut in_directory = |file: Option<(Finished, usize)>| {
            let Some((file, number)) = file else { return Ok(()) };
            let sync = || {
                let synced = self.directories[number].sync(file.file());
                synced.err().map(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
            };
            match *durable[number].get_or_insert_with(sync) {
                None => Ok(()),
                Some(error) => {
                    file.remove();
                    Err(error.into())
                }
            }
        };
        named.into_iter().map(|result| result.map_err(explained).and_then(&mut in_directory)).collect()
    }
}

impl Destination {
    /// Writes the signature; a file is given back, to get its name.
    fn write(self, signature: &[u8]) -> io::Result<Option<(NewFile, usize)>> {
        match self {
            Self::StandardOutput => {
                let mut output = io::stdout().lock();
                output.write_all(signature)?;
                output.flush()?;
            }
            Self::Stream(mut file) => file.write_all(signature)?,
            Self::File(mut file, number) => {
                file.write_all(signature)?;
                return Ok(Some((*file, number)));
            }
        }
        Ok(None)
    }
}

fn sync(file: Option<(NewFile, usize)>) -> io::Result<Option<(NewFile, usize)>> {
    if let Some((file, _)) = &file {
        platform::fs::fsync(file.file())?;
    }
    Ok(file)
}

fn name(file: Option<(NewFile, usize)>) -> io::Result<Option<(Finished, usize)>> {
    file.map(|(file, number)| Ok((file.finish()?, number))).transpose()
}

/// With the way out, where a file is there already.
fn explained(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(io::ErrorKind::AlreadyExists, "exists already; --force overwrites it")
        }
        _ => error,
    }
}
