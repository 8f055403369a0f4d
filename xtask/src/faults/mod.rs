//! `cargo xtask faults`: planted faults, each of which the tests must catch and name.

use crate::steps::Steps;

/// Plants the faults whose names hold `part`.
///
/// # Errors
/// If one is not caught.
pub(crate) fn command(_part: &str) -> Result<(), String> {
    Ok(())
}

/// Plants all faults, a step each.
pub(crate) fn add_steps(_steps: &mut Steps) {}
