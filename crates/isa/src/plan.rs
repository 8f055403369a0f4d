//! The plan: which kernel processes which messages, and how many at once. All decisions are made here, from
//! the cycles in `costs.rs`.
//!
//! No borders are listed. Every row has the cycles of a call and of a block of all its lanes
//! ([`Cost`](crate::Cost)), and [`Overheads`](crate::Overheads) has the cycles around the calls. These
//! numbers answer all questions:
//!
//! | question | answer |
//! |---|---|
//! | which kernel advances n live messages of b blocks ([`Plan::kernel`]) | the one that advances most blocks per cycle: the greatest min(n, degree) · b / (turn + call + b · block); where messages would rotate on it (degree < n < 2 · degree), b is the shorter time of a turn |
//! | which kernel takes the first group of n messages that go from start to end ([`Plan::next_group`]) | the one with which all n end first, so that n + 1 never take longer than n, a change of kernel and 1 more |
//! | the same of equal short messages ([`Plan::each_group`]) | the same, with what such calls cost |
//! | the same of lanes of word-interleaved input ([`Plan::of_lanes`]) | the same, with the cycles of copying words where a row cannot read them |
//! | a few messages one by one, or side by side ([`Plan::one_by_one`]) | what ends first |
//!
//! All but the last are found once for each n up to 16 (the second: 64) and a few classes of b, and kept. The
//! first two serve every kind of table, by the same formulas: ciphers' messages rotate ([`Table::best`]),
//! sponges' go in groups ([`Table::best_of_group`]).

use core::ops::Range;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::costs::{MAX_DEGREE, Overheads};
use crate::group_costs::{Choice, end_with, first, of_equal};
use crate::kernel::Kernel;
use crate::memo::{Known, Memo, class_of};
use crate::table::{self, Entries, Table};
use crate::wrap::wraps;
use crate::{Function, PLACES, Row, Verb};

/// The overheads used by [`Plan`], which is for hashes.
const OVERHEADS: Overheads = Overheads::HASHES;

/// More messages than this are always hashed in lanes.
pub const FEW: usize = 8;

/// Messages of at most this many blocks are always hashed in groups.
pub const SHORT: usize = 8;

/// The choice of kernels for the messages of a call: the fastest ones, or a forced one.
#[derive(Debug)]
pub struct Plan<F: Function>(Option<&'static Kernel<F>>);

impl<F: Function> Clone for Plan<F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Function> Copy for Plan<F> {}

impl<F: Function> From<Option<&'static Kernel<F>>> for Plan<F> {
    /// One kernel, or the best ones.
    #[inline]
    fn from(only: Option<&'static Kernel<F>>) -> Self {
        Self(only)
    }
}

impl<F: Function> Plan<F> {
    /// The fastest kernels.
    pub const BEST: Self = Self(None);

    /// Returns the plan that uses this kernel for all messages.
    #[inline]
    pub fn only(kernel: &'static Kernel<F>) -> Self {
        Self(Some(kernel))
    }

