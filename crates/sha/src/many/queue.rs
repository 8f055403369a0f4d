//! Messages that come one by one, hashed together: submit and flush.

use core::fmt;

use hashlanes_isa::{Batch, MAX_DEGREE, Plan};
use hashlanes_schedule::{Rotation, SLOTS};

use super::group::{Tail, insert};
use super::window::Live;
use crate::Hasher;
use crate::algorithm::{Algorithm, digest_of};
use crate::hasher::Midstate;

/// Hashes messages that come one by one, a lane each, for callers that have no batch: parts of a mapped file, records
/// where an arena holds them.
///
/// Messages are borrowed, not copied, so they must outlive the queue. Where buffers come and go, gather some and call
/// [`Hasher::digest_many`].
///
/// [`submit`](Queue::submit) takes a message, with a tag by which the caller knows it again, and gives back a digest
/// that is ready, if one is. It computes only when all lanes of the CPU's widest kernel have a message; until then
/// messages wait, at most one fewer than it has lanes ([`Queue::len`] counts them). [`flush`](Queue::flush) computes
/// with those that there are: when nothing comes for a while, or at the end. Digests become ready in no order; none is
/// lost, and nothing is allocated.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Sha256Queue, sha256};
///
/// let records: Vec<Vec<u8>> = (0..100).map(|i| vec![i as u8; 37 * i]).collect();
/// let mut digests = vec![[0; 32]; records.len()];
///
/// let mut queue = Sha256Queue::new();
/// for (i, record) in records.iter().enumerate() {
///     if let Some((i, digest)) = queue.submit(i, record) {
///         digests[i] = digest;
///     }
/// }
/// while let Some((i, digest)) = queue.flush() {
///     digests[i] = digest;
/// }
/// assert!(records.iter().zip(digests).all(|(record, digest)| sha256(record) == digest));
/// ```
pub struct Queue<'a, A: Algorithm, T> {
    start: Midstate<A>,
    batch: Batch<'a, A::Function>,
    rotation: Rotation,
    /// The tags of messages in the batch, by slot.
    tags: [Option<T>; SLOTS],
    /// Digests that nobody has fetched yet; the first `n_ready` are there.
    ready: [Option<(T, A::Digest)>; SLOTS],
    n_ready: usize,
}

impl<A: Algorithm, T> Default for Queue<'_, A, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Algorithm, T> fmt::Debug for Queue<'_, A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rotation, n_ready, .. } = self;
        f.debug_struct("Queue")
            .field("waiting", &rotation.n_live())
            .field("ready", n_ready)
            .finish_non_exhaustive()
    }
}

/// Overwrites the ends of messages, their states and digests, and the state that they started from.
#[cfg(feature = "zeroize")]
impl<A: Algorithm, T> Drop for Queue<'_, A, T> {
    fn drop(&mut self) {
        self.batch.wipe();
        self.start.state = A::H0;
        for (_, digest) in self.ready.iter_mut().flatten() {
            *digest = A::ZERO_DIGEST;
        }
        core::hint::black_box(self);
    }
}

impl<'a, A: Algorithm, T> Queue<'a, A, T> {
    /// An empty queue.
    pub fn new() -> Self {
        Self::from_midstate(Hasher::<A>::START)
    }

    /// An empty queue whose messages all follow the same bytes: a salt, a prefix.
    pub fn from_midstate(start: Midstate<A>) -> Self {
        Self {
            start,
            batch: Batch::new(),
            rotation: Rotation::new(),
            tags: [const { None }; SLOTS],
            ready: [const { None }; SLOTS],
            n_ready: 0,
        }
    }

    /// Takes a message in; gives a digest that is ready, if one is, with its message's tag.
    #[inline]
    pub fn submit(&mut self, tag: T, message: &'a [u8]) -> Option<(T, A::Digest)> {
        let Midstate { state, n_bytes: n_before } = self.start;
        let slot = self.rotation.vacant();
        let n_blocks = insert(&mut self.batch.open(), slot, &Tail { state: &state, n_before, message });
        self.rotation.insert(slot, n_blocks);
        self.tags[slot] = Some(tag);
        // Each call takes one message in and gives one digest out, if it computes: so there are never more messages
        // here, ready ones included, than lanes, and always a vacant slot.
        let widest = Plan::<A::Function>::BEST.kernel(MAX_DEGREE, Live::of(&self.rotation).n_blocks);
        if self.n_ready == 0 && self.rotation.n_live() >= widest.degree() {
            self.advance();
        }
        self.take_ready()
    }

    /// Gives a digest, computing with fewer messages than lanes if none is ready; `None` if the queue is empty.
    #[inline]
    pub fn flush(&mut self) -> Option<(T, A::Digest)> {
        if self.n_ready == 0 && self.rotation.n_live() > 0 {
            self.advance();
        }
        self.take_ready()
    }

    /// Messages whose digests have not been given back yet.
    #[inline]
    pub fn len(&self) -> usize {
        self.rotation.n_live() + self.n_ready
    }

    /// Whether all digests have been given back.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes until a message has ended.
    fn advance(&mut self) {
        let mut batch = self.batch.open();
        while self.n_ready == 0 {
            let Live { n, n_blocks } = Live::of(&self.rotation);
            let kernel = Plan::<A::Function>::BEST.kernel(n, n_blocks);
            let turn = self.rotation.turn(kernel.degree(), |_, _| 0);
            batch.advance(kernel, turn.slots(), turn.n_blocks);
            while let Some(slot) = self.rotation.pop_finished() {
                let tag = self.tags[slot].take().expect("a message came in with its tag");
                self.ready[self.n_ready] = Some((tag, digest_of::<A>(batch.state(slot))));
                self.n_ready += 1;
            }
        }
        batch.carry_out();
    }

    fn take_ready(&mut self) -> Option<(T, A::Digest)> {
        self.n_ready = self.n_ready.checked_sub(1)?;
        self.ready[self.n_ready].take()
    }
}
