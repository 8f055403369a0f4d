//! The interface to the file system: the calls that a key's directory needs. Each of them may fail, process
//! only a part, or be the last one before a kill. Tests replace it with a simulated file system.

use core::fmt;
use core::time::Duration;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{self, AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

/// How a file is opened. Never follows a symbolic link, and never waits for a file that is not regular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// Reads.
    Read,
    /// Reads, and writes at the end.
    Append,
    /// Creates a file to be written, readable by the owner only.
    New,
    /// Creates a file that is read-only afterwards.
    NewReadOnly,
    /// Creates a file that all users may read.
    NewPublic,
}

/// The type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Another type: a link, a pipe, a device.
    Other,
}

/// The metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The type.
    pub kind: Kind,
    /// The permission bits.
    pub mode: u32,
    /// The owner's user ID.
    pub owner: u32,
    /// The device number.
    pub device: u64,
    /// The inode number; the number of a deleted file is used again.
    pub inode: u64,
    /// The birth time in nanoseconds; `None` if the file system keeps none.
    pub born: Option<u64>,
    /// The change time (`st_ctime`) in nanoseconds: updated by a write, a rename, a change of the mode.
    pub changed: u64,
    /// Names of the file (hard links).
    pub links: u64,
    /// In bytes.
    pub length: u64,
}

/// A file system, and the other system calls that a key needs.
pub trait FileSystem: Clone + fmt::Debug + Send + Sync + 'static {
    /// An open directory: names refer to its entries, even if its path changes.
    type Directory: fmt::Debug + Send + Sync;
    /// An open file.
    type File: fmt::Debug + Send + Sync;

    /// Creates a directory: mkdirat, mode 0700.
    fn create_directory(&self, at: &Self::Directory, name: &Path) -> io::Result<()>;
    /// Opens a directory, follows symbolic links: open, O_DIRECTORY.
    fn open_directory(&self, path: &Path) -> io::Result<Self::Directory>;
    /// Opens a directory: openat, O_DIRECTORY and O_NOFOLLOW.
    fn open_directory_at(&self, at: &Self::Directory, name: &Path) -> io::Result<Self::Directory>;
    /// Opens a file: openat.
    fn open(&self, at: &Self::Directory, name: &str, how: Open) -> io::Result<Self::File>;
    /// Reads at an offset: pread; may read less.
    fn read_at(&self, file: &Self::File, to: &mut [u8], offset: u64) -> io::Result<usize>;
    /// Writes: write; may write less.
    fn write(&self, file: &Self::File, bytes: &[u8]) -> io::Result<usize>;
    /// Truncates a file: ftruncate.
    fn truncate(&self, file: &Self::File, length: u64) -> io::Result<()>;
    /// Reserves disk space after the end, which does not move: fallocate.
    fn allocate(&self, file: &Self::File, from: u64, length: u64) -> io::Result<()>;
    /// Returns whether a directory has no entry: getdents.
    fn is_empty(&self, directory: &Self::Directory) -> io::Result<bool>;
    /// Syncs a file: fsync.
    fn sync(&self, file: &Self::File) -> io::Result<()>;
    /// Syncs a directory: fsync.
    fn sync_directory(&self, directory: &Self::Directory) -> io::Result<()>;
    /// Renames within a directory: renameat.
    fn rename(&self, at: &Self::Directory, from: &str, to: &str) -> io::Result<()>;
    /// Removes a file: unlinkat.
    fn unlink(&self, at: &Self::Directory, name: &str) -> io::Result<()>;
    /// Returns the metadata of a file: fstat.
    fn facts(&self, file: &Self::File) -> io::Result<Facts>;
    /// Returns the metadata of a directory: fstat.
    fn directory_facts(&self, directory: &Self::Directory) -> io::Result<Facts>;
    /// Returns the metadata of an entry, of a link itself: fstatat.
    fn facts_at(&self, at: &Self::Directory, name: &Path) -> io::Result<Facts>;
    /// Locks a file exclusively, without waiting: flock. Returns whether the lock is held.
    fn lock(&self, file: &Self::File) -> io::Result<bool>;
    /// Sets the access and the modification time to this second since 1970: futimens.
    fn set_times(&self, file: &Self::File, seconds: u64) -> io::Result<()>;
    /// Returns whether a program can set birth times: see [`Posix`].
    fn can_set_births(&self) -> bool;
    /// Returns a number that distinguishes a snapshot or a clone of a volume from the volume, and that
    /// survives a remount; zero if the system provides none.
    fn volume(&self, directory: &Self::Directory) -> io::Result<u64>;
    /// Returns the identity of this machine.
    fn machine(&self) -> std::vec::Vec<u8>;
    /// Returns the user ID: geteuid.
    fn user(&self) -> u32;
    /// Returns the process ID: getpid.
    fn process(&self) -> u32;
    /// Returns the system's time in nanoseconds since 1970.
    fn now(&self) -> u64;
    /// Sleeps.
    fn pause(&self, time: Duration);
    /// Opens or creates a file for code outside of the store: openat. `None` if this is not the operating
    /// system's file system.
    fn system_file(&self, at: &Self::Directory, name: &str) -> io::Result<Option<File>>;
}

