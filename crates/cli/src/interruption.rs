//! What a signal that ends the program leaves: words, and no temporary files.
//!
//! It ends the program at once, from a thread of its own, whatever that is doing: a key is safe in its directory at
//! any time. So the files of others are all that must be removed.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::message::{Speaker, say};

/// While this lives, a signal that ends the program says what is to be said then.
#[derive(Debug)]
pub(super) struct Interruptible(Option<Handle>);

impl Drop for Interruptible {
    fn drop(&mut self) {
        if let Some(handle) = &self.0 {
            handle.close();
        }
    }
}

/// From now on a signal ends the program with these words about this path.
pub(super) fn interruptible(speaker: &Speaker, path: &Path, words: &str) -> Interruptible {
    let message = speaker.about_file(path.as_os_str().as_bytes(), &format!("interrupted; {words}"));
    // Where signals cannot be had, they end the program without words.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return Interruptible(None) };
    let handle = signals.handle();
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            // Held to the end, so that no other is made meanwhile.
            let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
            for path in &*temporary {
                let _ = std::fs::remove_file(path);
            }
            say(&message);
            std::process::exit(128 + signal);
        }
    };
    if std::thread::Builder::new().spawn(wait).is_err() {
        handle.close();
    }
    Interruptible(Some(handle))
}

/// The temporary files that there are.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that is removed unless it got another name, also when a signal ends the program.
#[derive(Debug)]
pub(super) struct Temporary(PathBuf);

impl Temporary {
    /// Makes the file by `make`, under this path.
    ///
    /// # Errors
    /// Those of `make`.
    pub(super) fn new<T>(
        path: PathBuf,
        make: impl FnOnce(&Path) -> std::io::Result<T>,
    ) -> std::io::Result<(Self, T)> {
        let mut paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        let made = make(&path)?;
        paths.insert(path.clone());
        Ok((Self(path), made))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It may have another name by now; what cannot be removed is told by what went wrong before.
        let _ = std::fs::remove_file(&self.0);
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}
