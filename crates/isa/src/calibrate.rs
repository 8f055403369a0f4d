//! Costs measured on this CPU: the feature `calibrate`.
//!
//! The columns of a table are costs of some cores. On a CPU without a column of its own they are estimates.
//! There the first choice of a table measures its kernels, once and in less than a millisecond, and these
//! costs replace the column's.
//!
//! The model is that of the plan: a group of messages of n blocks takes `call` + n · `block`. So the samples
//! are calls on messages of two lengths, and equal short messages. Rounds go through the kernels in turn; the
//! fastest sample of each counts, so an interruption must hit the same sample in all rounds to matter. The
//! unit is a core cycle: a chain of dependent operations, whose cycles are known, is timed in the same
//! rounds.
//!
//! Nothing waits and nothing is locked. While one thread measures, others choose by the column's costs; their
//! answers are forgotten when it is done. A child process that is forked meanwhile keeps the column's costs.
//! All messages are zeros.

use core::hint::black_box;
use core::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::column;
use crate::costs::Cost;
use crate::sample::{EQUAL, LONG, SHORT, Sample};
use crate::table::{self, Entries, Table};

/// Messages of a sample at least: kernels of fewer lanes hash several groups, because what follows one
/// another overlaps.
const MESSAGES: usize = 4;
/// Rounds: at least and at most, and the time in which others must end.
const ROUNDS: [u32; 2] = [3, 12];
const TIME: Duration = Duration::from_micros(700);
/// Rounds in which all kernels take part. The first may begin with wide registers asleep. In later ones, a
/// kernel is left out that takes this many times as long as one of no more lanes.
const ROUNDS_OF_ALL: u32 = 2;
const HOPELESS: u32 = 2;

/// The most rows of a table.
const MOST_ROWS: usize = 64;

/// A cost is not believed if its block takes this many times as long as the column's, or this part of it.
const DOUBT: u32 = 8;

impl<V: Entries> Table<V> {
    /// Measures the kernels if this is the first call, and the CPU has no column of its own.
    #[inline]
    pub(crate) fn calibrate_once(&self) {
        if column().1 || self.calibrations.load(Ordering::Relaxed) != 0 {
            return;
        }
        let claim = self.calibrations.compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed);
        if claim.is_ok() && self.candidates().any(|kernel| kernel.measured.get().is_none()) {
            self.calibrate();
        }
    }

    /// Measures the kernels among which the plan chooses, now; from then on it chooses by the result. Tables
    /// without a choice, and those of ciphers, are not measured: the cost of a cipher's kernel of one message
    /// stands for several verbs.
    pub fn calibrate(&self) {
        let Some(run) = V::RUN else { return };
        if self.candidates().nth(1).is_none() || self.rows.len() > MOST_ROWS {
            return;
        }
        let mut fastest = [Fastest::NONE; MOST_ROWS];
        let mut cycle = Duration::MAX;
        let start = Instant::now();
        let nothing = (0..8).map(|_| time(1, || {})).min().unwrap_or_default();
        for round in 0..ROUNDS[1] {
            let so_far = start.elapsed();
            if round >= ROUNDS[0] && so_far + so_far / round > TIME {
                break;
            }
            cycle = cycle.min(time(1, chain)).min(time(1, chain));
            for (i, kernel) in self.candidates().enumerate() {
                let no_larger =
                    self.candidates().zip(&fastest).filter(|(k, _)| k.degree() <= kernel.degree());
                let least = no_larger.map(|(kernel, fastest)| fastest.of_group(kernel.degree())).min();
                let own = &mut fastest[i];
                if round < ROUNDS_OF_ALL || least >= Some(own.of_group(kernel.degree()) / HOPELESS) {
                    own.sample(kernel.degree(), |sample| run(kernel, sample));
                }
            }
        }
        let cycles = |time: Duration| {
            let time = time.saturating_sub(nothing).as_nanos() as u64;
            time * CHAIN_CYCLES / cycle.saturating_sub(nothing).as_nanos().max(1) as u64
        };
        for (kernel, fastest) in self.candidates().zip(&fastest) {
            kernel.measured.set(fastest.cost(kernel, cycles));
        }
        self.forget();
    }

    /// Replaces the kernels' costs: by `cost` of their names, or by the column's where it has none.
    pub fn set_costs(&self, cost: impl Fn(&str) -> Option<Cost>) {
        for kernel in self.rows {
            kernel.measured.set(cost(kernel.name));
        }
        self.forget();
    }

    /// Forgets the answers of the plan, because costs changed.
    fn forget(&self) {
        self.calibrations.fetch_add(1, Ordering::SeqCst);
        self.memo.clear();
    }
}

