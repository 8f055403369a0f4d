//! What tells a file from all others while it exists.

use rustix::fs::{FileType, Stat};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) inode: u64,
}

impl Identity {
    pub(crate) fn of(stat: &Stat) -> Identity {
        Identity { device: stat.st_dev, inode: stat.st_ino }
    }

    /// Of the file that standard output goes to, if it is a regular one.
    pub(crate) fn of_output() -> Option<Identity> {
        let stat = rustix::fs::fstat(rustix::stdio::stdout()).ok()?;
        (FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile).then(|| Identity::of(&stat))
    }
}
