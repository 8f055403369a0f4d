//! Many messages at once.
//!
//! ```text
//! sha256_many(messages, digests)        whole.rs
//!   │
//!   ▼
//! digest_all
//!   ├─ few.rs      a few short ones go one by one, as by `sha256`, or in groups (`isa/src/batch/alone.rs`)
//!   ├─ alike.rs    so do more of one number of blocks, if they are not secret
//!   ├─ short.rs    several of one block: copied side by side, then as by `sha256_fixed`
//!   │      └─── all of one number of blocks ──────────┐
//!   ▼                                                 ▼
//! sort.rs       256 at a time ── short, alike ──▶ group.rs    from start to end, side by side
//!   │
//!   ▼
//! window.rs     the others, each on a lane until it ends; the last 32 rotate, as `schedule` says
//!   │
//!   ▼
//! isa::Batch  writes the turns      isa::Plan  chooses the kernel      isa::Kernel  carries the turns out
//! ```
//!
//! Parts of messages ([`Hasher::update_many`](crate::Hasher::update_many)) enter at the window, their ends
//! ([`Hasher::finish_many`](crate::Hasher::finish_many)) as groups, and messages that come one by one
//! ([`Queue`]) wait until they are many.

mod after;
mod alike;
mod call;
mod few;
mod group;
mod parts;
mod queue;
mod short;
mod sort;
mod steps;
mod whole;
mod window;

use hashlanes_isa::{Batch, FEW, Function, Plan, Reach};

pub(crate) use after::Prefix;
use alike::digest_alike;
pub(crate) use call::{Digests, InPlace, Secrecy, Sink, Starts};
use few::digest_few;
pub(crate) use parts::{end_all, update_all};
pub use queue::{Queue, Queued, Tagged};
use short::digest_short;
pub(crate) use short::{digest_blocks, digest_equal, side_by_side};
pub(crate) use sort::BATCH;
use sort::{digest_others, digest_others_in};
pub use steps::Step;
pub(crate) use steps::steps_in_groups;

/// Digests of whole messages, any number of any lengths, in no order.
///
/// A caller of secret messages overwrites the stack afterwards, as far as the returned reach: only batches
/// are overwritten here.
pub(crate) fn digest_all<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    secrecy: Secrecy,
    sink: &mut impl Sink,
) -> Reach {
    let n_alone = if secrecy == Secrecy::Public && messages.len() > FEW {
        digest_alike::<F>(plan, starts, messages, sink)
    } else {
        digest_few::<F>(plan, starts, messages, secrecy, sink)
    };
    if n_alone == messages.len() {
        return Reach::Near;
    }
    let n_short = digest_short::<F>(plan, starts, &messages[n_alone..], n_alone, sink);
    if n_alone + n_short < messages.len() {
        let mut states = Digests(sink);
        digest_others(plan, starts, messages, n_alone + n_short, secrecy, &mut states);
    }
    if n_short == 0 { Reach::Near } else { Reach::Far }
}

/// Like [`digest_all`], in a batch that the caller keeps, and overwrites if messages are secret.
pub(crate) fn digest_all_in<F: Function>(
    batch: &mut Batch<F>,
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    sink: &mut impl Sink,
) {
    // The caller overwrites its batch, and nothing else.
    let mut n_done = digest_few::<F>(plan, starts, messages, Secrecy::Secret, sink);
    n_done += digest_short::<F>(plan, starts, &messages[n_done..], n_done, sink);
    if n_done < messages.len() {
        let mut states = Digests(sink);
        digest_others_in(&mut batch.open(), plan, starts, messages, n_done, &mut states);
    }
}