    /// Returns the forced kernel, if there is one.
    #[inline]
    pub fn forced(&self) -> Option<&'static Kernel<F>> {
        self.0
    }

    /// Returns the kernel that advances `n` live messages that have `n_blocks` blocks left; more than 16
    /// count as 16.
    ///
    /// # Panics
    /// Panics if the environment forces a kernel that this CPU cannot run (see
    /// [`Table::check_env`](crate::Table::check_env)).
    #[inline]
    pub fn kernel(self, n: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.0.unwrap_or_else(|| F::table().best(n, n_blocks))
    }

    /// Returns the kernel for one message of `n_blocks` blocks. Like [`kernel`](Self::kernel), but only
    /// kernels that also serve a single message are linked, unless the environment may force another.
    ///
    /// # Panics
    /// Like [`Plan::kernel`].
    #[inline]
    pub fn one(self, n_blocks: usize) -> &'static Kernel<F> {
        let table = if cfg!(feature = "env-override") { F::table() } else { F::table_of_one() };
        self.0.unwrap_or_else(|| table.best(1, n_blocks))
    }

    /// Returns the kernel that takes the next of `n` messages of `n_blocks` blocks each that go from start to
    /// end in groups, and how many of them: at most one for each lane, or all that are left, which then
    /// [wrap](crate::Open::around) around the lanes. More than 64, which do not share a call, count as 64.
    ///
    /// # Panics
    /// Like [`Plan::kernel`].
    #[inline]
    pub fn next_group(self, n: usize, n_blocks: usize) -> (&'static Kernel<F>, usize) {
        const { assert!(OVERHEADS.most_messages == PLACES) }
        let Choice { kernel, wrap } = self.0.map_or_else(|| F::table().group(n, n_blocks), Choice::forced);
        let degree = kernel.degree();
        (kernel, if wrap && wraps(n, degree) { n } else { n.min(degree) })
    }

    /// Returns the kernel of the first of many groups of messages of `n_blocks` blocks each that fill all of
    /// its lanes.
    ///
    /// # Panics
    /// Like [`Plan::kernel`].
    #[inline]
    pub fn of_groups(self, n_blocks: usize) -> &'static Kernel<F> {
        self.0.unwrap_or_else(|| F::table().best_of_group(MAX_DEGREE, n_blocks))
    }

    /// Returns the kernel for the first lanes of word-interleaved input that has `n_lanes` lanes of
    /// `n_blocks` blocks; more than 16 count as 16.
    ///
    /// # Panics
    /// Like [`Plan::kernel`].
    #[inline]
    pub fn of_lanes(self, n_lanes: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.0.unwrap_or_else(|| {
            let find = |table: &Table<_>, n, n_blocks| {
                first(table, n, false, |kernel, n_lanes, _| cycles_of_lanes(kernel, n_lanes, n_blocks))
            };
            F::table().known(|memo| &memo.of_lanes, n_lanes.min(MAX_DEGREE), n_blocks, find).kernel
        })
    }

    /// Returns the kernel of the first of `n` equal short messages of `n_blocks` blocks each. More than 16
    /// count as 16 that are longer, because a kernel processes all its groups in one call.
    #[inline]
    fn of_equal(self, n: usize, n_blocks: usize) -> &'static Kernel<F> {
        let n_blocks = n_blocks * n.div_ceil(MAX_DEGREE);
        let known = || F::table().known(|memo| &memo.of_equal, n.min(MAX_DEGREE), n_blocks, of_equal).kernel;
        self.0.unwrap_or_else(known)
    }

    /// Calls `call` with the kernel and the range for each part of `n` equal short messages or continuations
    /// of `n_blocks` blocks each: whole groups of the widest kernel that pays, then smaller ones.
    #[inline]
    pub fn each_group(
        self,
        n: usize,
        n_blocks: usize,
        mut call: impl FnMut(&'static Kernel<F>, Range<usize>),
    ) {
        let mut from = 0;
        while from < n {
            let n_left = n - from;
            let kernel = self.of_equal(n_left, n_blocks);
            let in_whole_groups = n_left / kernel.degree() * kernel.degree();
            let n_now = if in_whole_groups > 0 { in_whole_groups } else { n_left };
            call(kernel, from..from + n_now);
            from += n_now;
        }
    }

    /// Returns whether `n` messages with `n_blocks` blocks in total are faster one by one than in lanes:
    /// bringing a few short messages into lanes takes longer than hashing them.
    #[inline]
    pub fn one_by_one(self, n: usize, n_blocks: usize) -> bool {
        if n <= 1 {
            return true;
        }
        let each = n_blocks / n;
        let (one, many) = (self.kernel(1, each), self.kernel(n, each));
        let alone = one.cost().of(n, n_blocks);
        // Both sides are multiplied by the number of lanes, which avoids a division.
        let n_lanes = n.min(many.degree());
        let together = many.cost().of(n + n_lanes - 1, n_blocks);
        let (n, n_lanes) = (n as u64, n_lanes as u64);
        n_lanes * alone <= n_lanes * (OVERHEADS.few + n * OVERHEADS.message_of_few) + together
    }

    /// Returns the cycles of `n` messages of `n_blocks` blocks in groups, the first of them on this row; more
    /// than 64 count as 64.
    ///
    /// # Panics
    /// Panics if the row is another table's.
    pub fn end_of_groups(first: &Row, n: usize, n_blocks: usize) -> u64 {
        let n = n.clamp(1, OVERHEADS.most_messages);
        let kernel = F::table().rows.iter().find(|kernel| kernel.name == first.name);
        let kernel = kernel.expect("a row of this table");
        end_with(kernel, F::table(), n, |kernel, n, first| kernel.row_data().group(n, n_blocks, first))
    }
}

/// The groups in which messages of one number of blocks go from start to end. They stay on a kernel as long
/// as they fill its lanes, because its instructions are at hand and its call is paid, or begins while the one
/// before it ends.
#[derive(Debug)]
pub struct Groups<F: Function> {
    plan: Plan<F>,
    n_blocks: usize,
    kernel: Option<&'static Kernel<F>>,
    /// The first message of the call.
    first: usize,
}

