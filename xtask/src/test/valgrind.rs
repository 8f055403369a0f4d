//! The kernels' tests under valgrind, which checks each access to memory, and each branch on memory that was
//! never written, of all code: of assembly, too, which no sanitizer instruments.
//!
//! It is fifty times slower than the CPU, so the tests are those that reach every row and verb with little
//! data. Guarded pages (`memory` of each test program) are not among them: they check the same borders with
//! the CPU itself.

use std::fs;

use super::binaries::{self, Build};
use super::levels::{Levels, VALGRIND};
use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// The test programs, each with arguments that choose its tests: two minutes of a CPU together.
const TESTS: &[(&str, &[&str])] = &[
    ("sha conformance", &["verbs::", "--skip", "long ends"]),
    // Keccak's two verbs.
    ("sha conformance", &["::permute"]),
    ("sha conformance", &["::absorb"]),
    ("aes conformance", &["modes::"]),
    ("aes aegis", &["published"]),
    ("aes gcm", &["vectors::"]),
];

/// Runs the tests; the step is skipped where there is neither valgrind nor apt.
///
/// # Errors
/// What valgrind found, or a test that fails.
pub(super) fn run(levels: &mut Levels, build: &Build) -> Result<Done, String> {
    let program = |(name, arguments): &(&str, &[&'static str])| {
        let program = build.named(name).ok_or_else(|| format!("there is no test program {name:?}"))?;
        Ok(program.with_arguments(arguments))
    };
    let programs = TESTS.iter().map(program).collect::<Result<Vec<_>, String>>()?;
    levels.run(&VALGRIND, &programs.iter().collect::<Vec<_>>())
}

/// The test program of the secrets that valgrind follows, and its test that must fail there.
const SECRETS: &str = "hashlanes secrets";
const PLANTED: &[&str] = &["a_branch_on_a_secret_is_found", "--exact", "--ignored"];
/// What valgrind reports of it.
const FOUND: &str = "Conditional jump or move depends on uninitialised value";
/// Branches on secrets whose outcome is known.
const KNOWN: &str = include_str!("valgrind.supp");
/// The features that are masked in each run: AVX2 and AES-NI, SSSE3 and AES-NI, then neither.
const SECRETS_WITHOUT: [&str; 3] = ["", "avx2", "ssse3,aes,bmi1,bmi2"];

/// Runs the tests that mark keys and messages as secret, on the levels that valgrind has.
///
/// # Errors
/// A branch or an address that depends on a secret; or if the planted branch is not found.
pub(super) fn follow_secrets(build: &Build) -> Result<Done, String> {
    if let Some(why) = VALGRIND.missing_runner()? {
        return Ok(Done::NotRun(why));
    }
    let known = workspace::scratch("valgrind").join("known.supp");
    fs::write(&known, KNOWN).map_err(|error| format!("{}: {error}", known.display()))?;
    let known = format!("--suppressions={}", known.display());
    let runner = [VALGRIND.runner, &[&known]].concat();
    let program = build.named(SECRETS).ok_or_else(|| format!("there is no test program {SECRETS:?}"))?;
    let planted = process::run(&mut program.with_arguments(PLANTED).command(&runner))?;
    if planted.succeeded || !planted.output.contains(FOUND) {
        return Err(format!("{}\nvalgrind did not report the planted branch", planted.output));
    }
    let mut sum = Tests { passed: 1, ..Tests::default() };
    for without in SECRETS_WITHOUT {
        let mut tests = binaries::run(program, &runner, &[("HASHLANES_DISABLE", without)])?;
        // It ran above.
        tests.ignored = 0;
        sum += tests;
    }
    Ok(Done::Tests(sum))
}
