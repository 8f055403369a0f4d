//! Runs this program again, with other environment variables, because a process reads them only once.

use std::process::{Command, Output};

use hashlanes_isa::Function;
use hashlanes_sha::{keccak, sha1, sha256, sha512};

/// The role of a child process; its words are separated by blanks.
const ROLE: &str = "HASHLANES_TEST_CHILD";

/// Set in a child that runs one test.
const APART: &str = "HASHLANES_TEST_APART";

/// Separates the two parts of the output of the role `refused`.
#[cfg(feature = "env-override")]
pub(crate) const PANIC: &str = "---- hashing panics ----\n";

/// The variables that force kernels.
pub(crate) const FORCING: [&str; 4] = [
    sha1::Compression::KERNEL_VARIABLE,
    sha256::Compression::KERNEL_VARIABLE,
    sha512::Compression::KERNEL_VARIABLE,
    keccak::KERNEL_VARIABLE,
];

/// The program that runs this one, and its arguments: none, or an emulator.
pub(crate) fn runner() -> Vec<String> {
    let words = std::env::var("HASHLANES_TEST_RUNNER").unwrap_or_default();
    words.split_whitespace().map(str::to_owned).collect()
}

/// This program, with `arguments` and `variables`, its output kept. Nothing is forced but by `variables`; a
/// mask is inherited.
pub(crate) fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let program = std::env::current_exe().expect("this program's path");
    let mut words = runner();
    words.push(program.to_str().expect("a path that is UTF-8").to_owned());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    for name in FORCING.into_iter().chain(["HASHLANES_REQUIRE", "HASHLANES_TEST_REPORT"]) {
        command.env_remove(name);
    }
    // Panics are expected here, and under an emulator a backtrace takes ten times as long as all else in a
    // child.
    command.env("RUST_BACKTRACE", "0");
    let variables = variables.iter().copied();
    command.args(arguments).envs(variables).output().expect("this program runs")
}

/// Runs a child in `role`, which must succeed; returns its output.
#[cfg(any(feature = "calibrate", feature = "count-calls", feature = "env-override"))]
#[track_caller]
pub(crate) fn output(role: &str, variables: &[(&str, &str)]) -> String {
    let mut variables = variables.to_vec();
    variables.push((ROLE, role));
    let output = run(&[], &variables);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{role}, {variables:?}: {}\n{out}{err}", output.status);
    out.into_owned()
}

/// The test `name` in a child, which must pass.
#[track_caller]
pub(crate) fn apart(name: &str) {
    let output = run(&["--exact", name], &[(APART, "1")]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}, in a process of its own: {}\n{out}{err}", output.status);
    assert!(out.contains("1 passed"), "{name} was not found: {out}");
}

/// Whether this process runs one test.
pub(crate) fn is_apart() -> bool {
    std::env::var_os(APART).is_some()
}

/// Whether a test that wants a process of its own runs in this one: in such a process, and on an emulator,
/// where a process takes longer to start than most tests. A test that the system kills ends all of them
/// there.
pub(crate) fn runs_here() -> bool {
    is_apart() || !runner().is_empty()
}

/// The role of this process, if it is a child.
pub(crate) fn role() -> Option<String> {
    std::env::var(ROLE).ok()
}
