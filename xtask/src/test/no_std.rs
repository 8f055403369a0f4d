//! The core crates without the standard library: compiled with a sysroot that lacks it.
//!
//! A crate with `no_std` may still link `std` through a dependency, and compiles wherever `std` exists. So
//! this step removes it: the sysroot has only `core` and `alloc`. The feature `std` must not compile there,
//! which shows that the test works.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{self, Finished};
use crate::workspace::tool;
use crate::workspace::{self, Toolchain};

/// # Errors
/// If a core crate needs the standard library, or the check would not see it.
pub(crate) fn check() -> Result<(), String> {
    let toolchain = Toolchain::of(&workspace::rustc())?;
    const CORE: &[&str] = &["libcore-", "libcompiler_builtins-", "librustc_std_workspace_core-"];
    const ALLOC: &[&str] =
        &["libcore-", "liballoc-", "libcompiler_builtins-", "librustc_std_workspace_core-"];
    let (core, alloc) = (sysroot(&toolchain.host, "core", CORE)?, sysroot(&toolchain.host, "alloc", ALLOC)?);
    let check_in = |sysroot: &Path, arguments: &[&str]| -> Result<Finished, String> {
        let mut command = workspace::cargo("check");
        command
            .args(["-p", "hashlanes", "--no-default-features", "--target", &toolchain.host])
            .args(arguments);
        command.env("CARGO_TARGET_DIR", workspace::scratch("no_std/build"));
        let variable = format!("CARGO_TARGET_{}_RUSTFLAGS", toolchain.host.replace('-', "_").to_uppercase());
        command.env_remove("RUSTFLAGS").env(variable, format!("--sysroot={}", sysroot.display()));
        process::run(&mut command)
    };
    let check = |arguments: &[&str]| check_in(&alloc, arguments);
    // Hashes and the verifier of signatures need no allocator.
    check_in(&core, &["--features", "sha1,sha2,sha3,xmss,digest,digest-0-10,zeroize"])?.checked()?;
    let with_alloc = check_in(&core, &["--features", "xmss,alloc"])?;
    if with_alloc.succeeded || !with_alloc.output.contains("can't find crate for `alloc`") {
        return Err(format!("{}\nthe feature `alloc` was to fail without `alloc`", with_alloc.output));
    }
    check(&[
        "--features",
        "sha1,sha2,sha3,tree,aes,xmss,lms,slh-dsa,pki,digest,digest-0-10,cipher,aead,signature,count-calls,hazmat,getrandom",
    ])?
    .checked()?;
    let with_std = check(&["--features", "sha2,std"])?;
    if with_std.succeeded || !with_std.output.contains("can't find crate for `std`") {
        return Err(format!("{}\nthe feature `std` was to fail for want of `std`", with_std.output));
    }
    Ok(())
}

/// A sysroot like the toolchain's, with only these crates.
fn sysroot(host: &str, name: &str, crates: &[&str]) -> Result<PathBuf, String> {
    let asked = process::stdout(
        tool("RUSTC", "rustc").args(["--print", "target-libdir"]).current_dir(workspace::root()),
    )?;
    let from = PathBuf::from(String::from_utf8_lossy(&asked).trim());
    let sysroot = workspace::scratch("no_std").join(name);
    let to = sysroot.join("lib/rustlib").join(host).join("lib");
    let failed = |path: &Path, error| format!("{}: {error}", path.display());
    // Created again, because the toolchain may have changed.
    let _ = fs::remove_dir_all(&sysroot);
    fs::create_dir_all(&to).map_err(|error| failed(&to, error))?;
    for entry in fs::read_dir(&from).map_err(|error| failed(&from, error))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if crates.iter().any(|start| name.starts_with(start)) {
            let copy = to.join(&name);
            fs::copy(entry.path(), &copy).map_err(|error| failed(&copy, error))?;
        }
    }
    Ok(sysroot)
}
