//! The arguments of `hashlanes sum`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};

use super::manifest_format::{Asked, Form, Format};
use super::manifest_writing::{LineForm, ReadMode, Text};
use super::printf::Template;
use super::request::{GnuOptions, GnuTask, OnChange, Request, Target, Task};
use super::update::{Changed, update};
use crate::audit::AuditArgs;
use crate::files::Directories;
use crate::hashing::Io;
use crate::help_text::list;
use crate::hmac_key::KeyArgs;
use crate::limits::Limits;
use crate::message::{Speaker, say};
use crate::output::Order;
use crate::platform;
use crate::platform::ffi::OsStringExt;
use crate::progress::Shown;
use crate::shared_options::{Hashes, WalkOptions, hash, hashes};
use crate::verdicts::{CheckOptions, Verbosity};
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::Forms;

/// Prints the checksums of files and directory trees, or checks a list of them.
///
/// The lines are those of sha256sum, in the order of the arguments. Files of a directory are listed depth
/// first, in the order of the bytes of their names. Links in directories are neither followed nor listed;
/// hidden files are hashed. A file that changes while it is read is reported with a warning.
///
/// Exit status: 0 if all files were read and all checks passed, 1 if not, 2 if the command line is wrong (1
/// if sha256sum refuses it, too, such as --quiet without --check).
#[derive(Args)]
#[command(
    override_usage = "hashlanes sum [OPTIONS] [PATH]...\n       hashlanes sum --check [OPTIONS] [LIST]..."
)]
#[command(after_help = list("Examples:", &[
    ("hashlanes sum -r photos > SHA256SUMS", "Hash a directory tree"),
    ("hashlanes sum -c SHA256SUMS", "Check the files of a list"),
    ("hashlanes sum -c SHA256SUMS -C copy", "Check the same files in another directory"),
    ("hashlanes sum -a sha512,sha1 --format json a.iso", "Compute several hashes in one read"),
    (r"hashlanes sum -r photos --printf '%s %x %p\n'", "Print the size, the digest and the name of each file"),
    ("hashlanes sum -r photos -o SUMS --resume", "Write a list, or continue one after an interruption"),
    ("hashlanes sum -r --gitignore . --cache sums.cache", "Hash only files that changed since the last run"),
    ("hashlanes sum --update SHA256SUMS", "Add the lines of new files, and remove those of missing files"),
]))]
#[command(args_override_self = true, mut_group("WalkOptions", |choice| choice.requires("walk")))]
#[command(group = ArgGroup::new("walk").args(["recursive", "update"]))]
pub(crate) struct SumArgs {
    /// Files to hash, or lists with --check [default: standard input, also named -]
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,

    /// Hash all files in directories, recursively
    #[arg(short, long, conflicts_with = "check")]
    recursive: bool,

