//! Generating a signature of XMSS, h = 20, by the kernel of the hash (Faz-Hernández, López, de Oliveira 2018,
//! Fig. 6, which shows Zen alongside Kaby Lake).
//!
//! The paper's cycles include the nodes of the traversal, about 14,000 to 43,000 compressions. Here all nodes
//! of the tree are kept, and a signature takes 2,134 compressions for every height. So h = 16 (10 in short
//! runs) replaces h = 20, whose key would take minutes, and only factors are compared with the paper's
//! values.

use super::signatures::{KERNELS, Signing, set};
use crate::contest::Contest;
use crate::figures::figure::{Figure, whose};
use crate::signatures::Operation;
use crate::standings::Standings;
use hashlanes::hbs::ParameterSet;
use hashlanes_chart::{Bar, Chart, TextTable, number, number_or_dash};

/// faz-hernandez-2018-xmss-signing.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-xmss-signing",
    title: "signing by XMSS-SHA2_20_256, the tree kept, by kernel",
    paper: "on Zen a signature with pipelined SHA-NI is 4.30 times as fast as with scalar code",
    pairs: &[],
    contests,
    show,
};

const SIGNING: Signing = Signing { figure: FIGURE.name };
const SET: &str = "XMSS-SHA2_20_256";
/// The paper's 10^6 cycles on Zen, for all of [`KERNELS`] except the last, from Table 1, because the figure's
/// bars have no numbers.
const ZEN: [f64; 5] = [21.56, 12.76, 19.56, 5.39, 5.00];
/// Its factors on Zen.
const ZEN_FACTORS: [f64; 5] = [1.0, 1.68, 1.10, 3.99, 4.30];
/// The text gives one for Kaby Lake: "by using AVX2, an XMSS signature can be computed 4x faster".
const KABY_LAKE_FACTORS: [Option<f64>; 5] = [Some(1.0), None, Some(4.0), None, None];

/// Sets whose signatures take the same number of compressions, the most similar first.
fn others() -> [ParameterSet; 2] {
    [set("XMSS-SHA2_16_256"), set("XMSS-SHA2_10_256")]
}

fn contests() -> Vec<Contest> {
    others().map(|set| SIGNING.contest(set, Operation::Sign, &KERNELS)).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let of = (set(SET), Operation::Sign);
    let heads =
        ["contestant", "10^6 cycles", "factor", "paper, Zen", "factor", "Kaby Lake, factor", "≈ from"];
    let mut table = TextTable::new(heads).left(&[6]);
    let (mut cycles_bars, mut factor_bars) = (Vec::new(), Vec::new());
    for (i, name) in KERNELS.into_iter().enumerate() {
        let cycles = SIGNING.cycles(standings, of, &others(), name);
        let factor = SIGNING.factor(standings, of, &others(), name);
        table.row([
            name.to_owned(),
            cycles.map_or_else(|| "–".into(), |c| format!("≈ {}", number(c.cycles / 1e6))),
            number_or_dash(factor),
            number_or_dash(ZEN.get(i).copied()),
            number_or_dash(ZEN_FACTORS.get(i).copied()),
            number_or_dash(KABY_LAKE_FACTORS.get(i).copied().flatten()),
            cycles.and_then(|c| c.of).map_or_else(String::new, |set| set.to_string()),
        ]);
        let bar = |value, paper| Bar { name: name.to_owned(), value, paper, whose: whose(name) };
        cycles_bars.push(bar(cycles.map(|c| c.cycles / 1e6), None));
        factor_bars.push(bar(factor, ZEN_FACTORS.get(i).copied()));
    }
    let chart = chart.bars("10^6 cycles a signature", cycles_bars);
    (table, chart.bars("times as fast as scalar", factor_bars).quoted("on Zen"))
}
