//! A row of targets as measured: figures, ratio, verdict.

use super::table::{Target, Unit};
use crate::standings::Standings;
use hashlanes_chart::{number, number_or_dash};
use hashlanes_clock::Outcome;
use serde::{Deserialize, Serialize};

/// A row as measured.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Row {
    unit: String,
    limit: Option<f64>,
    must: f64,
    /// Our contestant that was measured.
    contestant: String,
    ours: Option<f64>,
    /// The fastest other one.
    pub(super) rival: Option<Rival>,
    /// The ratio of our time to the rival's, turn by turn, and its interval.
    pub(super) ratio: Option<[f64; 3]>,
    wanted: Option<f64>,
    verdict: String,
}

/// The verdict on a row with too few accepted samples; it does not replace a better one in a summary.
const TOO_NOISY: &str = "too noisy to say";

/// A rival's figure.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Rival {
    pub(super) name: String,
    figure: Option<f64>,
}

impl Row {
    /// Creates the row from the results.
    pub(super) fn new(target: &Target, standing: &Standings, zen4: bool) -> Self {
        let rival = standing.best(|name| name != target.ours);
        let figure = |name| in_unit(target.unit, standing.outcome(name)?);
        let ratio = rival.and_then(|rival| standing.ratio(target.ours, rival));
        let ours = figure(target.ours);
        let is_trusted = |name| standing.is_trusted(name);
        let rivals_figure = rival.and_then(figure);
        let mut verdict = match ours {
            None => standing.absence(target.ours).map_or("interrupted", |a| a.short()).into(),
            Some(_) if !is_trusted(target.ours) || !rival.is_none_or(is_trusted) => TOO_NOISY.into(),
            Some(ours) if zen4 => verdict_by_must(target, ours),
            Some(_) => verdict_by_ratio(target, ratio.map(|r| r.median)),
        };
        if zen4 && rival_is_slow(target, rivals_figure) {
            verdict += "; the rival is slower than it can be: look into it first";
        }
        let unit = match target.unit {
            Unit::CyclesPerByte => "c/B",
            Unit::CyclesPerMessage => "c/msg",
            Unit::MillionsPerSecond => "M/s",
            Unit::Milliseconds => "ms",
            Unit::MillionCycles => "10^6 c",
        };
        Row {
            unit: unit.into(),
            limit: target.limit,
            must: target.must,
            contestant: target.ours.into(),
            ours,
            rival: rival.map(|name| Rival { name: name.into(), figure: rivals_figure }),
            ratio: ratio.map(|r| [r.median, r.low, r.high]),
            wanted: wanted_ratio(target),
            verdict,
        }
    }

    /// Returns whether its figures are reliable enough to keep.
    pub(super) fn is_trusted(&self) -> bool {
        self.ours.is_some() && self.verdict != TOO_NOISY
    }

    /// For a table.
    pub(super) fn cells(&self, id: &str) -> [String; 11] {
        let three = |value: f64| format!("{value:.3}");
        [
            id.into(),
            self.unit.clone(),
            number_or_dash(self.limit),
            number(self.must),
            number_or_dash(self.rival.as_ref().and_then(|rival| rival.figure)),
            self.rival.as_ref().map_or_else(String::new, |rival| rival.name.clone()),
            number_or_dash(self.ours),
            self.ratio.map_or_else(|| "–".into(), |[median, _, _]| three(median)),
            self.ratio.map_or_else(String::new, |[_, low, high]| format!("{low:.3}–{high:.3}")),
            self.wanted.map_or_else(|| "–".into(), three),
            self.verdict.clone(),
        ]
    }
}

/// A figure in the row's unit.
fn in_unit(unit: Unit, outcome: &Outcome) -> Option<f64> {
    match unit {
        Unit::CyclesPerByte => outcome.figure_cycles_per_byte(),
        Unit::CyclesPerMessage => Some(outcome.figure_cycles()? / outcome.messages as f64),
        Unit::MillionsPerSecond => outcome.messages_per_second().map(|n| n / 1e6),
        Unit::Milliseconds => outcome.figure_nanoseconds().map(|ns| ns / 1e6),
        Unit::MillionCycles => outcome.figure_cycles().map(|cycles| cycles / 1e6),
    }
}

/// The ratio of our time to the rival's that the target requires.
fn wanted_ratio(target: &Target) -> Option<f64> {
    if target.fraction.is_some() {
        return target.fraction;
    }
    let rival = target.rival?;
    Some(match target.unit {
        Unit::MillionsPerSecond => rival / target.must,
        _ => target.must / rival,
    })
}

fn verdict_by_must(target: &Target, ours: f64) -> String {
    let over = match target.unit {
        Unit::MillionsPerSecond => target.must / ours,
        _ => ours / target.must,
    };
    short_by(over)
}

fn verdict_by_ratio(target: &Target, ratio: Option<f64>) -> String {
    match (wanted_ratio(target), ratio) {
        (Some(wanted), Some(ratio)) => short_by(ratio / wanted),
        (None, Some(ratio)) if ratio > 1.0 => "SLOWER THAN A RIVAL".into(),
        _ => "–".into(),
    }
}

/// Returns whether the best rival is more than 10 % slower than recorded in the table for this CPU.
fn rival_is_slow(target: &Target, figure: Option<f64>) -> bool {
    let (Some(known), Some(figure)) = (target.rival, figure) else { return false };
    match target.unit {
        Unit::MillionsPerSecond => figure * 1.1 < known,
        _ => figure > known * 1.1,
    }
}

/// Returns `ok` up to the wanted value, otherwise the excess.
fn short_by(over: f64) -> String {
    if over <= 1.0 { "ok".into() } else { format!("short by {:.1} %", 100.0 * (over - 1.0)) }
}

#[cfg(test)]
mod tests {
    use super::super::{id, table::TARGETS};
    use super::*;

    fn target(words: &str) -> &'static Target {
        TARGETS.iter().find(|t| id(t).contains(words)).unwrap()
    }

    #[test]
    fn verdicts_are_by_must_or_by_ratio() {
        // Must 0.64 alongside a rival of 1.04: a ratio of 0.615.
        let bulk = target("1024 of 8 KiB, 8256");
        assert_eq!(verdict_by_must(bulk, 0.64), "ok");
        assert_eq!(verdict_by_must(bulk, 0.704), "short by 10.0 %");
        assert_eq!(verdict_by_ratio(bulk, Some(0.61)), "ok");
        assert_eq!(verdict_by_ratio(bulk, Some(0.64 / 1.04 * 1.2)), "short by 20.0 %");
        assert!(rival_is_slow(bulk, Some(1.2)) && !rival_is_slow(bulk, Some(1.1)));
        // More is better: 17 and 50 M/s.
        let rows = target("rows: 10^6");
        assert_eq!(verdict_by_must(rows, 50.0), "ok");
        assert_eq!(verdict_by_must(rows, 40.0), "short by 25.0 %");
        assert_eq!(verdict_by_ratio(rows, Some(0.34)), "ok");
        assert!(rival_is_slow(rows, Some(15.0)) && !rival_is_slow(rows, Some(16.0)));
        // No rival is known.
        assert_eq!(verdict_by_ratio(target("5 of 1 KiB"), Some(0.9)), "–");
        assert_eq!(verdict_by_ratio(target("5 of 1 KiB"), Some(1.1)), "SLOWER THAN A RIVAL");
    }
}
