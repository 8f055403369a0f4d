//! Files that the program makes: whole under their names, or absent.
//!
//! ```text
//!   directory opened  ->  file without a name (O_TMPFILE)  ->  written by its one descriptor  ->  linkat  to a free name
//!                                                                                             ->  linkat  into a hidden directory,
//!                                                                                                 renameat over the old file
//! ```
//!
//! Another user may be able to write to the directory. It can swap any name there, but it cannot reach the
//! file before the file has its name:
//! - The directory is opened once; all calls are relative to it and follow no link ([`Place`]).
//! - A file that has no name is linked by its descriptor, so no name is looked up again.
//! - A file that needs a temporary name (it replaces another one, or the file system has no `O_TMPFILE`) gets
//!   it in a directory of its own with mode 0700 ([`PrivateDirectory`]), in which no other user can swap
//!   names.
//! - At the end, the name must refer to the file that was created.
//!
//! A file without a name disappears when the process ends in any way. A hidden directory is removed on
//! SIGHUP, SIGINT and SIGTERM ([`crate::interruption`]); a crash leaves it as `.hashlanes-*.tmp`.

mod place;
mod private_directory;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::files::Identity;
use crate::interruption;
use crate::platform;
use crate::platform::fs::{AtFlags, Mode, OFlags};
use crate::platform::io::{Errno, retry_on_intr};
use place::changed;
pub(crate) use place::{Directory, Found, Place, directory_of, stream};
use private_directory::PrivateDirectory;

/// The treatment of an existing file of that name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Existing {
    /// It stays; the new file is an error.
    Kept,
    Replaced,
}

/// A file that is being made. It gets its name in [`NewFile::finish`]; without that call nothing of it
/// remains.
#[derive(Debug)]
pub(crate) struct NewFile {
    place: Place,
    file: File,
    /// The file's temporary place; `None` if it has none.
    hidden: Option<PrivateDirectory>,
    existing: Existing,
}

/// A file that has its name.
#[derive(Debug)]
pub(crate) struct Finished {
    place: Place,
    file: File,
    identity: Identity,
}

impl NewFile {
    /// Creates an empty file that will get its name at `place`.
    ///
    /// # Errors
    /// It cannot be made there; `AlreadyExists` if a file is there that is to be kept.
    pub(crate) fn create(place: Place, existing: Existing) -> io::Result<Self> {
        match place.look()? {
            Some(stat) if platform::fs::FileType::from_raw_mode(stat.st_mode).is_dir() => {
                return Err(Errno::ISDIR.into());
            }
            Some(_) if existing == Existing::Kept => return Err(Errno::EXIST.into()),
            _ => {}
        }
        let (file, hidden) = match nameless(&place.directory, OFlags::empty())? {
            Some(file) if platform::can_be_linked(&file) => (file, None),
            _ => {
                let hidden = PrivateDirectory::new(&place.directory)?;
                (hidden.create()?, Some(hidden))
            }
        };
        Ok(Self { place, file, hidden, existing })
    }

