//! The program, linked statically, and the archive for every distribution of Linux.
//!
//! Two builds of one commit by one compiler have equal bytes, wherever they are built: the paths of the
//! sources, of cargo's home and of the standard library's sources, which messages of panics contain, are
//! replaced by fixed ones.
//!
//! `cargo auditable` builds it: the program contains the list of its packages, in 1.5 KB, so that scanners
//! such as `cargo audit bin` find a vulnerable one in the program itself, without the bill of materials.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use super::files::copy_into;
use super::version;
use crate::steps::Done;
use crate::test::targets;
use crate::{process, workspace};

pub(super) const TARGET: &str = "x86_64-unknown-linux-musl";

const AUDITABLE: &str = "0.7.7";
const AUDIT_INFO: &str = "0.5.4";

/// The environment variable from which cargo takes the compiler's flags.
pub(super) const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// The flags of a release that is built here.
pub(super) fn flags() -> Cow<'static, str> {
    flags_for(&workspace::root(), &cargo_home()).into()
}

/// The flags for a build of these sources with this home of cargo's.
fn flags_for(sources: &Path, home: &Path) -> String {
    let replaced = [(sources, "/hashlanes"), (home, "/cargo")];
    let flags = replaced.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    flags.join("\u{1f}")
}

/// The directory where cargo keeps the sources of other packages.
fn cargo_home() -> PathBuf {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    home.unwrap_or_else(|| PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".cargo"))
}

/// Builds the program from two copies of the sources, in directories of different lengths and with different
/// homes, and compares the bytes.
///
/// # Errors
/// If a build fails, or the programs differ, or one contains a path of this machine.
pub(super) fn check_reproducible() -> Result<Done, String> {
    if let Err(why) = targets::install(TARGET) {
        return Ok(Done::NotRun(why));
    }
    let scratch = workspace::scratch("release");
    let places = [scratch.join("first"), scratch.join("the second one")];
    let programs = [build(&places[0])?, build(&places[1])?];
    let bytes =
        |program: &PathBuf| fs::read(program).map_err(|error| format!("{}: {error}", program.display()));
    let (first, second) = (bytes(&programs[0])?, bytes(&programs[1])?);
    if first != second {
        let at = first.iter().zip(&second).position(|(a, b)| a != b).unwrap_or(first.len().min(second.len()));
        return Err(format!(
            "{} and {} differ from byte {at} on",
            programs[0].display(),
            programs[1].display()
        ));
    }
    for path in [scratch.as_path(), &cargo_home(), &workspace::root()] {
        let path = path.display().to_string();
        if first.windows(path.len()).any(|bytes| bytes == path.as_bytes()) {
            return Err(format!("the program contains the path {path}"));
        }
    }
    check_packages(&programs[0])?;
    Ok(Done::Check)
}

/// Checks that the program contains the list of its packages.
fn check_packages(program: &Path) -> Result<(), String> {
    let mut info = Command::new(workspace::installed("rust-audit-info", AUDIT_INFO, &[])?);
    let list = process::stdout(info.arg(program))?;
    let list: serde_json::Value =
        serde_json::from_slice(&list).map_err(|error| format!("rust-audit-info: {error}"))?;
    let is_listed =
        |name: &str| list["packages"].as_array().into_iter().flatten().any(|package| package["name"] == name);
    match ["hashlanes-cli", "hashlanes-sha", "clap"].into_iter().find(|name| !is_listed(name)) {
        Some(name) => Err(format!("the program's list of packages has no {name}")),
        None => Ok(()),
    }
}

/// Builds the program from a copy of the sources in `place/sources`, with a home `place/home`; returns its
/// path.
fn build(place: &Path) -> Result<PathBuf, String> {
    let (sources, home, target) = (place.join("sources"), place.join("home"), place.join("target"));
    workspace::copy_sources(&sources)?;
    // Another path, but the same packages, which need not be downloaded again.
    fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    let registry = home.join("registry");
    if !registry.exists() {
        std::os::unix::fs::symlink(cargo_home().join("registry"), &registry)
            .map_err(|error| format!("{}: {error}", registry.display()))?;
    }
    let (_, time) = version::commit()?;
    let mut cargo = auditable()?;
    cargo
        .args(["--target", TARGET])
        .current_dir(&sources)
        .env("CARGO_HOME", &home)
        .env("CARGO_TARGET_DIR", &target);
    cargo.env("SOURCE_DATE_EPOCH", time.to_string()).env(FLAGS, flags_for(&sources, &home));
    process::run(&mut cargo)?.checked()?;
    Ok(target.join(TARGET).join("release/hashlanes"))
}

/// Builds the program for Debian, which shares the system's C library; returns its path.
///
/// # Errors
/// If it does not compile, or does not contain the list of its packages.
pub(super) fn for_debian() -> Result<PathBuf, String> {
    process::run(auditable()?.current_dir(workspace::root()))?.checked()?;
    let program = workspace::release_program();
    check_packages(&program)?;
    Ok(program)
}

/// The command that builds the program with the list of its packages.
fn auditable() -> Result<Command, String> {
    let mut cargo = Command::new(workspace::installed("cargo-auditable", AUDITABLE, &[])?);
    workspace::unforced(&mut cargo);
    cargo.args(["auditable", "build", "--release", "--locked", "--package", "hashlanes-cli"]);
    Ok(cargo)
}

/// The program that the step before built.
pub(super) fn path() -> PathBuf {
    workspace::scratch("release").join("first/target").join(TARGET).join("release/hashlanes")
}

/// Packs the program, its manual pages, completions and licences. The archive, too, has equal bytes
/// wherever it is made.
///
/// # Errors
/// If the program was not built, or tar fails.
pub(super) fn archive(files: &Path) -> Result<Done, String> {
    if !path().is_file() {
        return Ok(Done::NotRun(format!("{TARGET} is not installed")));
    }
    let (_, time) = version::commit()?;
    let name = format!("hashlanes-{}", version::version());
    let parent = workspace::scratch("release").join("archive");
    workspace::empty(&parent)?;
    let folder = parent.join(&name);
    for part in ["man", "completions"] {
        workspace::empty(&folder.join(part))?;
    }
    copy_into(&folder, &path())?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy_into(&folder, &workspace::root().join(file))?;
    }
    let program = || Command::new(path());
    process::run(program().args(["man", "--dir"]).arg(folder.join("man")))?.checked()?;
    for (shell, file) in [("bash", "hashlanes.bash"), ("zsh", "_hashlanes"), ("fish", "hashlanes.fish")] {
        let text = process::stdout(program().args(["completions", shell]))?;
        let file = folder.join("completions").join(file);
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let archive = files.join(format!("{name}-{TARGET}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go+u,go-w"]);
    tar.arg(format!("--mtime=@{time}")).arg("--use-compress-program=gzip -9n").arg("--file").arg(&archive);
    process::run(tar.arg("--directory").arg(&parent).arg(&name))?.checked()?;
    Ok(Done::Check)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_replaced() {
        let flags = flags_for(Path::new("/home/a/hashlanes"), Path::new("/home/a/.cargo"));
        let flags: Vec<&str> = flags.split('\u{1f}').collect();
        assert_eq!(
            flags,
            ["--remap-path-prefix=/home/a/hashlanes=/hashlanes", "--remap-path-prefix=/home/a/.cargo=/cargo"]
        );
    }
}
