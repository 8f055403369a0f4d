//! Options that lead to no request: a wrong one, or one that asks for a text.

use std::process::ExitCode;

use crate::message::{Speaker, say};
use crate::output;

/// Why the options do not lead to a request.
pub(super) enum Stop {
    /// Wrong options, in getopt's words or the tool's; the help is suggested.
    Usage(Vec<u8>),
    /// Lines of messages.
    Wrong(Vec<String>),
    /// A text was requested instead.
    Print(String),
}

impl From<Vec<u8>> for Stop {
    fn from(words: Vec<u8>) -> Stop {
        Stop::Usage(words)
    }
}

impl Stop {
    /// Prints the messages or the text.
    pub(super) fn run(self, speaker: &Speaker) -> ExitCode {
        match self {
            Stop::Usage(words) => {
                say(&[speaker.raw_line(&words), speaker.try_help("")].concat());
                ExitCode::FAILURE
            }
            Stop::Wrong(lines) => {
                lines.iter().for_each(|line| say(&speaker.line(line)));
                ExitCode::FAILURE
            }
            Stop::Print(text) => output::print_text(speaker, &text),
        }
    }
}
