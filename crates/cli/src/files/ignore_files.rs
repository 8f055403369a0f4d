//! The files .gitignore, .ignore and .git/info/exclude: the files that git and similar tools skip.
//!
//! The rules for which of them applies to a path, and which wins, are those of ripgrep:
//!
//! 1. They are read in each directory, from the root of the file system on: those above an argument count.
//! 2. The innermost file with a rule for the path decides. A .ignore anywhere wins over any .gitignore, and
//!    that over any .git/info/exclude.
//! 3. Files of git's hold within a repository: from the directory that has .git down, and not above it.
//!
//! Two things differ. `.git` itself is left out: it is not part of what git keeps, and hidden files are
//! hashed here. The list of a user's own (core.excludesFile) is not read: what a manifest holds should not
//! depend on who makes it.
//!
//! Globs are matched by the crate `ignore`, from rules as git reads them (`formats/src/ignore_rule.rs`). Its
//! walk would not do: see `listing.rs`; and its matcher of whole trees keeps all directories in memory, where
//! this keeps those between the argument and here.

use std::path::Path;

use hashlanes_formats::ignore_rule::rule;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::file::read;
use super::globs::{Kind, words};
use crate::limits::IGNORE_FILE_BYTES;
use crate::message::reason;
use crate::platform;
use crate::platform::AS_PATH;
use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::ffi::OsStrExt;
use crate::platform::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use crate::platform::io::Errno;

/// The ignore files that hold where the walk is.
#[derive(Default)]
pub(super) struct IgnoreFiles {
    /// From the root of the file system on.
    levels: Vec<Level>,
}

/// The ignore files of one directory.
struct Level {
    files: Vec<(Class, Gitignore)>,
    /// The directory has `.git`.
    is_repository: bool,
    base: Base,
}

/// The kinds of files, the first heard first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Ignore,
    Gitignore,
    Exclude,
}

/// Converts a path of the walk to a path relative to an ignore file's directory.
#[derive(Clone)]
struct Base {
    /// Bytes that begin it in the walk and do not belong to it there.
    cut: usize,
    /// The prefix there: the path from a directory above the argument to the argument.
    ahead: Vec<u8>,
}

/// Something about an ignore file that should be known.
pub(super) struct Trouble {
    pub(super) file: Vec<u8>,
    pub(super) text: String,
    pub(super) weight: Weight,
}

/// Whether it makes a walk fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weight {
    /// A line without meaning: git ignores it, too, and does not report it.
    Remark,
    /// A whole file could not be read.
    Failure,
}

impl IgnoreFiles {
    /// Forgets everything and reads the files above the argument, whose names in the walk begin with
    /// `prefix`.
    pub(super) fn begin(&mut self, prefix: &[u8]) -> Vec<Trouble> {
        self.levels.clear();
        let mut troubles = Vec::new();
        // An argument that has no path any more has nothing above it.
        let Ok(argument) = Path::new(&*platform::os_str(prefix)).canonicalize() else { return troubles };
        let mut above: Vec<&Path> = argument.ancestors().skip(1).collect();
        above.reverse();
        for directory in above {
            let flags = AS_PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let Ok(fd) = platform::fs::openat(CWD, directory, flags, Mode::empty()) else { continue };
            let way = argument.strip_prefix(directory).unwrap_or(&argument);
            let ahead = [way.as_os_str().as_bytes(), b"/"].concat();
            let path = directory.join("").into_os_string();
            let base = Base { cut: prefix.len(), ahead };
            self.levels.push(Level::read(fd.as_fd(), path.as_bytes(), base, &mut troubles));
        }
        troubles
    }

    /// Reads the files of a directory that the walk enters; names in it begin with `prefix`.
    pub(super) fn enter(&mut self, directory: BorrowedFd<'_>, prefix: &[u8]) -> Vec<Trouble> {
        let mut troubles = Vec::new();
        let base = Base { cut: prefix.len(), ahead: Vec::new() };
        self.levels.push(Level::read(directory, prefix, base, &mut troubles));
        troubles
    }

    /// Forgets the directory entered last.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Returns whether a path of the walk, in the directory entered last, is ignored.
    pub(super) fn ignore(&self, path: &[u8], kind: Kind) -> bool {
        let directory = self.levels.last().map_or(0, |level| level.base.cut);
        if &path[directory..] == b".git" {
            return true;
        }
        let is_in_repository = self.levels.iter().any(|level| level.is_repository);
        for class in [Class::Ignore, Class::Gitignore, Class::Exclude] {
            if class != Class::Ignore && !is_in_repository {
                break;
            }
            for level in self.levels.iter().rev() {
                let said = level.matched(class, path, kind);
                if !said.is_none() {
                    return said.is_ignore();
                }
                if class != Class::Ignore && level.is_repository {
                    break;
                }
            }
        }
        false
    }
}

