//! Whole messages, sorted by length, so that lanes end together.
//!
//! Messages are sorted in batches of up to 256 by their number of blocks (by counting, some 15 cycles per
//! message, and long ones by comparing). Short ones of about the same number of blocks go through the lanes
//! in groups, from start to end; the rest of them, and the longer ones, go through the
//! [`window`](super::window), the longest first, so that each turn's messages have about as many blocks.
//! Batches with one number of blocks are not sorted, because they are groups already.

use core::cmp::Reverse;
use core::ops::Range;

use hashlanes_isa::{Blocks, FEW, Function, Groups, Open, PLACES, Plan, SHORT};

use super::call::{Secrecy, Starts, States};
use super::group::{Group, Tail, blocks, blocks_of_all, in_groups, insert};
use super::window::{Messages, let_through, with_batch};
use crate::padding::n_blocks;

/// Messages that are sorted at a time.
pub(crate) const BATCH: usize = 256;

/// Numbers of blocks that counting distinguishes, a bit of 64 for each; longer messages are sorted by
/// comparison, whose cost is small for them.
const CLASSES: usize = 64;

/// A call's messages.
struct Whole<'m, 's, 'a, F: Function> {
    plan: Plan<F>,
    messages: &'m [&'a [u8]],
    starts: Starts<'s, F>,
    done: &'m mut dyn States<F>,
}

/// Processes messages from number `from` on in lanes; `done` receives each one's number and final state, in
/// any order.
#[inline(never)]
pub(crate) fn digest_others<F: Function>(
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&[u8]],
    from: usize,
    secrecy: Secrecy,
    done: &mut dyn States<F>,
) {
    with_batch(secrecy, |batch| digest_others_in(batch, plan, starts, messages, from, done));
}

/// Like [`digest_others`], in this batch.
pub(super) fn digest_others_in<'a, F: Function>(
    batch: &mut Open<'_, 'a, F>,
    plan: Plan<F>,
    starts: Starts<'_, F>,
    messages: &[&'a [u8]],
    from: usize,
    done: &mut dyn States<F>,
) {
    let mut whole = Whole { plan, messages, starts, done };
    let next = whole.let_alike_through(batch, from);
    if next < messages.len() {
        let mut sorted = Sorted { whole, order: [0; BATCH], from: next, at: 0, n: 0, next };
        let_through(plan, batch, &mut sorted);
    }
}

impl<'a, F: Function> Whole<'_, '_, 'a, F> {
    #[inline]
    fn n_blocks_of(&self, index: usize) -> usize {
        n_blocks::<F>(self.messages[index].len())
    }

    /// Batches, from number `from` on, of one number of blocks each go in groups, up to the first that is
    /// not; returns the number of its first message.
    fn let_alike_through(&mut self, batch: &mut Open<'_, 'a, F>, mut from: usize) -> usize {
        let (plan, n) = (self.plan, self.messages.len());
        while from < n {
            let to = n.min(from + BATCH);
            let Some(blocks) = blocks_of_all(&self.starts, &self.messages[from..to]) else { break };
            let n_blocks = blocks.n_body + blocks.n_end;
            let Self { messages, starts, done, .. } = self;
            let mut groups = Groups::new(plan, n_blocks);
            in_groups(
                batch,
                0..PLACES,
                to - from,
                |at, n_places| {
                    let (kernel, n) = groups.next_ones(at, to - from - at, n_places);
                    Group { kernel, n, blocks }
                },
                |i| Tail::of(starts, messages, from + i),
                |first, states| done.put_all(from + first, states),
            );
            from = to;
        }
        from
    }
}

/// Messages in batches that are sorted.
struct Sorted<'m, 's, 'a, F: Function> {
    whole: Whole<'m, 's, 'a, F>,
    /// The batch: messages' numbers, counted from `from`; those in `at..n` are waiting, the longest first.
    order: [u8; BATCH],
    from: usize,
    at: usize,
    n: usize,
    /// The first message after the batch.
    next: usize,
}

/// Returns the place of a number of blocks in the order.
#[inline]
fn class(n_blocks: usize) -> usize {
    CLASSES - n_blocks.min(CLASSES)
}

