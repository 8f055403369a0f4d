//! j-lanes SHA-256 against the length (Gueron 2014, slide "j-lanes SHA-256 performance"), alongside one
//! message without lanes and alongside today's other trees.

use super::trees::{Entrant, JS, LENS, Race, SCALAR, YARDSTICKS, j_lanes};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, grouped};
use crate::standings::Standings;
use hashlanes_chart::{Chart, Line, TextTable};

/// gueron-2014-j-lanes.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-2014-j-lanes",
    title: "j-lanes SHA-256 against the length of the message",
    paper: "on Haswell j = 8 takes 2.76 cycles per byte and passes serial SHA-256, 7.8, at 1.5 KiB",
    pairs: &[],
    contests,
    show,
};

/// With the table's choice, and with the kernels of the paper's CPU.
const ENTRANTS: [Entrant; 6] = [
    Entrant::new("j = 16", OURS, j_lanes(JS[0])),
    Entrant::new("j = 8", OURS, j_lanes(JS[1])),
    Entrant::new("j = 4", OURS, j_lanes(JS[2])),
    Entrant::new("j = 16, avx2-x8", "hashlanes:avx2-x8", j_lanes(JS[0])),
    Entrant::new("j = 8, avx2-x8", "hashlanes:avx2-x8", j_lanes(JS[1])),
    Entrant::new("j = 4, sse-x4", "hashlanes:sse-x4", j_lanes(JS[2])),
];

fn race() -> Race {
    Race { figure: FIGURE.name, entrants: [&ENTRANTS[..], &YARDSTICKS[..]].concat() }
}

fn contests() -> Vec<Contest> {
    race().contests()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let race = race();
    // "Long messages", on AVX2; serial from the slide on many messages.
    let far = LENS[LENS.len() - 1] as f64;
    let paper = |name: &str, value| Line::paper(format!("paper, Haswell: {name}"), vec![(far, value)]);
    let papers = [paper("j = 8", 2.76), paper("j = 16", 2.97), paper("serial", 7.8)];
    let (chosen, of_the_paper) = ENTRANTS.split_at(JS.len());
    let lines = |entrants: &[&[Entrant]]| race.lines(standings, &entrants.concat());
    let groups = vec![
        ("kernels that the library chooses", lines(&[chosen, &YARDSTICKS])),
        ("kernels of the paper's CPU", [lines(&[of_the_paper, &[SCALAR]]), papers.into()].concat()),
    ];
    (race.table(standings), grouped(chart, "bytes", "cycles per byte", groups))
}
