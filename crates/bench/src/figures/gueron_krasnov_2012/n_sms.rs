//! SHA-256 by n-SMS, against the length (Gueron, Krasnov 2012, Fig. 3): the same rounds with and without,
//! each way to rotate.

use crate::contest::Contest;
use crate::figures::figure::{Curve, Figure, LENS, OPENSSL, cpb, curve_table, lines, masked, sha256};
use crate::standings::Standings;
use crate::targets::OPENSSL_NO_SHA_NI;
use hashlanes_chart::{Chart, Line, TextTable};

/// gueron-krasnov-2012-n-sms.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-n-sms",
    title: "SHA-256 of one message by n-SMS, and serially",
    paper: "4-SMS is up to 31 % faster than OpenSSL on the 2nd generation Core, 17 % on the 3rd, 8 % on Core 2",
    contests,
    show,
};

/// Serial kernels, and after each those of n-SMS with the same rounds; then OpenSSL, of which
/// contestants without SHA-NI are the measure, with its SHA-NI code masked.
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
    let paper = |cpu: &str, value| Line::paper(format!("paper, {cpu}: 4-SMS"), vec![(far, value)]);
    let mut all = lines(&curves);
    all.extend([paper("Core 2", 13.84), paper("2nd gen Core", 12.11), paper("3rd gen Core", 10.84)]);
    (curve_table("cycles per byte", &curves), chart.lines("bytes", "cycles per byte", all))
}
