//! The workflows of the hosted service: right by `actionlint`; each command is one of this project's, or one
//! of [`OTHERS`]; and each step that they, a page or a comment name exists.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::steps::Done;
use crate::{process, workspace};

const DIRECTORY: &str = ".github/workflows";
const ACTIONLINT: &str = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";

/// The beginnings of commands other than `cargo xtask`, and why the workflows need them.
const OTHERS: [(&str, &str); 10] = [
    ("rustup toolchain install ", "the hosted machines' Rust is older or newer"),
    ("rustup target add ", "the hosted machines have no targets but their own"),
    ("cargo test --target ", "on macOS and Windows themselves; here they are compiled, or run by wine"),
    ("cargo build --target ", "on macOS and Windows themselves"),
    ("cargo test --all-features -p hashlanes-", "on CPUs that Intel's emulator SDE stands for; here by qemu"),
    ("echo \"$SDE_PATH\"", "the place of Intel's emulator SDE"),
    ("pip install ./crates/python ", "with versions of Python that are not here"),
    ("pytest -p no:cacheprovider ", "the tests of the package with these versions of Python"),
    ("rm target/xtask/release/files/", "signatures of the dry run's keys are not published"),
    ("gh release create ", "the draft is at the hosted service"),
];

/// Checks all workflows; `names` are those of all steps.
///
/// # Errors
/// What is wrong with one.
pub(super) fn check(names: &[String]) -> Result<Done, String> {
    check_names(names)?;
    check_commands()?;
    match actionlint()? {
        Ok(program) => process::run(Command::new(program).current_dir(workspace::root()))?.checked()?,
        Err(why) => return Ok(Done::NotRun(why)),
    };
    Ok(Done::Check)
}

/// The linter, installed by Go's tool; or why that is impossible here.
fn actionlint() -> Result<Result<PathBuf, String>, String> {
    if !process::on_path("go") {
        return Ok(Err("there is no go, which installs actionlint".into()));
    }
    let version = ACTIONLINT.rsplit('@').next().expect("a version");
    let directory = workspace::scratch("actionlint").join(version);
    let program = directory.join("actionlint");
    if !program.exists() {
        let mut go = Command::new("go");
        go.args(["install", ACTIONLINT]).env("GOBIN", &directory);
        if let Err(why) = process::run(&mut go)?.checked() {
            return Ok(Err(format!("go cannot install actionlint: {}", why.trim_end())));
        }
    }
    Ok(Ok(program))
}

/// Checks that each command is one that runs on a developer's machine, or is listed here.
fn check_commands() -> Result<(), String> {
    let is_known = |command: &String| {
        command.starts_with("cargo xtask ") || OTHERS.iter().any(|(start, _)| command.starts_with(start))
    };
    let run = |line: &str| {
        let line = line.trim_start().trim_start_matches("- ");
        line.strip_prefix("run: ").map(str::to_owned)
    };
    let unknown: Vec<String> =
        lines()?.iter().filter_map(|line| run(line)).filter(|c| !is_known(c)).collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("unknown commands: {}", unknown.join(", "))) }
}

/// Checks that each step that a workflow, a page or a comment names exists.
///
/// # Errors
/// The names without a step.
pub(super) fn check_names(names: &[String]) -> Result<(), String> {
    const TEXTS: [&str; 4] = ["md", "rs", "toml", "yml"];
    let is_known = |part: &&str| names.iter().any(|name| name.contains(*part));
    let mut unknown = Vec::new();
    let is_text = |path: &PathBuf| TEXTS.iter().any(|&text| path.extension() == Some(text.as_ref()));
    for path in workspace::sources()?.into_iter().filter(is_text) {
        let text = workspace::read(&path)?;
        let parts = text.split(ONLY).skip(1).filter_map(named).filter(|part| !is_known(part));
        unknown.extend(parts.map(|part| format!("{}: {part}", path.display())));
    }
    if unknown.is_empty() { Ok(()) } else { Err(format!("no step has these names: {}", unknown.join(", "))) }
}

/// What precedes a part of a name; in two parts here, where none follows.
const ONLY: &str = concat!("--only", " ");

/// The part of a name with which a text begins: a word or a quoted text; `None` for a placeholder in
/// capitals.
fn named(text: &str) -> Option<&str> {
    let part = match text.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).next()?,
    };
    part.contains(|c: char| c.is_lowercase() || c.is_ascii_digit()).then_some(part)
}

/// The lines of all workflows.
fn lines() -> Result<Vec<String>, String> {
    let directory = workspace::root().join(DIRECTORY);
    let entries = fs::read_dir(&directory).map_err(|error| format!("{DIRECTORY}: {error}"))?;
    let mut lines = Vec::new();
    for entry in entries.flatten() {
        lines.extend(workspace::read(entry.path())?.lines().map(str::to_owned));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_texts() {
        for (text, expected) in [
            ("fuzz` builds", Some("fuzz")),
            ("\"Rust 1.89\"` checks", Some("Rust 1.89")),
            ("Cortex-A57.", Some("Cortex-A57")),
            ("NAME` runs", None),
            ("PART-OF-A-NAME", None),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
    }
}
