//! The least time in which a program can hash many small files: only the system's calls; then also the
//! hashing.
//!
//! ```text
//! cargo run --release -p hashlanes-cli --example reading_floor -- read /dev/shm/files
//! cargo run --release -p hashlanes-cli --example reading_floor -- hash /dev/shm/files
//! ```
//!
//! `read` opens, reads and closes each file below a directory, and does nothing with the bytes; `hash` also
//! computes their SHA-256, 64 files a call, and does nothing with the digests. The processor time of
//! `hashlanes sum -r` is compared with that of `hash`: the difference is what order, checks for changes, and
//! the text of the results cost. Names are taken in the order of the directory. Files must be shorter than
//! 64 KiB.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::process::ExitCode;

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

/// Files hashed by one call.
const FILES: usize = 64;
/// Bytes for a file.
const ROOM: usize = 64 << 10;

/// The buffer of a call.
struct Batch {
    buffer: Vec<u8>,
    /// The length of each file; each begins at a place of its own.
    lengths: Vec<usize>,
    hashes: bool,
    n_files: u64,
    n_bytes: u64,
}

impl Batch {
    fn read(&mut self, directory: &OwnedFd, name: &CString) -> Result<(), Errno> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let file = rustix::fs::openat(directory, name, flags, Mode::empty())?;
        // Places differ in their low bits: lanes would compete for one set of the cache.
        let at = self.lengths.len() * (ROOM + 64);
        let n_bytes = rustix::io::read(&file, &mut self.buffer[at..at + ROOM])?;
        self.lengths.push(n_bytes);
        self.n_files += 1;
        self.n_bytes += n_bytes as u64;
        if self.lengths.len() == FILES {
            self.hash();
        }
        Ok(())
    }

    fn hash(&mut self) {
        if self.hashes {
            let place = |(k, len): (usize, &usize)| &self.buffer[k * (ROOM + 64)..][..*len];
            let messages: Vec<&[u8]> = self.lengths.iter().enumerate().map(place).collect();
            let mut digests = [[0; 32]; FILES];
            hashlanes::sha256_many(&messages, &mut digests[..messages.len()]);
            std::hint::black_box(digests);
        }
        self.lengths.clear();
    }

    fn walk(&mut self, directory: OwnedFd) -> Result<(), Errno> {
        for entry in Dir::read_from(directory.as_fd())? {
            let entry = entry?;
            let name = entry.file_name().to_owned();
            match entry.file_type() {
                FileType::RegularFile => self.read(&directory, &name)?,
                FileType::Directory if !matches!(name.to_bytes(), b"." | b"..") => {
                    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
                    self.walk(rustix::fs::openat(&directory, &name, flags, Mode::empty())?)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (hashes, path) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // As an example of itself.
        [] => (true, concat!(env!("CARGO_MANIFEST_DIR"), "/src")),
        ["read", path] => (false, path),
        ["hash", path] => (true, path),
        _ => {
            eprintln!("usage: reading_floor read|hash DIRECTORY");
            return ExitCode::from(2);
        }
    };
    let buffer = vec![0; FILES * (ROOM + 64)];
    let mut batch = Batch { buffer, lengths: Vec::with_capacity(FILES), hashes, n_files: 0, n_bytes: 0 };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let walked = rustix::fs::openat(CWD, path, flags, Mode::empty()).and_then(|root| batch.walk(root));
    batch.hash();
    match walked {
        Ok(()) => {
            println!("{} files, {} bytes", batch.n_files, batch.n_bytes);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
