//! Results: samples with the gate's verdicts, and the figures computed from them.

use crate::method::Method;
use crate::pin::Pinning;
use crate::statistics::{Ratio, Summary, median};
use std::fmt;

/// The memory that a contestant reads.
///
/// A figure means little without it, because caches and the low bits of addresses change it by large factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Footprint {
    /// Total length of the input of the calls in bytes.
    pub bytes: usize,
    /// Bytes from the start of one message to the start of the next; for one message its length.
    pub stride: usize,
}

impl Footprint {
    /// One message of `bytes` bytes.
    pub const fn contiguous(bytes: usize) -> Self {
        Footprint { bytes, stride: bytes }
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Footprint { bytes, stride } = *self;
        match bytes {
            _ if bytes >= 1 << 20 && bytes % (1 << 20) == 0 => write!(f, "{} MiB", bytes >> 20)?,
            _ if bytes >= 1 << 10 && bytes % (1 << 10) == 0 => write!(f, "{} KiB", bytes >> 10)?,
            _ => write!(f, "{bytes} B")?,
        }
        if stride == bytes { Ok(()) } else { write!(f, " / {stride}") }
    }
}

/// The gate's verdict on a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// It counts.
    Accepted,
    /// The dispatch probe next to it was too slow: another program shares the core.
    Noise,
    /// The core's clock changed by more than 2 % while it was taken.
    Drift,
    /// The thread was off the processor for more than 1 % of it.
    Preempted,
}

/// One sample: a timing, or the median of several ([`Method::Median`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sample {
    /// The turn in which it was taken, from 0; even turns go forward through the contestants, odd ones back.
    pub turn: u32,
    /// Seconds of wall time per call.
    pub seconds: f64,
    /// Core cycles per call; `None` where there is no core clock.
    pub cycles: Option<f64>,
    /// The dispatch probe next to it, in cycles per group; `None` without a probe.
    pub probe: Option<f64>,
    /// Whether it counts.
    pub verdict: Verdict,
}

/// Samples that do not count, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rejected {
    /// See [`Verdict::Noise`].
    pub noise: usize,
    /// See [`Verdict::Drift`].
    pub drift: usize,
    /// See [`Verdict::Preempted`].
    pub preempted: usize,
}

impl Rejected {
    /// All of them.
    pub fn total(&self) -> usize {
        self.noise + self.drift + self.preempted
    }
}

/// The unit of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Unit {
    /// With a core clock: cycles are cycles of the core.
    CoreCycles,
    /// Without a core clock on this architecture: only wall times.
    WallTime,
}

/// How far a result can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Quality {
    /// All requested samples passed the gate.
    Steady,
    /// Fewer than requested passed, but at least five: the figures are computed from these.
    Thin,
    /// Hardly any passed: the figures are computed from all samples, including rejected ones, and prove
    /// nothing.
    Noisy,
}

/// The measurement of one contestant. Figures are per call, over the samples that count (see [`Quality`]).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// The contestant's name.
    pub name: String,
    /// The memory it reads.
    pub footprint: Footprint,
    /// Bytes that one call works on.
    pub bytes: u64,
    /// Messages that one call works on.
    pub messages: u64,
    /// How it was sampled.
    pub method: Method,
    /// Calls in each timing.
    pub repetitions: u64,
    /// Samples that were wanted.
    pub wanted: usize,
    /// Whether there was a core clock.
    pub unit: Unit,
    /// All samples in the order in which they were taken, rejected ones too.
    pub samples: Vec<Sample>,
}

/// The least number of accepted samples for a figure.
const ENOUGH: usize = 5;

impl Outcome {
    /// Samples that passed the gate.
    pub fn accepted(&self) -> usize {
        self.samples.iter().filter(|s| s.verdict == Verdict::Accepted).count()
    }

    /// Samples that did not, by reason.
    pub fn rejected(&self) -> Rejected {
        let count = |verdict| self.samples.iter().filter(|s| s.verdict == verdict).count();
        Rejected {
            noise: count(Verdict::Noise),
            drift: count(Verdict::Drift),
            preempted: count(Verdict::Preempted),
        }
    }

