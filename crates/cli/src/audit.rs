//! `hashlanes audit`: what became of the files of a manifest.
//!
//! ```text
//!   in the manifest   under the paths
//!   name, digest      the same name, the same digest       (nothing is said)
//!   name, digest      the same name, another digest        changed
//!   name, digest      no such name                         missing, or moved
//!   no such name      a name                               new, or where the one with its digest moved
//! ```
//!
//! The manifest is held in memory: its names, a digest each.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::num::NonZeroUsize;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use rustix::io::Errno;
use serde_json::{Map, Value, json};

use crate::escape::line_with_name;
use crate::files::{Change, Directories, File, Identity, Input, Names, Walk};
use crate::hash::{Hash, Keyed};
use crate::hashing::{self, Changes, Counted, Counters, Io, Reading, Reporter, Sum, function_of};
use crate::limits::Limits;
use crate::lists::{Dialect, Forms, Item, Record, Records, Trouble};
use crate::message::{Speaker, io_reason, reason, say};
use crate::output::{Lines, Order, Output};
use crate::progress::{self, Shown};

/// Compares directories with a manifest: what changed, moved, is new, is missing.
///
/// The manifest is one that sum printed, in any format, or sha256sum, or hashdeep. Without PATHs those files and
/// directories are looked at that its names begin with. The exit status is 0 if nothing is other, 1 if something is,
/// 2 if a file could not be read or the manifest is none.
#[derive(Args)]
pub(crate) struct AuditArgs {
    /// The manifest; - is standard input
    #[arg(value_name = "MANIFEST")]
    manifest: OsString,

    /// Files and directories to look at, named as they were for the manifest
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,

    /// Threads [default: the CPUs this process may use]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    /// Say nothing of how many files there are of each kind
    #[arg(long)]
    quiet: bool,

    /// Show how far it is: a bar on a terminal, lines of JSON for programs
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    progress: Shown,
}

/// What the manifest says of a name, and what was found.
struct Listed {
    digest: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    NotSeen,
    Same,
    Changed,
    /// There, and not to be read.
    Unreadable,
}

/// A manifest in memory.
struct Manifest {
    hash: Hash,
    files: HashMap<Vec<u8>, Listed>,
}

/// The findings, names in order.
#[derive(Default)]
struct Findings {
    changed: Vec<Vec<u8>>,
    moved: Vec<(Vec<u8>, Vec<u8>)>,
    new: Vec<Vec<u8>>,
    missing: Vec<Vec<u8>>,
    n_same: usize,
}

impl AuditArgs {
    /// Does what is asked.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let Some(manifest) = self.manifest(speaker) else { return ExitCode::from(2) };
        let paths = match self.paths.is_empty() {
            true => roots(manifest.files.keys()),
            false => self.paths.iter().cloned().map(OsStringExt::into_vec).collect(),
        };
        let limits = Limits::of_process(self.jobs.map(NonZeroUsize::get));
        let counters = Counters::default();
        let function = Counted { function: function_of(&[manifest.hash], None), counters: &counters };
        let roots_are_listed = self.paths.is_empty();
        let comparison = Comparison {
            speaker,
            roots_are_listed,
            manifest: rustix::fs::stat(&*self.manifest).ok().map(|stat| Identity::of(&stat)),
            found: Mutex::new(Found { manifest, new: Vec::new(), trouble: false }),
        };
        let directories = Directories::Walk(Box::default());
        let mut walk = Walk::new(speaker, Names::given(paths), &directories, limits.open_directories);
        let output = Output::new(speaker, Order::Any);
        let reading = Reading { io: Io::Auto, changes: Changes::Watched };
        progress::watched(
            self.progress,
            &counters,
            |_| (),
            || {
                hashing::run(&function, &mut walk, &comparison, output, reading, limits);
            },
        );
        let found = comparison.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let trouble = found.trouble || walk.failed;
        let findings = found.findings();
        let mut output = Output::new(speaker, Order::Kept);
        output.deliver(
            0,
            Lines { out: if self.json { findings.json() } else { findings.text() }, ..Lines::default() },
        );
        output.end();
        if !self.quiet && !self.json {
            say(&speaker.line(&findings.summary()));
        }
        match (trouble, findings.is_clean()) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::SUCCESS,
            (false, false) => ExitCode::FAILURE,
        }
    }

    /// The manifest, or `None` if that was said.
    fn manifest(&self, speaker: &Speaker) -> Option<Manifest> {
        let is_standard_input = self.manifest == "-";
        let name = if is_standard_input { b"standard input" } else { self.manifest.as_bytes() };
        let told = |why: &str| say(&speaker.about_file(name, why));
        let mut manifest: Option<Manifest> = None;
        let mut n_malformed = 0u64;
        match read(&self.manifest, &mut manifest, &mut n_malformed) {
            Err(Trouble::Io(error)) => told(&io_reason(&error)),
            Err(Trouble::Format(why)) => told(&format!("not a manifest: {why}")),
            Ok(()) if manifest.is_none() => told("not a manifest: no properly formatted line"),
            Ok(()) => {
                if n_malformed > 0 {
                    let lines = if n_malformed == 1 { "line is" } else { "lines are" };
                    told(&format!("WARNING: {n_malformed} {lines} improperly formatted, or of another hash"));
                }
                return manifest;
            }
        }
        None
    }
}

