//! `hashlanes audit`: what became of the files of a manifest.
//!
//! ```text
//!   in the manifest   under the paths
//!   name, digests     the same name, the same digests      (nothing is said)
//!   name, digests     the same name, another digest        changed
//!   name, digests     no such name                         missing, or moved
//!   no such name      a name                               new, or where the one with these digests moved
//! ```
//!
//! A file is hashed by all hashes that the manifest has of any: which file has which is known only by its name, and that a
//! new one may be a missing one is known only from its digests.

mod findings;
mod manifest_in_memory;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use rustix::io::Errno;

use self::findings::Findings;
use self::manifest_in_memory::{Digests, Hashes, Listed, Manifest, State, bare};
use crate::digest_lists::Trouble;
use crate::files::{Change, Directories, File, Identity, Names, Rules, Walk};
use crate::hash::{Hash, Keyed};
use crate::hashing::{self, Changes, Counted, Counters, Io, Reading, Reporter, Sum, function_of};
use crate::hmac_key::KeyArgs;
use crate::limits::Limits;
use crate::message::{Speaker, io_reason, reason, say};
use crate::output::{Lines, Order, Output};
use crate::progress::{self, Shown};
use crate::shared_options::WalkOptions;

/// Compares directories with a manifest: what changed, moved, is new, is missing.
///
/// The manifest is one that sum printed, in any format, or sha256sum, or hashdeep; all digests that it has of a file are
/// compared. Without PATHs those files and directories are looked at that its names begin with. What PATHs and options
/// leave out is missing: they should be those that the manifest was made with. The exit status is 0 if nothing is other,
/// 1 if something is, 2 if a file or a line of the manifest could not be read, a name is listed twice with different
/// digests, or the manifest is none.
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

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten, next_help_heading = "Of what is found in directories")]
    choice: WalkOptions,
}

impl AuditArgs {
    /// Does what is asked.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let rules = match self.choice.rules() {
            Ok(rules) => rules,
            Err(words) => {
                say(&[speaker.line(&words), speaker.try_help(" audit")].concat());
                return ExitCode::from(2);
            }
        };
        let Ok(key) = self.key.read(speaker) else { return ExitCode::from(2) };
        let keyed = if key.is_some() { Keyed::Yes } else { Keyed::No };
        let Some(manifest) = self.manifest(speaker, keyed) else { return ExitCode::from(2) };
        let Some(paths) = self.paths_of(speaker, &manifest) else { return ExitCode::from(2) };
        let found = self.find(speaker, manifest, key.as_deref(), paths, rules);
        let trouble = found.trouble;
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

    /// Hashes what is under the paths.
    fn find(
        &self,
        speaker: &Speaker,
        manifest: Manifest,
        key: Option<&[u8]>,
        paths: Vec<Vec<u8>>,
        rules: Rules,
    ) -> Found {
        let hashes: Vec<Hash> = manifest.hashes.iter().collect();
        let counters = Counters::default();
        let function = Counted { function: function_of(&hashes, key), counters: &counters };
        let stat = match self.is_standard_input() {
            true => rustix::fs::fstat(rustix::stdio::stdin()),
            false => rustix::fs::stat(&*self.manifest),
        };
        // What could not be read of the manifest may be what is amiss.
        let trouble = manifest.n_malformed + manifest.n_contradictory > 0;
        let comparison = Comparison {
            speaker,
            roots_are_listed: self.paths.is_empty(),
            manifest: stat.as_ref().ok().map(Identity::of),
            found: Mutex::new(Found { manifest, new: Vec::new(), trouble }),
        };
        let limits = Limits::of_process(self.jobs.map(NonZeroUsize::get));
        let directories = Directories::Walk(Box::new(rules));
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
        let mut found = comparison.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.trouble |= walk.failed;
        found
    }

    fn is_standard_input(&self) -> bool {
        self.manifest == "-"
    }

    /// Its name in messages.
    fn manifest_name(&self) -> &[u8] {
        if self.is_standard_input() { b"standard input" } else { self.manifest.as_bytes() }
    }

    /// The manifest, or `None` if there is none, which was said.
    fn manifest(&self, speaker: &Speaker, keyed: Keyed) -> Option<Manifest> {
        let name = self.manifest_name();
        let told = |why: &str| say(&speaker.about_file(name, why));
        let mut contradictory =
            |file: &[u8]| say(&speaker.about_listed(name, file, "listed twice, with different digests"));
        match Manifest::read(&self.manifest, keyed, &mut contradictory) {
            Err(Trouble::Io(error)) => told(&io_reason(&error)),
            Err(Trouble::Format(why)) => told(&format!("not a manifest: {why}")),
            Ok(manifest) if manifest.files.is_empty() => told("not a manifest: no properly formatted line"),
            Ok(manifest) => {
                let n = manifest.n_malformed;
                if n > 0 {
                    let lines = if n == 1 { "line is" } else { "lines are" };
                    told(&format!("WARNING: {n} {lines} improperly formatted, or of another hash"));
                }
                return Some(manifest);
            }
        }
        None
    }

    /// What is looked at, or `None` if that is not known, which was said.
    fn paths_of(&self, speaker: &Speaker, manifest: &Manifest) -> Option<Vec<Vec<u8>>> {
        if !self.paths.is_empty() {
            return Some(self.paths.iter().cloned().map(OsStringExt::into_vec).collect());
        }
        let roots = manifest.roots();
        if roots.is_none() {
            let why = "its names have no directory in common but /; give the PATHs to look at";
            say(&speaker.about_file(self.manifest_name(), why));
        }
        roots
    }
}

