//! The calls that Linux has and other Unix systems lack or have in another form. The rest of the program is
//! the same on all of them.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStringExt;

#[cfg(not(target_os = "linux"))]
use rustix::fs::AtFlags;
#[cfg(target_os = "linux")]
use rustix::fs::Mode;
use rustix::fs::{OFlags, Stat};
use rustix::io::Errno;

/// Opens a directory only to name files in it; on Linux that needs no right to list it.
#[cfg(target_os = "linux")]
pub(crate) const AS_PATH: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
pub(crate) const AS_PATH: OFlags = OFlags::RDONLY;

/// Opens a file that has no name, in a directory; `None` where no such files exist.
#[cfg(target_os = "linux")]
pub(crate) const NAMELESS: Option<OFlags> = Some(OFlags::TMPFILE);
#[cfg(not(target_os = "linux"))]
pub(crate) const NAMELESS: Option<OFlags> = None;

/// Returns an entry's status and, if it is a link, its target: both of the same entry.
///
/// # Errors
/// The entry cannot be looked at.
#[cfg(target_os = "linux")]
pub(crate) fn entry(at: BorrowedFd<'_>, name: &OsStr) -> io::Result<(Stat, Option<OsString>)> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let entry = rustix::fs::openat(at, name, flags, Mode::empty())?;
    let stat = rustix::fs::fstat(&entry)?;
    // Read from the open link: by its name another one could be read.
    let target = is_link(&stat).then(|| rustix::fs::readlinkat(&entry, "", Vec::new())).transpose()?;
    Ok((stat, target.map(|target| OsString::from_vec(target.into_bytes()))))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn entry(at: BorrowedFd<'_>, name: &OsStr) -> io::Result<(Stat, Option<OsString>)> {
    let look = || rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW);
    let stat = look()?;
    if !is_link(&stat) {
        return Ok((stat, None));
    }
    let target = rustix::fs::readlinkat(at, name, Vec::new())?;
    // Links cannot be opened here. One that replaced the first has another inode or a later time.
    let id = |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_ctime, stat.st_ctime_nsec);
    if id(&look()?) != id(&stat) {
        return Err(Errno::AGAIN.into());
    }
    Ok((stat, Some(OsString::from_vec(target.into_bytes()))))
}

fn is_link(stat: &Stat) -> bool {
    rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Symlink
}

/// Syncs a directory that is open only as a path ([`AS_PATH`]), by the whole file system of a file in it.
///
/// # Errors
/// The names may be lost with a loss of power.
#[cfg(target_os = "linux")]
pub(crate) fn sync_by(file: &File, _: Errno) -> io::Result<()> {
    Ok(rustix::fs::syncfs(file)?)
}

/// Directories are open for reading here: the error of `fsync` is another one.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sync_by(_: &File, error: Errno) -> io::Result<()> {
    Err(error.into())
}

/// Fills a buffer with random bytes.
///
/// # Errors
/// The system has none.
#[cfg(target_os = "linux")]
pub(crate) fn random(bytes: &mut [u8]) -> io::Result<()> {
    let flags = rustix::rand::GetRandomFlags::empty();
    let n = rustix::io::retry_on_intr(|| rustix::rand::getrandom(&mut *bytes, flags))?;
    if n == bytes.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn random(bytes: &mut [u8]) -> io::Result<()> {
    io::Read::read_exact(&mut File::open("/dev/urandom")?, bytes)
}

/// Renames a file, unless another file has the new name.
///
/// # Errors
/// `NOSYS` where no such call exists.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn rename_new(
    from: BorrowedFd<'_>,
    old: &str,
    to: BorrowedFd<'_>,
    new: &OsStr,
) -> Result<(), Errno> {
    rustix::fs::renameat_with(from, old, to, new, rustix::fs::RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn rename_new(_: BorrowedFd<'_>, _: &str, _: BorrowedFd<'_>, _: &OsStr) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}
