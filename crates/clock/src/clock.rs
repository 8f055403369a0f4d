//! The core clock and the noise gate, over any [`TimeSource`].
//!
//! ```text
//!   reading ── work ── reading          reading = 3 chains (the fastest counts), 2 dispatch probes between them
//!      │         │        │
//!      │       ticks      └─ ticks per cycle after, probe after
//!      └─ ticks per cycle before, probe before
//!
//!   cycles = ticks / mean(ticks per cycle before, after)
//!   probe  = the slower of the two probes, in cycles per group
//! ```
//!
//! The probe's ideal value is not known in advance (1.0 on cores that dispatch six slots a cycle, other
//! values on others), so the gate compares it with the best value so far. An interrupted *chain* would make a
//! probe look too good and lower the best value for ever; so would a clock rate that rises between a chain
//! and a probe. Therefore a probe has a chain before it and one after it, and is divided by the fastest chain
//! of the two readings, so an error of one only makes it look worse. Both can err in the same way (on a
//! virtual machine, in every second session of 100 s). One such probe would reject all samples after it, so
//! the best value is the fastest on which three probes agree.

use crate::outcome::Verdict;
use crate::time::{CpuTime, TimeSource};

/// Additions of a chain, about 7 µs: long enough for 0.1 %, short enough to fit between two interrupts.
const CHAIN: u64 = 25_600;
/// A short chain; the difference to the long one is free of the cost of starting and stopping the clock.
const SHORT_CHAIN: u64 = 640;
/// Groups of a dispatch probe, about 2 µs.
const GROUPS: u64 = 6_400;
/// Readings before the first use, about 10 ms in all.
const CALIBRATIONS: usize = 300;
/// The best probe is the fastest one of this many that differ by no more than this share. One pair of
/// readings gives two probes, so two would not do.
const CONFIRMED: usize = 3;
const AGREEMENT: f64 = 0.01;
/// Probes among which it is sought.
const REMEMBERED: usize = 64;
/// A reading before and one after a sample may differ by this share in the length of a cycle.
const DRIFT: f64 = 0.02;
/// A thread may have been off the processor for this share of a sample.
const ABSENCE: f64 = 0.01;

/// The present length of a cycle, and the share of the core that this thread gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Ticks of the time source in one core cycle; `None` without a chain.
    pub ticks_per_cycle: Option<f64>,
    /// Ticks of one group of the dispatch probe; `None` without one.
    pub ticks_per_group: Option<f64>,
}

/// The time of one piece of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lap {
    /// Wall time in seconds.
    pub seconds: f64,
    /// Core cycles; `None` where there is no core clock.
    pub cycles: Option<f64>,
    /// Dispatch probe in cycles per group, the slower of before and after; `None` where there is none.
    pub probe: Option<f64>,
    /// The verdict of the gate.
    pub verdict: Verdict,
}

/// A clock in core cycles, with a noise gate.
#[derive(Clone, Debug)]
pub struct Clock<T = CpuTime> {
    time: T,
    /// Ticks between two successive readings of the counter.
    reading_ticks: u64,
    /// The same with an empty chain between them.
    chain_ticks: f64,
    /// The probes with the fewest cycles per group so far, in ascending order.
    fastest: Vec<f64>,
    /// The gate's tolerance, as a share of the best probe.
    tolerance: f64,
}

impl Clock<CpuTime> {
    /// Returns the clock of this CPU, calibrated, with the usual tolerance of 12 %. Takes about 30 ms.
    pub fn new() -> Self {
        Self::with_time(CpuTime::new())
    }

    /// The usual tolerance of the noise gate: a probe may be slower than the best one by this share.
    pub const TOLERANCE: f64 = 0.12;
}

impl Default for Clock<CpuTime> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: TimeSource> Clock<T> {
    /// A clock over any source, calibrated.
    pub fn with_time(time: T) -> Self {
        let mut clock = Clock {
            time,
            reading_ticks: 0,
            chain_ticks: 0.0,
            fastest: Vec::new(),
            tolerance: Clock::TOLERANCE,
        };
        clock.calibrate();
        clock
    }

