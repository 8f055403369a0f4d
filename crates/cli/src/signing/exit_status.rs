//! With which status the commands of signatures end: what a script must tell apart has a number of its own.

use std::process::ExitCode;

/// How a command ended, if not as it was asked to.
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
    /// EX_TEMPFAIL of sysexits.h: to be tried again.
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

    /// What it means, as the manual has it.
    fn meaning(self) -> &'static str {
        // Lines that a terminal of 80 columns shows whole, also in a manual page.
        match self {
            Status::Failed => {
                "a signature is not valid, or a file cannot be read or\nwritten; no index was used up"
            }
            Status::WrongUse => {
                "the command line is wrong, or a file that it names is no key\nor signature; nothing was done"
            }
            Status::Burned => {
                "indices were used up that have no signature: sign again; or\nstandard output could not be told what was done; the message\ntells which indices"
            }
            Status::Rollback => {
                "rollback suspected: the key may be an older copy, and would\nuse an index twice; refused"
            }
            Status::Exhausted => "the key has no index left, or fewer than are asked for",
            Status::Poisoned => "the state could not be written for certain; refused until\nit is looked at",
            Status::Damaged => {
                "a file of the key is damaged, another key's, or not safe to\nuse: a link, open to others"
            }
            Status::Fault => "the machine computes wrongly, or is made to; nothing was\nreleased",
            Status::Locked => "another program has the key, for longer than --wait allows",
            Status::Interrupted => "interrupted",
        }
    }

    pub(super) fn code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }
}

/// The table of all, for help and manual pages.
pub(super) fn table() -> String {
    let mut text = String::from("Exit status:\n    0  done; every signature is valid\n");
    for status in Status::ALL {
        let meaning = status.meaning().replace('\n', "\n       ");
        text.push_str(&format!("  {:>3}  {meaning}\n", status as u8));
    }
    text
}