    /// Compare the files with LIST, of one hash in format gnu or bsd, and write it anew: with lines of new
    /// files, without those of missing files. The PATHs are searched [default: the directories of LIST, as
    /// `hashlanes audit` does]
    #[arg(long, value_name = "LIST", conflicts_with_all = ["recursive", "check", "format", "base64", "raw",
          "no_names", "output", "cache", "tag", "zero", "binary", "text", "files0_from", "unordered"])]
    update: Option<OsString>,

    /// With --update, record the new digests of changed files instead of reporting them
    #[arg(long)]
    accept_changes: bool,

    /// One hash or several: sha1, sha224, sha256, sha384, sha512, sha512-224, sha512-256; one file at a time
    /// also md5, blake2b, blake2b-BITS, sm3, sha3-224, sha3-256, sha3-384, sha3-512 [default: sha256; with
    /// --check and --update, the hashes of the list]
    #[arg(short, long, value_name = "HASH,…", value_parser = hashes)]
    algorithm: Option<Hashes>,

    /// Format of the list; for several hashes bsd, json, ndjson, csv, hashdeep or sri [default: gnu, for
    /// several hashes bsd]
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["check", "tag"],
          value_parser = PossibleValuesParser::new(Asked::NAMES))]
    format: Option<String>,

    /// Write digests in base64 instead of hexadecimal
    #[arg(long, conflicts_with = "check")]
    base64: bool,

    /// Write only the bytes of the digest, for one file
    #[arg(long, conflicts_with_all = ["check", "tag", "format", "base64", "zero", "recursive"])]
    raw: bool,

    /// Write only digests, without the names of the files
    #[arg(long, conflicts_with_all = ["check", "tag", "format", "raw", "resume"])]
    no_names: bool,

    /// Print FORMAT for each file instead of a line: %p name, %f name without directories, %h directory, %s
    /// size in bytes, %x digest, %b digest in base64, %{HASH}, %{HASH:upper} or %{HASH:base64} digest of that
    /// hash, %% percent sign; \n, \r, \t, \0 and \\ as in C. Names are not escaped, and no newline is added
    #[arg(long, value_name = "FORMAT", allow_hyphen_values = true, conflicts_with_all = ["check", "tag", "format",
          "base64", "raw", "no_names", "zero", "binary", "text", "resume", "update"])]
    printf: Option<OsString>,

    #[command(flatten)]
    key: KeyArgs,

    /// Number of threads [default: all CPUs]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Exit with status 1 if a file changes while it is read, instead of a warning
    #[arg(long)]
    fail_on_change: bool,

    /// Read files one by one (read), many at once through io_uring (uring), or by whichever is faster (auto)
    #[arg(long, value_name = "WAY", default_value = "auto", value_parser = io_parser())]
    io: Io,

    /// Print each result as soon as it is available
    #[arg(long)]
    unordered: bool,

    /// Write the list to FILE
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    output: Option<PathBuf>,

    /// Continue an interrupted run with the same --output FILE: files that it lists and that did not change
    /// are not hashed again. For one hash, in format gnu or bsd
    #[arg(long, conflicts_with_all = ["unordered", "zero", "raw", "base64"])]
    resume: bool,

    /// Keep results in FILE, and skip files whose device, inode, size and times did not change
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "hmac_key_file"])]
    cache: Option<PathBuf>,

    /// Show progress: a bar on a terminal, or lines of JSON
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", num_args = 1)]
    progress: Shown,

    /// Print BSD-style lines
    #[arg(long)]
    tag: bool,

    /// End lines with NUL and leave file names unescaped
    #[arg(short, long)]
    zero: bool,

    /// Mark the files as read in binary mode (*)
    #[arg(short, long, overrides_with = "text")]
    binary: bool,

    /// Mark the files as read in text mode (default)
    #[arg(short, long, overrides_with = "binary")]
    text: bool,

    /// Read the names of files from FILE, each ended by NUL; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "check", "raw"])]
    files0_from: Option<OsString>,

    #[command(flatten, next_help_heading = RECURSIVE)]
    choice: WalkOptions,

    /// Read lists from the files and check them
    #[arg(short, long, help_heading = CHECKING)]
    check: bool,

    /// Read the listed files from DIR, also with --update; the lists themselves are named as without this
    /// option
    #[arg(short = 'C', long, value_name = "DIR", help_heading = CHECKING)]
    directory: Option<PathBuf>,

    /// Print a JSON object for each file, with its name and verdict: ok, failed or unreadable
    #[arg(long, help_heading = CHECKING)]
    json: bool,

    /// Skip missing files
    #[arg(long, help_heading = CHECKING)]
    ignore_missing: bool,

    /// Do not print OK for each file
    #[arg(long, help_heading = CHECKING, overrides_with_all = ["status", "warn"])]
    quiet: bool,

    /// Print nothing; report by the exit status
    #[arg(long, help_heading = CHECKING, overrides_with_all = ["quiet", "warn"])]
    status: bool,

    /// Fail if a line is improperly formatted
    #[arg(long, help_heading = CHECKING)]
    strict: bool,

    /// Report improperly formatted lines
    #[arg(short, long, help_heading = CHECKING, overrides_with_all = ["quiet", "status"])]
    warn: bool,
}

const RECURSIVE: &str = "Files in directories, with --recursive";
const CHECKING: &str = "Checking";

fn io_parser() -> impl TypedValueParser<Value = Io> {
    PossibleValuesParser::new(["auto", "read", "uring"]).map(|name| match &name[..] {
        "read" => Io::Read,
        "uring" => Io::Uring,
        _ => Io::Auto,
    })
}