    /// How far the figures can be trusted.
    pub fn quality(&self) -> Quality {
        match self.accepted() {
            n if n > 0 && n >= self.wanted => Quality::Steady,
            n if n >= ENOUGH => Quality::Thin,
            _ => Quality::Noisy,
        }
    }

    /// Returns the samples that the figures are made of.
    fn counting(&self) -> impl Iterator<Item = &Sample> {
        let all = self.quality() == Quality::Noisy;
        self.samples.iter().filter(move |s| all || s.verdict == Verdict::Accepted)
    }

    /// `cycles` of the counting samples; `None` without a core clock.
    fn counting_cycles(&self) -> Option<Vec<f64>> {
        self.counting().map(|s| s.cycles).collect()
    }

    fn counting_seconds(&self) -> Vec<f64> {
        self.counting().map(|s| s.seconds).collect()
    }

    /// Core cycles of a call. `None` without a core clock or samples.
    pub fn cycles(&self) -> Option<Summary> {
        Summary::of(&self.counting_cycles()?)
    }

    /// Core cycles per byte. `None` as [`Outcome::cycles`], or if a call works on no bytes.
    pub fn cycles_per_byte(&self) -> Option<Summary> {
        self.cycles().and_then(|s| s.per(self.bytes))
    }

    /// Core cycles per message. `None` as [`Outcome::cycles`], or if a call works on no messages.
    pub fn cycles_per_message(&self) -> Option<Summary> {
        self.cycles().and_then(|s| s.per(self.messages))
    }

    /// Nanoseconds of a call. `None` without samples.
    pub fn nanoseconds(&self) -> Option<Summary> {
        let ns: Vec<f64> = self.counting_seconds().iter().map(|s| s * 1e9).collect();
        Summary::of(&ns)
    }

    /// 10^9 bytes per second, by the method's figure of the wall time. `None` without samples or bytes.
    pub fn gigabytes_per_second(&self) -> Option<f64> {
        let seconds = self.method.figure(&self.counting_seconds())?;
        (self.bytes > 0 && seconds > 0.0).then(|| self.bytes as f64 / seconds / 1e9)
    }

    /// Messages per second, by the method's figure of the wall time. `None` without samples.
    pub fn messages_per_second(&self) -> Option<f64> {
        let seconds = self.method.figure(&self.counting_seconds())?;
        (seconds > 0.0).then(|| self.messages as f64 / seconds)
    }

    /// Returns the method's one figure: core cycles per call. `None` as [`Outcome::cycles`].
    pub fn figure_cycles(&self) -> Option<f64> {
        self.method.figure(&self.counting_cycles()?)
    }

    /// Returns the method's one figure: core cycles per byte. `None` as [`Outcome::cycles_per_byte`].
    pub fn figure_cycles_per_byte(&self) -> Option<f64> {
        self.figure_cycles().filter(|_| self.bytes > 0).map(|c| c / self.bytes as f64)
    }

    /// Returns the method's one figure: nanoseconds per call. `None` without samples.
    pub fn figure_nanoseconds(&self) -> Option<f64> {
        Some(self.method.figure(&self.counting_seconds())? * 1e9)
    }

    /// The core's frequency in GHz while it was measured (median). `None` without a core clock or samples.
    pub fn core_ghz(&self) -> Option<f64> {
        let ghz = self.counting().map(|s| Some(s.cycles? / s.seconds / 1e9).filter(|x| x.is_finite()));
        median(&ghz.flatten().collect::<Vec<_>>())
    }

    /// Returns the ratio of this contestant's time to that of `other`, turn by turn; in core cycles if both
    /// have them.
    ///
    /// Only turns in which both samples count are paired; if there are fewer than five of them (and more
    /// turns), all turns are. `None` if no turn holds both.
    ///
    /// Both outcomes must be from one race, because turns of different races are not close in time.
    pub fn ratio(&self, other: &Outcome) -> Option<Ratio> {
        let pairs = |all: bool| -> Vec<(f64, f64)> {
            let (mine, theirs) = (self.turn_values(all), other.turn_values(all));
            let at = |turn| theirs.binary_search_by_key(&turn, |&(t, _)| t).ok().map(|k| theirs[k].1);
            mine.iter().filter_map(|&(turn, a)| Some((a, at(turn)?))).collect()
        };
        let counting = pairs(false);
        Ratio::of_pairs(&if counting.len() >= ENOUGH { counting } else { pairs(true) })
    }

