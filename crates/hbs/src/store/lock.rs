//! The file `lock`: the process that locks it has the key. It is created with the key, and never removed or
//! renamed.

use core::time::Duration;
use std::io;

use crate::store::Error;
use crate::store::file_system::{Facts, FileSystem, Open};
use crate::store::open_directory::Directory;

pub(super) const NAME: &str = "lock";
const MARK: &[u8] = b"2\n";
/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The lock, held until this value is dropped.
#[derive(Debug)]
pub(super) struct Lock<F: FileSystem> {
    /// The locked file.
    _file: F::File,
    pub(super) facts: Facts,
    /// The process that took the lock; a forked child also has the file open.
    process: u32,
}

impl<F: FileSystem> Lock<F> {
    /// Takes the lock, and waits for it if necessary.
    pub(super) fn take(directory: &Directory<F>, wait: Duration) -> Result<Self, Error> {
        let file_system = &directory.file_system;
        let mut waited = Duration::ZERO;
        loop {
            let (file, facts) = directory.open_file(NAME, Open::Read)?;
            if file_system.lock(&file).map_err(directory.failed("locking", NAME))? {
                let lock = Self { _file: file, facts, process: file_system.process() };
                // Another file may have been put there between the two calls.
                if lock.is_there(directory)? {
                    return Ok(lock);
                }
            }
            if waited >= wait {
                return Err(Error::Locked { waited });
            }
            let pause = PAUSE.min(wait - waited);
            file_system.pause(pause);
            waited += pause;
        }
    }

    fn is_there(&self, directory: &Directory<F>) -> Result<bool, Error> {
        match directory.facts_at(NAME) {
            Ok(there) => Ok((there.device, there.inode) == (self.facts.device, self.facts.inode)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(why) => Err(directory.failed("reading metadata of", NAME)(why)),
        }
    }

    /// Returns whether it is marked as the lock of a key whose state was upgraded: see `old_format.rs`.
    pub(super) fn is_marked(&self) -> bool {
        self.facts.length > 0
    }

    /// Sets that mark.
    pub(super) fn mark(&mut self, directory: &Directory<F>) -> Result<(), Error> {
        let (file, _) = directory.open_file(NAME, Open::Append)?;
        directory.write(&file, MARK).map_err(directory.failed("writing", NAME))?;
        directory.file_system.sync(&file).map_err(directory.failed("syncing", NAME))?;
        self.facts =
            directory.file_system.facts(&file).map_err(directory.failed("reading metadata of", NAME))?;
        Ok(())
    }

    /// Returns whether this process still holds the lock, and the name still refers to the locked file.
    pub(super) fn check(&self, directory: &Directory<F>) -> Result<(), Error> {
        if self.process != directory.file_system.process() {
            return Err(Error::Forked);
        }
        if self.is_there(directory)? { Ok(()) } else { Err(Error::Replaced { file: NAME }) }
    }
}
