//! SIGINT: the first one ends the measurement, and the results so far are kept and shown; the second one ends
//! the program.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The program's exit status after an interruption, as in a shell: 128 and the signal's number.
pub(crate) const STATUS: u8 = 130;

/// Set by the first interrupt.
static CAME: AtomicBool = AtomicBool::new(false);

/// Returns whether an interrupt occurred.
pub(crate) fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// Whether the user asked to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the handler. If that fails, the signal ends the program, as usual.
    pub(crate) fn listen() -> Self {
        let interrupt = Interrupt::default();
        let asked = interrupt.clone();
        let handler = move || {
            if asked.0.swap(true, Ordering::Relaxed) {
                std::process::exit(STATUS.into());
            }
            CAME.store(true, Ordering::Relaxed);
            eprintln!("\nstopping: what was measured follows (again to end at once)");
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            eprintln!("interrupts end the program without results: {error}");
        }
        interrupt
    }

    /// Whether the user asked to stop.
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the answer for a watcher.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
