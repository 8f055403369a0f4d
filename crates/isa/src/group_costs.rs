//! What groups take: messages of one number of blocks, which go through the lanes from start to end. Of a
//! group the cycles by the rows' costs; of any number of messages the kernels with which all end first.

use core::cmp::Reverse;

use crate::costs::Overheads;
use crate::memo::MOST_IN_GROUPS;
use crate::table::{self, Entries, Table};
use crate::wrap::{n_changes, piece, wraps};
use crate::{Row, Verb};

impl Row {
    /// Returns the cycles of a group of `n` messages of `n_blocks` blocks from start to end; if they are more
    /// than lanes, they wrap around. Kernels that carry out lists of turns pay for the call only with the
    /// `first` group; further calls of others overlap.
    pub fn group(&self, n: usize, n_blocks: usize, first: bool) -> u64 {
        let Overheads { group, message_of_group, message_that_wraps, lane_that_wraps, .. } = *self.overheads;
        let (degree, n_messages) = (self.degree, n as u64);
        let call = u64::from(self.cost.call);
        let further = if self.shares_calls { 0 } else { call.saturating_sub(self.overheads.overlap) };
        let call = if first { call } else { further };
        if n > degree {
            let n_changes = n_changes(n, degree) as u64;
            let around = n_messages * message_that_wraps + n_changes * degree as u64 * lane_that_wraps;
            return group + around + call + n_changes * further + self.cost.of(0, piece(n, degree, n_blocks));
        }
        let around = if degree > 1 { group + n_messages * message_of_group } else { 0 };
        around + call + self.cost.of(0, n_blocks)
    }

    /// Returns the blocks of a lane in such a group.
    pub fn blocks_of_group(&self, n: usize, n_blocks: usize) -> usize {
        if n > self.degree { piece(n, self.degree, n_blocks) } else { n_blocks }
    }

    /// Returns the cycles of a group of `n_lanes` equal short messages of `n_blocks` blocks, the first of its
    /// call or a further one. Rows of several messages without a verb for equal ones copy them, and take them
    /// as any group.
    pub fn equal_group(&self, n_lanes: usize, n_blocks: usize, first: bool) -> u64 {
        let Overheads { equal_message, filled_up, .. } = *self.overheads;
        let copies = n_lanes as u64 * equal_message;
        if self.degree > 1 && !self.offers(Verb::FinishFixed as usize) {
            return copies + self.group(n_lanes, n_blocks, first);
        }
        let filled_up = if n_lanes < self.degree { filled_up.here() } else { 0 };
        copies + filled_up + self.cost.of_equal(first.into(), n_blocks)
    }

    /// Returns the cycles that the first call of this row after one of another row takes in addition.
    pub fn change(&self) -> u64 {
        self.overheads.change.here()
    }

    /// Returns the same for equal short messages.
    pub fn change_of_equal(&self) -> u64 {
        self.overheads.change_of_equal
    }
}

/// An answer: the kernel of the next messages.
pub(crate) struct Choice<V: Entries> {
    pub(crate) kernel: &'static table::Kernel<V>,
    /// Whether those left wrap around its lanes, if their number allows it.
    pub(crate) wrap: bool,
}

impl<V: Entries> Choice<V> {
    pub(crate) fn forced(kernel: &'static table::Kernel<V>) -> Self {
        Self { kernel, wrap: true }
    }
}

impl<V: Entries> Clone for Choice<V> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<V: Entries> Copy for Choice<V> {}

impl<V: Entries> From<&'static table::Kernel<V>> for Choice<V> {
    fn from(kernel: &'static table::Kernel<V>) -> Self {
        Self { kernel, wrap: false }
    }
}

/// Returns the kernel of the first group with which `n` messages end first in groups, and whether all wrap
/// around its lanes, if `may_wrap`. `cycles` returns the cycles of a group of a given size, the first of its
/// kernel or a further one.
pub(crate) fn first<V: Entries>(
    table: &Table<V>,
    n: usize,
    may_wrap: bool,
    cycles: impl Fn(&table::Kernel<V>, usize, bool) -> u64,
) -> Choice<V> {
    ends(table, n, may_wrap, &cycles)[n].1.expect("a message at least")
}

