//! Measured and reported like `openssl speed` (Gueron, Krasnov 2012, §6 and Fig. 4): each size for three
//! seconds, 1000s of bytes per second.

use crate::commands::speed::{SECONDS, SIZES, thousands_per_second};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Curve, Figure, OPENSSL, find, grouped, lines_over, masked, sha256, split};
use crate::standings::Standings;
use crate::targets::OPENSSL_NO_SHA_NI;
use hashlanes_chart::{Chart, TextTable};

/// gueron-krasnov-2012-openssl-speed.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-openssl-speed",
    title: "SHA-256 of one message, as openssl speed reports it",
    paper: "the gains show in what `openssl speed` reports, too",
    pairs: &[("hashlanes:sms4-avx", "hashlanes:serial-ror")],
    contests,
    show,
};

/// The paper's three variants (original, n-SMS, rotations by `shrd`), their successors, the library's choice,
/// and rivals; OpenSSL with its SHA-NI code masked, and as it is.
const NAMES: [&str; 11] = [
    "hashlanes:serial-ror",
    "hashlanes:sms4-sse",
    "hashlanes:sms4-avx",
    "hashlanes:serial-shrd",
    "hashlanes:sms4-avx-shrd",
    "hashlanes:serial-rorx",
    "hashlanes:sms8-avx2",
    OURS,
    OPENSSL,
    "sha2",
    "ring",
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
    SIZES
        .map(without)
        .into_iter()
        .chain(SIZES.map(unmasked))
        .map(|contest| contest.lasting(SECONDS))
        .collect()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let speed = |id: &str, name| thousands_per_second(find(standings, id)?, name);
    let curve =
        |name: &'static str| -> Curve<'_> { (masked(name), Box::new(move |len| speed(&id(len), name))) };
    let mut curves: Vec<Curve<'_>> = NAMES.map(curve).into();
    curves.push((OPENSSL.into(), Box::new(move |len| speed(&id_unmasked(len), OPENSSL))));
    let heads = SIZES.map(|len| format!("{len} bytes"));
    let mut table = TextTable::new(std::iter::once("1000s of bytes per second".to_owned()).chain(heads));
    for (name, speed) in &curves {
        let cells = SIZES.map(|len| speed(len).map_or_else(|| "–".into(), |k| format!("{k:.2}k")));
        table.row(std::iter::once(name.clone()).chain(cells));
    }
    let has_sha_ni = |name: &str| [OURS, OPENSSL, "sha2", "ring"].contains(&name);
    let (with, without) = split(lines_over(&SIZES, &curves), has_sha_ni);
    let groups = vec![("with SHA-NI", with), ("without SHA-NI", without)];
    (table, grouped(chart, "bytes", "1000s of bytes per second", groups))
}
