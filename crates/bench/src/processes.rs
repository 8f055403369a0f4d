//! The same command again in a fresh process: where a kernel's speed hangs on where its code and its memory happen
//! to lie, one process tells only of one place.

use crate::contest::Holding;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// The hidden option by which a process knows that it was started for its holdings.
pub(crate) const EMIT: &str = "--emit";

/// Runs this program again with the same arguments and gives what it measured.
///
/// # Errors
/// If the process cannot be started, fails, or says something else.
pub(crate) fn run_again() -> Result<Vec<Holding>, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1)).arg(EMIT).stdout(Stdio::piped());
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
