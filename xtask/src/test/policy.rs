//! The policy of `deny.toml`, by `cargo deny`: licences, sources and duplicates of all dependencies, and
//! known vulnerabilities, from the RustSec database. The step `licences and sources` checks the packages that
//! are compiled in, without the tool, which takes minutes to build.

use std::process::Command;

use crate::steps::Done;
use crate::{process, workspace};

const VERSION: &str = "0.20.2";

/// The manifests: of the workspace, and of the packages outside of it.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "bindings/datafusion/Cargo.toml", "fuzz/Cargo.toml"];

/// Checks everything that needs no download.
///
/// # Errors
/// What is against the policy.
pub(super) fn check() -> Result<Done, String> {
    check_each(&["check", "bans", "licenses", "sources"])
}

/// Checks that no dependency has a known vulnerability or is yanked.
///
/// # Errors
/// The advisories.
pub(super) fn advisories() -> Result<Done, String> {
    if let Err(why) = deny(MANIFESTS[0], &["fetch", "db"])? {
        return Ok(Done::NotRun(format!("the RustSec database cannot be fetched: {}", why.trim_end())));
    }
    check_each(&["check", "--disable-fetch", "advisories"])
}

/// Runs the tool for each manifest.
fn check_each(arguments: &[&str]) -> Result<Done, String> {
    for manifest in MANIFESTS {
        deny(manifest, arguments)?.map_err(|output| format!("{manifest}\n{output}"))?;
    }
    Ok(Done::Check)
}

/// Runs the tool; the inner error is its output.
fn deny(manifest: &str, arguments: &[&str]) -> Result<Result<String, String>, String> {
    let mut deny = Command::new(workspace::installed("cargo-deny", VERSION, &[])?);
    // The policy is that of the workspace.
    deny.args(["--manifest-path", manifest, "--config", "deny.toml"]);
    Ok(process::run(deny.args(arguments).current_dir(workspace::root()))?.checked())
}
