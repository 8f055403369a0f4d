//! `sweep --forecast`: the plan next to the truth. For each number of messages and each length: the cycles by
//! the tables, the measured ones, and whether one kernel alone would have taken less.

use super::sweep::{Sweep, tell_absent, work};
use crate::contest::Contest;
use crate::contestants::{OURS, rows, tables};
use crate::session::Session;
use crate::standings::Standings;
use hashlanes::kernels::AnyTable;
use hashlanes_chart::{TextTable, size_text};

/// A forecast is off if it differs by this share from the measured cycles.
const OFF: f64 = 0.05;
/// A choice is beaten if one kernel takes less time by more than this share.
const BEATEN: f64 = 0.02;

/// Measures every combination on the chosen kernels and on each kernel of the plan alone.
pub(crate) fn run(session: &mut Session, sweep: &Sweep) -> Result<(), String> {
    let table = tables().find(|(hash, _)| *hash == sweep.hash).map(|(_, table)| table);
    let table = table.ok_or_else(|| format!("{} has no table of kernels", sweep.hash.name()))?;
    let kernels: Vec<&str> = rows(table).filter(|row| row.is_candidate).map(|row| row.name).collect();
    let alone = kernels.iter().map(|name| format!("{OURS}:{name}"));
    let contestants: Vec<String> = std::iter::once(OURS.to_owned()).chain(alone).collect();
    let places: Vec<(usize, usize)> =
        sweep.lens.iter().flat_map(|len| sweep.counts.iter().map(move |count| (*count, *len))).collect();
    let contests: Vec<Contest> =
        places.iter().map(|(count, len)| Contest::of(work(sweep.hash, *count, *len), &contestants)).collect();
    let standings = session.measure(&contests)?;
    if session.is_silent() {
        return Ok(());
    }
    outln!("{}\n{}: core cycles of a call", session.environment(), sweep.hash.name());
    let headings =
        ["messages", "bytes", "measured", "forecast", "ratio", "kernels", "best alone", "ratio", ""];
    let mut text = TextTable::new(headings).left(&[5, 6, 8]);
    let (mut n_off, mut n_beaten) = (0, 0);
    for ((count, len), standing) in places.iter().zip(&standings) {
        let Some(measured) = cycles(standing, OURS) else { continue };
        let (forecast, chosen) = forecast(table, *count, *len);
        let alone =
            kernels.iter().filter_map(|&name| Some((name, cycles(standing, &format!("{OURS}:{name}"))?)));
        let best = alone.min_by(|a, b| a.1.total_cmp(&b.1));
        let is_off = (forecast / measured - 1.0).abs() > OFF;
        let is_beaten = best.is_some_and(|best| best.1 * (1.0 + BEATEN) < measured);
        (n_off, n_beaten) = (n_off + usize::from(is_off), n_beaten + usize::from(is_beaten));
        text.row([
            count.to_string(),
            size_text(*len),
            format!("{measured:.0}"),
            format!("{forecast:.0}"),
            format!("{:.3}", forecast / measured),
            chosen,
            best.map_or_else(String::new, |best| best.0.to_owned()),
            best.map_or_else(String::new, |best| format!("{:.3}", best.1 / measured)),
            match (is_off, is_beaten) {
                (_, true) => "beaten".to_owned(),
                (true, false) => "off".to_owned(),
                (false, false) => String::new(),
            },
        ]);
    }
    outln!("{text}");
    outln!(
        "{n_off} of {} forecasts are off by more than {:.0} %; at {n_beaten} points one kernel alone takes less \
         than {:.0} % of the time",
        places.len(),
        OFF * 100.0,
        100.0 / (1.0 + BEATEN)
    );
    tell_absent(&standings);
    Ok(())
}

/// The core cycles of a whole call, measured.
fn cycles(standing: &Standings, name: &str) -> Option<f64> {
    standing.outcome(name)?.figure_cycles()
}

/// The core cycles of a call by the tables, and the kernels that it takes, in order.
fn forecast(table: &dyn AnyTable, count: usize, len: usize) -> (f64, String) {
    let (mut cycles, mut kernels) = (0, Vec::new());
    table.explain(count, len as u64, &mut |step| {
        cycles += step.cycles;
        if kernels.last() != Some(&step.kernel.name) {
            kernels.push(step.kernel.name);
        }
    });
    (cycles as f64, kernels.join(", "))
}
