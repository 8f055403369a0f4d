//! Files by their names.
//!
//! The standard library accepts paths of any length, with `/` as well as `\`.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::Seek;
pub(crate) use std::io::SeekFrom;
use std::ops::BitOr;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use winapi_util::file::{Information, information, typ};

use super::errno::{Errno, Result, errno};
use super::fd::{AsFd, BorrowedFd, OwnedFd};
use super::ffi::{OsStringExt, os_str};

/// The working directory.
pub(crate) const CWD: BorrowedFd<'static> = BorrowedFd::WorkingDirectory;

macro_rules! flags {
    ($(#[$doc:meta])* $type:ident: $($name:ident = $bit:literal),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct $type(u32);

        impl $type {
            $(pub(crate) const $name: $type = $type($bit);)*

            pub(crate) const fn empty() -> $type {
                $type(0)
            }

            pub(crate) const fn contains(self, other: $type) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl BitOr for $type {
            type Output = $type;

            fn bitor(self, other: $type) -> $type {
                $type(self.0 | other.0)
            }
        }
    };
}

flags! {
    /// How a file is opened. Files are never inherited by other programs, and none becomes a terminal.
    OFlags: RDONLY = 0, CLOEXEC = 0, NOCTTY = 0, NONBLOCK = 0,
        WRONLY = 1, RDWR = 2, CREATE = 4, EXCL = 8, NOFOLLOW = 16, DIRECTORY = 32
}
flags! {
    AtFlags: SYMLINK_NOFOLLOW = 1, REMOVEDIR = 2
}

/// The rights of a new file: those that its directory gives.
#[derive(Clone, Copy)]
pub(crate) struct Mode(());

impl Mode {
    pub(crate) const RWXU: Mode = Mode(());

    pub(crate) const fn empty() -> Mode {
        Mode(())
    }

    pub(crate) const fn from_raw_mode(_: u32) -> Mode {
        Mode(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileType {
    RegularFile,
    Directory,
    Symlink,
    Fifo,
    CharacterDevice,
    Socket,
    BlockDevice,
    Unknown,
}

impl FileType {
    const ALL: [FileType; 7] = [
        Self::RegularFile,
        Self::Directory,
        Self::Symlink,
        Self::Fifo,
        Self::CharacterDevice,
        Self::Socket,
        Self::BlockDevice,
    ];

    /// Returns the type in a status.
    pub(crate) fn from_raw_mode(mode: u32) -> FileType {
        Self::ALL.into_iter().find(|kind| kind.raw_mode() == mode).unwrap_or(Self::Unknown)
    }

    /// As elsewhere, without rights of others in the lower bits.
    fn raw_mode(self) -> u32 {
        (self as u32) << 12
    }

    pub(crate) fn is_dir(self) -> bool {
        self == Self::Directory
    }

    fn of(file_type: fs::FileType) -> FileType {
        if file_type.is_symlink() {
            Self::Symlink
        } else if file_type.is_dir() {
            Self::Directory
        } else {
            Self::RegularFile
        }
    }
}

/// A file's status, as far as the system has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    pub(crate) st_mode: u32,
    pub(crate) st_size: i64,
    pub(crate) st_dev: u64,
    pub(crate) st_ino: u64,
    pub(crate) st_rdev: u64,
    /// Always 0, as [`super::process::geteuid`].
    pub(crate) st_uid: u32,
    pub(crate) st_mtime: i64,
    pub(crate) st_mtime_nsec: i64,
    /// The later one of creation and last write: the system keeps no change of the status.
    pub(crate) st_ctime: i64,
    pub(crate) st_ctime_nsec: i64,
}

impl Stat {
    fn of(kind: FileType, information: &Information) -> Stat {
        /// Units of 100 ns.
        const UNITS: u64 = 10_000_000;
        /// Seconds from 1601 to 1970.
        const EPOCH: i64 = 11_644_473_600;
        let time = |units: u64| ((units / UNITS) as i64 - EPOCH, (units % UNITS) as i64 * 100);
        let written = information.last_write_time().unwrap_or(0);
        let (st_mtime, st_mtime_nsec) = time(written);
        let (st_ctime, st_ctime_nsec) = time(written.max(information.creation_time().unwrap_or(0)));
        Stat {
            st_size: information.file_size() as i64,
            st_dev: information.volume_serial_number(),
            st_ino: information.file_index(),
            st_mtime,
            st_mtime_nsec,
            st_ctime,
            st_ctime_nsec,
            ..Stat::without_file(kind)
        }
    }

    fn without_file(kind: FileType) -> Stat {
        let (st_size, st_dev, st_ino, st_rdev, st_uid) = (0, 0, 0, 0, 0);
        let (st_mtime, st_mtime_nsec, st_ctime, st_ctime_nsec) = (0, 0, 0, 0);
        Stat {
            st_mode: kind.raw_mode(),
            st_size,
            st_dev,
            st_ino,
            st_rdev,
            st_uid,
            st_mtime,
            st_mtime_nsec,
            st_ctime,
            st_ctime_nsec,
        }
    }
}

/// A path in one of its forms.
pub(crate) trait Arg {
    fn path(&self) -> Cow<'_, Path>;
}

impl Arg for [u8] {
    fn path(&self) -> Cow<'_, Path> {
        match os_str(self) {
            Cow::Borrowed(name) => Cow::Borrowed(Path::new(name)),
            Cow::Owned(name) => Cow::Owned(name.into()),
        }
    }
}

macro_rules! paths {
    ($($type:ty)*) => {
        $(impl Arg for $type {
            fn path(&self) -> Cow<'_, Path> {
                Cow::Borrowed(self.as_ref())
            }
        })*
    };
}

paths!(str String OsStr OsString Path PathBuf);

impl Arg for Vec<u8> {
    fn path(&self) -> Cow<'_, Path> {
        self[..].path()
    }
}

impl<const N: usize> Arg for [u8; N] {
    fn path(&self) -> Cow<'_, Path> {
        self[..].path()
    }
}