/// Returns the kernel of the first of `n` equal short messages, which takes all whole groups of its lanes, so
/// that all end first; of equally fast ones that of the largest group.
pub(crate) fn of_equal<V: Entries>(table: &Table<V>, n: usize, n_blocks: usize) -> &'static table::Kernel<V> {
    let mut ends: Ends<V> = [(0, None); MOST_IN_GROUPS + 1];
    for n in 1..=n {
        let end = |kernel: &table::Kernel<V>| {
            let (row, degree) = (kernel.row_data(), kernel.degree());
            let n_groups = (n / degree).max(1);
            let [first, further] = [true, false].map(|first| row.equal_group(n.min(degree), n_blocks, first));
            let (rest, others) = ends[n.saturating_sub(n_groups * degree)];
            let changes = others.is_some_and(|others| !core::ptr::eq(others.kernel, kernel));
            let change = if changes { V::OVERHEADS.change_of_equal } else { 0 };
            first + (n_groups - 1) as u64 * further + change + rest
        };
        ends[n] = least(table, |kernel| (end(kernel), false));
    }
    ends[n].1.expect("a message at least").kernel
}

/// Returns the cycles in which `n` messages end in groups that may wrap, the first one or several of them on
/// `kernel`.
pub(crate) fn end_with<V: Entries>(
    kernel: &table::Kernel<V>,
    table: &Table<V>,
    n: usize,
    cycles: impl Fn(&table::Kernel<V>, usize, bool) -> u64,
) -> u64 {
    end(kernel, n, &ends(table, n - 1, true, &cycles), true, &cycles).0
}

/// At index i: the least cycles in which i messages end in groups, and the choice for the first of them.
type Ends<V> = [(u64, Option<Choice<V>>); MOST_IN_GROUPS + 1];

/// The ends up to n.
fn ends<V: Entries>(
    table: &Table<V>,
    n: usize,
    may_wrap: bool,
    cycles: &impl Fn(&table::Kernel<V>, usize, bool) -> u64,
) -> Ends<V> {
    let mut ends = [(0, None); MOST_IN_GROUPS + 1];
    for n in 1..=n {
        ends[n] = least(table, |kernel| end(kernel, n, &ends, may_wrap, cycles));
    }
    ends
}

/// Returns the least end that the table's kernels have, and that kernel; of equal ends that of the largest
/// group, so that what follows are its further groups, or fewer messages.
fn least<V: Entries>(
    table: &Table<V>,
    end: impl Fn(&table::Kernel<V>) -> (u64, bool),
) -> (u64, Option<Choice<V>>) {
    let ends = table.candidates().map(|kernel| (kernel, end(kernel)));
    let least = ends.min_by_key(|(kernel, (cycles, _))| (*cycles, Reverse(kernel.degree())));
    let (kernel, (cycles, wrap)) = least.expect("scalar runs everywhere");
    (cycles, Some(Choice { kernel, wrap }))
}

/// Returns the cycles in which `n` messages end in groups, the first one or several of them on `kernel`;
/// `ends` has those of fewer messages. And whether all of them wrap around its lanes. Where messages may
/// wrap, whole groups of several stay on the kernel, and the last ones wrap around if they would from the
/// start, as [`Groups`](crate::Groups) have it.
fn end<V: Entries>(
    kernel: &table::Kernel<V>,
    n: usize,
    ends: &Ends<V>,
    may_wrap: bool,
    cycles: &impl Fn(&table::Kernel<V>, usize, bool) -> u64,
) -> (u64, bool) {
    let degree = kernel.degree();
    let is_first_of = |n: usize| ends[n].1.filter(|choice| core::ptr::eq(choice.kernel, kernel));
    if degree == 1 {
        // The others are chosen anew.
        let goes_on = is_first_of(n - 1).is_some();
        let change = if goes_on || n == 1 { 0 } else { V::OVERHEADS.change.here() };
        return (cycles(kernel, 1, !goes_on) + change + ends[n - 1].0, false);
    }
    let (mut n_left, mut on_kernel, mut least, mut wrap) = (n, 0, u64::MAX, false);
    while n_left > 0 && (n_left == n || n_left >= degree) {
        if may_wrap && wraps(n_left, degree) {
            let around = on_kernel + cycles(kernel, n_left, n_left == n);
            if n_left == n {
                (least, wrap) = (around, true);
            } else if is_first_of(n_left).is_some_and(|choice| choice.wrap) {
                return (around, false);
            }
        }
        let n_lanes = n_left.min(degree);
        on_kernel += cycles(kernel, n_lanes, n_left == n);
        n_left -= n_lanes;
        let others = if n_left > 0 { V::OVERHEADS.change.here() + ends[n_left].0 } else { 0 };
        let in_groups = on_kernel + others;
        let stay = may_wrap && n_left >= degree;
        if in_groups <= least && !stay {
            (least, wrap) = (in_groups, false);
        }
    }
    (least, wrap)
}
