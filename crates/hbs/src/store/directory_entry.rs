//! The directory of a key, and its name in the parent directory.
//!
//! Another user may be able to write the parent directory. So the parent is opened once, and the new
//! directory is created and opened relative to it, never through a symbolic link. The opened directory must
//! belong to the user and exclude all other users. All files of the key are created relative to its
//! descriptor, so no later change of a name redirects them.

use alloc::string::ToString;
use std::io;
use std::path::{Path, PathBuf};

use crate::store::Error;
use crate::store::file_system::{FileSystem, Kind};
use crate::store::open_directory::Directory;

/// The name of a key's directory.
#[derive(Debug)]
pub(super) struct Entry<F: FileSystem> {
    above: Directory<F>,
    name: PathBuf,
    path: PathBuf,
}

/// A directory that was opened by its name.
#[derive(Debug)]
pub(super) struct Named<F: FileSystem> {
    pub(super) directory: Directory<F>,
    pub(super) entry: Entry<F>,
    /// Whether this call created it.
    pub(super) is_made: bool,
}

impl<F: FileSystem> Entry<F> {
    /// Creates the directory at `path` if it is missing, and opens it.
    pub(super) fn make(file_system: &F, path: &Path) -> Result<Named<F>, Error> {
        let failed = |why| Error::File { doing: "making", file: path.display().to_string(), why };
        // A path that ends with `.` or `..` has no name: the directory exists.
        let (above, name) = match (path.parent(), path.file_name()) {
            (Some(above), Some(name)) if above.as_os_str().is_empty() => (Path::new("."), Path::new(name)),
            (Some(above), Some(name)) => (above, Path::new(name)),
            _ => (path, Path::new(".")),
        };
        let above = Directory::open_above(file_system, above).map_err(failed)?;
        let made = above.make_directory(name);
        let is_made = made.is_ok();
        made.or_else(|why| match why.kind() {
            io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(failed(why)),
        })?;
        let entry = Self { above, name: name.into(), path: path.into() };
        let directory = entry.open(is_made)?;
        directory.check_private()?;
        Ok(Named { directory, entry, is_made })
    }

    fn open(&self, is_made: bool) -> Result<Directory<F>, Error> {
        self.above.open_directory(&self.name, &self.path).map_err(|why| {
            match self.above.facts_of(&self.name).map(|facts| facts.kind) {
                _ if is_made => self.is_replaced(),
                Ok(Kind::File) => Error::Exists(self.path.clone()),
                Ok(Kind::Other) => {
                    let why =
                        "is no directory; if it is a symbolic link, name the directory that it leads to";
                    Error::Unsafe { file: self.path.display().to_string(), why: why.into() }
                }
                _ => Error::File { doing: "opening", file: self.path.display().to_string(), why },
            }
        })
    }

    /// Checks that the name still refers to `directory`.
    pub(super) fn check(&self, directory: &Directory<F>) -> Result<(), Error> {
        let known = directory.facts()?;
        match self.above.facts_of(&self.name) {
            Ok(here) if (here.device, here.inode) == (known.device, known.inode) => Ok(()),
            _ => Err(self.is_replaced()),
        }
    }

    fn is_replaced(&self) -> Error {
        let why = "was moved or replaced while the key was made; use a directory above it that no other user can write";
        Error::Unsafe { file: self.path.display().to_string(), why: why.into() }
    }

    /// Syncs the parent directory, which holds the name.
    pub(super) fn sync(&self) -> Result<(), Error> {
        self.above.sync()
    }
}
