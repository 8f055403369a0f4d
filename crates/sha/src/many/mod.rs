//! Many messages at once.
//!
//! ```text
//! sha256_many(messages, digests)        whole.rs
//!   │
//!   ▼
//! digest_all    a few short ones go one by one, as by `sha256`
//!   ├─ short.rs    several of one block: copied side by side, then as by `sha256_fixed`
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
//! ([`Hasher::finish_many`](crate::Hasher::finish_many)) as groups, and messages that come one by one
//! ([`Queue`]) wait until they are many.

mod after;
mod call;
mod group;
mod parts;
mod queue;
mod short;
mod sort;
mod whole;
mod window;

use hashlanes_isa::{Batch, FEW, Function, Plan, Reach};

pub(crate) use after::Prefix;
pub(crate) use call::{Digests, InPlace, Secrecy, Sink, Starts};
pub(crate) use parts::{end_all, update_all};
pub use queue::{Queue, Queued, Tagged};
use short::digest_short;
pub(crate) use short::{digest_blocks, digest_equal, side_by_side};
pub(crate) use sort::BATCH;
use sort::{digest_others, digest_others_in};
pub(crate) use window::{Live, Work, drive};

use crate::padding::{digest_one, n_blocks};

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
    let n_first = digest_first::<F>(plan, starts, messages, sink);
    let n_short = digest_short::<F>(plan, starts, &messages[n_first..], n_first, sink);
    if n_first + n_short < messages.len() {
        let mut states = Digests(sink);
        digest_others(plan, starts, messages, n_first + n_short, secrecy, &mut states);
    }
    // A forced kernel may have more lanes than one.
    let is_near = n_short == 0 && (n_first == 0 || plan.one(1).degree() == 1);
    if is_near { Reach::Near } else { Reach::Far }
}

/// Like [`digest_all`], in a batch that the caller keeps, and overwrites if messages are secret.
pub(crate) fn digest_all_in<F: Function>(
    batch: &mut Batch<F>,
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    sink: &mut impl Sink,
) {
    let mut n_done = digest_first::<F>(plan, starts, messages, sink);
    n_done += digest_short::<F>(plan, starts, &messages[n_done..], n_done, sink);
    if n_done < messages.len() {
        let mut states = Digests(sink);
        digest_others_in(&mut batch.open(), plan, starts, messages, n_done, &mut states);
    }
}

/// Hashes the first few short messages one by one; returns how many. Apart from the others, whose room on the
/// stack takes 20 cycles.
#[inline]
fn digest_first<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    sink: &mut impl Sink,
) -> usize {
    let n = messages.len();
    let n_blocks_of = |i: usize| n_blocks::<F>(messages[i].len());
    if n == 0 || n > FEW {
        return 0;
    }
    let n_blocks = n_blocks_of(0);
    if n == 1
        && let kernel = plan.kernel(1, n_blocks)
        && kernel.degree() == 1
    {
        // There is nothing to plan.
        let (state, n_before) = starts.of(0);
        sink.put(0, |digest| digest_one(kernel, state, n_before, messages[0], digest));
        return 1;
    }
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
        sink.put(i, |digest| digest_one(kernel, state, n_before, messages[i], digest));
    }
    n
}
