//! The output of `--tree-out`: levels, hash devices, piece layers.
//!
//! A file gets its name when it is whole ([`NewFile`]): the old file is there until then. A link is followed
//! if it belongs to this user or to root. A block device is written in place.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use hashlanes::tree::merkle::{BlockLayout, Nodes};
use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use super::input::{Failure, Input};
use crate::message::io_reason;
use crate::new_file::NewFile;

/// A file of known length that is written at any place.
pub(super) struct TreeOut<'p> {
    path: &'p Path,
    kind: Kind,
    /// The first failure.
    failure: Option<io::Error>,
}

enum Kind {
    File(NewFile),
    Device(File),
}

impl<'p> TreeOut<'p> {
    /// Begins with a number of zeros.
    ///
    /// # Errors
    /// If it cannot be written, and if it is the input or standard output.
    pub(super) fn create(path: &'p Path, input: &Input, n_bytes: u64) -> Result<Self, Failure> {
        let told = |error: io::Error| cannot_write(path, &error);
        let there = rustix::fs::stat(path);
        if let Ok(there) = &there {
            refuse_streams(path, there, input)?;
        }
        let kind = match there.map(|there| FileType::from_raw_mode(there.st_mode)) {
            Err(Errno::NOENT) | Ok(FileType::RegularFile) => {
                let file = NewFile::replacing(path).map_err(told)?;
                file.file().set_len(n_bytes).map_err(told)?;
                Kind::File(file)
            }
            Ok(FileType::BlockDevice) => {
                let device = OpenOptions::new().write(true).open(path).map_err(told)?;
                let opened = rustix::fs::fstat(&device).map_err(|error| told(error.into()))?;
                if FileType::from_raw_mode(opened.st_mode) != FileType::BlockDevice {
                    return Err(told(io::Error::other("not a block device any more")));
                }
                write_zeros(&device, n_bytes).map_err(told)?;
                Kind::Device(device)
            }
            Ok(FileType::Directory) => return Err(told(Errno::ISDIR.into())),
            Ok(_) => {
                return Err(Failure::message(format!(
                    "cannot write {}: expected a regular file or a block device",
                    path.display()
                )));
            }
            Err(error) => return Err(told(error.into())),
        };
        Ok(Self { path, kind, failure: None })
    }

    /// Writes at a place; an error is reported at the end.
    pub(super) fn write(&mut self, bytes: &[u8], at: u64) {
        if self.failure.is_none() {
            let file = match &self.kind {
                Kind::File(file) => file.file(),
                Kind::Device(device) => device,
            };
            self.failure = file.write_all_at(bytes, at).err();
        }
    }

    /// Writes digests at their places in a layout that begins after `from` bytes.
    pub(super) fn write_nodes(&mut self, nodes: Nodes<'_>, layout: &BlockLayout, from: u64) {
        if let Some(at) = layout.place(&nodes) {
            self.write(nodes.digests, from + at);
        }
    }

    /// The file is whole.
    pub(super) fn end(self) -> Result<(), Failure> {
        let Self { path, kind, failure } = self;
        let result = match (failure, kind) {
            (Some(error), _) => Err(error),
            (None, Kind::File(file)) => file.finish().map(drop),
            // Only now does a device report what could not be written.
            (None, Kind::Device(device)) => device.sync_all(),
        };
        result.map_err(|error| cannot_write(path, &error))
    }
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
    Err(Failure::message(format!("cannot write {}: {what}", path.display())))
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
    Failure::message(format!("cannot write {}: {}", path.display(), io_reason(error)))
}
