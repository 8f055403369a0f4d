//! A last block without message bytes, expanded in advance and not (Gueron, Krasnov 2012, Fig. 6), for
//! messages of whole blocks. The paper gains about 30 % at 64 bytes and 2 % at 2 KB (its serial code on the
//! third generation of Core). The gain is smaller on a CPU that computes the schedule in slots that the
//! rounds leave free.

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Curve, Figure, cpb, find, grouped, lines_over, sha256, split};
use crate::standings::Standings;
use hashlanes_chart::{Chart, Line, TextTable, number_or_dash, size_text};

/// gueron-krasnov-2012-expanded-padding.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-expanded-padding",
    title: "SHA-256 with the last block expanded beforehand, and without",
    paper: "a last block that is expanded beforehand saves about 30 % at 64 bytes, 2 % at 2 KiB",
    pairs: &[
        ("hashlanes:serial-ror:pre-expanded", "hashlanes:serial-ror:expanded"),
        ("hashlanes:sha-ni:pre-expanded", "hashlanes:sha-ni:expanded"),
    ],
    contests,
    show,
};

const LENS: [usize; 6] = [64, 128, 256, 512, 1024, 2048];
/// The bytes that a message of the second form lacks to whole blocks: its padding begins in its last block,
/// and the length is alone in one more.
const SHORTER: usize = 4;
const KERNELS: [&str; 5] = ["serial-ror", "serial-rorx", "avx2-rorx2", "stitched-avx2", "sha-ni"];
/// The paper's gains at the first length and at the last, in per cent.
const PAPER: [(usize, f64); 2] = [(64, 30.0), (2048, 2.0)];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}
fn names(kernel: &str) -> [String; 2] {
    ["expanded", "pre-expanded"].map(|last| format!("{OURS}:{kernel}:{last}"))
}

fn contests() -> Vec<Contest> {
    let contest =
        |len| Contest::of(sha256(1, len), KERNELS.iter().flat_map(|kernel| names(kernel))).named(id(len));
    LENS.into_iter().chain(LENS.map(|len| len - SHORTER)).map(contest).collect()
}

/// What the schedule in advance saves, per cent.
fn gain(standings: &[Standings], kernel: &str, len: usize) -> Option<f64> {
    let [without, with] = names(kernel);
    Some(100.0 * (1.0 - find(standings, &id(len))?.ratio(&with, &without)?.median))
}

/// The gains of messages that are so many bytes shorter than [`LENS`], as lines over these.
fn gains(standings: &[Standings], shorter: usize) -> Vec<Line> {
    let curves = KERNELS.map(|kernel| -> Curve<'_> {
        (kernel.to_owned(), Box::new(move |len| gain(standings, kernel, len - shorter)))
    });
    lines_over(&LENS, &curves)
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = ["kernel", "last block"].into_iter().map(str::to_owned);
    let mut table = TextTable::new(heads.chain(LENS.map(size_text))).left(&[1]);
    let mut cycles = Vec::new();
    for kernel in KERNELS {
        let [without, with] = names(kernel);
        for (name, last) in [(&without, "expanded, c/B"), (&with, "pre-expanded, c/B")] {
            let values = LENS.map(|len| number_or_dash(cpb(standings, &id(len), name)));
            table.row([kernel.to_owned(), last.to_owned()].into_iter().chain(values));
        }
        for (shorter, words) in [(0, "gain, %"), (SHORTER, "gain, %, 4 bytes shorter")] {
            let gain = |len: usize| gain(standings, kernel, len - shorter);
            let cells = LENS.map(|len| gain(len).map_or_else(|| "–".into(), |gain| format!("{gain:.1}")));
            table.row([kernel.to_owned(), words.to_owned()].into_iter().chain(cells));
        }
        let cycles_of = |name: String| -> Curve<'_> {
            (name.clone(), Box::new(move |len| cpb(standings, &id(len), &name)))
        };
        cycles.extend(lines_over(&LENS, &[cycles_of(without), cycles_of(with)]));
    }
    let points = PAPER.map(|(len, gain)| (len as f64, gain));
    let mut whole_blocks = gains(standings, 0);
    whole_blocks.push(Line::paper("paper, 3rd gen Core", points.into()));
    let (vectors, others) = split(cycles, |name| name.contains("avx2"));
    let groups = vec![("serial kernels and SHA-NI", others), ("schedules in vectors", vectors)];
    let chart = grouped(chart, "bytes", "cycles per byte", groups);
    let groups = vec![
        ("a last block of padding and length", whole_blocks),
        ("4 bytes shorter: a last block of the length", gains(standings, SHORTER)),
    ];
    (table, grouped(chart, "bytes", "gain, per cent", groups))
}