impl<A: Arg + ?Sized> Arg for &A {
    fn path(&self) -> Cow<'_, Path> {
        A::path(self)
    }
}

/// Returns a path relative to a directory.
fn located(at: impl AsFd, path: impl Arg) -> Result<PathBuf> {
    let path = path.path();
    if path.as_os_str().is_empty() {
        return Err(Errno::NOENT);
    }
    match at.as_fd() {
        BorrowedFd::WorkingDirectory => Ok(path.into_owned()),
        BorrowedFd::Directory(directory) => Ok(directory.join(path)),
        _ => Err(Errno::NOTDIR),
    }
}

pub(crate) fn openat(at: impl AsFd, path: impl Arg, flags: OFlags, _: Mode) -> Result<OwnedFd> {
    let path = located(at, path)?;
    let follows = !flags.contains(OFlags::NOFOLLOW);
    if flags.contains(OFlags::DIRECTORY) {
        return match FileType::from_raw_mode(look(&path, follows)?.st_mode) {
            FileType::Directory => Ok(OwnedFd::Directory(path)),
            FileType::Symlink => Err(Errno::LOOP),
            _ => Err(Errno::NOTDIR),
        };
    }
    if !follows && fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(Errno::LOOP);
    }
    let writes = flags.contains(OFlags::WRONLY) || flags.contains(OFlags::RDWR);
    let opened = File::options()
        .read(!flags.contains(OFlags::WRONLY))
        .write(writes)
        .create_new(flags.contains(OFlags::CREATE | OFlags::EXCL))
        .open(&path);
    // A directory is refused as if it were forbidden.
    opened.map(OwnedFd::File).map_err(errno).map_err(|error| match error {
        Errno::ACCESS if path.is_dir() => Errno::ISDIR,
        error => error,
    })
}

pub(crate) fn fstat(fd: impl AsFd) -> Result<Stat> {
    match fd.as_fd() {
        BorrowedFd::Directory(path) => look(path, true),
        fd => fd.with_file(stat_of),
    }
}

fn stat_of(file: &File) -> std::io::Result<Stat> {
    let kind = typ(file)?;
    if kind.is_pipe() {
        return Ok(Stat::without_file(FileType::Fifo));
    }
    if !kind.is_disk() {
        return Ok(Stat::without_file(FileType::CharacterDevice));
    }
    Ok(Stat::of(FileType::of(file.metadata()?.file_type()), &information(file)?))
}

pub(crate) fn statat(at: impl AsFd, path: impl Arg, flags: AtFlags) -> Result<Stat> {
    look(&located(at, path)?, !flags.contains(AtFlags::SYMLINK_NOFOLLOW))
}

pub(crate) fn stat(path: impl Arg) -> Result<Stat> {
    statat(CWD, path, AtFlags::empty())
}

