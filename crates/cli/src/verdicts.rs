//! Messages about the files of a list that were checked, and about the list.
//!
//! Order of things and words are GNU's: a line for each file, at the end of each list what went wrong in
//! numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};

use crate::message::{Speaker, reason, say};
use crate::output::Lines;
use crate::platform::io::Errno;
use crate::shared_options::Given;
use hashlanes_formats::encoding::{insert_name, line_with_name};

/// The amount of output of a check. The last of the options wins, as in GNU's tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Verbosity {
    #[default]
    Plain,
    /// No output for files that are right.
    Quiet,
    /// No output; the exit status is the result.
    Status,
    /// Also which lines of a list are malformed.
    Warn,
}

/// The verbosity and tolerance of a check.
#[derive(Clone, Copy)]
pub(crate) struct CheckOptions {
    pub(crate) verbosity: Verbosity,
    /// A missing file is not a failure.
    pub(crate) ignore_missing: Given,
    /// A malformed line is a failure.
    pub(crate) strict: Given,
    /// Verdicts are JSON objects.
    pub(crate) json: Given,
}

/// The files of a list that were compared so far.
pub(crate) struct Verdicts<'a> {
    speaker: &'a Speaker,
    options: CheckOptions,
    matched: AtomicU64,
    mismatched: AtomicU64,
    unreadable: AtomicU64,
    malformed: AtomicU64,
    unsupported: AtomicU64,
}

impl<'a> Verdicts<'a> {
    pub(crate) fn new(speaker: &'a Speaker, options: CheckOptions) -> Self {
        let none = || AtomicU64::new(0);
        let (matched, mismatched, unreadable) = (none(), none(), none());
        let (malformed, unsupported) = (none(), none());
        Verdicts { speaker, options, matched, mismatched, unreadable, malformed, unsupported }
    }

    /// Returns the output for a file whose digests match.
    pub(crate) fn matches(&self, name: &[u8]) -> Lines {
        self.matched.fetch_add(1, Ordering::Relaxed);
        let is_said = self.options.verbosity != Verbosity::Quiet;
        Lines { out: if is_said { self.line(name, "OK") } else { Vec::new() }, ..Lines::default() }
    }

    /// Returns the output for a file with this number of wrong digests.
    pub(crate) fn differs(&self, name: &[u8], n_digests: u64) -> Lines {
        self.mismatched.fetch_add(n_digests, Ordering::Relaxed);
        Lines { out: self.line(name, "FAILED"), ..Lines::default() }
    }

    /// Returns the output for a file that could not be read.
    pub(crate) fn unreadable(&self, name: &[u8], error: Errno) -> Lines {
        if error == Errno::NOENT && self.options.ignore_missing == Given::Yes {
            return Lines::default();
        }
        self.unreadable.fetch_add(1, Ordering::Relaxed);
        Lines {
            err: self.speaker.about_file(name, &reason(error)),
            out: self.line(name, "FAILED open or read"),
            ..Lines::default()
        }
    }

    /// Reports an invalid line by its number in its list; `tag` is the expected hash and a blank, if known.
    pub(crate) fn malformed(&self, list: &[u8], number: u64, tag: &str) -> Option<Lines> {
        self.malformed.fetch_add(1, Ordering::Relaxed);
        let text = format!("{number}: improperly formatted {tag}checksum line");
        (self.options.verbosity == Verbosity::Warn)
            .then(|| Lines { err: self.speaker.about_file(list, &text), ..Lines::default() })
    }

    /// Reports a line of a hash that is not supported. Its file is not checked, which is a failure.
    pub(crate) fn unsupported(&self, list: &[u8], number: u64, hash: &str) -> Lines {
        self.unsupported.fetch_add(1, Ordering::Relaxed);
        if self.options.verbosity == Verbosity::Status {
            return Lines::default();
        }
        let text = format!("{number}: not checked: {hash} is not supported");
        Lines { err: self.speaker.about_file(list, &text), ..Lines::default() }
    }

    fn line(&self, name: &[u8], words: &str) -> Vec<u8> {
        if self.options.verbosity == Verbosity::Status {
            return Vec::new();
        }
        if self.options.json == Given::Yes {
            let verdict = match words {
                "OK" => "ok",
                "FAILED" => "failed",
                _ => "unreadable",
            };
            let mut object = Map::new();
            insert_name(&mut object, "name", name);
            object.insert("verdict".into(), verdict.into());
            return format!("{}\n", Value::from(object)).into_bytes();
        }
        line_with_name(b"", name, &[b": ", words.as_bytes()].concat())
    }

    /// Prints the faults of a list with a number of good lines, and possible reasons if no digest was right.
    /// Returns whether there were no faults.
    pub(crate) fn conclude(self, list: &[u8], well_formed: u64, hint: Option<&str>) -> bool {
        let [matched, mismatched, unreadable, malformed, unsupported] =
            [self.matched, self.mismatched, self.unreadable, self.malformed, self.unsupported]
                .map(AtomicU64::into_inner);
        if well_formed == 0 {
            say(&self.speaker.about_file(list, "no properly formatted checksum lines found"));
        } else if self.options.verbosity != Verbosity::Status {
            for (n, one, several) in [
                (malformed, "line is improperly formatted", "lines are improperly formatted"),
                (unreadable, "listed file could not be read", "listed files could not be read"),
                (mismatched, "computed checksum did NOT match", "computed checksums did NOT match"),
            ] {
                if n > 0 {
                    let words = if n == 1 { one } else { several };
                    say(&self.speaker.line(&format!("WARNING: {n} {words}")));
                }
            }
            if self.options.ignore_missing == Given::Yes && matched == 0 {
                say(&self.speaker.about_file(list, "no file was verified"));
            }
        }
        let nothing_fits = matched == 0 && (mismatched > 0 || well_formed == 0);
        if let Some(hint) = hint.filter(|_| nothing_fits && self.options.verbosity != Verbosity::Status) {
            say(&self.speaker.about_file(list, hint));
        }
        let strictly_formed = malformed == 0 || self.options.strict == Given::No;
        matched > 0 && mismatched == 0 && unreadable == 0 && unsupported == 0 && strictly_formed
    }
}
