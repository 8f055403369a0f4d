//! Instructions of j-lanes SHA-256, j = 16, of 8 KB, by the width of the vectors (papers/002, slide "j-lanes SHA-256 future
//! performance", whose bars bear no numbers). They are counted, not timed.

use super::Figure;
use super::trees::j_lanes;
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::count::instructions;
use crate::interrupt::Interrupt;
use crate::standings::Standings;
use crate::work::{Shape, Work};
use hashlanes_chart::{Bar, Chart, TextTable, Whose};

/// 002-instructions.
pub(super) const FIGURE: Figure = Figure {
    name: "002-instructions",
    title: "instructions of j-lanes SHA-256, j = 16, of 8 KiB",
    contests: Vec::<Contest>::new,
    show,
};

const LEN: usize = 8192;
const KERNELS: [&str; 5] = ["sse-x4", "avx2-x8", "avx512vl-x8", "avx512-x16", "avx512-x16-asm"];
/// What the others are told as shares of.
const ONE: &str = "avx2-x8";

fn show(_: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let work = Work::new(j_lanes(16), Shape::One { len: LEN });
    let count = |kernel| instructions(&format!("{OURS}:{kernel}"), work, &Interrupt::default());
    let counts = KERNELS.map(|kernel| (kernel, count(kernel)));
    let of = |name| counts.iter().find(|(kernel, _)| *kernel == name)?.1.as_ref().ok().copied().flatten();

    let mut table = TextTable::new(["kernel", "instructions", "a byte", "of avx2-x8's", ""]).left(&[4]);
    for (kernel, counted) in &counts {
        let cells = match counted {
            Ok(Some(n)) => {
                let share = of(ONE).map(|one| *n as f64 / one as f64);
                let share = share.map_or_else(|| "–".into(), |share| format!("{share:.3}"));
                [n.to_string(), format!("{:.2}", *n as f64 / LEN as f64), share, String::new()]
            }
            Ok(None) => ["–", "–", "–", "interrupted"].map(str::to_owned),
            Err(why) => ["–".into(), "–".into(), "–".into(), why.clone()],
        };
        table.row(std::iter::once((*kernel).to_owned()).chain(cells));
    }
    let bars = counts.iter().map(|(kernel, _)| Bar {
        name: format!("{OURS}:{kernel}"),
        value: of(kernel).map(|n| n as f64 / LEN as f64),
        paper: None,
        whose: Whose::Ours,
    });
    let bars = bars.collect();
    (table, chart.bars("instructions a byte", bars))
}
