//! `hashlanes tree --check`: the files of a list, hashed and compared.
//!
//! A line consists of a result, a blank, a blank or `*`, and a name; a backslash before it marks an escaped
//! name. The messages are those of `sum --check`.

use std::io::BufReader;

use super::arguments::TreeArgs;
use super::hashing::{BATCH, Hashing};
use super::input::Failure;
use crate::files::Input;
use crate::hashing::Counters;
use crate::message::{io_reason, reason, say};
use crate::output::{Lines, Order, Output};
use crate::progress::{self, Shown};
use crate::shared_options::Given;
use crate::verdicts::{CheckOptions, Verbosity, Verdicts};
use hashlanes_formats::encoding::unescape;
use hashlanes_formats::lists::{Line, TextLines};

/// Checks all lists. Whether each had a good line and all went well.
pub(super) fn check(hashing: &Hashing<'_>, args: &TreeArgs, lists: &[Vec<u8>]) -> bool {
    let verbosity = match args {
        TreeArgs { status: true, .. } => Verbosity::Status,
        TreeArgs { quiet: true, .. } => Verbosity::Quiet,
        TreeArgs { warn: true, .. } => Verbosity::Warn,
        _ => Verbosity::Plain,
    };
    let options = CheckOptions {
        verbosity,
        ignore_missing: args.ignore_missing.into(),
        strict: args.strict.into(),
        json: Given::No,
    };
    let mut all_well = true;
    for list in lists {
        all_well &= check_list(hashing, args.progress, options, list);
    }
    all_well
}

fn check_list(hashing: &Hashing<'_>, progress: Shown, options: CheckOptions, list: &[u8]) -> bool {
    let speaker = hashing.speaker;
    let name = if list == b"-" { &b"standard input"[..] } else { list };
    let input = match Input::open(list) {
        Ok(input) => input,
        Err(error) => {
            say(&speaker.about_file(name, &reason(error)));
            return false;
        }
    };
    let verdicts = Verdicts::new(speaker, options);
    let mut files = ListedFiles {
        lines: TextLines::new(BufReader::with_capacity(64 << 10, input)),
        name,
        verdicts: &verdicts,
        well_formed: 0,
        said: Vec::new(),
        failure: None,
    };
    let counters = Counters::default();
    let mut output = Output::new(speaker, Order::Kept);
    let mut number = 0;
    let mut check = || loop {
        // A batch at a time: the list may come from a program that waits for us.
        let batch: Vec<(Vec<u8>, String)> = files.by_ref().take(BATCH).collect();
        files.said.drain(..).for_each(|said| say(&said));
        if batch.is_empty() {
            break;
        }
        hashing.each(&mut batch.into_iter(), &counters, &mut |file, expected, result| {
            let lines = match result {
                Err(Failure::System(error)) => verdicts.unreadable(file, error),
                // The mode has no result for such a file.
                Err(Failure::Message(why)) => {
                    Lines { err: speaker.about_file(file, &why), ..verdicts.differs(file, 1) }
                }
                Ok(found) if is_same(&found, &expected) => verdicts.matches(file),
                Ok(_) => verdicts.differs(file, 1),
            };
            output.deliver(number, lines);
            number += 1;
        });
    };
    // How many files the list names is known when it was read.
    progress::watched(progress, &counters, |_| (), &mut check);
    output.flush();
    let ListedFiles { well_formed, failure, .. } = files;
    if let Some(failure) = failure {
        say(&speaker.about_file(name, &format!("read error: {}", io_reason(&failure))));
        return false;
    }
    verdicts.conclude(name, well_formed, None)
}

/// Returns whether results are equal: hexadecimal digits may be capitals, base64 must be identical.
fn is_same(found: &str, expected: &str) -> bool {
    let is_hex = expected.bytes().all(|byte| byte.is_ascii_hexdigit());
    found == expected || is_hex && found.eq_ignore_ascii_case(expected)
}

/// The files that a list names, with the result that each should have.
struct ListedFiles<'v> {
    lines: TextLines<Input>,
    name: &'v [u8],
    verdicts: &'v Verdicts<'v>,
    well_formed: u64,
    /// Returns the messages about malformed lines.
    said: Vec<Vec<u8>>,
    failure: Option<std::io::Error>,
}

impl Iterator for ListedFiles<'_> {
    type Item = (Vec<u8>, String);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let file = match self.lines.next() {
                Ok(line) => match line? {
                    Line::Is([] | [b'#', ..]) => continue,
                    Line::Is(line) => listed(line),
                    Line::TooLong => None,
                },
                Err(error) => {
                    self.failure = Some(error);
                    return None;
                }
            };
            if file.is_some() {
                self.well_formed += 1;
                return file;
            }
            let said = self.verdicts.malformed(self.name, self.lines.number(), "");
            self.said.extend(said.map(|lines| lines.err));
        }
    }
}

/// Returns the file that a line names, and its result.
fn listed(line: &[u8]) -> Option<(Vec<u8>, String)> {
    let (line, is_escaped) = match line.strip_prefix(b"\\") {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let end = line.iter().position(|&byte| byte == b' ')?;
    let (result, name) = line.split_at(end);
    // `sha256:` and one blank: a line of fsverity's.
    let (result, name) = match result.strip_prefix(b"sha256:").or_else(|| result.strip_prefix(b"sha512:")) {
        Some(digest) => (digest, name.strip_prefix(b" ")?),
        None => (result, name.strip_prefix(b"  ").or_else(|| name.strip_prefix(b" *"))?),
    };
    // Hexadecimal digits, or base64 and a number. The shortest is that of s3-etag, of 32 digits and `-1`.
    let is_result = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-');
    if name.is_empty() || result.len() < 34 || !result.iter().all(is_result) {
        return None;
    }
    let name = if is_escaped { unescape(name)? } else { name.to_vec() };
    Some((name, String::from_utf8(result.to_vec()).ok()?))
}
