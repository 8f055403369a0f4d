//! A directory with mode 0700 that holds one file until the file gets its name outside.

use std::ffi::OsString;
use std::fs::File;
use std::io;

use super::place::{Directory, Place, changed};
use crate::files::Identity;
use crate::interruption::{Guarded, Leftover, guarded};
use crate::platform;
use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::fs::{AtFlags, FileType, Mode, OFlags};
use crate::platform::io::{Errno, retry_on_intr};
use hashlanes_formats::encoding::hex;

/// The name of the file in it.
pub(super) const NAME: &str = "new";

/// The directory; it is removed with the value, and by a signal that ends the program.
#[derive(Debug)]
pub(super) struct PrivateDirectory(Guarded<Made>);

#[derive(Debug)]
struct Made {
    parent: Directory,
    name: OsString,
    directory: OwnedFd,
    identity: Identity,
}

impl Leftover for Made {
    fn remove(&self) {
        /// Another thread may make the file while a signal removes the directory.
        const TRIES: usize = 100;
        for _ in 0..TRIES {
            // The file is gone if it got its name.
            let _ = platform::fs::unlinkat(&self.directory, NAME, AtFlags::empty());
            // Another user may have put another directory at its name.
            let shown = platform::fs::statat(&self.parent, &self.name, AtFlags::SYMLINK_NOFOLLOW);
            if shown.is_ok_and(|stat| Identity::of(&stat) != self.identity) {
                return;
            }
            match platform::fs::unlinkat(&self.parent, &self.name, AtFlags::REMOVEDIR) {
                Err(Errno::NOTEMPTY | Errno::EXIST) => {}
                _ => return,
            }
        }
    }
}

impl Made {
    fn new(parent: &Directory) -> io::Result<Self> {
        let mut random = [0; 8];
        platform::random(&mut random)?;
        let name = OsString::from(format!(".hashlanes-{}.tmp", hex(&random)));
        retry_on_intr(|| platform::fs::mkdirat(parent, &name, Mode::RWXU))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = retry_on_intr(|| platform::fs::openat(parent, &name, flags, Mode::empty()));
        let looked_at = opened.and_then(|directory| Ok((platform::fs::fstat(&directory)?, directory)));
        let (stat, directory) = looked_at.inspect_err(|_| {
            // The directory is empty; a name that remains is not ours.
            let _ = platform::fs::unlinkat(parent, &name, AtFlags::REMOVEDIR);
        })?;
        // Another user may have put a directory of its own at the name.
        let is_ours = FileType::from_raw_mode(stat.st_mode).is_dir()
            && stat.st_uid == platform::process::geteuid().as_raw()
            && stat.st_mode & 0o077 == 0;
        let identity = Identity::of(&stat);
        if is_ours { Ok(Self { parent: parent.clone(), name, directory, identity }) } else { Err(changed()) }
    }
}

impl PrivateDirectory {
    pub(super) fn new(parent: &Directory) -> io::Result<Self> {
        guarded(|| Made::new(parent)).map(Self)
    }

    pub(super) fn directory(&self) -> BorrowedFd<'_> {
        self.0.directory.as_fd()
    }

    /// Creates the file.
    pub(super) fn create(&self) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        let file = retry_on_intr(|| platform::fs::openat(self.directory(), NAME, flags, mode))?;
        Ok(file.into())
    }

    /// Gives the file its name; replaces a file of this name.
    pub(super) fn give_name(self, place: &Place) -> io::Result<()> {
        Ok(retry_on_intr(|| platform::fs::renameat(self.directory(), NAME, &place.directory, &place.name))?)
    }

    /// Gives the file its name, unless another file has it.
    pub(super) fn give_new_name(self, place: &Place) -> io::Result<()> {
        let Place { directory, name } = place;
        let renamed = retry_on_intr(|| platform::rename_new(self.directory(), NAME, directory.as_fd(), name));
        // Some file systems and systems lack such a rename, some lack hard links, few lack both.
        let linked = match renamed {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => retry_on_intr(|| {
                platform::fs::linkat(self.directory(), NAME, directory, name, AtFlags::empty())
            }),
            renamed => renamed,
        };
        match linked {
            Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK) => match place.look()? {
                Some(_) => Err(Errno::EXIST.into()),
                None => self.give_name(place),
            },
            linked => Ok(linked?),
        }
    }
}
