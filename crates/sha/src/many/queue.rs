//! Messages that arrive one by one, hashed together: submit and flush.

use core::fmt;
use core::mem;
use core::ops::Range;

use hashlanes_isa::{Batch, Plan};

use super::{InPlace, Starts, digest_all_in};
use crate::Hasher;
use crate::algorithm::{Algorithm, algorithms};
use crate::hasher::Midstate;

/// The most messages that wait: four for each lane of the widest kernels, so that lanes stay full where
/// lengths differ.
const WAITING: usize = 64;

/// Hashes messages that arrive one by one, many together: records, chunks from a socket, lines of a file.
///
/// The queue owns its messages, which are anything that is [`AsRef<[u8]>`](AsRef): `Vec<u8>`, `&[u8]`, `[u8;
/// 40]`, or a struct of the caller with an identifier next to the bytes ([`Tagged`] is one). Each message is
/// returned with its digest.
///
/// [`submit`](Queue::submit) accepts a message, and returns an earlier one with its digest if one is ready.
/// 64 messages are hashed together; [`flush`](Queue::flush) hashes those that wait, at the end or after a
/// pause. Messages are returned in the order in which they were submitted. Nothing is allocated; a queue
/// takes 17 to 32 KB and 64 times the size of `M`. If a message's `as_ref` panics, the messages that wait
/// with it are dropped unhashed.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Sha256Queue, sha256};
///
/// let chunks = (0..100).map(|i| vec![i as u8; 37 * i]);
/// let mut queue = Sha256Queue::new();
/// let mut hashed: Vec<(Vec<u8>, [u8; 32])> = Vec::new();
/// for chunk in chunks {
///     hashed.extend(queue.submit(chunk));
/// }
/// hashed.extend(std::iter::from_fn(|| queue.flush()));
/// assert_eq!(hashed.len(), 100);
/// assert!(hashed.iter().all(|(chunk, digest)| sha256(chunk) == *digest));
/// ```
pub struct Queue<A: Queued, M> {
    start: Midstate<A>,
    /// Kept from call to call: overwriting it and the stack after every 64 messages would make one of 64
    /// bytes take 85 instead of 54 ns (Raptor Cove).
    batch: Batch<A::Function>,
    /// The first `n_waiting` wait; those in `ready` are hashed, and are returned first.
    messages: [Option<M>; WAITING],
    digests: [A::Digest; WAITING],
    n_waiting: usize,
    /// The start of the ready messages: at `n_waiting` or after it, if there are any.
    ready: Range<usize>,
}

/// A message with an identifier of the caller.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Sha256Queue, Tagged, sha256};
///
/// let mut queue = Sha256Queue::new();
/// assert!(queue.submit(Tagged { tag: 7, message: "a line" }).is_none());
/// let (Tagged { tag, .. }, digest) = queue.flush().expect("one is waiting");
/// assert_eq!((tag, digest), (7, sha256(b"a line")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tagged<T, M> {
    /// The identifier, which is not hashed.
    pub tag: T,
    /// The bytes that are hashed.
    pub message: M,
}

impl<T, M: AsRef<[u8]>> AsRef<[u8]> for Tagged<T, M> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        self.message.as_ref()
    }
}

/// Hashing for a queue, compiled here for each algorithm, not for each type of messages.
pub trait Queued: Algorithm {
    /// Computes the digests of messages that continue `start`.
    fn digest_waiting(
        batch: &mut Batch<Self::Function>,
        start: &Midstate<Self>,
        messages: &[&[u8]],
        digests: &mut [Self::Digest],
    );
    /// Overwrites a batch.
    #[cfg(feature = "zeroize")]
    fn wipe_batch(batch: &mut Batch<Self::Function>);
}

