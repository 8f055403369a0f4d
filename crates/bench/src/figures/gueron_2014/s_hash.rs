//! S-HASH: n messages of 8 KB at once, n standard digests (Gueron 2014, slide "SHA-256 performance (multiple
//! msg's)").

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::faz_hernandez_2018::pipelined_sha_ni;
use crate::figures::figure::{Figure, contestant, cpb, kernels, sha256};
use crate::standings::Standings;
use hashlanes_chart::{Bar, Chart, TextTable, Whose, number_or_dash};

/// gueron-2014-s-hash.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-2014-s-hash",
    title: "SHA-256 of n messages of 8 KiB, n standard digests",
    paper: "on Haswell 4 and 8 messages take 5.2 and 2.7 cycles per byte, one takes 7.8; 16 with AVX-512 are estimated at about 1",
    pairs: &[
        ("n = 4: hashlanes:sse-x4", "n = 1: hashlanes:scalar"),
        ("n = 16: hashlanes:avx512-x16", "n = 1: hashlanes:scalar"),
    ],
    contests,
    show,
};

const LEN: usize = 8192;
/// Our kernels of one message that the picture shows; the table has all.
const ONE: [&str; 5] =
    [OURS, "hashlanes:sha-ni", "hashlanes:stitched-avx512", "hashlanes:stitched-avx2", "hashlanes:scalar"];
/// Its fastest form on CPUs whose SHA-NI is fast.
const IPSEC_SHA_NI: &str = "libipsec-mb:sha-ni";
/// Numbers of messages, and the paper's cycles per byte on Haswell for the kernel it names; that of 16 was an
/// estimate.
const PAPER: [(usize, &str, f64); 4] =
    [(1, "scalar", 7.8), (4, "sse-x4", 5.2), (8, "avx2-x8", 2.7), (16, "avx512-x16", 1.0)];

fn id(n: usize) -> String {
    FIGURE.id(format_args!("n = {n}"))
}

/// Our kernels of that degree, the library's choice, and rivals.
fn names(n: usize) -> Vec<String> {
    let rivals: &[&str] = match n {
        1 => &["libcrypto:context", "sha2", "ring"],
        4 => &["libipsec-mb:sse", "libipsec-mb", IPSEC_SHA_NI, "tape-sha256"],
        8 => &["libipsec-mb:avx2", "libipsec-mb", IPSEC_SHA_NI, "tape-sha256"],
        _ => &["libipsec-mb:avx512", "libipsec-mb", IPSEC_SHA_NI, "tape-sha256"],
    };
    let ours = kernels(|row| row.degree == n);
    let ours = ours.iter().map(contestant).chain([OURS.to_owned()]);
    ours.chain(rivals.iter().map(|name| (*name).to_owned())).collect()
}

/// Cycles per byte. libipsec-mb hashes two messages at a time with SHA-NI: a record without its value for n
/// messages has that for two.
fn value(standings: &[Standings], n: usize, name: &str) -> Option<f64> {
    let two = || cpb(standings, &pipelined_sha_ni::id(LEN), name).filter(|_| name == IPSEC_SHA_NI);
    cpb(standings, &id(n), name).or_else(two)
}

fn contests() -> Vec<Contest> {
    PAPER.map(|(n, ..)| Contest::of(sha256(n, LEN), names(n)).named(id(n))).into()
}

fn show(standings: &[Standings], mut chart: Chart) -> (TextTable, Chart) {
    let mut table = TextTable::new(["n", "contestant", "c/B", "paper (Haswell)"]).left(&[1]);
    // The most messages first.
    for (n, papers_kernel, papers_cpb) in PAPER.into_iter().rev() {
        let mut bars = Vec::new();
        for name in names(n) {
            let value = value(standings, n, &name);
            let paper = (name == format!("{OURS}:{papers_kernel}")).then_some(papers_cpb);
            table.row([n.to_string(), name.clone(), number_or_dash(value), number_or_dash(paper)]);
            let whose = if name.starts_with(OURS) { Whose::Ours } else { Whose::Rival };
            if n > 1 || whose == Whose::Rival || ONE.contains(&name.as_str()) {
                bars.push(Bar { name: format!("n = {n}: {name}"), value, paper, whose });
            }
        }
        chart = chart.bars("cycles per byte", bars).quoted("on Haswell; that of n = 16 estimated");
    }
    (table, chart)
}
