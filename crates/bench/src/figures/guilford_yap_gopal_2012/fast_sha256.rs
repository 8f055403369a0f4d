//! The four versions of fast SHA-256 against the size of the buffer, in steps of a block (Guilford, Yap,
//! Gopal 2012, Fig. 2). Whole blocks, as the paper "is only concerned with updating the hash state values for
//! any integral number of blocks".

use crate::contest::Contest;
use crate::figures::figure::{Figure, cpb, lines_over};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable, number_or_dash};

/// guilford-yap-gopal-2012-fast-sha256.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "guilford-yap-gopal-2012-fast-sha256",
    title: "fast SHA-256, cycles per byte against the size of the buffer",
    paper: "the AVX code takes about 11.5 cycles per byte on an i7-2600; with AVX2, eight blocks at once pass two near 1 KiB",
    pairs: &[("hashlanes:avx2-rorx8", "hashlanes:avx2-rorx2")],
    contests,
    show,
};

const RORX2: &str = "hashlanes:avx2-rorx2";
const RORX8: &str = "hashlanes:avx2-rorx8";
const NAMES: [&str; 6] =
    ["hashlanes:sse4", "hashlanes:avx", RORX2, RORX8, "hashlanes:stitched-avx2", "hashlanes:stitched-avx512"];
/// Up to 2 KiB in steps of a block; then long messages.
const N_STEPS: usize = 32;
const LONG: [usize; 2] = [8192, 65536];

fn lens() -> impl Iterator<Item = usize> {
    (1..=N_STEPS).map(|n| 64 * n).chain(LONG)
}
fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

fn contests() -> Vec<Contest> {
    let contest =
        |len| Contest::of(Work::new(Hash::Sha256, Shape::Lanes { count: 1, len }), NAMES).named(id(len));
    lens().map(contest).collect()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let mut table = TextTable::new(["bytes"].into_iter().chain(NAMES));
    for len in lens() {
        let values = NAMES.map(|name| number_or_dash(cpb(standings, &id(len), name)));
        table.row(std::iter::once(len.to_string()).chain(values));
    }
    // Returns the first number of blocks, among the multiples of eight, from which on rorx8 is faster.
    let is_faster = |len: usize| {
        cpb(standings, &id(len), RORX8).zip(cpb(standings, &id(len), RORX2)).map(|(eight, two)| eight < two)
    };
    let crossover = lens().filter(|len| len.is_multiple_of(512) && is_faster(*len) == Some(true)).min();
    let told = crossover.map_or_else(|| "nowhere".to_owned(), |len| format!("from {len} B on"));
    table.row([format!("rorx8 faster: {told} (paper: ~1 KB)")]);
    let curve = |name: &'static str| -> crate::figures::figure::Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let lens: Vec<usize> = lens().take(N_STEPS).collect();
    let mut lines = lines_over(&lens, &NAMES.map(curve));
    lines.push(Line::paper("paper, i7-2600: AVX1, long", vec![((64 * N_STEPS) as f64, 11.5)]));
    (table, chart.lines("bytes", "cycles per byte", lines))
}
