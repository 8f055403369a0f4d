//! Targets that `rustup` installs: i686, whose tests run natively, Windows, whose tests `wine` runs, and
//! others, for which the crates are compiled.
//!
//! Code for 64-bit CPUs goes wrong on 32-bit ones silently: lengths, sums and shifts in `usize` overflow. So
//! i686 is compiled for every time, and `--slow` runs the core crates' tests on it; its kernels are the
//! scalar ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian::{self, Missing, Package};
use crate::steps::{Done, Tests};
use crate::test::binaries::{self, Build};
use crate::{process, workspace};

/// Windows, with a C library that Debian has.
const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// A 32-bit target that this CPU runs.
pub(crate) const I686: &str = "i686-unknown-linux-gnu";

/// A big-endian target.
const S390X: &str = "s390x-unknown-linux-gnu";

/// Targets without the standard library, with 32-bit addresses, or both.
pub(crate) const BARE: &[&str] = &[
    "wasm32-unknown-unknown",
    "thumbv7em-none-eabihf",
    "riscv32imac-unknown-none-elf",
    "x86_64-unknown-none",
];

/// Other systems and architectures; s390x is big-endian.
pub(crate) const HOSTED: &[&str] = &[
    S390X,
    "x86_64-pc-windows-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "aarch64-linux-android",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
];

/// Systems other than Linux for which the program is compiled.
pub(crate) const OF_PROGRAM: &[&str] =
    &["x86_64-apple-darwin", "aarch64-apple-darwin", "x86_64-unknown-freebsd"];

/// The features that need an allocator and no more.
const ALLOC: &str = "sha1,sha2,sha3,tree,aes,xmss,lms,slh-dsa,pki,digest,zeroize,hazmat";

/// Builds the test programs of the core crates for i686; or returns why that is impossible.
///
/// # Errors
/// If apt works and the linker's libraries cannot be installed, or the crates do not compile.
pub(crate) fn build_i686() -> Result<Result<Build, Done>, String> {
    const LIBRARIES: &[Package] = &[Package { name: "gcc-multilib", holds: "/usr/lib32/crt1.o" }];
    if let Err(why) = install(I686) {
        return Ok(Err(Done::NotRun(why)));
    }
    match debian::install(LIBRARIES) {
        Ok(()) => {}
        Err(Missing::NoApt(why)) => return Ok(Err(Done::NotRun(why))),
        Err(Missing::Failed(why)) => return Err(why),
    }
    binaries::build(&mut of_core_crates(I686)).map(Ok)
}

/// Builds the test programs of the core crates for Windows; or returns why that is impossible.
///
/// # Errors
/// If apt works and the linker cannot be installed, or the crates do not compile.
pub(crate) fn build_windows() -> Result<Result<Build, Done>, String> {
    if let Err(not_run) = windows_tools()? {
        return Ok(Err(not_run));
    }
    let build = binaries::build(&mut of_core_crates(WINDOWS))?;
    if let Some(directory) = build.directory() {
        make_random_source(directory)?;
    }
    Ok(Ok(build))
}

/// Installs the compiler for Windows and `wine`; or returns why that is impossible.
fn windows_tools() -> Result<Result<(), Done>, String> {
    const TOOLS: &[Package] = &[
        Package { name: "gcc-mingw-w64-x86-64", holds: "/usr/bin/x86_64-w64-mingw32-gcc" },
        Package { name: "wine", holds: "/usr/bin/wine" },
        Package { name: "wine64", holds: "/usr/lib/wine/wine64" },
    ];
    if let Err(why) = install(WINDOWS) {
        return Ok(Err(Done::NotRun(why)));
    }
    match debian::install(TOOLS) {
        Ok(()) => Ok(Ok(())),
        Err(Missing::NoApt(why)) => Ok(Err(Done::NotRun(why))),
        Err(Missing::Failed(why)) => Err(why),
    }
}

/// Builds the test programs of the core crates for s390x, which is big-endian; or returns why that is
/// impossible.
///
/// # Errors
/// If apt works and the linker cannot be installed, or the crates do not compile.
pub(crate) fn build_s390x() -> Result<Result<Build, Done>, String> {
    const TOOLS: &[Package] = &[
        Package { name: "gcc-s390x-linux-gnu", holds: "/usr/bin/s390x-linux-gnu-gcc" },
        Package { name: "libc6-dev-s390x-cross", holds: "/usr/s390x-linux-gnu/lib/crt1.o" },
        Package { name: "qemu-user", holds: "/usr/bin/qemu-s390x" },
    ];
    if let Err(why) = install(S390X) {
        return Ok(Err(Done::NotRun(why)));
    }
    match debian::install(TOOLS) {
        Ok(()) => {}
        Err(Missing::NoApt(why)) => return Ok(Err(Done::NotRun(why))),
        Err(Missing::Failed(why)) => return Err(why),
    }
    let mut command = of_core_crates(S390X);
    command.env("CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER", "s390x-linux-gnu-gcc");
    binaries::build(&mut command).map(Ok)
}

/// Makes the library that Rust's standard library takes random numbers from, next to the programs: Debian
/// 12's `wine` has none.
fn make_random_source(directory: &Path) -> Result<(), String> {
    const SOURCE: &str = "\
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T n) { return RtlGenRandom(bytes, (ULONG)n); }
";
    let source = directory.join("bcryptprimitives.c");
    fs::write(&source, SOURCE).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler.arg("-shared").arg("-o").arg(source.with_extension("dll")).arg(&source).arg("-ladvapi32");
    process::run(&mut compiler)?.checked().map(drop)
}

