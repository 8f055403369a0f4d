//! `hashlanes dupes`: files with equal content.
//!
//! ```text
//!   walk    every regular file, with its size and identity; further names of one file are skipped
//!   hash    the files that have the size of another one, by SHA-256
//!   group   those with equal digests
//! ```

use std::collections::HashMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::vec::IntoIter;

use clap::Args;
use serde_json::{Map, Value, json};

use crate::files::{Change, Directories, Entry, File, Identity, Names, Source, Walk};
use crate::hashing::{self, Changes, Counted, Counters, Io, Reading, Reporter, Sum, function_of};
use crate::help_text::list;
use crate::limits::Limits;
use crate::message::{Speaker, reason, say};
use crate::output::{Lines, Order, Output};
use crate::platform;
use crate::platform::fs::FileType;
use crate::platform::io::Errno;
use crate::progress::{self, Shown};
use crate::shared_options::WalkOptions;
use hashlanes_formats::encoding::{hex, insert_name, line_with_name};
use hashlanes_formats::hash::Hash;

/// Lists files with equal content, in groups.
///
/// Only files that have the size of another one are read; they are compared by SHA-256. Several names of one
/// file (hard links) count as one file. Empty files are equal; --min-size 1 skips them.
///
/// Exit status: 0 if all files could be read, 1 if not, 2 if the command line is wrong.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes dupes photos", "List the groups of equal files in a directory tree"),
    ("hashlanes dupes --min-size 1M --json photos", "The same for large files, as JSON"),
    ("hashlanes dupes --omit-first -z photos | xargs -0 ls -l", "Run a program on all files but the first of each group"),
]))]
pub(crate) struct DupesArgs {
    /// Directories and files to compare
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<OsString>,

    /// Do not list the first file of each group
    #[arg(long)]
    omit_first: bool,

    /// Print a JSON array of groups
    #[arg(long, conflicts_with_all = ["omit_first", "zero"])]
    json: bool,

    /// End names with NUL and leave them unescaped
    #[arg(short, long)]
    zero: bool,

    /// Do not print the number of files and bytes
    #[arg(short, long)]
    quiet: bool,

    /// Number of threads [default: all CPUs]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Show progress: a bar on a terminal, or lines of JSON
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    progress: Shown,

    #[command(flatten, next_help_heading = "Files in directories")]
    choice: WalkOptions,
}

impl DupesArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let Some(rules) = self.choice.rules_or_say(speaker, "dupes") else { return ExitCode::from(2) };
        let limits = Limits::of_process(self.jobs.map(NonZeroUsize::get));
        let directories = Directories::Walk(Box::new(rules));
        let names = Names::of_arguments(self.paths.iter().map(platform::typed_name).collect());
        let mut walk = Walk::new(speaker, names, &directories, limits.open_directories);
        let (candidates, mut failed) = candidates(speaker, &mut walk);
        failed |= walk.failed;
        let counters = Counters::default();
        let function = Counted { function: function_of(&[Hash::Sha256], None), counters: &counters };
        let comparison = Comparison { speaker, found: Mutex::new(Found::default()) };
        let (n_files, n_bytes) = (candidates.len(), candidates.iter().map(|c| c.n_bytes).sum::<u64>());
        let mut source = Candidates(candidates.into_iter());
        let reading = Reading { io: Io::Auto, changes: Changes::Watched };
        let output = Output::new(speaker, Order::Any);
        progress::watched(
            self.progress,
            &counters,
            |found| found.files(n_files as u64, n_bytes),
            || hashing::run(&function, &mut source, &comparison, output, reading, limits),
        );
        let found = comparison.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed |= found.failed;
        let groups = found.groups();
        let mut output = Output::new(speaker, Order::Kept);
        let out = if self.json { json_of(&groups) } else { self.text(&groups) };
        output.deliver(0, Lines { out, ..Lines::default() });
        output.end();
        if !self.quiet && !self.json {
            say(&speaker.line(&summary(&groups)));
        }
        if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// The names, a line each; an empty line between groups.
    fn text(&self, groups: &[Group]) -> Vec<u8> {
        let mut text = Vec::new();
        let end: &[u8] = if self.zero { b"\0" } else { b"\n" };
        for group in groups {
            if !text.is_empty() && !self.omit_first {
                text.extend_from_slice(end);
            }
            for name in &group.names[usize::from(self.omit_first)..] {
                match self.zero {
                    true => text.extend_from_slice(&[name, end].concat()),
                    false => text.extend_from_slice(&line_with_name(b"", name, b"")),
                }
            }
        }
        text
    }
}

