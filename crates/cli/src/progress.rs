//! Progress of a job on standard error: a bar on a terminal, or a line of JSON each second.
//!
//! A second walk, concurrent with the work, counts files and bytes. Until it has ended, or if a pipe is among
//! the files, the remaining time is unknown.

use std::io::IsTerminal;
use std::sync::Condvar;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::hashing::Counters;
use crate::message::{make_room_for, say};
use crate::platform;
use crate::platform::termios::Winsize;

/// Work that takes less time shows no progress.
const MOMENT: Duration = Duration::from_millis(500);

/// The form of the progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Shown {
    /// A bar, if standard error is a terminal and the results go elsewhere.
    Auto,
    /// A line of JSON each second, and one at the end.
    Json,
    /// No progress.
    Never,
}

/// The work found so far.
#[derive(Default)]
pub(crate) struct Found {
    n_files: AtomicU64,
    n_bytes: AtomicU64,
    /// A file has an unknown length.
    is_unknown: AtomicBool,
    is_all: AtomicBool,
    /// The walk can stop.
    is_over: AtomicBool,
}

impl Found {
    /// Adds a file, with its length if known. Returns whether the walk should continue.
    pub(crate) fn file(&self, n_bytes: Option<u64>) -> bool {
        self.n_files.fetch_add(1, Ordering::Relaxed);
        self.n_bytes.fetch_add(n_bytes.unwrap_or(0), Ordering::Relaxed);
        self.is_unknown.fetch_or(n_bytes.is_none(), Ordering::Relaxed);
        !self.is_over.load(Ordering::Relaxed)
    }

    /// Adds all files at once.
    pub(crate) fn files(&self, n_files: u64, n_bytes: u64) {
        self.n_files.fetch_add(n_files, Ordering::Relaxed);
        self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed);
        self.is_all();
    }

    /// Records that all files were found.
    pub(crate) fn is_all(&self) {
        self.is_all.store(!self.is_unknown.load(Ordering::Relaxed), Ordering::Release);
    }
}

/// Runs `work` and shows its progress; `find` counts the work concurrently.
pub(crate) fn watched<T>(
    shown: Shown,
    counters: &Counters,
    find: impl FnOnce(&Found) + Send,
    work: impl FnOnce() -> T,
) -> T {
    let is_bar = || std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
    if shown == Shown::Never || (shown == Shown::Auto && !is_bar()) {
        return work();
    }
    let watch =
        Watch { shown, counters, found: Found::default(), ended: Mutex::new(false), changed: Condvar::new() };
    std::thread::scope(|scope| {
        // If the threads cannot be started, no progress is shown.
        let _ = std::thread::Builder::new().spawn_scoped(scope, || find(&watch.found));
        let _ = std::thread::Builder::new().spawn_scoped(scope, || watch.run());
        let result = work();
        watch.found.is_over.store(true, Ordering::Relaxed);
        *watch.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        watch.changed.notify_all();
        result
    })
}

struct Watch<'c> {
    shown: Shown,
    counters: &'c Counters,
    found: Found,
    ended: Mutex<bool>,
    changed: Condvar,
}

impl Watch<'_> {
    /// Shows, until the work has ended.
    fn run(&self) {
        let started = Instant::now();
        let bar = (self.shown == Shown::Auto).then(hidden_bar);
        let interval = if bar.is_some() { Duration::from_millis(100) } else { Duration::from_secs(1) };
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        while !*ended {
            let waited = self.changed.wait_timeout(ended, interval);
            ended = waited.unwrap_or_else(PoisonError::into_inner).0;
            match &bar {
                Some(bar) if started.elapsed() >= MOMENT => self.draw(bar),
                None if !*ended => self.line(started, false),
                _ => {}
            }
        }
        match bar {
            Some(bar) => {
                make_room_for(None);
                bar.finish_and_clear();
            }
            None => self.line(started, true),
        }
    }

    fn draw(&self, bar: &ProgressBar) {
        let done = self.counters.n_bytes.load(Ordering::Relaxed);
        if self.found.is_all.load(Ordering::Acquire) && bar.length().is_none() {
            bar.set_length(self.found.n_bytes.load(Ordering::Relaxed).max(done));
        }
        bar.set_style(style(bar.length().is_some(), Width::of_terminal()));
        let n_files = self.counters.n_files.load(Ordering::Relaxed);
        bar.set_message(format!("{n_files} {}", if n_files == 1 { "file" } else { "files" }));
        bar.set_position(done);
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            make_room_for(Some(bar.clone()));
        }
    }

    /// Prints a line of JSON: an object `progress` with `files`, `bytes`, `seconds`, `files_found`,
    /// `bytes_found`, `found_all` and `done`.
    fn line(&self, started: Instant, done: bool) {
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        // At the end everything is known, including files that the search missed or could not measure.
        let found = |found: &AtomicU64, counter: &AtomicU64| match done {
            true => number(found).max(number(counter)),
            false => number(found),
        };
        let seconds = (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        let progress = json!({"progress": {
            "files": number(&self.counters.n_files),
            "bytes": number(&self.counters.n_bytes),
            "seconds": seconds,
            "files_found": found(&self.found.n_files, &self.counters.n_files),
            "bytes_found": found(&self.found.n_bytes, &self.counters.n_bytes),
            "found_all": done || self.found.is_all.load(Ordering::Acquire),
            "done": done,
        }});
        say(format!("{progress}\n").as_bytes());
    }
}

/// The amount of detail: the output must fit into a line.
#[derive(Clone, Copy)]
enum Width {
    Wide,
    Medium,
    Narrow,
}

impl Width {
    fn of_terminal() -> Width {
        match platform::termios::tcgetwinsize(platform::stdio::stderr()) {
            Ok(Winsize { ws_col: 1..40, .. }) => Width::Narrow,
            Ok(Winsize { ws_col: 40..80, .. }) => Width::Medium,
            _ => Width::Wide,
        }
    }
}

/// Returns the drawn line. Until all files are found, the total is unknown.
fn style(is_all_found: bool, width: Width) -> ProgressStyle {
    let template = match (is_all_found, width) {
        // For 1000 GiB and a million files the numbers take 74 columns.
        (true, Width::Wide) => {
            "{wide_bar} {percent:>3} %, {binary_bytes} of {binary_total_bytes}, {msg}, {binary_bytes_per_sec}, {eta} left"
        }
        (true, Width::Medium) => "{percent:>3} %, {binary_bytes_per_sec}, {eta} left",
        (true, Width::Narrow) => "{percent:>3} %",
        (false, Width::Wide) => "{spinner} {binary_bytes}, {msg}, {binary_bytes_per_sec}",
        (false, Width::Medium) => "{spinner} {binary_bytes}, {binary_bytes_per_sec}",
        (false, Width::Narrow) => "{spinner} {binary_bytes}",
    };
    ProgressStyle::with_template(template).expect("a template that indicatif knows")
}

/// A bar that is not drawn yet.
fn hidden_bar() -> ProgressBar {
    ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_is_one() {
        for width in [Width::Wide, Width::Medium, Width::Narrow] {
            style(true, width);
            style(false, width);
        }
    }
}
