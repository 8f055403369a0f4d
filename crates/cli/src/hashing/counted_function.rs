//! A function that counts the hashed bytes, for progress.

use std::sync::atomic::{AtomicU64, Ordering};

use super::function::{Begun, Function, Results};

/// The bytes hashed so far.
#[derive(Default, Debug)]
pub(crate) struct Counters {
    pub(crate) n_files: AtomicU64,
    pub(crate) n_bytes: AtomicU64,
}

impl Counters {
    /// So much more was hashed.
    pub(crate) fn add(&self, n_files: usize, n_bytes: usize) {
        self.n_files.fetch_add(n_files as u64, Ordering::Relaxed);
        self.n_bytes.fetch_add(n_bytes as u64, Ordering::Relaxed);
    }
}

/// The same function; what goes through it is counted.
pub(crate) struct Counted<'c> {
    pub(crate) function: Box<dyn Function>,
    pub(crate) counters: &'c Counters,
}

impl Function for Counted<'_> {
    fn result_bytes(&self) -> usize {
        self.function.result_bytes()
    }
    fn begin(&self) -> Begun {
        self.function.begin()
    }
    fn digest_many(&self, messages: &[&[u8]], results: &mut Results<'_>) {
        self.function.digest_many(messages, results);
        self.counters.add(messages.len(), messages.iter().map(|message| message.len()).sum());
    }
    fn update_many(&self, parts: &mut [(&mut Begun, &[u8])]) {
        self.counters.add(0, parts.iter().map(|(_, part)| part.len()).sum());
        self.function.update_many(parts);
    }
    fn finish_many(&self, begun: &mut [&mut Begun], results: &mut Results<'_>) {
        self.counters.add(begun.len(), 0);
        self.function.finish_many(begun, results);
    }
}
