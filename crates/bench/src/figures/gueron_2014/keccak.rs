//! Keccak-256 and trees over it alongside SHA-256 and its j-lanes (Gueron 2014, slide "Current performance
//! comparison", whose numbers are only in a picture). SHA3-256 stands for Keccak-256; they differ only in the
//! padding.

use super::trees::{Entrant, JS, Race, SCALAR, SHA_NI, j_lanes};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, grouped};
use crate::standings::Standings;
use crate::work::Hash;
use hashlanes_chart::{Chart, TextTable};

/// gueron-2014-keccak.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-2014-keccak",
    title: "Keccak-256, tree-Keccak, SHA-256 and j-lanes SHA-256 against the length of the message",
    paper: "trees are compared for both hashes, Keccak and SHA-256",
    pairs: &[],
    contests,
    show,
};

/// Of [`ENTRANTS`], those of Keccak come first, and of these, those without a tree.
const N_KECCAK: usize = 9;
const N_PLAIN: usize = 4;
/// With the table's choice, and with the kernels of the paper's CPU.
const ENTRANTS: [Entrant; 13] = [
    Entrant::new("Keccak-256", OURS, Hash::Sha3_256),
    Entrant::new("Keccak-256, scalar", "hashlanes:scalar", Hash::Sha3_256),
    Entrant::new("Keccak-256, crate sha3", "sha3", Hash::Sha3_256),
    Entrant::new("Keccak-256, OpenSSL", "libcrypto:context", Hash::Sha3_256),
    Entrant::new("tree-Keccak, 2 leaves", OURS, Hash::Sha3Tree(2)),
    Entrant::new("tree-Keccak, 4 leaves", OURS, Hash::Sha3Tree(4)),
    Entrant::new("tree-Keccak, 8 leaves", OURS, Hash::Sha3Tree(8)),
    Entrant::new("tree-Keccak, 2 leaves, sse-x2", "hashlanes:sse-x2", Hash::Sha3Tree(2)),
    Entrant::new("tree-Keccak, 4 leaves, avx2-x4", "hashlanes:avx2-x4", Hash::Sha3Tree(4)),
    Entrant::new("j-lanes, j = 16", OURS, j_lanes(JS[0])),
    Entrant::new("j-lanes, j = 8, avx2-x8", "hashlanes:avx2-x8", j_lanes(JS[1])),
    SHA_NI,
    SCALAR,
];

fn race() -> Race {
    Race { figure: FIGURE.name, entrants: ENTRANTS.into() }
}

fn contests() -> Vec<Contest> {
    race().contests()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let race = race();
    let (keccak, sha256) = ENTRANTS.split_at(N_KECCAK);
    let (plain, trees) = keccak.split_at(N_PLAIN);
    let groups = vec![
        ("as the library chooses", race.lines(standings, &[&keccak[..1], &trees[..3], sha256].concat())),
        ("Keccak-256 alone", race.lines(standings, plain)),
        ("tree-Keccak alone", race.lines(standings, trees)),
    ];
    (race.table(standings), grouped(chart, "bytes", "cycles per byte", groups))
}
