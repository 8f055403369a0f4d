//! Many files at once, from open to digest.
//!
//! | file | holds |
//! |---|---|
//! | `engine.rs` | the workers: which files they take, and in what pieces they are read and hashed |
//! | `long_files.rs` | files too long for one read, and which worker advances them |

mod engine;
mod long_files;

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;

pub(crate) use engine::run;

use crate::files::File;
use crate::output::Lines;

/// What the results of a file are turned into. Called by any worker, in any order.
pub(crate) trait Reporter<T>: Sync {
    /// The lines for a file with this digest, or which could not be read.
    fn report(&self, file: &File, tag: T, digest: Result<&[u8], Errno>) -> Lines;
}

/// Locks; that another worker panicked while it held the lock is no reason to panic too.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
