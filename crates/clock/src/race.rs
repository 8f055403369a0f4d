//! Contestants in turns: A B C, C B A, A B C, …
//!
//! ```text
//! for each turn, until enough samples of everyone pass the gate (or patience ends):
//!     for each contestant, forward in even turns, backward in odd ones:
//!         vzeroupper
//!         warm-up calls
//!         reading · timed calls · reading        (clock.rs)
//! ```
//! A rejected sample is replaced by further whole turns, so that every sample keeps its neighbours for
//! comparison. Backward turns remove slow changes (temperature, the load of other programs) from a ratio.

use crate::clock::Clock;
use crate::method::{Kept, Method, Plan};
use crate::outcome::{Footprint, Outcome, Report, Sample, Unit, Verdict};
use crate::pin::{Pin, PinGuard};
use crate::time::TimeSource;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// The options of a race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The method of sampling and of computing the figure.
    pub method: Method,
    /// How long all timings of a sample should last ([`Method::Median`] only; default 3 ms).
    pub sample: Duration,
    /// How many samples of each contestant must pass the gate ([`Method::Median`] and [`Method::Once`];
    /// default 30).
    pub samples: u32,
    /// The race ends after this many times the requested number of turns, even if samples are missing
    /// (default 4).
    pub patience: u32,
    /// The share by which a dispatch probe may be slower than the best one (default 0.12).
    pub tolerance: f64,
    /// The CPU to run on (default: the current one).
    pub pin: Pin,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::Median,
            sample: Duration::from_millis(3),
            samples: 30,
            patience: 4,
            tolerance: Clock::TOLERANCE,
            pin: Pin::Current,
        }
    }
}

/// Something to be measured.
pub struct Contestant<'a> {
    name: String,
    footprint: Footprint,
    bytes: u64,
    messages: u64,
    threads: Threads,
    /// Calls the work a number of times: the loop is inside, so the call through the pointer counts only once
    /// for each timing.
    run: Box<dyn FnMut(u64) + 'a>,
}

/// The executor of a contestant's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// The calling thread: while it is off the processor, another program has it.
    #[default]
    Caller,
    /// Threads of its own, on the same CPU: the caller waits for them, which the gate cannot distinguish from
    /// preemption.
    Own,
}

impl<'a> Contestant<'a> {
    /// Creates a contestant whose call of `work` does one unit of work: all bytes of the footprint, one
    /// message.
    ///
    /// `work` has to keep its result and its input from the optimiser (`black_box`): the loop around it is
    /// compiled together with it.
    pub fn new(name: impl Into<String>, footprint: Footprint, mut work: impl FnMut() + 'a) -> Self {
        let run = move |n: u64| {
            for _ in 0..n {
                work();
            }
        };
        let bytes = footprint.bytes as u64;
        Contestant {
            name: name.into(),
            footprint,
            bytes,
            messages: 1,
            threads: Threads::Caller,
            run: Box::new(run),
        }
    }

    /// Sets another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Bytes that one call works on, if not all of the footprint (0: the work has no bytes).
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Returns the executor of the work, if not the calling thread.
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Messages that one call works on.
    pub fn messages(mut self, messages: u64) -> Self {
        self.messages = messages;
        self
    }
}

impl fmt::Debug for Contestant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contestant").field("name", &self.name).field("footprint", &self.footprint).finish()
    }
}

/// The progress of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Samples taken so far, of all contestants (a turn of one contestant counts as one).
    pub done: usize,
    /// Samples that end the race if all pass the gate.
    pub wanted: usize,
    /// Samples that end the race in any case.
    pub at_most: usize,
    /// Samples rejected so far.
    pub rejected: usize,
}

type Watcher<'a> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + 'a>;

/// A race of any number of contestants, in one process and one thread.
pub struct Race<'a> {
    options: Options,
    contestants: Vec<Contestant<'a>>,
    watcher: Watcher<'a>,
}

impl fmt::Debug for Race<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Race { options, contestants, .. } = self;
        f.debug_struct("Race").field("options", options).field("contestants", contestants).finish()
    }
}

impl<'a> Race<'a> {
    /// A race without contestants yet.
    pub fn new(options: Options) -> Self {
        let watcher = Box::new(|_: &Progress| ControlFlow::Continue(()));
        Race { options, contestants: Vec::new(), watcher }
    }

    /// Enters a contestant: see [`Contestant::new`].
    pub fn contestant(self, name: impl Into<String>, footprint: Footprint, work: impl FnMut() + 'a) -> Self {
        self.enter(Contestant::new(name, footprint, work))
    }

    /// Enters a contestant.
    pub fn enter(mut self, contestant: Contestant<'a>) -> Self {
        self.contestants.push(contestant);
        self
    }

    /// Calls `watcher` after every sample: for a progress bar, or to stop (the results so far are kept).
    pub fn watch(mut self, watcher: impl FnMut(&Progress) -> ControlFlow<()> + 'a) -> Self {
        self.watcher = Box::new(watcher);
        self
    }

    /// Runs the race with a new clock, started on the race's CPU (30 ms).
    pub fn run(self) -> Report {
        let pin = PinGuard::new(self.options.pin);
        self.run_pinned(&mut Clock::new(), &pin)
    }

    /// Runs the race with a running clock. Its gate has seen more probes, so it judges better if another
    /// program was running before the race.
    pub fn run_with<T: TimeSource>(self, clock: &mut Clock<T>) -> Report {
        let pin = PinGuard::new(self.options.pin);
        self.run_pinned(clock, &pin)
    }

