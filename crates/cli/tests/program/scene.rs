//! The surroundings of a test: a temporary directory with files, and a terminal whose other side the test
//! reads.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

pub(crate) struct Scene {
    pub(crate) path: PathBuf,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("hashlanes-test-{}-{n}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Scene { path }
    }

    /// A file, with the directories it needs.
    pub(crate) fn file(&self, name: &[u8], content: &[u8]) {
        let path = self.path.join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn link(&self, name: &str, target: &str) {
        std::os::unix::fs::symlink(target, self.path.join(name)).unwrap();
    }

    pub(crate) fn fifo(&self, name: &str) -> PathBuf {
        let path = self.path.join(name);
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        path
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Names that programs get wrong.
pub(crate) const ODD_NAMES: [&[u8]; 26] = [
    b"plain",
    b" leading blank",
    b"trailing blank ",
    b"*star",
    b"two  blanks",
    b"new\nline",
    b"\n",
    b"back\\slash",
    b"\\",
    b"\\n",
    b"carriage\rreturn",
    b"end\r",
    b"tab\there",
    b"quote'd",
    b"dquote\"d",
    b"colon:ed",
    b"(parens) = x",
    b"#hash",
    b"latin\xe9",
    b"\xff\xfe",
    b"bro\xe2\x82ken",
    "grüße 漢字".as_bytes(),
    b"-dash",
    b"--status",
    b"{",
    b"bell\x07esc\x1b",
];

/// xorshift64: the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    pub(crate) fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.below(256) as u8).collect()
    }
}

pub(crate) fn os(bytes: &[u8]) -> OsString {
    OsStr::from_bytes(bytes).to_owned()
}

pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

/// Opens a terminal of a given size: the user's side, and the program's.
pub(crate) fn terminal(ws_row: u16, ws_col: u16) -> (File, File) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let path = ptsname(&terminal, Vec::new()).unwrap();
    let program = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
    (terminal.into(), program)
}

/// Reads the terminal's next output; returns whether there was any. It reports an error when its other side
/// is closed.
pub(crate) fn read_more(terminal: &mut File, screen: &mut String) -> bool {
    let mut part = [0; 4096];
    let n = terminal.read(&mut part).unwrap_or(0);
    screen.push_str(&String::from_utf8_lossy(&part[..n]));
    n > 0
}