/// The file system of the operating system.
///
/// On Linux only the kernel sets birth times. On macOS and the BSDs programs can set them with `setattrlist`,
/// or with `utimes` and a modification time before the birth.
#[derive(Clone, Copy, Debug)]
pub struct Posix;

/// Repeats a call that a signal interrupted before it did anything. Not for fsync, whose effect is then
/// unknown.
fn again<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

/// Calls fstat.
#[cfg(target_os = "linux")]
fn facts(file: &OwnedFd) -> io::Result<Facts> {
    extended(file, Path::new(""), AtFlags::EMPTY_PATH)
}

/// Calls fstatat, for a link itself.
#[cfg(target_os = "linux")]
fn facts_at(at: &OwnedFd, name: &Path) -> io::Result<Facts> {
    extended(at, name, AtFlags::SYMLINK_NOFOLLOW)
}

/// Calls statx, because `stat` of Linux has no birth time.
#[cfg(target_os = "linux")]
fn extended(at: &OwnedFd, name: &Path, flags: AtFlags) -> io::Result<Facts> {
    use rustix::fs::{StatxFlags, StatxTimestamp};
    let stat = fs::statx(at, name, flags, StatxFlags::BASIC_STATS | StatxFlags::BTIME)?;
    let nanoseconds =
        |time: StatxTimestamp| (time.tv_sec as u64).wrapping_mul(1_000_000_000) + u64::from(time.tv_nsec);
    let has_birth = StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::BTIME);
    Ok(Facts {
        kind: kind_of(FileType::from_raw_mode(stat.stx_mode.into())),
        mode: u32::from(stat.stx_mode) & 0o7777,
        owner: stat.stx_uid,
        device: fs::makedev(stat.stx_dev_major, stat.stx_dev_minor),
        inode: stat.stx_ino,
        born: has_birth.then(|| nanoseconds(stat.stx_btime)),
        changed: nanoseconds(stat.stx_ctime),
        links: stat.stx_nlink.into(),
        length: stat.stx_size,
    })
}

/// Calls fstat.
#[cfg(not(target_os = "linux"))]
fn facts(file: &OwnedFd) -> io::Result<Facts> {
    Ok(facts_in(&fs::fstat(file)?))
}

/// Calls fstatat, for a link itself.
#[cfg(not(target_os = "linux"))]
fn facts_at(at: &OwnedFd, name: &Path) -> io::Result<Facts> {
    Ok(facts_in(&fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?))
}

#[cfg(not(target_os = "linux"))]
fn facts_in(stat: &fs::Stat) -> Facts {
    // The types of these fields differ between systems.
    #[allow(clippy::unnecessary_cast)]
    Facts {
        kind: kind_of(FileType::from_raw_mode(stat.st_mode)),
        mode: stat.st_mode as u32 & 0o7777,
        owner: stat.st_uid as u32,
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        born: birth_of(stat),
        changed: nanoseconds(stat.st_ctime as u64, stat.st_ctime_nsec as u64),
        links: stat.st_nlink as u64,
        length: stat.st_size as u64,
    }
}

#[cfg(not(target_os = "linux"))]
fn nanoseconds(seconds: u64, nanoseconds: u64) -> u64 {
    seconds.wrapping_mul(1_000_000_000).wrapping_add(nanoseconds)
}

/// Returns `st_birthtime`; file systems without one report -1 or 0.
#[cfg(any(target_os = "macos", target_os = "ios", target_os = "freebsd"))]
fn birth_of(stat: &fs::Stat) -> Option<u64> {
    let is_kept = stat.st_birthtime > 0;
    is_kept.then(|| nanoseconds(stat.st_birthtime as u64, stat.st_birthtime_nsec as u64))
}

#[cfg(not(any(target_os = "linux", target_os = "macos", target_os = "ios", target_os = "freebsd")))]
fn birth_of(_: &fs::Stat) -> Option<u64> {
    None
}

/// Calls fallocate with `FALLOC_FL_KEEP_SIZE`.
#[cfg(target_os = "linux")]
fn allocate(file: &OwnedFd, from: u64, length: u64) -> rustix::io::Result<()> {
    fs::fallocate(file, fs::FallocateFlags::KEEP_SIZE, from, length)
}

/// Does nothing: other systems cannot reserve space after the end of a file without moving the end.
#[cfg(not(target_os = "linux"))]
fn allocate(_: &OwnedFd, _: u64, _: u64) -> rustix::io::Result<()> {
    Err(Errno::OPNOTSUPP)
}

/// Returns the identity of the subvolume or data set of a directory.
///
/// btrfs and ZFS create snapshots and clones in which every file keeps its inode number and its times, and
/// which can be mounted next to the original. Their `f_fsid` differs. The `f_fsid` of ext4 does not help (a
/// copied device has the same UUID). The `f_fsid` of XFS, FAT and others is the device number, which changes
/// from boot to boot.
#[cfg(target_os = "linux")]
fn volume(directory: &OwnedFd) -> io::Result<u64> {
    /// `BTRFS_SUPER_MAGIC` of linux/magic.h, `ZFS_SUPER_MAGIC` of OpenZFS.
    const WITH_SNAPSHOTS: [u64; 2] = [0x9123_683e, 0x2fc1_2fc1];
    // The type's sign and width differ between architectures.
    let of_type = fs::fstatfs(directory)?.f_type as u64 & 0xffff_ffff;
    if !WITH_SNAPSHOTS.contains(&of_type) {
        return Ok(0);
    }
    Ok(fs::fstatvfs(directory)?.f_fsid)
}

