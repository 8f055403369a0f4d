//! The workflows of the hosted service: right by `actionlint`, and each step that they name exists.

use std::fs;
use std::process::Command;

use crate::steps::Done;
use crate::{process, workspace};

const DIRECTORY: &str = ".github/workflows";

/// Checks all workflows; `names` are those of all steps.
///
/// # Errors
/// What is wrong with one.
pub(super) fn check(names: &[String]) -> Result<Done, String> {
    check_names(names)?;
    if !process::on_path("actionlint") {
        return Ok(Done::NotRun("there is no actionlint".into()));
    }
    process::run(Command::new("actionlint").current_dir(workspace::root()))?.checked()?;
    Ok(Done::Check)
}

/// Checks that each step that a workflow names exists.
///
/// # Errors
/// The names without a step.
pub(super) fn check_names(names: &[String]) -> Result<(), String> {
    let is_known = |part: &String| names.iter().any(|name| name.contains(part.as_str()));
    let unknown: Vec<String> = named()?.into_iter().filter(|part| !is_known(part)).collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("no step has these names: {}", unknown.join(", "))) }
}

/// The parts of names after `--only` in the workflows.
fn named() -> Result<Vec<String>, String> {
    let directory = workspace::root().join(DIRECTORY);
    let entries = fs::read_dir(&directory).map_err(|error| format!("{DIRECTORY}: {error}"))?;
    let mut named = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let parts = text.lines().filter_map(|line| line.split_once(" --only "));
        named.extend(parts.map(|(_, part)| part.trim().trim_matches('"').to_owned()));
    }
    Ok(named)
}
