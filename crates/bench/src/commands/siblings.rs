//! `siblings`: what a busy second hardware thread of a core does to one message and to many
//! (docs/hardware-threads.md). A second process hashes on that thread while this one measures.

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::session::Session;
use crate::standings::Standings;
use crate::work::Work;
use hashlanes_chart::{TextTable, number, number_or_dash};
use hashlanes_clock::{Options, Pin, PinGuard, Pinning};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// One message, which waits for the latency of its instructions, and many, which fill the ports.
const WORKS: [(&str, &str); 2] = [("one message", "sha256:16K"), ("many messages", "sha256:64x1K")];
/// The time in which the other process checks its digests and starts.
const START: Duration = Duration::from_secs(1);

/// Measures one message and many alone, next to one message, and next to many, on the CPU `next_to`: without
/// it, the other hardware thread of the core.
///
/// # Errors
/// If the core has no other hardware thread, the process cannot stay on its CPU, or the other one not be
/// started.
pub(crate) fn run(session: &mut Session, next_to: Option<usize>) -> Result<(), String> {
    let here = match PinGuard::new(session.options().pin).pinning() {
        Pinning::Cpu(cpu) => *cpu,
        Pinning::No => return Err("siblings: needs --cpu".into()),
        Pinning::Failed(why) => return Err(why.clone()),
    };
    let next_to = next_to.map_or_else(|| sibling(here), Ok)?;
    let neighbours = [None, Some(WORKS[0]), Some(WORKS[1])];
    let mut cycles: Vec<Vec<Option<f64>>> = Vec::new();
    for neighbour in neighbours {
        let _other = neighbour.map(|(_, work)| Neighbour::start(next_to, work)).transpose()?;
        let told = neighbour.map_or("alone", |(name, _)| name);
        let contest = |(name, work): (&str, &str)| {
            let work: Work = work.parse().expect("a work as written");
            Contest::of(work, [OURS]).named(format!("siblings: {name}, {told}"))
        };
        let standings = session.measure(&WORKS.map(contest))?;
        let value = |standing: &Standings| {
            standing.outcome(OURS)?.figure_cycles_per_byte().filter(|_| standing.is_trusted(OURS))
        };
        cycles.push(standings.iter().map(value).collect());
        if session.interrupted() {
            return Ok(());
        }
    }
    show(session, (here, next_to), &cycles);
    Ok(())
}

fn show(session: &Session, (here, next_to): (usize, usize), cycles: &[Vec<Option<f64>>]) {
    let heads = ["cycles per byte", "alone", "next to one message", "factor", "next to many", "factor"];
    let mut table = TextTable::new(heads);
    let value = |neighbour: usize, work: usize| cycles.get(neighbour)?.get(work).copied().flatten();
    for (work, (name, _)) in WORKS.iter().enumerate() {
        let factor = |neighbour| Some(value(neighbour, work)? / value(0, work)?);
        table.row([
            (*name).to_owned(),
            number_or_dash(value(0, work)),
            number_or_dash(value(1, work)),
            number_or_dash(factor(1)),
            number_or_dash(value(2, work)),
            number_or_dash(factor(2)),
        ]);
    }
    outln!("{}; CPU {here}, next to CPU {next_to}\n\n{table}", session.environment());
    // Both hardware threads do the same: one message each, or many each.
    let lead = |one: usize, many: usize| Some(value(one, 0)? / value(many, 1)?);
    if let Some((alone, both)) = lead(0, 0).zip(lead(1, 2)) {
        outln!(
            "many messages over one: {} times as fast alone, {} times if both threads do the same",
            number(alone),
            number(both)
        );
    }
}

/// A process that hashes until it is dropped.
struct Neighbour(Child);

impl Neighbour {
    fn start(cpu: usize, work: &str) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
        let mut command = Command::new(program);
        command.args(["compare", OURS, "-w", work, "--samples", "1000000", "--sample", "200"]);
        command.args(["--cpu", &cpu.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("a process on CPU {cpu}: {error}"))?;
        std::thread::sleep(START);
        match child.try_wait() {
            Ok(None) => Ok(Neighbour(child)),
            ended => Err(format!("a process on CPU {cpu} ended: {ended:?}")),
        }
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The other hardware thread of a CPU's core.
fn sibling(cpu: usize) -> Result<usize, String> {
    let file = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    let list = std::fs::read_to_string(&file)
        .map_err(|error| format!("{file}: {error}; name a CPU by --next-to"))?;
    other(&list, cpu)
        .ok_or_else(|| format!("CPU {cpu} shares its core with no other; name a CPU by --next-to"))
}

/// The first CPU of a list such as `0,8` or `0-1` that is not this one.
fn other(list: &str, cpu: usize) -> Option<usize> {
    let ranges = list.trim().split(',').filter_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<usize>().ok()?..=last.parse().ok()?)
    });
    ranges.flatten().find(|other| *other != cpu)
}

/// The options of this command: a busy neighbour is what is measured, so the gate lets it pass.
pub(crate) fn options(options: Options) -> Options {
    const ANY: f64 = 100.0;
    let pin = if options.pin == Pin::No { Pin::Current } else { options.pin };
    Options { tolerance: ANY, pin, ..options }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_thread_of_a_core_is_found() {
        assert_eq!([other("0,8\n", 0), other("0,8\n", 8)], [Some(8), Some(0)]);
        assert_eq!([other("2-3", 2), other("2-3", 3)], [Some(3), Some(2)]);
        assert_eq!([other("4\n", 4), other("", 0)], [None, None]);
    }

    #[test]
    fn works_can_be_measured() {
        assert!(WORKS.iter().all(|(_, work)| work.parse::<Work>().is_ok()));
    }
}
