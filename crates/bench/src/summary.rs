//! Summaries: the newest result of every row, in a file of JSON next to the records of a CPU, without
//! samples. The tables of the documentation are generated from them.
//!
//! ```text
//! record/<cpu>/<name>.json   {"schema": 1, "environment": …, "rows": [{"id": …, "time": …, "commit": …, …}, …]}
//! ```

use crate::record::{cpu_folder, utc};
use hashlanes_clock::Environment;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The schema's number: changes when a field's meaning does.
const SCHEMA: u32 = 1;

/// The newest results of one kind on one CPU.
#[derive(Serialize, Deserialize)]
struct Summary<R> {
    schema: u32,
    /// The result of the newest row.
    environment: Environment,
    rows: Vec<Dated<R>>,
}

/// A result, with its time and its sources.
#[derive(Serialize, Deserialize)]
struct Dated<R> {
    /// The key of the row.
    id: String,
    /// RFC 3339.
    time: String,
    /// Followed by `+` if the sources were changed since.
    commit: String,
    #[serde(flatten)]
    row: R,
}

/// Writes results by their ids to the summary of that name; rows that were measured earlier and not now are
/// kept. Returns the file's name.
///
/// # Errors
/// If an existing file is not such a summary, or cannot be written.
pub(crate) fn keep<R: Serialize + DeserializeOwned>(
    folder: &Path,
    name: &str,
    environment: &Environment,
    rows: impl IntoIterator<Item = (String, R)>,
) -> Result<PathBuf, String> {
    let file = folder.join(cpu_folder(environment)).join(format!("{name}.json"));
    let wrong = |why: String| format!("{}: {why}", file.display());
    let mut all: Vec<Dated<R>> = match fs::read_to_string(&file) {
        Ok(text) => read(&text).map_err(wrong)?.rows,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(wrong(error.to_string())),
    };
    let time = utc(SystemTime::now());
    for (id, row) in rows {
        let commit = env!("HASHLANES_BENCH_COMMIT").into();
        let dated = Dated { id, time: time.clone(), commit, row };
        match all.iter_mut().find(|old| old.id == dated.id) {
            Some(old) => *old = dated,
            None => all.push(dated),
        }
    }
    let summary = Summary { schema: SCHEMA, environment: environment.clone(), rows: all };
    let text = serde_json::to_string_pretty(&summary).map_err(|error| wrong(error.to_string()))?;
    fs::create_dir_all(file.parent().expect("in a folder")).map_err(|error| wrong(error.to_string()))?;
    fs::write(&file, text + "\n").map_err(|error| wrong(error.to_string()))?;
    Ok(file)
}

/// The rows of a summary, by their ids.
///
/// # Errors
/// If the file is not a summary of such rows.
pub(crate) fn rows<R: DeserializeOwned>(file: &Path) -> Result<Vec<(String, R)>, String> {
    let wrong = |why: String| format!("{}: {why}", file.display());
    let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let summary: Summary<R> = read(&text).map_err(wrong)?;
    Ok(summary.rows.into_iter().map(|dated| (dated.id, dated.row)).collect())
}

fn read<R: DeserializeOwned>(text: &str) -> Result<Summary<R>, String> {
    let summary: Summary<R> = serde_json::from_str(text).map_err(|error| format!("no summary: {error}"))?;
    match summary.schema {
        SCHEMA => Ok(summary),
        other => Err(format!("a summary of schema {other}; this program writes {SCHEMA}")),
    }
}