/// Reads a manifest, and counts the lines that are not of it.
fn read(path: &OsStr, manifest: &mut Option<Manifest>, n_malformed: &mut u64) -> Result<(), Trouble> {
    let input = Input::open(path.as_bytes()).map_err(io::Error::from)?;
    let mut dialect = Dialect::new(&[], Keyed::No, Forms::All);
    let mut records = Records::new(input, &mut dialect)?;
    while let Some(item) = records.next()? {
        let is_of_it = match item {
            Item::Record(record) => add(manifest, record),
            Item::Malformed(_) => false,
        };
        *n_malformed += u64::from(!is_of_it);
    }
    Ok(())
}

/// Adds a record, by the first one's hash. Whether it has that one; further hashes of a file that is there are passed over.
fn add(manifest: &mut Option<Manifest>, record: Record) -> bool {
    let manifest = manifest.get_or_insert_with(|| Manifest { hash: record.sums[0].0, files: HashMap::new() });
    let Some((_, digest)) = record.sums.into_iter().find(|(hash, _)| *hash == manifest.hash) else {
        return manifest.files.contains_key(&record.name);
    };
    manifest.files.insert(record.name, Listed { digest, state: State::NotSeen });
    true
}

/// What names begin with: the first part of relative ones; of absolute ones the directory that all are in.
fn roots<'n>(names: impl Iterator<Item = &'n Vec<u8>>) -> Vec<Vec<u8>> {
    let mut roots: BTreeMap<Vec<u8>, ()> = BTreeMap::new();
    let mut absolute: Option<Vec<u8>> = None;
    for name in names {
        if name.first() == Some(&b'/') {
            let directory = &name[..name.iter().rposition(|&byte| byte == b'/').unwrap_or(0)];
            absolute = Some(match absolute {
                None => directory.to_vec(),
                Some(common) => common_directory(&common, directory).to_vec(),
            });
        } else {
            let end = name.iter().position(|&byte| byte == b'/').unwrap_or(name.len());
            roots.insert(name[..end].to_vec(), ());
        }
    }
    let absolute = absolute.map(|root| if root.is_empty() { b"/".to_vec() } else { root });
    roots.into_keys().chain(absolute).collect()
}

/// The last directory that both paths, without a slash at their ends, lead through.
fn common_directory<'p>(a: &'p [u8], b: &[u8]) -> &'p [u8] {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let ends = |path: &[u8]| path.len() == same || path[same] == b'/';
    if ends(a) && ends(b) {
        return &a[..same];
    }
    &a[..a[..same].iter().rposition(|&byte| byte == b'/').unwrap_or(0)]
}

/// What the walk has found so far.
struct Found {
    manifest: Manifest,
    new: Vec<(Vec<u8>, Vec<u8>)>,
    trouble: bool,
}

struct Comparison<'a> {
    speaker: &'a Speaker,
    /// Whether what is looked at comes from the manifest: then what is not there is missing, and no trouble.
    roots_are_listed: bool,
    /// Which file the manifest is.
    manifest: Option<Identity>,
    found: Mutex<Found>,
}

