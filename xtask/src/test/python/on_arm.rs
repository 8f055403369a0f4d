//! The wheel for aarch64, in Debian's Python for arm64, which qemu runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{environment, installed, wheels};
use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::{process, workspace};

const EMULATOR: &[Package] = &[Package { name: "qemu-user", holds: "/usr/bin/qemu-aarch64" }];

/// The interpreter, its standard library, and the C++ library that NumPy and pyarrow need.
const PACKAGES: &[&str] = &["python3", "libpython3-stdlib", "libstdc++6"];

/// Tests that need no package without a wheel for aarch64, and none that is slow in an emulator.
const TESTS: [&str; 9] = [
    "test_hash.py",
    "test_many.py",
    "test_column.py",
    "test_files.py",
    "test_lists.py",
    "test_tree.py",
    "test_signatures_and_seals.py",
    "test_bench.py",
    "test_readme.py",
];

/// They start a second Python, which the emulator cannot.
const NOT_EMULATED: &str = "test_interrupt";

/// Builds the wheel, installs it, and runs the tests.
///
/// # Errors
/// If apt works and a package is missing, or a test fails.
pub(in crate::test) fn test() -> Result<Done, String> {
    match debian::install(EMULATOR) {
        Ok(()) => {}
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
    }
    let wheel = match wheels::build_for_arm()? {
        Ok(wheel) => wheel,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    let root = debian()?;
    let python = root.join("usr/bin/python3");
    let emulated = || {
        let mut command = Command::new("qemu-aarch64");
        command.args(["-cpu", "max", "-L"]).arg(&root).arg(&python);
        workspace::unforced(&mut command);
        command
    };
    let version = "import sys; print('%d.%d' % sys.version_info[:2])";
    let version = process::stdout(emulated().args(["-c", version]))?;
    let packages = packages(String::from_utf8_lossy(&version).trim(), &wheel)?;

    installed::check_digest(emulated().env("PYTHONPATH", &packages))?;
    let mut tests = emulated();
    let selection = format!("not {NOT_EMULATED}");
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", &selection]).args(TESTS);
    tests.current_dir(environment::package().join("tests")).env("PYTHONPATH", &packages);
    Ok(Done::Tests(installed::counted(&process::run(&mut tests)?.checked()?)))
}

/// A directory with Python for arm64, unpacked once.
fn debian() -> Result<PathBuf, String> {
    let place = workspace::scratch("python").join("arm64");
    let complete = place.join("complete");
    if !complete.exists() {
        debian::unpack_foreign_with_dependencies(PACKAGES, "arm64", &place)?;
        fs::write(&complete, "").map_err(|error| format!("{}: {error}", complete.display()))?;
    }
    Ok(place)
}

/// A directory with the wheel and the imports of the tests, all for aarch64.
fn packages(version: &str, wheel: &Path) -> Result<PathBuf, String> {
    let scratch = workspace::scratch("python");
    let tools = environment::with_groups(Path::new("python3"), &scratch.join("wheel-tools"), &["wheels"])?;
    let directory = scratch.join("arm64-packages");
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    let (target, wheel) = (directory.display().to_string(), wheel.display().to_string());
    let platforms = ["--platform", "manylinux2014_aarch64", "--platform", "manylinux_2_28_aarch64"];
    let of_python = ["--only-binary=:all:", "--python-version", version, "--target", &target];
    let install = ["install", "pytest", "numpy", "pyarrow", &wheel];
    environment::pip(&tools, &[&install[..], &platforms, &of_python].concat())?;
    Ok(directory)
}
