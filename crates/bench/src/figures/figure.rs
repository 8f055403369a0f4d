//! The parts of figures: workloads, results, curves over lengths.

use std::fmt::Display;

use crate::contest::Contest;
use crate::contestants::{self, OURS, rows, tables};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes::kernels::Row;
use hashlanes_chart::{Chart, Line, TextTable, Whose, number_or_dash, size_text};

/// A figure.
pub(super) struct Figure {
    /// The paper's authors and year, and the subject of the figure.
    pub(super) name: &'static str,
    /// Its title.
    pub(super) title: &'static str,
    /// What the paper found, as the end of a sentence.
    pub(super) paper: &'static str,
    /// Names in the panels, each with another that the paper's finding compares it with.
    pub(super) pairs: &'static [(&'static str, &'static str)],
    /// Its measurements.
    pub(super) contests: fn() -> Vec<Contest>,
    /// The table, and the chart with its panels added.
    pub(super) show: fn(&[Standings], Chart) -> (TextTable, Chart),
}

impl Figure {
    /// The name of a contest of this figure: the figure's name, then `work`.
    pub(super) fn id(&self, work: impl Display) -> String {
        format!("{} {work}", self.name)
    }
}

/// Lengths in bytes that figures over the length measure.
pub(super) const LENS: [usize; 9] = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

/// The rows of SHA-256's table that `wanted` accepts.
pub(super) fn kernels(wanted: impl Fn(&Row) -> bool) -> Vec<Row> {
    let table = tables().find(|(hash, _)| *hash == Hash::Sha256);
    table.map_or_else(Vec::new, |(_, table)| rows(table).filter(|row| wanted(row)).collect())
}

/// A kernel as a contestant.
pub(super) fn contestant(row: &Row) -> String {
    format!("{OURS}:{}", row.name)
}

/// SHA-256 of `count` messages.
pub(super) fn sha256(count: usize, len: usize) -> Work {
    Work::new(Hash::Sha256, if count == 1 { Shape::One { len } } else { Shape::many(count, len) })
}

/// A contest's result.
pub(super) fn find<'a>(standings: &'a [Standings], id: &str) -> Option<&'a Standings> {
    standings.iter().find(|s| s.id() == id)
}

/// A contestant's cycles per byte in a contest.
pub(super) fn cpb(standings: &[Standings], id: &str, name: &str) -> Option<f64> {
    find(standings, id)?.outcome(name)?.figure_cycles_per_byte()
}

/// A curve over lengths: its name, and its value at a length.
pub(super) type Curve<'a> = (String, Box<dyn Fn(usize) -> Option<f64> + 'a>);

/// OpenSSL, which these figures show with its SHA-NI code and without it.
pub(super) const OPENSSL: &str = "libcrypto:context";

/// Returns the name of OpenSSL without its SHA-NI code, and others' as they are.
pub(super) fn masked(name: &str) -> String {
    if name == OPENSSL { format!("{name}, SHA-NI masked") } else { name.into() }
}

/// Curves over [`LENS`] as lines.
pub(super) fn lines(curves: &[Curve<'_>]) -> Vec<Line> {
    lines_over(&LENS, curves)
}

/// Curves over other lengths as lines.
pub(super) fn lines_over(lens: &[usize], curves: &[Curve<'_>]) -> Vec<Line> {
    let points = |value: &dyn Fn(usize) -> Option<f64>| -> Vec<(f64, f64)> {
        lens.iter().filter_map(|len| Some((*len as f64, value(*len)?))).collect()
    };
    let all = curves.iter().map(|(name, value)| Line::measured(name, points(value)).by(whose(name)));
    all.filter(|line| !line.points.is_empty()).collect()
}

/// Adds a panel of lines for each group that has any; the group's name is part of the label of the numbers.
pub(super) fn grouped(chart: Chart, x_label: &str, y_label: &str, groups: Vec<(&str, Vec<Line>)>) -> Chart {
    let groups = groups.into_iter().filter(|(_, lines)| !lines.is_empty());
    groups.fold(chart, |chart, (group, lines)| chart.lines(&format!("{x_label}; {group}"), y_label, lines))
}

/// Splits lines by their names: those that `wanted` accepts, and the others.
pub(super) fn split(lines: Vec<Line>, wanted: impl Fn(&str) -> bool) -> (Vec<Line>, Vec<Line>) {
    lines.into_iter().partition(|line| wanted(&line.name))
}

/// Returns the owner of a curve whose name begins with a contestant's.
pub(super) fn whose(name: &str) -> Whose {
    let contestant = name.split([':', ',', '=', ' ']).next().unwrap_or(name);
    let mut rivals = contestants::all().into_iter().filter(|c| c.name() != OURS);
    if rivals.any(|rival| rival.name() == contestant) { Whose::Rival } else { Whose::Ours }
}

/// Curves as rows of a table, lengths as columns.
pub(super) fn curve_table(heading: &str, curves: &[Curve<'_>]) -> TextTable {
    let lens = LENS.iter().map(|len| size_text(*len));
    let mut table = TextTable::new(std::iter::once(heading.to_owned()).chain(lens));
    for (name, value) in curves {
        let cells = LENS.iter().map(|len| number_or_dash(value(*len)));
        table.row(std::iter::once(name.clone()).chain(cells));
    }
    table
}
