//! Files named on the command line, and the files found in the directories among them.
//!
//! The order is fixed: arguments as given, and inside a directory by the bytes of the names, depth first
//! (a directory's files stand where its name stands). Links found in a directory are neither
//! followed nor listed; links named as arguments are followed.
//!
//! The walk is made on demand, a few files at a time, by whichever worker needs files next: so it
//! never runs ahead, and it takes no thread of its own.
//!
//! Directories are opened relative to their parents and stay open while files in them are to be opened,
//! relative to them too: the kernel then looks up one name per file. Beyond a number of open
//! directories (very deep trees, or very many small directories at once) paths serve instead.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::directory::{Directory, OpenDirectories};
use super::file::{File, Origin};
use super::listing::Listing;
use super::source::{Entry, Source};
use crate::limits::LISTED_BYTES;
use crate::message::{Speaker, reason};
use crate::output::Lines;

/// The smallest budget for a directory's names, however many are held above it.
const LISTED_BYTES_LEAST: usize = 64 << 10;

/// What becomes of a directory among the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Directories {
    Refuse,
    Walk,
}

/// The files of an argument list, in order.
pub(crate) struct Walk<'a> {
    speaker: &'a Speaker,
    arguments: std::vec::IntoIter<Vec<u8>>,
    directories: Directories,
    /// The directories between the argument and here.
    levels: Vec<Level>,
    /// The listing of the directory left last, for its memory.
    spare: Listing,
    open: Arc<OpenDirectories>,
    standard_inputs: u64,
    /// Something could not be walked or is nothing to hash.
    pub(crate) failed: bool,
}

struct Level {
    directory: Arc<Directory>,
    listing: Listing,
}

impl<'a> Walk<'a> {
    /// A walk over `arguments`; none means standard input.
    pub(crate) fn new(
        speaker: &'a Speaker,
        mut arguments: Vec<Vec<u8>>,
        directories: Directories,
        open_directories: usize,
    ) -> Walk<'a> {
        if arguments.is_empty() {
            arguments.push(b"-".to_vec());
        }
        Walk {
            speaker,
            arguments: arguments.into_iter(),
            directories,
            levels: Vec::new(),
            spare: Listing::default(),
            open: OpenDirectories::at_most(open_directories),
            standard_inputs: 0,
            failed: false,
        }
    }

    /// What the walk makes of an argument. `None`: nothing to say of it yet.
    fn argument(&mut self, name: Vec<u8>) -> Option<Entry<()>> {
        if name == b"-" {
            self.standard_inputs += 1;
            return found(name, Origin::StandardInput(self.standard_inputs - 1));
        }
        if self.directories == Directories::Walk && is_directory(&name) {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let opened = rustix::fs::openat(CWD, &name[..], flags, Mode::empty());
            return self.enter(name, opened);
        }
        found(name, Origin::Named)
    }

    /// What the walk makes of an entry of a directory. `None`: nothing to say of it yet.
    fn entry(&mut self, directory: Arc<Directory>, path: Vec<u8>, kind: FileType) -> Option<Entry<()>> {
        let special = match kind {
            FileType::RegularFile => return found(path, Origin::Found(directory)),
            FileType::Directory => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
                let opened = match directory.fd() {
                    Some(fd) => {
                        let name = &path[directory.prefix().len()..];
                        rustix::fs::openat(fd, name, flags, Mode::empty())
                    }
                    None => rustix::fs::openat(CWD, &path[..], flags, Mode::empty()),
                };
                return self.enter(path, opened);
            }
            FileType::Symlink => return None,
            FileType::Fifo => "a named pipe",
            FileType::Socket => "a socket",
            FileType::CharacterDevice | FileType::BlockDevice => "a device",
            FileType::Unknown => "of unknown type",
        };
        Some(self.trouble(&path, &format!("not hashed: it is {special}")))
    }

    /// Goes down into a directory. Says something only of an error.
    fn enter(&mut self, path: Vec<u8>, opened: Result<OwnedFd, Errno>) -> Option<Entry<()>> {
        let fd = match opened {
            Ok(fd) => fd,
            Err(error) => {
                return Some(self.trouble(&path, &format!("cannot open directory: {}", reason(error))));
            }
        };
        let mut listing = std::mem::take(&mut self.spare);
        let result = listing.read(fd.as_fd(), None, self.budget());
        let mut prefix = path;
        if prefix.last() != Some(&b'/') {
            prefix.push(b'/');
        }
        let said = self.listing_error(&prefix, result);
        let directory = Arc::new(Directory::new(prefix, fd, &self.open));
        self.levels.push(Level { directory, listing });
        said
    }

    /// Another pass over the innermost directory, which holds more names than memory should.
    fn pass_again(&mut self, after: &[u8]) -> Option<Entry<()>> {
        let Level { directory, mut listing } = self.levels.pop()?;
        listing.clear();
        let budget = self.budget();
        let result = match directory.fd() {
            Some(fd) => listing.read(fd, Some(after), budget),
            None => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
                rustix::fs::openat(CWD, directory.prefix(), flags, Mode::empty())
                    .and_then(|fd| listing.read(fd.as_fd(), Some(after), budget))
            }
        };
        let said = self.listing_error(directory.prefix(), result);
        self.levels.push(Level { directory, listing });
        said
    }

    fn listing_error(&mut self, prefix: &[u8], result: Result<(), Errno>) -> Option<Entry<()>> {
        let error = result.err()?;
        let path = prefix.strip_suffix(b"/").filter(|path| !path.is_empty()).unwrap_or(prefix);
        Some(self.trouble(path, &format!("cannot read directory: {}", reason(error))))
    }

    /// Half of what is left for names, so that any depth of large directories is bounded.
    fn budget(&self) -> usize {
        let held: usize = self.levels.iter().map(|level| level.listing.held_bytes()).sum();
        (LISTED_BYTES.saturating_sub(held) / 2).max(LISTED_BYTES_LEAST)
    }

    fn trouble(&mut self, path: &[u8], text: &str) -> Entry<()> {
        self.failed = true;
        Entry::Said(Lines { err: self.speaker.about_file(path, text), ..Lines::default() })
    }
}

impl Source for Walk<'_> {
    type Tag = ();

    fn next(&mut self) -> Option<Entry<()>> {
        loop {
            let entry = match self.levels.last_mut() {
                None => {
                    let name = self.arguments.next()?;
                    self.argument(name)
                }
                Some(level) => {
                    if let Some((name, kind)) = level.listing.next() {
                        let path = [level.directory.prefix(), name].concat();
                        let directory = Arc::clone(&level.directory);
                        self.entry(directory, path, kind)
                    } else if let Some(after) = level.listing.last_before_rest() {
                        self.pass_again(&after)
                    } else {
                        self.spare = self.levels.pop().map(|level| level.listing).unwrap_or_default();
                        None
                    }
                }
            };
            if entry.is_some() {
                return entry;
            }
        }
    }

    fn at_most(&self) -> Option<usize> {
        (self.directories == Directories::Refuse).then(|| self.arguments.len())
    }

    fn next_may_wait(&self) -> bool {
        false
    }
}

fn found(name: Vec<u8>, origin: Origin) -> Option<Entry<()>> {
    Some(Entry::File(File { name, origin }, ()))
}

fn is_directory(path: &[u8]) -> bool {
    rustix::fs::statat(CWD, path, AtFlags::empty())
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}
