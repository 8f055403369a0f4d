//! j-pointers SHA-256 of one contiguous message against the length, and the cost of their transposition
//! compared with j-lanes (Gueron 2014, slide "j-lanes vs. j-pointers": "j-lanes is slightly faster"; it
//! quotes no numbers); and on a thread of each CPU, which the slides propose.

use super::trees::{Entrant, JS, LENS, Race, YARDSTICKS, j_lanes, j_pointers, lines};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Curve, Figure, grouped};
use crate::standings::Standings;
use hashlanes_chart::{Chart, TextTable, size_text};

/// gueron-2014-j-pointers.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-2014-j-pointers",
    title: "j-pointers SHA-256 against the length of the message, and the time over j-lanes",
    paper: "slices of consecutive bytes must be transposed, which j-lanes avoids",
    pairs: &[
        ("j-pointers, j = 16", "j-lanes, j = 16"),
        ("j-pointers, j = 16, all CPUs", "j-pointers, j = 16"),
    ],
    contests,
    show,
};

const POINTERS: [Entrant; 3] = [
    Entrant::new("j-pointers, j = 16", OURS, j_pointers(JS[0])),
    Entrant::new("j-pointers, j = 8", OURS, j_pointers(JS[1])),
    Entrant::new("j-pointers, j = 4", OURS, j_pointers(JS[2])),
];
const LANES: [Entrant; 3] = [
    Entrant::new("j-lanes, j = 16", OURS, j_lanes(JS[0])),
    Entrant::new("j-lanes, j = 8", OURS, j_lanes(JS[1])),
    Entrant::new("j-lanes, j = 4", OURS, j_lanes(JS[2])),
];

/// Its cycles are those of the time that passes.
const ON_THREADS: [Entrant; 1] =
    [Entrant::new("j-pointers, j = 16, all CPUs", "hashlanes:threads", j_pointers(JS[0]))];

fn race() -> Race {
    let entrants = [&POINTERS[..], &LANES[..], &ON_THREADS[..], &YARDSTICKS[..]].concat();
    Race { figure: FIGURE.name, entrants }
}

fn contests() -> Vec<Contest> {
    race().contests()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let race = race();
    let more: Vec<Curve<'_>> = POINTERS
        .iter()
        .zip(&LANES)
        .map(|(pointers, lanes)| -> Curve<'_> {
            let race = &race;
            let value = move |len| Some(100.0 * (race.ratio(standings, pointers, lanes, len)? - 1.0));
            (format!("{}: % more than j-lanes", pointers.title), Box::new(value))
        })
        .collect();
    let mut table = race.table(standings);
    table.row(std::iter::once(String::new()).chain(LENS.map(size_text)));
    for (name, value) in &more {
        let percent = |len| value(len).map_or_else(|| "–".into(), |percent| format!("{percent:+.1}"));
        table.row(std::iter::once(name.clone()).chain(LENS.map(percent)));
    }
    let of = |entrants: &[Entrant]| race.lines(standings, entrants);
    let groups = vec![
        ("next to others", of(&[&POINTERS[..], &YARDSTICKS[..]].concat())),
        ("next to j-lanes", of(&[POINTERS, LANES].concat())),
        ("on the threads of all CPUs", of(&[&POINTERS[..1], &ON_THREADS[..]].concat())),
    ];
    let chart = grouped(chart, "bytes", "cycles per byte", groups);
    (table, chart.lines("bytes", "% more than j-lanes", lines(&more)))
}
