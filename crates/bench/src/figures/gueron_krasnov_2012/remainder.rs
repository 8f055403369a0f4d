//! The remainder of groups of four blocks (Gueron, Krasnov 2012, section 3.2): blocks r = N mod 4 one after
//! another, or by "3-SMS or 2-SMS functions". Whole blocks, no padding.

use crate::contest::Contest;
use crate::figures::figure::{Figure, cpb, lines_over};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, TextTable, number_or_dash};

/// gueron-krasnov-2012-remainder.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-remainder",
    title: "SHA-256 by 4-SMS, and what becomes of the remainder",
    paper: "blocks that do not fill the lanes are hashed serially, or by 3-SMS and 2-SMS",
    pairs: &[("hashlanes:sms4-avx-rem", "hashlanes:sms4-avx")],
    contests,
    show,
};

const NAMES: [&str; 3] = ["hashlanes:serial-ror", "hashlanes:sms4-avx", "hashlanes:sms4-avx-rem"];
/// Numbers of blocks: each remainder alone, after one group, and after three.
const BLOCKS: [usize; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{} blocks", len / 64))
}

fn contests() -> Vec<Contest> {
    let contest = |n| {
        let len = 64 * n;
        Contest::of(Work::new(Hash::Sha256, Shape::Lanes { count: 1, len }), NAMES).named(id(len))
    };
    BLOCKS.map(contest).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = ["blocks", "r", "serial, c/B", "4-SMS, r serially", "4-SMS, r by 3- and 2-SMS"];
    let mut table = TextTable::new(heads);
    for n in BLOCKS {
        let values = NAMES.map(|name| number_or_dash(cpb(standings, &id(64 * n), name)));
        table.row([n.to_string(), (n % 4).to_string()].into_iter().chain(values));
    }
    let curve = |name: &'static str| -> crate::figures::figure::Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let lines = lines_over(&BLOCKS.map(|n| 64 * n), &NAMES.map(curve));
    (table, chart.lines("bytes", "cycles per byte", lines))
}
