//! The function that hashes files: a hash, a hash with a key, or several of them in one read.
//!
//! The engine does not know the type of a hash. It holds the state of a file as [`Begun`], which only the
//! function that began it can read; a call for many files costs one type test for each.

use std::any::Any;
use std::ops::Range;

use hashlanes::{Algorithm, Hasher, Hmac, HmacKey};

/// The state of a file in progress.
pub(crate) type Begun = Box<dyn Any + Send>;

/// A function of files' contents.
pub(crate) trait Function: Send + Sync {
    /// Returns the bytes of its results for a file, one after another.
    fn result_bytes(&self) -> usize;
    /// Begins a file.
    fn begin(&self) -> Begun;
    /// Results of whole files.
    fn digest_many(&self, messages: &[&[u8]], results: &mut Results<'_>);
    /// Absorbs the next parts of files that it began.
    fn update_many(&self, parts: &mut [(&mut Begun, &[u8])]);
    /// Returns the results of files that it began, which cannot be used afterwards.
    fn finish_many(&self, begun: &mut [&mut Begun], results: &mut Results<'_>);
}

/// The destination of results: one of several columns of a table, with a row for each file.
pub(crate) struct Results<'r> {
    table: &'r mut [u8],
    row_bytes: usize,
    column: Range<usize>,
}

impl<'r> Results<'r> {
    /// A table of one column.
    pub(crate) fn new(table: &'r mut [u8], row_bytes: usize) -> Self {
        Results { table, row_bytes, column: 0..row_bytes }
    }

    pub(super) fn put<D: AsRef<[u8]>>(&mut self, digests: &[D]) {
        for (row, digest) in self.table.chunks_exact_mut(self.row_bytes).zip(digests) {
            row[self.column.clone()].copy_from_slice(digest.as_ref());
        }
    }

    /// Returns the next bytes of this column, after `from`.
    pub(super) fn column(&mut self, from: usize, n_bytes: usize) -> Results<'_> {
        let start = self.column.start + from;
        Results { table: self.table, row_bytes: self.row_bytes, column: start..start + n_bytes }
    }
}

/// Returns the state that `function` began, as `T`.
pub(super) fn of<T: 'static>(begun: &mut Begun) -> &mut T {
    begun.downcast_mut().expect("begun by this function")
}

/// A hash.
pub(super) struct Plain<A>(pub(super) std::marker::PhantomData<A>);

impl<A: Algorithm> Function for Plain<A> {
    fn result_bytes(&self) -> usize {
        A::DIGEST_BYTES
    }
    fn begin(&self) -> Begun {
        Box::new(Hasher::<A>::new())
    }
    fn digest_many(&self, messages: &[&[u8]], results: &mut Results<'_>) {
        let mut digests = vec![A::ZERO_DIGEST; messages.len()];
        Hasher::<A>::digest_many(messages, &mut digests);
        results.put(&digests);
    }
    fn update_many(&self, parts: &mut [(&mut Begun, &[u8])]) {
        let parts = parts.iter_mut().map(|(begun, part)| (of::<Hasher<A>>(begun), *part));
        Hasher::update_many(&mut parts.collect::<Vec<_>>());
    }
    fn finish_many(&self, begun: &mut [&mut Begun], results: &mut Results<'_>) {
        let mut hashers: Vec<Hasher<A>> = begun.iter_mut().map(|begun| std::mem::take(of(begun))).collect();
        let mut digests = vec![A::ZERO_DIGEST; hashers.len()];
        Hasher::finish_many(&mut hashers, &mut digests);
        results.put(&digests);
    }
}

/// An HMAC, with its key.
pub(super) struct Keyed<A: Algorithm>(pub(super) HmacKey<A>);

impl<A: Algorithm> Function for Keyed<A> {
    fn result_bytes(&self) -> usize {
        A::DIGEST_BYTES
    }
    fn begin(&self) -> Begun {
        Box::new(self.0.begin())
    }
    fn digest_many(&self, messages: &[&[u8]], results: &mut Results<'_>) {
        let mut macs = vec![A::ZERO_DIGEST; messages.len()];
        self.0.mac_many(messages, &mut macs);
        results.put(&macs);
    }
    fn update_many(&self, parts: &mut [(&mut Begun, &[u8])]) {
        let parts = parts.iter_mut().map(|(begun, part)| (of::<Hmac<A>>(begun), *part));
        Hmac::update_many(&mut parts.collect::<Vec<_>>());
    }
    fn finish_many(&self, begun: &mut [&mut Begun], results: &mut Results<'_>) {
        let mut hmacs: Vec<Hmac<A>> = begun.iter_mut().map(|begun| of::<Hmac<A>>(begun).clone()).collect();
        let mut macs = vec![A::ZERO_DIGEST; hmacs.len()];
        Hmac::finish_many(&mut hmacs, &mut macs);
        results.put(&macs);
    }
}
