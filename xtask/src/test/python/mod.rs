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

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

use super::binaries;
use crate::steps::Done;
use crate::workspace;

pub(super) use engines::test as test_engines;
pub(super) use newer::test as test_newer;
pub(super) use on_arm::test as test_on_arm;
pub(super) use wheels::test as test_wheels;
pub(crate) use wheels::{all as all_wheels, check as check_wheel, command as build_wheels};

/// Places the package with the library of the tests' build in an environment, and runs the tests. Wheels have
/// steps of their own.
///
/// # Errors
/// If any of this fails.
pub(super) fn test() -> Result<Done, String> {
    let base = match environment::python()? {
        Ok(base) => base,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    let tools = environment::with_groups(&base, &workspace::scratch("python").join("tools"), &["test"])?;
    let file = format!("{DLL_PREFIX}_hashlanes{DLL_SUFFIX}");
    installed::place(&tools, &binaries::libraries()?.join(file))?;
    installed::run_tests(&tools, &[])
}
