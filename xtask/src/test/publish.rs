//! The packages for crates.io: every published crate packages its README and its licences, and builds from
//! its package.

use std::path::PathBuf;

use crate::{process, workspace};

/// The directory of the packages that [`dry_run`] made. Cargo 1.90 and later keep those of several crates,
/// which depend on each other, in a registry of their own.
pub(crate) fn packages() -> PathBuf {
    let packages = workspace::scratch("publish").join("package");
    let registry = packages.join("tmp-registry");
    if registry.is_dir() { registry } else { packages }
}

/// # Errors
/// If a file is missing in a package, or a package does not build.
pub(crate) fn dry_run() -> Result<(), String> {
    for package in workspace::published() {
        let mut list = workspace::cargo("package");
        let files = process::stdout(list.args(["--list", "--allow-dirty", &package]))?;
        let files = String::from_utf8_lossy(&files);
        for needed in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if !files.lines().any(|file| file == needed) {
                return Err(format!("{package}: {needed} is not packaged"));
            }
        }
    }
    let mut publish = workspace::cargo("publish");
    publish.args(["--dry-run", "--allow-dirty"]).args(workspace::published());
    process::run(publish.env("CARGO_TARGET_DIR", workspace::scratch("publish")))?.checked().map(drop)
}
