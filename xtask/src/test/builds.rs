//! Builds as users set them: other optimisation levels, link-time optimisation, instructions of one CPU.
//!
//! A kernel's frame is the compiler's choice: at another level it is up to twice as large. The bytes that are
//! overwritten after it have to be enough for all levels, and so has the stack that the documentation names.

use super::binaries::{self, OF_KERNELS, TestProgram};
use crate::steps::Done;
use crate::{guard, workspace};

/// Settings of a profile, with their name.
type Settings = (&'static str, &'static [&'static str]);

/// The builds whose stack is looked at. At other levels kernels may use more than is overwritten: there the
/// crates that hold them have level 3, as the documentation says.
pub(super) const OF_STACK: [Settings; 3] = [
    ("opt-level 2", &["opt-level=2"]),
    (
        "opt-level s",
        &["opt-level=\"s\"", "package.hashlanes-sha.opt-level=3", "package.hashlanes-aes.opt-level=3"],
    ),
    ("link-time optimisation", &["lto=\"fat\"", "codegen-units=1"]),
];

/// The name of a step.
pub(super) fn title((name, _): Settings) -> String {
    format!("stack: {name}")
}

/// Searches the memory of the tests of AES for keys and keystream, and the stack of those of `hashlanes` for
/// secrets; measures the stack of calls; reads the frames of kernels, also of those that this CPU cannot run.
///
/// # Errors
/// If a secret is found or would be left, or a call takes more stack than it may.
pub(super) fn stack((_, settings): Settings) -> Result<Done, String> {
    const PROGRAMS: [&str; 5] = ["conformance", "gcm", "aegis", "left_on_stack", "stack"];
    let mut command = workspace::cargo("test");
    command.args(["--release", "--all-features", "-p", "hashlanes-aes", "-p", "hashlanes"]);
    for program in PROGRAMS {
        command.args(["--test", program]);
    }
    for setting in settings {
        command.args(["--config", &format!("profile.release.{setting}")]);
    }
    let build = binaries::build(&mut command)?;
    for name in ["aes gcm", "hashlanes left_on_stack"] {
        let program = build.named(name).ok_or_else(|| format!("there is no test program {name:?}"))?;
        guard::stack_of(&program.path)?;
    }
    let of_aes = build.of_crates(&["aes"]).into_iter().map(|program| program.with_arguments(&["gone"]));
    let programs: Vec<TestProgram> =
        of_aes.chain(build.of_crates(&["hashlanes"]).into_iter().cloned()).collect();
    binaries::run_here(&programs.iter().collect::<Vec<_>>())
}

/// Runs the tests of the crates that hold kernels, or rest on them alone, compiled for this CPU: the compiler
/// may use all of its instructions everywhere.
///
/// # Errors
/// If a test fails.
pub(super) fn for_this_cpu() -> Result<Done, String> {
    let mut command = workspace::cargo("test");
    command.args(["--release", "--all-features", "--tests"]);
    command.args(OF_KERNELS.iter().flat_map(|name| ["-p", name]));
    // A build directory of its own: other flags are a reason for cargo to build everything again.
    command.env("CARGO_TARGET_DIR", workspace::scratch("for-this-cpu"));
    command.env("RUSTFLAGS", "-C target-cpu=native");
    binaries::run_here(&binaries::build(&mut command)?.all())
}
