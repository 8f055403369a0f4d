//! What `--tree-out` writes: levels, hash devices, piece layers.
//!
//! A file comes into being under a name of its own beside the one that is asked for, and takes that name when it is whole: what
//! was there before is there until then, and no half of a tree is taken for one. A block device is written where it is.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use hashlanes::tree::merkle::{BlockLayout, Nodes};
use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use super::input::{Failure, Input};
use crate::message::io_reason;

/// A file of known length that is written at any place.
pub(super) struct TreeOut<'p> {
    path: &'p Path,
    file: File,
    /// The file's names while it is written, and then; a device has none.
    names: Option<(PathBuf, PathBuf)>,
    /// The first failure.
    failure: Option<io::Error>,
}

impl<'p> TreeOut<'p> {
    /// Begins with so many zeros.
    ///
    /// # Errors
    /// If it cannot be written, and if it is the input or standard output.
    pub(super) fn create(path: &'p Path, input: &Input, n_bytes: u64) -> Result<Self, Failure> {
        let told = |error: io::Error| cannot_write(path, &error);
        let there = rustix::fs::stat(path);
        if let Ok(there) = &there {
            refuse_streams(path, there, input)?;
        }
        match there.map(|there| FileType::from_raw_mode(there.st_mode)) {
            Err(Errno::NOENT) | Ok(FileType::RegularFile) => {
                // The file itself, where the name is a link.
                let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
                let (temporary, file) = temporary_beside(&real).map_err(told)?;
                let out = Self { path, file, names: Some((temporary, real)), failure: None };
                out.file.set_len(n_bytes).map_err(told)?;
                Ok(out)
            }
            Ok(FileType::BlockDevice) => {
                let file = OpenOptions::new().write(true).open(path).map_err(told)?;
                write_zeros(&file, n_bytes).map_err(told)?;
                Ok(Self { path, file, names: None, failure: None })
            }
            Ok(FileType::Directory) => Err(told(Errno::ISDIR.into())),
            Ok(_) => Err(Failure::said(format!(
                "cannot write {}: a tree is written at any place of it; that takes a file or a block device",
                path.display()
            ))),
            Err(error) => Err(told(error.into())),
        }
    }

    /// Writes at a place; a failure is told at the end.
    pub(super) fn write(&mut self, bytes: &[u8], at: u64) {
        if self.failure.is_none() {
            self.failure = self.file.write_all_at(bytes, at).err();
        }
    }

    /// Writes digests at their places in a layout that stands behind `from` bytes.
    pub(super) fn write_nodes(&mut self, nodes: Nodes<'_>, layout: &BlockLayout, from: u64) {
        if let Some(at) = layout.place(&nodes) {
            self.write(nodes.digests, from + at);
        }
    }

    /// The file is whole.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        let mut result = self.failure.take().map_or(Ok(()), Err);
        if result.is_ok() {
            result = self.file.flush();
        }
        if let (Ok(()), Some((temporary, name))) = (&result, &self.names) {
            result = std::fs::rename(temporary, name);
            if result.is_ok() {
                self.names = None;
            }
        }
        result.map_err(|error| cannot_write(self.path, &error))
    }
}

impl Drop for TreeOut<'_> {
    /// What did not become whole goes.
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.names {
            let _ = std::fs::remove_file(temporary);
        }
    }
}

/// A new file beside this one.
fn temporary_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(Errno::ISDIR)?.as_bytes();
    let mut last = None;
    for number in 0..100 {
        let suffix = format!(".part-{}-{number}", std::process::id());
        // A name of 255 bytes is the longest; what is cut off does not matter here.
        let kept = &name[..name.len().min(255 - suffix.len())];
        let temporary = path.with_file_name(std::ffi::OsStr::from_bytes(&[kept, suffix.as_bytes()].concat()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| Errno::EXIST.into()))
}

/// The input would be lost, and results and tree would overwrite each other.
fn refuse_streams(path: &Path, there: &Stat, input: &Input) -> Result<(), Failure> {
    let is_same = |other: Stat| {
        let device = FileType::from_raw_mode(there.st_mode) == FileType::BlockDevice;
        (device
            && FileType::from_raw_mode(other.st_mode) == FileType::BlockDevice
            && there.st_rdev == other.st_rdev)
            || (there.st_dev, there.st_ino) == (other.st_dev, other.st_ino)
    };
    let is_input = rustix::fs::fstat(input.as_fd()).is_ok_and(is_same);
    let is_output = rustix::fs::fstat(rustix::stdio::stdout()).is_ok_and(is_same);
    let what = match (is_input, is_output) {
        (true, _) => "it is the input",
        (_, true) => "it is standard output, which gets the result",
        _ => return Ok(()),
    };
    Err(Failure::said(format!("cannot write {}: {what}", path.display())))
}

fn write_zeros(file: &File, n_bytes: u64) -> io::Result<()> {
    static ZEROS: [u8; 1 << 16] = [0; 1 << 16];
    let mut at = 0;
    while at < n_bytes {
        let n = (n_bytes - at).min(ZEROS.len() as u64) as usize;
        file.write_all_at(&ZEROS[..n], at)?;
        at += n as u64;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::said(format!("cannot write {}: {}", path.display(), io_reason(error)))
}
