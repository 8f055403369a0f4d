//! Many files at once, from open to digest.
//!
//! | file | holds |
//! |---|---|
//! | `function.rs` `counted.rs` | what files are hashed by; the same with a count, for progress |
//! | `engine.rs` | the workers: which files they take, and in what pieces they are read and hashed |
//! | `awaited.rs` | files that may keep their reader waiting, each read by a thread of its own |
//! | `starts.rs` | the starts of files, as many as a buffer holds |
//! | `long_files.rs` | files too long for one read, and which worker advances them |
//! | `pace.rs` | whether files are read by plain calls or through a ring |
//! | `part.rs` `ring.rs` | a read; many at once through io_uring |

mod awaited;
mod counted;
mod engine;
mod function;
mod long_files;
mod pace;
mod part;
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
mod starts;

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;

pub(crate) use counted::{Counted, Counters};
pub(crate) use engine::run;
pub(crate) use function::{Function, function_of};
pub(crate) use pace::Io;

use crate::files::{Change, File};
use crate::output::Lines;

/// How files are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) io: Io,
    pub(crate) changes: Changes,
}

/// Whether files are watched for changes while they are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Changes {
    /// What [`Sum::change`] tells is of no use to anybody.
    NotWatched,
    Watched,
}

/// What a file was read to give.
#[derive(Clone, Copy)]
pub(crate) struct Sum<'r> {
    /// The function's results, one behind the other.
    pub(crate) results: &'r [u8],
    /// Bytes that were read.
    pub(crate) n_bytes: u64,
    /// Whether it was seen to change meanwhile.
    pub(crate) change: Change,
}

/// What the results of a file are turned into. Called by any worker, in any order.
pub(crate) trait Reporter<T>: Sync {
    /// The lines for a file with these results, or which could not be read.
    fn report(&self, file: &File, tag: T, sum: Result<Sum<'_>, Errno>) -> Lines;
}

/// Hashes one file on this thread.
pub(crate) fn hash_alone<L>(
    function: &dyn Function,
    file: &File,
    lines: impl FnOnce(Sum<'_>) -> L,
) -> Result<L, Errno> {
    let mut buffer = vec![0; 64 << 10];
    awaited::hash(function, file, &mut buffer).map(|read| lines(read.sum()))
}

/// Locks; that another worker panicked while it held the lock is no reason to panic too.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
