//! Measured and reported like `openssl speed` (Gueron, Krasnov 2012, §6 and Fig. 4): each size for three
//! seconds, 1000s of bytes per second.

use crate::commands::speed::{SECONDS, SIZES, thousands_per_second};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Curve, Figure, find, lines_over, sha256};
use crate::standings::Standings;
use crate::targets::OPENSSL_NO_SHA_NI;
use hashlanes_chart::{Chart, TextTable};

/// gueron-krasnov-2012-openssl-speed.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-openssl-speed",
    title: "SHA-256 of one message, as openssl speed reports it",
    contests,
    show,
};

/// The paper's three variants (original, n-SMS, rotations by `shrd`), their successors, the library's choice,
/// and rivals; OpenSSL without its SHA-NI code.
const NAMES: [&str; 11] = [
    "hashlanes:serial-ror",
    "hashlanes:sms4-sse",
    "hashlanes:sms4-avx",
    "hashlanes:serial-shrd",
    "hashlanes:sms4-avx-shrd",
    "hashlanes:serial-rorx",
    "hashlanes:sms8-avx2",
    OURS,
    "libcrypto:context",
    "sha2",
    "ring",
];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

fn contests() -> Vec<Contest> {
    let contest = |len| Contest::of(sha256(1, len), NAMES).named(id(len));
    SIZES.map(|len| contest(len).with(OPENSSL_NO_SHA_NI).lasting(SECONDS)).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let speed = |name: &str, len| thousands_per_second(find(standings, &id(len))?, name);
    let heads = SIZES.map(|len| format!("{len} bytes"));
    let mut table = TextTable::new(std::iter::once("1000s of bytes per second".to_owned()).chain(heads));
    for name in NAMES {
        let cells = SIZES.map(|len| speed(name, len).map_or_else(|| "–".into(), |k| format!("{k:.2}k")));
        table.row(std::iter::once(name.to_owned()).chain(cells));
    }
    let curve = |name: &'static str| -> Curve<'_> { (name.into(), Box::new(move |len| speed(name, len))) };
    let lines = lines_over(&SIZES, &NAMES.map(curve));
    (table, chart.lines("bytes", "1000s of bytes per second", lines))
}
