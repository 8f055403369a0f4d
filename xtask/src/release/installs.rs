//! Every file installed as its users do, in empty prefixes, and used there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::files::named;
use super::{program, version};
use crate::steps::Done;
use crate::test::{bindings, debian_root, python};
use crate::{process, workspace};

/// Unpacks the archive and checks the list of checksums by the program in it.
pub(super) fn archive(files: &Path) -> Result<Done, String> {
    let Ok(archives) = named(files, program::TARGET) else {
        return Ok(Done::NotRun("there is no archive of the program".into()));
    };
    let prefix = prefix("tar")?;
    unpack(&archives[0], &prefix)?;
    let folder = prefix.join(format!("hashlanes-{}", version::version()));
    check_program(&folder.join("hashlanes"), files)?;
    named(&folder.join("man"), "hashlanes-sum.1").map(|_| Done::Check)
}

/// Installs the program from the packages of the crates.
pub(super) fn cargo(files: &Path) -> Result<Done, String> {
    let (prefix, sources) = (prefix("cargo")?, workspace::scratch("release").join("crates"));
    workspace::empty(&sources)?;
    // A workspace of their own: they lie in the directory of this one.
    let manifest = sources.join("Cargo.toml");
    fs::write(&manifest, "[workspace]\nmembers = [\"hashlanes*\"]\nresolver = \"3\"\n")
        .map_err(|error| format!("{}: {error}", manifest.display()))?;
    let mut install = workspace::cargo("install");
    install.arg("--quiet").arg("--root").arg(&prefix).current_dir(&prefix);
    install.env("CARGO_TARGET_DIR", workspace::scratch("release").join("installed"));
    for package in named(files, ".crate")? {
        unpack(&package, &sources)?;
        let folder = package.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = folder.trim_end_matches(&format!("-{}", version::version())).to_owned();
        if name == "hashlanes-cli" {
            install.arg("--path").arg(sources.join(folder));
        } else {
            // The registry does not have this version yet.
            let path = sources.join(folder).display().to_string();
            install.arg("--config").arg(format!("patch.crates-io.{name}.path={path:?}"));
        }
    }
    process::run(&mut install)?.checked()?;
    check_program(&prefix.join("bin/hashlanes"), files)?;
    Ok(Done::Check)
}

/// Installs the Debian packages in a fresh Debian.
pub(super) fn debian(files: &Path) -> Result<Done, String> {
    let debs = named(files, ".deb").unwrap_or_default();
    if debs.is_empty() {
        return Ok(Done::NotRun("there is no Debian package".into()));
    }
    let of_program = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"hashlanes_"))
    };
    let (program, c_library) = debs.into_iter().partition(of_program);
    debian_root::built(program, c_library)
}

/// Installs the wheel in a fresh environment of Python.
pub(super) fn pip(files: &Path) -> Result<Done, String> {
    match named(files, &format!("manylinux2014_{}", std::env::consts::ARCH)) {
        Ok(wheels) => python::check_wheel(&wheels[0]).map(|()| Done::Check),
        Err(_) => Ok(Done::NotRun("there is no wheel for this machine".into())),
    }
}

/// Installs the Node package where neither the library nor a compiler is found.
pub(super) fn npm(files: &Path) -> Result<Done, String> {
    match named(files, ".tgz") {
        Ok(packages) => bindings::check_package(&packages[0]).map(Done::Tests),
        Err(_) => Ok(Done::NotRun("there is no Node package".into())),
    }
}

/// Unpacks an archive into a directory.
fn unpack(archive: &Path, directory: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--file").arg(archive).arg("--directory").arg(directory);
    process::run(&mut tar)?.checked().map(drop)
}

/// An empty directory to install into.
fn prefix(name: &str) -> Result<PathBuf, String> {
    let prefix = workspace::scratch("release").join("prefixes").join(name);
    workspace::empty(&prefix).map(|()| prefix)
}

/// Checks the list of checksums by an installed program.
fn check_program(installed: &Path, files: &Path) -> Result<(), String> {
    fs::metadata(installed).map_err(|error| format!("{}: {error}", installed.display()))?;
    let mut check = Command::new(installed);
    workspace::unforced(&mut check);
    process::run(check.args(["sum", "--check", "--strict", "SHA256SUMS"]).current_dir(files))?
        .checked()
        .map(drop)
}
