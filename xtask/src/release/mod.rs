//! `cargo xtask release --dry-run`: everything that a release consists of, built, signed and installed here;
//! nothing is published.
//!
//! | file | holds |
//! |---|---|
//! | `version.rs` | one version everywhere, the changelog's section, the tags |
//! | `program.rs` | the static program, built twice in different places with equal bytes, and its archive |
//! | `packages.rs` | the packages of crates.io, PyPI, npm and Debian, and the bills of materials |
//! | `signatures.rs` | checksums, their signatures, and the statement of where the files come from |
//! | `files.rs` | the files of a directory |
//! | `installs.rs` | every file installed as its users do, in empty prefixes |
//!
//! The files are in `target/xtask/release/files`, and stay there: `--only PART-OF-A-NAME` runs some steps
//! again with the files of the others. One dry run at a time works there. A release is built from a commit,
//! so uncommitted changes are an error.
//! docs/releases.md says how to publish it.

mod files;
mod installs;
mod packages;
mod program;
mod signatures;
mod version;

use std::fs::File;
use std::path::Path;
use std::process::Command;

use crate::steps::{Done, Steps};
use crate::{process, workspace};

/// Runs all steps, or only those whose names contain a part.
///
/// # Errors
/// If a step fails, or no step has such a name; all failures are printed, the count last.
pub(crate) fn dry_run(only: Option<&str>) -> Result<(), String> {
    if std::env::var_os(program::FLAGS).is_none_or(|flags| flags != *program::flags()) {
        return with_flags(only);
    }
    let place = workspace::scratch("release").join("lock");
    let lock = File::create(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    if lock.try_lock().is_err() {
        return Err(format!("{}: another dry run is at work", place.display()));
    }
    let mut steps = Steps::new(false, only.map(str::to_owned));
    let directory = workspace::scratch("release").join("files");
    add_steps(&mut steps, &directory);
    if steps.is_empty() {
        return Err(format!("no step is called {:?}", only.unwrap_or_default()));
    }
    println!("\n{}\n{}", steps.table(), steps.count());
    if steps.failed() { Err(String::new()) } else { Ok(()) }
}

/// Runs this command again with the compiler's flags of a release in the environment, from which every build
/// of every step takes them, those of maturin and npm too.
fn with_flags(only: Option<&str>) -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut again = Command::new(this);
    again.args(["release", "--dry-run"]).env(program::FLAGS, &*program::flags());
    if let Some(part) = only {
        again.args(["--only", part]);
    }
    let status = again.status().map_err(|error| format!("this program: {error}"))?;
    if status.success() { Ok(()) } else { Err(String::new()) }
}

/// Runs the dry run as a step of the tests.
///
/// # Errors
/// If it fails; the text has its output.
pub(crate) fn test() -> Result<Done, String> {
    if version::has_changes()? {
        return Ok(Done::Inapplicable("the sources have uncommitted changes".into()));
    }
    let this = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let output = process::run(Command::new(this).args(["release", "--dry-run"]))?.checked()?;
    Ok(Done::Tests(crate::steps::Tests::of(&output)))
}

fn add_steps(steps: &mut Steps, directory: &Path) {
    steps.check("version", version::check);
    steps.check("empty directory for the files", || workspace::empty(directory));
    steps.step("program: two builds are equal", program::check_reproducible);
    steps.step("program: archive", || program::archive(directory));
    steps.check("bills of materials", || packages::bills_of_materials(directory));
    steps.step("crates", || packages::crates(directory));
    steps.step("C library and program: Debian packages", || packages::debian(directory));
    steps.step("Python: wheels and source distribution", || packages::wheels(directory));
    steps.step("Node: package", || packages::node(directory));
    steps.check("checksums", || signatures::checksums(directory));
    steps.check("provenance", || signatures::provenance(directory));
    steps.check("signature by SLH-DSA", || signatures::sign(directory));
    steps.step("signature by minisign", || signatures::minisign(directory));
    steps.step("install: tar", || installs::archive(directory));
    steps.step("install: cargo", || installs::cargo(directory));
    steps.step("install: apt", || installs::debian(directory));
    steps.step("install: pip", || installs::pip(directory));
    steps.step("install: npm", || installs::npm(directory));
}
