//! The tests of the library's crates under tools that see what a test does not: the address sanitizer and
//! Miri.
//!
//! - The **address sanitizer** checks every access of compiled code, on every kernel of this CPU. Kernels in
//!   assembly are not instrumented: their borders are guarded pages, in the tests themselves.
//! - **Miri** interprets the portable code, and reports undefined behaviour, and data races in any order of
//!   threads that a seed draws. Its target is big-endian, so there are no other kernels. It is a thousand
//!   times slower than a CPU: it runs the tests that are small.

use super::targets;
use crate::steps::{Done, Steps, Tests};
use crate::{nightly, process, workspace};

/// Big-endian: only portable code runs there.
const PORTABLE: &str = "s390x-unknown-linux-gnu";

/// A step of Miri: its name, cargo's arguments, and Miri's. A block of SHA-256 takes a fifth of a second, and
/// Argon2 hours.
const MIRI: [(&str, &[&str], &str); 5] = [
    ("schedule", &["-p", "hashlanes-schedule", "--lib"], ""),
    ("tree", &["-p", "hashlanes-tree", "--test", "modes", "--", "a_few_blocks", "wrong_use", "no_names"], ""),
    ("hbs", &["-p", "hashlanes-hbs", "--all-features", "--lib", "--", "--skip", "passphrase"], ""),
    (
        "threads",
        &["-p", "hashlanes", "--no-default-features", "--features", "std,sha2", "--test", "threads"],
        "-Zmiri-many-seeds=0..8",
    ),
    (
        "work of the program's threads",
        &["-p", "hashlanes-cli", "--bin", "hashlanes", "--", "hashing::long_files", "hashing::waiting_files"],
        "-Zmiri-many-seeds=0..16",
    ),
];

/// Adds a step for each tool, and for each package under Miri.
pub(super) fn add_steps(steps: &mut Steps) {
    steps.step("address sanitizer", address_sanitizer);
    for (name, arguments, flags) in MIRI {
        steps.step(&format!("Miri: {name}"), || miri(arguments, flags));
    }
}

/// Tests the core crates with the address sanitizer.
fn address_sanitizer() -> Result<Done, String> {
    if let Err(why) = nightly::install(&[]) {
        return Ok(Done::NotRun(why));
    }
    let host = workspace::Toolchain::of(&workspace::rustc())?.host;
    let mut test = nightly::command("cargo");
    targets::add_core_crates(test.arg("test"), &host);
    test.arg("--no-fail-fast").env("RUSTFLAGS", "-Zsanitizer=address");
    // As under an emulator: tests do not search the memory of the process, of which the sanitizer reserves
    // terabytes.
    test.env("HASHLANES_TEST_RUNNER", "env");
    test.env("CARGO_TARGET_DIR", workspace::scratch("sanitizer"));
    let output = process::run(&mut test)?.checked()?;
    Ok(Done::Tests(Tests::of(&output)))
}

/// Interprets tests by Miri, without its isolation: tests read the clock and their files.
fn miri(arguments: &[&str], flags: &str) -> Result<Done, String> {
    if let Err(why) = nightly::install(&["miri", "rust-src"]) {
        return Ok(Done::NotRun(why));
    }
    let mut test = nightly::command("cargo");
    test.args(["miri", "test", "--target", PORTABLE]).args(arguments);
    test.env("MIRIFLAGS", format!("-Zmiri-disable-isolation {flags}"));
    test.env("CARGO_TARGET_DIR", workspace::scratch("miri"));
    let output = process::run(&mut test)?.checked()?;
    Ok(Done::Tests(Tests::of(&output)))
}
