//! Virtual environments of Python, and commands in the package's directory.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::{process, workspace};

/// The oldest Python that the package supports.
const OLDEST: (u32, u32) = (3, 11);

/// `python3`, if it is new enough; or why not.
///
/// # Errors
/// If it fails.
pub(super) fn python() -> Result<Result<PathBuf, String>, String> {
    let missing = format!("there is no python3 of at least {}.{}", OLDEST.0, OLDEST.1);
    if !process::on_path("python3") {
        return Ok(Err(missing));
    }
    let condition = format!("import sys; print(sys.version_info >= {OLDEST:?})");
    let is_new = process::stdout(Command::new("python3").args(["-c", &condition]))?.starts_with(b"True");
    Ok(if is_new { Ok("python3".into()) } else { Err(missing) })
}

/// Creates an environment with the dependency groups of `pyproject.toml`, or reuses the one of the same
/// `pyproject.toml`; returns its interpreter.
///
/// # Errors
/// If pip fails.
pub(super) fn with_groups(base: &Path, directory: &Path, groups: &[&str]) -> Result<PathBuf, String> {
    let (python, stamp) = (directory.join("bin/python"), directory.join("installed"));
    let manifest = package().join("pyproject.toml");
    let manifest = fs::read(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == manifest) {
        return Ok(python);
    }
    fresh(base, directory)?;
    pip(&python, &["install", "--upgrade", "pip"])?;
    for group in groups {
        // Python compiles the modules that are imported, which are few.
        pip(&python, &["install", "--no-compile", "--group", group])?;
    }
    fs::write(&stamp, manifest).map_err(|error| format!("{}: {error}", stamp.display()))?;
    Ok(python)
}

/// Creates an empty environment in the place of an earlier one; returns its interpreter.
///
/// # Errors
/// If `base`, an interpreter, fails.
pub(super) fn fresh(base: &Path, directory: &Path) -> Result<PathBuf, String> {
    process::run(Command::new(base).args(["-m", "venv", "--clear"]).arg(directory))?.checked()?;
    Ok(directory.join("bin/python"))
}

/// Runs an interpreter's pip in the package's directory.
///
/// # Errors
/// If it fails.
pub(super) fn pip(python: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = in_package(python);
    command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]).args(arguments);
    process::run(&mut command)?.checked().map(drop)
}

/// A command of this interpreter in the package's directory, without the `HASHLANES_…` variables of the
/// caller.
pub(super) fn in_package(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.current_dir(package());
    workspace::unforced(&mut command);
    command.env_remove("PYTHONDONTWRITEBYTECODE");
    // maturin looks for the environment's interpreter, and cargo, by these.
    let paths = env::var_os("PATH").unwrap_or_default();
    let bin = python.parent().expect("an interpreter stands in a directory");
    let paths = [bin.to_owned()].into_iter().chain(env::split_paths(&paths));
    command.env("PATH", env::join_paths(paths).expect("they were joined before"));
    command.env("VIRTUAL_ENV", bin.parent().expect("an environment has a folder bin"));
    command
}

/// The package's directory.
pub(super) fn package() -> PathBuf {
    workspace::root().join("crates/python")
}