/// Examines what a path names.
fn look(path: &Path, follows: bool) -> Result<Stat> {
    /// Also of directories.
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    let of_link = if follows { 0 } else { FILE_FLAG_OPEN_REPARSE_POINT };
    let mut options = OpenOptions::new();
    options.access_mode(0).custom_flags(FILE_FLAG_BACKUP_SEMANTICS | of_link);
    options.open(path).and_then(|file| stat_of(&file)).map_err(errno)
}

/// Returns the target of a link.
pub(crate) fn readlinkat(at: impl AsFd, path: impl Arg) -> Result<OsString> {
    fs::read_link(located(at, path)?).map(PathBuf::into_os_string).map_err(errno)
}

/// The entries of a directory.
pub(crate) struct Dir(fs::ReadDir);

impl Dir {
    pub(crate) fn new(directory: OwnedFd) -> Result<Dir> {
        match directory {
            OwnedFd::Directory(path) => fs::read_dir(path).map(Dir).map_err(errno),
            OwnedFd::File(_) => Err(Errno::NOTDIR),
        }
    }

    /// Does nothing: each is read once.
    pub(crate) fn rewind(&mut self) {}
}

impl Iterator for Dir {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Result<DirEntry>> {
        let entry = self.0.next()?.map(|entry| DirEntry {
            kind: entry.file_type().map_or(FileType::Unknown, FileType::of),
            name: entry.file_name().into_vec(),
        });
        Some(entry.map_err(errno))
    }
}

pub(crate) struct DirEntry {
    name: Vec<u8>,
    kind: FileType,
}

/// A name in a directory.
pub(crate) struct FileName<'e>(&'e [u8]);

impl<'e> FileName<'e> {
    pub(crate) fn to_bytes(&self) -> &'e [u8] {
        self.0
    }
}

impl DirEntry {
    pub(crate) fn file_name(&self) -> FileName<'_> {
        FileName(&self.name)
    }

    pub(crate) fn file_type(&self) -> FileType {
        self.kind
    }

    /// Directories do not report it.
    pub(crate) fn ino(&self) -> u64 {
        0
    }
}

pub(crate) fn seek(fd: impl AsFd, to: SeekFrom) -> Result<u64> {
    fd.as_fd().with_file(|mut file| file.seek(to))
}

pub(crate) fn tell(fd: impl AsFd) -> Result<u64> {
    seek(fd, SeekFrom::Current(0))
}

pub(crate) fn ftruncate(fd: impl AsFd, n_bytes: u64) -> Result<()> {
    fd.as_fd().with_file(|file| file.set_len(n_bytes))
}

/// Directories cannot be synced here.
pub(crate) fn fsync(fd: impl AsFd) -> Result<()> {
    match fd.as_fd() {
        BorrowedFd::Directory(_) | BorrowedFd::WorkingDirectory => Err(Errno::BADF),
        fd => fd.with_file(File::sync_all),
    }
}

pub(crate) enum FlockOperation {
    LockExclusive,
    Unlock,
}

pub(crate) fn flock(fd: impl AsFd, operation: FlockOperation) -> Result<()> {
    /// ERROR_LOCK_VIOLATION: the standard library unlocks until nothing is locked, which wine 8 reports so.
    const NOT_LOCKED: Errno = Errno::from_code(33);
    match operation {
        FlockOperation::LockExclusive => fd.as_fd().with_file(File::lock),
        FlockOperation::Unlock => match fd.as_fd().with_file(File::unlock) {
            Err(NOT_LOCKED) => Ok(()),
            unlocked => unlocked,
        },
    }
}

pub(crate) fn unlinkat(at: impl AsFd, path: impl Arg, flags: AtFlags) -> Result<()> {
    let path = located(at, path)?;
    let removed = match flags.contains(AtFlags::REMOVEDIR) {
        true => fs::remove_dir(path),
        false => fs::remove_file(path),
    };
    removed.map_err(errno)
}

pub(crate) fn mkdirat(at: impl AsFd, path: impl Arg, _: Mode) -> Result<()> {
    fs::create_dir(located(at, path)?).map_err(errno)
}

/// A file that is open under two names cannot lose one of them: callers look at the new name, then rename.
pub(crate) fn linkat(_: impl AsFd, _: impl Arg, _: impl AsFd, _: impl Arg, _: AtFlags) -> Result<()> {
    Err(Errno::OPNOTSUPP)
}

/// Renames a file; replaces one that has the new name.
pub(crate) fn renameat(from: impl AsFd, old: impl Arg, to: impl AsFd, new: impl Arg) -> Result<()> {
    fs::rename(located(from, old)?, located(to, new)?).map_err(errno)
}
