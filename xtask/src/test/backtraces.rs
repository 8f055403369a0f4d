//! Backtraces from inside every kernel in assembly, by gdb: from entry, exit and some places in between they
//! reach `main`.

use std::fs;

use super::binaries::Build;
use crate::debian::{self, Missing, Package};
use crate::steps::{Done, Tests};
use crate::{asm, process, workspace};

/// The script for gdb.
const SCRIPT: &str = include_str!("backtraces.py");

/// Runs the tests that reach every kernel, on the thread of `main`.
///
/// # Errors
/// If a backtrace ends too early.
pub(super) fn check(build: &Build) -> Result<Done, String> {
    const GDB: Package = Package { name: "gdb", holds: "/usr/bin/gdb" };
    match debian::install(&[GDB]) {
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
        Ok(()) => {}
    }
    let script = workspace::scratch("backtraces").join("backtraces.py");
    fs::write(&script, SCRIPT).map_err(|error| format!("{}: {error}", script.display()))?;
    let runner = ["gdb", "-batch", "-x", &script.to_string_lossy(), "--args"].map(str::to_owned);
    let tests = build.named("sha conformance").ok_or("cargo built no conformance tests")?;
    let mut command = tests.command(&runner.each_ref().map(String::as_str));
    command.args(["--test-threads=1", "verbs::"]).env("KERNELS", asm::paths()?.join(" "));
    let output = process::run(&mut command)?.checked()?;
    let lines = |start: &str| output.lines().filter(|line| line.starts_with(start)).collect::<Vec<_>>();
    let failed = lines("FAILED ");
    if !failed.is_empty() {
        return Err(failed.join("\n"));
    }
    let (passed, ignored) = (lines("passed ").len(), lines("not run ").len());
    if passed == 0 || lines("end of the check").is_empty() {
        return Err(output);
    }
    Ok(Done::Tests(Tests { passed, failed: 0, ignored }))
}
