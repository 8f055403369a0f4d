//! `hashlanes tree --check`: the files of a list, hashed and compared.
//!
//! A line is a result, a blank, a blank or `*`, a name; a backslash before it says that the name is escaped. The words are those
//! of `sum --check`.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use rustix::io::Errno;

use super::arguments::TreeArgs;
use super::input::{Failure, Input};
use super::{BATCH, Hashing};
use crate::escape::{escape, unescape};
use crate::hashing::Counters;
use crate::message::{reason, say};
use crate::output::{Lines, Order, Output};

/// The longest line that is held in memory; what is longer names no file.
const LINE_BYTES: u64 = 1 << 20;

/// Checks all lists. Whether each had a good line and all went well.
pub(super) fn check(hashing: &Hashing<'_>, args: &TreeArgs, lists: &[Vec<u8>]) -> bool {
    let mut all_well = true;
    for list in lists {
        all_well &= check_list(hashing, args, list);
    }
    all_well
}

fn check_list(hashing: &Hashing<'_>, args: &TreeArgs, list: &[u8]) -> bool {
    let speaker = hashing.speaker;
    let name = if list == b"-" { &b"standard input"[..] } else { list };
    let input = match Input::open(list) {
        Ok(input) => input,
        Err(failure) => {
            say(&speaker.about_file(name, &failure.text()));
            return false;
        }
    };
    let mut counts = Counts::default();
    let mut lines = ListedFiles {
        lines: BufReader::with_capacity(64 << 10, Bytes(input)),
        n_lines: 0,
        well_formed: 0,
        malformed: 0,
        named: Vec::new(),
        failure: None,
    };
    let counters = Counters::default();
    let mut output = Output::new(speaker, Order::Kept);
    let mut number = 0;
    loop {
        // A batch at a time: the list may come from a program that waits for us.
        let batch: Vec<(Vec<u8>, String)> = lines.by_ref().take(BATCH).collect();
        for number in lines.named.drain(..).filter(|_| args.warn) {
            say(&speaker.about_file(name, &format!("{number}: improperly formatted line")));
        }
        if batch.is_empty() {
            break;
        }
        hashing.each(&mut batch.into_iter(), &counters, &mut |file, expected, result| {
            let (words, err) = match result {
                Err(Failure::System(Errno::NOENT)) if args.ignore_missing => return,
                Err(Failure::System(error)) => {
                    counts.unreadable += 1;
                    ("FAILED open or read", speaker.about_file(file, &reason(error)))
                }
                // The mode has no result for such a file.
                Err(Failure::Said(why)) => {
                    counts.mismatched += 1;
                    ("FAILED", speaker.about_file(file, &why))
                }
                Ok(found) if is_same(&found, &expected) => {
                    counts.matched += 1;
                    ("OK", Vec::new())
                }
                Ok(_) => {
                    counts.mismatched += 1;
                    ("FAILED", Vec::new())
                }
            };
            let is_silent = args.status || args.quiet && words == "OK";
            let out = if is_silent { Vec::new() } else { verdict(file, words) };
            output.deliver(number, Lines { err, out, ..Lines::default() });
            number += 1;
        });
    }
    output.flush();
    if let Some(failure) = lines.failure {
        say(&speaker.about_file(name, &failure.text()));
        return false;
    }
    counts.malformed = lines.malformed;
    if lines.well_formed == 0 {
        say(&speaker.about_file(name, "no properly formatted lines found"));
        return false;
    }
    if !args.status {
        counts.warn(hashing);
    }
    if args.ignore_missing && counts.matched == 0 && !args.status {
        say(&speaker.about_file(name, "no file was verified"));
    }
    let strictly_formed = counts.malformed == 0 || !args.strict;
    counts.matched > 0 && counts.mismatched == 0 && counts.unreadable == 0 && strictly_formed
}

/// Whether results are the same: hexadecimal digits may be capitals, base64 is what it is.
fn is_same(found: &str, expected: &str) -> bool {
    let is_hex = expected.bytes().all(|byte| byte.is_ascii_hexdigit());
    found == expected || is_hex && found.eq_ignore_ascii_case(expected)
}

fn verdict(name: &[u8], words: &str) -> Vec<u8> {
    let (mark, shown) = match name.contains(&b'\n') {
        true => (&b"\\"[..], escape(name)),
        false => (&b""[..], Cow::Borrowed(name)),
    };
    [mark, &shown, b": ", words.as_bytes(), b"\n"].concat()
}

#[derive(Default)]
struct Counts {
    matched: u64,
    mismatched: u64,
    unreadable: u64,
    malformed: u64,
}

impl Counts {
    fn warn(&self, hashing: &Hashing<'_>) {
        for (n, one, several) in [
            (self.malformed, "line is improperly formatted", "lines are improperly formatted"),
            (self.unreadable, "listed file could not be read", "listed files could not be read"),
            (self.mismatched, "computed result did NOT match", "computed results did NOT match"),
        ] {
            if n > 0 {
                let words = if n == 1 { one } else { several };
                say(&hashing.speaker.line(&format!("WARNING: {n} {words}")));
            }
        }
    }
}

/// The files that a list names, with the result that each should have.
struct ListedFiles {
    lines: BufReader<Bytes>,
    n_lines: u64,
    well_formed: u64,
    malformed: u64,
    /// The lines that are malformed since they were last told.
    named: Vec<u64>,
    failure: Option<Failure>,
}

impl Iterator for ListedFiles {
    type Item = (Vec<u8>, String);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut line = Vec::new();
            if let Err(error) = (&mut self.lines).take(LINE_BYTES).read_until(b'\n', &mut line) {
                self.failure = Some(Failure::said(error));
                return None;
            }
            if line.is_empty() {
                return None;
            }
            self.n_lines += 1;
            let is_whole = line.last() == Some(&b'\n') || (line.len() as u64) < LINE_BYTES;
            if !is_whole {
                let _ = self.lines.skip_until(b'\n');
            }
            while matches!(line.last(), Some(b'\n' | b'\r')) {
                line.pop();
            }
            if line.is_empty() || line[0] == b'#' {
                continue;
            }
            match listed(&line).filter(|_| is_whole) {
                Some(file) => {
                    self.well_formed += 1;
                    return Some(file);
                }
                None => {
                    self.malformed += 1;
                    self.named.push(self.n_lines);
                }
            }
        }
    }
}

/// The file that a line names, and its result.
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
    // Hexadecimal digits, or base64 and a number.
    let is_result = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-');
    if name.is_empty() || result.len() < 40 || !result.iter().all(is_result) {
        return None;
    }
    let name = if is_escaped { unescape(name)? } else { name.to_vec() };
    Some((name, String::from_utf8(result.to_vec()).ok()?))
}

/// A list's bytes.
struct Bytes(Input);

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer).map_err(|failure| std::io::Error::other(failure.text()))
    }
}
