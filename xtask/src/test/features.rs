//! The crate `hashlanes` with each cargo feature alone, with none, with the default ones, with all.

use crate::{process, workspace};

/// # Errors
/// If it does not compile, or has warnings.
pub(crate) fn check() -> Result<(), String> {
    let features = workspace::features("hashlanes");
    let alone = features.iter().map(|feature| vec!["--no-default-features", "--features", feature]);
    for arguments in alone.chain([vec!["--no-default-features"], vec![], vec!["--all-features"]]) {
        let mut command = workspace::cargo("check");
        command.args(["--lib", "-p", "hashlanes"]).args(&arguments);
        // A build directory of its own: other flags are a reason for cargo to build everything again.
        command.env("CARGO_TARGET_DIR", workspace::scratch("features")).env("RUSTFLAGS", "-D warnings");
        process::run(&mut command)?.checked().map_err(|error| format!("{arguments:?}\n{error}"))?;
    }
    Ok(())
}
