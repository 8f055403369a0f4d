//! The results of a contest, in one process or several, and the figures and ratios made of them.

use crate::contest::{Absence, Holding};
use hashlanes_clock::{Outcome, Quality, Ratio, Verdict, median, median_interval};

/// The results of all processes for a contest.
#[derive(Clone, Debug)]
pub(crate) struct Standings {
    /// One for each process.
    pub(crate) holdings: Vec<Holding>,
}

impl Standings {
    /// The key of the contest.
    pub(crate) fn id(&self) -> &str {
        self.holdings.first().map_or("", |h| &h.id)
    }

    /// The names of those timed in every process, in the order in which they entered.
    pub(crate) fn timed(&self) -> Vec<&str> {
        let Some(first) = self.holdings.first() else { return Vec::new() };
        let names = first.report.outcomes.iter().map(|o| o.name.as_str());
        names.filter(|name| self.outcome(name).is_some()).collect()
    }

    /// The outcome of that name, from the process with the worst figure.
    pub(crate) fn outcome(&self, name: &str) -> Option<&Outcome> {
        let outcomes = self.holdings.iter().filter_map(|h| h.report.outcome(name));
        outcomes.filter(|o| figure(o).is_some()).max_by(|a, b| figure(a).total_cmp_some(figure(b)))
    }

    /// The figure of that name in core cycles per call (nanoseconds without a core clock), of the worst
    /// process.
    pub(crate) fn figure(&self, name: &str) -> Option<f64> {
        figure(self.outcome(name)?)
    }

    /// The ratio of `a` to `b`, from the process that is worst for `a`.
    pub(crate) fn ratio(&self, a: &str, b: &str) -> Option<Ratio> {
        let ratios = self.holdings.iter().filter_map(|h| ratio(h.report.outcome(a)?, h.report.outcome(b)?));
        ratios.max_by(|x, y| x.median.total_cmp(&y.median))
    }

    /// Returns whether a figure of that name can be trusted: enough samples passed the gate in every process.
    pub(crate) fn is_trusted(&self, name: &str) -> bool {
        let mut outcomes = self.holdings.iter().filter_map(|h| h.report.outcome(name));
        outcomes.all(|o| o.quality() != Quality::Noisy)
    }

    /// Removes the outcomes that cannot be trusted, from every process.
    pub(crate) fn leave_noise_out(&mut self) {
        let timed = self.holdings.iter().flat_map(|h| &h.report.outcomes).map(|o| o.name.clone());
        let noisy: Vec<String> = timed.filter(|name| !self.is_trusted(name)).collect();
        for holding in &mut self.holdings {
            let stays: Vec<bool> = holding.report.outcomes.iter().map(|o| !noisy.contains(&o.name)).collect();
            retain(&mut holding.report.outcomes, &stays);
            retain(&mut holding.works, &stays);
            retain(&mut holding.versions, &stays);
        }
    }

    /// The fastest timed contestant that `wanted` accepts.
    pub(crate) fn best(&self, wanted: impl Fn(&str) -> bool) -> Option<&str> {
        let timed = self.timed().into_iter().filter(|name| wanted(name));
        timed.min_by(|a, b| self.figure(a).total_cmp_some(self.figure(b)))
    }

    /// The reason why a contestant was not timed (in the first such process).
    pub(crate) fn absence(&self, name: &str) -> Option<&Absence> {
        let mut absent = self.holdings.iter().flat_map(|h| &h.absent);
        absent.find(|(n, _)| n == name).map(|(_, absence)| absence)
    }

    /// All contestants that were not timed, with the reasons.
    pub(crate) fn absent(&self) -> impl Iterator<Item = &(String, Absence)> {
        self.holdings.first().into_iter().flat_map(|h| &h.absent)
    }
}

/// Keeps the elements that stay.
fn retain<T>(all: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    all.retain(|_| *stays.next().expect("one for each"));
}

/// A contestant's one figure.
fn figure(outcome: &Outcome) -> Option<f64> {
    outcome.figure_cycles().or_else(|| outcome.figure_nanoseconds())
}

/// The least number of turns for a ratio.
const PAIRS: usize = 5;

