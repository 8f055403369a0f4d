//! The policy of `deny.toml`, by `cargo deny`: licences, sources and duplicates of all dependencies, and
//! known vulnerabilities, from the RustSec database. The step `licences and sources` checks the packages that
//! are compiled in, without the tool, which takes minutes to build.

use std::process::Command;

use crate::steps::Done;
use crate::{process, workspace};

const VERSION: &str = "0.20.2";

/// Checks everything that needs no download.
///
/// # Errors
/// What is against the policy.
pub(super) fn check() -> Result<Done, String> {
    deny(&["check", "bans", "licenses", "sources"])?.map(|_| Done::Check)
}

/// Checks that no dependency has a known vulnerability or is yanked.
///
/// # Errors
/// The advisories.
pub(super) fn advisories() -> Result<Done, String> {
    if let Err(why) = deny(&["fetch", "db"])? {
        return Ok(Done::NotRun(format!("the RustSec database cannot be fetched: {}", why.trim_end())));
    }
    deny(&["check", "--disable-fetch", "advisories"])?.map(|_| Done::Check)
}

/// Runs the tool; the inner error is its output.
fn deny(arguments: &[&str]) -> Result<Result<String, String>, String> {
    let mut deny = Command::new(workspace::installed("cargo-deny", VERSION, &[])?);
    Ok(process::run(deny.args(arguments).current_dir(workspace::root()))?.checked())
}
