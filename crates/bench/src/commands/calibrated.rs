//! `sweep --calibrated`: the choice by costs that are measured now, next to the choice by the tables' costs.
//! Where they differ, both are timed.

use super::sweep::{Sweep, tell_absent, work};
use crate::contest::Contest;
use crate::contestants::{CALIBRATED, OURS, tables};
use crate::costs::Costs;
use crate::session::Session;
use hashlanes::kernels::AnyTable;
use hashlanes_chart::{TextTable, size_text};

/// A choice is worse if it takes longer by more than this share.
const WORSE: f64 = 0.02;

/// Measures both choices wherever they differ.
pub(crate) fn run(session: &mut Session, sweep: &Sweep) -> Result<(), String> {
    let table = tables().find(|(hash, _)| *hash == sweep.hash).map(|(_, table)| table);
    let table = table.ok_or_else(|| format!("{} has no table of kernels", sweep.hash.name()))?;
    let places: Vec<(usize, usize)> =
        sweep.lens.iter().flat_map(|len| sweep.counts.iter().map(move |count| (*count, *len))).collect();
    let choices = |costs: Costs| -> Vec<Vec<Call>> {
        costs.choose();
        places.iter().map(|(count, len)| calls(table, *count, *len)).collect()
    };
    let (by_column, calibrated) = (choices(Costs::Columns), choices(Costs::Measured));
    let others: Vec<usize> = (0..places.len()).filter(|&i| by_column[i] != calibrated[i]).collect();
    let contestants = [OURS, CALIBRATED].map(str::to_owned);
    let contest = |&i: &usize| Contest::of(work(sweep.hash, places[i].0, places[i].1), &contestants);
    let contests: Vec<Contest> = others.iter().map(contest).collect();
    let standings = session.measure(&contests)?;
    if session.is_silent() {
        return Ok(());
    }
    outln!("{}\n{}: calls where the choices differ", session.environment(), sweep.hash.name());
    let headings = ["messages", "bytes", "by the column", "calibrated", "column", "calibrated", "ratio", ""];
    let mut text = TextTable::new(headings).left(&[2, 3, 7]);
    let mut ratios = Vec::new();
    for (&i, standing) in others.iter().zip(&standings) {
        let cycles = |name| standing.outcome(name)?.figure_cycles();
        let (Some(column), Some(measured)) = (cycles(OURS), cycles(CALIBRATED)) else { continue };
        let ratio = measured / column;
        ratios.push(ratio);
        let (count, len) = places[i];
        text.row([
            count.to_string(),
            size_text(len),
            names(&by_column[i]),
            names(&calibrated[i]),
            format!("{column:.0}"),
            format!("{measured:.0}"),
            format!("{ratio:.3}"),
            if ratio > 1.0 + WORSE { "worse".to_owned() } else { String::new() },
        ]);
    }
    outln!("{text}");
    let n_worse = ratios.iter().filter(|ratio| **ratio > 1.0 + WORSE).count();
    let same = (places.len() - others.len()) as f64;
    outln!(
        "the choices are the same at {same} of {} points; the calibrated one takes more than {:.0} % longer at \
         {n_worse}; mean ratio of all points {:.4}, the largest {:.3}",
        places.len(),
        WORSE * 100.0,
        (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / places.len() as f64).exp(),
        ratios.iter().fold(1.0, |a: f64, b| a.max(*b)),
    );
    tell_absent(&standings);
    Ok(())
}

/// A kernel, and the messages and blocks of one call.
type Call = (&'static str, usize, usize);

/// The calls that `count` messages of `len` bytes take.
fn calls(table: &dyn AnyTable, count: usize, len: usize) -> Vec<Call> {
    let mut calls = Vec::new();
    table.explain(count, len as u64, &mut |step| {
        calls.push((step.kernel.name, step.n_messages, step.n_blocks))
    });
    calls
}

/// The kernels of the calls, in order.
fn names(calls: &[Call]) -> String {
    let names: Vec<&str> = calls.iter().map(|(name, ..)| *name).collect();
    let run =
        |run: &[&str]| if run.len() == 1 { run[0].into() } else { format!("{}·{}", run.len(), run[0]) };
    names.chunk_by(|a, b| a == b).map(run).collect::<Vec<String>>().join(", ")
}
