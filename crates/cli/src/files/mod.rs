//! Files: where they come from, how they are found, opened and read.
//!
//! A [`Source`] offers files: the walk, lists and arguments do.
//!
//! | file | holds |
//! |---|---|
//! | `names.rs` `input.rs` | the names that it begins with; what lists are read from |
//! | `walk.rs` `listing.rs` | the files of arguments and directories, in order; the names of one directory, in bounded memory |
//! | `rules.rs` `globs.rs` `ignore_files.rs` | rules for found files: by type, by globs, by .gitignore and the like |
//! | `directory.rs` | directories that files were found in, and how many stay open |
//! | `long_paths.rs` | calls with paths of any length |
//! | `file.rs` | a file: its place, its opening, its end, changes meanwhile, its identity |

mod directory;
mod file;
mod globs;
mod ignore_files;
mod input;
mod listing;
pub(crate) mod long_paths;
mod names;
mod rules;
mod walk;

pub(crate) use file::{Change, End, File, Filled, Identity, Origin, Stamp, fill, read};
pub(crate) use globs::Globs;
pub(crate) use input::Input;
pub(crate) use names::Names;
pub(crate) use rules::{FileSystems, Heed, Links, Rules, Sizes, Special};
pub(crate) use walk::{Directories, Walk};

use crate::output::Lines;

/// The source of files, in order. `Tag` is the source's data for a file in addition to its name.
pub(crate) trait Source: Send {
    type Tag: Send;

    /// Returns the next entry; after `None` it is not asked again.
    fn next(&mut self) -> Option<Entry<Self::Tag>>;

    /// Returns how many entries there are at most, if that is known.
    fn at_most(&self) -> Option<usize>;

    /// Returns whether `next` may wait for input.
    fn next_may_wait(&self) -> bool;
}

/// An entry of a source: a file, or a message at this place of the results.
pub(crate) enum Entry<T> {
    File(File, T),
    Said(Lines),
}
