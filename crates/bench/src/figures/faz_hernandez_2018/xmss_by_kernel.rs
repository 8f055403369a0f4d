//! XMSS and XMSS^MT by the kernel of their hash (Faz-Hernández, López, de Oliveira 2018, Table 1): key
//! generation, signing, verification.
//!
//! The paper measures (a) XMSS, h = 20, and (b) XMSS^MT, h = 60 and d = 6, on Zen; its signer computes the
//! nodes of a traversal, ours looks them up. So the cycles of signing cannot be compared, but the factors
//! can. The paper generates only the uppermost tree, this library the first tree of every layer.

use super::signatures::{Cycles, KERNELS, SCALAR, Signing, set};
use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, whose};
use crate::signatures::Operation;
use crate::standings::Standings;
use hashlanes::hbs::ParameterSet;
use hashlanes_chart::{Bar, Chart, TextTable, number, number_or_dash};

/// faz-hernandez-2018-xmss-by-kernel.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-xmss-by-kernel",
    title: "XMSS and XMSS^MT by kernel, 10^6 cycles and factors over scalar; ≈ is another set's figure times the \
            compressions",
    paper: "on Zen key generation with h = 20 is 4.01 times as fast with SHA-NI as with scalar code, pipelined 4.46 times",
    pairs: &[],
    contests,
    show,
};

const SIGNING: Signing = Signing { figure: FIGURE.name };
const BOTAN: &str = "botan";

const SETS: [&str; 11] = [
    "XMSS-SHA2_10_256",
    "XMSS-SHA2_16_256",
    XMSS_20,
    "XMSSMT-SHA2_20/2_256",
    "XMSSMT-SHA2_20/4_256",
    "XMSSMT-SHA2_40/2_256",
    "XMSSMT-SHA2_40/4_256",
    "XMSSMT-SHA2_40/8_256",
    "XMSSMT-SHA2_60/3_256",
    XMSSMT_60_6,
    "XMSSMT-SHA2_60/12_256",
];
const XMSS_20: &str = "XMSS-SHA2_20_256";
const XMSSMT_60_6: &str = "XMSSMT-SHA2_60/6_256";

const OPERATIONS: [(Operation, &str); 3] = [
    (Operation::KeyGeneration, "key generation"),
    (Operation::Sign, "signing"),
    (Operation::Verify, "verification"),
];

/// The paper's factors over sphlib on Zen, for all of [`KERNELS`] except the last.
const PAPER: [(&str, [[f64; 5]; 3]); 2] = [
    (XMSS_20, [[1.0, 1.72, 1.18, 4.01, 4.46], [1.0, 1.68, 1.10, 3.99, 4.30], [1.0, 1.21, 0.59, 3.51, 2.89]]),
    (
        XMSSMT_60_6,
        [[1.0, 1.88, 1.29, 4.35, 4.79], [1.0, 1.83, 1.21, 4.34, 4.64], [1.0, 1.48, 0.76, 4.33, 3.66]],
    ),
];

/// Trees that all kernels build. Trees of height 20 take an hour with scalar code, so only our library builds
/// them.
const BUILT: u32 = 16;

/// The contestants; for key generation and verification of XMSS also Botan, whose signing takes as long as
/// its key generation.
fn names(set: ParameterSet, operation: Operation) -> Vec<&'static str> {
    let is_high = set.tree_height() > BUILT;
    match operation {
        Operation::KeyGeneration if is_high && set.layers() > 1 => vec![],
        Operation::KeyGeneration if is_high => vec![OURS],
        Operation::Sign if is_high => vec![],
        Operation::Sign => KERNELS.into(),
        _ if set.layers() == 1 => KERNELS.into_iter().chain([BOTAN]).collect(),
        _ => KERNELS.into(),
    }
}

/// The sets from which this set's figures are estimated if it was not measured, the most similar first: for
/// key generation those with the most leaves, for signing those with the same work.
fn others(of: ParameterSet, operation: Operation) -> Vec<ParameterSet> {
    let names: &[&str] = match operation {
        Operation::KeyGeneration if of.layers() == 1 => {
            &["XMSS-SHA2_16_256", "XMSS-SHA2_10_256", "XMSSMT-SHA2_20/4_256"]
        }
        Operation::KeyGeneration => &[XMSSMT_60_6, "XMSSMT-SHA2_20/2_256", "XMSSMT-SHA2_20/4_256"],
        Operation::Sign if of.layers() == 1 => &["XMSS-SHA2_16_256", "XMSS-SHA2_10_256"],
        Operation::Sign => &["XMSSMT-SHA2_40/4_256", "XMSSMT-SHA2_20/2_256"],
        _ => &[],
    };
    names.iter().copied().map(set).collect()
}