    fn run_pinned<T: TimeSource>(self, clock: &mut Clock<T>, pin: &PinGuard) -> Report {
        let Race { options, mut contestants, mut watcher } = self;
        clock.set_tolerance(options.tolerance);

        let plans: Vec<Plan> = contestants.iter_mut().map(|c| plan(clock, &options, c)).collect();
        let mut samples = vec![Vec::new(); contestants.len()];
        let stopped = take_turns(clock, &options, &mut contestants, &plans, &mut samples, &mut watcher);

        let unit = if clock.reading().ticks_per_cycle.is_some() { Unit::CoreCycles } else { Unit::WallTime };
        let turns = options.method.turns(options.samples) as usize;
        let outcomes = contestants.into_iter().zip(plans).zip(samples).map(|((c, plan), mut samples)| {
            judge_again(clock, &mut samples);
            Outcome {
                name: c.name,
                footprint: c.footprint,
                bytes: c.bytes,
                messages: c.messages,
                method: options.method,
                repetitions: plan.repetitions,
                wanted: turns * plan.samples(),
                unit,
                samples,
            }
        });
        Report {
            outcomes: outcomes.collect(),
            pinning: pin.pinning().clone(),
            best_probe: clock.best_probe(),
            tolerance: clock.tolerance(),
            stopped,
        }
    }
}

/// Returns the turns of a race; true if the watcher stopped it.
fn take_turns<T: TimeSource>(
    clock: &mut Clock<T>,
    options: &Options,
    contestants: &mut [Contestant<'_>],
    plans: &[Plan],
    samples: &mut [Vec<Sample>],
    watcher: &mut Watcher<'_>,
) -> bool {
    let n = contestants.len();
    let wanted = options.method.turns(options.samples);
    let at_most = wanted.saturating_mul(options.patience.max(1));
    let (mut done, mut rejected) = (0, 0);
    for turn in 0..at_most {
        samples.iter_mut().for_each(|s| judge_again(clock, s));
        if samples.iter().zip(plans).all(|(s, plan)| accepted(s) >= wanted as usize * plan.samples()) {
            break;
        }
        for k in (0..n).map(|k| if turn % 2 == 0 { k } else { n - 1 - k }) {
            let verdict = sample(clock, &mut contestants[k], &plans[k], turn, &mut samples[k]);
            done += 1;
            rejected += usize::from(verdict != Verdict::Accepted);
            let (wanted, at_most) = (wanted as usize * n, at_most as usize * n);
            if watcher(&Progress { done, wanted, at_most, rejected }).is_break() {
                return true;
            }
        }
    }
    false
}

fn accepted(samples: &[Sample]) -> usize {
    samples.iter().filter(|s| s.verdict == Verdict::Accepted).count()
}

/// The best probe may come late, so accepted samples are judged again by the best one.
fn judge_again<T: TimeSource>(clock: &Clock<T>, samples: &mut [Sample]) {
    for s in samples.iter_mut().filter(|s| s.verdict == Verdict::Accepted) {
        s.verdict = clock.judge(s.probe);
    }
}

/// One contestant's part of a turn.
fn sample<T: TimeSource>(
    clock: &mut Clock<T>,
    contestant: &mut Contestant<'_>,
    plan: &Plan,
    turn: u32,
    samples: &mut Vec<Sample>,
) -> Verdict {
    let mut timings = Vec::with_capacity(plan.timings as usize);
    clock.time_mut().part();
    (contestant.run)(plan.warm_up);
    let bracket = clock.bracket(|clock| {
        for _ in 0..plan.timings {
            timings.push(clock.ticks_of(|| (contestant.run)(plan.repetitions)));
        }
    });
    if plan.kept == Kept::Median {
        timings.sort_unstable();
        timings = vec![timings[(timings.len() - 1) / 2]];
    }
    let verdict = match (bracket.verdict, contestant.threads) {
        (Verdict::Preempted, Threads::Own) => clock.judge(bracket.probe),
        (verdict, _) => verdict,
    };
    let ticks_per_second = clock.time().ticks_per_second();
    samples.extend(timings.into_iter().map(|ticks| {
        let ticks = ticks as f64 / plan.repetitions as f64;
        Sample {
            turn,
            seconds: ticks / ticks_per_second,
            cycles: bracket.ticks_per_cycle.map(|t| ticks / t),
            probe: bracket.probe,
            verdict,
        }
    }));
    verdict
}

/// Maximum number of calls in a timing, for work that takes almost no time.
const MOST_REPETITIONS: u64 = 1 << 22;

/// Measures the duration of a call: doubles the number of calls until an eighth of a timing is reached, then
/// takes the fastest of three; and plans the method's turns by that.
fn plan<T: TimeSource>(clock: &mut Clock<T>, options: &Options, contestant: &mut Contestant<'_>) -> Plan {
    let method = options.method;
    let Some(seconds) = method.timing_seconds(options.sample.as_secs_f64()) else {
        return method.plan(1.0, MOST_REPETITIONS);
    };
    let aim = seconds * clock.time().ticks_per_second();
    let mut ticks_of = |n: u64| clock.ticks_of(|| (contestant.run)(n)) as f64;
    let mut n = 1;
    while ticks_of(n) < aim / 8.0 && n < MOST_REPETITIONS {
        n *= 2;
    }
    let fastest = (0..3).map(|_| ticks_of(n)).fold(f64::INFINITY, f64::min).max(1.0);
    method.plan(n as f64 * aim / fastest, MOST_REPETITIONS)
}
