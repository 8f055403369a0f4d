//! An open directory, and small files in it: read, created and replaced as a whole.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::time::Duration;
use std::io;
use std::path::Path;

use zeroize::Zeroizing;

use crate::store::Error;
use crate::store::file_system::{Facts, FileSystem, Kind, Open};

/// An open directory.
#[derive(Debug)]
pub(super) struct Directory<F: FileSystem> {
    pub(super) file_system: F,
    handle: F::Directory,
    /// The path, for messages.
    name: String,
}

/// The state of a failed replacement of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replaced {
    /// The old file is there.
    No,
    /// Either file may be there after a loss of power, or the content of the disk is unknown.
    Unknown,
}

impl<F: FileSystem> Directory<F> {
    /// Opens a directory that belongs to the user and that no other user may use. Symbolic links in the path
    /// are followed.
    pub(super) fn open(file_system: &F, path: &Path) -> Result<Self, Error> {
        let directory = Self::open_any(file_system, path)?;
        directory.check_private()?;
        Ok(directory)
    }

    /// Checks that it belongs to the user and that no other user may use it.
    ///
    /// Root is no exception: another user could exchange the directory while root works in it, and that user
    /// could not read files that root creates there.
    pub(super) fn check_private(&self) -> Result<(), Error> {
        let facts = self.facts()?;
        self.check_owner(".", &facts)?;
        match facts.mode & 0o077 {
            0 => Ok(()),
            _ => {
                Err(self.is_unsafe(".", format!("others may use it (mode {:o} instead of 700)", facts.mode)))
            }
        }
    }

    /// Checks that an entry belongs to the user.
    pub(super) fn check_owner(&self, name: &str, facts: &Facts) -> Result<(), Error> {
        let (owner, user) = (facts.owner, self.file_system.user());
        if owner == user {
            return Ok(());
        }
        let why = format!(
            "it belongs to another user (uid {owner}, this is uid {user}); run as its owner, or chown it"
        );
        Err(self.is_unsafe(name, why))
    }

    /// Opens a directory in which another one will be created.
    pub(super) fn open_above(file_system: &F, path: &Path) -> io::Result<Self> {
        let handle = file_system.open_directory(path)?;
        Ok(Self { file_system: file_system.clone(), handle, name: path.display().to_string() })
    }

    /// Creates a directory in it.
    pub(super) fn make_directory(&self, name: &Path) -> io::Result<()> {
        self.file_system.create_directory(&self.handle, name)
    }

    /// Opens a directory in it, never through a symbolic link. Messages show `path`.
    pub(super) fn open_directory(&self, name: &Path, path: &Path) -> io::Result<Self> {
        let handle = self.file_system.open_directory_at(&self.handle, name)?;
        Ok(Self { file_system: self.file_system.clone(), handle, name: path.display().to_string() })
    }

