//! Errors of the signing commands: message and exit status; and the report that a key was changed, which may
//! fail.

use std::path::{Path, PathBuf};

use hashlanes::hbs::store::{Class, Error};

use crate::message::{Speaker, reason, say};
use crate::output::{Lines, Order, Output};
use crate::platform::ffi::OsStrExt;
use crate::signing::exit_status::Status;
use hashlanes_formats::encoding::escape;

/// Why a command did not complete its task.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: Status,
    /// The file or directory of the error.
    pub(super) path: PathBuf,
    pub(super) words: String,
}

impl Refusal {
    pub(super) fn new(status: Status, path: &Path, words: impl Into<String>) -> Self {
        Self { status, path: path.to_owned(), words: words.into() }
    }

    /// Creates the error for the key in a directory: the library's message, and advice.
    pub(super) fn of_key(directory: &Path, error: &Error) -> Self {
        let mut words = match error {
            Error::Unfinished(_) => "the generation of its key is not finished".into(),
            _ => error.to_string(),
        };
        // The library's message begins with the path if the path is wrong.
        if let Some(rest) = words.strip_prefix(&format!("{}: ", directory.display())) {
            words = rest.into();
        }
        if let Error::Damaged { file, .. } = error
            && file.ends_with("/public.pem")
        {
            let path = directory.display();
            words.push_str(&format!(
                "; remove it, and write it again: `hashlanes key export-public {path} --output {file}`"
            ));
        }
        if let Some(advice) = advice(error) {
            words.push_str("; ");
            words.push_str(advice);
        }
        Self { status: status(error), path: directory.to_owned(), words }
    }

    pub(super) fn say(&self, speaker: &Speaker) {
        use crate::platform::ffi::OsStrExt;
        say(&speaker.about_file(self.path.as_os_str().as_bytes(), &self.words));
    }
}

fn status(error: &Error) -> Status {
    match error.class() {
        Class::Locked => Status::Locked,
        Class::Rollback => Status::Rollback,
        Class::Exhausted => Status::Exhausted,
        Class::Burned => Status::Burned,
        Class::Poisoned => Status::Poisoned,
        Class::Fault => Status::Fault,
        Class::Damaged => Status::Damaged,
        Class::WrongUse => Status::WrongUse,
        // No index was used; errors that are added later count as failures.
        _ => Status::Failed,
    }
}

/// The command that helps.
fn advice(error: &Error) -> Option<&'static str> {
    match error {
        Error::Locked { .. } => Some("--wait SECONDS waits longer"),
        Error::RolledBack { .. } | Error::Moved { .. } | Error::WitnessBehind { .. } | Error::PoisonedKey => {
            Some("see `hashlanes key adopt --help`")
        }
        Error::Unfinished(_) => Some("`hashlanes keygen --resume --out DIR` continues it"),
        Error::NoEvidence(_) => Some("`--witness PATH` names one"),
        Error::NoKey(_) => Some("`hashlanes keygen` makes one"),
        Error::IndexUsed { .. } => Some("nothing was changed"),
        _ => None,
    }
}

/// Indices, as people write them: from the first to the last.
pub(super) fn indices(first: u64, end: u64) -> String {
    match end.saturating_sub(first) {
        0 => "no index".into(),
        1 => format!("index {first}"),
        _ => format!("indices {first} to {}", end - 1),
    }
}

/// Prints `DIR: text` about a key that was changed.
///
/// # Errors
/// If standard output cannot be written. The key is changed nevertheless, and the error reports it.
pub(super) fn print_about(speaker: &Speaker, path: &Path, text: &str) -> Result<(), Refusal> {
    let name = escape(path.as_os_str().as_bytes());
    let mut output = Output::new(speaker, Order::Kept).dropping_unwritten();
    let out = [&name[..], b": ", text.as_bytes(), b"\n"].concat();
    output.deliver(0, Lines { out, ..Lines::default() });
    output.flush();
    output.unwritten().map_or(Ok(()), |error| {
        let words = format!("{text} (done, but standard output cannot be written: {})", reason(error));
        Err(Refusal::new(Status::Burned, path, words))
    })
}