#[cfg(not(target_os = "linux"))]
fn volume(_: &OwnedFd) -> io::Result<u64> {
    Ok(0)
}

fn kind_of(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        _ => Kind::Other,
    }
}

impl FileSystem for Posix {
    type Directory = OwnedFd;
    type File = OwnedFd;

    fn create_directory(&self, at: &OwnedFd, name: &Path) -> io::Result<()> {
        Ok(fs::mkdirat(at, name, Mode::RWXU)?)
    }

    fn open_directory(&self, path: &Path) -> io::Result<OwnedFd> {
        again(|| fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()))
    }

    fn open_directory_at(&self, at: &OwnedFd, name: &Path) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        again(|| fs::openat(at, name, flags, Mode::empty()))
    }

    fn open(&self, at: &OwnedFd, name: &str, how: Open) -> io::Result<OwnedFd> {
        let always = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let new = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let owner = Mode::RUSR | Mode::WUSR;
        let (flags, mode) = match how {
            Open::Read => (OFlags::RDONLY, Mode::empty()),
            Open::Append => (OFlags::RDWR | OFlags::APPEND, Mode::empty()),
            Open::New => (new, owner),
            Open::NewReadOnly => (new, Mode::RUSR),
            Open::NewPublic => (new, owner | Mode::RGRP | Mode::ROTH),
        };
        again(|| fs::openat(at, name, flags | always, mode))
    }

    fn read_at(&self, file: &OwnedFd, to: &mut [u8], offset: u64) -> io::Result<usize> {
        again(|| rustix::io::pread(file, &mut *to, offset))
    }

    fn write(&self, file: &OwnedFd, bytes: &[u8]) -> io::Result<usize> {
        again(|| rustix::io::write(file, bytes))
    }

    fn truncate(&self, file: &OwnedFd, length: u64) -> io::Result<()> {
        again(|| fs::ftruncate(file, length))
    }

    fn allocate(&self, file: &OwnedFd, from: u64, length: u64) -> io::Result<()> {
        again(|| match allocate(file, from, length) {
            // Not every file system supports it.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            result => result,
        })
    }

    fn is_empty(&self, directory: &OwnedFd) -> io::Result<bool> {
        for entry in fs::Dir::read_from(directory)? {
            let entry = entry?;
            if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn sync(&self, file: &OwnedFd) -> io::Result<()> {
        Ok(fs::fsync(file)?)
    }

    fn sync_directory(&self, directory: &OwnedFd) -> io::Result<()> {
        Ok(fs::fsync(directory)?)
    }

    fn rename(&self, at: &OwnedFd, from: &str, to: &str) -> io::Result<()> {
        Ok(fs::renameat(at, from, at, to)?)
    }

    fn unlink(&self, at: &OwnedFd, name: &str) -> io::Result<()> {
        Ok(fs::unlinkat(at, name, AtFlags::empty())?)
    }

    fn facts(&self, file: &OwnedFd) -> io::Result<Facts> {
        facts(file)
    }

    fn directory_facts(&self, directory: &OwnedFd) -> io::Result<Facts> {
        self.facts(directory)
    }

    fn facts_at(&self, at: &OwnedFd, name: &Path) -> io::Result<Facts> {
        facts_at(at, name)
    }

    fn lock(&self, file: &OwnedFd) -> io::Result<bool> {
        match again(|| fs::flock(file, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn set_times(&self, file: &OwnedFd, seconds: u64) -> io::Result<()> {
        let time = fs::Timespec { tv_sec: seconds as _, tv_nsec: 0 };
        Ok(fs::futimens(file, &fs::Timestamps { last_access: time, last_modification: time })?)
    }

    fn can_set_births(&self) -> bool {
        cfg!(not(target_os = "linux"))
    }

    fn volume(&self, directory: &OwnedFd) -> io::Result<u64> {
        volume(directory)
    }

    fn machine(&self) -> std::vec::Vec<u8> {
        /// machine-id(5) of systemd; D-Bus used it before.
        const FILES: [&str; 2] = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
        // All machines without an identity count as the same; the files' own identities must distinguish
        // them.
        FILES.iter().find_map(|path| std::fs::read(path).ok()).unwrap_or_default()
    }

    fn user(&self) -> u32 {
        rustix::process::geteuid().as_raw()
    }

    fn process(&self) -> u32 {
        std::process::id()
    }

    fn now(&self) -> u64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }

    fn pause(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn system_file(&self, at: &OwnedFd, name: &str) -> io::Result<Option<File>> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        again(|| fs::openat(at, name, flags, Mode::RUSR | Mode::WUSR)).map(|file| Some(file.into()))
    }
}
