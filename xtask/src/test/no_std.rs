//! The core crates without the standard library: compiled where there is none.
//!
//! A crate that says `no_std` may still link `std` through a dependency, and compiles wherever `std` is there. So it is
//! taken away: the sysroot has `core` and `alloc` alone. That the trap works is shown by the feature `std`, which must
//! not compile there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{self, Finished};
use crate::test::tool;
use crate::workspace::{self, Toolchain};

/// # Errors
/// If a core crate needs the standard library, or the check would not see it.
pub(crate) fn check() -> Result<(), String> {
    let toolchain = Toolchain::of(&workspace::rustc())?;
    let sysroot = sysroot(&toolchain.host)?;
    let check = |arguments: &[&str]| -> Result<Finished, String> {
        let mut command = workspace::cargo("check");
        command
            .args([
                "-p",
                "hashlanes",
                "--no-default-features",
                "--features",
                "alloc",
                "--target",
                &toolchain.host,
            ])
            .args(arguments);
        command.env("CARGO_TARGET_DIR", workspace::scratch("no_std/build"));
        let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", toolchain.host.replace('-', "_").to_uppercase());
        command.env_remove("RUSTFLAGS").env(variable, format!("--sysroot={}", sysroot.display()));
        process::run(&mut command)
    };
    check(&[])?.checked()?;
    check(&["--features", "digest,count-calls,hazmat,getrandom"])?.checked()?;
    let with_std = check(&["--features", "std"])?;
    if with_std.succeeded || !with_std.output.contains("can't find crate for `std`") {
        return Err(format!("{}\nthe feature `std` was to fail for want of `std`", with_std.output));
    }
    Ok(())
}

/// A sysroot like the toolchain's, with `core`, `alloc` and what they rest on.
fn sysroot(host: &str) -> Result<PathBuf, String> {
    const CRATES: [&str; 4] =
        ["libcore-", "liballoc-", "libcompiler_builtins-", "librustc_std_workspace_core-"];
    let asked = process::stdout(
        tool("RUSTC", "rustc").args(["--print", "target-libdir"]).current_dir(workspace::root()),
    )?;
    let from = PathBuf::from(String::from_utf8_lossy(&asked).trim());
    let sysroot = workspace::scratch("no_std").join("sysroot");
    let to = sysroot.join("lib/rustlib").join(host).join("lib");
    let failed = |path: &Path, error| format!("{}: {error}", path.display());
    // Made anew: the toolchain may have changed.
    let _ = fs::remove_dir_all(&sysroot);
    fs::create_dir_all(&to).map_err(|error| failed(&to, error))?;
    for entry in fs::read_dir(&from).map_err(|error| failed(&from, error))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if CRATES.iter().any(|start| name.starts_with(start)) {
            let copy = to.join(&name);
            fs::copy(entry.path(), &copy).map_err(|error| failed(&copy, error))?;
        }
    }
    Ok(sysroot)
}
