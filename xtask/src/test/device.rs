//! Verification on devices: code and stack of programs for a Cortex-M4 that verify one signature, run under
//! qemu-arm.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::test::targets;
use crate::{process, workspace};

const TARGET: &str = "thumbv7em-none-eabihf";
const PROGRAM: &str = include_str!("device_program/main.rs");
/// The most bytes of code and of stack.
const MOST: (u64, u64) = (24 << 10, 8 << 10);

/// A program: the name of its signature in `examples/device_vectors.rs`, and the verification.
const PROGRAMS: [(&str, &str); 4] = [
    (
        "XMSS-SHA2_10_256",
        "hashlanes_hbs::verify_no_alloc(hashlanes_hbs::Scheme::Xmss, key, MESSAGE, signature).is_ok()",
    ),
    ("LMS_SHA256_M24_H5_W4", "hashlanes_hbs::verify_lms_no_alloc(key, MESSAGE, signature).is_ok()"),
    (
        "SLH-DSA-SHA2-128s",
        "hashlanes_hbs::verify_slh_dsa_no_alloc::<hashlanes_hbs::slh_dsa_sets::Sha2_128s>(key, b\"\", MESSAGE, signature).is_ok()",
    ),
    (
        "SLH-DSA-SHA2-256s",
        "hashlanes_hbs::verify_slh_dsa_no_alloc::<hashlanes_hbs::slh_dsa_sets::Sha2_256s>(key, b\"\", MESSAGE, signature).is_ok()",
    ),
];

/// Prints code and stack of each program.
///
/// # Errors
/// One of them does not build, refuses the signature, or is too large.
pub(crate) fn check() -> Result<Done, String> {
    const QEMU: &[Package] = &[Package { name: "qemu-user", holds: "/usr/bin/qemu-arm" }];
    match debian::install(QEMU) {
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
        Ok(()) => {}
    }
    if let Err(why) = targets::install(TARGET) {
        return Ok(Done::NotRun(why));
    }
    let directory = workspace::scratch("device");
    let mut vectors = workspace::cargo("run");
    vectors.args([
        "-q",
        "-p",
        "hashlanes-hbs",
        "--features",
        "hazmat,lms,slh-dsa",
        "--example",
        "device_vectors",
        "--",
    ]);
    process::run(vectors.arg(&directory))?.checked()?;
    let mut too_large = Vec::new();
    for (name, expression) in PROGRAMS {
        let without = build(&directory, name, "true")?;
        let code = build(&directory, name, expression)?.saturating_sub(without);
        let program = directory.join("target").join(TARGET).join("release/program");
        let output = process::stdout(Command::new("qemu-arm").arg(&program))
            .map_err(|error| format!("{name}: {error}"))?;
        let stack: u64 =
            String::from_utf8_lossy(&output).trim().parse().map_err(|_| format!("{name}: no number"))?;
        println!("{name}: {code} bytes of code and constants, {stack} bytes of stack");
        if code > MOST.0 || stack > MOST.1 {
            too_large.push(name);
        }
    }
    match too_large[..] {
        [] => Ok(Done::Check),
        _ => Err(format!("too large: {}", too_large.join(", "))),
    }
}

/// Builds a program. Returns the bytes of its sections in memory.
fn build(directory: &Path, name: &str, expression: &str) -> Result<u64, String> {
    let path = workspace::root().join("crates/hbs");
    let manifest = format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         hashlanes-hbs = {{ path = {path:?}, default-features = false }}\n\n\
         [profile.release]\nopt-level = \"s\"\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n\n[workspace]\n"
    );
    let failed = |error| format!("{}: {error}", directory.display());
    let source = directory.join("src");
    fs::create_dir_all(&source).map_err(failed)?;
    fs::write(directory.join("Cargo.toml"), manifest).map_err(failed)?;
    fs::write(source.join("main.rs"), PROGRAM.replace("EXPRESSION", expression)).map_err(failed)?;
    for part in ["public_key", "signature"] {
        fs::copy(directory.join(name).join(part), source.join(part)).map_err(failed)?;
    }
    let mut cargo = workspace::cargo("build");
    cargo.args(["--release", "--target", TARGET]).current_dir(directory);
    cargo.env("CARGO_TARGET_DIR", directory.join("target")).env_remove("RUSTFLAGS");
    cargo.env(
        "CARGO_TARGET_THUMBV7EM_NONE_EABIHF_RUSTFLAGS",
        "-C link-arg=--image-base=0x10000 -C link-arg=--entry=_start",
    );
    process::run(&mut cargo)?.checked()?;
    let program = fs::read(directory.join("target").join(TARGET).join("release/program")).map_err(failed)?;
    bytes_in_memory(&program).ok_or_else(|| "the program is no ELF file of 32 bits".into())
}

/// Returns the sum of the sections that are loaded.
fn bytes_in_memory(elf: &[u8]) -> Option<u64> {
    let word =
        |at: usize| elf.get(at..at + 4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("4 bytes")));
    let half =
        |at: usize| elf.get(at..at + 2).map(|bytes| u16::from_le_bytes(bytes.try_into().expect("2 bytes")));
    if !elf.starts_with(b"\x7fELF\x01\x01") {
        return None;
    }
    /// The flag of sections that are loaded.
    const ALLOC: u32 = 2;
    let (table, each, count) = (word(32)? as usize, usize::from(half(46)?), usize::from(half(48)?));
    let mut sum = 0;
    for section in (0..count).map(|number| table + number * each) {
        if word(section + 8)? & ALLOC != 0 {
            sum += u64::from(word(section + 20)?);
        }
    }
    Some(sum)
}
