//! `count`: the exact number of instructions of a call (Gueron, Krasnov 2012, Fig. 5). A child process does
//! the work, and this process steps it instruction by instruction.
//!
//! The count covers the whole call of a contestant, from its first instruction to its return, minus a call of
//! an empty function. The first calls, which choose kernels and bind symbols, are not counted.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stepper;

use crate::contestants;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::work::Work;
use hashlanes_chart::TextTable;
use hashlanes_clock::{Pin, PinGuard};

/// Counts and shows instructions of each contestant's call on each work.
pub(crate) fn run(names: &[String], works: &[Work]) -> Result<(), String> {
    let interrupt = Interrupt::listen();
    let mut table = TextTable::new(["work", "contestant", "instructions", "a message", "a byte"]).left(&[1]);
    let mut told = Vec::new();
    'all: for work in works {
        for name in names {
            match instructions(name, *work, &interrupt) {
                Ok(Some(count)) => {
                    let input = Input::new(*work);
                    let (messages, bytes) = (input.count() as f64, input.bytes().max(1) as f64);
                    let each = format!("{:.2}", count as f64 / messages);
                    let byte = format!("{:.4}", count as f64 / bytes);
                    table.row([work.to_string(), name.clone(), count.to_string(), each, byte]);
                }
                Ok(None) => break 'all,
                Err(error) => told.push(format!("{name}, {work}: {error}")),
            }
        }
    }
    out!("{table}");
    told.iter().for_each(|line| outln!("{line}"));
    if interrupt.is_requested() {
        outln!("interrupted: the others were not counted");
    }
    Ok(())
}

/// Shows the instructions of a loop of 1 + 2n instructions: the counter's own check.
pub(crate) fn run_known_loop(n: u32) -> Result<(), String> {
    let counts = steps(&["count", "--inside", "--known-loop", &n.to_string()], &Interrupt::default())?;
    match counts.as_deref() {
        Some([counted, empty]) => {
            outln!("{} instructions; {} expected", counted - empty, 1 + 2 * u64::from(n));
            Ok(())
        }
        _ => Err(format!("the child set other marks: {counts:?}")),
    }
}

/// Instructions of a contestant's call; `None` if the user interrupted.
///
/// # Errors
/// If the contestant is not available, does not support the workload, or processes cannot be traced.
pub(crate) fn instructions(name: &str, work: Work, interrupt: &Interrupt) -> Result<Option<u64>, String> {
    // Checked here, because this process gives better error messages than the child.
    let candidate = contestants::named(name)?;
    if let crate::candidate::Presence::Missing(install) = candidate.presence() {
        return Err(format!("not installed: {install}"));
    }
    let input = Input::new(work);
    candidate.enter(&input).map_err(|why| format!("not applicable: {}", why.0))?;
    let counts = steps(&["count", "--inside", name, "--work", &work.to_string()], interrupt)?;
    match counts.as_deref() {
        None => Ok(None),
        Some([counted, empty]) => Ok(Some(counted - empty)),
        Some(_) => Err(format!("the child set other marks: {counts:?}")),
    }
}

/// Steps this program as a child with these arguments.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn steps(arguments: &[&str], interrupt: &Interrupt) -> Result<Option<Vec<u64>>, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let mut command = std::process::Command::new(program);
    command.args(arguments);
    let bar = crate::terminal::Steps::new();
    let mut progress = |steps| {
        bar.tell(steps);
        !interrupt.is_requested()
    };
    // The child inherits the CPU: a step then wakes no other CPU.
    let _pin = PinGuard::new(Pin::Current);
    let counts = stepper::count_steps(&mut command, &mut progress);
    bar.clear();
    counts.map_err(|error| format!("processes cannot be stepped here: {error}"))
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn steps(_: &[&str], _: &Interrupt) -> Result<Option<Vec<u64>>, String> {
    Err("instructions are counted on Linux, x86-64 only".into())
}

/// In the child: the work between two marks, then nothing between two marks.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) fn inside(name: &str, work: Work) -> Result<(), String> {
    let candidate = contestants::named(name)?;
    let input = Input::new(work);
    let mut entry = candidate.enter(&input).map_err(|why| why.0)?;
    entry.digests();
    entry.digests_of(&mut |work| {
        work();
        stepper::marked(work);
        stepper::marked(&mut || {});
    });
    Ok(())
}

/// In the child: the known loop between two marks, then nothing between two marks.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) fn inside_known_loop(n: u32) {
    stepper::marked_function(stepper::known_loop, n.max(1));
    stepper::marked_function(stepper::nothing, 0);
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(crate) fn inside(_: &str, _: Work) -> Result<(), String> {
    Err("instructions are counted on Linux, x86-64 only".into())
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(crate) fn inside_known_loop(_: u32) {}
