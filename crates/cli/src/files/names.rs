//! The names with which a walk begins: those of the command line, or those of a list that is read during the
//! walk, one at a time.
//!
//! In a list each name ends with NUL, the one byte that no name has; the last may go without. `wc`, `du` and
//! `sort` read such lists, and so what they refuse is refused here: an empty name, and `-` in a list that is
//! itself on standard input.

use std::io::{BufRead, BufReader, Read};

use super::input::Input;
use crate::message::{Speaker, io_reason};
use crate::platform::io::Errno;

/// The longest name that is held in memory: the kernel takes 4,095 bytes, and a name cut here it refuses.
const NAME_BYTES: usize = 8 << 10;

/// Names, in order.
pub(crate) enum Names<'a> {
    Given(std::vec::IntoIter<Vec<u8>>),
    Listed(NameList<'a>),
}

/// The next item of a list.
pub(super) enum Name {
    Is(Vec<u8>),
    /// Not a name, but a message in its place.
    Wrong(Vec<u8>),
}

impl<'a> Names<'a> {
    /// Returns the names of a command line; none means standard input.
    pub(crate) fn of_arguments(mut names: Vec<Vec<u8>>) -> Names<'a> {
        if names.is_empty() {
            names.push(b"-".to_vec());
        }
        Names::Given(names.into_iter())
    }

    /// Returns the names that the file `list` holds.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub(crate) fn listed(list: &'a [u8], speaker: &'a Speaker) -> Result<Names<'a>, Errno> {
        let input = Input::open(list)?;
        let is_standard_input = matches!(input, Input::Standard);
        Ok(Names::Listed(NameList {
            speaker,
            name: if is_standard_input { b"standard input" } else { list },
            is_standard_input,
            input: BufReader::with_capacity(64 << 10, input),
            record: 0,
            failed: false,
        }))
    }

    pub(super) fn next(&mut self) -> Option<Name> {
        match self {
            Names::Given(names) => names.next().map(Name::Is),
            Names::Listed(list) => list.next(),
        }
    }

    /// Returns how many there are, if that is known.
    pub(super) fn len(&self) -> Option<usize> {
        match self {
            Names::Given(names) => Some(names.len()),
            Names::Listed(_) => None,
        }
    }

    /// Returns whether `next` may wait for input.
    pub(super) fn next_may_wait(&self) -> bool {
        matches!(self, Names::Listed(list) if !list.input.buffer().contains(&0))
    }
}

pub(crate) struct NameList<'a> {
    speaker: &'a Speaker,
    /// Its name in messages.
    name: &'a [u8],
    is_standard_input: bool,
    input: BufReader<Input>,
    record: u64,
    /// Reading failed: the following bytes might not start a name.
    failed: bool,
}

impl NameList<'_> {
    fn next(&mut self) -> Option<Name> {
        if self.failed {
            return None;
        }
        let mut name = Vec::new();
        let mut read = (&mut self.input).take(NAME_BYTES as u64).read_until(0, &mut name);
        if name.len() == NAME_BYTES && name.last() != Some(&0) {
            read = read.and(self.input.skip_until(0));
        }
        self.record += 1;
        if let Err(error) = read {
            self.failed = true;
            let text = format!("read error: {}", io_reason(&error));
            return Some(Name::Wrong(self.speaker.about_file(self.name, &text)));
        }
        if name.is_empty() {
            return None;
        }
        if name.last() == Some(&0) {
            name.pop();
        }
        Some(match &name[..] {
            b"" => {
                let text = format!("{}: invalid zero-length file name", self.record);
                Name::Wrong(self.speaker.about_file(self.name, &text))
            }
            b"-" if self.is_standard_input => Name::Wrong(
                self.speaker.line("when reading file names from standard input, no file name of '-' allowed"),
            ),
            _ => Name::Is(name),
        })
    }
}
