//! The Python package: its wheels, built by maturin, and its tests.
//!
//! | file | holds |
//! |---|---|
//! | `environment.rs` | virtual environments |
//! | `wheels.rs` `wheel.py` | the wheels of every platform, and the source distribution |
//! | `installed.rs` | installed wheels, and their tests |
//! | `newer.rs` | newer versions of Python |
//! | `engines.rs` | query engines and clusters |
//! | `on_arm.rs` | the wheel for aarch64, emulated |

mod engines;
mod environment;
mod installed;
mod newer;
mod on_arm;
mod wheels;

use crate::steps::Done;
use crate::workspace;

pub(super) use engines::test as test_engines;
pub(super) use newer::test as test_newer;
pub(super) use on_arm::test as test_on_arm;
pub(super) use wheels::test as test_wheels;
pub(crate) use wheels::{all as all_wheels, check as check_wheel, command as build_wheels};

/// Builds the wheel, installs it, and runs the tests.
///
/// # Errors
/// If any of this fails.
pub(super) fn test() -> Result<Done, String> {
    let base = match environment::python()? {
        Ok(base) => base,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    let scratch = workspace::scratch("python");
    let tools = environment::with_groups(&base, &scratch.join("tools"), &["test"])?;
    // As in the other release builds: the profile of published wheels compiles the kernels again.
    let wheel = wheels::build(&tools, &scratch.join("wheels"), &["--profile", "release"])?;
    installed::check_in_fresh(&base, &scratch.join("fresh"), &wheel)?;
    installed::run_tests(&tools, &wheel, &[])
}
