//! The Python package: its wheel, built by maturin and installed in a fresh environment, and its tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// The oldest Python that the package supports.
const OLDEST: (u32, u32) = (3, 11);

/// Builds the wheel, installs it, and runs the tests.
///
/// # Errors
/// If any of this fails.
pub(crate) fn test() -> Result<Done, String> {
    if !is_python_new_enough()? {
        return Ok(Done::NotRun(format!("there is no python3 of at least {}.{}", OLDEST.0, OLDEST.1)));
    }
    let scratch = workspace::scratch("python");
    let tools = tools(&scratch.join("tools"))?;
    let wheel = wheel(&tools, &scratch.join("wheels"))?;

    // The wheel brings all that it needs.
    let fresh = scratch.join("fresh");
    process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&fresh))?.checked()?;
    let python = fresh.join("bin/python");
    pip(&python, &["install", "--no-index"], &wheel)?;
    let text = "import hashlanes; print(hashlanes.sha256_many([b'abc'])[0].hex())";
    let printed = process::stdout(Command::new(&python).args(["-c", text]))?;
    if !printed.starts_with(b"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") {
        return Err(format!("the wheel's SHA-256 of \"abc\" is {}", String::from_utf8_lossy(&printed)));
    }

    pip(&tools, &["install", "--no-index", "--no-deps", "--force-reinstall"], &wheel)?;
    let mut tests = python_in_package(&tools);
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    let output = process::run(&mut tests)?.checked()?;
    Ok(Done::Tests(counted(&output)))
}

fn is_python_new_enough() -> Result<bool, String> {
    if !process::on_path("python3") {
        return Ok(false);
    }
    let condition = format!("import sys; print(sys.version_info >= {OLDEST:?})");
    Ok(process::stdout(Command::new("python3").args(["-c", &condition]))?.starts_with(b"True"))
}

/// An environment with maturin and what the tests import, installed when `pyproject.toml` changes; returns its interpreter.
fn tools(directory: &Path) -> Result<PathBuf, String> {
    let (python, stamp) = (directory.join("bin/python"), directory.join("installed"));
    let manifest = package().join("pyproject.toml");
    let manifest = fs::read(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == manifest) {
        return Ok(python);
    }
    process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(directory))?.checked()?;
    for packages in [["--upgrade", "pip"], ["--group", "test"]] {
        let mut install = python_in_package(&python);
        install.args(["-m", "pip", "install", "--quiet"]).args(packages);
        process::run(&mut install)?.checked()?;
    }
    fs::write(&stamp, manifest).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(python)
}

/// Builds the wheel.
fn wheel(python: &Path, directory: &Path) -> Result<PathBuf, String> {
    let failed = |error| format!("{}: {error}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(failed)?;
    }
    let mut build = python_in_package(python);
    build.args(["-m", "maturin", "build", "--release", "--locked", "--out"]).arg(directory);
    process::run(build.env("CARGO_TARGET_DIR", workspace::target()))?.checked()?;
    let mut files = fs::read_dir(directory).map_err(failed)?.flatten();
    let wheel = files.next().ok_or_else(|| format!("{}: maturin made no wheel", directory.display()))?;
    Ok(wheel.path())
}

fn pip(python: &Path, arguments: &[&str], wheel: &Path) -> Result<(), String> {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--quiet"]).args(arguments).arg(wheel);
    process::run(&mut command)?.checked().map(drop)
}

/// A command of this interpreter in the package's directory, without the `HASHLANES_…` variables of the caller.
fn python_in_package(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.current_dir(package());
    workspace::unforced(&mut command);
    // maturin looks for the environment's interpreter, and cargo, by these.
    let paths = env::var_os("PATH").unwrap_or_default();
    let bin = python.parent().expect("an interpreter stands in a directory");
    let paths = [bin.to_owned()].into_iter().chain(env::split_paths(&paths));
    command.env("PATH", env::join_paths(paths).expect("they were joined before"));
    command.env("VIRTUAL_ENV", bin.parent().expect("an environment has a folder bin"));
    command
}

fn package() -> PathBuf {
    workspace::root().join("crates/python")
}

/// The counts of pytest's last line: `221 passed, 1 skipped in 5.72s`.
fn counted(output: &str) -> Tests {
    let summary = output.lines().last().unwrap_or_default();
    let summary = summary.rsplit_once(" in ").map_or(summary, |(counts, _)| counts);
    let count = |word: &str| {
        let counts = summary.split(", ").filter_map(|count| count.split_once(' '));
        counts.filter(|(_, what)| *what == word).find_map(|(n, _)| n.parse().ok()).unwrap_or(0)
    };
    Tests { passed: count("passed"), failed: count("failed"), ignored: count("skipped") }
}
