//! Messages of one number of blocks: they go in groups, through the lanes of one kernel after another, and
//! need no batch.

use core::ops::Range;

use hashlanes_isa::{Blocks, FEW, Function, Groups, Kernel, Plan};

use super::group::{alone, blocks_of_all};
use super::short::side_by_side;
use super::{BATCH, Digests, Sink, Starts};
use crate::padding::{digest_one, n_blocks};

/// Blocks of the longest messages that go in groups without a batch: of longer ones it takes no noticeable
/// part.
pub(super) const LONGEST: usize = 1000;

/// The plan's answer: the kernel of the next messages, and how many it takes.
type Answer<F> = (&'static Kernel<F>, usize);

/// Hashes the first messages, 256 of one number of blocks at a time, as long as the plan has them one by one
/// or in groups; returns how many. What they leave on the stack is not overwritten.
#[inline(never)]
pub(super) fn digest_alike<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    sink: &mut impl Sink,
) -> usize {
    let (n, mut at) = (messages.len(), 0);
    while n - at > FEW {
        let to = n.min(at + BATCH);
        at = digest_alike_from(plan, starts, &messages[..to], at, sink);
        if at < to {
            break;
        }
    }
    at
}

/// Hashes messages from number `at` on, if all have one number of blocks; returns where the others begin. The
/// last ones are left if they wrap around lanes after groups in the same call.
#[inline(never)]
pub(super) fn digest_alike_from<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    mut at: usize,
    sink: &mut impl Sink,
) -> usize {
    let (n, n_bytes) = (messages.len(), messages[at].len());
    let n_blocks = n_blocks::<F>(n_bytes);
    if n_blocks > LONGEST || side_by_side::<F>(n - at, n_bytes as u64).is_some() {
        return at;
    }
    let Some(blocks) = blocks_of_all(&starts, &messages[at..]) else { return at };
    let mut groups = Groups::new(plan, n_blocks);
    let mut next = Some(groups.next(at, n - at));
    while let Some((kernel, n_now)) = next {
        if kernel.degree() == 1 {
            let (state, n_before) = starts.of(at);
            sink.put(at, |digest| digest_one(kernel, state, n_before, messages[at], digest));
            at += 1;
            next = (at < n).then(|| groups.next(at, n - at));
        } else {
            let Some((end, others)) = groups_on(kernel, &mut groups, at..n, n_now, blocks) else { break };
            alone((kernel, n_now), blocks, starts, &messages[..end], at, &mut Digests(sink));
            (at, next) = (end, others);
        }
    }
    at
}

/// Returns the end of the groups on this kernel for which there is room in a call, of which `n_now` messages
/// are the first, and the answer for the messages after them. These may be all that wrap around its lanes.
/// `None` if those after the first groups do: they share a call in a batch.
#[inline(always)]
pub(super) fn groups_on<F: Function>(
    kernel: &'static Kernel<F>,
    groups: &mut Groups<F>,
    messages: Range<usize>,
    n_now: usize,
    blocks: Blocks,
) -> Option<(usize, Option<Answer<F>>)> {
    let Range { start, end } = messages;
    let (mut at, mut next) = (start, (kernel, n_now));
    while core::ptr::eq(next.0, kernel) {
        if next.1 > kernel.degree() {
            return (at == start).then_some((end, None));
        }
        if at + kernel.degree() - start > blocks.most_alone() {
            break;
        }
        at += next.1;
        if at == end {
            return Some((at, None));
        }
        next = groups.next(at, end - at);
    }
    Some((at, Some(next)))
}
