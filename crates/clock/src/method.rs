//! The ways to take timings and to compute one figure from them.

use crate::statistics::{median, midmean};

/// How a contestant is sampled, and how its figure is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Method {
    /// Ours: samples of a few milliseconds, each the median of eight timings of as many calls as fit (fewer
    /// timings where one call is longer than that); the median of the samples that pass the gate.
    ///
    /// Why eight: the system's timer interrupts a virtual machine for some 25 µs every 4 ms. Timings of 3 ms
    /// in one piece came out 0.7 % too long because of it and spread over 2 %; in eight pieces, few of which
    /// are interrupted, 0.1 % (Granite Rapids, Linux 6.18, KVM).
    #[default]
    Median,
    /// Gueron, Krasnov 2012, §6 "Results": each function is run 25,000 times to warm up, then
    /// 100,000 times clocked as one and averaged; five times; the minimum.
    ///
    /// Departures: 1. core cycles instead of the time-stamp counter's, whose rate differs from the core's
    /// today; 2. contestants alternate from experiment to experiment; 3. an experiment that the gate rejects
    /// is repeated, and the first five accepted count.
    Gueron,
    /// Guilford, Yap, Gopal 2012, "Performance": many timings of the same buffer, sorted; the
    /// top and bottom eighth dropped, then the largest and smallest quarter, the remaining quarter averaged.
    ///
    /// Departures: 1. core cycles, as above; 2. "many" are 1024, in 32 turns of 32; 3. calls shorter than
    /// 10 µs are timed several at once, because reading the clock takes as long as a short call.
    Quartile,
    /// Every call is a sample, without earlier calls; the figure is the median. For work that lasts longer
    /// than a usual sample (generating a key): the eight to fifty calls of [`Method::Median`] that determine
    /// the length would take minutes.
    Once,
}

/// The action of a method in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Calls before the timed ones.
    pub(crate) warm_up: u64,
    /// Timings in a turn.
    pub(crate) timings: u32,
    /// Calls in one timing.
    pub(crate) repetitions: u64,
    /// The treatment of the timings.
    pub(crate) kept: Kept,
}

/// The treatment of a turn's timings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Each timing is a sample.
    All,
    /// Their median (of an even number the smaller of the two in the middle) is the sample.
    Median,
}

impl Plan {
    /// Samples that a turn gives.
    pub(crate) fn samples(&self) -> usize {
        match self.kept {
            Kept::All => self.timings as usize,
            Kept::Median => 1,
        }
    }
}

impl Method {
    /// Timings in a sample of [`Method::Median`].
    pub const MEDIAN_TIMINGS: u32 = 8;
    /// Warm-up calls of [`Method::Gueron`].
    pub const GUERON_WARM_UP: u64 = 25_000;
    /// Timed calls of [`Method::Gueron`].
    pub const GUERON_RUNS: u64 = 100_000;
    /// Experiments of [`Method::Gueron`].
    pub const GUERON_EXPERIMENTS: u32 = 5;
    /// Turns of [`Method::Quartile`].
    pub const QUARTILE_TURNS: u32 = 32;
    /// Timings in each turn of [`Method::Quartile`].
    pub const QUARTILE_TIMINGS: u32 = 32;
    /// Least duration of a timing of [`Method::Quartile`] in seconds.
    pub const QUARTILE_SECONDS: f64 = 10e-6;

    /// Returns the method's name on command lines and in records.
    pub fn name(self) -> &'static str {
        match self {
            Method::Median => "median",
            Method::Gueron => "gueron",
            Method::Quartile => "quartile",
            Method::Once => "once",
        }
    }

    /// Returns the method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Method::Median, Method::Gueron, Method::Quartile, Method::Once]
            .into_iter()
            .find(|m| m.name() == name)
    }

    /// Number of turns that have to pass the gate; only [`Method::Median`] and [`Method::Once`] use the
    /// caller's `samples`.
    pub(crate) fn turns(self, samples: u32) -> u32 {
        match self {
            Method::Median | Method::Once => samples.max(1),
            Method::Gueron => Self::GUERON_EXPERIMENTS,
            Method::Quartile => Self::QUARTILE_TURNS,
        }
    }

    /// Seconds that one timing should last; `None` if the method counts calls instead.
    pub(crate) fn timing_seconds(self, sample_seconds: f64) -> Option<f64> {
        match self {
            Method::Median => Some(sample_seconds / f64::from(Self::MEDIAN_TIMINGS)),
            Method::Gueron | Method::Once => None,
            Method::Quartile => Some(Self::QUARTILE_SECONDS),
        }
    }

    /// Returns the plan of a turn, if `calls` calls last as long as [`Method::timing_seconds`].
    pub(crate) fn plan(self, calls: f64, most_repetitions: u64) -> Plan {
        let repetitions = (calls.round() as u64).clamp(1, most_repetitions);
        match self {
            Method::Median => {
                let all = f64::from(Self::MEDIAN_TIMINGS);
                let timings = (all * calls / repetitions as f64).round().clamp(1.0, all) as u32;
                Plan { warm_up: repetitions.div_ceil(2), timings, repetitions, kept: Kept::Median }
            }
            Method::Gueron => Plan {
                warm_up: Self::GUERON_WARM_UP,
                timings: 1,
                repetitions: Self::GUERON_RUNS,
                kept: Kept::All,
            },
            Method::Quartile => Plan {
                warm_up: 4 * repetitions,
                timings: Self::QUARTILE_TIMINGS,
                repetitions,
                kept: Kept::All,
            },
            Method::Once => Plan { warm_up: 0, timings: 1, repetitions: 1, kept: Kept::All },
        }
    }

    /// Returns the figure of timings that count, in the order in which they were taken. `None` if there are
    /// none.
    pub fn figure(self, timings: &[f64]) -> Option<f64> {
        match self {
            Method::Median | Method::Once => median(timings),
            Method::Gueron => {
                let experiments = timings.iter().copied().take(Self::GUERON_EXPERIMENTS as usize);
                experiments.min_by(f64::total_cmp)
            }
            Method::Quartile => midmean(timings),
        }
    }
}
