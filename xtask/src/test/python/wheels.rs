//! The package's wheels of every platform, and its source distribution.
//!
//! zig, which a package of PyPI installs, is compiler and linker for the targets other than this machine's.
//! It also links against the old C library that manylinux2014 promises.

use std::path::{Path, PathBuf};
use std::{env, fs};

use super::{environment, installed};
use crate::steps::Done;
use crate::test::targets;
use crate::{process, workspace};

/// A platform: Rust's target, and the compatibility that its wheel promises.
struct Platform {
    target: &'static str,
    compatibility: &'static str,
}

const PLATFORMS: [Platform; 4] = [
    Platform { target: "x86_64-unknown-linux-gnu", compatibility: "manylinux2014" },
    ON_ARM,
    Platform { target: "x86_64-unknown-linux-musl", compatibility: "musllinux_1_2" },
    Platform { target: "aarch64-unknown-linux-musl", compatibility: "musllinux_1_2" },
];

/// The wheel that an emulator runs.
const ON_ARM: Platform = Platform { target: "aarch64-unknown-linux-gnu", compatibility: "manylinux2014" };

/// Builds all wheels and the source distribution; prints their names and sizes.
///
/// # Errors
/// If one cannot be built, or its contents are wrong.
pub(crate) fn command() -> Result<(), String> {
    for file in all()?? {
        let n_bytes = fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?.len();
        println!("{n_bytes:>8}  {}", file.display());
    }
    Ok(())
}

/// Builds all wheels and the source distribution; or returns the reason why that is impossible here.
///
/// # Errors
/// If one cannot be built, or its contents are wrong.
pub(crate) fn all() -> Result<Result<Vec<PathBuf>, String>, String> {
    match tools()? {
        Ok(python) => build_all(&python).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

/// Installs a wheel in an empty environment, and hashes by it.
///
/// # Errors
/// If that fails.
pub(crate) fn check(wheel: &Path) -> Result<(), String> {
    installed::check_in_fresh(Path::new("python3"), &workspace::scratch("python").join("fresh"), wheel)
}

/// Builds all wheels and the source distribution, and checks their content; installs the wheel of this
/// machine and the source distribution; runs all tests of the former.
///
/// # Errors
/// If any of this fails.
pub(in crate::test) fn test() -> Result<Done, String> {
    let python = match tools()? {
        Ok(python) => python,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    let files = build_all(&python)?;
    let named = |part: &str| {
        let found = files.iter().find(|file| file.to_string_lossy().contains(part));
        found.ok_or_else(|| format!("no distribution is named {part}"))
    };
    let (base, scratch) = (Path::new("python3"), workspace::scratch("python"));
    let source = named(".tar.gz")?;
    check_source(&python, source)?;
    let wheel = named(&format!("manylinux2014_{}", env::consts::ARCH))?;
    check(wheel)?;
    let tools = environment::with_groups(base, &scratch.join("tools"), &["test"])?;
    installed::install(&tools, wheel)?;
    installed::run_tests(&tools, &["-m", "not engines"])
}

/// Builds the wheel for aarch64; or returns the reason why that is impossible here.
///
/// # Errors
/// If it does not build.
pub(super) fn build_for_arm() -> Result<Result<PathBuf, String>, String> {
    match tools()? {
        Ok(python) => build_for(&python, &ON_ARM).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

/// Builds a wheel into a directory, which is emptied before.
///
/// # Errors
/// If maturin fails.
pub(super) fn build(python: &Path, directory: &Path, options: &[&str]) -> Result<PathBuf, String> {
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    maturin(python, &["build", "--locked"], options, directory)
}

/// Returns an environment with maturin and zig, or the reason why it is not available.
fn tools() -> Result<Result<PathBuf, String>, String> {
    let base = match environment::python()? {
        Ok(base) => base,
        Err(why) => return Ok(Err(why)),
    };
    for Platform { target, .. } in PLATFORMS {
        if let Err(why) = targets::install(target) {
            return Ok(Err(why));
        }
    }
    environment::with_groups(&base, &workspace::scratch("python").join("wheel-tools"), &["wheels"]).map(Ok)
}

fn build_all(python: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files =
        PLATFORMS.iter().map(|platform| build_for(python, platform)).collect::<Result<Vec<_>, _>>()?;
    let directory = workspace::scratch("python").join("source");
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    files.push(maturin(python, &["sdist"], &[], &directory)?);
    let mut check = environment::in_package(python);
    check.arg(workspace::root().join("xtask/src/test/python/wheel.py")).args(&files);
    process::run(&mut check)?.checked()?;
    Ok(files)
}

fn build_for(python: &Path, platform: &Platform) -> Result<PathBuf, String> {
    let Platform { target, compatibility } = platform;
    let directory = workspace::scratch("python").join(format!("wheel-{target}"));
    build(python, &directory, &["--zig", "--target", target, "--compatibility", compatibility])
}

/// Runs maturin, and returns the one file that it made.
fn maturin(python: &Path, command: &[&str], options: &[&str], directory: &Path) -> Result<PathBuf, String> {
    let mut maturin = environment::in_package(python);
    maturin.args(["-m", "maturin"]).args(command).args(options).arg("--out").arg(directory);
    process::run(maturin.env("CARGO_TARGET_DIR", workspace::target()))?.checked()?;
    only_file(directory)
}

/// Builds a wheel of the source distribution, by the tools of `python`, installs it and hashes by it.
fn check_source(python: &Path, source: &Path) -> Result<(), String> {
    let scratch = workspace::scratch("python");
    let directory = scratch.join("from-source");
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    let mut pip = environment::in_package(python);
    pip.args(["-m", "pip", "--quiet", "wheel", "--no-index", "--no-deps", "--no-build-isolation"]);
    pip.arg("--wheel-dir")
        .arg(&directory)
        .arg(source)
        .current_dir(&scratch)
        .env("CARGO_TARGET_DIR", workspace::target());
    process::run(&mut pip)?.checked()?;
    let wheel = only_file(&directory)?;
    check(&wheel)
}

fn only_file(directory: &Path) -> Result<PathBuf, String> {
    let mut files =
        fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?.flatten();
    let file = files.next().ok_or_else(|| format!("{}: no distribution was built", directory.display()))?;
    Ok(file.path())
}
