//! Runs this program again, with other environment variables, because a process reads them only once.

use std::process::{Command, Output};

/// The role of a child process: the kernel that is forced.
const ROLE: &str = "HASHLANES_TEST_CHILD";

/// Set in a child that runs one test.
const APART: &str = "HASHLANES_TEST_APART";

/// Forces a kernel.
const VARIABLE: &str = "HASHLANES_GCM_KERNEL";

/// The program that runs this one, and its arguments: none, or an emulator.
pub(crate) fn runner() -> Vec<String> {
    let words = std::env::var("HASHLANES_TEST_RUNNER").unwrap_or_default();
    words.split_whitespace().map(str::to_owned).collect()
}

/// This program, with `arguments` and `variables`, its output kept. Nothing is forced but by `variables`.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let program = std::env::current_exe().expect("this program's path");
    let mut words = runner();
    words.push(program.to_str().expect("a path that is UTF-8").to_owned());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).args(arguments).env("RUST_BACKTRACE", "0");
    for name in [VARIABLE, "HASHLANES_REQUIRE", "HASHLANES_TEST_REPORT"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().expect("this program runs")
}

/// Runs a child that uses `kernel`, while `forced` is forced; returns whether it succeeded, and its output.
#[cfg(all(feature = "count-calls", feature = "env-override"))]
pub(crate) fn with_forced(kernel: &str, forced: &str) -> (bool, String) {
    let output = run(&[], &[(ROLE, kernel), (VARIABLE, forced)]);
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
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