impl Reporter<()> for Comparison<'_> {
    fn report(&self, file: &File, _: (), sum: Result<Sum<'_>, Errno>) -> Lines {
        let is_changing = matches!(sum, Ok(Sum { change: Change::Seen, .. }));
        let warning = match is_changing {
            true => self.speaker.about_file(&file.name, "changed while it was read"),
            false => Vec::new(),
        };
        let said = Lines { warning, ..Lines::default() };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = found.manifest.files.get_mut(&file.name);
        match (sum, listed) {
            (Err(Errno::NOENT), listed) if listed.is_some() || self.roots_are_listed => Lines::default(),
            (Err(error), listed) => {
                if let Some(listed) = listed {
                    listed.state = State::Unreadable;
                }
                found.trouble = true;
                Lines { err: self.speaker.about_file(&file.name, &reason(error)), ..Lines::default() }
            }
            (Ok(sum), Some(listed)) => {
                listed.state = if listed.digest == sum.results { State::Same } else { State::Changed };
                said
            }
            (Ok(sum), None) => {
                // The manifest is not in itself.
                let identity = rustix::fs::stat(&file.name[..]).map(|stat| Identity::of(&stat));
                if !(self.manifest.is_some() && identity.ok() == self.manifest) {
                    found.new.push((file.name.clone(), sum.results.to_vec()));
                }
                said
            }
        }
    }
}

impl Found {
    /// New files that have the digest of a missing one are where it moved.
    fn findings(self) -> Findings {
        let mut findings = Findings::default();
        let mut missing: HashMap<Vec<u8>, Vec<Vec<u8>>> = HashMap::new();
        for (name, listed) in self.manifest.files {
            match listed.state {
                State::Same => findings.n_same += 1,
                State::Changed => findings.changed.push(name),
                State::NotSeen => missing.entry(listed.digest).or_default().push(name),
                State::Unreadable => {}
            }
        }
        // The last name first: pop gives the first.
        missing.values_mut().for_each(|names| names.sort_unstable_by(|a, b| b.cmp(a)));
        let mut new = self.new;
        new.sort_unstable();
        for (name, digest) in new {
            match missing.get_mut(&digest).and_then(Vec::pop) {
                Some(old) => findings.moved.push((old, name)),
                None => findings.new.push(name),
            }
        }
        findings.missing = missing.into_values().flatten().collect();
        findings.missing.sort_unstable();
        findings.changed.sort_unstable();
        findings.moved.sort_unstable();
        findings
    }
}

impl Findings {
    fn is_clean(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty() && self.new.is_empty() && self.missing.is_empty()
    }

    /// A line for each finding; names are escaped as in manifests, with a backslash before the line.
    fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut line = |word: &str, name: &[u8], to: Option<&[u8]>| {
            let names = to.map_or_else(|| name.to_vec(), |to| [name, b" -> ", to].concat());
            text.extend_from_slice(&line_with_name(word.as_bytes(), &names, b""));
        };
        self.changed.iter().for_each(|name| line("changed  ", name, None));
        self.moved.iter().for_each(|(old, new)| line("moved    ", old, Some(new)));
        self.new.iter().for_each(|name| line("new      ", name, None));
        self.missing.iter().for_each(|name| line("missing  ", name, None));
        text
    }

    fn summary(&self) -> String {
        let Findings { changed, moved, new, missing, n_same } = self;
        let (changed, moved, new, missing) = (changed.len(), moved.len(), new.len(), missing.len());
        format!("{n_same} the same, {changed} changed, {moved} moved, {new} new, {missing} missing")
    }

    fn json(&self) -> Vec<u8> {
        use base64ct::{Base64, Encoding};
        // As in manifests: a name that is no text is base64.
        let named = |mut object: Map<String, Value>, field: &str, name: &[u8]| {
            match std::str::from_utf8(name) {
                Ok(name) => object.insert(field.into(), name.into()),
                Err(_) => object.insert(format!("{field}_base64"), Base64::encode_string(name).into()),
            };
            object
        };
        let names = |names: &[Vec<u8>]| -> Vec<Value> {
            names.iter().map(|name| named(Map::new(), "name", name).into()).collect()
        };
        let moved =
            self.moved.iter().map(|(old, new)| named(named(Map::new(), "from", old), "to", new).into());
        let audit = json!({
            "same": self.n_same,
            "changed": names(&self.changed),
            "moved": moved.collect::<Vec<Value>>(),
            "new": names(&self.new),
            "missing": names(&self.missing),
        });
        format!("{audit}\n").into_bytes()
    }
}
