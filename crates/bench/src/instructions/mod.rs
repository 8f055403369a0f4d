//! `instructions`: latency and reciprocal throughput of the SHA and AES instructions of this CPU, as a table
//! (Faz-Hernández, López, de Oliveira 2018, sections 4.2 and 5.2, which quote Fog's tables).
//!
//! The latency is the time of an instruction in a chain in which each waits for the result before. The
//! reciprocal throughput is its time where twelve registers do not wait for each other.

mod chains;

use crate::noise::{Counts, Noise};
use crate::session::Session;
use crate::summary;
use chains::{CHAINS, Chain, EXECUTED};
use hashlanes_chart::TextTable;
use hashlanes_clock::{Contestant, Footprint, Outcome, Quality, Race};
use serde::{Deserialize, Serialize};

/// A row of the summary.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Timing {
    /// Core cycles in a chain.
    latency: f64,
    /// Core cycles if nothing waits.
    reciprocal_throughput: f64,
}

/// The paper's values of instructions: latency, reciprocal throughput, and the CPU.
const PAPER: [(&str, &str); 4] = [
    ("sha256msg1 xmm", "2; 0.5 (Zen)"),
    ("sha256msg2 xmm", "3; 2 (Zen)"),
    ("sha256rnds2 xmm", "4; 2 (Zen)"),
    ("aesenc xmm", "7; 1 (Haswell), 4; 1 (Skylake, Kaby Lake), 4; 0.5 (Zen)"),
];

/// Measures and shows all instructions that this CPU has.
///
/// # Errors
/// If there is no core clock, the CPU has none of the instructions, or too many values are noise.
pub(crate) fn run(session: &mut Session) -> Result<(), String> {
    let present: Vec<&Chain> = CHAINS.iter().filter(|chain| chain.is_present()).collect();
    if present.is_empty() {
        return Err("this CPU has no SHA or AES instructions that are timed here".into());
    }
    let bar = session.bar("instructions");
    let interrupt = session.interrupt();
    let mut race = Race::new(session.options()).watch(|progress| {
        bar.tell(progress);
        interrupt.flow()
    });
    for chain in &present {
        let contestant = |call: fn(&Chain)| {
            Contestant::new(chain.name, Footprint::contiguous(0), move || call(chain))
                .bytes(0)
                .messages(EXECUTED)
        };
        race = race.enter(contestant(Chain::wait)).enter(contestant(Chain::fill));
    }
    let report = race.run_with(session.clock());
    session.bar("instructions").clear();
    let counts = Counts::of_outcomes(&report.outcomes);
    let timings: Vec<(&Chain, Option<Timing>)> = present
        .into_iter()
        .zip(report.outcomes.chunks(2))
        .map(|(chain, both)| (chain, timing(both)))
        .collect();
    show(session, &timings);
    if let Some(folder) = session.record() {
        let rows =
            timings.iter().filter_map(|(chain, timing)| Some((chain.name.to_owned(), timing.clone()?)));
        let file = summary::keep(folder, "instructions", session.environment(), rows)?;
        eprintln!("recorded in {}", file.display());
    }
    counts.check(Noise::LeftOut)
}

/// The timing of an instruction, if both values can be trusted.
fn timing(both: &[Outcome]) -> Option<Timing> {
    let cycles = |outcome: &Outcome| {
        let is_trusted = outcome.quality() != Quality::Noisy;
        outcome.figure_cycles().filter(|_| is_trusted).map(|cycles| cycles / EXECUTED as f64)
    };
    let [waiting, independent] = both else { return None };
    Some(Timing { latency: cycles(waiting)?, reciprocal_throughput: cycles(independent)? })
}

fn show(session: &Session, timings: &[(&Chain, Option<Timing>)]) {
    let heads = ["instruction", "latency", "cycles each", "each cycle", "paper: latency; cycles each"];
    let mut table = TextTable::new(heads).left(&[4]);
    for (chain, timing) in timings {
        let value = |of: fn(&Timing) -> f64| {
            timing.as_ref().map_or_else(|| "–".to_owned(), |timing| format!("{:.2}", of(timing)))
        };
        let paper = PAPER.iter().find(|(name, _)| *name == chain.name).map_or("", |(_, values)| values);
        table.row([
            chain.name.to_owned(),
            value(|timing| timing.latency),
            value(|timing| timing.reciprocal_throughput),
            value(|timing| 1.0 / timing.reciprocal_throughput),
            paper.to_owned(),
        ]);
    }
    outln!("{}\n\n{table}", session.environment());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_that_are_present_run() {
        for chain in CHAINS.iter().filter(|chain| chain.is_present()) {
            chain.wait();
            chain.fill();
        }
    }

    #[test]
    fn the_paper_s_instructions_are_timed() {
        let is_timed = |name: &str| CHAINS.iter().any(|chain| chain.name == name);
        assert!(CHAINS.is_empty() || PAPER.iter().all(|(name, _)| is_timed(name)));
    }
}
