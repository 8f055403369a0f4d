//! `targets`: measures the project's targets against today's rivals.
//!
//! | column | means |
//! |---|---|
//! | limit, must | cycles on Zen 4: absolute there, without meaning on other CPUs |
//! | rival, ours | measured now, in one race; the worst of several processes |
//! | ratio | ours over rival, turn by turn |
//! | ratio wanted | the ratio that the target implies: must over its rival |
//! | verdict | on Zen 4 by `must`, elsewhere by the ratio: `ok`, or how much is missing; `–` if no rival is known |

mod row;
mod table;

use crate::commands::compare::parse_entrant;
use crate::contest::Contest;
use crate::contestants::{self, kernel_name, rows, tables};
use crate::session::Session;
use crate::standings::Standings;
use crate::summary;
use hashlanes_chart::TextTable;
use hashlanes_clock::Environment;
use row::Row;
use std::path::Path;

pub(crate) use table::{OPENSSL_NO_SHA_NI, OPENSSL_SSSE3};
use table::{RIVALS, TARGETS, Target};

/// Measures and shows the rows that `filter` selects by hash or text (all without a filter), and the
/// difference of their ratios from those of an earlier run in the summary `against`.
pub(crate) fn run(session: &mut Session, filter: Option<&str>, against: Option<&Path>) -> Result<(), String> {
    let before = against.map(summary::rows::<Row>).transpose()?;
    let wanted = TARGETS.iter().filter(|t| filter.is_none_or(|f| id(t).contains(f)));
    let (ready, waiting): (Vec<&Target>, Vec<&Target>) = wanted.partition(|t| pieces_exist(t));
    if ready.is_empty() && waiting.is_empty() {
        return Err("there is no such row".into());
    }
    let contests: Vec<Contest> = ready.iter().map(|target| contest(target)).collect();
    let standings = session.measure(&contests)?;
    if session.is_silent() {
        return Ok(());
    }
    let environment = session.environment();
    let zen4 = is_zen4(environment);
    let rows: Vec<(String, Row)> = ready
        .into_iter()
        .filter_map(|target| Some((target, standings.iter().find(|s| s.id() == id(target))?)))
        .map(|(target, standing)| (id(target), Row::new(target, standing, zen4)))
        .collect();
    show(environment, &rows);
    if let Some(before) = before {
        compare(&before, &rows);
    }
    for target in waiting {
        outln!("not yet: {} (no kernel {})", id(target), kernel_name(target.ours).unwrap_or_default());
    }
    outln!("");
    show_absent(&standings);
    if let Some(folder) = session.record() {
        let measured = rows.into_iter().filter(|(_, row)| row.is_trusted());
        let file = summary::keep(folder, "targets", session.environment(), measured)?;
        eprintln!("summary in {}", file.display());
    }
    Ok(())
}

fn id(target: &Target) -> String {
    format!("{}: {}", target.work.hash.name(), target.what)
}

/// Returns whether our library supports the row, even if this CPU cannot run it.
fn pieces_exist(target: &Target) -> bool {
    let Some(kernel) = kernel_name(target.ours) else { return true };
    let table = tables().find(|(hash, _)| *hash == target.work.hash);
    table.is_some_and(|(_, table)| rows(table).any(|row| row.name == kernel))
}

fn contest(target: &Target) -> Contest {
    let rivals = if target.rivals.is_empty() { &RIVALS[..] } else { target.rivals };
    let entries = std::iter::once(target.ours).chain(rivals.iter().copied()).map(|text| {
        let (name, own) = parse_entrant(text).expect("the table's contestants exist");
        (name, own.unwrap_or(target.work))
    });
    Contest::new(id(target), entries.collect()).with(target.environment)
}

/// Whether the limits are this CPU's: Zen 4 (AMD family 19h, models 10h–1Fh, 60h–7Fh, A0h–AFh).
fn is_zen4(environment: &Environment) -> bool {
    let model = environment.model.unwrap_or(0);
    environment.vendor == "AuthenticAMD"
        && environment.family == Some(25)
        && matches!(model, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf)
}