/// What the walk has found so far.
struct Found {
    manifest: Manifest,
    /// With all digests that any file of the manifest has.
    new: Vec<(Vec<u8>, Digests)>,
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
        let hashes = found.manifest.hashes;
        let listed = found.manifest.files.get_mut(bare(&file.name));
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
                listed.state = match listed.state {
                    State::Contradictory => State::Contradictory,
                    _ if listed.digests.are_in(hashes, sum.results) => State::Same,
                    _ => State::Changed,
                };
                said
            }
            (Ok(sum), None) => {
                // The manifest is not in itself.
                let identity = rustix::fs::stat(&file.name[..]).map(|stat| Identity::of(&stat));
                if !(self.manifest.is_some() && identity.ok() == self.manifest) {
                    found.new.push((file.name.clone(), Digests::new(hashes, sum.results)));
                }
                said
            }
        }
    }
}

impl Found {
    /// New files that have all digests of a missing one are where it moved.
    fn findings(self) -> Findings {
        let mut findings = Findings::default();
        let mut missing: HashMap<Digests, Vec<Vec<u8>>> = HashMap::new();
        for (name, Listed { digests, state }) in self.manifest.files {
            let name = name.into_given();
            match state {
                State::Same => findings.n_same += 1,
                State::Changed => findings.changed.push(name),
                State::NotSeen => missing.entry(digests).or_default().push(name),
                State::Unreadable | State::Contradictory => {}
            }
        }
        // The last name first: pop gives the first.
        missing.values_mut().for_each(|names| names.sort_unstable_by(|a, b| b.cmp(a)));
        // Not all missing files have the same hashes; those with the most are the surest.
        let mut kinds: Vec<Hashes> = missing.keys().map(Digests::of).collect();
        kinds.sort_unstable_by_key(|kind| (Reverse(kind.len()), *kind));
        kinds.dedup();
        let mut new = self.new;
        // PATHs may lead to a file more than once.
        new.sort_unstable_by(|(a, _), (b, _)| bare(a).cmp(bare(b)).then_with(|| a.cmp(b)));
        new.dedup_by(|(a, _), (b, _)| bare(a) == bare(b));
        for (name, digests) in new {
            let moved = kinds.iter().find_map(|kind| missing.get_mut(&digests.some(*kind))?.pop());
            match moved {
                Some(old) => findings.moved.push((old, name)),
                None => findings.new.push(name),
            }
        }
        findings.missing = missing.into_values().flatten().collect();
        findings.new.sort_unstable();
        findings.missing.sort_unstable();
        findings.changed.sort_unstable();
        findings.moved.sort_unstable();
        findings
    }
}
