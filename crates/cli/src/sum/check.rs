//! `hashlanes sum -c`: the files of a list, hashed and compared.
//!
//! ```text
//!   SHA256 (a) = …   ┐ a section: its files are hashed by SHA-256 and SHA-1 in one read,
//!   SHA1 (a) = …     │ as the lines of the first one show
//!   SHA256 (b) = …   │
//!   SHA1 (b) = …     ┘
//!   SHA512 (c) = …   ┐ another one
//!   SHA512 (d) = …   ┘
//! ```
//!
//! Most lists are one section. Order of things and words are GNU's: a line for each file, messages where they
//! fall, at the end of each list what went wrong in numbers.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use super::request::Request;
use crate::files::{Entry, File, Input, Origin, Source};
use crate::hashing::{self, Counted, Counters, Function, Reporter, Sum, function_of};
use crate::message::{reason, say};
use crate::output::{Lines, Output};
use crate::platform;
use crate::platform::ffi::OsStrExt;
use crate::platform::io::Errno;
use crate::progress;
use crate::verdicts::{CheckOptions, Verdicts};
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::{Dialect, Forms, Item, Record, Records, Trouble};

/// A list with more sections has lines of many hashes in turns; from here on a section has all hashes seen so
/// far, so that there are no more sections than hashes.
const SECTIONS: usize = 8;

/// Checks all lists. Whether each had a good line and all went well.
pub(super) fn check(request: &Request, options: CheckOptions, forms: Forms) -> bool {
    let standard_input = [b"-".to_vec()];
    let lists = if request.files.is_empty() { &standard_input[..] } else { &request.files };
    let keyed = if request.key.is_some() { Keyed::Yes } else { Keyed::No };
    let dialect = || Dialect::new(&request.hashes, keyed, forms);
    let mut all_lists = dialect();
    let mut all_well = true;
    // The lists are opened first: their names do not begin in that directory.
    let mut opened = Vec::new();
    if let Some(directory) = &request.directory {
        opened.extend(lists.iter().rev().map(|list| Input::open(list)));
        if let Err(error) = platform::process::chdir(directory) {
            say(&request.speaker.about_file(directory.as_os_str().as_bytes(), &reason(error)));
            return false;
        }
    }
    for list in lists {
        let input = opened.pop().unwrap_or_else(|| Input::open(list));
        let checking = Checking { request, options, list };
        all_well &= match request.hashes.is_empty() {
            true => checking.run(input, &mut dialect()),
            // Like GNU: the first list's columns bind the others.
            false => checking.run(input, &mut all_lists),
        };
    }
    all_well
}

/// A list to check.
struct Checking<'a> {
    request: &'a Request,
    options: CheckOptions,
    list: &'a [u8],
}

impl Checking<'_> {
    /// Returns whether the list had a good line and all went well.
    fn run(&self, input: Result<Input, Errno>, dialect: &mut Dialect) -> bool {
        let Checking { request, options, list } = *self;
        let speaker = &request.speaker;
        let input = match input {
            Ok(input) => input,
            Err(error) => {
                say(&speaker.about_file(list, &reason(error)));
                return false;
            }
        };
        let is_standard_input = matches!(input, Input::Standard);
        let name = if is_standard_input { b"standard input" } else { list };
        let read_failed = |trouble: &Trouble| {
            let why = match trouble {
                Trouble::Io(_) => "read error".into(),
                Trouble::Format(why) => format!("not a list of checksums: {why}"),
            };
            say(&speaker.about_file(name, &why));
            false
        };
        let records = match Records::new(input, dialect) {
            Ok(records) => records,
            Err(trouble) => return read_failed(&trouble),
        };
        let verdicts = Verdicts::new(speaker, options);
        let change_failed = AtomicBool::new(false);
        let mut source = List {
            records,
            name,
            is_standard_input,
            verdicts: &verdicts,
            ahead: VecDeque::new(),
            section: Vec::new(),
            n_sections: 0,
            well_formed: 0,
            standard_inputs: 0,
            trouble: None,
        };
        let counters = Counters::default();
        // The remaining content of a list is unknown.
        progress::watched(
            request.progress,
            &counters,
            |_| (),
            || {
                while source.begin_section() {
                    let function = function_of(&source.section, request.key.as_deref());
                    let function = Counted { function, counters: &counters };
                    let section = source.section.clone();
                    let comparison = Comparison {
                        request,
                        verdicts: &verdicts,
                        section: &section,
                        change_failed: &change_failed,
                    };
                    self.hash(&function, &mut source, &comparison);
                }
            },
        );
        let hint = source.records.hint();
        let List { well_formed, trouble, .. } = source;
        if let Some(trouble) = trouble {
            return read_failed(&trouble);
        }
        verdicts.conclude(name, well_formed, hint) && !change_failed.into_inner()
    }

    fn hash(&self, function: &dyn Function, source: &mut List<'_, '_>, comparison: &Comparison<'_>) {
        let Request { speaker, order, limits, .. } = self.request;
        let output = Output::new(speaker, *order);
        hashing::run(function, source, comparison, output, self.request.reading(), *limits);
    }
}

/// A list, file by file.
struct List<'d, 'v> {
    records: Records<'d, Input>,
    /// Its name in messages.
    name: &'v [u8],
    is_standard_input: bool,
    verdicts: &'v Verdicts<'v>,
    /// The records already read.
    ahead: VecDeque<Ahead>,
    /// The hashes of this section.
    section: Vec<Hash>,
    n_sections: usize,
    well_formed: u64,
    standard_inputs: u64,
    trouble: Option<Trouble>,
}

/// Records read ahead of their turn.
enum Ahead {
    Said(Lines),
    Record(Record),
}

