//! Refuses targets on which the program does not run, by name: otherwise the compiler reports each call that
//! they lack.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_CFG_UNIX").is_none() {
        let target = std::env::var("TARGET").unwrap_or_default();
        println!(
            "cargo::error={target}: the program hashlanes is for Linux, macOS and FreeBSD; the crate hashlanes is also for this target"
        );
    }
}
