//! What stands in a list, and why it may not be read to its end.

use std::io;

use crate::hash::Hash;

/// A file in a list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: Vec<u8>,
    /// At least one.
    pub(crate) sums: Vec<(Hash, Vec<u8>)>,
    /// The next record may be the same file's, by another hash.
    pub(crate) may_go_on: bool,
}

/// What stands in a list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Record(Record),
    /// A line that is none, by its number.
    Malformed(u64),
}

/// Why a list is not read to its end.
#[derive(Debug)]
pub(crate) enum Trouble {
    Io(io::Error),
    /// It is not what its first bytes say.
    Format(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Io(error)
    }
}
