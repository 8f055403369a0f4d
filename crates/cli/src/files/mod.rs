//! Files: where they come from, how they are found, opened and read.
//!
//! | file | holds |
//! |---|---|
//! | `source.rs` | what every source of files offers |
//! | `walk.rs` `listing.rs` | the files of arguments and directories, in order; the names of one directory, in bounded memory |
//! | `directory.rs` | directories that files were found in, and how many stay open |
//! | `file.rs` | a file: where it is, how it is opened, where it ends, whether it changed meanwhile |

mod directory;
mod file;
mod listing;
mod source;
mod walk;

pub(crate) use file::{Change, End, File, Filled, Origin, Stamp, fill, read};
pub(crate) use source::{Entry, Source};
pub(crate) use walk::{Directories, Walk};
