//! Whole messages, sorted by length, so that lanes end together.
//!
//! Messages are taken in batches of up to 256 and sorted by their number of blocks (by counting, some 15 cycles a
//! message). Short ones of one number of blocks go through the lanes a group at a time, from start to end in one call;
//! what is left of them, and the longer ones, rotate ([`drive`](crate::engine::drive)), the longest first, so that each
//! turn's messages have about as many blocks. A few messages go without all that: one after the other where lanes would
//! not pay, as one group where they have one number of blocks.

use core::ops::Range;

use hashlanes_isa::{Cursors, Function, Group, Kernel, MAX_DEGREE, wipe_stack};

use crate::algorithm::{Algorithm, State, digest_of};
use crate::engine::{Choice, Live, Messages, Secrecy, advance_all, insert_whole};
use crate::md::{Midstate, digest_one, n_blocks, n_end_blocks, pad};

/// Messages that are sorted at a time.
pub(crate) const BATCH: usize = 256;

/// Numbers of blocks that are told apart; messages of more are long enough that their order does not matter.
const CLASSES: usize = 64;

/// The most blocks of messages that are sorted into groups: what a group takes in one call, and as long as there are many
/// of one number of blocks in a batch.
pub(crate) const SHORT: usize = 8;

/// Messages by number.
pub(crate) trait Source<'a> {
    /// How many there are.
    fn n_messages(&self) -> usize;
    /// Message `index`.
    fn message(&self, index: usize) -> &'a [u8];
}

/// Messages as a caller has them.
pub(crate) struct Slices<'s, 'a>(pub(crate) &'s [&'a [u8]]);

impl<'a> Source<'a> for Slices<'_, 'a> {
    #[inline]
    fn n_messages(&self) -> usize {
        self.0.len()
    }
    #[inline]
    fn message(&self, index: usize) -> &'a [u8] {
        self.0[index]
    }
}

/// Digests of all messages, which continue from `start`; `done` gets each one's number and digest, in no order.
pub(crate) fn digest_all<'a, A: Algorithm>(
    choice: impl Choice<A::Function>,
    start: Midstate<A>,
    messages: &impl Source<'a>,
    secrecy: Secrecy,
    mut done: impl FnMut(usize, A::Digest),
) {
    let n = messages.n_messages();
    if n <= FEW {
        let all = (0..n).map(|i| n_blocks::<A::Function>(messages.message(i).len())).sum();
        if one_by_one(choice, n, all) {
            for i in 0..n {
                let message = messages.message(i);
                let kernel = choice.kernel(Live { n: 1, n_blocks: n_blocks::<A::Function>(message.len()) });
                done(i, digest_one(kernel, start, message));
            }
            return;
        }
        if let Some(kernel) = one_group::<A>(choice, messages) {
            let mut group = Group::new();
            through::<A>(&mut group, kernel, start, (0..n).map(|i| (i, messages.message(i))), done);
            if secrecy == Secrecy::Secret {
                group.wipe();
                wipe_stack();
            }
            return;
        }
    }
    let batch = Batch { order: [0; BATCH], from: 0, at: 0, n: 0, next: 0 };
    let mut whole = Whole { choice, start, messages, batch, group: Group::new(), done };
    advance_all(choice, &mut whole, secrecy);
    if secrecy == Secrecy::Secret {
        whole.group.wipe();
        wipe_stack();
    }
}

/// More messages than this go into lanes without asking whether it pays.
pub(crate) const FEW: usize = 8;

/// Whether `n` messages of `n_blocks` blocks in all end earlier one after the other than side by side: bringing a few
/// short ones into lanes takes longer than hashing them.
pub(crate) fn one_by_one<F: Function>(choice: impl Choice<F>, n: usize, n_blocks: usize) -> bool {
    /// Cycles of sorting, choosing and leaving, and of a message's way in and out (Golden Cove).
    const ALL: usize = 180;
    const MESSAGE: usize = 60;
    if n <= 1 {
        return true;
    }
    let each = n_blocks / n;
    let (one, many) =
        (choice.kernel(Live { n: 1, n_blocks: each }), choice.kernel_of_group(Live { n, n_blocks: each }));
    let alone = one.cost().of(n, n_blocks);
    // Both sides by the number of lanes, which spares a division.
    let n_lanes = n.min(many.degree());
    let together = many.cost().of(n + n_lanes - 1, n_blocks);
    n_lanes * alone <= n_lanes * (ALL + n * MESSAGE) + together
}

/// The kernel that takes all messages from start to end at once, if they have one number of blocks and it has the lanes.
fn one_group<'a, A: Algorithm>(
    choice: impl Choice<A::Function>,
    messages: &impl Source<'a>,
) -> Option<&'static Kernel<A::Function>> {
    let n = messages.n_messages();
    let n_blocks_of = |i| n_blocks::<A::Function>(messages.message(i).len());
    let n_blocks = n_blocks_of(0);
    if (1..n).any(|i| n_blocks_of(i) != n_blocks) {
        return None;
    }
    let live = Live { n, n_blocks };
    let kernel = if n_blocks <= SHORT { choice.kernel_of_group(live) } else { choice.kernel(live) };
    (n <= kernel.degree()).then_some(kernel)
}

