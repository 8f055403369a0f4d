//! `cargo xtask figures`: the charts and tables of speed in the handbook, generated from the records of any
//! number of CPUs, so that every number was measured.
//!
//! | record | becomes | file |
//! |---|---|---|
//! | `targets.json` | docs/performance.md: each workload next to the fastest other library, a column for each CPU | `speed.rs` |
//! | `programs.json` | docs/performance.md: whole programs | `speed.rs` |
//! | `*.ndjson` | docs/many-messages.svg, the chart of README.md | `overview.rs` |
//! | `instructions.json` | the timings of instructions on that page | `pictures.rs` |
//! | `figures.json` | the papers' figures as SVG in `crates/bench/figures/`, a page for each CPU in `docs/records/`, and both CPUs' results in docs/papers.md | `pictures.rs` |

mod machines;
mod overview;
mod pictures;
mod speed;

use std::fs;
use std::path::Path;

use crate::kernel_table::between;
use crate::workspace;
use pictures::Made;

/// Writes everything.
///
/// # Errors
/// If a record lacks a shown value, or a file cannot be read or written.
pub(crate) fn write() -> Result<(), String> {
    let made = made()?;
    for stray in strays(&made)? {
        fs::remove_file(workspace::root().join(&stray)).map_err(|error| format!("{stray}: {error}"))?;
        println!("{stray}: removed, its figure is no more");
    }
    for Made { path, text } in made {
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
    let made = made()?;
    let mut stale = strays(&made)?;
    for Made { path, text } in made {
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
    const SUMMARY: &str = "docs/SUMMARY.md";
    let machines = machines::all()?;
    let mut made = Vec::new();
    let mut reports = Vec::new();
    for machine in &machines {
        let report = machine.summary("figures")?.expect("a machine has figures");
        let timings = machine.summary("instructions")?;
        made.extend(pictures::made(machine, &report, timings.as_ref()));
        reports.push((machine, report));
    }
    let text = between(PERFORMANCE, &workspace::read(PERFORMANCE)?, "speed", &speed::libraries(&machines)?)?;
    let text = between(PERFORMANCE, &text, "programs", &speed::programs(&machines)?)?;
    made.push(Made { path: PERFORMANCE.into(), text });
    let text = between(PAPERS, &workspace::read(PAPERS)?, "figures", &pictures::results(&reports))?;
    made.push(Made { path: PAPERS.into(), text });
    made.push(Made { path: SUMMARY.into(), text: pictures::listed(&workspace::read(SUMMARY)?, &machines) });
    made.push(overview::made(&machines)?);
    Ok(made)
}

/// Pictures and pages in the generated directories that no record has.
fn strays(made: &[Made]) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for directory in [pictures::DIRECTORY, pictures::PAGES] {
        add_files(directory, &mut files);
    }
    files.retain(|path| made.iter().all(|file| file.path != *path));
    Ok(files)
}

/// Adds the paths of all files below a directory.
fn add_files(directory: &str, files: &mut Vec<String>) {
    let entries = fs::read_dir(workspace::root().join(directory)).into_iter().flatten().flatten();
    for entry in entries {
        let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
        match Path::is_dir(&entry.path()) {
            true => add_files(&path, files),
            false => files.push(path),
        }
    }
}
