//! The public interface compared with that of the last release by `cargo semver-checks`: a version that is
//! compatible by its number must be compatible.
//!
//! The tool does not follow items to other crates, so the crates that `hashlanes` re-exports are compared,
//! too. The lists in `docs/public-api/` show every change, also before the first release.

use std::process::Command;

use crate::steps::Done;
use crate::{process, public_api, workspace};

const VERSION: &str = "0.51.0";

/// # Errors
/// If an item changed incompatibly while the version says otherwise.
pub(super) fn check() -> Result<Done, String> {
    let mut tags = Command::new("git");
    tags.args(["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]).current_dir(workspace::root());
    let Ok(tag) = process::stdout(&mut tags) else {
        return Ok(Done::Inapplicable("there is no release to compare with (a tag such as v0.1.0)".into()));
    };
    let tag = String::from_utf8_lossy(&tag).trim().to_owned();
    let mut command = Command::new(workspace::installed("cargo-semver-checks", VERSION, &[])?);
    workspace::unforced(&mut command);
    command.args(["semver-checks", "--all-features", "--baseline-rev", &tag]).current_dir(workspace::root());
    command.args(public_api::CRATES.map(|name| format!("--package={name}")));
    command.env("CARGO_TARGET_DIR", workspace::scratch("semver"));
    process::run(&mut command)?.checked()?;
    Ok(Done::Check)
}