fn show(environment: &Environment, rows: &[(String, Row)]) {
    outln!("{environment}");
    if !is_zen4(environment) {
        outln!("This is not the Zen 4 that limits and musts are for: only ratios count here.");
    }
    let mut table = TextTable::new([
        "work", "unit", "limit", "must", "rival", "", "ours", "ratio", "interval", "wanted", "verdict",
    ])
    .left(&[1, 5, 10]);
    rows.iter().for_each(|(id, row)| table.row(row.cells(id)));
    outln!("{table}");
}

/// Shows the ratios of two runs to the same rivals.
fn compare(before: &[(String, Row)], now: &[(String, Row)]) {
    let mut table = TextTable::new(["work", "rival", "ratio before", "now", "difference"]).left(&[1]);
    let mut differences = Vec::new();
    for (id, row) in now {
        let old = before.iter().find(|(old, _)| old == id).map(|(_, old)| old);
        let (Some(old), Some(rival), Some([ratio, _, _])) = (old, &row.rival, row.ratio) else { continue };
        let (Some(old_rival), Some([old_ratio, _, _])) = (&old.rival, old.ratio) else { continue };
        // Among equally fast rivals, any may be the fastest; they are the same yardstick.
        let difference = 100.0 * (ratio / old_ratio - 1.0);
        let name = match old_rival.name == rival.name {
            true => rival.name.clone(),
            false => format!("{}, {}", old_rival.name, rival.name),
        };
        let numbers = [format!("{old_ratio:.3}"), format!("{ratio:.3}"), format!("{difference:+.1} %")];
        table.row([id.clone(), name].into_iter().chain(numbers));
        differences.push(difference.abs());
    }
    outln!("Against the earlier run:\n{table}");
    let within = differences.iter().filter(|difference| **difference < AGREEMENT).count();
    let most = differences.iter().copied().fold(0.0, f64::max);
    outln!(
        "{within} of {} ratios differ by less than {AGREEMENT} %, the greatest by {most:.1} %",
        differences.len()
    );
}

/// Per cent by which the ratios of two runs on a machine at rest differ at most.
const AGREEMENT: f64 = 3.0;

/// All rivals, with the reason why one could not be measured. Unsupported workloads are reported by row.
fn show_absent(standings: &[Standings]) {
    outln!("contestants:");
    for candidate in contestants::all() {
        let name = candidate.name();
        // A yardstick may also be `NAME=WORK`.
        let is_it = |label: &&str| label.split('=').next() == Some(name);
        let measured = standings.iter().filter(|s| s.timed().iter().any(is_it)).count();
        let mut reasons: Vec<(String, usize)> = Vec::new();
        let absent = standings.iter().filter_map(|s| s.absent().find(|(label, _)| is_it(&label.as_str())));
        for (_, absence) in absent {
            let text = absence.text();
            match reasons.iter_mut().find(|(t, _)| *t == text) {
                Some((_, times)) => *times += 1,
                None => reasons.push((text, 1)),
            }
        }
        if measured == 0 && reasons.is_empty() {
            continue; // Nobody asked it.
        }
        let reasons = reasons.iter().map(|(text, times)| format!("; {times} × {text}")).collect::<String>();
        outln!("  {name}: measured in {measured} rows{reasons}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_differ_and_read_as_they_are_written() {
        let mut ids: Vec<String> = TARGETS.iter().map(id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), TARGETS.len());
        for target in TARGETS {
            assert_eq!(target.work.to_string().parse(), Ok(target.work));
            let names = std::iter::once(&target.ours).chain(target.rivals);
            for name in names {
                assert!(parse_entrant(name).is_ok(), "{name}");
            }
        }
        assert!(RIVALS.iter().all(|name| contestants::named(name).is_ok()));
    }
}
