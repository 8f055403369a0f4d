//! Exit statuses of the signing commands: one for each case that a script must distinguish.

use std::iter;
use std::process::ExitCode;

use crate::help_text::list;

/// The exit status of a command that did not succeed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Status {
    Failed = 1,
    WrongUse = 2,
    Burned = 3,
    Rollback = 4,
    Exhausted = 5,
    Poisoned = 6,
    Damaged = 7,
    Fault = 8,
    /// EX_TEMPFAIL of sysexits.h: the command may be repeated.
    Locked = 75,
    /// 128 and the number of SIGINT, as shells report it.
    Interrupted = 130,
}

impl Status {
    const ALL: [Status; 10] = [
        Status::Failed,
        Status::WrongUse,
        Status::Burned,
        Status::Rollback,
        Status::Exhausted,
        Status::Poisoned,
        Status::Damaged,
        Status::Fault,
        Status::Locked,
        Status::Interrupted,
    ];

    /// Returns the description in help and manual pages.
    fn meaning(self) -> &'static str {
        match self {
            Status::Failed => {
                "a signature is not valid, or a file cannot be read or written; no index was used"
            }
            Status::WrongUse => {
                "the command line is wrong, or a file on it is not a key or a signature; nothing was done"
            }
            Status::Burned => {
                "indices were used without a signature, or standard output could not be written; the message \
                 lists the indices; sign again"
            }
            Status::Rollback => {
                "rollback suspected: the key may be an older copy, which would use an index twice; refused"
            }
            Status::Exhausted => "the key has fewer indices left than requested",
            Status::Poisoned => "the state could not be written with certainty; refused until you inspect it",
            Status::Damaged => {
                "a file of the key is damaged, belongs to another key, or is unsafe: a link, or open to other users"
            }
            Status::Fault => "the machine computes wrongly; nothing was released",
            Status::Locked => "another program uses the key for longer than --wait allows",
            Status::Interrupted => "interrupted",
        }
    }

    pub(super) fn code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }
}

/// Returns the list of all exit statuses, for help and manual pages.
pub(super) fn table() -> String {
    let numbers: Vec<String> = Status::ALL.iter().map(|status| (*status as u8).to_string()).collect();
    let meanings = numbers.iter().zip(Status::ALL).map(|(number, status)| (&number[..], status.meaning()));
    let entries: Vec<_> = iter::once(("0", "done; every signature is valid")).chain(meanings).collect();
    list("Exit status:", &entries)
}
