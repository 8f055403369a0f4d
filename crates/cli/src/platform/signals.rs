//! Waiting for the signals that end the program.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::{emulate_default_handler, pipe};

/// Signals that a thread can wait for.
pub(crate) struct Signals {
    /// The signal that came; 0 before.
    number: Arc<AtomicUsize>,
    /// Can be read when a signal came.
    woken: UnixStream,
}

impl Signals {
    /// Registers for SIGHUP, SIGINT and SIGTERM.
    ///
    /// # Errors
    /// No signal can be waited for.
    pub(crate) fn watched() -> io::Result<Self> {
        let (woken, wakes) = UnixStream::pair()?;
        let number = Arc::new(AtomicUsize::new(0));
        for signal in [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal)) {
            // The number first: it is there when the thread wakes. A signal that cannot be registered ends
            // the program as it always does.
            if let Ok(wakes) = wakes.try_clone() {
                let _ = flag::register_usize(signal, number.clone(), signal as usize)
                    .and_then(|_| pipe::register(signal, wakes));
            }
        }
        Ok(Self { number, woken })
    }

    /// Waits for the first one and returns its number.
    pub(crate) fn wait(mut self) -> i32 {
        /// Between two looks, if no call waits.
        const PAUSE: Duration = Duration::from_millis(20);
        loop {
            match self.number.load(Ordering::SeqCst) {
                0 => {}
                number => return number as i32,
            }
            if !self.woken.read(&mut [0]).is_ok_and(|n_bytes| n_bytes > 0) {
                std::thread::sleep(PAUSE);
            }
        }
    }
}

/// Ends the program as the signal would have ended it, if it can.
pub(crate) fn end_as(signal: i32) {
    let _ = emulate_default_handler(signal);
}

/// Returns whether a signal is ignored, as the kernel reports it. Unknown means no.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
