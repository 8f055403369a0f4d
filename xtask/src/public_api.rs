//! The public interface: every public item of the crate `hashlanes` and of those that it re-exports, a line
//! each, in `docs/public-api/`. A change of the interface shows there as a difference.
//!
//! The items come from rustdoc, by the tool `cargo-public-api`, which needs a nightly toolchain.

use std::fs;
use std::path::{Path, PathBuf};

use crate::steps::Done;
use crate::{nightly, process, workspace};

/// The crates whose items users see.
pub(crate) const CRATES: [&str; 5] =
    ["hashlanes", "hashlanes-sha", "hashlanes-aes", "hashlanes-tree", "hashlanes-hbs"];
const VERSION: &str = "0.52.0";

/// Writes the lists.
///
/// # Errors
/// If no nightly toolchain is installed, or a crate does not compile.
pub(crate) fn write() -> Result<(), String> {
    let tool = workspace::installed("cargo-public-api", VERSION, &[])?;
    for name in CRATES {
        let (path, text) = (place(name), items(&tool, name)?);
        let written =
            fs::create_dir_all(path.parent().expect("a directory")).and_then(|()| fs::write(&path, text));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Compares the lists with the crates.
///
/// # Errors
/// If an item is new, gone or different.
pub(crate) fn check() -> Result<Done, String> {
    if let Err(why) = nightly::install(&[]) {
        return Ok(Done::NotRun(why));
    }
    let tool = workspace::installed("cargo-public-api", VERSION, &[])?;
    let mut differences = Vec::new();
    for name in CRATES {
        let path = place(name);
        let listed = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let found = items(&tool, name)?;
        let is_in = |text: &str, line: &str| text.lines().any(|other| other == line);
        differences
            .extend(listed.lines().filter(|line| !is_in(&found, line)).map(|line| format!("- {line}")));
        differences
            .extend(found.lines().filter(|line| !is_in(&listed, line)).map(|line| format!("+ {line}")));
    }
    if differences.is_empty() {
        return Ok(Done::Check);
    }
    Err(format!(
        "the public interface changed (`cargo xtask public-api` writes it):\n{}",
        differences.join("\n")
    ))
}

fn place(name: &str) -> PathBuf {
    workspace::root().join("docs/public-api").join(format!("{name}.txt"))
}

/// The items of a crate with all features, without those that every type has.
fn items(tool: &Path, name: &str) -> Result<String, String> {
    let mut command = nightly::command(tool);
    command.args(["public-api", "--package", name, "--all-features", "-sss"]);
    command.env("CARGO_TARGET_DIR", workspace::scratch("public-api"));
    let items = process::stdout(&mut command)?;
    Ok(String::from_utf8_lossy(&items).lines().map(|line| without_modules_of_std(line) + "\n").collect())
}

/// A line in which names of the standard library stand without their modules, which compilers move.
fn without_modules_of_std(line: &str) -> String {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let shortened = |path: &str| {
        let is_std = ["std::", "core::", "alloc::"].iter().any(|crate_name| path.starts_with(crate_name));
        let name = path
            .match_indices("::")
            .map(|(at, _)| at + 2)
            .find(|at| path[*at..].starts_with(char::is_uppercase));
        match name {
            Some(at) if is_std => path[at..].to_owned(),
            _ => path.to_owned(),
        }
    };
    let mut text = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (path, after) = rest.split_at(rest.find(|c| !is_of_path(c)).unwrap_or(rest.len()));
        text += &shortened(path);
        let (other, after) = after.split_at(after.find(is_of_path).unwrap_or(after.len()));
        text += other;
        rest = after;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_standard_library_lose_their_modules() {
        for (line, expected) in [
            ("impl core::io::write::Write for a::B", "impl Write for a::B"),
            (
                "pub fn a::b(&[u8]) -> core::result::Result<(), std::io::Error>",
                "pub fn a::b(&[u8]) -> Result<(), Error>",
            ),
            ("pub fn a::core::C::d(self: alloc::boxed::Box<Self>)", "pub fn a::core::C::d(self: Box<Self>)"),
            ("", ""),
        ] {
            assert_eq!(without_modules_of_std(line), expected);
        }
    }
}
