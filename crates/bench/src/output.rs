//! Results on standard output. Who reads them may go (`hashlanes-bench list | head -1`), and a disk may be full: both end
//! the program, without a panic.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};

/// Writes to standard output, or ends the program.
pub(crate) fn write(text: Arguments<'_>) {
    let mut stdout = stdout().lock();
    if let Err(error) = stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("hashlanes-bench: standard output: {error}");
        }
        std::process::exit(1);
    }
}

/// As `print!`.
macro_rules! out {
    ($($text:tt)*) => { $crate::output::write(format_args!($($text)*)) };
}

/// As `println!`.
macro_rules! outln {
    ($($text:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($text)*))) };
}
