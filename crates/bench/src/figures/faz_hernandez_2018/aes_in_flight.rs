//! AES-CBC decryption and AES-CTR with w registers in flight (Faz-Hernández, López, de Oliveira 2018, Fig.
//! 9), on xmm registers as in the paper, and on wider ones.

use crate::cipher::{Cipher, Mode};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, find};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes::aes::kernels::aes_table;
use hashlanes_chart::{Chart, Line, TextTable, Whose, number_or_dash};

/// faz-hernandez-2018-aes-in-flight.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-aes-in-flight",
    title: "AES-128-CBC decryption and AES-128-CTR with w registers in flight",
    paper: "on Zen 4 registers in flight are twice as fast as 1, 0.42 cycles per byte; with 8, CBC decryption takes \
            0.37, CTR 0.39",
    pairs: &[],
    contests,
    show,
};

const LEN: usize = 16 << 10;
const WS: [usize; 4] = [1, 2, 4, 8];
/// With the paper's cycles per byte at w = 1, 4 and 8 on Zen. Its text calls w = 4 "twice as fast as" w = 1.
const MODES: [(Mode, &str, [f64; 3]); 2] =
    [(Mode::CbcDecrypt, "CBC decryption", [0.84, 0.42, 0.37]), (Mode::Ctr, "CTR", [0.84, 0.42, 0.39])];
const RIVALS: [&str; 3] = ["libcrypto:context", "libipsec-mb", "aes+cbc+ctr"];

/// The kernels of one message that have registers of their own.
fn kernels() -> Vec<&'static str> {
    aes_table().rows().filter(|row| row.degree == 1 && row.name != "portable").map(|row| row.name).collect()
}

fn contests() -> Vec<Contest> {
    let contest = |(mode, ..): (Mode, &str, [f64; 3])| {
        let work = Work::new(Hash::Cipher(Cipher::aes128(mode)), Shape::One { len: LEN });
        let ours = kernels().into_iter().flat_map(|kernel| WS.map(|w| format!("{OURS}:{kernel}:w{w}")));
        Contest::of(work, ours.chain(RIVALS.map(str::to_owned))).named(id(mode))
    };
    MODES.map(contest).into()
}

fn id(mode: Mode) -> String {
    FIGURE.id(format_args!("{}", Cipher::aes128(mode).name()))
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = WS.iter().map(|w| format!("w = {w}"));
    let mut table = TextTable::new(std::iter::once("cycles per byte".to_owned()).chain(heads));
    let mut chart = chart;
    for (mode, text, paper) in MODES {
        let value = |name: &str| find(standings, &id(mode))?.outcome(name)?.figure_cycles_per_byte();
        let mut lines = Vec::new();
        for kernel in kernels() {
            let of = |w: &usize| value(&format!("{OURS}:{kernel}:w{w}"));
            let cells = WS.iter().map(|w| number_or_dash(of(w)));
            table.row(std::iter::once(format!("{text}, {kernel}")).chain(cells));
            let points: Vec<_> = WS.iter().filter_map(|w| Some((*w as f64, of(w)?))).collect();
            lines.push(Line::measured(kernel, points).by(Whose::Ours));
        }
        for rival in RIVALS {
            let cell = number_or_dash(value(rival));
            table.row(std::iter::once(format!("{text}, {rival}")).chain(WS.map(|_| cell.clone())));
            let points = value(rival).map(|cycles| vec![(WS[0] as f64, cycles), (WS[3] as f64, cycles)]);
            lines.push(Line::measured(rival, points.unwrap_or_default()).by(Whose::Rival));
        }
        lines.retain(|line| !line.points.is_empty());
        let points = [1.0, 4.0, 8.0].into_iter().zip(paper);
        lines.push(Line::paper("paper, Zen (w = 1: twice w = 4)", points.collect()));
        chart = chart.lines(&format!("w, {text}"), "cycles per byte", lines);
    }
    (table, chart)
}
