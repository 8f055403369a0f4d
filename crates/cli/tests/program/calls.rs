//! The system's calls of a run of the program, by strace: each of them may be delayed or fail.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, ExitStatus};
use std::sync::OnceLock;

use crate::scene::Scene;
use crate::side_by_side::{OURS, feed};

/// Calls that look up names, or change files.
const CALLS: [&str; 20] = [
    "open",
    "openat",
    "newfstatat",
    "fstat",
    "statx",
    "write",
    "pwrite64",
    "ftruncate",
    "fallocate",
    "fsync",
    "flock",
    "mkdir",
    "mkdirat",
    "unlink",
    "unlinkat",
    "link",
    "linkat",
    "rename",
    "renameat",
    "renameat2",
];

/// Returns whether strace is installed. If not, tests print it and test nothing.
pub(crate) fn strace_is_here() -> bool {
    static HERE: OnceLock<bool> = OnceLock::new();
    *HERE.get_or_init(|| {
        let tried = Command::new("strace").args(["-o/dev/null", "true"]).output();
        let here = tried.is_ok_and(|output| output.status.success());
        if !here {
            eprintln!("SKIPPED, not tested: strace is not here, or may not trace");
        }
        here
    })
}

/// Runs the program under strace with these options of it, each after `-e`: status and standard error. Its
/// trace goes to `trace`.
pub(crate) fn traced(scene: &Scene, options: &[&str], args: &str) -> (ExitStatus, String) {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "trace"]);
    for option in options {
        command.args(["-e", option]);
    }
    command.arg(OURS).args(args.split_whitespace());
    let output = feed(command.current_dir(&scene.path).env("LC_ALL", "C.UTF-8"), b"");
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// One call of a run.
pub(crate) struct Call {
    pub(crate) name: String,
    /// Its number among the calls of this name, as strace counts them.
    pub(crate) when: usize,
    /// Lines of the trace before it.
    pub(crate) n_before: usize,
}

/// The calls that [`calls`] traces.
pub(crate) fn trace_of_calls() -> String {
    format!("trace={}", CALLS.join(","))
}

/// The calls of the main thread that follow the first one about `marker`. Second: the number of the `openat`
/// that makes a file without a name.
pub(crate) fn calls(scene: &Scene, args: &str, marker: &str) -> (Vec<Call>, Option<usize>) {
    let (status, err) = traced(scene, &[&trace_of_calls()], args);
    assert!(status.success(), "{args}: {err}");
    let trace = fs::read_to_string(scene.join("trace")).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut calls, mut nameless) = (Vec::new(), None);
    let mut main = None;
    let mut is_begun = false;
    for (n_before, line) in trace.lines().enumerate() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else { continue };
        let Some((call, _)) = rest.trim_start().split_once('(') else { continue };
        if *main.get_or_insert(thread) != thread || !CALLS.contains(&call) {
            continue;
        }
        let n = counts.entry(call).or_default();
        *n += 1;
        is_begun |= line.contains(marker);
        if is_begun {
            calls.push(Call { name: call.to_owned(), when: *n, n_before });
        }
        if line.contains("O_TMPFILE") && nameless.is_none() {
            nameless = Some(*n);
        }
    }
    assert!(!calls.is_empty(), "{args}: nothing about {marker} in\n{trace}");
    (calls, nameless)
}
