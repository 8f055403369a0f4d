//! The arguments of `hashlanes sum`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::manifest_format::{Asked, Form, Format};
use super::manifest_writing::{LineForm, ReadMode, Text};
use super::request::{GnuOptions, GnuTask, OnChange, Request, Target, Task};
use crate::digest_lists::{Forms, Verbosity};
use crate::files::Directories;
use crate::hash::{Hash, Keyed};
use crate::hashing::Io;
use crate::hmac_key::KeyArgs;
use crate::limits::Limits;
use crate::message::{Speaker, say};
use crate::output::Order;
use crate::progress::Shown;
use crate::shared_options::WalkOptions;

/// Prints the checksums of files and directory trees, or checks a list of them.
///
/// The lines are those of sha256sum, in the order of the arguments; files found in a directory come
/// depth first, by the bytes of their names. Links found in a directory are neither followed nor
/// listed, hidden files are hashed. A file that changes while it is read gets a warning behind its line. The exit status is
/// 0 if all went well, 1 if something could not be read or did not match, 2 if the command line is wrong.
#[derive(Args)]
#[command(args_override_self = true, mut_group("WalkOptions", |choice| choice.requires("recursive")))]
pub(crate) struct SumArgs {
    /// Files to hash, or lists with --check; none or - is standard input
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,

    /// Hash all files in directories and what is below them
    #[arg(short, long, conflicts_with = "check")]
    recursive: bool,

    /// The hash, or several in one read: sha1, sha224, sha256, sha384, sha512, sha512-224, sha512-256 [default: sha256;
    /// with --check that of the list]
    #[arg(short, long, value_name = "HASH,…", value_parser = hashes)]
    algorithm: Option<Hashes>,

    /// How files are listed; several hashes have bsd, json, ndjson, csv, hashdeep or sri [default: gnu, or bsd]
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["check", "tag"],
          value_parser = PossibleValuesParser::new(Asked::NAMES))]
    format: Option<String>,

    /// Write digests in base64 instead of hexadecimal
    #[arg(long, conflicts_with = "check")]
    base64: bool,

    /// Write the digest's bytes alone, of one file
    #[arg(long, conflicts_with_all = ["check", "tag", "format", "base64", "zero", "recursive"])]
    raw: bool,

    #[command(flatten)]
    key: KeyArgs,

    /// Threads [default: the CPUs this process may use]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Exit with status 1 if a file changed while it was read; else that is a warning
    #[arg(long)]
    fail_on_change: bool,

    /// Read files one by one (read), many at once through io_uring (uring), or as their storage makes it faster (auto)
    #[arg(long, value_name = "WAY", default_value = "auto", value_parser = io_parser())]
    io: Io,

    /// Print each result as it comes, in no order
    #[arg(long)]
    unordered: bool,

    /// Write the manifest to FILE
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    output: Option<PathBuf>,

    /// Go on with --output's FILE, of one hash in format gnu or bsd, where an interrupted run ended: files that it lists and
    /// that were not changed since it was begun are not hashed again
    #[arg(long, requires = "output", conflicts_with_all = ["unordered", "zero", "raw", "base64", "files0_from"])]
    resume: bool,

    /// Keep results in FILE, and hash no file again that was not changed (by device, inode, size, times of change)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "hmac_key_file"])]
    cache: Option<PathBuf>,

    /// Show how far it is: a bar on a terminal, lines of JSON for programs
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

    /// Take the names, each ended by NUL, from FILE instead; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "check", "raw"])]
    files0_from: Option<OsString>,

    #[command(flatten, next_help_heading = RECURSIVE)]
    choice: WalkOptions,

    /// Read checksums from the files and check them
    #[arg(short, long, help_heading = CHECKING)]
    check: bool,

    /// Pass over missing files
    #[arg(long, help_heading = CHECKING)]
    ignore_missing: bool,

    /// Print no OK
    #[arg(long, help_heading = CHECKING, overrides_with_all = ["status", "warn"])]
    quiet: bool,

    /// Print nothing; the exit status tells
    #[arg(long, help_heading = CHECKING, overrides_with_all = ["quiet", "warn"])]
    status: bool,

    /// Fail if a line is improperly formatted
    #[arg(long, help_heading = CHECKING)]
    strict: bool,

    /// Name the lines that are improperly formatted
    #[arg(short, long, help_heading = CHECKING, overrides_with_all = ["quiet", "status"])]
    warn: bool,
}

