//! Files whose results are in the cache bypass the engine; the results of all others are added to the cache.

use std::io;
use std::sync::{Mutex, PoisonError};

use super::cache::{Cache, Key};
use super::manifest_format::Form;
use crate::files::{Change, Entry, File, Origin, Source};
use crate::hashing::{Counters, Sum};
use crate::output::Lines;

/// A cache in use.
pub(super) struct InUse {
    pub(super) cache: Cache,
    /// The first failure to write it.
    failure: Mutex<Option<io::Error>>,
}

impl InUse {
    pub(super) fn new(cache: Cache) -> Self {
        InUse { cache, failure: Mutex::new(None) }
    }

    /// Remembers the results of a file that was `key` before it was read, if it still is.
    pub(super) fn remember(&self, file: &File, key: &Key, sum: Sum<'_>) {
        if key.n_bytes == sum.n_bytes && Key::of(&file.name).as_ref() == Some(key) {
            self.keep(self.cache.add(key, sum.results));
        }
    }

    fn keep(&self, result: io::Result<()>) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        *failure = failure.take().or(result.err());
    }

    /// Writes the remaining entries.
    pub(super) fn end(self) -> io::Result<()> {
        let failure = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = self.cache.end();
        failure.map_or(ended, Err)
    }
}

/// A source without the files that a cache knows.
pub(super) struct Cached<'a, S> {
    pub(super) source: S,
    pub(super) cache: Option<&'a InUse>,
    pub(super) form: &'a Form,
    pub(super) counters: &'a Counters,
}

impl<S: Source<Tag = ()>> Source for Cached<'_, S> {
    /// The stamp of the file before it is read, if there is a cache.
    type Tag = Option<Key>;

    fn next(&mut self) -> Option<Entry<Option<Key>>> {
        let file = match self.source.next()? {
            Entry::Said(said) => return Some(Entry::Said(said)),
            Entry::File(file, ()) => file,
        };
        let is_path = !matches!(file.origin, Origin::StandardInput(_));
        let Some(in_use) = self.cache.filter(|_| is_path) else { return Some(Entry::File(file, None)) };
        let key = Key::of(&file.name);
        if let Some(key) = &key
            && let Some(results) = in_use.cache.results(key)
            && let sum = (Sum { results: &results, n_bytes: key.n_bytes, change: Change::NotSeen })
            && let Ok(out) = self.form.file(&file, sum)
        {
            self.counters.add(1, key.n_bytes as usize);
            return Some(Entry::Said(Lines { out, ..Lines::default() }));
        }
        // Asked before it is read: in the time that this takes it may age, and change.
        Some(Entry::File(file, key.filter(|key| !key.is_fresh())))
    }

    fn at_most(&self) -> Option<usize> {
        self.source.at_most()
    }

    fn next_may_wait(&self) -> bool {
        self.source.next_may_wait()
    }
}
