//! Passes the version of the compiler to the crate, for its records.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=RUSTC");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok().filter(|o| o.status.success());
    if let Some(version) = version.and_then(|o| String::from_utf8(o.stdout).ok()) {
        println!("cargo:rustc-env=HASHLANES_CLOCK_RUSTC={}", version.trim());
    }
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo:rustc-env=HASHLANES_CLOCK_OPT_LEVEL={level}");
}
