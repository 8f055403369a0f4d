//! A few short messages: to bring them into lanes would take longer than to hash them.

use hashlanes_isa::{FEW, Function, Plan};

use super::{Sink, Starts};
use crate::padding::{digest_one, n_blocks};

/// Hashes the first few messages one by one, as long as the plan has no lanes for them; returns how many.
#[inline]
pub(super) fn digest_few<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    sink: &mut impl Sink,
) -> usize {
    let n = messages.len();
    if n == 0 || n > FEW {
        return 0;
    }
    let n_blocks_of = |message: &&[u8]| n_blocks::<F>(message.len());
    let n_blocks = n_blocks_of(&messages[0]);
    let are_equal = messages[1..].iter().all(|message| n_blocks_of(message) == n_blocks);
    if !are_equal && !plan.one_by_one(n, messages.iter().map(n_blocks_of).sum()) {
        return 0;
    }
    for (i, message) in messages.iter().enumerate() {
        let kernel =
            if are_equal { plan.next_group(n - i, n_blocks).0 } else { plan.kernel(1, n_blocks_of(message)) };
        // A forced kernel may have more lanes.
        if kernel.degree() > 1 {
            return i;
        }
        let (state, n_before) = starts.of(i);
        sink.put(i, |digest| digest_one(kernel, state, n_before, message, digest));
    }
    n
}