    /// Creates a file at a path: a link there is followed if it belongs to this user or to root, and an old
    /// file is replaced when the new one is complete.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn replacing(path: &Path) -> io::Result<Self> {
        Self::create(Place::following(path)?, Existing::Replaced)
    }

    /// Returns the file, open for writing.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// The name could not be given: another file has it, or the system refuses it. Or another process took
    /// the name away.
    pub(crate) fn finish(self) -> io::Result<Finished> {
        let Self { place, file, hidden, existing } = self;
        let identity = Identity::of(&platform::fs::fstat(&file)?);
        match (existing, hidden) {
            (Existing::Kept, None) => platform::link(&file, &place.directory, &place.name)?,
            (Existing::Kept, Some(hidden)) => hidden.give_new_name(&place)?,
            (Existing::Replaced, Some(hidden)) => hidden.give_name(&place)?,
            (Existing::Replaced, None) => match platform::link(&file, &place.directory, &place.name) {
                Err(Errno::EXIST) => {
                    let hidden = PrivateDirectory::new(&place.directory)?;
                    platform::link(&file, &hidden.directory(), private_directory::NAME.as_ref())?;
                    hidden.give_name(&place)?;
                }
                linked => linked?,
            },
        }
        let finished = Finished { place, file, identity };
        // The name is given. If the system cannot show it now, that is no reason to report that it is not.
        if finished.is_there().unwrap_or(true) { Ok(finished) } else { Err(changed()) }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Finished {
    /// Returns the file, still open for writing.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Returns whether its name shows the file.
    fn is_there(&self) -> io::Result<bool> {
        Ok(self.place.look()?.is_some_and(|shown| Identity::of(&shown) == self.identity))
    }

    /// Removes the name again, if it still refers to the file.
    pub(crate) fn remove(self) {
        if self.is_there().unwrap_or(false) {
            // The caller reports what went wrong before.
            let _ = platform::fs::unlinkat(&self.place.directory, &self.place.name, AtFlags::empty());
        }
    }
}

/// The destination that a path on the command line leads to: a new file, or an existing pipe or device, which
/// is written to directly.
#[derive(Debug)]
pub(crate) enum Destination {
    File(Box<NewFile>),
    Stream(File),
}

impl Destination {
    /// Creates an empty file, or opens the pipe or device. A link of this user or of root is followed if its
    /// target may be replaced.
    ///
    /// # Errors
    /// It cannot be made or opened; `AlreadyExists` if a file is there that is to be kept.
    pub(crate) fn open(path: &Path, existing: Existing) -> io::Result<Self> {
        if let Some(stream) = stream(path)? {
            return Ok(Self::Stream(stream));
        }
        let file = match existing {
            Existing::Kept => NewFile::create(Place::of(path)?, existing),
            Existing::Replaced => NewFile::replacing(path),
        };
        file.map(Box::new).map(Self::File)
    }

    /// Writes all of it. A file gets its name then.
    ///
    /// # Errors
    /// If not all bytes are written. The file then has no name.
    pub(crate) fn write(self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::File(mut file) => {
                file.write_all(bytes)?;
                file.finish().map(drop)
            }
            Self::Stream(mut stream) => stream.write_all(bytes),
        }
    }
}

/// Gives several files their names: all of them, or none. Signals are delayed meanwhile.
///
/// # Errors
/// The number of the file that cannot have its name, and why.
pub(crate) fn finish_all(files: Vec<NewFile>) -> Result<(), (usize, io::Error)> {
    interruption::held_off(|| {
        let mut finished = Vec::with_capacity(files.len());
        for (number, file) in files.into_iter().enumerate() {
            match file.finish() {
                Ok(file) => finished.push(file),
                Err(error) => {
                    finished.into_iter().for_each(Finished::remove);
                    return Err((number, error));
                }
            }
        }
        Ok(())
    })
}

/// A file that never has a name, used only by this process.
///
/// # Errors
/// It cannot be made in that directory.
pub(crate) fn scratch(directory: &Directory) -> io::Result<File> {
    match nameless(directory, OFlags::EXCL)? {
        Some(file) => Ok(file),
        // The file goes with its directory.
        None => PrivateDirectory::new(directory)?.create(),
    }
}

/// A file without a name, where the file system has such; one with `EXCL` never gets a name.
fn nameless(directory: &Directory, more: OFlags) -> io::Result<Option<File>> {
    let Some(nameless) = platform::NAMELESS else { return Ok(None) };
    let flags = OFlags::RDWR | nameless | OFlags::CLOEXEC | more;
    let mode = Mode::from_raw_mode(if more.contains(OFlags::EXCL) { 0o600 } else { 0o666 });
    match retry_on_intr(|| platform::fs::openat(directory, ".", flags, mode)) {
        Ok(file) => Ok(Some(file.into())),
        // The errors of kernels and file systems without this feature.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
