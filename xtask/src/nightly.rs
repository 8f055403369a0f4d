//! The nightly toolchain, for fuzzing, sanitizers and tools that need it.

use std::ffi::OsStr;
use std::process::Command;

use crate::{process, workspace};

/// A command that the nightly toolchain runs.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly"]).arg(program).current_dir(workspace::root());
    // The caller's cargo has set its own compiler, and a release its flags.
    for variable in ["RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "CARGO", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(variable);
    }
    workspace::unforced(&mut command);
    command
}

/// Installs the toolchain with these components, if one of them is missing.
///
/// # Errors
/// Why that is impossible here.
pub(crate) fn install(components: &[&str]) -> Result<(), String> {
    if !process::on_path("rustup") {
        return Err("there is no rustup, which installs a nightly toolchain".into());
    }
    let list = ["component", "list", "--installed", "--toolchain", "nightly"];
    let listed = process::run(Command::new("rustup").args(list))?;
    let is_there = |component: &&str| listed.output.lines().any(|line| line.starts_with(component));
    if listed.succeeded && components.iter().all(is_there) {
        return Ok(());
    }
    let mut install = Command::new("rustup");
    install.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
    install.args(components.iter().flat_map(|component| ["--component", component]));
    let finished = process::run(&mut install)?;
    if finished.succeeded {
        return Ok(());
    }
    let why = finished.output.lines().last().unwrap_or(&finished.status).to_owned();
    Err(format!("rustup cannot install a nightly toolchain: {why}"))
}
