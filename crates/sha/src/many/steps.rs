//! The steps that equal messages take, without taking them: what they cost by the tables, for listings.

use hashlanes_isa::{Function, Groups, PLACES, Plan, Row};

/// A call of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The kernel.
    pub kernel: Row,
    /// Number of messages left when it was chosen.
    pub n_live: usize,
    /// Messages that it takes from start to end. If they are more than its lanes, they wrap around.
    pub n_messages: usize,
    /// Blocks of a message.
    pub of_message: usize,
    /// Blocks that each lane advances.
    pub n_blocks: usize,
    /// Core cycles that it takes by the plan, including the overheads of the call.
    pub cycles: u64,
}

/// The steps of `n` messages of `n_blocks` blocks each in groups. A kernel carries out their turns in one
/// call if there are places for them.
pub(crate) fn steps_in_groups<F: Function>(
    plan: Plan<F>,
    n: usize,
    n_blocks: usize,
    step: &mut dyn FnMut(Step),
) {
    let mut groups = Groups::new(plan, n_blocks);
    let (mut n_live, mut place, mut last) = (n, 0, "");
    while n_live > 0 {
        let (kernel, n_messages) = groups.next(n - n_live, n_live);
        let n_places = n_messages.max(kernel.degree());
        if kernel.degree() == 1 || kernel.name() != last || place + n_places > PLACES {
            place = 0;
        }
        let row = kernel.row_data();
        let cycles = change(last, &row) + row.group(n_messages, n_blocks, place == 0);
        (place, last) = (place + n_messages, kernel.name());
        let (of_message, n_blocks) = (n_blocks, row.blocks_of_group(n_messages, n_blocks));
        step(Step { kernel: row, n_live, n_messages, of_message, n_blocks, cycles });
        n_live -= n_messages;
    }
}

/// The cycles of a change from the kernel of this name, if there was one, to a row.
fn change(last: &str, row: &Row) -> u64 {
    if last.is_empty() || last == row.name { 0 } else { row.change() }
}