    /// Sets the tolerance of the noise gate (a share of the best probe).
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.tolerance = tolerance;
    }

    /// Returns the tolerance of the noise gate.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Returns the best probe so far that others confirm, the fastest until one is confirmed, in cycles per
    /// group; `None` without one.
    pub fn best_probe(&self) -> Option<f64> {
        let agree = |some: &&[f64]| some[CONFIRMED - 1] <= some[0] * (1.0 + AGREEMENT);
        self.fastest.windows(CONFIRMED).find(agree).or(self.fastest.get(..1)).map(|some| some[0])
    }

    /// Returns the time source.
    pub fn time(&self) -> &T {
        &self.time
    }

    /// Mutable access to the time source.
    pub fn time_mut(&mut self) -> &mut T {
        &mut self.time
    }

    /// Returns the core's frequency in Hz: the fastest of several readings; `None` without a core clock.
    pub fn core_hz(&mut self) -> Option<f64> {
        let fastest = (0..10).filter_map(|_| self.reading().ticks_per_cycle).min_by(f64::total_cmp)?;
        Some(self.time.ticks_per_second() / fastest)
    }

    /// Measures the cost of reading the clock, and the best of a few hundred probes.
    fn calibrate(&mut self) {
        let mut shortest = |adds: Option<u64>, times: usize| {
            let time = &mut self.time;
            let mut one = || {
                let start = time.ticks();
                let done = adds.map_or(Some(0), |n| time.chain(n))?;
                Some((time.ticks().saturating_sub(start), done))
            };
            (0..times).filter_map(|_| one()).min()
        };
        let reading = shortest(None, CALIBRATIONS);
        let short = shortest(Some(SHORT_CHAIN), CALIBRATIONS);
        let long = shortest(Some(CHAIN), CALIBRATIONS / 3);
        self.reading_ticks = reading.map_or(0, |(ticks, _)| ticks);
        self.chain_ticks = match (short, long) {
            (Some((t0, n0)), Some((t1, n1))) if n1 > n0 => {
                let slope = (t1 as f64 - t0 as f64) / (n1 - n0) as f64;
                (t0 as f64 - slope * n0 as f64).max(0.0)
            }
            _ => 0.0,
        };
        let mut before = self.reading();
        for _ in 0..CALIBRATIONS {
            let after = self.reading();
            self.note_probe(&before, &after);
            before = after;
        }
    }

    /// Measures the core: about 30 µs.
    pub fn reading(&mut self) -> Reading {
        let mut ticks_per_cycle: Option<f64> = None;
        let mut ticks_per_group: Option<f64> = None;
        let smaller = |old: Option<f64>, new: f64| Some(old.map_or(new, |old| old.min(new)));
        for round in 0..3 {
            let start = self.time.ticks();
            if round > 0
                && let Some(groups) = self.time.dispatch(GROUPS)
            {
                let ticks = self.time.ticks().saturating_sub(start) as f64 - self.chain_ticks;
                ticks_per_group = smaller(ticks_per_group, ticks.max(0.0) / groups as f64);
            }
            let start = self.time.ticks();
            let Some(adds) = self.time.chain(CHAIN) else { break };
            let ticks = self.time.ticks().saturating_sub(start) as f64 - self.chain_ticks;
            if ticks > 0.0 {
                ticks_per_cycle = smaller(ticks_per_cycle, ticks / adds as f64);
            }
        }
        Reading { ticks_per_cycle, ticks_per_group }
    }

    /// Cycles per group before and after, over the shorter of the two cycles.
    fn probes(before: &Reading, after: &Reading) -> Option<[f64; 2]> {
        let cycle = before.ticks_per_cycle?.min(after.ticks_per_cycle?);
        Some([before.ticks_per_group? / cycle, after.ticks_per_group? / cycle])
    }

    /// Updates the gate with a pair of readings.
    fn note_probe(&mut self, before: &Reading, after: &Reading) {
        for probe in Self::probes(before, after).into_iter().flatten() {
            let place = self.fastest.partition_point(|other| *other <= probe);
            if place < REMEMBERED {
                self.fastest.insert(place, probe);
                self.fastest.truncate(REMEMBERED);
            }
        }
    }

    /// Ticks that `work` takes, without those of reading the clock.
    #[inline(always)]
    pub(crate) fn ticks_of(&mut self, work: impl FnOnce()) -> u64 {
        let start = self.time.ticks();
        work();
        self.time.ticks().saturating_sub(start).saturating_sub(self.reading_ticks)
    }

    /// Runs `work` between two readings. `work` calls [`Clock::ticks_of`] any number of times.
    pub(crate) fn bracket(&mut self, work: impl FnOnce(&mut Self)) -> Bracket {
        let before = self.reading();
        let present = self.time.thread_seconds();
        let start = self.time.ticks();
        work(self);
        let ticks = self.time.ticks().saturating_sub(start);
        let present = present.and_then(|p| Some(self.time.thread_seconds()? - p));
        let after = self.reading();
        self.note_probe(&before, &after);

        let seconds = ticks as f64 / self.time.ticks_per_second();
        let probe = Self::probes(&before, &after).map(|[a, b]| a.max(b));
        let cycles = before.ticks_per_cycle.zip(after.ticks_per_cycle);
        let drifted = cycles.is_some_and(|(a, b)| (a - b).abs() > DRIFT * a.min(b));
        let absent = present.is_some_and(|p| seconds - p > ABSENCE * seconds);
        let verdict = match (absent, drifted) {
            (true, _) => Verdict::Preempted,
            (false, true) => Verdict::Drift,
            (false, false) => self.judge(probe),
        };
        Bracket { ticks_per_cycle: cycles.map(|(a, b)| (a + b) / 2.0), probe, verdict }
    }

    /// Returns the gate's verdict on a probe, by the best value so far.
    pub(crate) fn judge(&self, probe: Option<f64>) -> Verdict {
        match probe.zip(self.best_probe()) {
            Some((probe, best)) if probe > best * (1.0 + self.tolerance) => Verdict::Noise,
            _ => Verdict::Accepted,
        }
    }

    /// Times work that is too long to be repeated, such as making a key or hashing a file.
    pub fn lap(&mut self, work: impl FnOnce()) -> Lap {
        let mut ticks = 0;
        let bracket = self.bracket(|clock| ticks = clock.ticks_of(work));
        Lap {
            seconds: ticks as f64 / self.time.ticks_per_second(),
            cycles: bracket.ticks_per_cycle.map(|t| ticks as f64 / t),
            probe: bracket.probe,
            verdict: bracket.verdict,
        }
    }
}

/// The verdict by the readings around a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    pub(crate) ticks_per_cycle: Option<f64>,
    pub(crate) probe: Option<f64>,
    pub(crate) verdict: Verdict,
}
