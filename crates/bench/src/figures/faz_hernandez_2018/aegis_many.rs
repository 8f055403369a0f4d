//! Many messages of AEGIS-128 and AEGIS-128L in lanes: the paper's method for CBC (Faz-Hernández, López, de
//! Oliveira 2018, section 5.1), applied to AEGIS.

use crate::aegis::{Aegis, Cipher};
use crate::contest::Contest;
use crate::figures::figure::{Figure, cpb};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable, number_or_dash, size_text};

/// faz-hernandez-2018-aegis-many.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-aegis-many",
    title: "AEGIS of k messages at once, in lanes",
    paper: "one message alone leaves most of the instructions' throughput unused",
    pairs: &[],
    contests,
    show,
};

/// Number of messages at once.
const COUNTS: [usize; 7] = [1, 2, 3, 4, 8, 16, 32];
/// Length of each in bytes.
const LENS: [usize; 2] = [1024, 16 << 10];
/// Our library, our kernel of one message, and the rivals for AEGIS-128L.
const NAMES: [&str; 3] = ["hashlanes", "hashlanes:vaes-avx512vl", "aegis"];
const CIPHERS: [Cipher; 2] = [Cipher::C128, Cipher::C128L];

fn work(cipher: Cipher, count: usize, len: usize) -> Work {
    Work::new(Hash::Aegis(Aegis::of(cipher)), Shape::many(count, len))
}

fn id(cipher: Cipher, count: usize, len: usize) -> String {
    FIGURE.id(format_args!("{}", work(cipher, count, len)))
}

fn names(cipher: Cipher) -> Vec<&'static str> {
    NAMES.into_iter().filter(|name| *name != "aegis" || cipher == Cipher::C128L).collect()
}

/// Every curve.
fn curves() -> Vec<(Cipher, usize, &'static str)> {
    let of_cipher = |cipher| {
        LENS.into_iter().flat_map(move |len| names(cipher).into_iter().map(move |name| (cipher, len, name)))
    };
    CIPHERS.into_iter().flat_map(of_cipher).collect()
}

fn contests() -> Vec<Contest> {
    let places = CIPHERS.into_iter().flat_map(|cipher| LENS.map(|len| (cipher, len)));
    let contest = |(cipher, len, count)| {
        Contest::of(work(cipher, count, len), names(cipher)).named(id(cipher, count, len))
    };
    places.flat_map(|(cipher, len)| COUNTS.map(|count| (cipher, len, count))).map(contest).collect()
}

fn show(standings: &[Standings], mut chart: Chart) -> (TextTable, Chart) {
    let heads = COUNTS.iter().map(|count| format!("k = {count}"));
    let mut table = TextTable::new(std::iter::once("cycles per byte".to_owned()).chain(heads));
    let value = |(cipher, len, name), count| cpb(standings, &id(cipher, count, len), name);
    let label = |(cipher, len, name): (Cipher, usize, &str)| {
        format!("{name}, {} of {}", Aegis::of(cipher).name(), size_text(len))
    };
    for curve in curves() {
        let cells = COUNTS.map(|count| number_or_dash(value(curve, count)));
        table.row(std::iter::once(label(curve)).chain(cells));
    }
    for cipher in CIPHERS {
        let of_it = curves().into_iter().filter(|(other, ..)| *other == cipher);
        let lines = of_it.map(|curve| {
            let points = COUNTS.iter().filter_map(|count| Some((*count as f64, value(curve, *count)?)));
            Line::measured(label(curve), points.collect()).by(crate::figures::figure::whose(curve.2))
        });
        let lines: Vec<Line> = lines.filter(|line| !line.points.is_empty()).collect();
        chart = chart.lines("messages at once", "cycles per byte", lines);
    }
    (table, chart)
}
