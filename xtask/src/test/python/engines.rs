//! The recipes of docs/engines.md, the DuckDB extension and the cluster's functions, against the real engines
//! from PyPI.

use super::{environment, installed, wheels};
use crate::steps::Done;
use crate::{duckdb, workspace};

/// Installs the engines and the wheel, and runs the tests that need them.
///
/// # Errors
/// If any of this fails.
pub(in crate::test) fn test() -> Result<Done, String> {
    let base = match environment::python()? {
        Ok(base) => base,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    let scratch = workspace::scratch("python");
    let python = environment::with_groups(&base, &scratch.join("engines"), &["test", "engines"])?;
    let wheel = wheels::build(&python, &scratch.join("wheels"), &["--profile", "release"])?;
    let extension = format!("--duckdb-extension={}", duckdb::build()?.display());
    installed::install(&python, &wheel)?;
    installed::run_tests(&python, &["-m", "engines", &extension])
}
