//! Signals that end the program: SIGHUP, SIGINT, SIGTERM. They leave no temporary files.
//!
//! A thread waits for them as soon as there is something to remove or to say; before that they end the
//! program as they end any other. The thread removes what is left and ends the program at once, whatever the
//! other threads do: a key is safe in its directory at any time, and other files have no names until they are
//! whole. The program ends by the signal itself or, if it says how to go on, with the status by which shells
//! report that: 128 and the signal's number. Signals that are ignored when the program begins (`nohup`) stay
//! ignored.

use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use crate::message::{Speaker, say};
use crate::platform;
use crate::platform::ffi::OsStrExt;

/// Something that must be removed when the program ends.
pub(crate) trait Leftover: Send + Sync {
    /// Removes it, as far as that is possible. May be called twice.
    fn remove(&self);
}

/// The files that a signal removes.
static LEFTOVERS: Mutex<Vec<Arc<dyn Leftover>>> = Mutex::new(Vec::new());
/// The message.
static WORDS: Mutex<Option<Vec<u8>>> = Mutex::new(None);
/// Held while a signal must wait.
static BUSY: Mutex<()> = Mutex::new(());

fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something that is removed when this is dropped, or when a signal ends the program.
#[derive(Debug)]
pub(crate) struct Guarded<L: Leftover + 'static>(Arc<L>);

/// Creates something that must be removed. A signal comes either before it exists or after it is registered.
///
/// # Errors
/// The errors of `make`.
pub(crate) fn guarded<L: Leftover + 'static>(make: impl FnOnce() -> io::Result<L>) -> io::Result<Guarded<L>> {
    watch();
    let mut leftovers = lock(&LEFTOVERS);
    let made = Arc::new(make()?);
    leftovers.push(made.clone());
    Ok(Guarded(made))
}

impl<L: Leftover> Deref for Guarded<L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.0
    }
}

impl<L: Leftover> Drop for Guarded<L> {
    fn drop(&mut self) {
        let mut leftovers = lock(&LEFTOVERS);
        self.0.remove();
        leftovers.retain(|other| !std::ptr::addr_eq(Arc::as_ptr(other), Arc::as_ptr(&self.0)));
    }
}

/// Removes the leftovers: the program ends here, without dropping the values that would do it.
pub(crate) fn remove_leftovers() {
    lock(&LEFTOVERS).iter().for_each(|leftover| leftover.remove());
}

/// Runs a function that no signal interrupts: the signal waits until it is done.
pub(crate) fn held_off<T>(work: impl FnOnce() -> T) -> T {
    watch();
    let _busy = lock(&BUSY);
    work()
}

/// While this exists, a signal that ends the program prints its message.
#[derive(Debug)]
pub(crate) struct Interruptible(());

impl Drop for Interruptible {
    fn drop(&mut self) {
        *lock(&WORDS) = None;
    }
}

/// From now on a signal ends the program with these words about this path.
pub(crate) fn interruptible(speaker: &Speaker, path: &Path, words: &str) -> Interruptible {
    *lock(&WORDS) = Some(speaker.about_file(path.as_os_str().as_bytes(), &format!("interrupted; {words}")));
    watch();
    Interruptible(())
}

/// Starts the thread that waits for signals, once. It registers for them itself: without a thread, they end
/// the program as they always do.
fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let (registered, is_registered) = channel::<()>();
        let wait = move || {
            let watched = platform::Signals::watched();
            drop(registered);
            if let Ok(watched) = watched {
                end_by(watched.wait());
            }
        };
        if std::thread::Builder::new().name("signals".into()).spawn(wait).is_ok() {
            // Nothing is sent; the channel closes.
            let _ = is_registered.recv();
        }
    });
}

fn end_by(signal: i32) -> ! {
    // All are held to the end, so that nothing is made or changed meanwhile.
    let _busy = lock(&BUSY);
    let leftovers = lock(&LEFTOVERS);
    leftovers.iter().for_each(|leftover| leftover.remove());
    match &*lock(&WORDS) {
        Some(words) => say(words),
        // Ends as if the signal had not been caught: a shell distinguishes this from an exit status.
        None => platform::end_as(signal),
    }
    std::process::exit(128 + signal);
}
