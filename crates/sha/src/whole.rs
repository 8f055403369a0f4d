//! Whole messages, sorted by length, so that lanes end together.
//!
//! Messages are taken in batches of up to 256 and sorted by their number of blocks (by counting, some 15 cycles a
//! message, and long ones by comparing). Short ones of one number of blocks go through the lanes a group at a time, from
//! start to end in one call; what is left of them, and the longer ones, rotate ([`drive`](crate::engine::drive)), the
//! longest first, so that each turn's messages have about as many blocks. Batches of one number of blocks are not sorted:
//! they are groups already. A few messages for which lanes would not pay go one after the other.

use core::cmp::Reverse;
use core::marker::PhantomData;
use core::ops::Range;

use hashlanes_isa::{Cursors, Function, Group, Kernel, MAX_DEGREE, wipe_stack};

use crate::algorithm::{Algorithm, State, digest_of};
use crate::engine::{Choice, Live, Messages, Secrecy, advance_all, insert_whole};
use crate::md::{Midstate, digest_one, n_blocks, n_end_blocks, pad};

/// Messages that are sorted at a time.
pub(crate) const BATCH: usize = 256;

/// Numbers of blocks that counting tells apart; messages of more are long enough that comparing them does not count.
const CLASSES: usize = 64;

/// The most blocks of messages that are sorted into groups: what a group takes in one call, and as long as there are many
/// of one number of blocks in a batch.
const SHORT: usize = 8;

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

/// Where messages continue from.
pub(crate) trait Starts<A: Algorithm>: Copy {
    fn of(self, index: usize) -> Midstate<A>;
}

/// All from one.
impl<A: Algorithm> Starts<A> for Midstate<A> {
    #[inline]
    fn of(self, _: usize) -> Midstate<A> {
        self
    }
}

/// Each from its own.
impl<A: Algorithm> Starts<A> for &[Midstate<A>] {
    #[inline]
    fn of(self, index: usize) -> Midstate<A> {
        self[index]
    }
}

/// Digests of all messages, which continue from `starts`; `done` gets each one's number and digest, in no order.
pub(crate) fn digest_all<'a, A: Algorithm>(
    choice: impl Choice<A::Function>,
    starts: impl Starts<A>,
    messages: &impl Source<'a>,
    secrecy: Secrecy,
    mut done: impl FnMut(usize, A::Digest),
) {
    let n_done = digest_first::<A>(choice, starts, messages, &mut done);
    if n_done < messages.n_messages() {
        digest_others::<A>(choice, starts, messages, n_done, secrecy, done);
    }
    if secrecy == Secrecy::Secret {
        wipe_stack();
    }
}

/// Those of a few messages that go alone, one after the other: their number. Apart from the others, whose room on the stack
/// takes 20 cycles.
#[inline]
fn digest_first<'a, A: Algorithm>(
    choice: impl Choice<A::Function>,
    starts: impl Starts<A>,
    messages: &impl Source<'a>,
    done: &mut impl FnMut(usize, A::Digest),
) -> usize {
    let n = messages.n_messages();
    let n_blocks_of = |i| n_blocks::<A::Function>(messages.message(i).len());
    if n == 0 || n > FEW {
        return 0;
    }
    let n_blocks = n_blocks_of(0);
    let in_groups = (1..n).all(|i| n_blocks_of(i) == n_blocks) && go_in_groups(choice, n, n_blocks);
    if !in_groups && !one_by_one(choice, n, (0..n).map(n_blocks_of).sum()) {
        return 0;
    }
    for i in 0..n {
        let kernel = if in_groups {
            next_group(choice, n - i, n_blocks).0
        } else {
            choice.kernel(Live { n: 1, n_blocks: n_blocks_of(i) })
        };
        if in_groups && kernel.degree() > 1 {
            return i;
        }
        done(i, digest_one(kernel, starts.of(i), messages.message(i)));
    }
    n
}

/// The messages from number `from` on.
#[inline(never)]
fn digest_others<'a, A: Algorithm>(
    choice: impl Choice<A::Function>,
    starts: impl Starts<A>,
    messages: &impl Source<'a>,
    from: usize,
    secrecy: Secrecy,
    done: impl FnMut(usize, A::Digest),
) {
    let mut groups =
        Groups { choice, starts, messages, group: Group::new(), done, algorithm: PhantomData::<A> };
    let next = groups.let_alike_through(from);
    if next < messages.n_messages() {
        let batch = Batch { order: [0; BATCH], from: next, at: 0, n: 0, next };
        advance_all(choice, &mut Whole { groups: &mut groups, batch }, secrecy);
    }
    if secrecy == Secrecy::Secret {
        groups.group.wipe();
    }
}

