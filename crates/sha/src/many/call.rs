//! Parameters of a call on many messages: initial states, where the digests go, and whether the messages are
//! secret.

use core::marker::PhantomData;
use core::ops::Range;

use hashlanes_isa::{Function, put_digest};

use crate::algorithm::{Algorithm, State};

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

/// The destination of digests.
pub(crate) trait Sink<A: Algorithm> {
    /// Receives the digest of message `index`, which `write` writes: a copy would wait for the words that
    /// were just stored.
    fn put(&mut self, index: usize, write: impl FnOnce(&mut A::Digest));
    /// Returns where the digests of these messages are to be written, if nothing else has to be done with
    /// them.
    #[inline]
    fn place(&mut self, messages: Range<usize>) -> Option<&mut [A::Digest]> {
        let _ = messages;
        None
    }
}

/// To their places: `digests[i]` is that of message i.
impl<A: Algorithm> Sink<A> for [A::Digest] {
    #[inline(always)]
    fn put(&mut self, index: usize, write: impl FnOnce(&mut A::Digest)) {
        write(&mut self[index]);
    }
    #[inline]
    fn place(&mut self, messages: Range<usize>) -> Option<&mut [A::Digest]> {
        Some(&mut self[messages])
    }
}

/// To a function of the message's number and its digest.
pub(crate) struct Call<F>(pub(crate) F);

impl<A: Algorithm, F: FnMut(usize, A::Digest)> Sink<A> for Call<F> {
    #[inline(always)]
    fn put(&mut self, index: usize, write: impl FnOnce(&mut A::Digest)) {
        let mut digest = A::ZERO_DIGEST;
        write(&mut digest);
        (self.0)(index, digest);
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
pub(super) struct Digests<'s, A, S: ?Sized> {
    sink: &'s mut S,
    algorithm: PhantomData<A>,
}

impl<'s, A: Algorithm, S: Sink<A> + ?Sized> Digests<'s, A, S> {
    pub(super) fn into(sink: &'s mut S) -> Self {
        Self { sink, algorithm: PhantomData }
    }
}

impl<A: Algorithm, S: Sink<A> + ?Sized> States<A::Function> for Digests<'_, A, S> {
    fn put(&mut self, index: usize, state: &State<A>) {
        self.sink.put(index, |digest| put_digest::<A::Function>(state, digest.as_mut()));
    }
    fn put_all(&mut self, first: usize, states: &[State<A>]) {
        for (index, state) in (first..).zip(states) {
            self.put(index, state);
        }
    }
}
