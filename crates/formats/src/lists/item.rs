//! The items of a list, and the errors that end the reading.

use std::io;

use crate::hash::Hash;

/// A file in a list.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: Vec<u8>,
    /// At least one.
    pub sums: Vec<(Hash, Vec<u8>)>,
    /// The next record may be the same file's, by another hash.
    pub may_go_on: bool,
    /// The root that the record names: see [`crate::roots`].
    pub root: Option<Vec<u8>>,
}

/// An item of a list.
#[derive(Debug, PartialEq, Eq)]
pub enum Item {
    /// A file.
    Record(Record),
    /// A root that a comment records: see [`crate::roots`].
    Root(Vec<u8>),
    /// An invalid line, by its number.
    Malformed(u64),
    /// A line of a hash that is not supported: its number, and the hash's name.
    Unsupported(u64, String),
}

/// Why a list is not read to its end.
#[derive(Debug)]
pub enum Trouble {
    /// It cannot be read.
    Io(io::Error),
    /// The content contradicts the first bytes.
    Format(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Io(error)
    }
}