impl<'a, F: Function> Sorted<'_, '_, 'a, F> {
    /// Sorts the next batch and processes its groups on these places; `false` if there are no messages left.
    fn next_batch(&mut self, batch: &mut Open<'_, 'a, F>, places: Range<usize>) -> bool {
        let from = self.next;
        let n = (self.whole.messages.len() - from).min(BATCH);
        if n == 0 {
            return false;
        }
        (self.from, self.at, self.n, self.next) = (from, 0, n, from + n);
        if n <= FEW && (from..from + n).all(|i| self.whole.n_blocks_of(i) > SHORT) {
            // All are too long for groups, and the window sorts so few itself.
            for i in 0..n {
                self.order[i] = i as u8;
            }
            return true;
        }
        let mut class_of = [0_u8; BATCH];
        let (mut ends, mut present) = ([0_u16; CLASSES], 0_u64);
        for (class_of, message) in class_of.iter_mut().zip(&self.whole.messages[from..from + n]) {
            *class_of = class(n_blocks::<F>(message.len())) as u8;
            ends[usize::from(*class_of)] += 1;
            present |= 1 << *class_of;
        }
        // The start of each class that is present; then, message by message, its end.
        let (mut before, mut n_long) = (0, 0);
        while present != 0 {
            let class = present.trailing_zeros() as usize;
            before += core::mem::replace(&mut ends[class], before);
            if class < CLASSES - SHORT {
                n_long = before;
            }
            present &= present - 1;
        }
        for (i, class_of) in class_of[..n].iter().enumerate() {
            let place = &mut ends[usize::from(*class_of)];
            self.order[usize::from(*place)] = i as u8;
            *place += 1;
        }
        // Messages of the first class have different lengths: sorted, each turn ends several of them (64 of
        // up to 16 KiB: 5 % faster).
        let n_blocks_of = |i: u8| self.whole.n_blocks_of(from + usize::from(i));
        self.order[..usize::from(ends[0])].sort_unstable_by_key(|i| Reverse(n_blocks_of(*i)));
        self.let_groups_through(batch, places, n_long.into(), &ends);
        true
    }

    /// Short messages go through in groups of one number of blocks, or of two if that leaves few lanes idle;
    /// the others stay, from place `n_long` of the order on. `ends` has the end of each class in the order.
    fn let_groups_through(
        &mut self,
        batch: &mut Open<'_, 'a, F>,
        places: Range<usize>,
        n_long: usize,
        ends: &[u16; CLASSES],
    ) {
        let (n, from) = (self.n, self.from);
        let Whole { plan, messages, starts, done } = &mut self.whole;
        let mut n_staying = n_long;
        let mut at = n_long;
        while at < n {
            let order = &self.order[at..n];
            let number = |i: usize| from + usize::from(order[i]);
            let n_blocks_of = |i: usize| n_blocks::<F>(messages[number(i)].len());
            at += in_groups(
                batch,
                places.clone(),
                order.len(),
                |i, n_places| {
                    let most = n_blocks_of(i);
                    let kernel = plan.of_groups(most);
                    let degree = kernel.degree();
                    let n_alike = usize::from(ends[class(most)]) - at - i;
                    if n_alike >= degree {
                        let n = n_alike.min(n_places).max(degree) / degree * degree;
                        return Group { kernel, n, blocks: blocks::<F>(most, 0) };
                    }
                    let fits = i + degree <= order.len()
                        && n_blocks_of(i + degree - 1) == most - 1
                        && kernel.may_idle(degree - n_alike)
                        // A block that goes ahead has no padding.
                        && (most > 2 || (i..i + n_alike).all(|i| messages[number(i)].len() >= F::BLOCK_BYTES));
                    let blocks = Blocks { n_longer: n_alike, ..blocks::<F>(most.max(2) - 1, 0) };
                    Group { kernel, n: if fits { degree } else { usize::MAX }, blocks }
                },
                |i| Tail::of(starts, messages, number(i)),
                |first, states| done.put_in_order(from, &order[first..], states),
            );
            // Messages with the next number of blocks stay.
            if let Some(i) = self.order[at..n].first() {
                let end = ends[class(n_blocks::<F>(messages[from + usize::from(*i)].len()))].into();
                self.order.copy_within(at..end, n_staying);
                (at, n_staying) = (end, n_staying + end - at);
            }
        }
        self.n = n_staying;
    }
}

impl<'a, F: Function> Messages<'a, F> for Sorted<'_, '_, 'a, F> {
    fn next(
        &mut self,
        batch: &mut Open<'_, 'a, F>,
        place: usize,
        free: Range<usize>,
    ) -> Option<(usize, usize)> {
        while self.at == self.n {
            if !self.next_batch(batch, free.clone()) {
                return None;
            }
        }
        let index = self.from + usize::from(self.order[self.at]);
        self.at += 1;
        Some((index, insert(batch, place, &Tail::of(&self.whole.starts, self.whole.messages, index))))
    }

    fn done(&mut self, index: usize, state: &F::State) {
        self.whole.done.put(index, state);
    }
}
