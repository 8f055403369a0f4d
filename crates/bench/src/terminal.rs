//! The output for the user: results on standard output, and a progress bar.
//!
//! If the reader of the results ends (`hashlanes-bench list | head -1`), or a disk is full, the program ends
//! without a panic. A command with many contests shows a progress bar with the remaining time, unless it is
//! short.

use hashlanes_clock::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};
use std::time::{Duration, Instant};

/// Writes to standard output, or ends the program.
pub(crate) fn write(text: Arguments<'_>) {
    let mut stdout = stdout().lock();
    if let Err(error) = stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("hashlanes-bench: standard output: {error}");
        }
        std::process::exit(1);
    }
}

/// Prints like `print!`.
macro_rules! out {
    ($($text:tt)*) => { $crate::terminal::write(format_args!($($text)*)) };
}

/// Prints like `println!`.
macro_rules! outln {
    ($($text:tt)*) => { $crate::terminal::write(format_args!("{}\n", format_args!($($text)*))) };
}

/// Parts of a contest.
const PARTS: u64 = 1000;
/// The least duration of work with a bar.
const MOMENT: Duration = Duration::from_millis(1500);

/// The bar of all contests; indicatif draws it to a terminal only.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    started: Instant,
    shown: Cell<bool>,
    done: Cell<u64>,
}

impl Bar {
    /// Creates a bar for a number of contests.
    pub(crate) fn new(contests: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(contests as u64 * PARTS), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %, {eta} left  {msg}");
        bar.set_style(style.expect("a template that indicatif knows"));
        Bar { bar, started: Instant::now(), shown: Cell::new(false), done: Cell::new(0) }
    }

    /// A contest begins.
    pub(crate) fn begin(&self, id: &str) {
        self.bar.set_message(id.to_owned());
    }

    /// Sets its position.
    pub(crate) fn tell(&self, progress: &Progress) {
        if !self.shown.get() && self.started.elapsed() > MOMENT {
            self.shown.set(true);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let part = PARTS * progress.done as u64 / progress.wanted.max(progress.done).max(1) as u64;
        self.bar.set_position(self.done.get() + part);
    }

    /// A contest has ended.
    pub(crate) fn end(&self) {
        self.done.set(self.done.get() + PARTS);
        self.bar.set_position(self.done.get());
    }

    /// All contests have ended.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The number of steps of a count whose end is not known.
#[derive(Debug)]
pub(crate) struct Steps {
    bar: ProgressBar,
    started: Instant,
}

impl Steps {
    /// Not shown yet.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{spinner} {human_pos} instructions in {elapsed}");
        bar.set_style(style.expect("a template that indicatif knows"));
        Steps { bar, started: Instant::now() }
    }

    /// Sets its position.
    pub(crate) fn tell(&self, steps: u64) {
        if self.bar.is_hidden() && self.started.elapsed() > MOMENT {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(steps);
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