impl SumArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: Speaker) -> ExitCode {
        let wrong = |speaker: &Speaker, words: &str, status: u8| {
            say(&[speaker.line(words), speaker.try_help(" sum")].concat());
            ExitCode::from(status)
        };
        if let Some(words) = self.misplaced() {
            return wrong(&speaker, words, 2);
        }
        let gnu_task = match self.gnu_options().task() {
            Ok(task) => task,
            Err(words) => return wrong(&speaker, words, 1),
        };
        if let Some(manifest) = self.update {
            let changed = if self.accept_changes { Changed::Recorded } else { Changed::Reported };
            let SumArgs { paths, jobs, progress, key, choice, directory, algorithm, .. } = self;
            let audit = AuditArgs {
                manifest,
                paths,
                directory,
                algorithm,
                jobs,
                json: false,
                quiet: false,
                progress,
                key,
                choice,
            };
            return update(&audit, &speaker, changed);
        }
        let Ok(key) = self.key.read(&speaker) else { return ExitCode::from(2) };
        let keyed = if key.is_some() { Keyed::Yes } else { Keyed::No };
        let task = match gnu_task {
            GnuTask::Check(options) => {
                Task::Check(CheckOptions { json: self.json.into(), ..options }, Forms::All)
            }
            GnuTask::Print(lines) => match self.form(lines, keyed) {
                Ok(form) => Task::Print(form),
                Err(words) => return wrong(&speaker, &words, 2),
            },
        };
        let directories = match self.directories() {
            Ok(directories) => directories,
            Err(words) => return wrong(&speaker, &words, 2),
        };
        let hashes = match &task {
            Task::Print(form) => form.hashes.clone(),
            Task::Check(..) => self.algorithm.as_ref().map(|hashes| hashes.0.clone()).unwrap_or_default(),
        };
        if let Some(hash) = hashes.iter().find(|hash| keyed == Keyed::Yes && !Hash::FAST.contains(hash)) {
            return wrong(&speaker, &format!("HMACs of {} are not supported", hash.name()), 2);
        }
        if let Err(why) = self.io.check() {
            say(&speaker.line(&format!("--io=uring: {why}")));
            return ExitCode::from(2);
        }
        Request {
            speaker,
            hashes,
            key,
            task,
            directories,
            order: if self.unordered { Order::Any } else { Order::Kept },
            limits: Limits::of_process(self.jobs.map(NonZeroUsize::get)),
            progress: self.progress,
            cache: self.cache,
            output: self.output.map(|path| Target { path, resume: self.resume.into() }),
            io: self.io,
            on_change: if self.fail_on_change { OnChange::Failure } else { OnChange::Warning },
            files: self.paths.iter().map(platform::typed_name).collect(),
            names_from: self.files0_from.map(OsString::into_vec),
            directory: self.directory,
        }
        .run()
    }

    /// Returns what is wrong if an option stands without one that it needs. (By `requires`, clap accepts that
    /// where the other one conflicts with a third.)
    fn misplaced(&self) -> Option<&'static str> {
        let (checks, updates) = (self.check, self.update.is_some());
        let wrong = [
            (self.directory.is_some() && !checks && !updates, "--directory is for --check and --update"),
            (self.json && !checks, "--json is for --check; lists in JSON are made by --format json"),
            (self.accept_changes && !updates, "--accept-changes is for --update"),
            (self.resume && self.output.is_none(), "--resume is for --output FILE"),
        ];
        wrong.iter().find(|(is_wrong, _)| *is_wrong).map(|(_, words)| *words)
    }

    fn gnu_options(&self) -> GnuOptions {
        GnuOptions {
            check: self.check.into(),
            tag: self.tag.into(),
            zero: self.zero.into(),
            mode: match (self.binary, self.text) {
                (true, _) => Some(ReadMode::Binary),
                (_, true) => Some(ReadMode::Text),
                _ => None,
            },
            verbosity: match self {
                SumArgs { quiet: true, .. } => Verbosity::Quiet,
                SumArgs { status: true, .. } => Verbosity::Status,
                SumArgs { warn: true, .. } => Verbosity::Warn,
                _ => Verbosity::Plain,
            },
            ignore_missing: self.ignore_missing.into(),
            strict: self.strict.into(),
        }
    }

    /// Returns how directories are treated.
    ///
    /// # Errors
    /// If a glob is invalid.
    fn directories(&self) -> Result<Directories, String> {
        if !self.recursive {
            return Ok(Directories::Refuse);
        }
        Ok(Directories::Walk(Box::new(self.choice.rules()?)))
    }

    /// Returns the form of `--printf`. Without `--algorithm`, the hashes are those that the format names.
    ///
    /// # Errors
    /// If the format is wrong.
    fn printf_form(&self, typed: &[u8], keyed: Keyed) -> Result<Form, String> {
        let template = Template::parse(typed, hash).map_err(|error| format!("--printf: {error}"))?;
        let mut hashes = self.algorithm.as_ref().map_or_else(Vec::new, |hashes| hashes.0.clone());
        template.add_hashes(&mut hashes);
        if hashes.is_empty() {
            hashes.push(Hash::Sha256);
        }
        Ok(Form { format: Format::Printf(template), hashes, keyed })
    }

    /// Returns the form of the lines.
    ///
    /// # Errors
    /// If options contradict each other.
    fn form(&self, lines: LineForm, keyed: Keyed) -> Result<Form, String> {
        if let Some(typed) = &self.printf {
            return self.printf_form(typed.as_encoded_bytes(), keyed);
        }
        let hashes = self.algorithm.as_ref().map_or_else(|| vec![Hash::Sha256], |hashes| hashes.0.clone());
        if self.raw {
            if self.paths.len() > 1 || hashes.len() > 1 {
                return Err("--raw is for one file and one hash".into());
            }
            return Ok(Form { format: Format::Raw, hashes, keyed });
        }
        if self.no_names {
            let text = if self.base64 { Text::Base64 } else { Text::Hex };
            return Ok(Form { format: Format::Digests(LineForm { text, ..lines }), hashes, keyed });
        }
        let is_tagged = self.tag || hashes.len() > 1;
        let format = self.format.as_deref().unwrap_or(if is_tagged { "bsd" } else { "gnu" });
        if self.zero && !matches!(format, "gnu" | "bsd") {
            return Err(format!("--zero is for the formats gnu and bsd, not {format}"));
        }
        let text = if self.base64 { Text::Base64 } else { Text::Hex };
        let tag = (format == "bsd").into();
        if self.resume && (hashes.len() > 1 || !matches!(format, "gnu" | "bsd")) {
            return Err("--resume is for one hash in the formats gnu and bsd".into());
        }
        Asked { format, lines: LineForm { tag, text, ..lines }, hashes, keyed }.form()
    }
}
