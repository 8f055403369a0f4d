//! The kernels' tests under valgrind, which checks each access to memory, and each branch on memory that was
//! never written, of all code: of assembly, too, which no sanitizer instruments.
//!
//! It is fifty times slower than the CPU, so the tests are those that reach every row and verb with little
//! data. Guarded pages (`memory` of each test program) are not among them: they check the same borders with
//! the CPU itself.

use super::binaries::Build;
use super::levels::{Levels, VALGRIND};
use crate::steps::Done;

/// The test programs, each with arguments that choose its tests: two minutes of a CPU together.
const TESTS: &[(&str, &[&str])] = &[
    ("sha conformance", &["verbs::", "--skip", "long ends"]),
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
