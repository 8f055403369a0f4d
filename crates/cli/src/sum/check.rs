//! `hashlanes sum -c`: the files of a list, hashed and compared.
//!
//! Order of things and words are GNU's: a line for each file, messages where they fall, at the end of
//! each list what went wrong in numbers.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::io::Errno;

use super::format::Keyed;
use super::lines::{Given, LineReader, Listed};
use super::request::{CheckOptions, Request, Verbosity};
use crate::escape::escape;
use crate::files::{Entry, File, Input, Origin, Source};
use crate::hash::Hash;
use crate::hashing::{self, Counted, Counters, Reporter, Sum, function_of};
use crate::message::{Speaker, reason, say};
use crate::output::{Lines, Output};
use crate::progress;

/// The longest line that is held in memory. A name that the kernel takes has at most 4,095 bytes; what is
/// longer than this is no line of any list.
const LINE_BYTES: u64 = 1 << 20;

/// Checks all lists. Whether each had a good line and all went well.
pub(super) fn check(request: &Request, options: &CheckOptions) -> bool {
    let standard_input = [b"-".to_vec()];
    let lists = if request.files.is_empty() { &standard_input[..] } else { &request.files };
    // Of one hash, one reader for all lists: as with GNU, the first list's columns bind the others.
    let mut readers = Readers::new(request, options);
    let mut all_well = true;
    for list in lists {
        if request.hashes.is_empty() {
            readers = Readers::new(request, options);
        }
        all_well &= check_list(request, options, list, &mut readers);
    }
    all_well
}

fn check_list(request: &Request, options: &CheckOptions, list: &[u8], readers: &mut Readers) -> bool {
    let speaker = &request.speaker;
    let input = match Input::open(list) {
        Ok(input) => input,
        Err(error) => {
            say(&speaker.about_file(list, &reason(error)));
            return false;
        }
    };
    let name = if matches!(input, Input::Standard) { &b"standard input"[..] } else { list };
    let mut source = List {
        is_standard_input: matches!(input, Input::Standard),
        lines: BufReader::with_capacity(64 << 10, input),
        line: Vec::new(),
        ahead: VecDeque::new(),
        name,
        speaker,
        warn: options.verbosity == Verbosity::Warn,
        readers,
        line_number: 0,
        well_formed: 0,
        malformed: 0,
        standard_inputs: 0,
        read_failed: false,
    };
    if source.readers.known.len() > 1 {
        source.look_ahead();
    }
    let counters = Counters::default();
    let function = function_of(&[source.readers.hash()], request.key.as_deref());
    let function = Counted { function, counters: &counters };
    let comparison = Comparison {
        request,
        speaker,
        options,
        any_matched: AtomicBool::new(false),
        mismatched: AtomicU64::new(0),
        unreadable: AtomicU64::new(0),
        change_failed: AtomicBool::new(false),
    };
    let output = Output::new(speaker, request.order);
    // What a list still holds is not known.
    progress::watched(
        request.progress,
        &counters,
        |_| (),
        || {
            hashing::run(&function, &mut source, &comparison, output, request.reading(), request.limits);
        },
    );
    let (well_formed, malformed) = (source.well_formed, source.malformed);
    if source.read_failed {
        say(&speaker.about_file(name, "read error"));
        return false;
    }
    comparison.conclude(name, well_formed, malformed)
}

/// Readers of the hashes that a list may be of: one is left when a line has told.
struct Readers {
    known: Vec<(Hash, LineReader)>,
}

impl Readers {
    fn new(request: &Request, options: &CheckOptions) -> Readers {
        let hashes = if request.hashes.is_empty() { &Hash::BY_USE[..] } else { &request.hashes };
        let keyed = if request.key.is_some() { Keyed::Yes } else { Keyed::No };
        let reader = |hash: Hash| LineReader::new(keyed.tag(hash), hash.digest_bytes(), options.accepts);
        Readers { known: hashes.iter().map(|hash| (*hash, reader(*hash))).collect() }
    }

    fn hash(&self) -> Hash {
        self.known[0].0
    }

    /// See [`LineReader::read`].
    fn read(&mut self, line: &[u8]) -> Option<Listed> {
        if let [(_, reader)] = &mut self.known[..] {
            return reader.read(line);
        }
        let known = std::mem::take(&mut self.known);
        let mut passed = Vec::new();
        for (hash, mut reader) in known {
            let listed = reader.read(line);
            passed.push((hash, reader));
            if listed.is_some() {
                self.known = passed.split_off(passed.len() - 1);
                return listed;
            }
        }
        self.known = passed;
        None
    }

    /// The line's hash in messages, and a blank behind it; nothing if it is not known.
    fn tag(&self) -> String {
        if let [(_, reader)] = &self.known[..] { format!("{} ", reader.tag()) } else { String::new() }
    }
}

/// A list, line by line.
struct List<'a> {
    lines: BufReader<Input>,
    line: Vec<u8>,
    is_standard_input: bool,
    /// Its name in messages.
    name: &'a [u8],
    /// What was read to know the hash.
    ahead: VecDeque<Entry<Vec<u8>>>,
    speaker: &'a Speaker,
    /// Whether to name malformed lines.
    warn: bool,
    readers: &'a mut Readers,
    line_number: u64,
    well_formed: u64,
    malformed: u64,
    standard_inputs: u64,
    read_failed: bool,
}