impl List<'_, '_> {
    /// Reads ahead until the hashes of the next section are known; returns whether there is a section.
    fn begin_section(&mut self) -> bool {
        let mut hashes: Vec<Hash> = Vec::new();
        let mut first: Option<Vec<u8>> = None;
        let mut at = 0;
        // The first file's hashes: of all its lines, where a line has one.
        while let Some(ahead) = self.look_ahead(at) {
            at += 1;
            let Ahead::Record(record) = ahead else { continue };
            if first.as_ref().is_some_and(|name| *name != record.name) {
                break;
            }
            hashes.extend(record.sums.iter().map(|(hash, _)| *hash));
            if !record.may_go_on {
                break;
            }
            first = Some(record.name.clone());
        }
        if self.ahead.is_empty() {
            return false;
        }
        self.n_sections += 1;
        if self.n_sections > SECTIONS {
            hashes.append(&mut self.section);
        }
        hashes.sort_unstable_by_key(|hash| hash.number());
        hashes.dedup();
        self.section = hashes;
        // There are only messages, which need no hash.
        if self.section.is_empty() {
            self.section.push(Hash::Sha256);
        }
        true
    }

    /// Returns the text after that position; `None` if the list ends before.
    fn look_ahead(&mut self, at: usize) -> Option<&Ahead> {
        while self.ahead.len() <= at {
            let ahead = self.read()?;
            self.ahead.push_back(ahead);
        }
        self.ahead.get(at)
    }

    fn take(&mut self) -> Option<Ahead> {
        self.ahead.pop_front().or_else(|| self.read())
    }

    /// Reads a record, or a message in its place.
    fn read(&mut self) -> Option<Ahead> {
        if self.trouble.is_some() {
            return None;
        }
        loop {
            let item = match self.records.next() {
                Ok(item) => item?,
                Err(trouble) => {
                    self.trouble = Some(trouble);
                    return None;
                }
            };
            let malformed = match item {
                // A list on standard input cannot name standard input.
                Item::Record(record) if !(self.is_standard_input && record.name == b"-") => {
                    self.well_formed += 1;
                    return Some(Ahead::Record(record));
                }
                Item::Root(_) => continue,
                Item::Record(_) => self.records.number(),
                Item::Malformed(number) => number,
                Item::Unsupported(number, hash) => {
                    return Some(Ahead::Said(self.verdicts.unsupported(self.name, number, &hash)));
                }
            };
            if let Some(said) = self.verdicts.malformed(self.name, malformed, &self.records.tag()) {
                return Some(Ahead::Said(said));
            }
        }
    }

    /// Adds the digests that the following lines give for the same file, by other hashes of the section.
    fn complete(&mut self, record: &mut Record) {
        while record.may_go_on && record.sums.len() < self.section.len() {
            let has = |hash: Hash| record.sums.iter().any(|(other, _)| *other == hash);
            let goes_on = match self.look_ahead(0) {
                Some(Ahead::Record(next)) => {
                    next.name == record.name && next.sums.iter().all(|(hash, _)| !has(*hash))
                }
                _ => false,
            };
            match goes_on.then(|| self.ahead.pop_front()).flatten() {
                Some(Ahead::Record(next))
                    if next.sums.iter().all(|(hash, _)| self.section.contains(hash)) =>
                {
                    record.sums.extend(next.sums);
                }
                Some(other) => {
                    self.ahead.push_front(other);
                    return;
                }
                None => return,
            }
        }
    }
}

impl Source for List<'_, '_> {
    /// The digests that the list names.
    type Tag = Vec<(Hash, Vec<u8>)>;

    fn next(&mut self) -> Option<Entry<Self::Tag>> {
        let mut record = match self.take()? {
            Ahead::Said(said) => return Some(Entry::Said(said)),
            Ahead::Record(record) => record,
        };
        if !record.sums.iter().all(|(hash, _)| self.section.contains(hash)) {
            self.ahead.push_front(Ahead::Record(record));
            return None;
        }
        self.complete(&mut record);
        let origin = if record.name == b"-" {
            self.standard_inputs += 1;
            Origin::StandardInput(self.standard_inputs - 1)
        } else {
            Origin::Named
        };
        Some(Entry::File(File { name: record.name, origin }, record.sums))
    }

    fn at_most(&self) -> Option<usize> {
        None
    }

    fn next_may_wait(&self) -> bool {
        self.ahead.is_empty() && self.records.next_may_wait()
    }
}

/// The result of a comparison.
struct Comparison<'a> {
    request: &'a Request,
    verdicts: &'a Verdicts<'a>,
    /// The hashes of the results.
    section: &'a [Hash],
    /// A file changed, and that is to count as a failure.
    change_failed: &'a AtomicBool,
}

impl Reporter<Vec<(Hash, Vec<u8>)>> for Comparison<'_> {
    fn report(&self, file: &File, expected: Vec<(Hash, Vec<u8>)>, sum: Result<Sum<'_>, Errno>) -> Lines {
        let sum = match sum {
            Err(error) => return self.verdicts.unreadable(&file.name, error),
            Ok(sum) => sum,
        };
        let is_wrong = |(hash, digest): &&(Hash, Vec<u8>)| {
            let before = self.section.iter().take_while(|other| *other != hash);
            let at: usize = before.map(|hash| hash.digest_bytes()).sum();
            sum.results[at..][..hash.digest_bytes()] != digest[..]
        };
        let lines = match expected.iter().filter(is_wrong).count() {
            0 => self.verdicts.matches(&file.name),
            n => self.verdicts.differs(&file.name, n as u64),
        };
        let warning = self.request.warning(file, sum.change, self.change_failed);
        Lines { warning, ..lines }
    }
}
