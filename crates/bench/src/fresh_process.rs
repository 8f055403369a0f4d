//! The same command again in a fresh process.
//!
//! A kernel's speed can depend on the addresses of its code and memory, and one process measures only one
//! address. And some rivals read their environment only once, when they are loaded.

use crate::contest::Holding;
use crate::work::Work;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// The hidden option of a process that was started only to measure.
const EMIT: &str = "--emit";
/// The variable with the contests for which a process was started.
const ENVIRONMENT: &str = "HASHLANES_BENCH_ENVIRONMENT";

/// The variable with the works that a process was started to measure.
const WORKS: &str = "HASHLANES_BENCH_WORKS";

/// The variable for rivals of this process, `NAME=VALUE`; empty if there is none.
pub(crate) fn environment() -> String {
    std::env::var(ENVIRONMENT).unwrap_or_default()
}

/// The works that this process was started to measure, if it was started for some.
pub(crate) fn works() -> Option<Vec<Work>> {
    let works = std::env::var(WORKS).ok()?;
    works.split(' ').map(|work| work.parse().ok()).collect()
}

/// Runs this program again with the same arguments, and with the variable `environment` (`NAME=VALUE`, or
/// none). Returns its measurements.
///
/// # Errors
/// If the process cannot be started, fails, or prints something else.
pub(crate) fn run_again(environment: &str) -> Result<Vec<Holding>, String> {
    match environment.split_once('=') {
        Some((name, value)) => run(&[(ENVIRONMENT, environment), (name, value)]),
        None => run(&[]),
    }
}

/// Runs this program again with the same arguments, for some works alone. Returns its measurements.
///
/// # Errors
/// Like [`run_again`].
pub(crate) fn run_for(works: &[Work]) -> Result<Vec<Holding>, String> {
    if works.is_empty() {
        return Ok(Vec::new());
    }
    let works: Vec<String> = works.iter().map(Work::to_string).collect();
    run(&[(WORKS, &works.join(" "))])
}

fn run(variables: &[(&str, &str)]) -> Result<Vec<Holding>, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let mut command = Command::new(program);
    let arguments = std::env::args_os().skip(1).filter(|argument| argument != EMIT);
    command.args(arguments).arg(EMIT).stdout(Stdio::piped()).envs(variables.iter().copied());
    let mut child = command.spawn().map_err(|error| format!("a process: {error}"))?;
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let mut holdings = Vec::new();
    for line in output.lines() {
        let line = line.map_err(|error| format!("a process' output: {error}"))?;
        holdings.push(serde_json::from_str(&line).map_err(|error| format!("a process' output: {error}"))?);
    }
    let status = child.wait().map_err(|error| format!("a process: {error}"))?;
    if status.success() { Ok(holdings) } else { Err(format!("a process ended with {status}")) }
}
