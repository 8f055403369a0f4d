//! The gain by software pipelining of SHA-1 with SSSE3, against the number of blocks (Locktyukhin 2010:
//! "about 5% to 10%"): the first words of a block during the last rounds of the previous one, or not.

use crate::contest::Contest;
use crate::figures::figure::{Curve, Figure, cpb, find, lines_over};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable, number_or_dash};

/// locktyukhin-2010-pipelining.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "locktyukhin-2010-pipelining",
    title: "SHA-1 with SSSE3, with and without software pipelining over blocks",
    paper: "software pipelining over blocks gains 5 to 10 %",
    pairs: &[("hashlanes:ssse3", "hashlanes:ssse3-plain")],
    contests,
    show,
};

const WITH: &str = "hashlanes:ssse3";
const WITHOUT: &str = "hashlanes:ssse3-plain";
/// Whole blocks in one call: the paper's "several continuous 64-byte blocks".
const LENS: [usize; 9] = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 65536];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

fn contests() -> Vec<Contest> {
    let work = |len| Work::new(Hash::Sha1, Shape::Lanes { count: 1, len });
    LENS.map(|len| Contest::of(work(len), [WITH, WITHOUT]).named(id(len))).into()
}

/// The additional time without pipelining, in per cent.
fn gain(standings: &[Standings], len: usize) -> Option<f64> {
    Some(100.0 * (find(standings, &id(len))?.ratio(WITHOUT, WITH)?.median - 1.0))
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let mut table = TextTable::new(["bytes", "with", "without", "gain, %"]);
    for len in LENS {
        let of = |name| number_or_dash(cpb(standings, &id(len), name));
        table.row([len.to_string(), of(WITH), of(WITHOUT), number_or_dash(gain(standings, len))]);
    }
    let gains: Vec<(f64, f64)> =
        LENS.iter().filter_map(|len| Some((*len as f64, gain(standings, *len)?))).collect();
    let far = LENS[LENS.len() - 1] as f64;
    let paper = |name: &str, value| Line::paper(format!("paper, Intel 2010: {name}"), vec![(far, value)]);
    let mut lines = vec![paper("from", 5.0), paper("to", 10.0)];
    if !gains.is_empty() {
        lines.insert(0, Line::measured("gain", gains));
    }
    let curve = |name: &'static str| -> Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let cycles = lines_over(&LENS, &[WITH, WITHOUT].map(curve));
    (table, chart.lines("bytes", "cycles per byte", cycles).lines("bytes", "gain, per cent", lines))
}
