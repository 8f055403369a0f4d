//! A last block without message bytes, expanded in advance and not (Gueron, Krasnov 2012, Fig. 6), for
//! messages of whole blocks. The paper gains about 30 % at 64 bytes and 2 % at 2 KB (its serial code on the
//! third generation of Core). The gain is smaller on a CPU that computes the schedule in slots that the
//! rounds leave free.

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, cpb, find, lines_over, sha256};
use crate::standings::Standings;
use hashlanes_chart::{Chart, Line, TextTable, number_or_dash, size_text};

/// gueron-krasnov-2012-expanded-padding.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-expanded-padding",
    title: "SHA-256 with the last block expanded beforehand, and without",
    paper: "a last block that is expanded beforehand saves about 30 % at 64 bytes, 2 % at 2 KiB",
    contests,
    show,
};

const LENS: [usize; 6] = [64, 128, 256, 512, 1024, 2048];
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
    LENS.map(|len| {
        Contest::of(sha256(1, len), KERNELS.iter().flat_map(|kernel| names(kernel))).named(id(len))
    })
    .into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = ["kernel", "last block"].into_iter().map(str::to_owned);
    let mut table = TextTable::new(heads.chain(LENS.map(size_text))).left(&[1]);
    let (mut cycles, mut gains) = (Vec::new(), Vec::new());
    for kernel in KERNELS {
        let [without, with] = names(kernel);
        for (name, last) in [(&without, "expanded, c/B"), (&with, "pre-expanded, c/B")] {
            let values = LENS.map(|len| number_or_dash(cpb(standings, &id(len), name)));
            table.row([kernel.to_owned(), last.to_owned()].into_iter().chain(values));
        }
        let gain =
            |len: usize| Some(100.0 * (1.0 - find(standings, &id(len))?.ratio(&with, &without)?.median));
        let cells = LENS.map(|len| gain(len).map_or_else(|| "–".into(), |gain| format!("{gain:.1}")));
        table.row([kernel.to_owned(), "gain, %".to_owned()].into_iter().chain(cells));
        gains.extend(lines_over(&LENS, &[(kernel.to_owned(), Box::new(gain))]));
        let cycles_of = |name: String| -> crate::figures::figure::Curve<'_> {
            (name.clone(), Box::new(move |len| cpb(standings, &id(len), &name)))
        };
        cycles.extend(lines_over(&LENS, &[cycles_of(without), cycles_of(with)]));
    }
    let points = PAPER.map(|(len, gain)| (len as f64, gain));
    gains.push(Line::paper("paper, 3rd gen Core", points.into()));
    (table, chart.lines("bytes", "cycles per byte", cycles).lines("bytes", "gain, per cent", gains))
}
