//! A few messages, for which a batch would take longer than what it saves: short ones go one by one, and
//! equal ones go through the lanes of one kernel in groups.

use hashlanes_isa::{FEW, Function, Groups, Kernel, MAX_DEGREE, Plan};

use super::group::groups_alone;
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
    let are_equal = messages[1..].iter().all(|message| n_blocks_of(message) == n_blocks);
    if !are_equal && (n > FEW || !plan.one_by_one(n, messages.iter().map(n_blocks_of).sum())) {
        return 0;
    }
    for (i, message) in messages.iter().enumerate() {
        let (kernel, n_now) = if are_equal {
            plan.next_group(n - i, n_blocks)
        } else {
            (plan.kernel(1, n_blocks_of(message)), 1)
        };
        if n <= FEW && kernel.degree() == 1 {
            let (state, n_before) = starts.of(i);
            sink.put(i, |digest| digest_one(kernel, state, n_before, message, digest));
            continue;
        }
        // They have different lengths if a kernel of several messages is forced.
        let in_groups = are_equal
            && kernel.degree() > 1
            && secrecy == Secrecy::Public
            && n_blocks <= LONGEST
            && side_by_side::<F>(n - i, message.len() as u64).is_none()
            && n_now <= kernel.degree()
            && (n_now == n - i || takes_all(kernel, plan, n - i, n_blocks));
        if !in_groups {
            return i;
        }
        groups_alone(kernel, starts, messages, i, &mut Digests(sink));
        return n;
    }
    n
}

/// Returns whether `n` messages of `n_blocks` blocks each go in several groups, all on this kernel, and there
/// is room for these.
fn takes_all<F: Function>(kernel: &'static Kernel<F>, plan: Plan<F>, n: usize, n_blocks: usize) -> bool {
    if n.next_multiple_of(kernel.degree()) > MAX_DEGREE {
        return false;
    }
    let (mut groups, mut at) = (Groups::new(plan, n_blocks), 0);
    while at < n {
        let (next, n_now) = groups.next(at, n - at);
        if !core::ptr::eq(next, kernel) || n_now > kernel.degree() {
            return false;
        }
        at += n_now;
    }
    true
}
