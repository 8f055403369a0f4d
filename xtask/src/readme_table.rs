//! `cargo xtask readme-table`: the table of kernels in README.md, made from the tables themselves.
//!
//! It holds every row, also those that this CPU cannot run, and nothing that differs from machine to machine.

use std::fs;

use hashlanes_aes::kernels as ciphers;
use hashlanes_sha::kernels;
use hashlanes_testkit::table::Table;

use crate::workspace;

/// What its markers are called.
const NAME: &str = "kernels";

/// Writes the table.
///
/// # Errors
/// If README.md cannot be read or written, or lacks the markers.
pub(crate) fn write() -> Result<(), String> {
    let readme = workspace::root().join("README.md");
    let old = read()?;
    let new = between(&old, NAME, &table())?;
    if new == old {
        println!("README.md is up to date");
        return Ok(());
    }
    fs::write(&readme, new).map_err(|error| format!("{}: {error}", readme.display()))?;
    println!("README.md: the table of kernels is written");
    Ok(())
}

/// Compares the table.
///
/// # Errors
/// If it is not what [`write()`] would write.
pub(crate) fn check() -> Result<(), String> {
    let readme = read()?;
    if between(&readme, NAME, &table())? == readme {
        return Ok(());
    }
    Err("README.md's table of kernels is out of date: run `cargo xtask readme-table`".into())
}

fn read() -> Result<String, String> {
    if cfg!(not(target_arch = "x86_64")) {
        return Err("the table is made on x86-64, where all rows exist".into());
    }
    let readme = workspace::root().join("README.md");
    fs::read_to_string(&readme).map_err(|error| format!("{}: {error}", readme.display()))
}

/// `readme` with `text` between the markers of this name.
///
/// # Errors
/// If it lacks them.
pub(crate) fn between(readme: &str, name: &str, text: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = readme.split_once(&begin).ok_or_else(|| format!("README.md has no {begin:?}"))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| format!("README.md has no {end:?}"))?;
    Ok(format!("{before}{begin}{text}{end}{after}"))
}

/// Of the tables that are no internal ones.
fn rows() -> impl Iterator<Item = (&'static str, kernels::Row)> {
    let of = |hash: &'static dyn kernels::AnyTable| (0..hash.n_rows()).map(|i| (hash.name(), hash.row(i)));
    kernels::all().flat_map(of).chain(ciphers::every_row())
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
    fn what_stands_between_the_markers_is_replaced() {
        let readme = "a\n<!-- kernels -->\nold\n<!-- /kernels -->\nb\n";
        assert_eq!(
            between(readme, NAME, "new\n").unwrap(),
            "a\n<!-- kernels -->\nnew\n<!-- /kernels -->\nb\n"
        );
        assert!(between("no markers", NAME, "").is_err());
    }

    #[test]
    fn every_row_is_in_the_table() {
        let table = table();
        assert_eq!(table.lines().count(), rows().count() + 2);
        assert!(table.contains("| sha512 | `scalar`"));
    }
}
