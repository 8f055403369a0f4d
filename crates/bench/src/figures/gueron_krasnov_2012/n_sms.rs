//! SHA-256 by n-SMS, against the length (Gueron, Krasnov 2012, Fig. 3): the same rounds with and without,
//! each way to rotate.

use crate::contest::Contest;
use crate::figures::figure::{Curve, Figure, LENS, cpb, curve_table, lines, sha256};
use crate::standings::Standings;
use crate::targets::OPENSSL_NO_SHA_NI;
use hashlanes_chart::{Chart, Line, TextTable};

/// gueron-krasnov-2012-n-sms.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-n-sms",
    title: "SHA-256 of one message by n-SMS, and serially",
    contests,
    show,
};

/// Serial kernels, and after each those of n-SMS with the same rounds; then OpenSSL without SHA extensions.
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
    "libcrypto:context",
];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

fn contests() -> Vec<Contest> {
    LENS.map(|len| Contest::of(sha256(1, len), NAMES).named(id(len)).with(OPENSSL_NO_SHA_NI)).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let curve = |name: &'static str| -> Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let curves = NAMES.map(curve);
    let far = LENS[LENS.len() - 1] as f64;
    let paper = |cpu: &str, value| Line::paper(format!("paper, {cpu}: 4-SMS"), vec![(far, value)]);
    let mut all = lines(&curves);
    all.extend([paper("Core 2", 13.84), paper("2nd gen Core", 12.11), paper("3rd gen Core", 10.84)]);
    (curve_table("cycles per byte", &curves), chart.lines("bytes", "cycles per byte", all))
}
