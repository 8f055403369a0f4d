//! Calls with paths of any length. The system accepts paths below [`PATH_MAX`] bytes; a longer one is opened
//! piece by piece, each relative to the directory before it. If it does not exist, the error is the system's
//! for such paths: "File name too long".

use crate::platform;
use crate::platform::AS_PATH;
use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::fs::{AtFlags, Mode, OFlags, Stat};
use crate::platform::io::Errno;

/// The bytes of a path with its NUL, as the system bounds them.
const PATH_MAX: usize = 4096;

/// Opens a file, relative to a directory.
pub(crate) fn open(at: BorrowedFd<'_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    in_pieces(at, path, |at, path| platform::fs::openat(at, path, flags, Mode::empty()))
}

/// Examines a file without opening it, relative to a directory.
pub(crate) fn stat(at: BorrowedFd<'_>, path: &[u8], flags: AtFlags) -> Result<Stat, Errno> {
    in_pieces(at, path, |at, path| platform::fs::statat(at, path, flags))
}

/// Makes a call with a directory, and with a path relative to it that is short enough.
fn in_pieces<R>(
    at: BorrowedFd<'_>,
    path: &[u8],
    call: impl FnOnce(BorrowedFd<'_>, &[u8]) -> Result<R, Errno>,
) -> Result<R, Errno> {
    if path.len() < PATH_MAX {
        return call(at, path);
    }
    let result = long_in_pieces(at, path, call);
    result.map_err(|error| if error == Errno::NOENT { Errno::NAMETOOLONG } else { error })
}

fn long_in_pieces<R>(
    at: BorrowedFd<'_>,
    mut path: &[u8],
    call: impl FnOnce(BorrowedFd<'_>, &[u8]) -> Result<R, Errno>,
) -> Result<R, Errno> {
    let mut directory: Option<OwnedFd> = None;
    while path.len() >= PATH_MAX {
        // A name without a slash that is so long does not exist; the call reports it.
        let Some(slash) = path[..PATH_MAX].iter().rposition(|&byte| byte == b'/').filter(|&at| at > 0) else {
            break;
        };
        let (piece, rest) = path.split_at(slash);
        let from = directory.as_ref().map_or(at, AsFd::as_fd);
        let flags = AS_PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        directory = Some(platform::fs::openat(from, piece, flags, Mode::empty())?);
        // A path that begins with a slash would not be relative.
        let n_slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
        path = if n_slashes == rest.len() { b"." } else { &rest[n_slashes..] };
    }
    call(directory.as_ref().map_or(at, AsFd::as_fd), path)
}
