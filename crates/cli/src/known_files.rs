//! `hashlanes match`: files whose content lists know, or do not know, whatever their names.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use crate::files::{Change, File, Input};
use crate::hashing::{Reporter, Sum};
use crate::help_text::list;
use crate::hmac_key::KeyArgs;
use crate::message::{Speaker, io_reason, reason, say, say_unread_lines};
use crate::output::{Lines, Order, Output};
use crate::platform;
use crate::platform::ffi::OsStrExt;
use crate::platform::io::Errno;
use crate::progress::Shown;
use crate::search::Search;
use crate::shared_options::WalkOptions;
use hashlanes_formats::encoding::{escape, line_with_name};
use hashlanes_formats::hash::Keyed;
use hashlanes_formats::known::Known;
use hashlanes_formats::lists::Trouble;

/// Lists the files whose content is in lists of known files, whatever their names.
///
/// A list has any format of sum, of sha256sum or of hashdeep. A file is known if it has all digests that a
/// list has for some name.
///
/// Exit status: 0 if a file was listed, 1 if none was, 2 if a file or a line of a list could not be read, or
/// the command line is wrong.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes match -k SHA256SUMS photos", "List the files that are already in a list"),
    ("hashlanes match -v -k SHA256SUMS new", "List the files that are not"),
    ("hashlanes match -v -z -k SHA256SUMS new | xargs -0 ls -l", "Run a program on them"),
]))]
pub(crate) struct MatchArgs {
    /// Files to look up, and directories of such files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<OsString>,

    /// List of known files; several lists are one; - is standard input
    #[arg(short, long, value_name = "LIST", required = true)]
    known: Vec<OsString>,

    /// List the files that are not known
    #[arg(short = 'v', long)]
    unknown: bool,

    /// After each name, print " matches " and the known file's name
    #[arg(short = 'w', long, conflicts_with_all = ["unknown", "zero"])]
    which: bool,

    /// End names with NUL and leave them unescaped
    #[arg(short, long)]
    zero: bool,

    /// Number of threads [default: all CPUs]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Show progress: a bar on a terminal, or lines of JSON
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    progress: Shown,

    #[command(flatten)]
    key: KeyArgs,

    #[command(flatten, next_help_heading = "Files in directories")]
    choice: WalkOptions,
}

impl MatchArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let Some(rules) = self.choice.rules_or_say(speaker, "match") else { return ExitCode::from(2) };
        let Ok(key) = self.key.read(speaker) else { return ExitCode::from(2) };
        let keyed = if key.is_some() { Keyed::Yes } else { Keyed::No };
        let mut known = Known::default();
        let mut failed = false;
        for list in &self.known {
            match read(speaker, &mut known, list, keyed) {
                None => return ExitCode::from(2),
                Some(is_whole) => failed |= !is_whole,
            }
        }
        known.complete();
        let paths = self.paths.iter().map(platform::typed_name).collect();
        let search = Search { paths, rules, jobs: self.jobs, progress: self.progress };
        let lookup = Lookup {
            speaker,
            known: &known,
            args: &self,
            failed: AtomicBool::new(false),
            listed: AtomicBool::new(false),
        };
        let output = Output::new(speaker, Order::Kept).failing_with(2);
        failed |= search.run(speaker, &known.hashes(), key.as_deref(), output, &lookup);
        failed |= lookup.failed.load(Ordering::Relaxed);
        match (failed, lookup.listed.load(Ordering::Relaxed)) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::SUCCESS,
            (false, false) => ExitCode::FAILURE,
        }
    }
}

/// Reads a list. Returns whether all its lines could be read; `None` if it is not a list. Errors were
/// printed.
fn read(speaker: &Speaker, known: &mut Known, list: &OsString, keyed: Keyed) -> Option<bool> {
    let name = if list == "-" { b"standard input" } else { list.as_bytes() };
    let told = |why: &str| say(&speaker.about_file(name, why));
    let input = Input::open(list.as_bytes()).map_err(|error| told(&reason(error))).ok()?;
    let rest = match known.read(input, keyed) {
        Err(Trouble::Io(error)) => {
            told(&io_reason(&error));
            return None;
        }
        Err(Trouble::Format(why)) => {
            told(&format!("not a list of checksums: {why}"));
            return None;
        }
        Ok(rest) if rest.n_files == 0 => {
            told("not a list of checksums: no properly formatted line");
            return None;
        }
        Ok(rest) => rest,
    };
    say_unread_lines(speaker, name, rest.n_malformed, &rest.unsupported);
    Some(rest.n_malformed == 0)
}

struct Lookup<'a> {
    speaker: &'a Speaker,
    known: &'a Known,
    args: &'a MatchArgs,
    failed: AtomicBool,
    /// A file was listed.
    listed: AtomicBool,
}

impl Lookup<'_> {
    /// Returns the line of a file that is known by another name.
    fn line(&self, name: &[u8], known: Option<&[u8]>) -> Vec<u8> {
        match known.filter(|_| self.args.which) {
            _ if self.args.zero => [name, b"\0"].concat(),
            // The mark for escaped names is needed if either name is escaped.
            Some(known) => {
                let names = [&escape(name)[..], b" matches ", &escape(known)].concat();
                let is_plain = names.len() == name.len() + known.len() + b" matches ".len();
                [if is_plain { &b""[..] } else { b"\\" }, &names, b"\n"].concat()
            }
            None => line_with_name(b"", name, b""),
        }
    }
}

impl Reporter<()> for Lookup<'_> {
    fn report(&self, file: &File, _: (), sum: Result<Sum<'_>, Errno>) -> Lines {
        let sum = match sum {
            Ok(sum) => sum,
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                return Lines {
                    err: self.speaker.about_file(&file.name, &reason(error)),
                    ..Lines::default()
                };
            }
        };
        let warning = match sum.change {
            Change::Seen => self.speaker.about_file(&file.name, "changed while it was read"),
            Change::NotSeen => Vec::new(),
        };
        let known = self.known.find(sum.results);
        if known.is_some() == self.args.unknown {
            return Lines { warning, ..Lines::default() };
        }
        self.listed.store(true, Ordering::Relaxed);
        Lines { out: self.line(&file.name, known), warning, ..Lines::default() }
    }
}
