//! Terminals: what a program writes to one is read at its other side.

use std::fs::File;
use std::io::Read;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A terminal of so many rows and columns: the side of who sits at it, and that of the program.
pub(crate) fn terminal(ws_row: u16, ws_col: u16) -> (File, File) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let path = ptsname(&terminal, Vec::new()).unwrap();
    let program = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
    (terminal.into(), program)
}

/// Reads what the terminal shows next; whether there was anything. It reports an error when its other side is closed.
pub(crate) fn read_more(terminal: &mut File, screen: &mut String) -> bool {
    let mut part = [0; 4096];
    let n = terminal.read(&mut part).unwrap_or(0);
    screen.push_str(&String::from_utf8_lossy(&part[..n]));
    n > 0
}