/// More messages than this go into lanes without asking whether it pays.
pub(crate) const FEW: usize = 8;

/// Whether `n` messages of `n_blocks` blocks in all end earlier one after the other than side by side: bringing a few
/// short ones into lanes takes longer than hashing them.
pub(crate) fn one_by_one<F: Function>(choice: impl Choice<F>, n: usize, n_blocks: usize) -> bool {
    /// Cycles of sorting, choosing and leaving, and of a message's way in and out (Golden Cove).
    const ALL: u64 = 180;
    const MESSAGE: u64 = 60;
    if n <= 1 {
        return true;
    }
    let each = n_blocks / n;
    let (one, many) =
        (choice.kernel(Live { n: 1, n_blocks: each }), choice.kernel(Live { n, n_blocks: each }));
    let alone = one.cost().of(n, n_blocks);
    // Both sides by the number of lanes, which spares a division.
    let n_lanes = n.min(many.degree());
    let together = many.cost().of(n + n_lanes - 1, n_blocks);
    let (n, n_lanes) = (n as u64, n_lanes as u64);
    n_lanes * alone <= n_lanes * (ALL + n * MESSAGE) + together
}

/// Whether `n` messages that all have `n_blocks` blocks go from start to end in groups: unless they would end earlier by
/// rotation, which keeps all lanes busy and takes longer to bring each message in and out.
pub(crate) fn go_in_groups<F: Function>(choice: impl Choice<F>, n: usize, n_blocks: usize) -> bool {
    /// Cycles of a turn and of each message, beside the kernel's calls (Golden Cove), and the turns that come in addition
    /// if the lanes do not divide the messages.
    const TURN: u64 = 200;
    const MESSAGE: u64 = 150;
    const MORE_TURNS: usize = 3;
    const MANY: usize = 1 << 12;
    const LONG: usize = 1 << 16;
    if n_blocks <= SHORT || n == 1 {
        return true;
    }
    // Beyond these it is the same, and products stay in their words.
    let (n, n_blocks) = (n.min(MANY + n % MAX_DEGREE), n_blocks.min(LONG));
    let kernel = choice.kernel(Live { n, n_blocks });
    let degree = kernel.degree();
    let n_turns =
        if n.is_multiple_of(degree) || n < degree { n.div_ceil(degree) } else { n / degree + MORE_TURNS };
    let end = (n * n_blocks).div_ceil(degree).max(n_blocks);
    let by_rotation = n as u64 * MESSAGE + n_turns as u64 * TURN + kernel.cost().of(n_turns, end);
    let (mut in_groups, mut n_left) = (0, n);
    while n_left > 0 && in_groups <= by_rotation {
        let (kernel, n_lanes) = next_group(choice, n_left, n_blocks);
        // From 16 messages on the choice is the same.
        let n_equal = 1 + n_left.saturating_sub(MAX_DEGREE) / n_lanes;
        in_groups += n_equal as u64 * kernel.cycles_of_group(n_lanes, n_blocks);
        n_left -= n_equal * n_lanes;
    }
    in_groups <= by_rotation
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

/// Messages, as far as they are not sorted.
struct Groups<'m, 'a, A: Algorithm, C, Begin, S, Done> {
    choice: C,
    starts: Begin,
    messages: &'m S,
    group: Group<'a, A::Function>,
    done: Done,
    algorithm: PhantomData<A>,
}

/// Messages that are sorted.
struct Whole<'g, 'm, 'a, A: Algorithm, C, Begin, S, Done> {
    groups: &'g mut Groups<'m, 'a, A, C, Begin, S, Done>,
    batch: Batch,
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

impl<'a, A, C, Begin, S, Done> Groups<'_, 'a, A, C, Begin, S, Done>
where
    A: Algorithm,
    C: Choice<A::Function>,
    Begin: Starts<A>,
    S: Source<'a>,
    Done: FnMut(usize, A::Digest),
{
    #[inline]
    fn n_blocks_of(&self, index: usize) -> usize {
        n_blocks::<A::Function>(self.messages.message(index).len())
    }

    /// Batches, from number `from` on, of one number of blocks each go in groups, up to the first that does not: the number
    /// of its first message.
    fn let_alike_through(&mut self, mut from: usize) -> usize {
        let n = self.messages.n_messages();
        while from < n {
            let to = n.min(from + BATCH);
            let n_blocks = self.n_blocks_of(from);
            if !go_in_groups(self.choice, n - from, n_blocks)
                || (from + 1..to).any(|i| self.n_blocks_of(i) != n_blocks)
            {
                break;
            }
            while from < to {
                let (kernel, n_lanes) = next_group(self.choice, to - from, n_blocks);
                self.let_through(kernel, from..from + n_lanes);
                from += n_lanes;
            }
        }
        from
    }

    /// Takes messages of one number of blocks from start to end.
    #[inline]
    fn let_through(&mut self, kernel: &Kernel<A::Function>, numbers: impl Iterator<Item = usize> + Clone) {
        let Self { starts, messages, group, done, .. } = self;
        if kernel.degree() == 1 {
            for i in numbers {
                done(i, digest_one(kernel, starts.of(i), messages.message(i)));
            }
            return;
        }
        for i in numbers.clone() {
            let (start, message) = (starts.of(i), messages.message(i));
            let (body, rest) = message.split_at(message.len() / A::BLOCK_BYTES * A::BLOCK_BYTES);
            let end = group.push(start.state, body, n_end_blocks::<A::Function>(rest.len()));
            pad::<A::Function>(end, rest, start.n_bytes + message.len() as u64);
        }
        for (state, i) in group.compress(kernel).iter().zip(numbers) {
            done(i, digest_of::<A>(state));
        }
    }
}

impl<'a, A, C, Begin, S, Done> Whole<'_, '_, 'a, A, C, Begin, S, Done>
where
    A: Algorithm,
    C: Choice<A::Function>,
    Begin: Starts<A>,
    S: Source<'a>,
    Done: FnMut(usize, A::Digest),
{
    /// Sorts the next batch and lets its groups through; `false` if there are no messages left.
    fn next_batch(&mut self) -> bool {
        let from = self.batch.next;
        let n = (self.groups.messages.n_messages() - from).min(BATCH);
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
        let messages = self.groups.messages;
        let class_of = |i: usize| class(n_blocks::<A::Function>(messages.message(from + i).len()));
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
        // Those of the first class differ: sorted, each turn ends several of them (64 of up to 16 KiB: 5 % faster).
        let n_blocks_of = |i: u8| n_blocks::<A::Function>(messages.message(from + usize::from(i)).len());
        self.batch.order[..ends[0]].sort_unstable_by_key(|i| Reverse(n_blocks_of(*i)));
        self.let_groups_through(&ends);
        true
    }

    /// Whether all of these messages are too long for groups.
    fn are_long(&self, mut messages: Range<usize>) -> bool {
        messages.all(|i| self.groups.n_blocks_of(i) > SHORT)
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
                    next_group(self.groups.choice, if alone { n_left } else { MAX_DEGREE }, n_blocks);
                if n_lanes > n_left {
                    break;
                }
                last -= n_lanes;
                let Batch { order, from, .. } = &self.batch;
                let numbers = order[last..last + n_lanes].iter().map(|i| from + usize::from(*i));
                self.groups.let_through(kernel, numbers);
            }
            self.batch.order.copy_within(first..last, n_staying);
            n_staying += last - first;
        }
        self.batch.n = n_staying;
    }
}

impl<'a, A, C, Begin, S, Done> Messages<'a, A::Function> for Whole<'_, '_, 'a, A, C, Begin, S, Done>
where
    A: Algorithm,
    C: Choice<A::Function>,
    Begin: Starts<A>,
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
        let (start, message) = (self.groups.starts.of(index), self.groups.messages.message(index));
        let (body, rest) = message.split_at(message.len() / A::BLOCK_BYTES * A::BLOCK_BYTES);
        let n_bytes = start.n_bytes + message.len() as u64;
        Some((index, insert_whole::<A>(slots, slot, start.state, body, rest, n_bytes)))
    }

    #[inline]
    fn done(&mut self, index: usize, state: &State<A>) {
        (self.groups.done)(index, digest_of::<A>(state));
    }
}
