//! The workspace's place, its cargo, a copy of its sources.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use crate::process;

/// The directory of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let xtask = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&xtask).parent().expect("xtask stands in the workspace").to_owned()
}

/// Reads a text of the workspace.
///
/// # Errors
/// Names the file and why it cannot be read.
pub(crate) fn read(path: impl AsRef<Path>) -> Result<String, String> {
    let path = path.as_ref();
    fs::read_to_string(root().join(path)).map_err(|error| format!("{}: {error}", path.display()))
}

/// Cargo's metadata of the workspace: its members, their features, the build directory.
///
/// # Panics
/// If cargo cannot read the workspace: then there is nothing to be done with it.
fn metadata() -> &'static serde_json::Value {
    static METADATA: OnceLock<serde_json::Value> = OnceLock::new();
    METADATA.get_or_init(|| {
        let asked = process::stdout(cargo("metadata").args(["--no-deps", "--format-version", "1"]));
        serde_json::from_slice(&asked.unwrap_or_else(|error| panic!("{error}"))).expect("cargo writes JSON")
    })
}

/// The build directory of cargo.
pub(crate) fn target() -> PathBuf {
    metadata()["target_directory"].as_str().map_or_else(|| root().join("target"), PathBuf::from)
}

/// The place of the program after a release build.
pub(crate) fn release_program() -> PathBuf {
    target().join("release/hashlanes")
}

/// `cargo SUBCOMMAND` for all crates, with all features but the bench's: those are rivals that take minutes
/// to build.
pub(crate) fn cargo_for_all(subcommand: &str) -> Command {
    const ALONE: &str = "hashlanes-bench";
    let names = packages().filter_map(|of| of["name"].as_str()).filter(|name| *name != ALONE);
    let of_package = |name| features(name).into_iter().map(move |feature| format!("{name}/{feature}"));
    let features: Vec<String> = names.flat_map(of_package).collect();
    let mut command = cargo(subcommand);
    command.args(["--workspace", "--features", &features.join(",")]);
    command
}

/// The features of a package of the workspace.
pub(crate) fn features(package: &str) -> Vec<&'static str> {
    let of_package = packages().filter(|of| of["name"] == package);
    of_package
        .flat_map(|of| of["features"].as_object().into_iter().flatten())
        .map(|(name, _)| &**name)
        .collect()
}

/// The packages that are published, as cargo's arguments.
pub(crate) fn published() -> Vec<String> {
    // An unpublished package has an empty list of registries.
    let published = packages().filter(|of| of["publish"].is_null());
    published.filter_map(|of| of["name"].as_str()).map(|name| format!("--package={name}")).collect()
}

fn packages() -> impl Iterator<Item = &'static serde_json::Value> {
    metadata()["packages"].as_array().into_iter().flatten()
}

/// A directory of this program's own below cargo's, made if it is not there.
///
/// # Panics
/// If it cannot be made: then nothing can be built either.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let directory = target().join("xtask").join(name);
    fs::create_dir_all(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    directory
}

/// Makes a directory, or empties it.
///
/// # Errors
/// If that fails; the text names it.
pub(crate) fn empty(directory: &Path) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", directory.display());
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(failed)?;
    }
    fs::create_dir_all(directory).map_err(failed)
}

/// The cargo that runs this program, in the workspace, without the caller's `HASHLANES_…` variables, which
/// would change the tests.
pub(crate) fn cargo(subcommand: &str) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.arg(subcommand).current_dir(root());
    unforced(&mut command);
    command
}

/// Removes the caller's `HASHLANES_…` variables from a command.
pub(crate) fn unforced(command: &mut Command) {
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("HASHLANES_") {
            command.env_remove(name);
        }
    }
}

/// The program of a tool in exactly this version, installed in the build directory, with these options of
/// `cargo install`.
///
/// # Errors
/// If it does not build, which needs the registry.
pub(crate) fn installed(tool: &str, version: &str, options: &[&str]) -> Result<PathBuf, String> {
    let directory = scratch(tool);
    let program = directory.join("bin").join(tool);
    // Cargo's list of what it installed there.
    let list = fs::read_to_string(directory.join(".crates.toml")).unwrap_or_default();
    let is_there = program.exists() && list.contains(&format!("\"{tool} {version} ("));
    if !is_there {
        let mut install = cargo("install");
        install.args([tool, "--locked", "--force", "--version", version]).args(options);
        process::run(install.arg("--root").arg(&directory))?.checked()?;
    }
    Ok(program)
}

/// The toolchain that cargo uses.
pub(crate) struct Toolchain {
    /// Such as `x86_64-unknown-linux-gnu`.
    pub(crate) host: String,
    /// Such as `1.95.0`.
    pub(crate) release: String,
}

impl Toolchain {
    /// Asks `rustc`, the compiler's path or name.
    ///
    /// # Errors
    /// If it does not answer.
    pub(crate) fn of(rustc: &Path) -> Result<Self, String> {
        let version = process::stdout(Command::new(rustc).arg("-vV").current_dir(root()))?;
        let version = String::from_utf8_lossy(&version).into_owned();
        let field = |name: &str| {
            let value = version.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            value.map(str::to_owned).ok_or_else(|| format!("{} -vV tells no {name}", rustc.display()))
        };
        Ok(Self { host: field("host")?, release: field("release")? })
    }
}

/// The compiler that cargo uses.
pub(crate) fn rustc() -> PathBuf {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()).into()
}

/// Makes `copy` contain exactly the workspace's present sources. Equal files are not touched, so that cargo
/// need not build them again.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn copy_sources(copy: &Path) -> Result<(), String> {
    let files = sources()?;
    remove_others(copy, copy, &files)?;
    for file in &files {
        let (from, to) = (root().join(file), copy.join(file));
        let failed = |error| format!("{}: {error}", to.display());
        let new = fs::read(&from).map_err(|error| format!("{}: {error}", from.display()))?;
        if fs::read(&to).is_ok_and(|old| old == new) {
            continue;
        }
        fs::create_dir_all(to.parent().expect("a file stands in a directory")).map_err(failed)?;
        fs::write(&to, new).map_err(failed)?;
    }
    Ok(())
}

/// The paths, relative to the root, of the files that git tracks or would track.
pub(crate) fn sources() -> Result<Vec<PathBuf>, String> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = process::stdout(Command::new("git").args(list).current_dir(root()))?;
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let mut files: Vec<PathBuf> =
        names.map(|name| String::from_utf8_lossy(name).into_owned().into()).collect();
    // Git lists the index; a file may have been removed since.
    files.retain(|file| root().join(file).is_file());
    Ok(files)
}

fn remove_others(copy: &Path, directory: &Path, files: &[PathBuf]) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(directory) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            remove_others(copy, &path, files)?;
        } else if !files.iter().any(|file| copy.join(file) == path) {
            fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// A command of the toolchain other than cargo.
pub(crate) fn tool(variable: &str, name: &str) -> Command {
    let mut command =
        Command::new(std::env::var_os(variable).map_or_else(|| PathBuf::from(name), PathBuf::from));
    unforced(&mut command);
    command
}
