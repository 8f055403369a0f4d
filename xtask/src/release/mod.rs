//! `cargo xtask release --dry-run`: everything that a release consists of, built, signed and installed here;
//! nothing is published.
//!
//! | file | holds |
//! |---|---|
//! | `version.rs` | one version everywhere, the changelog's section, the tags |
//! | `program.rs` | the static program, built twice in different places with equal bytes, and its archive |
//! | `packages.rs` | the packages of crates.io, PyPI, npm and Debian, and the bill of materials |
//! | `signatures.rs` | checksums, their signatures, and the statement of where the files come from |
//! | `installs.rs` | every file installed as its users do, in empty prefixes |
//!
//! The files are in `target/xtask/release/files`. A release is built from a commit, so uncommitted changes
//! are an error. To publish, push the tags that the first step prints and upload the files with each registry's
//! own client.

mod installs;
mod packages;
mod program;
mod signatures;
mod version;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Done, Steps};
use crate::{process, workspace};

/// # Errors
/// If a step fails; all failures are printed, the count last.
pub(crate) fn dry_run() -> Result<(), String> {
    if std::env::var_os(program::FLAGS).is_none_or(|flags| flags != *program::flags()) {
        return with_flags();
    }
    let mut steps = Steps::new(false, None);
    let files = workspace::scratch("release").join("files");
    add_steps(&mut steps, &files);
    println!("\n{}\n{}", steps.table(), steps.count());
    if steps.failed() { Err(String::new()) } else { Ok(()) }
}

/// Runs this command again with the compiler's flags of a release in the environment, from which every build
/// of every step takes them, those of maturin and npm too.
fn with_flags() -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut again = Command::new(this);
    again.args(["release", "--dry-run"]).env(program::FLAGS, &*program::flags());
    let status = again.status().map_err(|error| format!("this program: {error}"))?;
    if status.success() { Ok(()) } else { Err(String::new()) }
}

/// Runs the dry run as a step of the tests.
///
/// # Errors
/// If it fails; the text has its output.
pub(crate) fn test() -> Result<Done, String> {
    if version::has_changes()? {
        return Ok(Done::NotRun("the sources have uncommitted changes".into()));
    }
    let this = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let output = process::run(Command::new(this).args(["release", "--dry-run"]))?.checked()?;
    Ok(Done::Tests(crate::steps::Tests::of(&output)))
}

fn add_steps(steps: &mut Steps, files: &Path) {
    steps.check("version", version::check);
    steps.check("empty directory for the files", || empty(files));
    steps.step("program: two builds are equal", program::check_reproducible);
    steps.step("program: archive", || program::archive(files));
    steps.check("bill of materials", || packages::bill_of_materials(files));
    steps.step("crates", || packages::crates(files));
    steps.step("C library and program: Debian packages", || packages::debian(files));
    steps.step("Python: wheels and source distribution", || packages::wheels(files));
    steps.step("Node: package", || packages::node(files));
    steps.check("checksums", || signatures::checksums(files));
    steps.check("provenance", || signatures::provenance(files));
    steps.check("signature by SLH-DSA", || signatures::sign(files));
    steps.step("signature by minisign", || signatures::minisign(files));
    steps.step("install: tar", || installs::archive(files));
    steps.step("install: cargo", || installs::cargo(files));
    steps.step("install: apt", || installs::debian(files));
    steps.step("install: pip", || installs::pip(files));
    steps.step("install: npm", || installs::npm(files));
}

/// Makes a directory, or empties it.
fn empty(directory: &Path) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(failed)?;
    }
    fs::create_dir_all(directory).map_err(failed)
}

/// Copies a file into a directory; returns the copy's path.
fn copy_into(directory: &Path, file: &Path) -> Result<PathBuf, String> {
    let to = directory.join(file.file_name().ok_or_else(|| format!("{}: is no file", file.display()))?);
    fs::copy(file, &to).map_err(|error| format!("{}: {error}", to.display()))?;
    Ok(to)
}

/// The files of a directory in the order of their names.
fn files_of(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

/// The files whose names hold a part.
fn named(directory: &Path, part: &str) -> Result<Vec<PathBuf>, String> {
    let mut files = files_of(directory)?;
    files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().contains(part)));
    if files.is_empty() {
        Err(format!("{}: no file is named {part}", directory.display()))
    } else {
        Ok(files)
    }
}
