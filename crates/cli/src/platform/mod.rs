//! The system's calls, by one interface: that of `rustix` for Unix, and the part of it that the program uses
//! for Windows.
//!
//! | | Linux | macOS, FreeBSD | Windows |
//! |---|---|---|---|
//! | directories are walked by | open directories | open directories | paths |
//! | a new file has | no name until it is whole | a hidden name | a hidden name |
//! | a change is seen by | size, both times | size, both times | size, time of the last write |
//! | reading many files | plain calls, `io_uring` | plain calls | plain calls |
//! | signing keys ([`ABSENT`]) | yes | yes | no |

#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use limits::*;
#[cfg(unix)]
pub(crate) use signals::{Signals, end_as};
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
