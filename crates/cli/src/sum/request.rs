//! A request to the program, from either command line.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::manifest_format::{Form, Format};
use super::manifest_writing::{LineForm, ReadMode, Text};
use crate::files::{Change, Directories, File};
use crate::hashing::{Changes, Io, Reading};
use crate::limits::Limits;
use crate::message::Speaker;
use crate::output::Order;
use crate::progress::Shown;
use crate::shared_options::Given;
use crate::verdicts::{CheckOptions, Verbosity};
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::Forms;

/// A manifest to print, or lists to check.
pub(crate) struct Request {
    pub(crate) speaker: Speaker,
    /// The hashes, in the order of the results.
    pub(crate) hashes: Vec<Hash>,
    /// The key of HMACs.
    pub(crate) key: Option<Vec<u8>>,
    pub(crate) task: Task,
    pub(crate) directories: Directories,
    pub(crate) order: Order,
    pub(crate) limits: Limits,
    pub(crate) progress: Shown,
    /// The file that keeps results of unchanged files.
    pub(crate) cache: Option<PathBuf>,
    /// The destination of the manifest instead of standard output.
    pub(crate) output: Option<Target>,
    pub(crate) io: Io,
    pub(crate) on_change: OnChange,
    /// Names as given; none means standard input.
    pub(crate) files: Vec<Vec<u8>>,
    /// The list that has the names instead.
    pub(crate) names_from: Option<Vec<u8>>,
    /// Where the files of lists to check are.
    pub(crate) directory: Option<PathBuf>,
}

/// A file for a manifest.
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    /// The lines of an interrupted run are kept.
    pub(crate) resume: Given,
}

/// The consequence of a file that changes while it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OnChange {
    /// No base directory, as in GNU's tools.
    Nothing,
    Warning,
    /// A warning, and the status of a failure.
    Failure,
}

impl Request {
    /// The method of reading files.
    pub(super) fn reading(&self) -> Reading {
        let changes =
            if self.on_change == OnChange::Nothing { Changes::NotWatched } else { Changes::Watched };
        Reading { io: self.io, changes }
    }

    /// Returns the message about a file's change; sets `failed` if it counts as a failure.
    pub(super) fn warning(&self, file: &File, change: Change, failed: &AtomicBool) -> Vec<u8> {
        if change == Change::NotSeen || self.on_change == OnChange::Nothing {
            return Vec::new();
        }
        if self.on_change == OnChange::Failure {
            failed.store(true, Ordering::Relaxed);
        }
        self.speaker.about_file(&file.name, "changed while it was read")
    }
}

pub(crate) enum Task {
    Print(Form),
    Check(CheckOptions, Forms),
}

/// The options that GNU's tools have, as given, before it is known whether they agree.
#[derive(Default)]
pub(crate) struct GnuOptions {
    pub(crate) check: Given,
    pub(crate) tag: Given,
    pub(crate) zero: Given,
    pub(crate) mode: Option<ReadMode>,
    pub(crate) verbosity: Verbosity,
    pub(crate) ignore_missing: Given,
    pub(crate) strict: Given,
}

impl GnuOptions {
    /// Returns the task, or GNU's words for why the options make none. Of several reasons the first in GNU's
    /// order.
    pub(crate) fn task(self) -> Result<GnuTask, &'static str> {
        let check = self.check == Given::Yes;
        let wrong = [
            (
                self.tag == Given::Yes && self.mode == Some(ReadMode::Text),
                "--tag does not support --text mode",
            ),
            (self.zero == Given::Yes && check, "the --zero option is not supported when verifying checksums"),
            (self.tag == Given::Yes && check, "the --tag option is meaningless when verifying checksums"),
            (
                self.mode.is_some() && check,
                "the --binary and --text options are meaningless when verifying checksums",
            ),
            (
                self.ignore_missing == Given::Yes && !check,
                "the --ignore-missing option is meaningful only when verifying checksums",
            ),
            (
                self.verbosity == Verbosity::Status && !check,
                "the --status option is meaningful only when verifying checksums",
            ),
            (
                self.verbosity == Verbosity::Warn && !check,
                "the --warn option is meaningful only when verifying checksums",
            ),
            (
                self.verbosity == Verbosity::Quiet && !check,
                "the --quiet option is meaningful only when verifying checksums",
            ),
            (
                self.strict == Given::Yes && !check,
                "the --strict option is meaningful only when verifying checksums",
            ),
        ];
        if let Some((_, words)) = wrong.iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(words);
        }
        Ok(if check {
            GnuTask::Check(CheckOptions {
                verbosity: self.verbosity,
                ignore_missing: self.ignore_missing,
                strict: self.strict,
                json: Given::No,
            })
        } else {
            GnuTask::Print(LineForm {
                tag: self.tag,
                zero: self.zero,
                mode: self.mode.unwrap_or(ReadMode::Text),
                text: Text::Hex,
            })
        })
    }
}

/// The task that GNU's options request.
pub(crate) enum GnuTask {
    Print(LineForm),
    Check(CheckOptions),
}

impl GnuTask {
    /// Returns the task with one hash, like GNU's tools.
    pub(crate) fn of(self, hash: Hash) -> Task {
        match self {
            GnuTask::Print(lines) => {
                Task::Print(Form { format: Format::Lines(lines), hashes: vec![hash], keyed: Keyed::No })
            }
            GnuTask::Check(options) => Task::Check(options, Forms::Gnu),
        }
    }
}
