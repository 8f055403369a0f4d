//! `figure NAME`: the papers' figures, measured here. A figure is a file and a line in [`FIGURES`]; its name is the
//! paper's number and figure. It shows our kernels, the rivals that are here, and, where the paper's text quotes a number, that number as
//! a hollow mark: measured on another CPU, so never to be compared as an absolute.

mod f000_fig3;
mod f000_fig4;
mod f000_fig5;
mod f000_fig6;
mod f000_fig7;
mod f000_remainder;
mod f000_sha1;
mod f001_fig2;
mod f002_instructions;
mod f002_jlanes;
mod f002_jpointers;
mod f002_keccak;
mod f002_shash;
mod f003_pipelining;
mod f003_speed;
mod f004_aegis;
mod f004_aegis_many;
mod f004_fig2;
mod f004_fig3;
mod f004_fig5;
mod f004_fig6;
mod f004_fig7;
mod f004_fig9;
mod f004_table1;
mod signatures;
mod trees;

use crate::commands::sweep::tell_absent;
use crate::contest::Contest;
use crate::contestants::{self, OURS, rows, tables};
use crate::session::{Pace, Session};
use crate::signatures::{Operation, leaves};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes::kernels::Row;
use hashlanes_chart::{Chart, Line, TextTable, Whose, number_or_dash, size_text};
use std::path::Path;

/// A figure.
pub(crate) struct Figure {
    /// The paper's number and the figure's.
    name: &'static str,
    /// What it shows.
    title: &'static str,
    /// What is measured for it.
    contests: fn() -> Vec<Contest>,
    /// The table, and the chart with its panels added.
    show: fn(&[Standings], Chart) -> (TextTable, Chart),
}

/// All figures.
const FIGURES: &[Figure] = &[
    f000_fig3::FIGURE,
    f000_fig4::FIGURE,
    f000_fig5::FIGURE,
    f000_fig6::FIGURE,
    f000_fig7::FIGURE,
    f000_remainder::FIGURE,
    f000_sha1::FIGURE,
    f001_fig2::FIGURE,
    f002_shash::FIGURE,
    f002_jlanes::FIGURE,
    f002_jpointers::FIGURE,
    f002_instructions::FIGURE,
    f002_keccak::FIGURE,
    f003_speed::FIGURE,
    f003_pipelining::FIGURE,
    f004_fig2::FIGURE,
    f004_fig3::FIGURE,
    f004_fig5::FIGURE,
    f004_table1::FIGURE,
    f004_fig6::FIGURE,
    f004_fig7::FIGURE,
    f004_fig9::FIGURE,
    f004_aegis::FIGURE,
    f004_aegis_many::FIGURE,
];

/// The name of all figures.
pub(crate) const ALL: &str = "all";

/// Figures as measured, and what they are made of.
pub(crate) struct Gathered {
    pub(crate) figures: Vec<hashlanes_chart::Figure>,
    pub(crate) standings: Vec<Standings>,
}

/// Measures and shows the named figures (all, by the name `all`), and draws each to `<folder>/<name>.svg`.
pub(crate) fn run(session: &mut Session, names: &[String], folder: &Path) -> Result<(), String> {
    let Some(Gathered { figures, standings }) = measure(session, names)? else { return Ok(()) };
    outln!("{}", session.environment());
    for figure in figures {
        let chart = figure.chart(session.note());
        outln!("\n{}\n{}", chart.title, figure.table);
        session.write_svg(&folder.join(format!("{}.svg", figure.name)), &chart)?;
    }
    tell_absent(&standings);
    Ok(())
}

/// Measures the named figures; `None` if somebody else shows them.
pub(crate) fn measure(session: &mut Session, names: &[String]) -> Result<Option<Gathered>, String> {
    let figures = named(names)?;
    // All in one go, so that processes started for it do the same.
    let contests: Vec<Contest> = figures.iter().flat_map(|f| (f.contests)()).collect();
    let contests = match session.pace() {
        Pace::Full => contests,
        Pace::Quick => contests.into_iter().filter_map(quick).collect(),
    };
    let standings = session.measure(&contests)?;
    if session.is_silent() {
        return Ok(None);
    }
    let show = |figure: &&Figure| {
        let (table, chart) = (figure.show)(&standings, Chart::new("", ""));
        let (name, title) = (figure.name.into(), figure.title.into());
        hashlanes_chart::Figure { name, title, table, panels: chart.panels }
    };
    Ok(Some(Gathered { figures: figures.iter().map(show).collect(), standings }))
}

/// The figures of these names, each once.
fn named(names: &[String]) -> Result<Vec<&'static Figure>, String> {
    if let Some(unknown) = names.iter().find(|n| *n != ALL && FIGURES.iter().all(|f| f.name != **n)) {
        let all: Vec<_> = FIGURES.iter().map(|f| f.name).collect();
        return Err(format!("there is no figure {unknown:?}; there is {}, and {ALL}", all.join(", ")));
    }
    let is_wanted = |figure: &&Figure| names.iter().any(|n| n == ALL || n == figure.name);
    Ok(FIGURES.iter().filter(is_wanted).collect())
}

