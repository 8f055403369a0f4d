//! AES-CBC encryption of k messages at once (Faz-Hernández, López, de Oliveira 2018, Fig. 7): messages of 1
//! MB, as in the paper, and of 16 KiB, which stay in the second cache.

use std::fmt::Write;

use crate::cipher::{Cipher, Mode};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, find};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable, Whose, number_or_dash};

/// faz-hernandez-2018-cbc-encryption.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-cbc-encryption",
    title: "AES-128-CBC encryption of k messages at once",
    paper: "one message waits for every instruction's latency, several at once hide it",
    pairs: &[],
    contests,
    show,
};

const LENS: [(usize, &str); 2] = [(1 << 20, "1 MiB"), (16 << 10, "16 KiB")];
const KS: [usize; 6] = [1, 2, 4, 8, 16, 24];
const RIVALS: [&str; 3] = ["libcrypto:context", "libipsec-mb", "aes+cbc+ctr"];

/// The paper shows its figures only in a picture; its text quotes the cycles per byte of one message on Zen,
/// in cycles of another clock.
const PAPER_ONE: f64 = 2.44;

fn id(k: usize, len: usize) -> String {
    FIGURE.id(format_args!("{k}x{len}"))
}

fn contests() -> Vec<Contest> {
    let contest = |(len, k)| {
        let shape = if k == 1 { Shape::One { len } } else { Shape::many(k, len) };
        let work = Work::new(Hash::Cipher(Cipher::aes128(Mode::CbcEncrypt)), shape);
        let names = std::iter::once(OURS).chain(RIVALS);
        Contest::of(work, names).named(id(k, len))
    };
    LENS.iter().flat_map(|(len, _)| KS.map(|k| (*len, k))).map(contest).collect()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = KS.iter().map(|k| format!("k = {k}"));
    let mut table = TextTable::new(std::iter::once("cycles per byte".to_owned()).chain(heads));
    let mut chart = chart;
    for (len, text) in LENS {
        let value = |name: &str, k| find(standings, &id(k, len))?.outcome(name)?.figure_cycles_per_byte();
        let mut lines = Vec::new();
        for name in std::iter::once(OURS).chain(RIVALS) {
            let cells = KS.iter().map(|k| number_or_dash(value(name, *k)));
            let mut label = name.to_owned();
            let _ = write!(label, ", {text}");
            table.row(std::iter::once(label).chain(cells));
            let points: Vec<_> = KS.iter().filter_map(|k| Some((*k as f64, value(name, *k)?))).collect();
            let whose = if name == OURS { Whose::Ours } else { Whose::Rival };
            if !points.is_empty() {
                lines.push(Line::measured(name, points).by(whose));
            }
        }
        if len == LENS[0].0 {
            lines.push(Line::paper("paper, Zen: one message", vec![(1.0, PAPER_ONE)]));
        }
        chart = chart.lines(&format!("k, messages of {text}"), "cycles per byte", lines);
    }
    (table, chart)
}
