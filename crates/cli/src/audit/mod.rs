//! `hashlanes audit`: compares files with a manifest.
//!
//! ```text
//!   in the manifest   under the paths
//!   name, digests     the same name, the same digests      (not reported)
//!   name, digests     the same name, another digest        changed
//!   name, digests     no such name                         missing, or moved
//!   no such name      a name                               new, or where the one with these digests moved
//! ```
//!
//! A file of the manifest that exists outside of the paths is left out: it is not compared.
//!
//! A file is hashed by all hashes that occur in the manifest, because a new file may be a missing one under
//! another name, and only its digests show that. `sum --update` writes the findings into the manifest:
//! `sum/update.rs`.

mod findings;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::Args;

use crate::files::{Change, File, Identity, Input, Rules, long_paths};
use crate::hashing::{Reporter, Sum};
use crate::help_text::list;
use crate::hmac_key::KeyArgs;
use crate::message::{Speaker, io_reason, reason, say, say_unread_lines};
use crate::output::{Lines, Order, Output};
use crate::platform;
use crate::platform::ffi::OsStrExt;
use crate::platform::fs::{AtFlags, CWD, FileType};
use crate::platform::io::Errno;
use crate::progress::Shown;
use crate::search::Search;
use crate::shared_options::{Hashes, WalkOptions, hashes};
use hashlanes_formats::audit::{Audit, Findings};
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::Trouble;
use hashlanes_formats::manifest::{From, Manifest};
use hashlanes_formats::roots::is_in;

/// Compares directories with a manifest: what changed, moved, is new, is missing.
///
/// The manifest is a list in any format of sum, of sha256sum or of hashdeep. All digests of a file are
/// compared. Without PATHs, the directories are searched that the manifest records, or the longest common
/// directory of its names; names without a directory are compared alone. With PATHs, files outside of them
/// are not compared. Pass the options with which the list was made: files that they leave out count as
/// missing.
///
/// Exit status: 0 if nothing changed, 1 if something did, 2 if a file or a line of the list could not be
/// read, a name is listed twice with different digests, MANIFEST is not a list, or the result cannot be
/// written.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes audit SHA256SUMS", "Compare with the list that `hashlanes sum -r` wrote"),
    ("hashlanes audit SHA256SUMS -C copy", "Compare a copy of the files in another directory"),
    ("hashlanes audit --json SHA256SUMS photos", "Compare one directory, and print JSON"),
]))]
pub(crate) struct AuditArgs {
    /// The manifest; - is standard input
    #[arg(value_name = "MANIFEST")]
    pub(crate) manifest: OsString,

    /// Files and directories to search, named as when the manifest was made [default: those of the manifest]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<OsString>,

    /// Search in directory DIR, such as a copy of the one where the manifest was made
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,

    /// Hashes of the manifest, where its lines do not name them [default: by the length of the digests]
    #[arg(short, long, value_name = "HASH,…", value_parser = hashes)]
    pub(crate) algorithm: Option<Hashes>,

    /// Number of threads [default: all CPUs]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// Do not print the number of files of each kind
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Show progress: a bar on a terminal, or lines of JSON
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    pub(crate) progress: Shown,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    #[command(flatten, next_help_heading = "Files in directories")]
    pub(crate) choice: WalkOptions,
}

