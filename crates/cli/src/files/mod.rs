//! Files: where they come from, how they are found, opened and read.
//!
//! | file | holds |
//! |---|---|
//! | `source.rs` | what every source of files offers |
//! | `names.rs` `input.rs` | the names that it begins with; what lists are read from |
//! | `walk.rs` `listing.rs` | the files of arguments and directories, in order; the names of one directory, in bounded memory |
//! | `rules.rs` `globs.rs` `ignore_files.rs` | what becomes of what is found: by its kind, by globs, by .gitignore and its kin |
//! | `directory.rs` | directories that files were found in, and how many stay open |
//! | `file.rs` | a file: where it is, how it is opened, where it ends, whether it changed meanwhile |
//! | `identity.rs` | what tells a file from all others |

mod directory;
mod file;
mod globs;
mod identity;
mod ignore_files;
mod input;
mod listing;
mod names;
mod rules;
mod source;
mod walk;

pub(crate) use file::{Change, End, File, Filled, Origin, Stamp, fill, read};
pub(crate) use globs::Globs;
pub(crate) use identity::Identity;
pub(crate) use input::Input;
pub(crate) use names::Names;
pub(crate) use rules::{FileSystems, Heed, Links, Rules, Special};
pub(crate) use source::{Entry, Source};
pub(crate) use walk::{Directories, Walk};
