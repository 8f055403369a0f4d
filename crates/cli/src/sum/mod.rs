//! Manifests: printed, and checked.
//!
//! | file | holds |
//! |---|---|
//! | `request.rs` | the task, from all forms of the command line |
//! | `arguments.rs` | the command line of `hashlanes sum` |
//! | `print.rs` `manifest_format.rs` | every file, in a format |
//! | `printf.rs` | a format of the user's own |
//! | `cache.rs` `cached_files.rs` | results that are kept on disk, and the files that need not be hashed for them |
//! | `recorded_roots.rs` | the comments that record where a manifest was made |
//! | `output_file.rs` `resume.rs` | the file that a manifest goes to; one that an interrupted run began |
//! | `check.rs` | the files of a list, hashed and compared |
//! | `update.rs` | a list after its files changed |
//! | `manifest_writing.rs` | GNU's and BSD's lines |
//! | `round_trips.rs` | tests: lists are read as they were written |

mod arguments;
mod cache;
mod cached_files;
mod check;
mod manifest_format;
mod manifest_writing;
mod output_file;
mod print;
mod printf;
mod recorded_roots;
mod request;
mod resume;
#[cfg(test)]
mod round_trips;
mod update;

pub(crate) use arguments::SumArgs;
pub(crate) use manifest_format::{Form, Format};
pub(crate) use manifest_writing::{LineForm, ReadMode, Text};
pub(crate) use request::{GnuOptions, GnuTask, OnChange, Request, Task};
