//! The same command again in a fresh process.
//!
//! A kernel's speed can depend on the addresses of its code and memory, and one process measures only one
//! address. And some rivals read their environment only once, when they are loaded.

use crate::contest::Holding;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// The hidden option of a process that was started only to measure.
const EMIT: &str = "--emit";
/// The variable with the contests for which a process was started.
const ENVIRONMENT: &str = "HASHLANES_BENCH_ENVIRONMENT";

/// The variable for rivals of this process, `NAME=VALUE`; empty if there is none.
pub(crate) fn environment() -> String {
    std::env::var(ENVIRONMENT).unwrap_or_default()
}

/// Runs this program again with the same arguments, and with the variable `environment` (`NAME=VALUE`, or
/// none). Returns its measurements.
///
/// # Errors
/// If the process cannot be started, fails, or prints something else.
pub(crate) fn run_again(environment: &str) -> Result<Vec<Holding>, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let mut command = Command::new(program);
    let arguments = std::env::args_os().skip(1).filter(|argument| argument != EMIT);
    command.args(arguments).arg(EMIT).stdout(Stdio::piped());
    if let Some((name, value)) = environment.split_once('=') {
        command.env(ENVIRONMENT, environment).env(name, value);
    }
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
