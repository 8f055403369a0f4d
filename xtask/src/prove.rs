//! `cargo xtask prove`: proves that the release program's kernels compute the standards' functions.

use std::process::Command;

use crate::guard;
use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// Proves the kernels whose names hold `part`, and prints each.
///
/// # Errors
/// If one is not proved, or the program cannot be built.
pub(crate) fn command(part: &str) -> Result<(), String> {
    let status = prover(part)?.status().map_err(|error| format!("hashlanes-prove: {error}"))?;
    if status.success() { Ok(()) } else { Err("not all kernels are proved".into()) }
}

/// The same as a step of the tests.
///
/// # Errors
/// The errors of [`command`].
pub(crate) fn all() -> Result<Done, String> {
    let output = process::run(&mut prover("")?)?.checked()?;
    let passed = output.lines().filter(|line| line.contains(": proved (")).count();
    Ok(Done::Tests(Tests { passed, ..Tests::default() }))
}

/// Builds the program and the prover: the command that proves.
fn prover(part: &str) -> Result<Command, String> {
    let program = guard::program_with_symbols()?;
    process::run(workspace::cargo("build").args(["--release", "--package", "hashlanes-prove"]))?.checked()?;
    let mut prover = Command::new(workspace::target().join("release/hashlanes-prove"));
    prover.arg(program).arg(part);
    Ok(prover)
}
