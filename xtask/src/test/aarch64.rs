//! The tests of the core crates for aarch64, with a compiler and a standard library from Debian's packages.
//!
//! Rustup's toolchain has no standard library for aarch64 unless one was added. Debian has both halves of
//! another: the compiler `rustc-web`, and the library as the package of the architecture arm64, which is
//! unpacked below cargo's target directory and not installed. Linker and C library are those of Debian's
//! cross compiler; `qemu-user` runs the programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian::{self, Missing, Package};
use crate::process;
use crate::steps::Done;
use crate::test::binaries::{self, Build, OF_KERNELS};
use crate::workspace::{self, Toolchain};

pub(crate) const TARGET: &str = "aarch64-unknown-linux-gnu";
/// The variable that sets cargo's runner of programs for aarch64.
pub(crate) const RUNNER: &str = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER";
const RUSTC: &str = "/usr/bin/rustc";
const STD: &str = "libstd-rust-web-dev";
const LIBRARY: &str = "usr/lib/rustlib/aarch64-unknown-linux-gnu/lib";

const PACKAGES: &[Package] = &[
    Package { name: "qemu-user", holds: "/usr/bin/qemu-aarch64" },
    Package { name: "gcc-aarch64-linux-gnu", holds: "/usr/bin/aarch64-linux-gnu-gcc" },
    Package { name: "libc6-dev-arm64-cross", holds: "/usr/aarch64-linux-gnu/lib/crt1.o" },
    Package { name: "rustc-web", holds: RUSTC },
];

/// Builds the test programs of the crates of kernels; or returns the reason why they cannot be built here.
///
/// # Errors
/// If apt works and a package is missing, or the crates do not compile.
pub(crate) fn build() -> Result<Result<Build, String>, String> {
    let mut command = match cargo("test")? {
        Ok(command) => command,
        Err(why) => return Ok(Err(why)),
    };
    command.args(OF_KERNELS.iter().flat_map(|name| ["-p", name])).arg("--all-features");
    binaries::build(&mut command).map(Ok)
}

/// Builds the program and hashes by it, emulated.
///
/// # Errors
/// Like [`build`], and if a digest is wrong.
pub(crate) fn run_program() -> Result<Done, String> {
    let mut command = match cargo("build")? {
        Ok(command) => command,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    process::run(command.args(["-p", "hashlanes-cli"]))?.checked()?;
    let program = workspace::scratch("aarch64/build").join(TARGET).join("debug/hashlanes");
    let of = |arguments: &[&str]| {
        let mut command = Command::new("qemu-aarch64");
        command.args(["-L", "/usr/aarch64-linux-gnu", "-cpu", "max"]).arg(&program).args(arguments);
        workspace::unforced(&mut command);
        process::run(command.current_dir(workspace::root()))?.checked()
    };
    let listed = of(&["kernels"])?;
    let file = "Cargo.toml";
    let digest = process::stdout(Command::new("sha256sum").arg(file).current_dir(workspace::root()))?;
    let digest = String::from_utf8_lossy(&digest[..64]).into_owned();
    match (listed.contains("arm-sha2-x3"), of(&["sum", file])?.contains(&digest)) {
        (true, true) => Ok(Done::Check),
        (false, _) => Err(format!("{listed}\n`hashlanes kernels` lists no arm-sha2-x3")),
        (_, false) => Err(format!("`hashlanes sum {file}` did not print {digest}")),
    }
}

/// Returns `cargo SUBCOMMAND` for aarch64; or the reason why it is not available here.
///
/// # Errors
/// If apt works and a package is missing.
pub(crate) fn cargo(subcommand: &str) -> Result<Result<Command, String>, String> {
    match debian::install(PACKAGES) {
        Ok(()) => {}
        Err(Missing::NoApt(why)) => return Ok(Err(why)),
        Err(Missing::Failed(why)) => return Err(why),
    }
    new_enough()?;
    let sysroot = sysroot()?;
    let mut command = workspace::cargo(subcommand);
    command.args(["--target", TARGET]);
    // A build directory of its own: cargo takes another compiler for a reason to build everything again.
    command.env("CARGO_TARGET_DIR", workspace::scratch("aarch64/build"));
    // Incremental compilation would make the next build faster, but this one, usually the first, a quarter
    // slower.
    command.env("CARGO_INCREMENTAL", "0");
    command.env("RUSTC", RUSTC).env_remove("LD_LIBRARY_PATH"); // It leads to rustup's compiler's libraries.
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    let flags = format!("--sysroot={}", sysroot.display());
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS", flags);
    Ok(Ok(command))
}

/// Debian's compiler must support the workspace's edition and its `rust-version`: an older installed one is
/// updated.
fn new_enough() -> Result<(), String> {
    let needed = env!("CARGO_PKG_RUST_VERSION");
    let is_old = |release: &str| number(release) < number(needed);
    if is_old(&Toolchain::of(Path::new(RUSTC))?.release) {
        debian::newest(&["rustc-web"])?;
    }
    let release = Toolchain::of(Path::new(RUSTC))?.release;
    if is_old(&release) { Err(format!("{RUSTC} is {release}, older than {needed}")) } else { Ok(()) }
}

/// The numbers of a version.
fn number(version: &str) -> Vec<u32> {
    version.split(['.', '-']).filter_map(|number| number.parse().ok()).collect()
}

/// A directory that holds the standard library for aarch64 that the compiler's version belongs to.
fn sysroot() -> Result<PathBuf, String> {
    let version = debian::version(&format!("{STD}:{}", native_architecture()))?;
    let place = workspace::scratch("aarch64").join(version.replace([':', '~', '+'], "-"));
    if !place.join("complete").exists() {
        debian::unpack_foreign(STD, &version, "arm64", &place)?;
        if !place.join(LIBRARY).is_dir() {
            return Err(format!("{STD} {version} of arm64 holds no {LIBRARY}"));
        }
        let complete = place.join("complete");
        fs::write(&complete, "").map_err(|error| format!("{}: {error}", complete.display()))?;
    }
    Ok(place.join("usr"))
}

fn native_architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}