    /// One value for each turn, in order: the median of its counting (or of all) samples.
    fn turn_values(&self, all: bool) -> Vec<(u32, f64)> {
        let counts = |s: &&Sample| all || s.verdict == Verdict::Accepted;
        let turns = self.samples.chunk_by(|a, b| a.turn == b.turn);
        turns
            .filter_map(|turn| {
                let values: Vec<f64> =
                    turn.iter().filter(counts).map(|s| s.cycles.unwrap_or(s.seconds)).collect();
                Some((turn[0].turn, median(&values)?))
            })
            .collect()
    }
}

impl Summary {
    /// Every value divided by `n`; `None` for 0.
    fn per(&self, n: u64) -> Option<Self> {
        let d = n as f64;
        (n > 0).then(|| Summary {
            count: self.count,
            minimum: self.minimum / d,
            first_quartile: self.first_quartile / d,
            median: self.median / d,
            third_quartile: self.third_quartile / d,
            maximum: self.maximum / d,
        })
    }
}

/// Writes one line: name, footprint, figure, spread, speed, and the gate's verdicts.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}] {}:", self.name, self.footprint, self.method.name())?;
        let bytes = self.bytes > 0;
        let (summary, figure, unit) = match self.unit {
            Unit::CoreCycles if bytes => {
                (self.cycles_per_byte(), self.figure_cycles_per_byte(), "cycles/byte")
            }
            Unit::CoreCycles => (self.cycles(), self.figure_cycles(), "cycles"),
            Unit::WallTime => {
                (self.nanoseconds(), self.figure_nanoseconds(), "ns (wall time, no core clock)")
            }
        };
        let Some((s, figure)) = summary.zip(figure) else { return write!(f, " no samples") };
        write!(f, " {figure:.4} {unit} (min {:.4}, quartiles {:.4}", s.minimum, s.first_quartile)?;
        write!(f, " {:.4} {:.4})", s.median, s.third_quartile)?;
        if let Some(ns) = self.figure_nanoseconds() {
            write!(f, ", {ns:.1} ns")?;
        }
        if let Some(speed) = self.gigabytes_per_second() {
            write!(f, ", {speed:.3} GB/s")?;
        }
        if let Some(ghz) = self.core_ghz() {
            write!(f, ", {ghz:.3} GHz")?;
        }
        let Rejected { noise, drift, preempted } = self.rejected();
        write!(f, "; {} accepted, rejected: {noise} noise, {drift} drift, {preempted} preempted", {
            self.accepted()
        })?;
        match self.quality() {
            Quality::Steady => Ok(()),
            Quality::Thin => write!(f, "; FEWER SAMPLES THAN WANTED"),
            Quality::Noisy => write!(f, "; TOO NOISY: all samples used"),
        }
    }
}

/// The result of a race.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// One outcome per contestant, in the order of entry.
    pub outcomes: Vec<Outcome>,
    /// Whether the thread stayed on one CPU.
    pub pinning: Pinning,
    /// The best dispatch probe that others confirm, in cycles per group; `None` where there is no probe.
    pub best_probe: Option<f64>,
    /// The share by which a probe could be slower.
    pub tolerance: f64,
    /// Whether the watcher stopped the race before its end.
    pub stopped: bool,
}

impl Report {
    /// Returns the outcome of that name (the first, if there are several).
    pub fn outcome(&self, name: &str) -> Option<&Outcome> {
        self.outcomes.iter().find(|o| o.name == name)
    }

    /// Returns the time of `a` over that of `b`: [`Outcome::ratio`]. `None` if either is unknown or has no
    /// samples.
    pub fn ratio(&self, a: &str, b: &str) -> Option<Ratio> {
        self.outcome(a)?.ratio(self.outcome(b)?)
    }
}
