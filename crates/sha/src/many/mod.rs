//! Many messages at once.
//!
//! ```text
//! sha256_many(messages, digests)
//!   │  few short ones: one by one                      hasher.rs
//!   ▼
//! digest_all ── all of one number of blocks ──┐
//!   │                                         │
//!   ▼                                         ▼
//! sort.rs     256 at a time, by length     group.rs    from start to end, side by side
//!   │  short ones of one length ──────────────▲
//!   ▼
//! window.rs   longer ones and leftovers rotate: up to 32 live messages, the next turn's lanes and blocks by `schedule`
//!   │
//!   ▼
//! isa::Batch  writes the turns      isa::Plan  chooses the kernel      isa::Kernel  carries the turns out
//! ```
//!
//! Parts of messages ([`Hasher::update_many`](crate::Hasher::update_many)) enter at the window, their ends
//! ([`Hasher::finish_many`](crate::Hasher::finish_many)) as groups, and messages that come one by one ([`Queue`]) have a
//! window of their own.

mod group;
mod parts;
mod queue;
mod sort;
mod window;

use hashlanes_isa::{FEW, Function, Plan, wipe_stack};

pub(crate) use group::Tail;
pub(crate) use parts::{end_all, update_all};
pub use queue::Queue;
pub(crate) use sort::{BATCH, digest_others};
pub(crate) use window::{Live, Work, drive};

use crate::algorithm::Algorithm;
use crate::hasher::{Midstate, digest_alone};
use crate::padding::n_blocks;

/// Whether what passes through the lanes is secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Public,
    /// States, ends of messages and the stack are overwritten when all is done.
    Secret,
}

/// Where messages start from.
#[derive(Clone, Copy)]
pub(crate) enum Starts<'s, A: Algorithm> {
    /// All from one midstate.
    One(Midstate<A>),
    /// Each from its own.
    Each(&'s [Midstate<A>]),
}

impl<A: Algorithm> Starts<'_, A> {
    #[inline]
    pub(crate) fn of(&self, index: usize) -> Midstate<A> {
        match self {
            Self::One(midstate) => *midstate,
            Self::Each(midstates) => midstates[index],
        }
    }
}

/// Digests of whole messages, any number of any lengths; `done` gets each one's number and digest, in no order.
pub(crate) fn digest_all<A: Algorithm>(
    plan: Plan<A::Function>,
    starts: Starts<'_, A>,
    messages: &[&[u8]],
    secrecy: Secrecy,
    done: &mut dyn FnMut(usize, A::Digest),
) {
    let n_done = digest_first(plan, starts, messages, done);
    if n_done < messages.len() {
        // The engine knows the compression function alone: it is compiled once for all hashes that share one.
        let tail = |i: usize| {
            let Midstate { state, n_bytes } = starts.of(i);
            Tail { state, n_before: n_bytes, message: messages[i] }
        };
        let mut done = |i: usize, state: &<A::Function as Function>::State| {
            done(i, crate::algorithm::digest_of::<A>(state));
        };
        digest_others::<A::Function>(plan, messages, &tail, n_done, secrecy, &mut done);
    }
    if secrecy == Secrecy::Secret {
        wipe_stack();
    }
}

/// Hashes the first few short messages one by one; returns how many. Apart from the others, whose room on the stack takes
/// 20 cycles.
#[inline]
fn digest_first<A: Algorithm>(
    plan: Plan<A::Function>,
    starts: Starts<'_, A>,
    messages: &[&[u8]],
    done: &mut dyn FnMut(usize, A::Digest),
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
        done(i, digest_alone::<A>(kernel, starts.of(i), messages[i]));
    }
    n
}
