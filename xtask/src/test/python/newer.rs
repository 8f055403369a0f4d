//! The tests in newer versions of Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use super::{environment, installed, wheels};
use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// Versions whose tests run if they are installed.
const NEWER: [&str; 3] = ["3.12", "3.13", "3.14"];

/// Runs the tests in every newer installed Python, with the wheel for all of them.
///
/// # Errors
/// If a test fails.
pub(in crate::test) fn test() -> Result<Done, String> {
    let newer: Vec<_> = NEWER.iter().filter_map(|version| Some((version, interpreter(version)?))).collect();
    if newer.is_empty() {
        return Ok(Done::Inapplicable(format!("none of Python {} is installed", NEWER.join(", "))));
    }
    let base = match environment::python()? {
        Ok(base) => base,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    let scratch = workspace::scratch("python");
    let tools = environment::with_groups(&base, &scratch.join("tools"), &["test"])?;
    let wheel = wheels::build(&tools, &scratch.join("wheels"), &["--profile", "release"])?;
    let mut sum = Tests::default();
    for (version, base) in newer {
        let python = environment::with_groups(&base, &scratch.join(version), &["test"])?;
        let tested = installed::install(&python, &wheel).and_then(|()| installed::run_tests(&python, &[]));
        match tested.map_err(|error| format!("Python {version}:\n{error}"))? {
            Done::Tests(tests) => sum += tests,
            _ => return Err(format!("Python {version}: no test ran")),
        }
    }
    Ok(Done::Tests(sum))
}

/// The interpreter of a version: on the path, or one that pyenv installed.
fn interpreter(version: &str) -> Option<PathBuf> {
    let name = format!("python{version}");
    let runs = |path: &PathBuf| process::stdout(Command::new(path).arg("--version")).is_ok();
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".pyenv"));
    let pyenv = env::var_os("PYENV_ROOT").map(PathBuf::from).or(home);
    let directories = pyenv.and_then(|root| fs::read_dir(root.join("versions")).ok());
    let of_pyenv =
        directories.into_iter().flatten().flatten().map(|entry| entry.path().join("bin").join(&name));
    [PathBuf::from(&name)].into_iter().chain(of_pyenv).find(runs)
}
