//! `cargo xtask kernel-table`: the table of kernels in docs/kernels.md, made from the tables in the code.
//!
//! It has every row, including those that this CPU cannot run, and nothing that differs from machine to
//! machine.

use std::fs;

use hashlanes_aes::kernels as ciphers;
use hashlanes_sha::kernels;
use hashlanes_testkit::table::Table;

use crate::workspace;

/// The page that has the table.
const PAGE: &str = "docs/kernels.md";
/// The name of its markers.
const NAME: &str = "kernels";

/// Writes the table.
///
/// # Errors
/// If the page cannot be read or written, or lacks the markers.
pub(crate) fn write() -> Result<(), String> {
    let old = read()?;
    let new = between(PAGE, &old, NAME, &table())?;
    if new == old {
        println!("{PAGE} is up to date");
        return Ok(());
    }
    fs::write(workspace::root().join(PAGE), new).map_err(|error| format!("{PAGE}: {error}"))?;
    println!("{PAGE}: the table of kernels is written");
    Ok(())
}

/// Compares the table.
///
/// # Errors
/// If it differs from what [`write()`] would write.
pub(crate) fn check() -> Result<(), String> {
    let page = read()?;
    if between(PAGE, &page, NAME, &table())? == page {
        return Ok(());
    }
    Err(format!("{PAGE}: the table of kernels is out of date; run `cargo xtask kernel-table`"))
}

fn read() -> Result<String, String> {
    if cfg!(not(target_arch = "x86_64")) {
        return Err("the table is made on x86-64, where all rows exist".into());
    }
    workspace::read(PAGE)
}

/// Returns the text of a page with `text` between the markers of this name.
///
/// # Errors
/// If the page lacks the markers.
pub(crate) fn between(page: &str, old: &str, name: &str, text: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = old.split_once(&begin).ok_or_else(|| format!("{page} has no {begin:?}"))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| format!("{page} has no {end:?}"))?;
    Ok(format!("{before}{begin}{text}{end}{after}"))
}

/// The rows of all tables.
fn rows() -> impl Iterator<Item = (&'static str, kernels::Row)> {
    kernels::every_row().chain(ciphers::every_row())
}

fn table() -> String {
    let mut table = Table::new(["hash", "kernel", "messages per call", "CPU features", "verbs of its own"]);
    for (hash, row) in rows() {
        let features = if row.features.is_empty() { "none".into() } else { row.features.join(", ") };
        let verbs: Vec<&str> = row.verbs().collect();
        let kernel = format!("`{}`", row.name);
        table.row([hash.into(), kernel, row.degree.to_string(), features, verbs.join(", ")]);
    }
    table.markdown()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_the_markers_is_replaced() {
        let page = "a\n<!-- kernels -->\nold\n<!-- /kernels -->\nb\n";
        assert_eq!(
            between(PAGE, page, NAME, "new\n").unwrap(),
            "a\n<!-- kernels -->\nnew\n<!-- /kernels -->\nb\n"
        );
        assert!(between(PAGE, "no markers", NAME, "").is_err());
    }

    #[test]
    fn every_row_is_in_the_table() {
        let table = table();
        assert_eq!(table.lines().count(), rows().count() + 2);
        assert!(table.contains("| sha512 | `scalar`"));
    }
}