fn contests() -> Vec<Contest> {
    let of_set = |name: &str| {
        let set = set(name);
        let contest = move |(operation, _)| {
            let names = names(set, operation);
            (!names.is_empty()).then(|| SIGNING.contest(set, operation, &names))
        };
        OPERATIONS.into_iter().filter_map(contest)
    };
    SETS.into_iter().flat_map(of_set).collect()
}

/// The paper's factor of a set's operation on a kernel.
fn papers(set: &str, operation: usize, kernel: usize) -> Option<f64> {
    let (_, factors) = PAPER.iter().find(|(name, _)| *name == set)?;
    factors[operation].get(kernel).copied()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = ["set", "contestant"].into_iter().map(str::to_owned);
    let of_operation = |(_, name): (Operation, &str)| [name.to_owned(), "factor".into(), "paper".into()];
    let heads = heads.chain(OPERATIONS.into_iter().flat_map(of_operation)).chain(["≈ from".to_owned()]);
    let mut table = TextTable::new(heads).left(&[1, 11]);
    for name in SETS {
        for (kernel, contestant) in KERNELS.into_iter().chain([BOTAN]).enumerate() {
            let row = row(standings, name, kernel, contestant);
            if row[2..11].iter().any(|cell| cell != "–") {
                table.row(row);
            }
        }
    }
    let mut chart = chart;
    for (name, _) in PAPER {
        for (i, (operation, words)) in OPERATIONS.into_iter().enumerate() {
            let bars = bars(standings, name, i, operation);
            chart = chart.bars(&format!("{words}, {name}: times as fast as scalar"), bars).quoted("on Zen");
        }
    }
    (table, chart)
}

fn row(standings: &[Standings], name: &str, kernel: usize, contestant: &str) -> Vec<String> {
    let set = set(name);
    let mut cells = vec![name.to_owned(), contestant.to_owned()];
    let mut notes = Vec::new();
    for (i, (operation, words)) in OPERATIONS.into_iter().enumerate() {
        let others = if contestant == BOTAN { vec![] } else { others(set, operation) };
        let cycles = SIGNING.cycles(standings, (set, operation), &others, contestant);
        let factor = SIGNING.factor(standings, (set, operation), &others, contestant);
        let mark = |text: String| match cycles {
            Some(Cycles { of: Some(_), .. }) => format!("≈ {text}"),
            _ => text,
        };
        cells.push(cycles.map_or_else(|| "–".into(), |c| mark(number(c.cycles / 1e6))));
        cells.push(factor.map_or_else(|| "–".into(), |factor| mark(number(factor))));
        cells.push(number_or_dash(papers(name, i, kernel)));
        if let Some(Cycles { of: Some(other), .. }) = cycles {
            let other = other.to_string();
            notes.push(format!("{words}: {}", other.split('_').nth(1).unwrap_or(&other)));
        }
    }
    cells.push(notes.join(", "));
    cells
}

fn bars(standings: &[Standings], name: &str, i: usize, operation: Operation) -> Vec<Bar> {
    let set = set(name);
    // As in the table, what was not measured of the set itself is marked.
    let mark = |contestant: &str| {
        let cycles = SIGNING.cycles(standings, (set, operation), &others(set, operation), contestant);
        if cycles.is_some_and(|cycles| cycles.of.is_some()) { "≈ " } else { "" }
    };
    let bar = |(kernel, contestant): (usize, &str)| Bar {
        name: format!("{}{contestant}", mark(contestant)),
        value: match contestant {
            SCALAR => Some(1.0).filter(|_| !standings.is_empty()),
            _ => SIGNING.factor(standings, (set, operation), &others(set, operation), contestant),
        },
        paper: papers(name, i, kernel),
        whose: whose(contestant),
    };
    KERNELS.into_iter().enumerate().map(bar).collect()
}