/// The fastest samples of a kernel.
#[derive(Clone, Copy)]
struct Fastest {
    short: Duration,
    long: Duration,
    equal: Duration,
}

impl Fastest {
    const NONE: Self = Self { short: Duration::MAX, long: Duration::MAX, equal: Duration::MAX };

    /// Returns the time of a long group.
    fn of_group(&self, degree: usize) -> Duration {
        self.long / n_groups(degree)
    }

    /// Takes each sample once more. `run` returns whether the kernel has such a sample.
    fn sample(&mut self, degree: usize, run: impl Fn(Sample) -> bool) {
        let n = n_groups(degree);
        // The first brings the code into the cache; so below.
        for _ in 0..2 {
            self.short = self.short.min(time(n, || _ = run(Sample::Group(SHORT))));
        }
        self.long = self.long.min(time(n, || _ = run(Sample::Group(LONG))));
        for _ in 0..2 {
            let mut is_run = false;
            let equal = time(1, || is_run = run(Sample::Equal));
            if is_run {
                self.equal = self.equal.min(equal);
            }
        }
    }

    /// Returns the cost of a kernel with these samples, unless it is implausible.
    fn cost<V: Entries>(&self, kernel: &table::Kernel<V>, cycles: impl Fn(Duration) -> u64) -> Option<Cost> {
        let (column, degree) = (kernel.column_cost(), kernel.degree());
        let n = u64::from(n_groups(degree));
        let (short, long) = (cycles(self.short) / n, cycles(self.long) / n);
        let block = long.checked_sub(short)? / (LONG - SHORT) as u64;
        if block < u64::from(column.block / DOUBT).max(1) {
            return None;
        }
        // Not the column's cost if it is much slower: the kernel would be chosen.
        let block = block.min(u64::from(column.block) * u64::from(DOUBT));
        let call = short.saturating_sub(SHORT as u64 * block);
        let n_groups = (EQUAL / degree).max(1);
        let equal = match self.equal {
            Duration::MAX => call,
            equal => {
                // What the plan adds is not the call's.
                let messages = (n_groups * degree) as u64 * V::OVERHEADS.equal_message;
                cycles(equal).saturating_sub(messages + 2 * n_groups as u64 * block)
            }
        };
        // A single message in code for equal ones: what is left is 16 times as uncertain as the call.
        let equal = if degree == 1 { equal.min(call) } else { equal };
        let number = |cycles| u32::try_from(cycles).unwrap_or(u32::MAX);
        Some(Cost { call: number(call), equal: number(equal), block: number(block) })
    }
}

/// The groups of a sample.
fn n_groups(degree: usize) -> u32 {
    MESSAGES.div_ceil(degree) as u32
}

fn time(n_times: u32, mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..n_times {
        work();
    }
    start.elapsed()
}

/// Steps of the chain, and its cycles: three operations of a cycle each, on every core.
const STEPS: u32 = 1000;
const CHAIN_CYCLES: u64 = 3 * STEPS as u64;

/// Operations each of which needs the result of the one before.
fn chain() {
    let (mut x, y) = (black_box(1_u64), black_box(3_u64));
    for _ in 0..STEPS {
        x = (x ^ y).rotate_left(7).wrapping_add(y);
    }
    black_box(x);
}
