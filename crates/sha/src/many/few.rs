//! A few messages, for which a batch would take longer than what it saves: short ones go one by one, and
//! equal ones go through the lanes of one kernel in groups.

use core::ops::Range;

use hashlanes_isa::{FEW, Function, Groups, Kernel, MAX_DEGREE, Plan};

use super::group::{blocks_of_all, groups_alone};
use super::short::side_by_side;
use super::{Digests, Secrecy, Sink, Starts};
use crate::padding::{digest_one, n_blocks};

/// Blocks of the longest messages that go in groups here: of longer ones a batch takes no noticeable part.
const LONGEST: usize = 1000;

/// Hashes the first few messages one by one, as long as the plan has no lanes for them, and then all others
/// in groups, if one kernel takes them; returns how many. Secret ones go in no groups: what these leave on
/// the stack is not overwritten.
#[inline]
pub(super) fn digest_few<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    secrecy: Secrecy,
    sink: &mut impl Sink,
) -> usize {
    let n = messages.len();
    if n == 0 || n > MAX_DEGREE {
        return 0;
    }
    let n_blocks_of = |message: &&[u8]| n_blocks::<F>(message.len());
    let n_blocks = n_blocks_of(&messages[0]);
    let alike = blocks_of_all(&starts, messages);
    if alike.is_none() && (n > FEW || !plan.one_by_one(n, messages.iter().map(n_blocks_of).sum())) {
        return 0;
    }
    let mut groups = Groups::new(plan, n_blocks);
    for (i, message) in messages.iter().enumerate() {
        let (kernel, n_now) =
            if alike.is_some() { groups.next(i, n - i) } else { (plan.kernel(1, n_blocks_of(message)), 1) };
        if n <= FEW && kernel.degree() == 1 {
            let (state, n_before) = starts.of(i);
            sink.put(i, |digest| digest_one(kernel, state, n_before, message, digest));
            continue;
        }
        // They are not alike if a kernel of several messages is forced.
        let in_groups = kernel.degree() > 1
            && secrecy == Secrecy::Public
            && n_blocks <= LONGEST
            && side_by_side::<F>(n - i, message.len() as u64).is_none();
        match alike {
            Some(blocks) if in_groups && takes_others(kernel, &mut groups, i..n, n_now) => {
                groups_alone(kernel, blocks, starts, messages, i, &mut Digests(sink));
                return n;
            }
            _ => return i,
        }
    }
    n
}

/// Returns whether all these messages, of which `n_now` are the first group, go in groups on this kernel, and
/// there is room for them.
#[inline]
fn takes_others<F: Function>(
    kernel: &'static Kernel<F>,
    groups: &mut Groups<F>,
    messages: Range<usize>,
    mut n_now: usize,
) -> bool {
    let Range { start: mut at, end } = messages;
    if (end - at).next_multiple_of(kernel.degree()) > MAX_DEGREE {
        return false;
    }
    while n_now <= kernel.degree() {
        at += n_now;
        if at == end {
            return true;
        }
        let next;
        (next, n_now) = groups.next(at, end - at);
        if !core::ptr::eq(next, kernel) {
            return false;
        }
    }
    false
}
