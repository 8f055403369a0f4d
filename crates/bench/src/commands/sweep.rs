//! `sweep`: number of messages × length, one contestant or many; table and SVG.

use crate::contest::Contest;
use crate::session::Session;
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable, number_or_dash, size_text};
use std::path::{Path, PathBuf};

/// The swept function.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// Contestants.
    pub(crate) contestants: Vec<String>,
    /// The hash.
    pub(crate) hash: Hash,
    /// Numbers of messages.
    pub(crate) counts: Vec<usize>,
    /// Lengths in bytes.
    pub(crate) lens: Vec<usize>,
    /// The file of the picture.
    pub(crate) svg: Option<PathBuf>,
}

/// Measures every combination and shows cycles per byte.
pub(crate) fn run(session: &mut Session, sweep: &Sweep) -> Result<(), String> {
    let places = sweep.counts.iter().flat_map(|count| sweep.lens.iter().map(move |len| (*count, *len)));
    let contests: Vec<Contest> =
        places.map(|(count, len)| Contest::of(work(sweep.hash, count, len), &sweep.contestants)).collect();
    let standings = session.measure(&contests)?;
    if session.is_silent() {
        return Ok(());
    }
    outln!("{}\n{}, cycles per byte", session.environment(), sweep.hash.name());
    let cpb = |name: &str, count, len| {
        let id = work(sweep.hash, count, len).to_string();
        standings.iter().find(|s| s.id() == id)?.outcome(name)?.figure_cycles_per_byte()
    };
    for name in &sweep.contestants {
        outln!("\n{name}");
        let lens = sweep.lens.iter().map(|len| size_text(*len));
        let mut table = TextTable::new(std::iter::once("messages".to_owned()).chain(lens));
        for count in &sweep.counts {
            let cells = sweep.lens.iter().map(|len| number_or_dash(cpb(name, *count, *len)));
            table.row(std::iter::once(count.to_string()).chain(cells));
        }
        out!("{table}");
        for cliff in cliffs(sweep, &|count, len| cpb(name, count, len)) {
            outln!("{cliff}");
        }
    }
    tell_absent(&standings);
    match &sweep.svg {
        Some(file) => draw(session, sweep, file, &cpb),
        None => Ok(()),
    }
}

/// The tolerance, as a share: one more message that costs more than a single message plus this share is
/// reported. It covers the error of two measurements.
const CLIFF: f64 = 0.05;
/// From this length on, the throughput of n messages is expected to be this share of the best of any smaller
/// number.
const STEADY: (usize, f64) = (1024, 0.85);

/// Finds two anomalies: one more message costs more than a single message, T(n + 1) > T(n) + T(1); and long
/// messages take longer each because there are more of them.
fn cliffs(sweep: &Sweep, cpb: &dyn Fn(usize, usize) -> Option<f64>) -> Vec<String> {
    let mut told = Vec::new();
    for &len in &sweep.lens {
        let time = |count: usize| Some(cpb(count, len)? * (count * len) as f64);
        let mut best = f64::MAX;
        for &count in &sweep.counts {
            let Some(each) = cpb(count, len) else { continue };
            if let (Some(all), Some(fewer), Some(one)) =
                (time(count), count.checked_sub(1).and_then(time), time(1))
                && all > (fewer + one) * (1.0 + CLIFF)
            {
                let share = 100.0 * (all / (fewer + one) - 1.0);
                told.push(format!(
                    "cliff: {count} of {} B take {share:.0} % longer than {} and 1",
                    size_text(len),
                    count - 1
                ));
            }
            if len >= STEADY.0 && best < each * STEADY.1 {
                let share = 100.0 * best / each;
                told.push(format!(
                    "cliff: {count} of {} B reach {share:.0} % of the best throughput of fewer",
                    size_text(len)
                ));
            }
            best = best.min(each);
        }
    }
    told
}

pub(crate) fn work(hash: Hash, count: usize, len: usize) -> Work {
    Work::new(hash, if count == 1 { Shape::One { len } } else { Shape::many(count, len) })
}

/// Each contestant that was left out somewhere, with each reason once.
pub(crate) fn tell_absent(standings: &[Standings]) {
    let mut told = Vec::new();
    for (name, absence) in standings.iter().flat_map(Standings::absent) {
        let line = format!("{name}: {}", absence.text());
        if !told.contains(&line) {
            outln!("{line}");
            told.push(line);
        }
    }
}

/// Over the longer of the two axes; a line for each contestant and each value of the other axis.
fn draw(
    session: &Session,
    sweep: &Sweep,
    file: &Path,
    cpb: &dyn Fn(&str, usize, usize) -> Option<f64>,
) -> Result<(), String> {
    let over_len = sweep.lens.len() > sweep.counts.len();
    let (along, lines_of) =
        if over_len { (&sweep.lens, &sweep.counts) } else { (&sweep.counts, &sweep.lens) };
    let mut lines = Vec::new();
    for name in &sweep.contestants {
        for fixed in lines_of {
            let at = |x: usize| if over_len { cpb(name, *fixed, x) } else { cpb(name, x, *fixed) };
            let points = along.iter().filter_map(|x| Some((*x as f64, at(*x)?))).collect();
            let which = match (lines_of.len() > 1, over_len) {
                (false, _) => String::new(),
                (true, true) => format!(", {fixed} messages"),
                (true, false) => format!(", {} B", size_text(*fixed)),
            };
            lines.push(Line::measured(format!("{name}{which}"), points));
        }
    }
    let x_label = if over_len { "bytes a message" } else { "messages" };
    let title = format!("{}: cycles per byte", sweep.hash.name());
    let chart = Chart::new(title, session.note()).lines(x_label, "cycles per byte", lines);
    session.write_svg(file, &chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cliffs_are_reported() {
        let sweep = Sweep {
            contestants: vec![],
            hash: Hash::Sha256,
            counts: vec![1, 2, 3, 8],
            lens: vec![64, 1024],
            svg: None,
        };
        assert!(cliffs(&sweep, &|_, _| Some(2.0)).is_empty());
        // Two take as long as three apart: 3.0 a byte each.
        let two = |count, len| Some(if count == 2 && len == 64 { 3.0 } else { 2.0 });
        assert_eq!(cliffs(&sweep, &two), ["cliff: 2 of 64 B take 50 % longer than 1 and 1"]);
        let eight = |count, len| match (count, len) {
            (7, _) => None,
            (8, 1024) => Some(2.5),
            _ => Some(2.0),
        };
        assert_eq!(cliffs(&sweep, &eight), ["cliff: 8 of 1K B reach 80 % of the best throughput of fewer"]);
        assert!(cliffs(&sweep, &|_, _| None).is_empty());
    }
}
