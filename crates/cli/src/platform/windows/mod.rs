//! Windows: the interface of `rustix` over the standard library, without `unsafe` code.

mod errno;
pub(crate) mod fd;
pub(crate) mod ffi;
pub(crate) mod file;
pub(crate) mod fs;
pub(crate) mod io;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use self::errno::Errno;
use self::fd::BorrowedFd;
use self::ffi::OsStrExt;
pub(crate) use self::ffi::os_str;
use self::fs::{AtFlags, FileType, OFlags, Stat};

/// Commands that the program does not have here, each with the reason.
pub(crate) const ABSENT: &[(&str, &str)] = &[("keygen", KEYS), ("sign", KEYS), ("key", KEYS)];

/// A used index that is lost with the power is used again, which reveals the key.
const KEYS: &str = "not on Windows, where a used index of a key cannot be recorded with certainty";

/// Returns the name of a file that was typed as an argument: with `/` between its parts, as in lists, so that
/// lists are the same on all systems. A path after `\\?\`, in which only `\` separates parts, is written
/// without it: paths of any length are opened.
pub(crate) fn typed_name(name: &OsString) -> Vec<u8> {
    let name = name.as_bytes();
    let name = match name.strip_prefix(br"\\?\") {
        Some(rest) => match rest.strip_prefix(br"UNC\") {
            Some(share) => [br"\\", share].concat(),
            None => rest.to_vec(),
        },
        None => name.to_vec(),
    };
    name.into_iter().map(|byte| if byte == b'\\' { b'/' } else { byte }).collect()
}

/// Returns the words of other systems for an error, or else the system's.
pub(crate) fn words(error: Errno) -> String {
    match error.words() {
        Some(words) => words.into(),
        None => std::io::Error::from(error).to_string(),
    }
}

pub(crate) const AS_PATH: OFlags = OFlags::RDONLY;
pub(crate) const NAMELESS: Option<OFlags> = None;

/// Returns an entry's status and, if it is a link, its target.
///
/// # Errors
/// The entry cannot be looked at.
pub(crate) fn entry(at: BorrowedFd<'_>, name: &OsStr) -> std::io::Result<(Stat, Option<OsString>)> {
    let stat = fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let target = (FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
        .then(|| fs::readlinkat(at, name))
        .transpose()?;
    Ok((stat, target))
}

/// Directories cannot be synced.
///
/// # Errors
/// The error of `fsync`.
pub(crate) fn sync_by(_: &File, error: Errno) -> std::io::Result<()> {
    Err(error.into())
}

/// Fills a buffer with random bytes, for a name.
///
/// # Errors
/// None.
pub(crate) fn random(bytes: &mut [u8]) -> std::io::Result<()> {
    for part in bytes.chunks_mut(8) {
        let random = RandomState::new().hash_one(std::process::id());
        part.copy_from_slice(&random.to_le_bytes()[..part.len()]);
    }
    Ok(())
}

/// # Errors
/// `NOSYS`: such a call is not in the standard library.
pub(crate) fn rename_new(_: BorrowedFd<'_>, _: &str, _: BorrowedFd<'_>, _: &OsStr) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// Returns false: no file is without a name.
pub(crate) fn can_be_linked(_: &File) -> bool {
    false
}

/// # Errors
/// `NOSYS`: see [`can_be_linked`].
pub(crate) fn link(_: &File, _: &impl fd::AsFd, _: &OsStr) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// Files that the process may have open.
pub(crate) fn open_files() -> usize {
    8192
}

pub(crate) mod stdio {
    use super::fd::{BorrowedFd, Stream};

    pub(crate) fn stdin() -> BorrowedFd<'static> {
        BorrowedFd::Standard(Stream::Input)
    }

    pub(crate) fn stdout() -> BorrowedFd<'static> {
        BorrowedFd::Standard(Stream::Output)
    }

    pub(crate) fn stderr() -> BorrowedFd<'static> {
        BorrowedFd::Standard(Stream::Errors)
    }
}

pub(crate) mod process {
    use std::path::Path;

    use super::errno::{Result, errno};

    /// All files belong to one user: their rights are in lists, which the system alone reads.
    pub(crate) struct Uid(());

    impl Uid {
        pub(crate) fn as_raw(&self) -> u32 {
            0
        }
    }

    pub(crate) fn geteuid() -> Uid {
        Uid(())
    }

    pub(crate) fn chdir(path: &Path) -> Result<()> {
        std::env::set_current_dir(path).map_err(errno)
    }
}

pub(crate) mod termios {
    use super::errno::{Errno, Result};
    use super::fd::BorrowedFd;

    pub(crate) struct Winsize {
        pub(crate) ws_col: u16,
    }

    /// # Errors
    /// The width is unknown.
    pub(crate) fn tcgetwinsize(_: BorrowedFd<'_>) -> Result<Winsize> {
        Err(Errno::NOSYS)
    }
}

/// SIGINT, which is Ctrl-C, and SIGTERM.
pub(crate) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// # Errors
    /// They cannot be waited for.
    pub(crate) fn watched() -> std::io::Result<Signals> {
        let number = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            flag::register_usize(signal, number.clone(), signal as usize)?;
        }
        Ok(Signals(number))
    }

    /// Waits for the first one and returns its number.
    pub(crate) fn wait(self) -> i32 {
        /// Between two looks: the handler cannot wake a thread.
        const PAUSE: Duration = Duration::from_millis(20);
        loop {
            match self.0.load(Ordering::SeqCst) {
                0 => std::thread::sleep(PAUSE),
                number => return number as i32,
            }
        }
    }
}

/// The program ends by an exit status.
pub(crate) fn end_as(_: i32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_names_have_slashes() {
        for (typed, name) in [
            (r"data\sub\a", "data/sub/a"),
            (r"C:\data", "C:/data"),
            (r"\\?\C:\data", "C:/data"),
            (r"\\?\UNC\server\share\a", "//server/share/a"),
            (r"\\server\share\a", "//server/share/a"),
        ] {
            assert_eq!(typed_name(&typed.into()), name.as_bytes());
        }
    }
}