/// `cargo test` of the core crates for a target.
fn of_core_crates(target: &str) -> Command {
    let mut command = workspace::cargo("test");
    add_core_crates(&mut command, target);
    command
}

/// Adds to `cargo test` the arguments for the core crates' tests and a target.
pub(crate) fn add_core_crates(command: &mut Command, target: &str) {
    const CRATES: [&str; 5] = ["schedule", "sha", "aes", "tree", "hbs"];
    command.args(["--target", target, "--all-features", "--lib"]);
    command.args([
        "--test",
        "conformance",
        "--test",
        "aegis",
        "--test",
        "gcm",
        "--test",
        "modes",
        "--test",
        "no_alloc",
    ]);
    command.args(CRATES.map(|name| format!("--package=hashlanes-{name}")));
}

/// Checks the crate `hashlanes` without the standard library for a target, first without an allocator, then
/// with all features that need no more.
///
/// # Errors
/// If it does not compile.
pub(crate) fn check_bare(target: &str) -> Result<Done, String> {
    // (`count-calls` needs 64-bit atomics.)
    compile("check", target, "sha1,sha2,sha3,xmss,digest,zeroize")?;
    compile("check", target, ALLOC)
}

/// Builds it: code is generated, too, and some constants are evaluated only then.
///
/// # Errors
/// If it does not compile.
pub(crate) fn build_bare(target: &str) -> Result<Done, String> {
    compile("build", target, ALLOC)
}

/// Checks the crate `hashlanes` with the standard library for a target.
///
/// # Errors
/// If it does not compile.
pub(crate) fn check_hosted(target: &str) -> Result<Done, String> {
    let features =
        "std,sha1,sha2,sha3,tree,aes,xmss,lms,slh-dsa,digest,rayon,hazmat,getrandom,zeroize,env-override";
    // The key store's system calls are Linux's.
    let is_linux = target.contains("linux");
    compile("check", target, &if is_linux { format!("{features},store") } else { features.into() })
}

/// Checks the program for another system.
///
/// # Errors
/// If it does not compile.
pub(crate) fn check_program(target: &str) -> Result<Done, String> {
    if let Err(why) = install(target) {
        return Ok(Done::NotRun(why));
    }
    let mut command = workspace::cargo("check");
    process::run(command.args(["-p", "hashlanes-cli", "--target", target]))?.checked()?;
    Ok(Done::Check)
}

/// Tests the program on Windows, which `wine` stands for.
///
/// # Errors
/// If apt works and the tools cannot be installed, if the program does not compile, or if a test fails.
pub(crate) fn program_on_windows() -> Result<Done, String> {
    if let Err(not_run) = windows_tools()? {
        return Ok(not_run);
    }
    let mut command = workspace::cargo("test");
    command.args(["-p", "hashlanes-cli", "--target", WINDOWS, "--bin", "hashlanes", "--test", "windows"]);
    let build = binaries::build(&mut command)?;
    if let Some(directory) = build.directory() {
        make_random_source(directory)?;
        // The program itself is in the directory above.
        make_random_source(directory.parent().unwrap_or(directory))?;
    }
    let mut sum = Tests::default();
    for test in build.all() {
        sum += binaries::run(test, &["wine"], &[("WINEDEBUG", "-all")])?;
    }
    Ok(Done::Tests(sum))
}

/// Builds the program with its C library linked statically, and runs it.
///
/// # Errors
/// If it does not compile, or does not run.
pub(crate) fn static_program() -> Result<Done, String> {
    const TARGET: &str = "x86_64-unknown-linux-musl";
    if let Err(why) = install(TARGET) {
        return Ok(Done::NotRun(why));
    }
    let mut command = workspace::cargo("run");
    command.args(["-p", "hashlanes-cli", "--target", TARGET, "--", "sum", "Cargo.toml"]);
    process::run(&mut command)?.checked()?;
    Ok(Done::Check)
}

fn compile(subcommand: &str, target: &str, features: &str) -> Result<Done, String> {
    if let Err(why) = install(target) {
        return Ok(Done::NotRun(why));
    }
    let mut command = workspace::cargo(subcommand);
    command.args(["-p", "hashlanes", "--no-default-features", "--features", features, "--target", target]);
    process::run(&mut command)?.checked()?;
    Ok(Done::Check)
}

/// Installs a target's standard library, if it is missing; or returns why that is impossible.
pub(crate) fn install(target: &str) -> Result<(), String> {
    let mut asked = Command::new(workspace::rustc());
    asked.args(["--print", "target-libdir", "--target", target]).current_dir(workspace::root());
    let directory =
        process::stdout(&mut asked).map(|path| PathBuf::from(String::from_utf8_lossy(&path).trim()));
    if directory.is_ok_and(|directory| directory.is_dir()) {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", target]).current_dir(workspace::root());
    match process::run(&mut rustup) {
        Ok(finished) if finished.succeeded => Ok(()),
        Ok(finished) => {
            let why = finished.output.lines().last().unwrap_or(&finished.status).to_owned();
            Err(format!("rustup cannot install {target}: {why}"))
        }
        Err(why) => Err(format!("{target} is not installed: {why}")),
    }
}
