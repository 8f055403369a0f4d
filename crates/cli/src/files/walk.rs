//! Files named on the command line or in a list, and the files found in the directories among them.
//!
//! The order is fixed: arguments as given, and inside a directory by the bytes of the names, depth first (a
//! directory's files are listed in place of the directory). Links in directories are neither followed nor
//! listed, unless requested; links named as arguments are followed. [`Rules`] decides about everything else.
//!
//! The walk is made on demand, a few files at a time, by whichever worker needs files next: so it
//! never runs ahead, and it takes no thread of its own.
//!
//! Directories are opened relative to their parents and stay open while their files are opened, relative to
//! them, too: the kernel then looks up one name per file. If too many directories would be open (very deep
//! trees, or very many small directories at once), paths are used instead, of any length.

use std::sync::Arc;

use super::directory::{Directory, OpenDirectories};
use super::file::{File, Identity, Origin};
use super::globs::Kind;
use super::ignore_files::{IgnoreFiles, Trouble, Weight};
use super::listing::{Listed, Listing};
use super::long_paths;
use super::names::{Name, Names};
use super::rules::{FileSystems, Heed, Links, Rules, Sizes, Special};
use super::{Entry, Source};
use crate::limits::LISTED_BYTES;
use crate::message::{Speaker, reason};
use crate::output::Lines;
use crate::platform;
use crate::platform::fd::{AsFd, OwnedFd};
use crate::platform::fs::{AtFlags, CWD, FileType, OFlags, Stat};
use crate::platform::io::Errno;

/// The smallest budget for a directory's names, however many are held above it.
const LISTED_BYTES_LEAST: usize = 64 << 10;

/// The treatment of a directory among the arguments.
pub(crate) enum Directories {
    Refuse,
    Walk(Box<Rules>),
}

/// The files of an argument list, in order.
pub(crate) struct Walk<'a> {
    speaker: &'a Speaker,
    names: Names<'a>,
    asked: Asked,
    directories: &'a Directories,
    /// The directories between the argument and here.
    levels: Vec<Level>,
    ignore_files: IgnoreFiles,
    /// The listing of the directory left last, for its memory.
    spare: Listing,
    open: Arc<OpenDirectories>,
    standard_inputs: u64,
    /// The files that are written meanwhile, with their identities.
    own: Vec<(Identity, &'static str)>,
    /// Something could not be walked or is nothing to hash.
    pub(crate) failed: bool,
}

struct Level {
    directory: Arc<Directory>,
    listing: Listing,
    /// Set if the rules require it.
    identity: Option<Identity>,
    /// A glob selects the directory or one above it.
    included: bool,
}

/// An entry of a directory.
struct Found {
    directory: Arc<Directory>,
    path: Vec<u8>,
    kind: FileType,
    inode: u64,
    way: Way,
}

/// Whether the type of arguments is determined before they are opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Yes,
    No,
}

impl Asked {
    /// This is the only way to walk directories and to recognise files that may wait. But it costs 0.9 µs per
    /// name, a fifth of the whole cost of a file of 4 KiB (2026, one thread, /dev/shm). Lists, and command
    /// lines longer than anybody types, have plain files.
    fn of(names: &Names<'_>, directories: &Directories) -> Asked {
        const FEW: usize = 256;
        let is_needed = matches!(directories, Directories::Walk(_));
        if is_needed || names.len().is_some_and(|n| (2..=FEW).contains(&n)) { Asked::Yes } else { Asked::No }
    }
}

