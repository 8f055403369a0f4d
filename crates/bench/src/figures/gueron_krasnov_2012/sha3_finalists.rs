//! SHA-2, the finalists of SHA-3, and today's contestants (Gueron, Krasnov 2012, §7.1 and Fig. 7): one
//! message of 8 KB.

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, OPENSSL, cpb, masked};
use crate::standings::Standings;
use crate::targets::OPENSSL_NO_SHA_NI;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Bar, Chart, TextTable, Whose, number_or_dash};

/// gueron-krasnov-2012-sha3-finalists.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-sha3-finalists",
    title: "SHA-256, SHA-512, and SHA-3's finalists, one message of 8 KiB",
    paper: "SHA-256 by 4-SMS sets a new baseline for SHA-3's finalists, 10.77 cycles per byte on the 3rd generation Core",
    pairs: &[
        ("sha256: hashlanes:sms4-avx", "sha256: hashlanes:serial-ror"),
        ("sha512: hashlanes:sms2-avx", "sha512: hashlanes:serial-ror"),
    ],
    contests,
    show,
};

const LEN: usize = 8192;
/// The contestants with their functions, and the value in the paper's text: 4-SMS on the 3rd generation Core,
/// and 2-SMS "on today's processors". OpenSSL's SHA-NI code is masked; a bar of its own shows it as it is.
/// SHA3-256 is Keccak's permutation at the same rate as the finalist Keccak-256: the two differ in a byte of
/// padding.
const ENTRANTS: [(Hash, &str, Option<f64>); 26] = [
    (Hash::Sha256, "hashlanes:serial-ror", None),
    (Hash::Sha256, "hashlanes:sms4-avx", Some(10.84)),
    (Hash::Sha256, "hashlanes:sms8-avx2", None),
    (Hash::Sha256, OURS, None),
    (Hash::Sha256, OPENSSL, None),
    (Hash::Sha256, "libgcrypt", None),
    (Hash::Sha512, "hashlanes:serial-ror", None),
    (Hash::Sha512, "hashlanes:sms2-avx", Some(8.04)),
    (Hash::Sha512, "hashlanes:sms4-avx2", None),
    (Hash::Sha512, "hashlanes:sms8-avx512", None),
    (Hash::Sha512, OURS, None),
    (Hash::Sha512, OPENSSL, None),
    (Hash::Sha512, "libgcrypt", None),
    (Hash::Sha3_256, OURS, None),
    (Hash::Sha3_256, OPENSSL, None),
    (Hash::Sha3_256, "sha3", None),
    (Hash::Keccak256, "sha3", None),
    (Hash::Keccak512, "sha3", None),
    (Hash::Blake256, "blake-hash", None),
    (Hash::Blake512, "blake-hash", None),
    (Hash::Groestl256, "groestl", None),
    (Hash::Groestl512, "groestl", None),
    (Hash::Jh256, "jh", None),
    (Hash::Skein512, "skein", None),
    (Hash::Blake3, "blake3", None),
    (Hash::Kt128, "k12", None),
];

/// Crates without vectors: the finalists' best code is faster, and no crate has it.
const PORTABLE: [&str; 3] = ["groestl", "jh", "skein"];

fn work(hash: Hash) -> Work {
    Work::new(hash, Shape::One { len: LEN })
}

fn contest() -> Contest {
    let entries = ENTRANTS.map(|(hash, name, _)| (name.to_owned(), work(hash)));
    Contest::new(FIGURE.name, entries.into()).with(OPENSSL_NO_SHA_NI)
}

/// OpenSSL's SHA-256 as it is.
fn unmasked() -> Contest {
    Contest::of(work(Hash::Sha256), [OPENSSL]).named(FIGURE.id("unmasked"))
}

fn contests() -> Vec<Contest> {
    vec![contest(), unmasked()]
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let contest = contest();
    let mut table = TextTable::new(["hash", "contestant", "c/B", "paper (3rd gen Core)"]).left(&[1]);
    let mut bars = Vec::new();
    let mut show = |hash: Hash, name: &str, value: Option<f64>, paper| {
        let cells = [hash.name().into_owned(), name.to_owned()];
        table.row(cells.into_iter().chain([number_or_dash(value), number_or_dash(paper)]));
        let whose = if name.starts_with(OURS) { Whose::Ours } else { Whose::Rival };
        let code = if PORTABLE.contains(&name) { " (portable code)" } else { "" };
        bars.push(Bar { name: format!("{}: {name}{code}", hash.name()), value, paper, whose });
    };
    for (hash, name, paper) in ENTRANTS {
        let value = cpb(standings, &contest.id, &contest.label(name, work(hash)));
        if (hash, name) == (Hash::Sha256, OPENSSL) {
            show(hash, &masked(name), value, paper);
            show(hash, name, cpb(standings, &unmasked().id, name), None);
        } else {
            show(hash, name, value, paper);
        }
    }
    (table, chart.bars("cycles per byte", bars).quoted("on the 3rd generation Core"))
}
