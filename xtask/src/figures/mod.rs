//! `cargo xtask figures`: the charts and tables of speed in the handbook, generated from records, so that
//! every number was measured.
//!
//! | record | becomes | file |
//! |---|---|---|
//! | `targets.json` | docs/performance.md: each workload next to the fastest other library | `speed.rs` |
//! | `programs.json` | docs/performance.md: whole programs | `speed.rs` |
//! | `*.ndjson` | docs/many-messages.svg, the chart of README.md | `overview.rs` |
//! | `figures.json` | the papers' figures as SVG in `crates/bench/figures/`, and their links in docs/papers.md | `pictures.rs` |

mod overview;
mod pictures;
mod speed;

use std::fs;

use serde::de::DeserializeOwned;

use crate::kernel_table::between;
use crate::workspace;
use pictures::Made;

/// The records that the handbook shows.
const MACHINE: &str = "crates/bench/record/intel-xeon-f6-m167-s1";

/// Writes everything.
///
/// # Errors
/// If a record lacks a shown value, or a file cannot be read or written.
pub(crate) fn write() -> Result<(), String> {
    for stray in strays()? {
        fs::remove_file(workspace::root().join(&stray)).map_err(|error| format!("{stray}: {error}"))?;
        println!("{stray}: removed, its figure is no more");
    }
    for Made { path, text } in made()? {
        let file = workspace::root().join(&path);
        if fs::read_to_string(&file).is_ok_and(|old| old == text) {
            continue;
        }
        let wrong = |error| format!("{path}: {error}");
        fs::create_dir_all(file.parent().expect("in a directory")).map_err(wrong)?;
        fs::write(&file, text).map_err(wrong)?;
        println!("{path}: written");
    }
    Ok(())
}

/// Compares everything.
///
/// # Errors
/// If something is not what [`write()`] would write; it is named.
pub(crate) fn check() -> Result<(), String> {
    let mut stale = strays()?;
    for Made { path, text } in made()? {
        if fs::read_to_string(workspace::root().join(&path)).map_or(true, |old| old != text) {
            stale.push(path);
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("not what the records say: {}: run `cargo xtask figures`", stale.join(", ")))
}

/// Everything that is generated from the records.
fn made() -> Result<Vec<Made>, String> {
    const PERFORMANCE: &str = "docs/performance.md";
    const PAPERS: &str = "docs/papers.md";
    let read =
        |page| fs::read_to_string(workspace::root().join(page)).map_err(|error| format!("{page}: {error}"));
    let (mut made, links) = pictures::made(&record("figures")?);
    let text = between(PERFORMANCE, &read(PERFORMANCE)?, "speed", &speed::libraries(&record("targets")?)?)?;
    let text = between(PERFORMANCE, &text, "programs", &speed::programs(&record("programs")?)?)?;
    made.push(Made { path: PERFORMANCE.into(), text });
    let text = between(PAPERS, &read(PAPERS)?, "figures", &links)?;
    made.push(Made { path: PAPERS.into(), text });
    made.push(overview::made()?);
    Ok(made)
}

/// Pictures that no figure of the record has.
fn strays() -> Result<Vec<String>, String> {
    let (made, _) = pictures::made(&record("figures")?);
    let folder = workspace::root().join(pictures::FOLDER);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| format!("{}/{}", pictures::FOLDER, entry.file_name().to_string_lossy()));
    Ok(paths.filter(|path| made.iter().all(|picture| picture.path != *path)).collect())
}

/// A record of [`MACHINE`].
fn record<T: DeserializeOwned>(name: &str) -> Result<T, String> {
    let path = format!("{MACHINE}/{name}.json");
    let text =
        fs::read_to_string(workspace::root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
}
