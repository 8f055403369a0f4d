//! How much of the files is read, on a terminal, if it takes longer than a moment.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error; nothing where that is no terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// Of so many bytes, if that is known.
    pub(super) fn of(n_bytes: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(n_bytes, ProgressDrawTarget::hidden());
        let template = match n_bytes {
            Some(_) => "{bar:30} {percent:>3} %, {binary_bytes_per_sec}, {eta} left",
            None => "{binary_bytes}, {binary_bytes_per_sec}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("a template that indicatif knows"));
        Self { bar, started: Instant::now() }
    }

    /// So many bytes more were read.
    pub(super) fn add(&self, n_bytes: usize) {
        self.bar.inc(n_bytes as u64);
        if self.bar.is_hidden() && self.started.elapsed() > Duration::from_millis(500) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Leaves the terminal as it was while a line is printed.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
