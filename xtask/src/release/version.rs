//! One version everywhere, the changelog's section, the tags.

use std::env;
use std::process::Command;

use crate::{process, workspace};

/// The version in the workspace's `Cargo.toml`, from which all crates and the wheel take theirs.
pub(super) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Checks that the packages of other languages have the version, that the changelog describes it, that its
/// tags are new or this commit's, and that all sources are committed; prints the tags.
///
/// # Errors
/// All that is wrong.
pub(super) fn check() -> Result<(), String> {
    let version = version();
    let mut wrong = Vec::new();
    let node = workspace::read("bindings/node/package.json")?;
    if !node.contains(&format!("\"version\": \"{version}\"")) {
        wrong.push(format!("bindings/node/package.json: the version is not {version}"));
    }
    let changelog = workspace::read("CHANGELOG.md")?;
    let first = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or_default();
    if !describes(first, version) {
        wrong.push(format!(
            "CHANGELOG.md: the first section is {first:?}; expected {version} with a date, or Unreleased"
        ));
    }
    // On the hosted service, a tag that was pushed.
    if env::var("GITHUB_REF_TYPE").is_ok_and(|kind| kind == "tag") {
        let tag = env::var("GITHUB_REF_NAME").unwrap_or_default();
        wrong.extend(misfit_of_tag(&tag, first, version));
    }
    // Go's tool finds a module in a directory of a repository by a tag that begins with the directory.
    for tag in [format!("v{version}"), format!("bindings/go/v{version}")] {
        let list =
            |arguments: &[&str]| process::stdout(git().arg("tag").args(arguments).args(["--list", &tag]));
        if list(&[])? == list(&["--points-at", "HEAD"])? {
            println!("tag: {tag}");
        } else {
            wrong.push(format!("the tag {tag} is another commit's"));
        }
    }
    if has_changes()? {
        wrong.push("the sources have uncommitted changes; a release is built from a commit".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Whether a section's title is that of a version: `0.2.0 (2026-12-01)`, or `Unreleased`.
fn describes(title: &str, version: &str) -> bool {
    title == "Unreleased" || title.strip_prefix(version).is_some_and(|rest| rest.starts_with(" ("))
}

/// What is wrong with a tag, for this version and the changelog's first section.
fn misfit_of_tag(tag: &str, title: &str, version: &str) -> Option<String> {
    if tag != format!("v{version}") {
        return Some(format!("the tag {tag} is not v{version}, the version of Cargo.toml"));
    }
    (title == "Unreleased")
        .then(|| format!("CHANGELOG.md: the first section has no version; expected {version} with a date"))
}

/// Whether files differ from the last commit.
pub(super) fn has_changes() -> Result<bool, String> {
    process::stdout(git().args(["status", "--porcelain"])).map(|changes| !changes.is_empty())
}

/// The last commit, and its time in seconds since 1970.
pub(super) fn commit() -> Result<(String, u64), String> {
    let shown = process::stdout(git().args(["show", "--no-patch", "--format=%H %ct", "HEAD"]))?;
    let shown = String::from_utf8_lossy(&shown);
    let commit =
        shown.trim().split_once(' ').and_then(|(id, time)| Some((id.to_owned(), time.parse().ok()?)));
    commit.ok_or_else(|| format!("git show: {shown:?}"))
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.current_dir(workspace::root());
    git
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_sections() {
        for (title, expected) in [
            ("Unreleased", true),
            ("0.2.0 (2026-12-01)", true),
            ("0.2.0", false),
            ("0.2.01 (2026-12-01)", false),
            ("0.1.0 (2026-12-01)", false),
            ("", false),
        ] {
            assert_eq!(describes(title, "0.2.0"), expected, "{title}");
        }
    }

    #[test]
    fn a_tag_is_the_versions_and_the_changelog_dates_it() {
        const DATED: &str = "0.2.0 (2026-12-01)";
        assert_eq!(misfit_of_tag("v0.2.0", DATED, "0.2.0"), None);
        assert!(misfit_of_tag("v9.9.9", DATED, "0.2.0").unwrap().contains("v9.9.9 is not v0.2.0"));
        assert!(misfit_of_tag("v0.2.0", "Unreleased", "0.2.0").unwrap().contains("with a date"));
    }
}