impl AuditArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let compared = self.choice.rules_or_say(speaker, "audit").and_then(|rules| {
            let (input, from) = self.open(speaker)?;
            self.compare(speaker, input, from, rules, Results::Dropped)
        });
        let Some(mut compared) = compared else { return ExitCode::from(2) };
        if !self.paths.is_empty() {
            let Compared { findings, roots, .. } = &mut compared;
            leave_out_existing(findings, |name| !roots.iter().any(|root| is_in(name, root)));
        }
        self.print(speaker, &compared, 2);
        self.say_if_only_new(speaker, &compared.findings);
        match (compared.trouble, compared.findings.is_clean()) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::SUCCESS,
            (false, false) => ExitCode::FAILURE,
        }
    }

    /// Opens the manifest. Returns `None` if it cannot be opened; the error was printed.
    fn open(&self, speaker: &Speaker) -> Option<(Input, From)> {
        match Input::open(self.manifest.as_bytes()) {
            Ok(Input::Standard) => Some((Input::Standard, From::StandardInput)),
            Ok(input) => Some((input, From::File)),
            Err(error) => {
                say(&speaker.about_file(self.manifest_name(), &reason(error)));
                None
            }
        }
    }

    /// Compares the files with the manifest that `input` contains. Returns `None` if they cannot be compared;
    /// the error was printed.
    pub(crate) fn compare(
        &self,
        speaker: &Speaker,
        input: impl Read,
        from: From,
        rules: Rules,
        results: Results,
    ) -> Option<Compared> {
        let key = self.key.read(speaker).ok()?;
        let keyed = if key.is_some() { Keyed::Yes } else { Keyed::No };
        let manifest = self.manifest(speaker, input, from, keyed)?;
        let hashes = manifest.hashes.iter().collect();
        let Paths { paths, are_files } = self.paths_of(speaker, &manifest)?;
        let roots = if are_files { Vec::new() } else { paths.clone() };
        let found = self.find(speaker, manifest, key.as_deref(), paths, rules, results)?;
        let Found { audit, trouble, results, .. } = found;
        Some(Compared { findings: audit.findings(), trouble, are_files, roots, hashes, keyed, results })
    }

    /// Prints the findings. Ends the program with the status `failure` if they cannot be written.
    pub(crate) fn print(&self, speaker: &Speaker, compared: &Compared, failure: u8) {
        let findings = &compared.findings;
        let mut output = Output::new(speaker, Order::Kept).failing_with(failure);
        output.deliver(
            0,
            Lines {
                out: if self.json { findings::json(findings) } else { findings::text(findings) },
                ..Lines::default()
            },
        );
        output.end();
        if !self.quiet && !self.json {
            say(&speaker.line(&findings::summary(findings)));
        }
        let Findings { changed, moved, new, missing, n_same } = findings;
        let none_found = *n_same == 0 && changed.is_empty() && moved.is_empty() && new.is_empty();
        if none_found && !missing.is_empty() && !self.quiet && !self.json {
            let why = "no listed file was found; names are relative to the directory where the list was made, see --directory";
            say(&speaker.about_file(self.manifest_name(), why));
        }
        if *n_same == 0 && moved.is_empty() && !changed.is_empty() && !self.quiet && !self.json {
            let why = "no file has its listed digest; digests of their length may be of another hash, see --algorithm";
            say(&speaker.about_file(self.manifest_name(), why));
        }
        if compared.are_files && !self.quiet {
            let why = "its names have no directory, so no new files were searched for; give PATHs to search";
            say(&speaker.about_file(self.manifest_name(), why));
        }
    }

    /// Says what may be the reason if the manifest lists nothing in the PATHs.
    fn say_if_only_new(&self, speaker: &Speaker, findings: &Findings) {
        let Findings { n_same, changed, moved, new, missing } = findings;
        let only_new = *n_same == 0 && changed.is_empty() && moved.is_empty() && missing.is_empty();
        if only_new && !new.is_empty() && !self.paths.is_empty() && !self.quiet && !self.json {
            let why = "it lists no file in the PATHs; name them as it does";
            say(&speaker.about_file(self.manifest_name(), why));
        }
    }

    /// Hashes the files under the paths. Returns `None` if their directory cannot be entered; the error was
    /// printed.
    fn find(
        &self,
        speaker: &Speaker,
        manifest: Manifest,
        key: Option<&[u8]>,
        paths: Vec<Vec<u8>>,
        rules: Rules,
        results: Results,
    ) -> Option<Found> {
        let hashes: Vec<Hash> = manifest.hashes.iter().collect();
        let stat = match self.is_standard_input() {
            true => platform::fs::fstat(platform::stdio::stdin()),
            false => platform::fs::stat(&*self.manifest),
        };
        if let Some(directory) = &self.directory
            && let Err(error) = platform::process::chdir(directory)
        {
            say(&speaker.about_file(directory.as_os_str().as_bytes(), &reason(error)));
            return None;
        }
        // Unreadable lines of the manifest may be the reason.
        let trouble = manifest.n_malformed + manifest.n_contradictory > 0;
        let comparison = Comparison {
            speaker,
            roots_are_listed: self.paths.is_empty(),
            manifest: stat.as_ref().ok().map(Identity::of),
            keeps: results,
            found: Mutex::new(Found { audit: Audit::new(manifest), trouble, results: HashMap::new() }),
        };
        let search = Search { paths, rules, jobs: self.jobs, progress: self.progress };
        let output = Output::new(speaker, Order::Any);
        let failed = search.run(speaker, &hashes, key, output, &comparison);
        let mut found = comparison.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.trouble |= failed;
        Some(found)
    }

    pub(crate) fn is_standard_input(&self) -> bool {
        self.manifest == "-"
    }

    /// Its name in messages.
    pub(crate) fn manifest_name(&self) -> &[u8] {
        if self.is_standard_input() { b"standard input" } else { self.manifest.as_bytes() }
    }

    /// Reads the manifest. Returns `None` if it cannot be read; the error was printed.
    fn manifest(&self, speaker: &Speaker, input: impl Read, from: From, keyed: Keyed) -> Option<Manifest> {
        let name = self.manifest_name();
        let told = |why: &str| say(&speaker.about_file(name, why));
        let asked = self.algorithm.as_ref().map_or(&[][..], |hashes| &hashes.0);
        let mut contradictory =
            |file: &[u8]| say(&speaker.about_listed(name, file, "listed twice, with different digests"));
        match Manifest::read(input, from, asked, keyed, &mut contradictory) {
            Err(Trouble::Io(error)) => told(&io_reason(&error)),
            Err(Trouble::Format(why)) => told(&format!("not a manifest: {why}")),
            Ok(manifest) if manifest.files.is_empty() => told("not a manifest: no properly formatted line"),
            Ok(manifest) => {
                say_unread_lines(speaker, name, manifest.n_malformed, &manifest.unsupported);
                return Some(manifest);
            }
        }
        None
    }

    /// Returns the files and directories to search, or `None` if they are unknown; the error was printed.
    fn paths_of(&self, speaker: &Speaker, manifest: &Manifest) -> Option<Paths> {
        if !self.paths.is_empty() {
            let paths = self.paths.iter().map(platform::typed_name).collect();
            return Some(Paths { paths, are_files: false });
        }
        let search = manifest.search();
        if search.is_none() {
            let why = "its names have only the directory / in common; give the PATHs to search";
            say(&speaker.about_file(self.manifest_name(), why));
        }
        let search = search?;
        let are_files = search.directories.is_empty();
        Some(Paths { paths: search.into_paths(), are_files })
    }
}

