//! SHA-256 by n-SMS, against the length (Gueron, Krasnov 2012, Fig. 3): the same rounds with and without,
//! each way to rotate.

use crate::contest::Contest;
use crate::figures::figure::{
    Curve, Figure, LENS, OPENSSL, cpb, curve_table, grouped, lines, masked, sha256, split,
};
use crate::standings::Standings;
use crate::targets::OPENSSL_NO_SHA_NI;
use hashlanes_chart::{Chart, Line, TextTable};

/// gueron-krasnov-2012-n-sms.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-n-sms",
    title: "SHA-256 of one message by n-SMS, and serially",
    paper: "4-SMS is up to 31 % faster than OpenSSL on the 2nd generation Core, 17 % on the 3rd, 8 % on Core 2; the fastest serial code \
            takes 12.74 cycles per byte on the 3rd",
    pairs: &[
        ("hashlanes:sms4-avx", "hashlanes:serial-ror"),
        ("hashlanes:sms16-avx512", "hashlanes:serial-rorx"),
    ],
    contests,
    show,
};

/// Serial kernels, and after each those of n-SMS with the same rounds; then OpenSSL, which is compared with
/// kernels without SHA-NI, with its SHA-NI code masked.
const NAMES: [&str; 11] = [
    "hashlanes:serial-ror",
    "hashlanes:sms4-sse",
    "hashlanes:sms4-avx",
    "hashlanes:serial-shrd",
    "hashlanes:sms4-sse-shrd",
    "hashlanes:sms4-avx-shrd",
    "hashlanes:serial-rorx",
    "hashlanes:sms8-avx2",
    "hashlanes:sms16-avx512",
    "hashlanes:scalar",
    OPENSSL,
];

/// Those that rotate by `rorx`.
const RORX: [&str; 3] = ["hashlanes:serial-rorx", "hashlanes:sms8-avx2", "hashlanes:sms16-avx512"];
/// The serial code that the paper expects its gain from, cycles per byte on the 3rd generation Core.
const SERIAL: f64 = 12.74;

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

/// OpenSSL as it is.
fn id_unmasked(len: usize) -> String {
    FIGURE.id(format_args!("{len} B, unmasked"))
}

fn contests() -> Vec<Contest> {
    let without = |len| Contest::of(sha256(1, len), NAMES).named(id(len)).with(OPENSSL_NO_SHA_NI);
    let unmasked = |len| Contest::of(sha256(1, len), [OPENSSL]).named(id_unmasked(len));
    LENS.map(without).into_iter().chain(LENS.map(unmasked)).collect()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let curve = |name: &'static str| -> Curve<'_> {
        (masked(name), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let mut curves: Vec<Curve<'_>> = NAMES.map(curve).into();
    curves.push((OPENSSL.into(), Box::new(|len| cpb(standings, &id_unmasked(len), OPENSSL))));
    let far = LENS[LENS.len() - 1] as f64;
    let paper = |name: &str, value| Line::paper(format!("paper, {name}"), vec![(far, value)]);
    let papers = [
        paper("Core 2: 4-SMS", 13.84),
        paper("2nd gen Core: 4-SMS", 12.11),
        paper("3rd gen Core: 4-SMS", 10.84),
        paper("3rd gen Core: serial", SERIAL),
    ];
    let (rivals, ours) = split(lines(&curves), |name| name.starts_with(OPENSSL));
    let (shrd, ours) = split(ours, |name| name.ends_with("-shrd"));
    let (rorx, ror) = split(ours, |name| RORX.contains(&name));
    let with_rivals = |ours: Vec<Line>| [ours, rivals.clone()].concat();
    let groups = vec![
        ("rotation by ror", [with_rivals(ror), papers.into()].concat()),
        ("rotation by rorx", with_rivals(rorx)),
        ("rotation by shrd", with_rivals(shrd)),
    ];
    (curve_table("cycles per byte", &curves), grouped(chart, "bytes", "cycles per byte", groups))
}
