//! The entries of one directory, in the order of their names' bytes, in bounded memory.
//!
//! A directory may have more names than memory should hold. Then it is read in several passes. Each pass
//! keeps the smallest names after the last returned one, as many as fit, and drops the others:
//!
//! ```text
//!   for each entry: skip it unless  last given < name < bound  (no bound at first)
//!                   keep it;  if too much is kept: sort, forget the upper half, bound = first forgotten
//! ```
//!
//! `walkdir` and `ignore` sort too, but hold all names of a directory, one allocation each, and open by path
//! instead of relative to the directory; and messages could not be printed in place and order.

use crate::platform;
use crate::platform::fd::BorrowedFd;
use crate::platform::fs::{AtFlags, Dir, FileType};
use crate::platform::io::Errno;

/// Names of a directory in order, each with its type; a cursor moves through them.
#[derive(Default)]
pub(crate) struct Listing {
    /// All kept names, one after another.
    names: Vec<u8>,
    entries: Vec<Entry>,
    next: usize,
    rest: Rest,
}

#[derive(Clone, Copy)]
struct Entry {
    inode: u64,
    at: u32,
    len: u16,
    kind: FileType,
}

/// A name, and its type according to the directory.
pub(crate) struct Listed<'l> {
    pub(crate) name: &'l [u8],
    pub(crate) kind: FileType,
    /// On some file systems over a network or in user space not the file's own; 0 if the system reports none.
    pub(crate) inode: u64,
}

/// Whether names beyond those kept are left in the directory.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Rest {
    #[default]
    None,
    Unread,
}

impl Listing {
    /// Reads the entries of `directory` (except `.` and `..`) after the name `after`: the smallest ones that
    /// fit into `budget` bytes, at least one. Drops the earlier names and reuses their memory.
    ///
    /// # Errors
    /// The error that ended the reading early; entries read before it are listed.
    pub(crate) fn read(
        &mut self,
        directory: BorrowedFd<'_>,
        after: Option<&[u8]>,
        budget: usize,
    ) -> Result<(), Errno> {
        self.clear();
        let result = self.fill(directory, after, budget);
        if result.is_err() {
            self.rest = Rest::None; // not again the same error
        }
        self.sort();
        result
    }

    /// Forgets the names and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.entries.clear();
        self.next = 0;
        self.rest = Rest::None;
    }

    /// Returns the next name; `None` at the end of this pass.
    pub(crate) fn next(&mut self) -> Option<Listed<'_>> {
        let entry = *self.entries.get(self.next)?;
        self.next += 1;
        Some(Listed { name: self.name(entry), kind: entry.kind, inode: entry.inode })
    }

    /// Returns the last name, if the directory has more than this pass kept.
    pub(crate) fn last_before_rest(&self) -> Option<Vec<u8>> {
        let last = self.entries.last().filter(|_| self.rest == Rest::Unread)?;
        Some(self.name(*last).to_vec())
    }

    /// Bytes of memory held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.names.capacity() + self.entries.capacity() * size_of::<Entry>()
    }

    fn fill(&mut self, fd: BorrowedFd<'_>, after: Option<&[u8]>, budget: usize) -> Result<(), Errno> {
        let mut dir = Dir::new(platform::io::fcntl_dupfd_cloexec(fd, 0)?)?;
        dir.rewind();
        let mut bound: Option<Vec<u8>> = None;
        for entry in dir {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            let is_behind = after.is_none_or(|after| name > after);
            if matches!(name, b"." | b"..") || !is_behind || bound.as_deref().is_some_and(|b| name >= b) {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => match platform::fs::statat(fd, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                    // Listed as a file, it will be reported when it is opened.
                    Err(_) => FileType::RegularFile,
                },
                known => known,
            };
            let (at, len) = (self.names.len() as u32, name.len() as u16);
            self.entries.push(Entry { inode: entry.ino(), at, len, kind });
            self.names.extend_from_slice(name);
            let bytes = self.names.len() + self.entries.len() * size_of::<Entry>();
            if bytes > budget && self.entries.len() > 1 {
                bound = Some(self.forget_upper_half());
            }
        }
        Ok(())
    }

    fn sort(&mut self) {
        let names = &self.names;
        let name = |e: &Entry| &names[e.at as usize..][..e.len as usize];
        self.entries.sort_unstable_by(|a, b| name(a).cmp(name(b)));
    }

    /// Drops the larger half of the names and returns the smallest of it.
    fn forget_upper_half(&mut self) -> Vec<u8> {
        self.sort();
        let keep = self.entries.len().div_ceil(2);
        let bound = self.name(self.entries[keep]).to_vec();
        self.entries.truncate(keep);
        // In the order in which they lie, so that each name moves down over forgotten ones.
        self.entries.sort_unstable_by_key(|entry| entry.at);
        let mut end = 0;
        for entry in &mut self.entries {
            let (at, len) = (entry.at as usize, usize::from(entry.len));
            self.names.copy_within(at..at + len, end);
            entry.at = end as u32;
            end += len;
        }
        self.names.truncate(end);
        self.rest = Rest::Unread;
        bound
    }

    fn name(&self, entry: Entry) -> &[u8] {
        &self.names[entry.at as usize..][..entry.len as usize]
    }
}

#[cfg(test)]
mod tests {
    use crate::platform::fd::AsFd;
    use crate::platform::fs::{CWD, Mode, OFlags};

    use super::*;

    /// However little fits, all names come, each once, in order.
    #[test]
    fn passes_make_up_the_directory() {
        let dir = std::env::temp_dir().join(format!("hashlanes-listing-{}", std::process::id()));
        std::fs::create_dir(&dir).unwrap();
        let mut names: Vec<String> = (0..300).map(|k| format!("{:x}", k * 7919 % 1009)).collect();
        for name in &names {
            std::fs::write(dir.join(name), "").unwrap();
        }
        names.sort();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let fd = platform::fs::openat(CWD, &dir, flags, Mode::empty()).unwrap();
        for budget in [0, 100, 1000, 2000, 1 << 20] {
            let (mut listed, mut after) = (Vec::new(), None::<Vec<u8>>);
            let mut listing = Listing::default();
            loop {
                listing.read(fd.as_fd(), after.as_deref(), budget).unwrap();
                while let Some(Listed { name, kind, inode }) = listing.next() {
                    assert!(kind == FileType::RegularFile && (inode != 0 || cfg!(windows)));
                    listed.push(String::from_utf8(name.to_vec()).unwrap());
                }
                after = listing.last_before_rest();
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(listed, names, "budget {budget}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
