//! Unix: the calls of `rustix`, and those that Linux has and other Unix systems lack or have in another form.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

#[cfg(target_os = "linux")]
use rustix::fs::Mode;
use rustix::fs::{AtFlags, CWD, OFlags, Stat};
use rustix::io::{Errno, retry_on_intr};

#[cfg(target_os = "linux")]
pub(crate) use rustix::mm;
pub(crate) use rustix::{fs, io, process, stdio, termios};
pub(crate) use std::os::fd;
pub(crate) use std::os::unix::{ffi, fs as file};

/// Commands that the program does not have here, each with the reason.
pub(crate) const ABSENT: &[(&str, &str)] = &[];

/// Returns the name of a file.
pub(crate) fn os_str(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Borrowed(OsStr::from_bytes(bytes))
}

/// Returns the name of a file that was typed as an argument.
pub(crate) fn typed_name(name: &OsString) -> Vec<u8> {
    name.as_bytes().to_vec()
}

/// Returns the system's words for an error.
pub(crate) fn words(error: Errno) -> String {
    std::io::Error::from(error).to_string()
}

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
pub(crate) fn entry(at: BorrowedFd<'_>, name: &OsStr) -> std::io::Result<(Stat, Option<OsString>)> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let entry = rustix::fs::openat(at, name, flags, Mode::empty())?;
    let stat = rustix::fs::fstat(&entry)?;
    // Read from the open link: by its name another one could be read.
    let target = is_link(&stat).then(|| rustix::fs::readlinkat(&entry, "", Vec::new())).transpose()?;
    Ok((stat, target.map(|target| OsString::from_vec(target.into_bytes()))))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn entry(at: BorrowedFd<'_>, name: &OsStr) -> std::io::Result<(Stat, Option<OsString>)> {
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
pub(crate) fn sync_by(file: &File, _: Errno) -> std::io::Result<()> {
    Ok(rustix::fs::syncfs(file)?)
}

/// Directories are open for reading here: the error of `fsync` is another one.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sync_by(_: &File, error: Errno) -> std::io::Result<()> {
    Err(error.into())
}

/// Fills a buffer with random bytes.
///
/// # Errors
/// The system has none.
#[cfg(target_os = "linux")]
pub(crate) fn random(bytes: &mut [u8]) -> std::io::Result<()> {
    let flags = rustix::rand::GetRandomFlags::empty();
    let n = rustix::io::retry_on_intr(|| rustix::rand::getrandom(&mut *bytes, flags))?;
    if n == bytes.len() { Ok(()) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn random(bytes: &mut [u8]) -> std::io::Result<()> {
    std::io::Read::read_exact(&mut File::open("/dev/urandom")?, bytes)
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

/// Returns the name under which the kernel shows a descriptor: `AT_EMPTY_PATH` would need a capability.
fn shown(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Returns whether /proc is there, by which a file without a name is linked.
pub(crate) fn can_be_linked(file: &File) -> bool {
    let id = |stat: Stat| (stat.st_dev, stat.st_ino);
    let by_name = rustix::fs::stat(shown(file)).map(id);
    by_name.is_ok() && by_name == rustix::fs::fstat(file).map(id)
}

/// Links a file without a name.
///
/// # Errors
/// Another file has the name, or the system refuses it.
pub(crate) fn link(file: &File, directory: &impl fd::AsFd, name: &std::ffi::OsStr) -> Result<(), Errno> {
    retry_on_intr(|| rustix::fs::linkat(CWD, shown(file), directory, name, AtFlags::SYMLINK_FOLLOW))
}
