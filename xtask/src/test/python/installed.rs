//! The package as installed, and its tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::environment;
use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// Installs a wheel in an empty environment, as it needs no other package, and hashes by it.
///
/// # Errors
/// If that fails.
pub(super) fn check_in_fresh(base: &Path, directory: &Path, wheel: &Path) -> Result<(), String> {
    let python = environment::fresh(base, directory)?;
    environment::pip(&python, &["install", "--no-index", &wheel.display().to_string()])?;
    check_digest(&mut Command::new(python))
}

/// Checks that the interpreter imports the package, and that it hashes.
///
/// # Errors
/// If not.
pub(super) fn check_digest(python: &mut Command) -> Result<(), String> {
    let text = "import hashlanes; print(hashlanes.sha256_many([b'abc'])[0].hex())";
    let printed = process::stdout(python.args(["-c", text]))?;
    if !printed.starts_with(b"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") {
        return Err(format!("the wheel's SHA-256 of \"abc\" is {}", String::from_utf8_lossy(&printed)));
    }
    Ok(())
}

/// Installs a wheel, in the place of another version.
///
/// # Errors
/// If pip fails.
pub(super) fn install(python: &Path, wheel: &Path) -> Result<(), String> {
    let wheel = wheel.display().to_string();
    environment::pip(python, &["install", "--no-index", "--no-deps", "--force-reinstall", &wheel])
}

/// Copies the package and its library to where pip installs it, in the place of another version.
///
/// # Errors
/// If a file cannot be copied.
pub(super) fn place(python: &Path, library: &Path) -> Result<(), String> {
    environment::pip(python, &["uninstall", "--yes", "hashlanes"])?;
    let text = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";
    let packages = process::stdout(Command::new(python).args(["-c", text]))?;
    let directory = PathBuf::from(String::from_utf8_lossy(&packages).into_owned()).join("hashlanes");
    let source = environment::package().join("python/hashlanes");
    workspace::empty(&directory)?;
    process::run(Command::new("cp").arg("-R").arg(source.join(".")).arg(&directory))?.checked()?;
    let (from, to) = (library.display(), directory.join("_hashlanes.abi3.so"));
    fs::copy(library, to).map(drop).map_err(|error| format!("{from}: {error}"))
}

/// Runs the tests of the installed package.
///
/// # Errors
/// If a test fails.
pub(super) fn run_tests(python: &Path, options: &[&str]) -> Result<Done, String> {
    let mut tests = environment::in_package(python);
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(options);
    Ok(Done::Tests(counted(&process::run(&mut tests)?.checked()?)))
}

/// The counts of pytest's summary: `221 passed, 1 skipped in 5.72s`. Libraries may print lines after it when
/// they end.
pub(super) fn counted(output: &str) -> Tests {
    let is_summary = |line: &&str| line.contains(" passed") && line.contains(" in ");
    let summary = output.lines().rfind(is_summary).unwrap_or_default();
    let summary = summary.rsplit_once(" in ").map_or(summary, |(counts, _)| counts);
    let count = |word: &str| {
        let counts = summary.split(", ").filter_map(|count| count.split_once(' '));
        counts.filter(|(_, what)| *what == word).find_map(|(n, _)| n.parse().ok()).unwrap_or(0)
    };
    Tests { passed: count("passed"), failed: count("failed"), ignored: count("skipped") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_counted_wherever_it_stands() {
        let counts = Tests { passed: 221, failed: 0, ignored: 1 };
        assert_eq!(counted("....\n221 passed, 1 skipped in 5.72s\n"), counts);
        assert_eq!(counted("221 passed, 1 skipped, 3 warnings in 5.72s\nleaked 3 functions\n"), counts);
        assert_eq!(counted("no tests ran in 0.01s\n"), Tests::default());
    }
}
