//! What the sources of a package show, by which its versions can be compared: code that runs during the
//! build, lines that say `unsafe`, and the services of the system that it names.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;

/// What the sources of all versions of a package show.
#[derive(Default)]
pub(super) struct Sources {
    versions: BTreeSet<String>,
    during_build: BTreeSet<&'static str>,
    /// Lines that say `unsafe`, of the versions that do not forbid it.
    n_unsafe: usize,
    /// Whether all versions forbid it.
    is_safe: bool,
    services: BTreeSet<&'static str>,
}

/// The services, and what names them in `std`.
const SERVICES: [(&str, &str, &str); 3] =
    [("files", "fs", ""), ("network", "net", ""), ("processes", "process", "Command")];

impl Sources {
    /// Reads a version's.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn add(&mut self, package: &Value) -> Result<(), String> {
        let text = |field: &str| package[field].as_str().unwrap_or_default();
        let is_first = self.versions.is_empty();
        self.versions.insert(text("version").to_owned());
        let targets = package["targets"].as_array().into_iter().flatten();
        for kind in targets.flat_map(|target| target["kind"].as_array().into_iter().flatten()) {
            match kind.as_str() {
                Some("custom-build") => self.during_build.insert("script"),
                Some("proc-macro") => self.during_build.insert("macros"),
                _ => false,
            };
        }
        let mut version = Self::default();
        let folder = Path::new(text("manifest_path")).with_file_name("src");
        version.read(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if !version.is_safe {
            self.n_unsafe += version.n_unsafe;
        }
        self.is_safe = version.is_safe && (is_first || self.is_safe);
        self.services.append(&mut version.services);
        Ok(())
    }

    /// Reads the Rust files of a folder.
    fn read(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.read(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path)?;
                self.is_safe |= text.contains("forbid(unsafe_code");
                self.n_unsafe += unsafe_lines(&text);
                let named = SERVICES.iter().filter(|(_, module, item)| names(&text, module, item));
                self.services.extend(named.map(|(service, ..)| service));
            }
        }
        Ok(())
    }

    /// The columns of the page: versions, during the build, unsafe, services.
    pub(super) fn columns(&self) -> [String; 4] {
        let list = |words: &BTreeSet<&str>| words.iter().copied().collect::<Vec<_>>().join(", ");
        let versions = self.versions.iter().map(String::as_str).collect();
        let n_unsafe = if self.is_safe { "forbidden".to_owned() } else { self.n_unsafe.to_string() };
        [list(&versions), list(&self.during_build), n_unsafe, list(&self.services)]
    }
}

/// The parts of a text that follow a word in its code, not in its comments.
fn after<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(word).filter_map(move |(at, _)| {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let is_word = !line.ends_with(is_of_word) && !line.contains("//");
        is_word.then(|| &text[at + word.len()..])
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The number of lines of code that say `unsafe`.
fn unsafe_lines(text: &str) -> usize {
    let lines_left = |rest: &str| rest.len() - rest.find('\n').unwrap_or(rest.len());
    let hits = after(text, "unsafe").filter(|rest| !rest.starts_with(is_of_word)).map(lines_left);
    hits.collect::<BTreeSet<_>>().len()
}

/// Whether code names a module of `std`, or of it the given item: as a path, or in the braces of a `use`.
fn names(text: &str, module: &str, item: &str) -> bool {
    after(text, "std::").any(|rest| {
        let is_group = rest.starts_with('{');
        let ends: &[char] = if is_group { &[';'] } else { &[';', '('] };
        let rest = rest.split(ends).next().unwrap_or_default();
        let mut words = rest.split(|c| !is_of_word(c)).filter(|word| !word.is_empty());
        let is_named = if is_group { words.any(|word| word == module) } else { words.next() == Some(module) };
        is_named && (item.is_empty() || words.any(|word| word == item))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_found() {
        for (code, expected) in [
            ("use std::fs;", [true, false, false]),
            ("use std::fs::File;", [true, false, false]),
            ("use std::{io, net::{TcpStream}};", [false, true, false]),
            ("std::process::exit(1)", [false, false, false]),
            ("std::process::Command::new(name)", [false, false, true]),
            ("use std::process::{self, Command};", [false, false, true]),
            ("use std::fsync_of_mine;", [false, false, false]),
            ("use std::{mem::offset_of, fs};", [true, false, false]),
            ("mod fs; use crate::fs;", [false, false, false]),
        ] {
            assert_eq!(SERVICES.map(|(_, module, item)| names(code, module, item)), expected, "{code}");
        }
    }

    #[test]
    fn lines_that_say_unsafe() {
        let code = "unsafe { f(unsafe { 1 }) }\n#![deny(unsafe_code)] // unsafe\nlet is_unsafe = 1;\nunsafe";
        assert_eq!(unsafe_lines(code), 2);
    }
}
