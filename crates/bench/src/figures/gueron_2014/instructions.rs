//! Instructions of j-lanes SHA-256, j = 16, of 8 KB, by the width of the vectors (Gueron 2014, slide "j-lanes
//! SHA-256 future performance", whose bars have no numbers). Counted, not timed.
//!
//! The forced kernel also computes the last hash, over the lanes' digests: 9 blocks on one lane, as many as
//! each lane has. So the lanes are also counted separately.

use super::trees::j_lanes;
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::count::instructions;
use crate::figures::figure::Figure;
use crate::interrupt::Interrupt;
use crate::standings::Standings;
use crate::work::{Shape, Work};
use hashlanes_chart::{Bar, Chart, TextTable, Whose, number_or_dash};

/// gueron-2014-instructions.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-2014-instructions",
    title: "instructions of j-lanes SHA-256, j = 16, of 8 KiB",
    paper: "AVX-512 needs fewer instructions than AVX2, because rotation and three-input logic are single ones",
    pairs: &[],
    contests: Vec::<Contest>::new,
    show,
};

const LEN: usize = 8192;
/// A block of every lane.
const ROW: usize = 16 * 64;
const KERNELS: [&str; 5] = ["sse-x4", "avx2-x8", "avx512vl-x8", "avx512-x16", "avx512-x16-asm"];
/// The kernel to which all shares refer.
const ONE: &str = "avx2-x8";

fn show(_: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let count = |kernel: &str, len| {
        let work = Work::new(j_lanes(16), Shape::One { len });
        instructions(&format!("{OURS}:{kernel}"), work, &Interrupt::default())
    };
    // One more block for each lane adds only that block: the ends and the last hash do not change.
    let counts = KERNELS.map(|kernel| (kernel, count(kernel, LEN), count(kernel, LEN + ROW)));
    let counted = |result: &Result<Option<u64>, String>| result.as_ref().ok().copied().flatten();
    let of = |name: &str| {
        let (_, whole, more) = counts.iter().find(|(kernel, ..)| *kernel == name)?;
        let whole = counted(whole)?;
        Some((whole as f64, ((counted(more)? - whole) * (LEN / ROW) as u64) as f64))
    };

    let heads =
        ["kernel", "instructions", "a byte", "of avx2-x8's", "lanes alone", "a byte", "of avx2-x8's", ""];
    let mut table = TextTable::new(heads).left(&[7]);
    for (kernel, result, _) in &counts {
        let why = match result {
            Err(why) => why.clone(),
            Ok(_) => String::new(),
        };
        let cells = |value: fn((f64, f64)) -> f64| {
            let (n, one) = (of(kernel).map(value), of(ONE).map(value));
            let share = n.zip(one).map_or_else(|| "–".into(), |(n, one)| format!("{:.3}", n / one));
            [
                n.map_or_else(|| "–".into(), |n| n.to_string()),
                number_or_dash(n.map(|n| n / LEN as f64)),
                share,
            ]
        };
        let row = [cells(|(whole, _)| whole), cells(|(_, lanes)| lanes)].concat();
        table.row(std::iter::once((*kernel).to_owned()).chain(row).chain([why]));
    }
    let bars = |value: fn((f64, f64)) -> f64| {
        let bar = |kernel: &&str| Bar {
            name: format!("{OURS}:{kernel}"),
            value: of(kernel).map(|both| value(both) / LEN as f64),
            paper: None,
            whose: Whose::Ours,
        };
        KERNELS.iter().map(bar).collect()
    };
    let chart = chart.bars("instructions a byte, the whole call", bars(|(whole, _)| whole));
    (table, chart.bars("instructions a byte, lanes alone", bars(|(_, lanes)| lanes)))
}
