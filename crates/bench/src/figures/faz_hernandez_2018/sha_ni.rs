//! One message with the SHA extensions, and the speed-up over code without them (Faz-Hernández, López, de
//! Oliveira 2018, Fig. 2).

use crate::contest::Contest;
use crate::figures::figure::{Curve, Figure, LENS, OPENSSL, cpb, curve_table, find, lines, masked, sha256};
use crate::standings::Standings;
use crate::targets::OPENSSL_NO_SHA_NI;
use hashlanes_chart::{Chart, Line, TextTable};

/// faz-hernandez-2018-sha-ni.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-sha-ni",
    title: "SHA-256 of one message by SHA-NI, and the speed-up over code without",
    paper: "on Zen SHA-NI takes 1.8 cycles per byte, OpenSSL without it 7.7",
    pairs: &[("hashlanes:sha-ni", "hashlanes:scalar")],
    contests,
    show,
};

const SHA_NI: &str = "hashlanes:sha-ni";
const SCALAR: &str = "hashlanes:scalar";
const NAMES: [&str; 6] = [SHA_NI, SCALAR, OPENSSL, "libgcrypt", "sha2", "ring"];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

/// The same with rivals restricted to code without the SHA extensions.
fn id_without(len: usize) -> String {
    FIGURE.id(format_args!("{len} B, {OPENSSL_NO_SHA_NI}"))
}

fn contests() -> Vec<Contest> {
    let with = |len| Contest::of(sha256(1, len), NAMES).named(id(len));
    let without = |len| {
        let contest = Contest::of(sha256(1, len), [SHA_NI, OPENSSL]).named(id_without(len));
        contest.with(OPENSSL_NO_SHA_NI)
    };
    LENS.map(with).into_iter().chain(LENS.map(without)).collect()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let curve = |name: &'static str| -> Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let mut cycles: Vec<Curve<'_>> = NAMES.map(curve).into();
    let without = move |len| cpb(standings, &id_without(len), OPENSSL);
    cycles.push((masked(OPENSSL), Box::new(without)));

    let ratio = move |id: String, name: &str| Some(find(standings, &id)?.ratio(name, SHA_NI)?.median);
    let over_scalar = move |len| ratio(id(len), SCALAR);
    let over_openssl = move |len| ratio(id_without(len), OPENSSL);
    let speed_ups: [Curve<'_>; 2] = [
        (format!("over {SCALAR}"), Box::new(over_scalar)),
        (format!("over {}", masked(OPENSSL)), Box::new(over_openssl)),
    ];

    let table = curve_table("cycles per byte", &cycles);
    // "For messages larger than 256 bytes": the text's values, on Zen.
    let far = LENS[LENS.len() - 1] as f64;
    let paper = |name: &str, value| Line::paper(format!("paper, Zen: {name}"), vec![(far, value)]);
    let mut above = lines(&cycles);
    above.extend([paper("SHA-NI", 1.8), paper("OpenSSL", 7.7), paper("sphlib", 9.6)]);
    let mut below = lines(&speed_ups);
    below.extend([paper("over sphlib", 5.1), paper("over OpenSSL", 4.2)]);
    let chart = chart.lines("bytes", "cycles per byte", above).lines("bytes", "times as fast", below);
    (table, chart)
}
