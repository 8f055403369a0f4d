//! `cargo xtask figures`: what README.md says of speed, made of the records of one machine, so that nothing stands there that
//! nobody measured.
//!
//! | record | becomes | file |
//! |---|---|---|
//! | `targets.json` | the table of works beside the fastest other library | `speed.rs` |
//! | `programs.json` | the table of whole programs | `speed.rs` |
//! | `figures.json` | the papers' figures as SVG in `crates/bench/figures/`, and their places in README.md | `pictures.rs` |

mod pictures;
mod speed;

use std::fs;

use serde::de::DeserializeOwned;

use crate::readme_table::between;
use crate::workspace;
use pictures::Made;

/// The records whose figures README.md shows.
const MACHINE: &str = "crates/bench/record/intel-xeon-f6-m167-s1";

/// Writes everything.
///
/// # Errors
/// If a record lacks what is shown, or a file cannot be read or written.
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

/// All that is made of the records.
fn made() -> Result<Vec<Made>, String> {
    let readme = fs::read_to_string(workspace::root().join("README.md"))
        .map_err(|error| format!("README.md: {error}"))?;
    let (mut made, places) = pictures::made(&record("figures")?);
    let readme = between(&readme, "speed", &speed::libraries(&record("targets")?)?)?;
    let readme = between(&readme, "programs", &speed::programs(&record("programs")?)?)?;
    let text = between(&readme, "figures", &places)?;
    made.push(Made { path: "README.md".into(), text });
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
