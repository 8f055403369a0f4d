//! The programs of the directory `fuzz`, by libFuzzer: each target a minute, or as many seconds as
//! `HASHLANES_FUZZ_SECONDS` says, from its corpus on. They need a nightly compiler, and a compiler of C++ for
//! libFuzzer itself.
//!
//! The flags are those of `cargo fuzz`: coverage counters and traced comparisons, and an address sanitizer.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::steps::{Done, Steps};
use crate::{nightly, process, workspace};

const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Ccodegen-units=16";

/// Seconds for each target, unless the variable [`SECONDS_OF`] says otherwise.
const SECONDS: u32 = 60;
const SECONDS_OF: &str = "HASHLANES_FUZZ_SECONDS";

/// Adds a step for each target; the first one builds the programs.
pub(super) fn add_steps(steps: &mut Steps) {
    let programs = OnceCell::new();
    for target in targets() {
        steps.step(&format!("fuzz: {target}"), || match programs.get_or_init(build) {
            Ok(Ok(programs)) => run(programs, &target),
            Ok(Err(why)) => Ok(Done::NotRun(why.clone())),
            Err(error) => Err(error.clone()),
        });
    }
}

/// The names of the targets: those of the programs.
///
/// # Panics
/// If the directory is not there: then this is not the workspace.
fn targets() -> Vec<String> {
    let entries = fs::read_dir(workspace::root().join("fuzz/fuzz_targets")).expect("the workspace has it");
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| stem(entry.path())).collect();
    names.sort_unstable();
    names
}

/// Builds the programs; returns their directory, or why that is not possible here.
///
/// # Errors
/// If they cannot be built.
fn build() -> Result<Result<PathBuf, String>, String> {
    if let Err(why) = nightly::install(&[]) {
        return Ok(Err(why));
    }
    if !process::on_path("c++") {
        return Ok(Err("there is no compiler of C++".into()));
    }
    let host = workspace::Toolchain::of(&workspace::rustc())?.host;
    let target = workspace::target().join("fuzz");
    let mut cargo = nightly::command("cargo");
    cargo.args(["build", "--locked", "--release", "--bins", "--target", &host]);
    cargo.args(["--manifest-path", "fuzz/Cargo.toml"]);
    cargo.arg("--target-dir").arg(&target).env("RUSTFLAGS", FLAGS);
    process::run(&mut cargo)?.checked()?;
    Ok(Ok(target.join(host).join("release")))
}

/// Fuzzes a target. Its new inputs and its output, with the numbers of runs and of covered edges, go to the
/// build directory, and stay for the next time.
///
/// # Errors
/// The program's output, with the place of the input that failed.
fn run(programs: &Path, target: &str) -> Result<Done, String> {
    let seconds = seconds()?;
    let found = workspace::scratch("fuzz").join(target);
    fs::create_dir_all(&found).map_err(|error| format!("{}: {error}", found.display()))?;
    let mut program = Command::new(programs.join(target));
    workspace::unforced(&mut program);
    program.arg(&found).arg(workspace::root().join("crates/fuzz/corpus").join(target));
    program.args(["-timeout=20", "-rss_limit_mb=3000", "-print_final_stats=1"]);
    program.arg(format!("-max_total_time={seconds}"));
    program.arg(format!("-artifact_prefix={}/failed-{target}-", workspace::scratch("fuzz").display()));
    let finished = process::run(program.current_dir(workspace::root()))?;
    let log = workspace::scratch("fuzz").join(format!("{target}.log"));
    fs::write(&log, &finished.output).map_err(|error| format!("{}: {error}", log.display()))?;
    finished.checked().map(|_| Done::Check)
}

/// Seconds for each target.
///
/// # Errors
/// If the variable is not a number above 0.
fn seconds() -> Result<u32, String> {
    let Some(text) = env::var_os(SECONDS_OF) else { return Ok(SECONDS) };
    let number = text.to_str().and_then(|text| text.parse().ok()).filter(|seconds| *seconds > 0);
    number.ok_or_else(|| format!("{SECONDS_OF}={text:?}: not a number of seconds above 0"))
}
