//! The steps that equal messages take, without taking them: what they cost by the tables, for listings, and
//! for the choice between groups and rotation.

use core::marker::PhantomData;

use hashlanes_isa::{Function, Groups, Kernel, MOST_ROTATING, PLACES, Plan, Row, SHORT};
use hashlanes_schedule::Turn;

use super::window::{Live, Work, drive};

/// A call of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The kernel.
    pub kernel: Row,
    /// Number of messages left when it was chosen, up to the number that the plan considers.
    pub n_live: usize,
    /// Blocks that 16 of them (all, if there are fewer) had left at least.
    pub n_shared: usize,
    /// Lanes that have a message; the others run idle.
    pub n_lanes: usize,
    /// Blocks that each of them advances.
    pub n_blocks: usize,
    /// Whether they go from start to end in this call; else they rotate.
    pub is_group: bool,
    /// Core cycles that it takes by the plan, including the overheads of the call.
    pub cycles: u64,
}

/// Returns how many of `n` messages of `n_blocks` blocks each go in groups, which end together; the others
/// rotate, which keeps all lanes busy but takes longer to bring each message in and out.
///
/// Short ones, and one alone, go in groups. So do all but the last 32 of many, because rotation makes up for
/// lanes that would idle, and only the last group has such: unless rotation has a better kernel. The last 32
/// go as they end first.
pub(crate) fn n_in_groups<F: Function>(plan: Plan<F>, n: usize, n_blocks: usize) -> usize {
    if n_blocks <= SHORT || n <= 1 {
        return n;
    }
    let mut n_first = 0;
    if n > MOST_ROTATING {
        let kernel = plan.next_group(n, n_blocks).0;
        if core::ptr::eq(kernel, plan.kernel(n, n_blocks)) {
            n_first = (n - MOST_ROTATING).next_multiple_of(kernel.degree());
        }
    }
    let ends_first = |n, n_blocks| {
        let (mut in_groups, mut rotating) = (0, 0);
        steps_in_groups(plan, n, n_blocks, &mut |step| in_groups += step.cycles);
        steps_of_rotation(plan, n, n_blocks, &mut |step| rotating += step.cycles);
        in_groups <= rotating
    };
    let n_last = MOST_ROTATING.min(n - n_first);
    if plan.in_groups(n_last, n_blocks, ends_first) { n } else { n_first }
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
        let (kernel, n_lanes) = groups.next(n - n_live, n_live);
        if kernel.degree() == 1 || kernel.name() != last || place + kernel.degree() > PLACES {
            place = 0;
        }
        let row = kernel.row_data();
        let cycles = change(last, &row) + row.group(n_lanes, n_blocks, place == 0);
        (place, last) = (place + n_lanes, kernel.name());
        let (kernel, n_shared) = (row, n_blocks);
        step(Step { kernel, n_live, n_shared, n_lanes, n_blocks, is_group: true, cycles });
        n_live -= n_lanes;
    }
}

/// The cycles of a change from the kernel of this name, if there was one, to a row.
fn change(last: &str, row: &Row) -> u64 {
    if last.is_empty() || last == row.name { 0 } else { row.change() }
}

/// The steps of `n` messages of `n_blocks` blocks each that rotate.
pub(crate) fn steps_of_rotation<F: Function>(
    plan: Plan<F>,
    n: usize,
    n_blocks: usize,
    step: &mut dyn FnMut(Step),
) {
    let function = PhantomData::<F>;
    drive(plan, &mut Rotating { n_left: n, n_came_in: 0, n_blocks, last: "", step, function });
}

/// Reports the turns of equal messages.
struct Rotating<'s, F> {
    /// Messages that are not in the window yet.
    n_left: usize,
    /// Messages that came in since the last turn.
    n_came_in: usize,
    n_blocks: usize,
    /// The kernel of the last turn.
    last: &'static str,
    step: &'s mut dyn FnMut(Step),
    function: PhantomData<F>,
}

impl<F: Function> Work<F> for Rotating<'_, F> {
    fn next(&mut self, _: usize) -> Option<usize> {
        self.n_left = self.n_left.checked_sub(1)?;
        self.n_came_in += 1;
        Some(self.n_blocks)
    }
    fn turn(&mut self, kernel: &'static Kernel<F>, turn: &Turn, live: Live) {
        let (n_lanes, n_blocks) = (turn.slots().len(), turn.n_blocks);
        let Live { n: n_live, n_blocks: n_shared } = live;
        let kernel = kernel.row_data();
        let last = core::mem::replace(&mut self.last, kernel.name);
        let cycles =
            change(last, &kernel) + kernel.rotating_turn(core::mem::take(&mut self.n_came_in), n_blocks);
        (self.step)(Step { kernel, n_live, n_shared, n_lanes, n_blocks, is_group: false, cycles });
    }
    fn done(&mut self, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles<F: Function>(
        steps: impl Fn(Plan<F>, usize, usize, &mut dyn FnMut(Step)),
        n: usize,
        n_blocks: usize,
    ) -> u64 {
        let mut cycles = 0;
        steps(Plan::BEST, n, n_blocks, &mut |step| cycles += step.cycles);
        cycles
    }

    /// The plan knows classes of numbers of blocks, not each number. That may cost 15 % at one point, and 1 %
    /// on average.
    fn they_end_first<F: Function>() {
        let (mut n_points, mut per_mille) = (0, 0);
        for n in 2..=70 {
            for n_blocks in [9, 12, 17, 30, 33, 65, 100, 129, 300, 1000] {
                let in_groups = |n| cycles::<F>(steps_in_groups, n, n_blocks);
                let rotating = |n| cycles::<F>(steps_of_rotation, n, n_blocks);
                let n_first = n_in_groups(Plan::<F>::BEST, n, n_blocks);
                let chosen = in_groups(n_first) + rotating(n - n_first);
                let ratio = 1000 * chosen / in_groups(n).min(rotating(n));
                assert!(ratio <= 1150, "{n} of {n_blocks} blocks: {ratio}");
                (n_points, per_mille) = (n_points + 1, per_mille + ratio);
            }
        }
        assert!(per_mille <= 1010 * n_points, "on average {}", per_mille / n_points);
    }

    #[test]
    fn messages_go_as_they_end_first() {
        #[cfg(feature = "sha1")]
        they_end_first::<crate::sha1::Compression>();
        #[cfg(feature = "sha2")]
        they_end_first::<crate::sha256::Compression>();
        #[cfg(feature = "sha2")]
        they_end_first::<crate::sha512::Compression>();
    }
}
