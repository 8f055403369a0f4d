//! Parameters of a call on many messages: initial states, where the digests go, and whether the messages are
//! secret.

use core::ops::Range;

use hashlanes_isa::{Function, put_digest, put_stored_state};

/// Whether what passes through the lanes is secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Secrecy {
    Public,
    /// States, ends of messages and the stack are overwritten when all is done.
    Secret,
}

/// The start of messages: the state and the number of bytes that led to it.
#[derive(Clone, Copy)]
pub enum Starts<'s, F: Function> {
    /// All from one.
    One(&'s F::State, u64),
    /// Each from its own.
    Each(&'s dyn Fn(usize) -> (&'s F::State, u64)),
}

impl<'s, F: Function> Starts<'s, F> {
    #[inline]
    pub(crate) fn of(&self, index: usize) -> (&'s F::State, u64) {
        match self {
            Self::One(state, n_bytes) => (state, *n_bytes),
            Self::Each(start) => start(index),
        }
    }
}

/// The destination of digests, as bytes.
pub(crate) trait Sink {
    /// Returns the number of bytes of a digest.
    fn digest_bytes(&self) -> usize;
    /// Receives the digest of message `index`, which `write` writes: a copy would wait for the words that
    /// were just stored.
    fn put(&mut self, index: usize, write: impl FnOnce(&mut [u8]));
    /// Returns where the digests of these messages are to be written, if nothing else has to be done with
    /// them.
    fn place(&mut self, messages: Range<usize>) -> Option<&mut [u8]>;
}

/// To their places: digest i is that of message i. Bytes, so that hashes that share a compression function
/// share the code.
pub struct InPlace<'d> {
    digests: &'d mut [u8],
    digest_bytes: usize,
}

impl<'d> InPlace<'d> {
    #[inline]
    pub(crate) fn new(digests: &'d mut [u8], digest_bytes: usize) -> Self {
        Self { digests, digest_bytes }
    }
}

impl Sink for InPlace<'_> {
    #[inline(always)]
    fn digest_bytes(&self) -> usize {
        self.digest_bytes
    }
    #[inline(always)]
    fn put(&mut self, index: usize, write: impl FnOnce(&mut [u8])) {
        write(&mut self.digests[index * self.digest_bytes..][..self.digest_bytes]);
    }
    #[inline(always)]
    fn place(&mut self, messages: Range<usize>) -> Option<&mut [u8]> {
        let Range { start, end } = messages;
        Some(&mut self.digests[start * self.digest_bytes..end * self.digest_bytes])
    }
}

/// The destination of final states: the engine knows only the compression function, so it is compiled once
/// for all hashes that share one.
pub(crate) trait States<F: Function> {
    /// Receives the final state of message `index`.
    fn put(&mut self, index: usize, state: &F::State);
    /// Receives those of messages from number `first` on.
    fn put_all(&mut self, first: usize, states: &[F::State]);
    /// Receives those of messages whose numbers, counted from `from`, are in `order`.
    fn put_in_order(&mut self, from: usize, order: &[u8], states: &[F::State]);
}

/// Computes digests from states.
pub(crate) struct Digests<'s, S>(pub(crate) &'s mut S);

impl<S: Sink> Digests<'_, S> {
    /// Writes the digests of messages with these numbers.
    #[inline(always)]
    fn put_each<F: Function>(&mut self, indices: impl Iterator<Item = usize>, states: &[F::State]) {
        if self.0.digest_bytes() == size_of::<F::State>() {
            for (i, state) in indices.zip(states) {
                self.0.put(i, |digest| put_stored_state::<F>(state, digest));
            }
        } else {
            for (i, state) in indices.zip(states) {
                self.0.put(i, |digest| put_digest::<F>(state, digest));
            }
        }
    }
}

impl<F: Function, S: Sink> States<F> for Digests<'_, S> {
    fn put(&mut self, index: usize, state: &F::State) {
        self.0.put(index, |digest| put_digest::<F>(state, digest));
    }
    fn put_all(&mut self, first: usize, states: &[F::State]) {
        self.put_each::<F>(first.., states);
    }
    fn put_in_order(&mut self, from: usize, order: &[u8], states: &[F::State]) {
        self.put_each::<F>(order.iter().map(|i| from + usize::from(*i)), states);
    }
}