/// The longest message of a quick figure.
const QUICK_LEN: usize = 1 << 20;
/// Leaves of a key that a quick figure generates on every kernel: 0.1 s on scalar code.
const QUICK_LEAVES: u64 = 128;
/// Leaves of a key that a quick figure generates to sign with: 0.7 s on all kernels that the library chooses.
const QUICK_KEY_LEAVES: u64 = 8192;
/// The most bytes of many messages.
const QUICK_BYTES: usize = 8 << 20;
/// A sample of a quick figure that has a length of its own.
const QUICK_SECONDS: f64 = 0.02;

/// A contest as a quick figure holds it, if it does.
fn quick(contest: Contest) -> Option<Contest> {
    let is_long = |work: &Work| match (work.hash, work.shape) {
        (_, Shape::One { len }) => len > QUICK_LEN,
        (_, Shape::Many { count, len, .. }) => count * len > QUICK_BYTES,
        (Hash::Xmss(set), Shape::Signatures(Operation::KeyGeneration)) => leaves(&set) > QUICK_LEAVES,
        // Each signs with a key of its own.
        (Hash::Xmss(set), Shape::Signatures(Operation::Sign)) => leaves(&set) > QUICK_KEY_LEAVES,
        _ => false,
    };
    let is_short = !contest.entries.iter().any(|(_, work)| is_long(work));
    let seconds = contest.seconds.map(|_| QUICK_SECONDS);
    is_short.then_some(Contest { seconds, ..contest })
}

/// Shows the names.
pub(crate) fn list() {
    FIGURES.iter().for_each(|figure| outln!("{}: {}", figure.name, figure.title));
}

/// Lengths in bytes that figures over the length measure.
const LENS: [usize; 9] = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

/// The rows of SHA-256's table that `wanted` accepts.
fn kernels(wanted: impl Fn(&Row) -> bool) -> Vec<Row> {
    let table = tables().into_iter().find(|(hash, _)| *hash == Hash::Sha256);
    table.map_or_else(Vec::new, |(_, table)| rows(table).filter(|row| wanted(row)).collect())
}

/// A kernel as a contestant.
fn contestant(row: &Row) -> String {
    format!("{OURS}:{}", row.name)
}

/// SHA-256 of `count` messages.
fn sha256(count: usize, len: usize) -> Work {
    Work::new(Hash::Sha256, if count == 1 { Shape::One { len } } else { Shape::many(count, len) })
}

/// A contest's result.
fn find<'a>(standings: &'a [Standings], id: &str) -> Option<&'a Standings> {
    standings.iter().find(|s| s.id() == id)
}

/// A contestant's cycles per byte in a contest.
fn cpb(standings: &[Standings], id: &str, name: &str) -> Option<f64> {
    find(standings, id)?.outcome(name)?.figure_cycles_per_byte()
}

/// A curve over lengths: its name, and its value at a length.
type Curve<'a> = (String, Box<dyn Fn(usize) -> Option<f64> + 'a>);

/// Curves over [`LENS`] as lines.
fn lines(curves: &[Curve<'_>]) -> Vec<Line> {
    lines_over(&LENS, curves)
}

/// Curves over other lengths as lines.
fn lines_over(lens: &[usize], curves: &[Curve<'_>]) -> Vec<Line> {
    let points = |value: &dyn Fn(usize) -> Option<f64>| -> Vec<(f64, f64)> {
        lens.iter().filter_map(|len| Some((*len as f64, value(*len)?))).collect()
    };
    let all = curves.iter().map(|(name, value)| Line::measured(name, points(value)).by(whose(name)));
    all.filter(|line| !line.points.is_empty()).collect()
}

/// Whose a curve is whose name begins with a contestant's.
fn whose(name: &str) -> Whose {
    let contestant = name.split([':', ',', '=', ' ']).next().unwrap_or(name);
    let mut rivals = contestants::all().into_iter().filter(|c| c.name() != OURS);
    if rivals.any(|rival| rival.name() == contestant) { Whose::Rival } else { Whose::Ours }
}

/// Curves as rows of a table, lengths as columns.
fn curve_table(heading: &str, curves: &[Curve<'_>]) -> TextTable {
    let lens = LENS.iter().map(|len| size_text(*len));
    let mut table = TextTable::new(std::iter::once(heading.to_owned()).chain(lens));
    for (name, value) in curves {
        let cells = LENS.iter().map(|len| number_or_dash(value(*len)));
        table.row(std::iter::once(name.clone()).chain(cells));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_names_and_contests_of_their_own() {
        let mut ids: Vec<String> = FIGURES.iter().flat_map(|f| (f.contests)()).map(|c| c.id).collect();
        let mut names: Vec<&str> = FIGURES.iter().map(|f| f.name).collect();
        let (n_ids, n_names) = (ids.len(), names.len());
        ids.sort();
        ids.dedup();
        names.sort();
        names.dedup();
        assert_eq!((ids.len(), names.len()), (n_ids, n_names));
    }

    #[test]
    fn a_figure_of_nothing_is_drawn() {
        for figure in FIGURES {
            let (table, chart) = (figure.show)(&[], Chart::new("", ""));
            assert!(!table.to_string().is_empty());
            assert!(!chart.to_svg().contains("NaN"), "{}", figure.name);
        }
    }
}