impl<F: Function> Groups<F> {
    /// Returns the groups of messages of `n_blocks` blocks each.
    #[inline]
    pub fn new(plan: Plan<F>, n_blocks: usize) -> Self {
        Self { plan, n_blocks, kernel: None, first: 0 }
    }

    /// Returns the kernel of the group that begins with message number `at`, and the size of the group;
    /// `n_left` messages are left, including the group.
    ///
    /// # Panics
    /// Like [`Plan::kernel`].
    #[inline]
    pub fn next(&mut self, at: usize, n_left: usize) -> (&'static Kernel<F>, usize) {
        let last = self.kernel.filter(|kernel| self.stays(kernel, at, n_left));
        if let Some(kernel) = last
            && !wraps(n_left, kernel.degree())
        {
            return (kernel, kernel.degree());
        }
        let (kernel, n_now) = self.plan.next_group(n_left, self.n_blocks);
        if let Some(last) = last {
            let goes_on = core::ptr::eq(kernel, last) && at - self.first + n_now <= PLACES;
            return (last, if goes_on { n_now } else { last.degree() });
        }
        (self.kernel, self.first) = (Some(kernel), at);
        (kernel, n_now)
    }

    /// Like [`Groups::next`], of all groups that follow one another on that kernel, up to `n_places`
    /// messages, if they fill its lanes.
    ///
    /// # Panics
    /// Like [`Plan::kernel`].
    #[inline]
    pub fn next_ones(&mut self, at: usize, n_left: usize, n_places: usize) -> (&'static Kernel<F>, usize) {
        let (kernel, mut n) = self.next(at, n_left);
        let degree = kernel.degree();
        if n != degree {
            return (kernel, n);
        }
        while n + degree <= n_places.min(n_left)
            && self.stays(kernel, at + n, n_left - n)
            && !wraps(n_left - n, degree)
        {
            n += degree;
        }
        (kernel, n)
    }

    /// Returns whether the group that begins with message `at` stays on this kernel.
    #[inline]
    fn stays(&self, kernel: &Kernel<F>, at: usize, n_left: usize) -> bool {
        kernel.degree() > 1 && n_left >= kernel.degree() && at - self.first + kernel.degree() <= PLACES
    }
}

impl<F: Function> Kernel<F> {
    /// Returns whether a group may start whose lanes together idle for `n_blocks` blocks. It may if its
    /// messages would take more time in a rotation with others.
    #[inline]
    pub fn may_idle(&self, n_blocks: usize) -> bool {
        let n_lanes = self.degree() as u64;
        // The idle time is a part of a block of all lanes.
        n_blocks as u64 * u64::from(self.cost().block) <= n_lanes * n_lanes * OVERHEADS.message_that_joins
    }
}

impl Row {
    /// Returns the work and the time of a turn of this kernel with `n_live` messages that all have `n_blocks`
    /// blocks left: the blocks of all messages together, and the cycles.
    fn turn(&self, n_live: usize, n_blocks: usize) -> (u64, u64) {
        let (n, degree) = (n_live, self.degree);
        let rotate = degree < n && n < 2 * degree;
        // Otherwise lanes would idle; a turn lasts that long.
        let idle = || (n_blocks * n).div_ceil(degree) - n_blocks;
        let n_blocks = if rotate { idle().clamp(1, n_blocks) } else { n_blocks };
        (n.min(degree) as u64 * n_blocks as u64, self.overheads.turn + self.cost.of(1, n_blocks))
    }
}

/// The bit of [`Choice::wrap`] in a memo; the others are those of the kernel's row + 1.
const WRAP: u8 = 0x80;

