//! The share of the message schedule in the time of one message (Gueron, Krasnov 2012, section 1): each
//! kernel, and its rounds alone, for which the schedules of all blocks are computed beforehand.
//!
//! The share is the time that the rounds alone save. Where the CPU computes the schedule in slots that the
//! rounds leave free, it is smaller than the schedule's share of the instructions.

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::{Figure, cpb, find};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Bar, Chart, TextTable, Whose, number_or_dash};

/// gueron-krasnov-2012-schedule.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-schedule",
    title: "the message schedule's share of the time of one message",
    paper: "the schedule takes about 26 % of the time of SHA-1, 27 % of SHA-256, 29 % of SHA-512 in OpenSSL 1.0.0e on the \
            2nd generation Core",
    pairs: &[],
    contests,
    show,
};

/// Whole blocks whose schedules stay in the first-level cache.
const LEN: usize = 1024;
/// Hashes and kernels, and the paper's share of serial code in per cent.
const KERNELS: [(Hash, &str, Option<f64>); 7] = [
    (Hash::Sha1, "serial-ror", Some(26.0)),
    (Hash::Sha1, "sha-ni", None),
    (Hash::Sha256, "serial-ror", Some(27.0)),
    (Hash::Sha256, "serial-rorx", None),
    (Hash::Sha256, "sha-ni", None),
    (Hash::Sha512, "serial-ror", Some(29.0)),
    (Hash::Sha512, "serial-rorx", None),
];

fn id(hash: Hash, kernel: &str) -> String {
    FIGURE.id(format_args!("{} {kernel}", hash.name()))
}

/// The kernel, and its rounds alone.
fn names(kernel: &str) -> [String; 2] {
    [format!("{OURS}:{kernel}"), format!("{OURS}:{kernel}:rounds")]
}

fn contests() -> Vec<Contest> {
    let contest = |(hash, kernel, _): (Hash, &str, Option<f64>)| {
        let work = Work::new(hash, Shape::Lanes { count: 1, len: LEN });
        Contest::of(work, names(kernel)).named(id(hash, kernel))
    };
    KERNELS.map(contest).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let heads = ["hash", "kernel", "whole, c/B", "rounds alone, c/B", "schedule, %", "paper, %"];
    let mut table = TextTable::new(heads).left(&[1]);
    let mut bars = Vec::new();
    for (hash, kernel, paper) in KERNELS {
        let (id, [whole, rounds]) = (id(hash, kernel), names(kernel));
        let ratio = find(standings, &id).and_then(|standing| standing.ratio(&rounds, &whole));
        let share = ratio.map(|ratio| 100.0 * (1.0 - ratio.median));
        table.row([
            hash.name().into_owned(),
            kernel.to_owned(),
            number_or_dash(cpb(standings, &id, &whole)),
            number_or_dash(cpb(standings, &id, &rounds)),
            share.map_or_else(|| "–".into(), |share| format!("{share:.1}")),
            number_or_dash(paper),
        ]);
        let name = format!("{}: {kernel}", hash.name());
        bars.push(Bar { name, value: share, paper, whose: Whose::Ours });
    }
    let chart = chart.bars("schedule's share of the time, per cent", bars);
    (table, chart.quoted("OpenSSL 1.0.0e on the 2nd generation Core"))
}