impl Level {
    fn read(directory: BorrowedFd<'_>, prefix: &[u8], base: Base, troubles: &mut Vec<Trouble>) -> Level {
        let mut reader = Reader { prefix, files: Vec::new(), troubles };
        reader.add(Class::Ignore, directory, ".ignore", b".ignore");
        reader.add(Class::Gitignore, directory, ".gitignore", b".gitignore");
        let git = platform::fs::statat(directory, ".git", AtFlags::empty());
        if let Ok(stat) = git
            && let Some(fd) = git_directory(directory, FileType::from_raw_mode(stat.st_mode))
        {
            reader.add(Class::Exclude, fd.as_fd(), "info/exclude", b".git/info/exclude");
        }
        Level { files: reader.files, is_repository: git.is_ok(), base }
    }

    fn matched(&self, class: Class, path: &[u8], kind: Kind) -> ignore::Match<()> {
        let Some((_, file)) = self.files.iter().find(|(known, _)| *known == class) else {
            return ignore::Match::None;
        };
        let is_directory = kind == Kind::Directory;
        let path = &path[self.base.cut..];
        let said = if self.base.ahead.is_empty() {
            file.matched(&*platform::os_str(path), is_directory)
        } else {
            let path = [&self.base.ahead, path].concat();
            file.matched(&*platform::os_str(&path), is_directory)
        };
        said.map(|_| ())
    }
}

/// Returns the directory that holds info/exclude: .git itself, or the one that the file .git of a linked work
/// tree or of a submodule names, or the one that has everything linked work trees share
/// (gitrepository-layout(5)).
fn git_directory(directory: BorrowedFd<'_>, kind: FileType) -> Option<OwnedFd> {
    let flags = AS_PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open =
        |from: BorrowedFd<'_>, path: &[u8]| platform::fs::openat(from, path, flags, Mode::empty()).ok();
    let line = |from: BorrowedFd<'_>, name: &str| {
        let content = read_small(from, name).ok().flatten()?;
        content.strip_suffix(b"\n").map(<[u8]>::to_vec).or(Some(content))
    };
    if kind == FileType::Directory {
        return open(directory, b".git");
    }
    let git = open(directory, line(directory, ".git")?.strip_prefix(b"gitdir: ")?)?;
    match line(git.as_fd(), "commondir") {
        Some(common) => open(git.as_fd(), &common),
        None => Some(git),
    }
}

/// Reads ignore files of one directory.
struct Reader<'r> {
    prefix: &'r [u8],
    files: Vec<(Class, Gitignore)>,
    troubles: &'r mut Vec<Trouble>,
}

impl Reader<'_> {
    /// Reads the file of that name in `directory`, if it exists; `shown` is its name with the prefix.
    fn add(&mut self, class: Class, directory: BorrowedFd<'_>, name: &str, shown: &[u8]) {
        let content = match read_small(directory, name) {
            Ok(None) => return,
            Ok(Some(content)) => content,
            Err(Errno::FBIG) => {
                let text = format!("not heeded: longer than {} KiB", IGNORE_FILE_BYTES >> 10);
                return self.trouble(shown, text, Weight::Failure);
            }
            Err(error) => {
                return self.trouble(shown, format!("cannot read: {}", reason(error)), Weight::Failure);
            }
        };
        // Without a root: the paths are relative to its own directory.
        let mut builder = GitignoreBuilder::new("");
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&content);
        for (line, number) in content.split(|b| *b == b'\n').zip(1..) {
            let added = match std::str::from_utf8(line).map(rule) {
                Ok(Ok(Some(rule))) => {
                    builder.add_line(None, &rule).map(|_| ()).map_err(|error| words(&error))
                }
                Ok(Ok(None)) => Ok(()),
                Ok(Err(mistake)) => Err(mistake.into()),
                Err(_) => Err("not UTF-8".into()),
            };
            if let Err(words) = added {
                self.trouble(shown, format!("line {number} is ignored: {words}"), Weight::Remark);
            }
        }
        match builder.build() {
            Ok(file) if file.is_empty() => {}
            Ok(file) => self.files.push((class, file)),
            Err(error) => {
                self.trouble(shown, format!("not heeded: {}", words(&error)), Weight::Failure);
            }
        }
    }

    fn trouble(&mut self, shown: &[u8], text: String, weight: Weight) {
        self.troubles.push(Trouble { file: [self.prefix, shown].concat(), text, weight });
    }
}

/// Returns the content of a regular file in `directory`; `None` if it does not exist. A file that is too long
/// is `FBIG`.
fn read_small(directory: BorrowedFd<'_>, name: &str) -> Result<Option<Vec<u8>>, Errno> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let fd = match platform::fs::openat(directory, name, flags, Mode::empty()) {
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        opened => opened?,
    };
    if FileType::from_raw_mode(platform::fs::fstat(&fd)?.st_mode) != FileType::RegularFile {
        return Ok(None);
    }
    let mut content = Vec::new();
    let mut part = [0; 8 << 10];
    loop {
        match read(fd.as_fd(), &mut part)? {
            0 => return Ok(Some(content)),
            n => content.extend_from_slice(&part[..n]),
        }
        if content.len() > IGNORE_FILE_BYTES {
            return Err(Errno::FBIG);
        }
    }
}
