//! Messages on standard error: who speaks, about what, why.
//!
//! The texts are GNU's if GNU's tools have them. A message is one line, `speaker: file: reason`; file names
//! are quoted as GNU quotes them ([`crate::quote`]), so a message is one line for any name.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

use crate::platform;
use crate::platform::io::Errno;
use crate::quote::{Charset, quote_for_message};

/// The name under which the program speaks, and the character set of its messages.
pub(crate) struct Speaker {
    name: Vec<u8>,
    charset: Charset,
}

impl Speaker {
    pub(crate) fn new(name: &[u8]) -> Speaker {
        Speaker { name: name.to_vec(), charset: Charset::of_environment() }
    }

    /// `name: text`
    pub(crate) fn line(&self, text: &str) -> Vec<u8> {
        [&self.name, &b": "[..], text.as_bytes(), b"\n"].concat()
    }

    /// `name: file: text`
    pub(crate) fn about_file(&self, file: &[u8], text: &str) -> Vec<u8> {
        let file = quote_for_message(file, self.charset);
        [&self.name, &b": "[..], &file, b": ", text.as_bytes(), b"\n"].concat()
    }

    /// `name: list: file: text`, of a file in a list
    pub(crate) fn about_listed(&self, list: &[u8], file: &[u8], text: &str) -> Vec<u8> {
        let [list, file] = [list, file].map(|name| quote_for_message(name, self.charset));
        [&self.name, &b": "[..], &list, b": ", &file, b": ", text.as_bytes(), b"\n"].concat()
    }

    /// Writes `name: ` followed by unchanged bytes (a wrong option is shown as typed).
    pub(crate) fn raw_line(&self, text: &[u8]) -> Vec<u8> {
        [&self.name, &b": "[..], text, b"\n"].concat()
    }

    /// `Try 'name --help' for more information.`
    pub(crate) fn try_help(&self, command: &str) -> Vec<u8> {
        [b"Try '", &self.name[..], command.as_bytes(), b" --help' for more information.\n"].concat()
    }
}

/// Returns the system's words for an error, without the number that the standard library adds.
pub(crate) fn reason(error: Errno) -> String {
    let mut text = platform::words(error);
    if let Some(words) = text.strip_suffix(&format!(" (os error {})", error.raw_os_error())) {
        text.truncate(words.len());
    }
    text
}

/// The same for an error of the standard library, which may have words of its own.
pub(crate) fn io_reason(error: &io::Error) -> String {
    Errno::from_io_error(error).map_or_else(|| error.to_string(), reason)
}

/// Writes to standard error. Errors are ignored, because they could not be reported. A progress bar makes
/// room.
pub(crate) fn say(text: &[u8]) {
    let write = || {
        let _ = io::stderr().write_all(text);
    };
    match &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// The bar in the last line of standard error's terminal.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Reports the lines of a list that are no entries: the unsupported hashes, and the number of lines.
pub(crate) fn say_unread_lines(speaker: &Speaker, list: &[u8], n: u64, unsupported: &BTreeSet<String>) {
    if !unsupported.is_empty() {
        let hashes = Vec::from_iter(unsupported.iter().map(String::as_str)).join(", ");
        say(&speaker.about_file(list, &format!("not supported: {hashes}")));
    }
    if n > 0 {
        let lines = if n == 1 { "line is" } else { "lines are" };
        let text = format!("WARNING: {n} {lines} improperly formatted, or of another hash");
        say(&speaker.about_file(list, &text));
    }
}

/// Messages are written around this bar from now on; `None` ends that.
pub(crate) fn make_room_for(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}