/// How the walk reached a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Straight,
    ByLink,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        speaker: &'a Speaker,
        names: Names<'a>,
        directories: &'a Directories,
        open_directories: usize,
    ) -> Walk<'a> {
        Walk {
            speaker,
            asked: Asked::of(&names, directories),
            names,
            directories,
            levels: Vec::new(),
            ignore_files: IgnoreFiles::default(),
            spare: Listing::default(),
            open: OpenDirectories::at_most(open_directories),
            standard_inputs: 0,
            own: Identity::of_output().map(|output| (output, "the output")).into_iter().collect(),
            failed: false,
        }
    }

    /// The same; this file, too, is written meanwhile.
    pub(crate) fn with_own(mut self, file: &std::fs::File, what: &'static str) -> Walk<'a> {
        self.own.extend(platform::fs::fstat(file).map(|stat| (Identity::of(&stat), what)));
        self
    }

    /// Visits an argument. Returns `None` if it gives no entry yet.
    fn argument(&mut self, name: Vec<u8>) -> Option<Entry<()>> {
        if name == b"-" {
            self.standard_inputs += 1;
            return file(name, Origin::StandardInput(self.standard_inputs - 1));
        }
        let stat = match self.asked {
            Asked::Yes => long_paths::stat(CWD, &name, AtFlags::empty()).ok(),
            Asked::No => None,
        };
        match (stat.as_ref().map(|stat| FileType::from_raw_mode(stat.st_mode)), self.directories) {
            (Some(FileType::Directory), Directories::Walk(rules)) => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
                let opened = long_paths::open(CWD, &name, flags);
                self.enter(rules, name, opened, Way::Straight)
            }
            (Some(FileType::Fifo | FileType::CharacterDevice), _) => {
                let identity = stat.as_ref().map(Identity::of);
                file(name, identity.map_or(Origin::Named, Origin::Awaited))
            }
            _ => file(name, Origin::Named),
        }
    }

    /// Visits an entry of a directory. Returns `None` if it gives no entry yet.
    fn entry(&mut self, rules: &Rules, mut found: Found) -> Option<Entry<()>> {
        let stat = match found.kind {
            FileType::Symlink if rules.links == Links::Leave => return None,
            FileType::Symlink => {
                found.way = Way::ByLink;
                Some(found.stat(AtFlags::empty()))
            }
            FileType::Directory if rules.file_systems == FileSystems::OfArgument => {
                // Before it is opened, which may be what mounts a file system.
                Some(found.stat(AtFlags::SYMLINK_NOFOLLOW))
            }
            _ => None,
        };
        if let Some(Ok(stat)) = &stat {
            found.kind = FileType::from_raw_mode(stat.st_mode);
        }
        let kind = if found.kind == FileType::Directory { Kind::Directory } else { Kind::Other };
        if self.leaves_alone(rules, &found.path, kind) {
            return None;
        }
        match stat {
            Some(Err(error)) => Some(self.trouble(&found.path, &reason(error))),
            Some(Ok(stat)) if kind == Kind::Directory && self.is_beyond(rules, &stat) => None,
            _ if kind == Kind::Directory => {
                let opened = found.open_directory();
                self.enter(rules, found.path, opened, found.way)
            }
            _ => self.found_file(rules, found),
        }
    }

    /// Visits an entry that is not a directory.
    fn found_file(&mut self, rules: &Rules, found: Found) -> Option<Entry<()>> {
        if found.kind == FileType::RegularFile
            && let Some(what) = self.own(&found)
        {
            // Its digest would be that of a half-written list. This is not a failure, as with tar and grep:
            // nothing is wrong with the files, nor with `sum -r . > SUMS`, and the message appears in every
            // such run.
            let err = self.speaker.about_file(&found.path, &format!("not hashed: it is {what}"));
            return Some(Entry::Said(Lines { err, ..Lines::default() }));
        }
        // A file that cannot be examined is opened, and gives the error.
        if found.kind == FileType::RegularFile
            && rules.sizes != Sizes::default()
            && let Ok(stat) = found.stat(AtFlags::empty())
            && !rules.sizes.include(stat.st_size as u64)
        {
            return None;
        }
        let special = match found.kind {
            FileType::RegularFile if found.way == Way::ByLink => {
                return file(found.path, Origin::Linked(found.directory));
            }
            FileType::RegularFile => return file(found.path, Origin::Found(found.directory)),
            // Opening a socket's file does not connect to it.
            FileType::Socket => "a socket",
            FileType::Unknown => "of unknown type",
            _ if rules.special == Special::Hash => {
                return match found.stat(AtFlags::empty()) {
                    Ok(stat) => {
                        let identity = Identity::of(&stat);
                        file(found.path, Origin::Special(found.directory, identity))
                    }
                    Err(error) => Some(self.trouble(&found.path, &reason(error))),
                };
            }
            FileType::Fifo => "a named pipe",
            _ => "a device",
        };
        Some(self.trouble(&found.path, &format!("not hashed: it is {special}")))
    }

    /// Returns whether globs or ignore files exclude a found file.
    fn leaves_alone(&self, rules: &Rules, path: &[u8], kind: Kind) -> bool {
        let below = self.below_argument(path);
        let is_included = || {
            // A directory may contain requested files, even if its own name does not match.
            kind == Kind::Directory
                || self.levels.last().is_some_and(|level| level.included)
                || rules.globs.include(below, kind)
        };
        !is_included()
            || rules.globs.exclude(below, kind)
            || (rules.ignore_files == Heed::Yes && self.ignore_files.ignore(path, kind))
    }

    /// Returns the path relative to the argument; nothing for the argument itself.
    fn below_argument<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        self.levels.first().map_or(b"", |argument| &path[argument.directory.prefix().len()..])
    }

    /// Returns whether a directory is on a file system that is not to be entered.
    fn is_beyond(&self, rules: &Rules, stat: &Stat) -> bool {
        let argument = self.levels.first().and_then(|level| level.identity);
        rules.file_systems == FileSystems::OfArgument
            && argument.is_some_and(|argument| argument.device != Identity::of(stat).device)
    }

    /// Describes a regular file that this program itself writes meanwhile. A directory reports the inodes of
    /// its entries, so only entries with such an inode are examined further; a reported inode that is not the
    /// file's is not noticed.
    fn own(&self, found: &Found) -> Option<&'static str> {
        let is_one = |own: Identity| {
            (found.way == Way::ByLink || [own.inode, 0].contains(&found.inode))
                && found.stat(AtFlags::empty()).is_ok_and(|stat| Identity::of(&stat) == own)
        };
        self.own.iter().find(|(own, _)| is_one(*own)).map(|(_, what)| *what)
    }

    /// Enters a directory. Returns a message only for an error.
    fn enter(
        &mut self,
        rules: &Rules,
        path: Vec<u8>,
        opened: Result<OwnedFd, Errno>,
        way: Way,
    ) -> Option<Entry<()>> {
        let fd = match opened {
            Ok(fd) => fd,
            Err(error) => {
                return Some(self.trouble(&path, &format!("cannot open directory: {}", reason(error))));
            }
        };
        let identity = rules.need_identity().then(|| platform::fs::fstat(&fd)).and_then(Result::ok);
        let identity = identity.as_ref().map(Identity::of);
        if identity.is_some() && self.levels.iter().any(|level| level.identity == identity) {
            let text = match way {
                Way::ByLink => "not hashed: a link to a directory above it",
                Way::Straight => "not hashed: a link in it led back to it",
            };
            return Some(self.trouble(&path, text));
        }
        let included = self.levels.last().is_some_and(|level| level.included)
            || rules.globs.include(self.below_argument(&path), Kind::Directory);
        let argument_bytes =
            self.levels.first().map_or(path.len(), |argument| argument.directory.argument_bytes());
        let mut prefix = path;
        if prefix.last() != Some(&b'/') {
            prefix.push(b'/');
        }
        let mut said = self.read_ignore_files(rules, &fd, &prefix);
        let mut listing = std::mem::take(&mut self.spare);
        let result = listing.read(fd.as_fd(), None, self.budget());
        said.extend(self.listing_error(&prefix, result));
        let directory = Arc::new(Directory::new(prefix, argument_bytes, fd, &self.open));
        self.levels.push(Level { directory, listing, identity, included });
        (!said.is_empty()).then_some(Entry::Said(Lines { err: said, ..Lines::default() }))
    }

    /// Reads the ignore files of a directory, and of those above it if it is an argument. Returns messages
    /// about them.
    fn read_ignore_files(&mut self, rules: &Rules, fd: &OwnedFd, prefix: &[u8]) -> Vec<u8> {
        if rules.ignore_files == Heed::No {
            return Vec::new();
        }
        let mut troubles = Vec::new();
        if self.levels.is_empty() {
            troubles = self.ignore_files.begin(prefix);
        }
        troubles.extend(self.ignore_files.enter(fd.as_fd(), prefix));
        self.failed |= troubles.iter().any(|trouble| trouble.weight == Weight::Failure);
        let said = |trouble: Trouble| self.speaker.about_file(&trouble.file, &trouble.text);
        troubles.into_iter().flat_map(said).collect()
    }

    /// Another pass over the innermost directory, which holds more names than memory should.
    fn pass_again(&mut self, after: &[u8]) -> Option<Entry<()>> {
        let mut level = self.levels.pop()?;
        let (directory, listing) = (&level.directory, &mut level.listing);
        listing.clear();
        let budget = self.budget();
        let result = match directory.fd() {
            Some(fd) => listing.read(fd, Some(after), budget),
            None => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
                long_paths::open(CWD, directory.prefix(), flags)
                    .and_then(|fd| listing.read(fd.as_fd(), Some(after), budget))
            }
        };
        let said = self.listing_error(directory.prefix(), result);
        self.levels.push(level);
        (!said.is_empty()).then_some(Entry::Said(Lines { err: said, ..Lines::default() }))
    }

    fn listing_error(&mut self, prefix: &[u8], result: Result<(), Errno>) -> Vec<u8> {
        let Err(error) = result else { return Vec::new() };
        self.failed = true;
        let path = prefix.strip_suffix(b"/").filter(|path| !path.is_empty()).unwrap_or(prefix);
        self.speaker.about_file(path, &format!("cannot read directory: {}", reason(error)))
    }

    /// Leaves a directory.
    fn leave(&mut self) {
        self.spare = self.levels.pop().map(|level| level.listing).unwrap_or_default();
        self.ignore_files.leave();
    }

    /// Half of the remaining memory for names, so that any depth of large directories is bounded.
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
            let entry = match (self.levels.last_mut(), self.directories) {
                (Some(level), Directories::Walk(rules)) => {
                    if let Some(Listed { name, kind, inode }) = level.listing.next() {
                        let path = [level.directory.prefix(), name].concat();
                        let directory = Arc::clone(&level.directory);
                        self.entry(rules, Found { directory, path, kind, inode, way: Way::Straight })
                    } else if let Some(after) = level.listing.last_before_rest() {
                        self.pass_again(&after)
                    } else {
                        self.leave();
                        None
                    }
                }
                _ => match self.names.next()? {
                    Name::Is(name) => self.argument(name),
                    Name::Wrong(words) => {
                        self.failed = true;
                        Some(Entry::Said(Lines { err: words, ..Lines::default() }))
                    }
                },
            };
            if entry.is_some() {
                return entry;
            }
        }
    }

    fn at_most(&self) -> Option<usize> {
        self.names.len().filter(|_| matches!(self.directories, Directories::Refuse))
    }

    fn next_may_wait(&self) -> bool {
        self.levels.is_empty() && self.names.next_may_wait()
    }
}

impl Found {
    fn stat(&self, flags: AtFlags) -> Result<Stat, Errno> {
        let (at, name) = self.directory.locate(&self.path);
        long_paths::stat(at, name, flags)
    }

    fn open_directory(&self) -> Result<OwnedFd, Errno> {
        let (at, name) = self.directory.locate(&self.path);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let follow = if self.way == Way::ByLink { OFlags::empty() } else { OFlags::NOFOLLOW };
        long_paths::open(at, name, flags | follow)
    }
}

fn file(name: Vec<u8>, origin: Origin) -> Option<Entry<()>> {
    Some(Entry::File(File { name, origin }, ()))
}
