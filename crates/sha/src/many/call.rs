//! Parameters of a call on many messages: initial states, where the digests go, and whether the messages are
//! secret.

use core::ops::Range;

use hashlanes_isa::{Function, put_digest};

use crate::algorithm::Algorithm;

/// Whether what passes through the lanes is secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Public,
    /// States, ends of messages and the stack are overwritten when all is done.
    Secret,
}

/// The start of messages: the state and the number of bytes that led to it.
#[derive(Clone, Copy)]
pub(crate) enum Starts<'s, F: Function> {
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

/// To their places: digest i is that of message i.
pub(crate) struct InPlace<'d, A: Algorithm>(pub(crate) &'d mut [A::Digest]);

impl<A: Algorithm> Sink for InPlace<'_, A> {
    #[inline(always)]
    fn digest_bytes(&self) -> usize {
        A::DIGEST_BYTES
    }
    #[inline(always)]
    fn put(&mut self, index: usize, write: impl FnOnce(&mut [u8])) {
        write(self.0[index].as_mut());
    }
    #[inline(always)]
    fn place(&mut self, messages: Range<usize>) -> Option<&mut [u8]> {
        Some(A::bytes_of(&mut self.0[messages]))
    }
}

/// The destination of final states: the engine knows only the compression function, so it is compiled once
/// for all hashes that share one.
pub(crate) trait States<F: Function> {
    /// Receives the final state of message `index`.
    fn put(&mut self, index: usize, state: &F::State);
    /// Receives those of messages from number `first` on.
    fn put_all(&mut self, first: usize, states: &[F::State]);
}

/// Computes digests from states.
pub(crate) struct Digests<'s, S>(pub(crate) &'s mut S);

impl<F: Function, S: Sink> States<F> for Digests<'_, S> {
    fn put(&mut self, index: usize, state: &F::State) {
        self.0.put(index, |digest| put_digest::<F>(state, digest));
    }
    fn put_all(&mut self, first: usize, states: &[F::State]) {
        for (index, state) in (first..).zip(states) {
            States::<F>::put(self, index, state);
        }
    }
}
