//! Files hashed in batches: each alone on a thread, or a long one on all threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::input::{Failure, Input};
use super::mode::{Function, Threads};
use super::reading::Reading;
use crate::hashing::Counters;
use crate::message::Speaker;

/// Files that threads take from together.
pub(super) const BATCH: usize = 256;
/// A longer file is hashed by all threads.
const LONG: u64 = 8 << 20;

/// The output for a file: its name, what its list knows of it, the result.
pub(super) type Report<'r, T> = &'r mut dyn FnMut(&[u8], T, Result<String, Failure>);

/// The method of hashing files.
pub(super) struct Hashing<'a> {
    pub(super) speaker: &'a Speaker,
    pub(super) function: &'a Function,
    pub(super) jobs: usize,
}

/// The state of a file in its batch.
enum Outcome {
    Done(Result<String, Failure>),
    /// For all threads.
    Long(Input),
}

impl Hashing<'_> {
    /// Hashes files, and reports them in order.
    pub(super) fn each<T>(
        &self,
        files: &mut dyn Iterator<Item = (Vec<u8>, T)>,
        counters: &Counters,
        report: Report<'_, T>,
    ) {
        loop {
            let batch: Vec<(Vec<u8>, T)> = files.take(BATCH).collect();
            if batch.is_empty() {
                return;
            }
            let (names, tags): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
            let mut outcomes = self.alone(&names, counters);
            for (name, tag) in names.iter().zip(tags) {
                let outcome = match outcomes.next() {
                    Some(outcome) => outcome,
                    None => self.begin(name, counters, names.len()),
                };
                let result = match outcome {
                    Outcome::Done(result) => result,
                    Outcome::Long(input) => self.hash(&input, counters, self.jobs),
                };
                report(name, tag, result);
            }
        }
    }

    /// Hashes a batch on the threads, each file on one of them. Does nothing with one thread: files are then
    /// begun in their turn.
    fn alone(&self, names: &[Vec<u8>], counters: &Counters) -> impl Iterator<Item = Outcome> + use<> {
        let n_threads = if names.len() == 1 { 1 } else { self.jobs.min(names.len()) };
        if n_threads == 1 {
            return Vec::new().into_iter();
        }
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::new());
        let one = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(name) = names.get(number) else { return };
                let outcome = self.begin(name, counters, names.len());
                outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((number, outcome));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n_threads {
                // If a thread cannot be started, the work continues with fewer.
                let _ = std::thread::Builder::new().spawn_scoped(scope, one);
            }
            one();
        });
        let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.sort_unstable_by_key(|(number, _)| *number);
        outcomes.into_iter().map(|(_, outcome)| outcome).collect::<Vec<_>>().into_iter()
    }

    /// Opens a file and hashes it on this thread. A file that all threads share waits for them, if it is long
    /// or only reading shows its length.
    fn begin(&self, name: &[u8], counters: &Counters, n_files: usize) -> Outcome {
        if let Some(result) = self.function.of_path(name, (self.jobs / n_files).max(1), counters) {
            return Outcome::Done(result);
        }
        let input = match Input::open(name) {
            Ok(input) => input,
            Err(failure) => return Outcome::Done(Err(failure)),
        };
        let is_shared = self.function.threads == Threads::ShareFiles || n_files == 1 || name == b"-";
        if is_shared && input.n_bytes().is_none_or(|n_bytes| n_bytes > LONG) {
            return Outcome::Long(input);
        }
        Outcome::Done(self.hash(&input, counters, 1))
    }

    fn hash(&self, input: &Input, counters: &Counters, jobs: usize) -> Result<String, Failure> {
        let result = self.function.of(&Reading { input, jobs, counters });
        counters.add(1, 0);
        result
    }
}
