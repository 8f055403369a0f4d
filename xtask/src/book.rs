//! `cargo xtask book`: the handbook in docs/ as a site, by mdBook.
//!
//! Pages link to files of the repository outside of docs/. On the site, these links lead to the repository's
//! own site.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::{process, workspace};

/// The version of mdBook, which is installed into the target directory once.
const MDBOOK: &str = "0.5.4";
/// The address of the repository's files on the web.
const REPOSITORY: &str = "https://github.com/hashlanes/hashlanes/blob/main/";

/// Builds the site, and checks that no link of it is dead.
///
/// # Errors
/// If mdBook cannot be installed or fails, or a link leads nowhere.
pub(crate) fn command() -> Result<(), String> {
    let site = build()?;
    let faults = dead_links(&site)?;
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    println!("{}", site.join("index.html").display());
    Ok(())
}

fn build() -> Result<PathBuf, String> {
    let options = ["--no-default-features", "--features", "search"];
    let mdbook = workspace::installed("mdbook", MDBOOK, &options)?;
    let source = workspace::scratch("book");
    let wrong = |path: &Path| {
        let path = path.display().to_string();
        move |error| format!("{path}: {error}")
    };
    fs::remove_dir_all(&source).map_err(wrong(&source))?;
    let root = workspace::root();
    for file in workspace::sources()?
        .iter()
        .filter(|file| file.starts_with("docs") || **file == Path::new("book.toml"))
    {
        let (from, to) = (root.join(file), source.join(file));
        let directory = to.parent().expect("a file is in a directory");
        fs::create_dir_all(directory).map_err(wrong(directory))?;
        if file.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&from).map_err(wrong(&from))?;
            fs::write(&to, on_the_web(file, &text)).map_err(wrong(&to))?;
        } else {
            fs::copy(&from, &to).map_err(wrong(&to))?;
        }
    }
    // The papers' figures are shown, not only linked.
    let figures = Path::new("crates/bench/figures");
    for file in workspace::sources()?.iter().filter(|file| file.starts_with(figures)) {
        let to = source.join("docs").join(file.strip_prefix("crates/bench").expect("in it"));
        let directory = to.parent().expect("a file is in a directory");
        fs::create_dir_all(directory).map_err(wrong(directory))?;
        fs::copy(root.join(file), &to).map_err(wrong(&to))?;
    }
    process::run(Command::new(mdbook).arg("build").current_dir(&source))?.checked()?;
    Ok(source.join("book"))
}

/// Replaces the links of a page that lead out of docs/.
fn on_the_web(page: &Path, text: &str) -> String {
    let mut parts = text.split("](../");
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for rest in parts {
        let (link, rest) = rest.split_once(')').unwrap_or((rest, ""));
        let mut target = page.parent().expect("a file is in a directory").join("..");
        target.push(link);
        let target = plain(&target);
        let link = match target.strip_prefix("docs/").or(target.strip_prefix("crates/bench/")) {
            Some(inside) if target.starts_with("docs/") || inside.starts_with("figures/") => {
                "../".repeat(page.components().count() - 2) + inside
            }
            _ => format!("{REPOSITORY}{target}"),
        };
        replaced += &format!("]({link}){rest}");
    }
    replaced
}

/// A path without `..`.
fn plain(path: &Path) -> String {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain.display().to_string()
}

/// Returns the links of the site's pages that lead to no file, or to no place in a file.
fn dead_links(site: &Path) -> Result<Vec<String>, String> {
    let mut pages = Vec::new();
    let mut directories = vec![site.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).map_err(|error| error.to_string())?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                pages.push(path);
            }
        }
    }
    let read = |page: &Path| fs::read_to_string(page).map_err(|error| format!("{}: {error}", page.display()));
    let mut faults = BTreeSet::new();
    for page in &pages {
        // The page for missing addresses has links from the site's root; the printed page repeats the others.
        if page.ends_with("404.html") || page.ends_with("print.html") {
            continue;
        }
        for link in attributes(&read(page)?, &["href", "src"]) {
            if link.contains(':') || link.is_empty() {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
            let target = PathBuf::from(plain(&target));
            let is_dead = !target.is_file()
                || !anchor.is_empty()
                    && !attributes(&read(&target)?, &["id", "name"]).contains(&anchor.to_owned());
            if is_dead {
                faults.insert(format!("{}: {link}", page.strip_prefix(site).unwrap_or(page).display()));
            }
        }
    }
    Ok(faults.into_iter().collect())
}

/// The values of these attributes in a page of HTML.
fn attributes(page: &str, names: &[&str]) -> Vec<String> {
    let of = |name: &&str| {
        let begin = format!(" {name}=\"");
        let values = page.split(&*begin).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        values.collect::<Vec<_>>()
    };
    names.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_docs_lead_to_the_repository() {
        let page = Path::new("docs/design/a.md");
        let text = "[a](b.md) [c](../d.md#e) [f](../../src/g.rs) ![h](../../crates/bench/figures/i.svg)";
        let expected = "[a](b.md) [c](../d.md#e) [f](https://github.com/hashlanes/hashlanes/blob/main/src/g.rs) \
                        ![h](../figures/i.svg)";
        assert_eq!(on_the_web(page, text), expected);
    }
}
