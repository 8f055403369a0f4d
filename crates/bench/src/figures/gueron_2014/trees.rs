//! The common parts of the figures of tree modes: lengths, modes, and the yardsticks next to them, which
//! compute other functions.

use crate::contest::Contest;
use crate::figures::figure::{Curve, cpb, find, whose};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes::tree::{HashName, Mode, Variant};
use hashlanes_chart::{Line, TextTable, number_or_dash, size_text};
use std::num::NonZeroU8;

/// Powers of two, and 1.5 KB, from which on the paper's j-lanes are the faster.
pub(super) const LENS: [usize; 18] = [
    256,
    512,
    1 << 10,
    1536,
    2 << 10,
    4 << 10,
    8 << 10,
    16 << 10,
    32 << 10,
    64 << 10,
    128 << 10,
    256 << 10,
    512 << 10,
    1 << 20,
    2 << 20,
    4 << 20,
    8 << 20,
    16 << 20,
];

/// Numbers of lanes or slices.
pub(super) const JS: [u8; 3] = [16, 8, 4];

/// One message without lanes by the SHA extensions, and without them.
pub(super) const SHA_NI: Entrant = Entrant::new("serial, sha-ni", "hashlanes:sha-ni", Hash::Sha256);
pub(super) const SCALAR: Entrant = Entrant::new("serial, scalar", "hashlanes:scalar", Hash::Sha256);
/// All contestants that are not a tree over SHA-256.
pub(super) const YARDSTICKS: [Entrant; 5] = [
    SHA_NI,
    SCALAR,
    Entrant::new("serial, OpenSSL", "libcrypto:context", Hash::Sha256),
    Entrant::new("BLAKE3", "blake3", Hash::Blake3),
    Entrant::new("KT128", "k12", Hash::Kt128),
];

/// A curve: a contestant and a function, for messages of every length.
#[derive(Clone, Copy)]
pub(super) struct Entrant {
    /// The name in tables and legends.
    pub(super) title: &'static str,
    name: &'static str,
    hash: Hash,
}

impl Entrant {
    pub(super) const fn new(title: &'static str, name: &'static str, hash: Hash) -> Self {
        Entrant { title, name, hash }
    }

    /// The work at a length.
    fn entry(&self, len: usize) -> (String, Work) {
        (self.name.to_owned(), Work::new(self.hash, Shape::One { len }))
    }
}

/// `jlanes-v1-sha256-<j>`.
pub(super) const fn j_lanes(j: u8) -> Hash {
    let j = NonZeroU8::new(j).expect("not 0");
    Hash::Tree(Mode::JLanes { variant: Variant::V1, hash: HashName::Sha256, j })
}

/// `jpointers-v1-sha256-<j>`.
pub(super) const fn j_pointers(j: u8) -> Hash {
    let j = NonZeroU8::new(j).expect("not 0");
    Hash::Tree(Mode::JPointers { variant: Variant::V1, hash: HashName::Sha256, j })
}

/// A figure's curves over [`LENS`], with one contest for each length.
pub(super) struct Race {
    pub(super) figure: &'static str,
    pub(super) entrants: Vec<Entrant>,
}

impl Race {
    pub(super) fn contests(&self) -> Vec<Contest> {
        LENS.map(|len| self.contest(len)).into()
    }

    fn contest(&self, len: usize) -> Contest {
        let entries = self.entrants.iter().map(|entrant| entrant.entry(len)).collect();
        Contest::new(format!("{} {}", self.figure, size_text(len)), entries)
    }

    /// The key of an entrant's results at a length.
    fn place(&self, entrant: &Entrant, len: usize) -> (String, String) {
        let (contest, (name, work)) = (self.contest(len), entrant.entry(len));
        let label = contest.label(&name, work);
        (contest.id, label)
    }

    /// Cycles per byte.
    pub(super) fn cpb(&self, standings: &[Standings], entrant: &Entrant, len: usize) -> Option<f64> {
        let (id, label) = self.place(entrant, len);
        cpb(standings, &id, &label)
    }

    /// The time of `a` over that of `b`.
    pub(super) fn ratio(&self, standings: &[Standings], a: &Entrant, b: &Entrant, len: usize) -> Option<f64> {
        let ((id, of_a), (_, of_b)) = (self.place(a, len), self.place(b, len));
        Some(find(standings, &id)?.ratio(&of_a, &of_b)?.median)
    }

    /// The curves of these entrants, cycles per byte.
    pub(super) fn lines(&self, standings: &[Standings], entrants: &[Entrant]) -> Vec<Line> {
        let line = |entrant: &Entrant| {
            let value = |len: usize| Some((len as f64, self.cpb(standings, entrant, len)?));
            let points: Vec<_> = LENS.into_iter().filter_map(value).collect();
            Line::measured(entrant.title, points).by(whose(entrant.name))
        };
        entrants.iter().map(line).filter(|line| !line.points.is_empty()).collect()
    }

    /// Returns the length from which `a` is faster than `b` at all measured lengths.
    fn faster_from(&self, standings: &[Standings], a: &Entrant, b: &Entrant) -> Option<usize> {
        let is_faster = |len: &&usize| self.ratio(standings, a, b, **len).is_some_and(|ratio| ratio < 1.0);
        LENS.iter().rev().take_while(is_faster).last().copied()
    }

    /// Curves as rows of a table: lengths, then the length from which each is faster than one message without
    /// lanes.
    pub(super) fn table(&self, standings: &[Standings]) -> TextTable {
        let heads = LENS.map(size_text).into_iter();
        let heads = heads.chain([SHA_NI, SCALAR].map(|serial| format!("beats {}", serial.title)));
        let mut table = TextTable::new(std::iter::once("cycles per byte".to_owned()).chain(heads));
        for entrant in &self.entrants {
            let cells = LENS.map(|len| number_or_dash(self.cpb(standings, entrant, len))).into_iter();
            let from = [SHA_NI, SCALAR].map(|serial| match self.faster_from(standings, entrant, &serial) {
                Some(len) => format!("from {}", size_text(len)),
                None => "–".into(),
            });
            table.row(std::iter::once(entrant.title.to_owned()).chain(cells).chain(from));
        }
        table
    }
}

/// Curves as lines.
pub(super) fn lines(curves: &[Curve<'_>]) -> Vec<Line> {
    crate::figures::figure::lines_over(&LENS, curves)
}
