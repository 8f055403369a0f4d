//! What is asked of the program, whichever way it was asked.

use super::lines::{Given, LineForm, ReadMode};
use crate::files::Directories;
use crate::hash::Hash;
use crate::limits::Limits;
use crate::message::Speaker;
use crate::output::Order;

/// A manifest to print, or lists to check.
pub(crate) struct Request {
    pub(crate) speaker: Speaker,
    pub(crate) hash: Hash,
    pub(crate) task: Task,
    pub(crate) directories: Directories,
    pub(crate) order: Order,
    pub(crate) limits: Limits,
    /// Names as given; none means standard input.
    pub(crate) files: Vec<Vec<u8>>,
}

pub(crate) enum Task {
    Print(LineForm),
    Check(CheckOptions),
}

/// How much a check says. The last of the options wins, as in GNU's tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Verbosity {
    #[default]
    Plain,
    /// Nothing about files that are right.
    Quiet,
    /// Nothing at all; the exit status tells.
    Status,
    /// Also which lines of a list are malformed.
    Warn,
}

pub(crate) struct CheckOptions {
    pub(crate) verbosity: Verbosity,
    /// A missing file is no failure.
    pub(crate) ignore_missing: Given,
    /// A malformed line is a failure.
    pub(crate) strict: Given,
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
    /// The task, or GNU's words for why the options make none. Of several reasons the first in GNU's order.
    pub(crate) fn task(self) -> Result<Task, &'static str> {
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
            Task::Check(CheckOptions {
                verbosity: self.verbosity,
                ignore_missing: self.ignore_missing,
                strict: self.strict,
            })
        } else {
            Task::Print(LineForm {
                tag: self.tag,
                zero: self.zero,
                mode: self.mode.unwrap_or(ReadMode::Text),
            })
        })
    }
}
