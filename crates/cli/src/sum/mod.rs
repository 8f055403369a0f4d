//! Manifests: printed, and checked.
//!
//! | file | holds |
//! |---|---|
//! | `request.rs` | what is asked, whichever way it was asked |
//! | `arguments.rs` | the command line of `hashlanes sum` |
//! | `print.rs` `format.rs` | every file, as a format has it |
//! | `check.rs` | the files of a list, hashed and compared |
//! | `lines.rs` | GNU's and BSD's lines: written, and read back |

mod arguments;
mod check;
mod format;
mod lines;
mod print;
mod request;

pub(crate) use arguments::SumArgs;
pub(crate) use lines::{Given, ReadMode};
pub(crate) use request::{GnuOptions, OnChange, Request, Verbosity};