/// Returns the number of files and bytes beyond the first file of each group.
fn summary(groups: &[Group]) -> String {
    let n_files: usize = groups.iter().map(|group| group.names.len() - 1).sum();
    let n_bytes: u64 = groups.iter().map(|group| group.n_bytes * (group.names.len() as u64 - 1)).sum();
    let (files, groups) =
        (counted(n_files, "duplicate", "duplicates"), counted(groups.len(), "group", "groups"));
    format!("{files} in {groups}, {n_bytes} bytes")
}

fn counted(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

fn json_of(groups: &[Group]) -> Vec<u8> {
    let named = |name: &Vec<u8>| {
        let mut object = Map::new();
        insert_name(&mut object, "name", name);
        Value::from(object)
    };
    let object = |group: &Group| {
        let files: Vec<_> = group.names.iter().map(named).collect();
        json!({ "size": group.n_bytes, "sha256": hex(&group.digest), "files": files })
    };
    let groups: Value = groups.iter().map(object).collect();
    format!("{groups}\n").into_bytes()
}

/// A file that may have duplicates.
struct Candidate {
    file: File,
    n_bytes: u64,
    identity: Identity,
    /// Its number in the order of the walk.
    order: usize,
}

/// Returns the files that have the size of another one, in the order of the walk, and whether a file could
/// not be examined.
fn candidates(speaker: &Speaker, walk: &mut Walk<'_>) -> (Vec<Candidate>, bool) {
    let (mut candidates, mut failed) = (Vec::new(), false);
    while let Some(entry) = walk.next() {
        let file = match entry {
            Entry::Said(lines) => {
                say(&lines.err);
                continue;
            }
            Entry::File(file, ()) => file,
        };
        let why = match file.stat() {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                let (n_bytes, identity) = (stat.st_size as u64, Identity::of(&stat));
                candidates.push(Candidate { file, n_bytes, identity, order: candidates.len() });
                continue;
            }
            Ok(_) => "not compared: not a regular file".into(),
            Err(error) => reason(error),
        };
        failed = true;
        say(&speaker.about_file(&file.name, &why));
    }
    candidates.sort_unstable_by_key(|c| (c.n_bytes, c.identity, c.order));
    candidates.dedup_by_key(|c| c.identity);
    let mut several: Vec<Candidate> = Vec::new();
    let mut rest = candidates.into_iter().peekable();
    while let Some(candidate) = rest.next() {
        let is_last = several.last().is_some_and(|last| last.n_bytes == candidate.n_bytes);
        let is_next = rest.peek().is_some_and(|next| next.n_bytes == candidate.n_bytes);
        if is_last || is_next {
            several.push(candidate);
        }
    }
    several.sort_unstable_by_key(|c| c.order);
    (several, failed)
}

/// The files to hash.
struct Candidates(IntoIter<Candidate>);

impl Source for Candidates {
    /// Its number in the order of the walk.
    type Tag = usize;

    fn next(&mut self) -> Option<Entry<usize>> {
        self.0.next().map(|candidate| Entry::File(candidate.file, candidate.order))
    }

    fn at_most(&self) -> Option<usize> {
        Some(self.0.len())
    }

    fn next_may_wait(&self) -> bool {
        false
    }
}

/// Files with equal content.
struct Group {
    n_bytes: u64,
    digest: Vec<u8>,
    /// In the order of the walk.
    names: Vec<Vec<u8>>,
}

/// A size and a digest.
type Content = (u64, Vec<u8>);

/// A file's number in the order of the walk, and its name.
type Numbered = (usize, Vec<u8>);

/// The results so far.
#[derive(Default)]
struct Found {
    files: HashMap<Content, Vec<Numbered>>,
    failed: bool,
}

impl Found {
    /// Returns the groups of several files, in the order of their first files.
    fn groups(self) -> Vec<Group> {
        let mut groups = Vec::new();
        for ((n_bytes, digest), mut files) in self.files {
            if files.len() > 1 {
                files.sort_unstable();
                let first = files[0].0;
                let names = files.into_iter().map(|(_, name)| name).collect();
                groups.push((first, Group { n_bytes, digest, names }));
            }
        }
        groups.sort_unstable_by_key(|(first, _)| *first);
        groups.into_iter().map(|(_, group)| group).collect()
    }
}

struct Comparison<'a> {
    speaker: &'a Speaker,
    found: Mutex<Found>,
}

impl Reporter<usize> for Comparison<'_> {
    fn report(&self, file: &File, order: usize, sum: Result<Sum<'_>, Errno>) -> Lines {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let why = match sum {
            Ok(Sum { results, n_bytes, change: Change::NotSeen }) => {
                let files = found.files.entry((n_bytes, results.to_vec())).or_default();
                files.push((order, file.name.clone()));
                return Lines::default();
            }
            Ok(_) => "not compared: it changed while it was read".into(),
            Err(error) => reason(error),
        };
        found.failed = true;
        Lines { err: self.speaker.about_file(&file.name, &why), ..Lines::default() }
    }
}