/// Takes messages of one number of blocks from start to end; `done` gets each one's number and digest.
#[inline]
fn through<'a, A: Algorithm>(
    group: &mut Group<'a, A::Function>,
    kernel: &Kernel<A::Function>,
    start: Midstate<A>,
    messages: impl Iterator<Item = (usize, &'a [u8])> + Clone,
    mut done: impl FnMut(usize, A::Digest),
) {
    for (_, message) in messages.clone() {
        let (body, rest) = message.split_at(message.len() / A::BLOCK_BYTES * A::BLOCK_BYTES);
        let end = group.push(start.state, body, n_end_blocks::<A::Function>(rest.len()));
        pad::<A::Function>(end, rest, start.n_bytes + message.len() as u64);
    }
    for (state, (i, _)) in group.compress(kernel).iter().zip(messages) {
        done(i, digest_of::<A>(state));
    }
}

/// The place of a number of blocks in the order.
#[inline]
fn class(n_blocks: usize) -> usize {
    CLASSES - n_blocks.min(CLASSES)
}

/// Which kernel takes the next of `n` messages of `n_blocks` blocks each, and how many of them.
#[inline]
pub(crate) fn next_group<F: Function>(
    choice: impl Choice<F>,
    n: usize,
    n_blocks: usize,
) -> (&'static Kernel<F>, usize) {
    let kernel = choice.kernel_of_group(Live { n, n_blocks });
    (kernel, n.min(kernel.degree()))
}

struct Whole<'m, 'a, A: Algorithm, C, S, Done> {
    choice: C,
    start: Midstate<A>,
    messages: &'m S,
    batch: Batch,
    group: Group<'a, A::Function>,
    done: Done,
}

/// A batch, as far as it is still to be advanced.
struct Batch {
    /// Messages' numbers, counted from `from`; those in `at..n` are waiting, the longest first.
    order: [u8; BATCH],
    from: usize,
    at: usize,
    n: usize,
    /// The first message behind the batch.
    next: usize,
}

impl<'a, A, C, S, Done> Whole<'_, 'a, A, C, S, Done>
where
    A: Algorithm,
    C: Choice<A::Function>,
    S: Source<'a>,
    Done: FnMut(usize, A::Digest),
{
    /// Sorts the next batch and lets its groups through; `false` if there are no messages left.
    fn next_batch(&mut self) -> bool {
        let from = self.batch.next;
        let n = (self.messages.n_messages() - from).min(BATCH);
        if n == 0 {
            return false;
        }
        (self.batch.from, self.batch.at, self.batch.n, self.batch.next) = (from, 0, n, from + n);
        if n <= FEW && self.are_long(from..from + n) {
            // The rotation sorts so few itself.
            for i in 0..n {
                self.batch.order[i] = i as u8;
            }
            return true;
        }
        let class_of = |i: usize| class(n_blocks::<A::Function>(self.messages.message(from + i).len()));
        let mut ends = [0; CLASSES];
        for i in 0..n {
            ends[class_of(i)] += 1;
        }
        // Where a class begins; then, message by message, where it ends.
        let mut before = 0;
        for end in &mut ends {
            before += core::mem::replace(end, before);
        }
        for i in 0..n {
            let place = &mut ends[class_of(i)];
            self.batch.order[*place] = i as u8;
            *place += 1;
        }
        self.let_groups_through(&ends);
        true
    }

    /// Whether all of these messages are too long for groups.
    fn are_long(&self, mut messages: Range<usize>) -> bool {
        messages.all(|i| n_blocks::<A::Function>(self.messages.message(i).len()) > SHORT)
    }

    /// Short messages of one number of blocks go through in groups; what does not fill one stays, unless it is alone.
    fn let_groups_through(&mut self, ends: &[usize; CLASSES]) {
        let n = self.batch.n;
        let mut n_staying = ends[CLASSES - SHORT - 1];
        for n_blocks in (1..=SHORT).rev() {
            let class = CLASSES - n_blocks;
            let (first, end) = (ends[class - 1], ends[class]);
            let alone = end - first == n;
            let mut last = end;
            while last > first {
                let n_left = last - first;
                let (kernel, n_lanes) =
                    next_group(self.choice, if alone { n_left } else { MAX_DEGREE }, n_blocks);
                if n_lanes > n_left {
                    break;
                }
                last -= n_lanes;
                self.let_group_through(kernel, last..last + n_lanes);
            }
            self.batch.order.copy_within(first..last, n_staying);
            n_staying += last - first;
        }
        self.batch.n = n_staying;
    }

    fn let_group_through(&mut self, kernel: &Kernel<A::Function>, places: Range<usize>) {
        let Self { start, messages, batch, group, done, .. } = self;
        let numbers = batch.order[places].iter().map(|i| batch.from + usize::from(*i));
        through::<A>(group, kernel, *start, numbers.map(|i| (i, messages.message(i))), done);
    }
}

impl<'a, A, C, S, Done> Messages<'a, A::Function> for Whole<'_, 'a, A, C, S, Done>
where
    A: Algorithm,
    C: Choice<A::Function>,
    S: Source<'a>,
    Done: FnMut(usize, A::Digest),
{
    #[inline]
    fn next(&mut self, slots: &mut Cursors<'a, A::Function>, slot: usize) -> Option<(usize, usize)> {
        while self.batch.at == self.batch.n {
            if !self.next_batch() {
                return None;
            }
        }
        let index = self.batch.from + usize::from(self.batch.order[self.batch.at]);
        self.batch.at += 1;
        let message = self.messages.message(index);
        let (body, rest) = message.split_at(message.len() / A::BLOCK_BYTES * A::BLOCK_BYTES);
        let n_bytes = self.start.n_bytes + message.len() as u64;
        Some((index, insert_whole::<A>(slots, slot, self.start.state, body, rest, n_bytes)))
    }

    #[inline]
    fn done(&mut self, index: usize, state: &State<A>) {
        (self.done)(index, digest_of::<A>(state));
    }
}
