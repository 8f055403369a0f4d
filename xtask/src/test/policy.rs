//! The policy of `deny.toml`, by `cargo deny`: licences, sources and duplicates of all dependencies, and
//! known vulnerabilities, from the RustSec database. The step `licences and sources` checks the packages that
//! are compiled in, without the tool, which takes minutes to build.

use std::env;
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
/// The advisories; or, in CI, that their database cannot be fetched.
pub(super) fn advisories() -> Result<Done, String> {
    if let Err(why) = deny(&["fetch", "db"])? {
        // In CI the advisories must be compared.
        let not_run = Done::NotRun("the RustSec database cannot be fetched".into());
        return if env::var_os("CI").is_some() { Err(why) } else { Ok(not_run) };
    }
    deny(&["check", "--disable-fetch", "advisories"])?.map(|_| Done::Check)
}

/// Runs the tool; the inner error is its output.
fn deny(arguments: &[&str]) -> Result<Result<String, String>, String> {
    let mut deny = Command::new(workspace::installed("cargo-deny", VERSION, &[])?);
    Ok(process::run(deny.args(arguments).current_dir(workspace::root()))?.checked())
}
