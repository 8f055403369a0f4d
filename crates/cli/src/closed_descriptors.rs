//! Standard descriptors that were closed when the program began.
//!
//! The standard library opens /dev/null in place of each closed descriptor before `main`, so that no other
//! file gets its number. But then results would be lost silently, and a missing input would look empty. GNU's
//! tools report an error and exit with status 1. A descriptor that is /dev/null proves nothing, because many
//! callers pass it on purpose. So the question is asked before the standard library acts.
//!
//! # Safety
//! The system's loader calls the functions in `.init_array` once, on the only thread, before `main`. `look`
//! has no arguments (it ignores those of the loader), makes three system calls that change nothing, and
//! writes an atomic. It uses nothing of the standard library.
#![allow(unsafe_code)] // Argued above.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::platform::io::Errno;

/// A bit for each.
static CLOSED: AtomicU8 = AtomicU8::new(0);
const STDIN: u8 = 1;
const STDOUT: u8 = 2;

#[cfg(target_os = "linux")]
#[used]
// SAFETY: A pointer to a function, as the section holds; see above.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    use crate::platform::io::fcntl_getfd;
    use crate::platform::stdio::{stdin, stdout};

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
