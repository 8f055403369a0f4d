//! The published crates with exactly the Rust version that they promise, and with the oldest dependencies
//! that they allow.

use std::process::Command;
use std::{env, fs};

use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// The promised version, as rustup calls the toolchain.
pub(crate) const TOOLCHAIN: &str = concat!(env!("CARGO_PKG_RUST_VERSION"), ".0");

/// Checks the published crates.
///
/// # Errors
/// If one does not compile, or if the toolchain is missing in CI.
pub(crate) fn check() -> Result<Done, String> {
    on_toolchain(|| {
        process::run(cargo("check").args(["--locked", "--all-features"]).args(workspace::published()))?
            .checked()?;
        Ok(Done::Check)
    })
}

/// Runs the tests of the published crates.
///
/// # Errors
/// If one fails, or if the toolchain is missing in CI.
pub(crate) fn test() -> Result<Done, String> {
    on_toolchain(|| {
        let mut command = cargo("test");
        command.args(["--locked", "--all-features", "--no-fail-fast"]).args(workspace::published());
        let output = process::run(&mut command)?.checked()?;
        Ok(Done::Tests(Tests::of(&output)))
    })
}

/// Checks the published crates with the oldest versions of their dependencies that the manifests allow.
///
/// # Errors
/// If one does not compile, or if the toolchain is missing in CI.
pub(crate) fn check_minimal_versions() -> Result<Done, String> {
    on_toolchain(|| {
        let sources = workspace::scratch("minimal_versions");
        workspace::copy_sources(&sources)?;
        // The crates that are not published, rivals among their dependencies, stay out.
        let manifest = sources.join("Cargo.toml");
        let failed = |error| format!("{}: {error}", manifest.display());
        let text = fs::read_to_string(&manifest).map_err(failed)?;
        let others = "members = [\"crates/*\", \"xtask\"]";
        assert!(text.contains(others), "{} has no line {others}", manifest.display());
        let text = text.replace(others, "members = [\"crates/hashlanes\", \"crates/cli\"]");
        fs::write(&manifest, text).map_err(failed)?;
        // The option is unstable.
        let mut update = cargo("update");
        update.args(["-Z", "direct-minimal-versions"]).env("RUSTC_BOOTSTRAP", "1");
        process::run(update.current_dir(&sources))?.checked()?;
        let mut check = cargo("check");
        check.args(["--locked", "--all-features"]).args(workspace::published());
        process::run(check.current_dir(&sources))?.checked()?;
        Ok(Done::Check)
    })
}

/// `cargo SUBCOMMAND` of the toolchain, with a build directory of its own.
fn cargo(subcommand: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", TOOLCHAIN, "cargo", subcommand]).current_dir(workspace::root());
    workspace::unforced(&mut command);
    // They are those of the toolchain that runs this program.
    command.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTDOC");
    command.env("CARGO_TARGET_DIR", workspace::scratch("msrv"));
    command
}

/// Runs a step where the toolchain is, or can be installed.
fn on_toolchain(step: impl FnOnce() -> Result<Done, String>) -> Result<Done, String> {
    if let Err(why) = install() {
        return Ok(Done::NotRun(why));
    }
    step()
}

fn install() -> Result<(), String> {
    let mut version = Command::new("rustup");
    version.args(["run", TOOLCHAIN, "rustc", "--version"]);
    if process::run(&mut version)?.succeeded {
        return Ok(());
    }
    let mut install = Command::new("rustup");
    install.args(["toolchain", "install", TOOLCHAIN, "--profile", "minimal"]);
    process::run(&mut install)?.checked().map(drop)
}
