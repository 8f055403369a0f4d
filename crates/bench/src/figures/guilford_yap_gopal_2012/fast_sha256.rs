//! The four versions of fast SHA-256 against the size of the buffer, in steps of a block (Guilford, Yap,
//! Gopal 2012, Fig. 2). Whole blocks, as the paper "is only concerned with updating the hash state values for
//! any integral number of blocks". In a second panel whole messages, next to libgcrypt, which has the code
//! that the authors published; what the CPU has beyond it is denied to libgcrypt.

use crate::contest::Contest;
use crate::figures::figure::{Curve, Figure, LENS, cpb, grouped, lines_over, sha256};
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
/// Whole messages: our versions, and libgcrypt. On CPUs without fast SHLD libgcrypt has SSSE3 code in place
/// of the code with AVX.
const WHOLE: [&str; 4] = ["hashlanes:sse4", "hashlanes:avx", RORX2, LIBGCRYPT];
const LIBGCRYPT: &str = "libgcrypt";
/// What is denied to libgcrypt, in a process of its own, and what its curve is called.
const DENIED: [(&str, &str); 2] = [
    ("LIBGCRYPT_DENY=intel-shaext", "libgcrypt, SHA-NI denied"),
    ("LIBGCRYPT_DENY=intel-shaext,intel-avx2", "libgcrypt, SHA-NI and AVX2 denied"),
];
/// Up to 2 KiB in steps of a block; then long messages.
const N_STEPS: usize = 32;
const LONG: [usize; 2] = [8192, 65536];

fn lens() -> impl Iterator<Item = usize> {
    (1..=N_STEPS).map(|n| 64 * n).chain(LONG)
}
fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

fn id_whole(len: usize, denied: &str) -> String {
    FIGURE.id(format_args!("message of {len} B, {denied}"))
}

fn contests() -> Vec<Contest> {
    let contest =
        |len| Contest::of(Work::new(Hash::Sha256, Shape::Lanes { count: 1, len }), NAMES).named(id(len));
    let whole = DENIED.into_iter().flat_map(|(denied, _)| {
        LENS.map(|len| Contest::of(sha256(1, len), WHOLE).named(id_whole(len, denied)).with(denied))
    });
    lens().map(contest).chain(whole).collect()
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
    let curve = |name: &'static str| -> Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let lens: Vec<usize> = lens().take(N_STEPS).collect();
    let mut lines = lines_over(&lens, &NAMES.map(curve));
    lines.push(Line::paper("paper, i7-2600: AVX1, long", vec![((64 * N_STEPS) as f64, 11.5)]));
    let of_whole = |name: &'static str, denied: &'static str| -> Box<dyn Fn(usize) -> Option<f64> + '_> {
        Box::new(move |len| cpb(standings, &id_whole(len, denied), name))
    };
    let ours = WHOLE.into_iter().filter(|name| *name != LIBGCRYPT);
    let ours = ours.map(|name| -> Curve<'_> { (name.into(), of_whole(name, DENIED[0].0)) });
    let theirs = DENIED.map(|(denied, name)| -> Curve<'_> { (name.into(), of_whole(LIBGCRYPT, denied)) });
    let whole: Vec<Curve<'_>> = ours.chain(theirs).collect();
    table.row([String::new()]);
    table.row(["whole messages".to_owned()].into_iter().chain(whole.iter().map(|(name, _)| name.clone())));
    for len in LENS {
        let values = whole.iter().map(|(_, value)| number_or_dash(value(len)));
        table.row(std::iter::once(len.to_string()).chain(values));
    }
    let groups = vec![
        ("whole blocks", lines),
        ("whole messages, next to the authors' code", lines_over(&LENS, &whole)),
    ];
    (table, grouped(chart, "bytes", "cycles per byte", groups))
}
