//! A few messages, for which a batch would take longer than what it saves: short ones go one by one, and
//! those of one number of blocks in groups.

use hashlanes_isa::{FEW, Function, Groups, Plan};

use super::alike::{LONGEST, digest_alike_from, groups_on};
use super::group::{alone, blocks_of_all};
use super::short::side_by_side;
use super::{Digests, Secrecy, Sink, Starts};
use crate::padding::{digest_one, n_blocks};

/// Hashes the first of a few messages one by one, as long as the plan has no lanes for them, and the others
/// in groups if they are alike; returns how many. Secret ones go in no groups: what these leave on the stack
/// is not overwritten.
#[inline]
pub(super) fn digest_few<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    secrecy: Secrecy,
    sink: &mut impl Sink,
) -> usize {
    let n = messages.len();
    if n == 0 || n > FEW {
        return 0;
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
        let Some(blocks) = alike.filter(|_| go_alone) else { return i };
        let Some((_, None)) = groups_on(kernel, &mut groups, i..n, n_now, blocks) else {
            return digest_alike_from(plan, starts, messages, i, sink);
        };
        alone((kernel, n_now), blocks, starts, messages, i, &mut Digests(sink));
        return n;
    }
    n
}