macro_rules! queued {
    ($($algorithm:ident)*) => {$(
        impl Queued for algorithms::$algorithm {
            fn digest_waiting(
                batch: &mut Batch<Self::Function>,
                start: &Midstate<Self>,
                messages: &[&[u8]],
                digests: &mut [Self::Digest],
            ) {
                let start = Starts::One(&start.state, start.n_bytes);
                digest_all_in(batch, Plan::BEST, start, messages, &mut InPlace::new(Self::bytes_of(digests), Self::DIGEST_BYTES));
            }
            #[cfg(feature = "zeroize")]
            fn wipe_batch(batch: &mut Batch<Self::Function>) {
                batch.wipe();
            }
        }
    )*};
}
#[cfg(feature = "sha1")]
queued! { Sha1 }
#[cfg(feature = "sha2")]
queued! { Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256 }

impl<A: Queued, M: AsRef<[u8]>> Default for Queue<A, M> {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints neither messages nor digests.
impl<A: Queued, M> fmt::Debug for Queue<A, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("waiting", &self.n_waiting)
            .field("ready", &self.ready.len())
            .finish_non_exhaustive()
    }
}

/// Overwrites the ends of messages, their states and digests, and the initial state. The messages are dropped
/// as their type requires.
#[cfg(feature = "zeroize")]
impl<A: Queued, M> Drop for Queue<A, M> {
    fn drop(&mut self) {
        A::wipe_batch(&mut self.batch);
        self.start.state = A::H0;
        self.digests = [A::ZERO_DIGEST; WAITING];
        core::hint::black_box(self);
    }
}

impl<A: Queued, M: AsRef<[u8]>> Queue<A, M> {
    /// Creates an empty queue.
    pub fn new() -> Self {
        Self::from_midstate(Hasher::<A>::START)
    }

    /// Creates an empty queue whose messages all follow the same bytes: a salt, a prefix.
    pub fn from_midstate(start: Midstate<A>) -> Self {
        Self {
            start,
            batch: Batch::new(),
            messages: [const { None }; WAITING],
            digests: [A::ZERO_DIGEST; WAITING],
            n_waiting: 0,
            ready: 0..0,
        }
    }

    /// Accepts a message; returns an earlier one with its digest, if one is ready.
    ///
    /// Up to 64 messages wait; [`flush`](Self::flush) returns them. Dropping the queue drops waiting messages
    /// unhashed.
    #[inline]
    pub fn submit(&mut self, message: M) -> Option<(M, A::Digest)> {
        // Each call returns a ready message, so that its place is vacant; when as many wait again, all ready
        // ones have been returned.
        let done = self.take_ready();
        self.messages[self.n_waiting] = Some(message);
        self.n_waiting += 1;
        if self.n_waiting < WAITING {
            return done;
        }
        self.digest();
        if done.is_some() { done } else { self.take_ready() }
    }

    /// Returns a message with its digest; hashes the waiting ones if none is ready. `None` if the queue is
    /// empty.
    #[inline]
    pub fn flush(&mut self) -> Option<(M, A::Digest)> {
        if self.ready.is_empty() {
            self.digest();
        }
        self.take_ready()
    }

    /// Returns the number of messages that have not been returned yet.
    pub fn len(&self) -> usize {
        self.n_waiting + self.ready.len()
    }

    /// Returns whether all messages have been returned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hashes the messages that wait, if none is ready.
    #[inline(never)]
    fn digest(&mut self) {
        let n_waiting = mem::take(&mut self.n_waiting);
        let mut messages: [&[u8]; WAITING] = [&[]; WAITING];
        let mut n = 0;
        // In a user's crate without optimisation, an iterator would take longer than all the rest.
        while n < n_waiting
            && let Some(message) = &self.messages[n]
        {
            messages[n] = message.as_ref();
            n += 1;
        }
        A::digest_waiting(&mut self.batch, &self.start, &messages[..n], &mut self.digests[..n]);
        self.ready = 0..n;
    }

    #[inline]
    fn take_ready(&mut self) -> Option<(M, A::Digest)> {
        if self.ready.is_empty() {
            return None;
        }
        let i = self.ready.start;
        self.ready.start += 1;
        let message = self.messages[i].take()?;
        Some((message, self.digests[i]))
    }
}
