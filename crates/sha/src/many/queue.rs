//! Messages that come one by one, hashed together: submit and flush.

use core::fmt;

use arrayvec::ArrayVec;
use hashlanes_isa::Plan;

use super::{Secrecy, Starts, digest_all};
use crate::Hasher;
use crate::algorithm::{Algorithm, algorithms};
use crate::hasher::Midstate;

/// Messages that wait at most: four for each lane of the widest kernels, so that lanes stay full where lengths differ.
const WAITING: usize = 64;

/// Hashes messages that come one by one, many together: records, chunks from a socket, lines of a file.
///
/// The queue owns its messages, anything that is [`AsRef<[u8]>`](AsRef): `Vec<u8>`, `&[u8]`, `[u8; 40]`, or a struct of the
/// caller's with an identifier next to the bytes ([`Tagged`] is one). Each is handed back with its digest.
///
/// [`submit`](Queue::submit) accepts a message, and returns one with its digest if there is one. 64 messages wait before they are
/// hashed together; [`flush`](Queue::flush) hashes those that wait: when nothing comes for a while, or at the end. Messages
/// are returned in the order in which they came. Nothing is allocated; a queue takes about 128 times the size of `M`, and 64
/// digests.
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
pub struct Queue<A: Algorithm, M> {
    start: Midstate<A>,
    waiting: ArrayVec<M, WAITING>,
    /// The last one is next.
    ready: ArrayVec<(M, A::Digest), WAITING>,
}

/// A message with something that the caller knows it by.
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
    /// Not hashed.
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

/// Hashing for a queue, compiled here for each algorithm and not where the type of messages is known.
pub trait Queued: Algorithm {
    /// The digests of messages after `start`.
    fn digest_waiting(start: &Midstate<Self>, messages: &[&[u8]], digests: &mut [Self::Digest]);
}

macro_rules! queued {
    ($($algorithm:ident)*) => {$(
        impl Queued for algorithms::$algorithm {
            fn digest_waiting(start: &Midstate<Self>, messages: &[&[u8]], digests: &mut [Self::Digest]) {
                let start = Starts::One(&start.state, start.n_bytes);
                digest_all::<Self>(Plan::BEST, start, messages, Secrecy::Secret, digests);
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

/// Without messages and digests.
impl<A: Algorithm, M> fmt::Debug for Queue<A, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("waiting", &self.waiting.len())
            .field("ready", &self.ready.len())
            .finish_non_exhaustive()
    }
}

/// Overwrites digests and the state that messages start from. The messages are dropped, each as its type does.
#[cfg(feature = "zeroize")]
impl<A: Algorithm, M> Drop for Queue<A, M> {
    fn drop(&mut self) {
        self.start.state = A::H0;
        for (_, digest) in &mut self.ready {
            *digest = A::ZERO_DIGEST;
        }
        core::hint::black_box(self);
    }
}

impl<A: Queued, M: AsRef<[u8]>> Queue<A, M> {
    /// An empty queue.
    pub fn new() -> Self {
        Self::from_midstate(Hasher::<A>::START)
    }

    /// An empty queue whose messages all follow the same bytes: a salt, a prefix.
    pub fn from_midstate(start: Midstate<A>) -> Self {
        Self { start, waiting: ArrayVec::new(), ready: ArrayVec::new() }
    }

    /// Accepts a message; returns an earlier one with its digest, if one is ready.
    pub fn submit(&mut self, message: M) -> Option<(M, A::Digest)> {
        self.waiting.push(message);
        // A message comes out for each that comes in, so that all that were ready are out when as many wait.
        if self.waiting.is_full() {
            self.digest();
        }
        self.ready.pop()
    }

    /// Returns a message with its digest, of those that wait if none is ready; `None` if the queue is empty.
    pub fn flush(&mut self) -> Option<(M, A::Digest)> {
        if self.ready.is_empty() {
            self.digest();
        }
        self.ready.pop()
    }

    /// Messages that have not been returned yet.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.ready.len()
    }

    /// Whether all messages have been returned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hashes the messages that wait.
    fn digest(&mut self) {
        let mut digests = [A::ZERO_DIGEST; WAITING];
        let digests = &mut digests[..self.waiting.len()];
        let messages: ArrayVec<&[u8], WAITING> = self.waiting.iter().map(M::as_ref).collect();
        A::digest_waiting(&self.start, &messages, digests);
        drop(messages);
        self.ready.extend(
            self.waiting
                .drain(..)
                .zip(digests)
                .rev()
                .map(|(message, digest)| (message, core::mem::replace(digest, A::ZERO_DIGEST))),
        );
    }
}
