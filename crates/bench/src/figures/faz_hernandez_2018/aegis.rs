//! AEGIS of one message, in the original form and with the exclusive or moved after the round (Faz-Hernández,
//! López, de Oliveira 2018, section 5.3, equation 10), and the rest of its family.

use crate::aegis::{Aegis, Cipher, Direction};
use crate::contest::Contest;
use crate::figures::figure::{Figure, cpb, grouped};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable, number_or_dash, size_text};

/// faz-hernandez-2018-aegis.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-aegis",
    title: "AEGIS of one message: original, with the moved exclusive or, and its family",
    paper: "on Zen the moved exclusive or brings AEGIS-128 from 0.34 to 0.30 cycles per byte",
    pairs: &[("hashlanes:aes-ni, aegis-128", "hashlanes:aes-ni-original, aegis-128")],
    contests,
    show,
};

/// Bytes of a message.
const LENS: [usize; 6] = [64, 256, 1024, 4096, 16 << 10, 64 << 10];

/// The paper's "original" and "optimized"; then kernels that it does not have.
const AEGIS_128: [&str; 5] = [
    "hashlanes:aes-ni-original",
    "hashlanes:aes-ni",
    "hashlanes:vaes-avx2",
    "hashlanes:vaes-avx512vl",
    "hashlanes",
];

/// The crate that uses AES instructions only if all code is compiled for them.
const PORTABLE: &str = "aegis-rust";
/// The family's ciphers, with the contestants that support them.
const FAMILY: [&str; 3] = ["hashlanes", "aegis", PORTABLE];
const CIPHERS: [Cipher; 6] =
    [Cipher::C128L, Cipher::C128X2, Cipher::C128X4, Cipher::C256, Cipher::C256X2, Cipher::C256X4];

fn work(aegis: Aegis, len: usize) -> Work {
    Work::new(Hash::Aegis(aegis), Shape::One { len })
}

fn id(aegis: Aegis, len: usize) -> String {
    FIGURE.id(format_args!("{}", work(aegis, len)))
}

/// AEGIS-128 both ways.
fn both() -> [Aegis; 2] {
    [Direction::Encrypt, Direction::Decrypt].map(|direction| Aegis { cipher: Cipher::C128, direction })
}

/// The curves: a contestant and its workload.
fn curves() -> Vec<(String, Aegis)> {
    let of_128 = both().into_iter().flat_map(|aegis| AEGIS_128.map(|name| (name.to_owned(), aegis)));
    let family =
        CIPHERS.into_iter().flat_map(|cipher| FAMILY.map(|name| (name.to_owned(), Aegis::of(cipher))));
    let is_there = |(name, aegis): &(String, Aegis)| {
        name != PORTABLE || matches!(aegis.cipher, Cipher::C128L | Cipher::C256)
    };
    of_128.chain(family).filter(is_there).collect()
}

fn contests() -> Vec<Contest> {
    let mut all: Vec<Aegis> = both().into();
    all.extend(CIPHERS.map(Aegis::of));
    let contest = |(aegis, len)| {
        let of_it = curves().into_iter().filter(|(_, other)| *other == aegis);
        Contest::of(work(aegis, len), of_it.map(|(name, _)| name)).named(id(aegis, len))
    };
    all.into_iter().flat_map(|aegis| LENS.map(|len| (aegis, len))).map(contest).collect()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = LENS.iter().map(|len| size_text(*len));
    let mut table = TextTable::new(std::iter::once("cycles per byte".to_owned()).chain(heads));
    let label = |name: &str, aegis: Aegis| {
        let code = if name == PORTABLE { " (portable code)" } else { "" };
        format!("{name}{code}, {}", aegis.name())
    };
    for (name, aegis) in curves() {
        let cells = LENS.map(|len| number_or_dash(cpb(standings, &id(aegis, len), &name)));
        table.row(std::iter::once(label(&name, aegis)).chain(cells));
    }
    let lines = |wanted: &dyn Fn(Aegis) -> bool| -> Vec<Line> {
        let points = |name: &str, aegis| {
            LENS.iter()
                .filter_map(|len| Some((*len as f64, cpb(standings, &id(aegis, *len), name)?)))
                .collect()
        };
        let all = curves().into_iter().filter(|(_, aegis)| wanted(*aegis));
        let all = all.map(|(name, aegis)| {
            Line::measured(label(&name, aegis), points(&name, aegis)).by(crate::figures::figure::whose(&name))
        });
        all.filter(|line| !line.points.is_empty()).collect()
    };
    let far = LENS[LENS.len() - 1] as f64;
    let mut encryption = lines(&|aegis| aegis == Aegis::of(Cipher::C128));
    encryption.push(Line::paper("paper, Zen: original", vec![(far, 0.34)]));
    encryption.push(Line::paper("paper, Zen: exclusive or moved", vec![(far, 0.30)]));
    let of_128l = |aegis: Aegis| matches!(aegis.cipher, Cipher::C128L | Cipher::C128X2 | Cipher::C128X4);
    let of_256 = |aegis: Aegis| matches!(aegis.cipher, Cipher::C256 | Cipher::C256X2 | Cipher::C256X4);
    let groups = vec![
        ("AEGIS-128, encryption", encryption),
        ("AEGIS-128, decryption", lines(&|aegis| aegis.direction == Direction::Decrypt)),
        ("AEGIS-128L and its wider forms", lines(&of_128l)),
        ("AEGIS-256 and its wider forms", lines(&of_256)),
    ];
    (table, grouped(chart, "bytes", "cycles per byte", groups))
}
