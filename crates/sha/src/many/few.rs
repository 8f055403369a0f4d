//! A few messages, for which a batch would take longer than what it saves: short ones go one by one, and
//! equal ones in groups, through the lanes of one kernel after another.

use core::ops::Range;

use hashlanes_isa::{FEW, Function, Groups, Kernel, MAX_DEGREE, Plan};

use super::group::{blocks_of_all, groups_alone};
use super::short::side_by_side;
use super::{Digests, Secrecy, Sink, Starts};
use crate::padding::{digest_one, n_blocks};

/// Blocks of the longest messages that go in groups here: of longer ones a batch takes no noticeable part.
const LONGEST: usize = 1000;

/// The most messages that go in groups here: of the largest kernels, a group and some others.
const MOST: usize = 2 * MAX_DEGREE - 1;

/// The plan's answer: the kernel of the next messages, and how many it takes.
type Answer<F> = (&'static Kernel<F>, usize);

/// Hashes the first few messages one by one, as long as the plan has no lanes for them, and then all others
/// in groups, if one kernel takes them, or [several](equal_ones) take more of them; returns how many. Secret
/// ones go in no groups: what these leave on the stack is not overwritten.
#[inline]
pub(super) fn digest_few<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    secrecy: Secrecy,
    sink: &mut impl Sink,
) -> usize {
    let n = messages.len();
    if n == 0 || n > MOST {
        return 0;
    }
    if n > FEW {
        return if secrecy == Secrecy::Public { equal_ones(plan, starts, messages, sink) } else { 0 };
    }
    let n_blocks_of = |message: &&[u8]| n_blocks::<F>(message.len());
    let n_blocks = n_blocks_of(&messages[0]);
    let alike = blocks_of_all(&starts, messages);
    if alike.is_none() && !plan.one_by_one(n, messages.iter().map(n_blocks_of).sum()) {
        return 0;
    }
    let mut groups = Groups::new(plan, n_blocks);
    for (i, message) in messages.iter().enumerate() {
        let (kernel, n_now) =
            if alike.is_some() { groups.next(i, n - i) } else { (plan.kernel(1, n_blocks_of(message)), 1) };
        if kernel.degree() == 1 {
            let (state, n_before) = starts.of(i);
            sink.put(i, |digest| digest_one(kernel, state, n_before, message, digest));
            continue;
        }
        // They are not alike if a kernel of several messages is forced.
        let go_alone = secrecy == Secrecy::Public
            && n_blocks <= LONGEST
            && side_by_side::<F>(n - i, message.len() as u64).is_none();
        if let Some(blocks) = alike
            && go_alone
            && let Some((_, None)) = groups_on(kernel, &mut groups, i..n, n_now)
        {
            groups_alone(kernel, blocks, starts, messages, i, &mut Digests(sink));
            return n;
        }
        return i;
    }
    n
}

/// Hashes the first messages, if they are equal, as long as the plan has them one by one, or in groups of
/// kernels with room for all their groups; returns how many.
#[inline(never)]
fn equal_ones<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    sink: &mut impl Sink,
) -> usize {
    let (n, n_bytes) = (messages.len(), messages[0].len());
    let n_blocks = n_blocks::<F>(n_bytes);
    if n_blocks > LONGEST || side_by_side::<F>(n, n_bytes as u64).is_some() {
        return 0;
    }
    let mut groups = Groups::new(plan, n_blocks);
    let (mut kernel, mut n_now) = groups.next(0, n);
    let degree = kernel.degree();
    if degree == 1 || n / degree * degree > MAX_DEGREE {
        return 0;
    }
    let Some(blocks) = blocks_of_all(&starts, messages) else { return 0 };
    let mut i = 0;
    loop {
        let next = if kernel.degree() == 1 {
            let (state, n_before) = starts.of(i);
            sink.put(i, |digest| digest_one(kernel, state, n_before, messages[i], digest));
            i += 1;
            (i < n).then(|| groups.next(i, n - i))
        } else {
            let Some((end, next)) = groups_on(kernel, &mut groups, i..n, n_now) else { return i };
            groups_alone(kernel, blocks, starts, &messages[..end], i, &mut Digests(sink));
            i = end;
            next
        };
        let Some(next) = next else { return n };
        (kernel, n_now) = next;
    }
}

/// Returns the end of the groups on this kernel, of which `n_now` messages are the first, and the answer for
/// the messages after them. `None` if there is no room for the groups, or they wrap around.
#[inline(always)]
fn groups_on<F: Function>(
    kernel: &'static Kernel<F>,
    groups: &mut Groups<F>,
    messages: Range<usize>,
    n_now: usize,
) -> Option<(usize, Option<Answer<F>>)> {
    let Range { start, end } = messages;
    let (mut at, mut next) = (start, (kernel, n_now));
    while core::ptr::eq(next.0, kernel) {
        at += next.1;
        if next.1 > kernel.degree() || (at - start).next_multiple_of(kernel.degree()) > MAX_DEGREE {
            return None;
        }
        if at == end {
            return Some((end, None));
        }
        next = groups.next(at, end - at);
    }
    Some((at, Some(next)))
}