impl List<'_> {
    /// Reads a line, without its end. `None` at the end of the list. Of a line too long for memory nothing
    /// is kept but that it is malformed: a NUL.
    fn next_line(&mut self) -> Option<()> {
        self.line.clear();
        let result = (&mut self.lines).take(LINE_BYTES).read_until(b'\n', &mut self.line);
        self.read_failed |= result.is_err();
        if self.line.is_empty() {
            return None;
        }
        self.line_number += 1;
        if self.line.len() as u64 == LINE_BYTES && self.line.last() != Some(&b'\n') {
            self.read_failed |= self.lines.skip_until(b'\n').is_err();
            self.line = vec![0];
        }
        // A comment is one by its first byte, whatever its end.
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Some(())
    }

    fn malformed_line(&mut self) -> Option<Entry<Vec<u8>>> {
        self.malformed += 1;
        if !self.warn {
            return None;
        }
        let text = format!("{}: improperly formatted {}checksum line", self.line_number, self.readers.tag());
        Some(Entry::Said(Lines { err: self.speaker.about_file(self.name, &text), ..Lines::default() }))
    }
}

impl List<'_> {
    /// Reads until a line tells of which hash the list is.
    fn look_ahead(&mut self) {
        while let Some(entry) = self.next_entry() {
            let is_file = matches!(entry, Entry::File(..));
            self.ahead.push_back(entry);
            if is_file {
                return;
            }
        }
    }

    fn next_entry(&mut self) -> Option<Entry<Vec<u8>>> {
        loop {
            self.next_line()?;
            if self.line.is_empty() || self.line[0] == b'#' {
                continue;
            }
            let listed = self.readers.read(&self.line);
            // A list on standard input cannot name standard input.
            let Some(listed) = listed.filter(|l| !(self.is_standard_input && l.name == b"-")) else {
                if let Some(said) = self.malformed_line() {
                    return Some(said);
                }
                continue;
            };
            self.well_formed += 1;
            let origin = if listed.name == b"-" {
                self.standard_inputs += 1;
                Origin::StandardInput(self.standard_inputs - 1)
            } else {
                Origin::Named
            };
            return Some(Entry::File(File { name: listed.name, origin }, listed.digest));
        }
    }
}

impl Source for List<'_> {
    /// The digest that the list names.
    type Tag = Vec<u8>;

    fn next(&mut self) -> Option<Entry<Vec<u8>>> {
        self.ahead.pop_front().or_else(|| self.next_entry())
    }

    fn at_most(&self) -> Option<usize> {
        None
    }

    fn next_may_wait(&self) -> bool {
        self.ahead.is_empty() && !self.lines.buffer().contains(&b'\n')
    }
}

/// What comes out of comparing.
struct Comparison<'a> {
    request: &'a Request,
    speaker: &'a Speaker,
    options: &'a CheckOptions,
    any_matched: AtomicBool,
    mismatched: AtomicU64,
    unreadable: AtomicU64,
    /// A file changed, and that is to count as a failure.
    change_failed: AtomicBool,
}

impl Reporter<Vec<u8>> for Comparison<'_> {
    fn report(&self, file: &File, expected: Vec<u8>, sum: Result<Sum<'_>, Errno>) -> Lines {
        match sum {
            Err(Errno::NOENT) if self.options.ignore_missing == Given::Yes => Lines::default(),
            Err(error) => {
                self.unreadable.fetch_add(1, Ordering::Relaxed);
                Lines {
                    err: self.speaker.about_file(&file.name, &reason(error)),
                    out: self.verdict(&file.name, "FAILED open or read"),
                    ..Lines::default()
                }
            }
            Ok(sum) => {
                let out = if sum.results == expected {
                    self.any_matched.store(true, Ordering::Relaxed);
                    let quiet = self.options.verbosity == Verbosity::Quiet;
                    if quiet { Vec::new() } else { self.verdict(&file.name, "OK") }
                } else {
                    self.mismatched.fetch_add(1, Ordering::Relaxed);
                    self.verdict(&file.name, "FAILED")
                };
                let warning = self.request.warning(file, sum.change, &self.change_failed);
                Lines { out, warning, ..Lines::default() }
            }
        }
    }
}

impl Comparison<'_> {
    fn verdict(&self, name: &[u8], words: &str) -> Vec<u8> {
        if self.options.verbosity == Verbosity::Status {
            return Vec::new();
        }
        // Unlike in a manifest, only a newline makes GNU escape a name here.
        let (mark, shown) = match name.contains(&b'\n') {
            true => (&b"\\"[..], escape(name)),
            false => (&b""[..], Cow::Borrowed(name)),
        };
        [mark, &shown, b": ", words.as_bytes(), b"\n"].concat()
    }

    /// Says what went wrong with a list; whether nothing did.
    fn conclude(self, list: &[u8], well_formed: u64, malformed: u64) -> bool {
        let any_matched = self.any_matched.into_inner();
        let (mismatched, unreadable) = (self.mismatched.into_inner(), self.unreadable.into_inner());
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
            if self.options.ignore_missing == Given::Yes && !any_matched {
                say(&self.speaker.about_file(list, "no file was verified"));
            }
        }
        let strictly_formed = malformed == 0 || self.options.strict == Given::No;
        let steady = !self.change_failed.into_inner();
        any_matched && mismatched == 0 && unreadable == 0 && strictly_formed && steady
    }
}
