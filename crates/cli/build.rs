//! Refuses targets on which the program does not run, by name: otherwise the compiler reports each call that
//! they lack.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if ["CARGO_CFG_UNIX", "CARGO_CFG_WINDOWS"].iter().all(|system| std::env::var_os(system).is_none()) {
        let target = std::env::var("TARGET").unwrap_or_default();
        println!(
            "cargo::error={target}: the program hashlanes is for Linux, macOS, FreeBSD and Windows; the crate hashlanes is also for this target"
        );
    }
}
