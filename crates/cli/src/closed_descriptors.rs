//! Standard descriptors that were closed when the program began.
//!
//! The standard library opens /dev/null in the place of each before `main`, so that no file comes to stand there by chance. But
//! results that go nowhere are lost, and an input that is not there is no empty one: GNU's tools say so, and exit with 1. To
//! be /dev/null tells nothing, as many callers mean it. So it is asked before the library does what it does.
//!
//! # Safety
//! The system's loader calls what it finds in `.init_array` once, on the only thread there is, before `main`; `look` takes no
//! arguments (of those that the loader gives none is read), makes three system calls that change nothing, and writes an atomic. It
//! uses nothing of the standard library.
#![allow(unsafe_code)] // Argued above.

use std::sync::atomic::{AtomicU8, Ordering};

use rustix::io::{Errno, fcntl_getfd};
use rustix::stdio::{stdin, stdout};

/// A bit for each.
static CLOSED: AtomicU8 = AtomicU8::new(0);
const STDIN: u8 = 1;
const STDOUT: u8 = 2;

#[cfg(target_os = "linux")]
#[used]
// SAFETY: A pointer to a function, as the section holds; see above.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "elsewhere nobody calls it"))]
extern "C" fn look() {
    let mut closed = 0;
    for (bit, fd) in [(STDIN, stdin()), (STDOUT, stdout())] {
        if fcntl_getfd(fd) == Err(Errno::BADF) {
            closed |= bit;
        }
    }
    CLOSED.store(closed, Ordering::Relaxed);
}

/// # Errors
/// Standard input was closed.
pub(crate) fn standard_input() -> Result<(), Errno> {
    check(STDIN)
}

/// # Errors
/// Standard output was closed.
pub(crate) fn standard_output() -> Result<(), Errno> {
    check(STDOUT)
}

fn check(bit: u8) -> Result<(), Errno> {
    if CLOSED.load(Ordering::Relaxed) & bit == 0 { Ok(()) } else { Err(Errno::BADF) }
}