    /// Opens a private directory in it; `Ok(None)` if it is missing.
    pub(super) fn open_inner(&self, name: &str) -> Result<Option<Self>, Error> {
        let directory = match self.open_directory(Path::new(name), Path::new(&self.path_of(name))) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            result => result.map_err(self.failed("opening", name))?,
        };
        directory.check_private()?;
        Ok(Some(directory))
    }

    /// Opens a directory without looking at its owner or mode.
    pub(super) fn open_any(file_system: &F, path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let handle = file_system.open_directory(path).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::NoKey(path.into()),
            _ => Error::File { doing: "opening", file: name.clone(), why },
        })?;
        Ok(Self { file_system: file_system.clone(), handle, name })
    }

    /// Returns the path of an entry.
    pub(super) fn path_of(&self, name: &str) -> String {
        if name == "." { self.name.clone() } else { format!("{}/{name}", self.name) }
    }

    pub(super) fn failed(&self, doing: &'static str, name: &str) -> impl FnOnce(io::Error) -> Error + use<F> {
        let file = self.path_of(name);
        move |why| Error::File { doing, file, why }
    }

    pub(super) fn is_unsafe(&self, name: &str, why: impl Into<String>) -> Error {
        Error::Unsafe { file: self.path_of(name), why: why.into() }
    }

    pub(super) fn damaged(&self, name: &str, why: &'static str) -> Error {
        Error::Damaged { file: self.path_of(name), why }
    }

    /// Returns whether an entry of that name exists, of any type.
    pub(super) fn has(&self, name: &str) -> Result<bool, Error> {
        match self.facts_at(name) {
            Ok(_) => Ok(true),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(why) => Err(self.failed("reading metadata of", name)(why)),
        }
    }

    /// Returns the metadata of the directory itself.
    pub(super) fn facts(&self) -> Result<Facts, Error> {
        self.file_system.directory_facts(&self.handle).map_err(self.failed("reading metadata of", "."))
    }

    pub(super) fn facts_at(&self, name: &str) -> io::Result<Facts> {
        self.facts_of(Path::new(name))
    }

    /// Returns the metadata of an entry whose name need not be text.
    pub(super) fn facts_of(&self, name: &Path) -> io::Result<Facts> {
        self.file_system.facts_at(&self.handle, name)
    }

    /// Opens or creates a file for code outside of the store; `None` if the file system is not the operating
    /// system's.
    pub(super) fn system_file(&self, name: &str) -> Result<Option<std::fs::File>, Error> {
        self.file_system.system_file(&self.handle, name).map_err(self.failed("making", name))
    }

    /// Returns whether it has no entry.
    pub(super) fn is_empty(&self) -> Result<bool, Error> {
        self.file_system.is_empty(&self.handle).map_err(self.failed("reading", "."))
    }

    /// Opens a regular file that exists, has only one name, and cannot be written by another user.
    pub(super) fn open_file(&self, name: &str, how: Open) -> Result<(F::File, Facts), Error> {
        let (file, facts) = self.open_regular(name, how)?;
        if facts.mode & 0o022 != 0 {
            return Err(self.is_unsafe(name, format!("others may write it (mode {:o})", facts.mode)));
        }
        // The same file in a second directory would sign there, too.
        if facts.links > 1 {
            let why = format!("it has {} names (hard links); remove the others", facts.links);
            return Err(self.is_unsafe(name, why));
        }
        Ok((file, facts))
    }

    /// Opens a regular file that exists.
    fn open_regular(&self, name: &str, how: Open) -> Result<(F::File, Facts), Error> {
        let file = self.file_system.open(&self.handle, name, how).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => self.damaged(name, "is missing"),
            // ELOOP comes from O_NOFOLLOW, ENXIO from a pipe without a reader.
            _ if self.facts_at(name).is_ok_and(|facts| facts.kind != Kind::File) => {
                self.is_unsafe(name, "is no regular file")
            }
            _ => self.failed("opening", name)(why),
        })?;
        let facts = self.file_system.facts(&file).map_err(self.failed("reading metadata of", name))?;
        if facts.kind != Kind::File {
            return Err(self.is_unsafe(name, "is no regular file"));
        }
        Ok((file, facts))
    }

    /// Creates a file that must not exist yet.
    pub(super) fn create_file(&self, name: &str, how: Open) -> Result<F::File, Error> {
        self.file_system.open(&self.handle, name, how).map_err(self.failed("making", name))
    }

    /// Reads a small file.
    pub(super) fn read(&self, name: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_with_facts(name).map(|(bytes, _)| bytes)
    }

    /// Reads a small file; returns its bytes and its mode.
    pub(super) fn read_with_facts(&self, name: &str) -> Result<(Zeroizing<Vec<u8>>, Facts), Error> {
        self.read_opened(name, self.open_file(name, Open::Read)?)
    }

    /// Reads a small public file, which other users may link to and write.
    pub(super) fn read_public(&self, name: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.read_opened(name, self.open_regular(name, Open::Read)?).map(|(bytes, _)| bytes)
    }

    fn read_opened(
        &self,
        name: &str,
        (file, facts): (F::File, Facts),
    ) -> Result<(Zeroizing<Vec<u8>>, Facts), Error> {
        /// The maximum length of a file that is read as a whole.
        const MOST_BYTES: u64 = 1 << 20;
        if facts.length > MOST_BYTES {
            return Err(self.damaged(name, "is too long"));
        }
        let mut bytes = Zeroizing::new(vec![0; facts.length as usize]);
        let n = self.read_at(&file, &mut bytes, 0).map_err(self.failed("reading", name))?;
        bytes.truncate(n);
        Ok((bytes, facts))
    }

    /// Reads until `to` is full or the file ends; returns the number of bytes.
    pub(super) fn read_at(&self, file: &F::File, to: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut n = 0;
        while n < to.len() {
            match self.file_system.read_at(file, &mut to[n..], offset + n as u64)? {
                0 => break,
                more => n += more,
            }
        }
        Ok(n)
    }

    /// Writes all bytes.
    pub(super) fn write(&self, file: &F::File, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.file_system.write(file, bytes)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                n => bytes = &bytes[n..],
            }
        }
        Ok(())
    }

    /// Returns the number that distinguishes snapshots of the volume from it; see `FileSystem::volume`.
    pub(super) fn volume(&self) -> Result<u64, Error> {
        self.file_system.volume(&self.handle).map_err(self.failed("reading the volume of", "."))
    }

    pub(super) fn sync(&self) -> Result<(), Error> {
        self.file_system.sync_directory(&self.handle).map_err(self.failed("syncing", "."))
    }

    /// Removes a file if it exists.
    pub(super) fn remove(&self, name: &str) -> Result<(), Error> {
        match self.file_system.unlink(&self.handle, name) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(self.failed("removing", name)(why)),
            _ => Ok(()),
        }
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        self.file_system.rename(&self.handle, from, to).map_err(self.failed("renaming", from))
    }

    /// Replaces or creates a file. When it returns, the new file survives a loss of power.
    ///
    /// The temporary file's name is `name` with ".new"; a leftover of a crash is removed.
    ///
    /// Another user may be able to write the directory of a witness. So the names are compared with the
    /// descriptor before and after the renaming, and an exchanged file is an error.
    pub(super) fn replace(&self, name: &str, bytes: &[u8], how: Open) -> Result<(), (Replaced, Error)> {
        self.replace_by(name, how, |_| true, |_| bytes)
    }

    /// Replaces a file whose bytes depend on facts of the file itself.
    ///
    /// The caller must accept the file; otherwise it is created again after a pause, so that its times
    /// differ.
    pub(super) fn replace_by<B: AsRef<[u8]>>(
        &self,
        name: &str,
        how: Open,
        is_distinct: impl Fn(&Facts) -> bool,
        bytes: impl FnOnce(&Facts) -> B,
    ) -> Result<(), (Replaced, Error)> {
        let temporary = format!("{name}.new");
        let unchanged = |error| {
            // A leftover is removed at the next call.
            let _ = self.remove(&temporary);
            (Replaced::No, error)
        };
        let (file, facts) = self.create_distinct(&temporary, how, is_distinct).map_err(unchanged)?;
        let bytes = bytes(&facts);
        self.write(&file, bytes.as_ref()).map_err(self.failed("writing", &temporary)).map_err(unchanged)?;
        let unknown = |error| (Replaced::Unknown, error);
        self.file_system.sync(&file).map_err(self.failed("syncing", &temporary)).map_err(unknown)?;
        self.check_name(&temporary, &facts).map_err(unknown)?;
        self.rename(&temporary, name).map_err(unknown)?;
        self.check_name(name, &facts).map_err(unknown)?;
        self.sync().map_err(unknown)
    }

    /// Empties a replaced file that has another name, created after the last check.
    ///
    /// It would be the very file that its bytes name, and could be restored.
    pub(super) fn empty_if_linked(&self, name: &str, old: &F::File) -> Result<(), Error> {
        let facts = self.file_system.facts(old).map_err(self.failed("reading metadata of", name))?;
        if facts.links == 0 {
            return Ok(());
        }
        self.file_system.truncate(old, 0).map_err(self.failed("truncating", name))?;
        self.file_system.sync(old).map_err(self.failed("syncing", name))
    }

    /// Checks that a name refers to a file that was just created, and that the file has no other name.
    ///
    /// The file must be open; otherwise its number could belong to another file.
    fn check_name(&self, name: &str, made: &Facts) -> Result<(), Error> {
        let here = self.facts_at(name);
        let is_same = here.is_ok_and(|here| {
            (here.device, here.inode, here.links) == (made.device, made.inode, 1) && here.kind == Kind::File
        });
        if is_same {
            return Ok(());
        }
        let why = "was moved, linked or replaced while it was written; use a directory that no other user can write";
        Err(self.is_unsafe(name, why))
    }

    /// Creates a temporary file repeatedly until its times satisfy `is_distinct`.
    ///
    /// Most file systems' clocks tick every 4 ms; they tick every second if times are kept in seconds.
    fn create_distinct(
        &self,
        name: &str,
        how: Open,
        is_distinct: impl Fn(&Facts) -> bool,
    ) -> Result<(F::File, Facts), Error> {
        const SHORTEST: Duration = Duration::from_millis(1);
        const LONGEST: Duration = Duration::from_millis(64);
        /// Six seconds in all. The coarsest clock, that of FAT, ticks every two seconds.
        const MOST: u32 = 100;
        let mut pause = SHORTEST;
        for _ in 0..MOST {
            self.remove(name)?;
            let file = self.create_file(name, how)?;
            let facts = self.file_system.facts(&file).map_err(self.failed("reading metadata of", name))?;
            if is_distinct(&facts) {
                return Ok((file, facts));
            }
            self.file_system.pause(pause);
            pause = (2 * pause).min(LONGEST);
        }
        let why = io::Error::other("the file system's clock stands still");
        Err(self.failed("making", name)(why))
    }
}
