//! Many messages at once.
//!
//! ```text
//! sha256_many(messages, digests)        whole.rs
//!   │
//!   ▼
//! digest_all    a few short ones go one by one, as by `sha256`
//!   │      └─── all of one number of blocks ──────────┐
//!   ▼                                                 ▼
//! sort.rs       256 at a time ── short, alike ──▶ group.rs    from start to end, side by side
//!   │
//!   ▼
//! window.rs     the others rotate: up to 32 live messages; `schedule` says which advance, and by how much
//!   │
//!   ▼
//! isa::Batch  writes the turns      isa::Plan  chooses the kernel      isa::Kernel  carries the turns out
//! ```
//!
//! Parts of messages ([`Hasher::update_many`](crate::Hasher::update_many)) enter at the window, their ends
//! ([`Hasher::finish_many`](crate::Hasher::finish_many)) as groups, and messages that come one by one ([`Queue`]) wait until they
//! are many.

mod group;
mod parts;
mod queue;
mod sort;
mod whole;
mod window;

use core::marker::PhantomData;

use hashlanes_isa::{Batch, FEW, Function, Plan, put_digest};

pub(crate) use parts::{end_all, update_all};
pub use queue::{Queue, Queued, Tagged};
pub(crate) use sort::BATCH;
use sort::{digest_others, digest_others_in};
pub(crate) use window::{Live, Work, drive};

use crate::algorithm::{Algorithm, State};
use crate::padding::{digest_one, n_blocks};

/// Whether what passes through the lanes is secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Public,
    /// States, ends of messages and the stack are overwritten when all is done.
    Secret,
}

/// Where messages start from: the state and the number of bytes that led to it.
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

/// Where digests go.
pub(crate) trait Sink<A: Algorithm> {
    /// Takes the digest of message `index`, which `write` writes: a copy would wait for the words that were just stored.
    fn put(&mut self, index: usize, write: impl FnOnce(&mut A::Digest));
}

/// To their places: `digests[i]` is that of message i.
impl<A: Algorithm> Sink<A> for [A::Digest] {
    #[inline(always)]
    fn put(&mut self, index: usize, write: impl FnOnce(&mut A::Digest)) {
        write(&mut self[index]);
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

/// Where last states go: the engine knows the compression function alone, so it is compiled once for all hashes that share
/// one.
pub(crate) trait States<F: Function> {
    /// Takes the last state of message `index`.
    fn put(&mut self, index: usize, state: &F::State);
    /// Takes those of messages from number `first` on.
    fn put_all(&mut self, first: usize, states: &[F::State]);
}

/// Makes digests of states.
struct Digests<'s, A, S: ?Sized> {
    sink: &'s mut S,
    algorithm: PhantomData<A>,
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

/// Digests of whole messages, any number of any lengths, in no order.
///
/// A caller of secret messages overwrites the stack afterwards: a few are hashed one by one, without a batch.
pub(crate) fn digest_all<A: Algorithm>(
    plan: Plan<A::Function>,
    starts: Starts<'_, A::Function>,
    messages: &[&[u8]],
    secrecy: Secrecy,
    sink: &mut (impl Sink<A> + ?Sized),
) {
    let n_done = digest_first::<A>(plan, starts, messages, sink);
    if n_done < messages.len() {
        let mut states = Digests { sink, algorithm: PhantomData::<A> };
        digest_others::<A::Function>(plan, starts, messages, n_done, secrecy, &mut states);
    }
}

/// As [`digest_all`], in a batch that the caller keeps, and overwrites if messages are secret.
pub(crate) fn digest_all_in<A: Algorithm>(
    batch: &mut Batch<A::Function>,
    plan: Plan<A::Function>,
    starts: Starts<'_, A::Function>,
    messages: &[&[u8]],
    sink: &mut (impl Sink<A> + ?Sized),
) {
    let n_done = digest_first::<A>(plan, starts, messages, sink);
    if n_done < messages.len() {
        let mut states = Digests { sink, algorithm: PhantomData::<A> };
        digest_others_in::<A::Function>(&mut batch.open(), plan, starts, messages, n_done, &mut states);
    }
}

/// Hashes the first few short messages one by one; returns how many. Apart from the others, whose room on the stack takes
/// 20 cycles.
#[inline]
fn digest_first<A: Algorithm>(
    plan: Plan<A::Function>,
    starts: Starts<'_, A::Function>,
    messages: &[&[u8]],
    sink: &mut (impl Sink<A> + ?Sized),
) -> usize {
    let n = messages.len();
    let n_blocks_of = |i: usize| n_blocks::<A::Function>(messages[i].len());
    if n == 0 || n > FEW {
        return 0;
    }
    let n_blocks = n_blocks_of(0);
    let in_groups = (1..n).all(|i| n_blocks_of(i) == n_blocks) && plan.in_groups(n, n_blocks);
    if !in_groups && !plan.one_by_one(n, (0..n).map(n_blocks_of).sum()) {
        return 0;
    }
    for i in 0..n {
        let kernel =
            if in_groups { plan.next_group(n - i, n_blocks).0 } else { plan.kernel(1, n_blocks_of(i)) };
        if in_groups && kernel.degree() > 1 {
            return i;
        }
        let (state, n_before) = starts.of(i);
        sink.put(i, |digest| digest_one(kernel, state, n_before, messages[i], digest.as_mut()));
    }
    n
}