const RECURSIVE: &str = "With --recursive, of what is found in directories";
const CHECKING: &str = "Checking";

/// Hashes by name, in the order in which they are asked for.
#[derive(Clone)]
struct Hashes(Vec<Hash>);

fn hashes(typed: &str) -> Result<Hashes, String> {
    let mut hashes: Vec<Hash> = Vec::new();
    for name in typed.split(',') {
        let known = || Hash::ALL.map(Hash::name).join(", ");
        let hash =
            Hash::named(name).ok_or_else(|| format!("there is no hash {name:?}; there is {}", known()))?;
        if hashes.contains(&hash) {
            return Err(format!("{name} twice"));
        }
        hashes.push(hash);
    }
    Ok(Hashes(hashes))
}

fn io_parser() -> impl TypedValueParser<Value = Io> {
    PossibleValuesParser::new(["auto", "read", "uring"]).map(|name| match &name[..] {
        "read" => Io::Read,
        "uring" => Io::Uring,
        _ => Io::Auto,
    })
}

impl SumArgs {
    /// Does what is asked.
    pub(crate) fn run(self, speaker: Speaker) -> ExitCode {
        let wrong = |speaker: &Speaker, words: &str, status: u8| {
            say(&[speaker.line(words), speaker.try_help(" sum")].concat());
            ExitCode::from(status)
        };
        let Ok(key) = self.key.read(&speaker) else { return ExitCode::from(2) };
        let keyed = if key.is_some() { Keyed::Yes } else { Keyed::No };
        let task = match self.gnu_options().task() {
            Err(words) => return wrong(&speaker, words, 1),
            Ok(GnuTask::Check(options)) => Task::Check(options, Forms::All),
            Ok(GnuTask::Print(lines)) => match self.form(lines, keyed) {
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
            files: self.paths.into_iter().map(OsString::into_vec).collect(),
            names_from: self.files0_from.map(OsString::into_vec),
        }
        .run()
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

    /// What becomes of directories, or why that is not to be had.
    fn directories(&self) -> Result<Directories, String> {
        if !self.recursive {
            return Ok(Directories::Refuse);
        }
        Ok(Directories::Walk(Box::new(self.choice.rules()?)))
    }

    /// What is printed of files, or why that does not go together.
    fn form(&self, lines: LineForm, keyed: Keyed) -> Result<Form, String> {
        let hashes = self.algorithm.as_ref().map_or_else(|| vec![Hash::Sha256], |hashes| hashes.0.clone());
        if self.raw {
            if self.paths.len() > 1 || hashes.len() > 1 {
                return Err("--raw is for one file and one hash: there would be no telling them apart".into());
            }
            return Ok(Form { format: Format::Raw, hashes, keyed });
        }
        let is_tagged = self.tag || hashes.len() > 1;
        let format = self.format.as_deref().unwrap_or(if is_tagged { "bsd" } else { "gnu" });
        if self.zero && !matches!(format, "gnu" | "bsd") {
            return Err(format!("--zero is for gnu and bsd, not for {format}"));
        }
        let text = if self.base64 { Text::Base64 } else { Text::Hex };
        let tag = (format == "bsd").into();
        if self.resume && (hashes.len() > 1 || !matches!(format, "gnu" | "bsd")) {
            return Err("--resume goes on with lines of one hash (gnu, bsd)".into());
        }
        Asked { format, lines: LineForm { tag, text, ..lines }, hashes, keyed }.form()
    }
}