impl<V: Entries> Table<V> {
    /// Returns the kernel that advances `n` live messages that have `n_blocks` blocks left.
    ///
    /// # Panics
    /// Panics if the environment forces a kernel that this CPU cannot run (see [`Table::check_env`]).
    #[inline]
    pub fn best(&self, n: usize, n_blocks: usize) -> &'static table::Kernel<V> {
        self.known(|memo| &memo.rotating, n.min(V::OVERHEADS.most_rotating), n_blocks, fastest).kernel
    }

    /// Returns the kernel that takes the next of `n` messages of `n_blocks` blocks each that go from start to
    /// end in groups.
    ///
    /// # Panics
    /// Like [`Table::best`].
    #[inline]
    pub fn best_of_group(&self, n: usize, n_blocks: usize) -> &'static table::Kernel<V> {
        self.group(n, n_blocks).kernel
    }

    /// Returns that kernel, and whether all that are left wrap around its lanes.
    #[inline]
    fn group(&self, n: usize, n_blocks: usize) -> Choice<V> {
        let find = |table: &Self, n, n_blocks| {
            let cycles =
                |kernel: &table::Kernel<V>, n, is_first| kernel.row_data().group(n, n_blocks, is_first);
            first(table, n, V::OVERHEADS.message_that_wraps > 0, cycles)
        };
        self.known(|memo| &memo.of_group, n.min(V::OVERHEADS.most_messages), n_blocks, find)
    }

    /// Returns the kernel for one message's verbs: the forced one's family, or the one that takes the least
    /// cycles for a long message, of equally fast ones the first in the table.
    ///
    /// # Panics
    /// Like [`Table::best`].
    #[inline]
    pub fn best_of_one(&self) -> &'static table::Kernel<V> {
        const LONG: usize = 1000;
        let of_one = |table: &Self| {
            let of_one = table.candidates().filter(|kernel| kernel.degree() == 1);
            of_one
                .min_by_key(|kernel| kernel.row_data().cost.of(1, LONG))
                .expect("a row of one message runs everywhere")
        };
        self.of_one(self.answer(&self.memo.of_one, of_one).kernel)
    }

    /// Returns the answer for so many messages and blocks, kept in this part of the memo, or found.
    #[inline]
    fn known<C: Into<Choice<V>>, const MOST: usize>(
        &self,
        known: impl Fn(&Memo) -> &Known<MOST>,
        n: usize,
        n_blocks: usize,
        find: impl Fn(&Self, usize, usize) -> C,
    ) -> Choice<V> {
        let classes = V::OVERHEADS.classes;
        let (n, class) = (n.clamp(1, MOST), class_of(classes, n_blocks));
        self.answer(&known(&self.memo)[class][n - 1], |table| find(table, n, classes[class].into()))
    }

    /// Returns the answer kept in `known`, or found.
    #[inline]
    fn answer<C: Into<Choice<V>>>(&self, known: &AtomicU8, find: impl FnOnce(&Self) -> C) -> Choice<V> {
        match known.load(Ordering::Relaxed) {
            0 => self.choose(known, |table| find(table).into()),
            known => Choice { kernel: self.rows[usize::from(known & !WRAP) - 1], wrap: known & WRAP != 0 },
        }
    }

    #[inline]
    fn choose(&self, known: &AtomicU8, find: impl FnOnce(&Self) -> Choice<V>) -> Choice<V> {
        let forced = self.forced().unwrap_or_else(|error| panic!("{error}"));
        #[cfg(feature = "calibrate")]
        let calibrations = {
            if forced.is_none() {
                self.calibrate_once();
            }
            self.calibrations.load(Ordering::SeqCst)
        };
        let choice = forced.map_or_else(|| find(self), Choice::forced);
        let is_it = |row: &&table::Kernel<V>| core::ptr::eq(*row, choice.kernel);
        let row = self.rows.iter().position(is_it).expect("a row of this table");
        known.store((row as u8 + 1) | if choice.wrap { WRAP } else { 0 }, Ordering::SeqCst);
        // An answer by costs that another thread replaced meanwhile.
        #[cfg(feature = "calibrate")]
        if self.calibrations.load(Ordering::SeqCst) != calibrations {
            known.store(0, Ordering::SeqCst);
        }
        choice
    }
}

/// Returns the kernel that advances the most blocks per cycle; of equally fast ones the first in the table.
fn fastest<V: Entries>(table: &Table<V>, n: usize, n_blocks: usize) -> &'static table::Kernel<V> {
    table
        .candidates()
        .reduce(|a, b| {
            let (blocks_a, cycles_a) = a.row_data().turn(n, n_blocks);
            let (blocks_b, cycles_b) = b.row_data().turn(n, n_blocks);
            if blocks_b * cycles_a > blocks_a * cycles_b { b } else { a }
        })
        .expect("scalar runs everywhere")
}

/// Returns the overhead of `n_lanes` lanes of word-interleaved input.
fn cycles_of_lanes<F: Function>(kernel: &Kernel<F>, n_lanes: usize, n_blocks: usize) -> u64 {
    let copied = if kernel.offers(Verb::CompressLanes) { 0 } else { n_lanes as u64 * n_blocks as u64 };
    kernel.cost().of(1, n_blocks) + copied * OVERHEADS.copied_block
}