/// `a` over `b`, turn by turn. On a busy machine hardly a turn may have accepted samples of both, although
/// each has enough samples. The ratio is then that of the medians, and `pairs` is 0.
fn ratio(a: &Outcome, b: &Outcome) -> Option<Ratio> {
    let accepted = |o: &Outcome| -> Vec<(u32, f64)> {
        let samples = o.samples.iter().filter(|s| s.verdict == Verdict::Accepted);
        samples.map(|s| (s.turn, s.cycles.unwrap_or(s.seconds))).collect()
    };
    let (of_a, of_b) = (accepted(a), accepted(b));
    let mut turns: Vec<u32> =
        of_a.iter().map(|s| s.0).filter(|turn| of_b.iter().any(|s| s.0 == *turn)).collect();
    turns.dedup();
    let few = of_a.len() < PAIRS || of_b.len() < PAIRS;
    if turns.len() >= PAIRS || few {
        return a.ratio(b);
    }
    let values = |samples: &[(u32, f64)]| samples.iter().map(|s| s.1).collect::<Vec<_>>();
    let (of_a, of_b) = (values(&of_a), values(&of_b));
    let ((low_a, high_a, coverage_a), (low_b, high_b, coverage_b)) =
        (median_interval(&of_a)?, median_interval(&of_b)?);
    Some(Ratio {
        median: median(&of_a)? / median(&of_b)?,
        low: low_a / high_b,
        high: high_a / low_b,
        coverage: coverage_a * coverage_b,
        pairs: 0,
    })
}

/// Orders figures; missing ones come first.
trait TotalOrder {
    fn total_cmp_some(self, other: Self) -> std::cmp::Ordering;
}

impl TotalOrder for Option<f64> {
    fn total_cmp_some(self, other: Self) -> std::cmp::Ordering {
        self.unwrap_or(f64::NEG_INFINITY).total_cmp(&other.unwrap_or(f64::NEG_INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashlanes_clock::{Footprint, Method, Pinning, Report, Sample, Unit};

    /// An outcome with one sample for each turn; `None` stands for a rejected sample.
    fn outcome(name: &str, cycles: &[Option<f64>]) -> Outcome {
        let sample = |(turn, cycles): (usize, &Option<f64>)| Sample {
            turn: turn as u32,
            seconds: 1.0,
            cycles: Some(cycles.unwrap_or(1e6)),
            probe: None,
            verdict: cycles.map_or(Verdict::Preempted, |_| Verdict::Accepted),
        };
        Outcome {
            name: name.into(),
            footprint: Footprint::contiguous(1),
            bytes: 1,
            messages: 1,
            method: Method::Median,
            repetitions: 1,
            wanted: 5,
            unit: Unit::CoreCycles,
            samples: cycles.iter().enumerate().map(sample).collect(),
        }
    }

    #[test]
    fn noise_leaves_every_process() {
        let steady = outcome("steady", &[Some(1.0); 5]);
        let noisy = outcome("unsure", &[None; 5]);
        let unsure = outcome("unsure", &[Some(1.0); 5]);
        let work = "sha256:64".parse::<crate::work::Work>().unwrap();
        let holding = |outcomes: Vec<Outcome>| Holding {
            id: "contest".into(),
            works: vec![work; outcomes.len()],
            versions: outcomes.iter().map(|o| o.name.clone()).collect(),
            report: Report {
                outcomes,
                pinning: Pinning::No,
                best_probe: None,
                tolerance: 0.1,
                stopped: false,
            },
            absent: Vec::new(),
        };
        let holdings = vec![holding(vec![unsure, steady.clone()]), holding(vec![noisy, steady])];
        let mut standings = Standings { holdings };
        standings.leave_noise_out();
        for Holding { report, works, versions, .. } in &standings.holdings {
            assert_eq!(
                (report.outcomes.len(), works.len(), versions.as_slice()),
                (1, 1, &["steady".into()][..])
            );
        }
        assert_eq!(standings.timed(), ["steady"]);
    }

    #[test]
    fn a_ratio_is_made_of_accepted_samples() {
        let paired = [Some(2.0), Some(4.0), Some(6.0), Some(8.0), Some(10.0)];
        let halves = paired.map(|c| c.map(|c| c / 2.0));
        let r = ratio(&outcome("a", &paired), &outcome("b", &halves)).unwrap();
        assert_eq!((r.median, r.low, r.high, r.pairs), (2.0, 2.0, 2.0, 5));

        // Accepted in different turns.
        let early: Vec<_> = (0..12).map(|i| (i < 6).then_some(3.0)).collect();
        let late: Vec<_> = (0..12).map(|i| (i >= 6).then_some(2.0)).collect();
        let r = ratio(&outcome("a", &early), &outcome("b", &late)).unwrap();
        assert_eq!((r.median, r.low, r.high, r.pairs), (1.5, 1.5, 1.5, 0));
    }
}
