//! The CPUs with a record that the handbook shows: a directory with the data of figures and targets.

use std::fs;

use serde::de::DeserializeOwned;

use crate::workspace;

/// The directory of all records.
const RECORDS: &str = "crates/bench/record";

/// A CPU and its record.
pub(super) struct Machine {
    /// The name of the record's directory.
    pub(super) directory: String,
    /// The heading of the record's README.md: the name of the CPU.
    pub(super) name: String,
    /// The rest of that file: how it was measured.
    pub(super) about: String,
}

impl Machine {
    /// Reads a summary of the record, if it has one.
    ///
    /// # Errors
    /// If the file cannot be read or is no such summary.
    pub(super) fn summary<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, String> {
        let path = self.path(&format!("{name}.json"));
        let file = workspace::root().join(&path);
        if !file.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(file).map_err(|error| format!("{path}: {error}"))?;
        serde_json::from_str(&text).map(Some).map_err(|error| format!("{path}: {error}"))
    }

    /// The path of a file of the record, relative to the workspace's directory.
    pub(super) fn path(&self, file: &str) -> String {
        format!("{RECORDS}/{}/{file}", self.directory)
    }

    /// The path of the page with its figures.
    pub(super) fn page(&self) -> String {
        format!("docs/records/{}.md", self.directory)
    }
}

/// Returns all CPUs whose record has figures, by the names of their directories.
///
/// # Errors
/// If a directory cannot be read, or a record does not name its CPU.
pub(super) fn all() -> Result<Vec<Machine>, String> {
    let entries =
        fs::read_dir(workspace::root().join(RECORDS)).map_err(|error| format!("{RECORDS}: {error}"))?;
    let mut directories: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join("figures.json").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    directories.sort();
    directories.into_iter().map(machine).collect()
}

fn machine(directory: String) -> Result<Machine, String> {
    let path = format!("{RECORDS}/{directory}/README.md");
    let text = workspace::read(&path)?;
    let (name, about) = named(&text).ok_or_else(|| format!("{path}: the first line is not `# NAME`"))?;
    Ok(Machine { directory, name, about })
}

/// The name in the heading of a record's README.md, and the text after it.
fn named(text: &str) -> Option<(String, String)> {
    let (heading, about) = text.split_once('\n').unwrap_or((text, ""));
    let name = heading.strip_prefix("# ")?.trim();
    (!name.is_empty()).then(|| (name.to_owned(), about.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_names_its_cpu() {
        let of = |text: &str| named(text).map(|(name, about)| format!("{name}|{about}"));
        assert_eq!(of("# A CPU\n\nOne core.\n"), Some("A CPU|One core.".into()));
        assert_eq!(of("# A CPU"), Some("A CPU|".into()));
        assert_eq!(of("A CPU\n"), None);
        assert_eq!(of("# \n"), None);
    }
}
