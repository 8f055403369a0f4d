//! The links of all Markdown files: relative ones lead to files that exist, and to headings that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::workspace;

/// Checks all Markdown files of the project, and that docs/SUMMARY.md lists every page of the handbook.
///
/// # Errors
/// Names every link that leads nowhere.
pub(crate) fn check() -> Result<(), String> {
    let root = workspace::root();
    let sources = workspace::sources()?;
    let pages = sources.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut texts = BTreeMap::new();
    for page in pages {
        let text =
            fs::read_to_string(root.join(page)).map_err(|error| format!("{}: {error}", page.display()))?;
        texts.insert(page.clone(), text);
    }
    let mut faults = faults(&texts, &|path| root.join(path).exists());
    faults.extend(unlisted(&texts));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Returns the dead links of these pages; `exists` is called for files that are not pages.
fn faults(texts: &BTreeMap<PathBuf, String>, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (page, text) in texts {
        for link in links(text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { resolved(page, path) };
            if !texts.contains_key(&target) && !exists(&target) {
                faults.push(format!("{}: {link}: no such file", page.display()));
                continue;
            }
            let is_dead = |text: &String| !anchor.is_empty() && !anchors(text).contains(anchor);
            if texts.get(&target).is_some_and(is_dead) {
                faults.push(format!("{}: {link}: no such heading", page.display()));
            }
        }
    }
    faults
}

/// Returns the pages of docs/ that SUMMARY.md does not list.
fn unlisted(texts: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let summary = Path::new("docs/SUMMARY.md");
    let listed: BTreeSet<PathBuf> =
        texts.get(summary).iter().flat_map(|text| links(text)).map(|link| resolved(summary, link)).collect();
    let pages = texts.keys().filter(|page| page.starts_with("docs") && *page != summary);
    let unlisted = pages.filter(|page| !listed.contains(*page));
    unlisted.map(|page| format!("docs/SUMMARY.md does not list {}", page.display())).collect()
}

/// The targets of the links and images of a text, outside of code.
fn links(text: &str) -> Vec<&str> {
    let prose = lines_of_prose(text);
    let targets = prose.flat_map(|line| {
        line.match_indices("](").filter_map(|(at, _)| {
            let is_code = line[..at].matches('`').count() % 2 == 1 && !line[..at].ends_with('`');
            let target = line[at + 2..].split_once(')')?.0;
            (!is_code).then_some(target)
        })
    });
    targets.collect()
}

/// The anchors of a text's headings: lower case, without punctuation, with hyphens for spaces.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = lines_of_prose(text).filter_map(|line| line.strip_prefix('#'));
    let anchor = |heading: &str| {
        let kept = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

fn lines_of_prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    })
}

/// The path from the workspace's directory of a link in `page`.
fn resolved(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().expect("a file is in a directory").to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() {
        let page = "# A title: here\n[a](b.md) [c](b.md#there) [d](#a-title-here) [e](#x) `[f](g)`\n\
                    ```\n[h](i)\n```\n[j](../k) [l](https://example.org/m)\n";
        let texts = BTreeMap::from([
            (PathBuf::from("docs/a.md"), page.to_owned()),
            (PathBuf::from("docs/b.md"), "## There\n".to_owned()),
        ]);
        let found = faults(&texts, &|path| path == Path::new("n"));
        assert_eq!(found, ["docs/a.md: #x: no such heading", "docs/a.md: ../k: no such file"]);
        assert_eq!(unlisted(&texts).len(), 2);
    }
}
