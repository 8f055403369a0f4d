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

mod findings;
mod manifest;

use std::collections::HashMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use rustix::io::Errno;

use self::findings::Findings;
use self::manifest::{Manifest, State, read, roots};
use crate::files::{Change, Directories, File, Identity, Names, Walk};
use crate::hashing::{self, Changes, Counted, Counters, Io, Reading, Reporter, Sum, function_of};
use crate::limits::Limits;
use crate::lists::Trouble;
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
