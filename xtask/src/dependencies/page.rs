//! The table of the page: a row for each package. Where it is, and the reason, are written by hand, the other
//! columns by what the packages' sources show: an update of a package shows there what it changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::packages::{Id, id, packages};
use super::sources::Sources;
use crate::workspace;

const PAGE: &str = "docs/dependencies.md";
const HEAD: &str = "| package | versions | in | during the build | `unsafe` | names | reason |\n|---|---|---|---|---|---|---|\n";

/// What is written by hand.
struct Row {
    place: String,
    reason: String,
}

/// Compares the page with the packages.
///
/// # Errors
/// If it differs, or a row has no reason.
pub(super) fn check(metadata: &Value, shipped: &BTreeSet<Id>) -> Result<(), String> {
    let (page, rows) = (workspace::read(PAGE)?, made(metadata, shipped)?);
    let table = table(&rows);
    if !page.ends_with(&table) {
        let differ = differing(&page, &table).join(", ");
        return Err(format!("{PAGE} differs from the packages: {differ}; run `cargo xtask dependencies`"));
    }
    without_reason(&rows)
}

/// What differs between the page and the table: the packages of rows that only one of them has.
fn differing(page: &str, table: &str) -> Vec<String> {
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("| `")).map(str::to_owned).collect();
    let (written, made): (BTreeSet<String>, BTreeSet<String>) = (rows(page), rows(table));
    let names = written.symmetric_difference(&made).filter_map(|row| row.split('`').nth(1));
    let names: BTreeSet<&str> = names.collect();
    if names.is_empty() {
        vec!["the head or the order".into()]
    } else {
        names.iter().map(|name| format!("`{name}`")).collect()
    }
}

/// Writes the page.
///
/// # Errors
/// As [`check`].
pub(super) fn write(metadata: &Value, shipped: &BTreeSet<Id>) -> Result<(), String> {
    let (page, rows) = (workspace::read(PAGE)?, made(metadata, shipped)?);
    let text = page.split("\n| package").next().unwrap_or_default();
    fs::write(workspace::root().join(PAGE), format!("{text}\n{}", table(&rows)))
        .map_err(|error| format!("{PAGE}: {error}"))?;
    without_reason(&rows)
}

fn without_reason(rows: &[(String, Row, Sources)]) -> Result<(), String> {
    let names = rows.iter().filter(|(_, row, _)| row.reason.is_empty()).map(|(name, ..)| &**name);
    match &*names.collect::<Vec<_>>() {
        [] => Ok(()),
        names => Err(format!("{PAGE}: where are these, and why? {}", names.join(", "))),
    }
}

fn table(rows: &[(String, Row, Sources)]) -> String {
    let line = |(name, row, sources): &(String, Row, Sources)| {
        let [versions, during_build, n_unsafe, services] = sources.columns();
        let Row { place, reason } = row;
        format!("| `{name}` | {versions} | {place} | {during_build} | {n_unsafe} | {services} | {reason} |\n")
    };
    HEAD.to_owned() + &rows.iter().map(line).collect::<String>()
}

/// The rows of the packages that are compiled in, in the page's order of places.
fn made(metadata: &Value, shipped: &BTreeSet<Id>) -> Result<Vec<(String, Row, Sources)>, String> {
    const ORDER: [&str; 3] = ["library", "program", "build"];
    let mut written = written(&workspace::read(PAGE)?);
    let mut of_name: BTreeMap<String, Sources> = BTreeMap::new();
    for package in packages(metadata) {
        let id = id(package);
        if shipped.contains(&id) && !id.0.starts_with("hashlanes") {
            of_name.entry(id.0).or_default().add(package)?;
        }
    }
    let none = || Row { place: String::new(), reason: String::new() };
    let with_row = |(name, sources)| {
        let row = written.remove(&name).unwrap_or_else(none);
        (name, row, sources)
    };
    let mut rows: Vec<_> = of_name.into_iter().map(with_row).collect();
    rows.sort_by_key(|(_, row, _)| ORDER.iter().position(|place| *place == row.place));
    Ok(rows)
}

/// What the page has written by hand, by package.
fn written(page: &str) -> BTreeMap<String, Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, place, .., reason] = &*cells else { return None };
        let name = name.strip_prefix('`')?.strip_suffix('`')?.to_owned();
        Some((name, Row { place: (*place).to_owned(), reason: (*reason).to_owned() }))
    };
    page.lines().filter(|line| line.starts_with("| `")).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_written() {
        let row = Row { place: "library".into(), reason: "for `zeroize`".into() };
        let table = table(&[("subtle".into(), row, Sources::default())]);
        let read = written(&table);
        assert_eq!((&*read["subtle"].place, &*read["subtle"].reason), ("library", "for `zeroize`"));
        assert_eq!(read.len(), 1);
    }

    #[test]
    fn differing_rows_are_named() {
        let (page, table) =
            ("| `a` | 1 |\n| `b` | 1 |\n| `c` | 1 |", "| `b` | 2 |\n| `c` | 1 |\n| `d` | 1 |");
        assert_eq!(differing(page, table), ["`a`", "`b`", "`d`"]);
        assert_eq!(differing(page, page), ["the head or the order"]);
    }
}