/// Removes the missing and moved files that exist, of those that `may_be`; directories and what lies in files
/// do not count. What has the digests of one that moved is new then.
pub(crate) fn leave_out_existing(findings: &mut Findings, may_be: impl Fn(&[u8]) -> bool) {
    let exists = |name: &[u8]| match long_paths::stat(CWD, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => !FileType::from_raw_mode(stat.st_mode).is_dir(),
        Err(error) => ![Errno::NOENT, Errno::NOTDIR, Errno::NAMETOOLONG].contains(&error),
    };
    let is_left_out = |name: &[u8]| may_be(name) && exists(name);
    findings.missing.retain(|name| !is_left_out(name));
    let left_out = findings.moved.extract_if(.., |(old, _)| is_left_out(old));
    findings.new.extend(left_out.map(|(_, new)| new));
    findings.new.sort_unstable();
}

/// The directories of the search.
struct Paths {
    paths: Vec<Vec<u8>>,
    /// They are only the files of a manifest whose names have no directory.
    are_files: bool,
}

/// Whether the digests of files that are not as listed are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Results {
    Dropped,
    Kept,
}

/// The results of the walk so far.
struct Found {
    audit: Audit,
    trouble: bool,
    /// The digests of files that are not as listed, if they are kept.
    results: HashMap<Vec<u8>, Vec<u8>>,
}

/// A manifest, compared with files.
pub(crate) struct Compared {
    pub(crate) findings: Findings,
    /// Something could not be read, or the manifest contradicts itself.
    pub(crate) trouble: bool,
    /// Only the listed files were compared.
    pub(crate) are_files: bool,
    /// The directories that were searched.
    pub(crate) roots: Vec<Vec<u8>>,
    /// The hashes of the manifest.
    pub(crate) hashes: Vec<Hash>,
    pub(crate) keyed: Keyed,
    /// The digests of new and changed files, if they were kept.
    pub(crate) results: HashMap<Vec<u8>, Vec<u8>>,
}

struct Comparison<'a> {
    speaker: &'a Speaker,
    /// Whether the paths come from the manifest: then a missing path is a missing file, not an error.
    roots_are_listed: bool,
    /// The manifest's own file.
    manifest: Option<Identity>,
    keeps: Results,
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
        let is_listed = found.audit.lists(&file.name);
        match sum {
            Err(Errno::NOENT) if is_listed || self.roots_are_listed => Lines::default(),
            Err(error) => {
                found.audit.add_unreadable(&file.name);
                found.trouble = true;
                Lines { err: self.speaker.about_file(&file.name, &reason(error)), ..Lines::default() }
            }
            Ok(sum) => {
                // The manifest is not in itself.
                let identity = || platform::fs::stat(&file.name[..]).map(|stat| Identity::of(&stat)).ok();
                if is_listed || self.manifest.is_none() || identity() != self.manifest {
                    let is_same = found.audit.add(&file.name, sum.results);
                    if self.keeps == Results::Kept && !is_same {
                        found.results.insert(file.name.clone(), sum.results.to_vec());
                    }
                }
                said
            }
        }
    }
}
