//! Many files at once, from open to digest.
//!
//! | file | holds |
//! |---|---|
//! | `function.rs` `several.rs` `counted_function.rs` | what files are hashed by, also several hashes at once; the same with a count, for progress |
//! | `unbatched.rs` | hashes that have no kernels of many messages |
//! | `engine.rs` | the workers: which files they take, and in what pieces they are read and hashed |
//! | `waiting_files.rs` | files that may keep their reader waiting, each read by a thread of its own |
//! | `file_starts.rs` | the starts of files, until a buffer is full |
//! | `long_files.rs` | files too long for one read, and which worker advances them |
//! | `read_method.rs` | whether files are read by plain calls or through a ring |
//! | `ring.rs` | many reads at once through io_uring |

mod counted_function;
mod engine;
mod file_starts;
mod function;
mod long_files;
mod read_method;
#[cfg_attr(
    not(all(
        target_os = "linux",
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64",
            target_arch = "loongarch64",
            target_arch = "powerpc64"
        )
    )),
    path = "no_ring.rs"
)]
mod ring;
mod several;
mod unbatched;
mod waiting_files;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use counted_function::{Counted, Counters};
pub(crate) use engine::run;
pub(crate) use function::Function;
pub(crate) use read_method::Io;
pub(crate) use several::function_of;
pub(crate) use waiting_files::hash_alone;

use crate::files::{Change, File, read};
use crate::output::Lines;
use crate::platform::fd::BorrowedFd;
use crate::platform::io::Errno;

/// The method of reading files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) io: Io,
    pub(crate) changes: Changes,
}

/// Whether files are watched for changes while they are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Changes {
    /// The result of [`Sum::change`] is not used.
    NotWatched,
    Watched,
}

/// The result of reading a file.
#[derive(Clone, Copy)]
pub(crate) struct Sum<'r> {
    /// The function's results, one after another.
    pub(crate) results: &'r [u8],
    /// Bytes that were read.
    pub(crate) n_bytes: u64,
    /// Whether it was seen to change meanwhile.
    pub(crate) change: Change,
}

/// Converts the results of a file. Called by any worker, in any order.
pub(crate) trait Reporter<T>: Sync {
    /// Returns the lines for a file with these results, or which could not be read.
    fn report(&self, file: &File, tag: T, sum: Result<Sum<'_>, Errno>) -> Lines;
}

/// A read among others: its file, and its destination.
pub(super) struct Part<'p> {
    pub(super) fd: BorrowedFd<'p>,
    pub(super) room: &'p mut [u8],
    /// The number of bytes that the ring read; 0 for the end, an error, or a ring that was not asked.
    pub(super) n_bytes: usize,
}

impl<'p> Part<'p> {
    pub(super) fn new(fd: BorrowedFd<'p>, room: &'p mut [u8]) -> Self {
        Part { fd, room, n_bytes: 0 }
    }

    /// Returns the bytes read; if none, a plain read shows the reason.
    pub(super) fn finish(self) -> Result<usize, Errno> {
        if self.n_bytes > 0 { Ok(self.n_bytes) } else { read(self.fd, self.room) }
    }
}

/// Locks. Another worker's panic with the lock is ignored.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
