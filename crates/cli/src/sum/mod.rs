//! Manifests: printed, and checked.
//!
//! | file | holds |
//! |---|---|
//! | `request.rs` | what is asked, whichever way it was asked |
//! | `print.rs` | a line for each file |
//! | `check.rs` | the files of a list, hashed and compared |
//! | `lines.rs` | the lines of manifests: written, and read back |

mod check;
mod lines;
mod print;
mod request;

pub(crate) use lines::{Given, ReadMode};
pub(crate) use request::{GnuOptions, Request, Verbosity};
