//! The packages, as cargo lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::{process, workspace};

/// A package by name and version.
pub(super) type Id = (String, String);

/// Cargo's metadata of all packages.
pub(super) fn metadata() -> Result<Value, String> {
    let text = process::stdout(workspace::cargo("metadata").args(["--format-version", "1", "--locked"]))?;
    serde_json::from_slice(&text).map_err(|error| format!("cargo metadata: {error}"))
}

pub(super) fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

pub(super) fn id(package: &Value) -> Id {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    (text("name"), text("version"))
}

/// The packages that a build of these packages compiles in.
pub(super) fn tree(arguments: &[&str]) -> Result<BTreeSet<Id>, String> {
    let mut command: Command = workspace::cargo("tree");
    command.args(["--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]);
    let text = process::stdout(command.args(arguments))?;
    let id = |line: &str| {
        let mut words = line.split(' ');
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    };
    Ok(String::from_utf8_lossy(&text).lines().filter_map(id).collect())
}

/// The packages that are compiled into the library with all its features, or into the program.
pub(super) fn shipped() -> Result<BTreeSet<Id>, String> {
    tree(&["-p", "hashlanes", "-p", "hashlanes-cli", "--all-features", "--target", "all"])
}

/// The checksums in `Cargo.lock`.
pub(super) fn checksums() -> Result<BTreeMap<Id, String>, String> {
    let text = workspace::read("Cargo.lock")?;
    let field = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    let package = |package: &str| {
        Some(((field(package, "name")?, field(package, "version")?), field(package, "checksum")?))
    };
    Ok(text.split("[[package]]").filter_map(package).collect())
}
