//! The output of `--tree-out`: levels, hash devices, piece layers.
//!
//! A file gets its name when it is whole ([`NewFile`]): the old file is there until then. A link is followed
//! if it belongs to this user or to root. A block device is written in place, and so is a file whose first
//! bytes must stay as they are (`--hash-offset`).

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use hashlanes::tree::merkle::{BlockLayout, Nodes};

use super::input::{Failure, Input};
use crate::message::io_reason;
use crate::new_file::NewFile;
use crate::platform;
use crate::platform::file::FileExt;
use crate::platform::fs::{CWD, FileType, Mode, OFlags, Stat};
use crate::platform::io::Errno;

/// A file of known length that is written at any place.
pub(super) struct TreeOut<'p> {
    path: &'p Path,
    kind: Kind,
    /// The first failure.
    failure: Option<io::Error>,
}

enum Kind {
    New(NewFile),
    InPlace(File),
}

impl<'p> TreeOut<'p> {
    /// Begins with a number of zeros.
    ///
    /// # Errors
    /// If it cannot be written, and if it is the input or standard output.
    pub(super) fn create(path: &'p Path, input: &Input, n_bytes: u64) -> Result<Self, Failure> {
        Self::within(path, input, [0..n_bytes, n_bytes..n_bytes])
    }

    /// Begins with zeros at two places, one after the other. Other bytes stay as they are if the first place
    /// is not the start of the file: also those of the input itself.
    ///
    /// # Errors
    /// If it cannot be written, if it is standard output, and if the tree would overwrite the input.
    pub(super) fn within(path: &'p Path, input: &Input, places: [Range<u64>; 2]) -> Result<Self, Failure> {
        let told = |error: io::Error| cannot_write(path, &error);
        let (start, end) = (places[0].start, places[1].end);
        let zero = |file: &File| places.into_iter().try_for_each(|place| write_zeros(file, place));
        let there = platform::fs::stat(path);
        if let Ok(there) = &there {
            refuse_streams(path, there, input, start)?;
        }
        let kind = match there.map(|there| FileType::from_raw_mode(there.st_mode)) {
            Ok(FileType::RegularFile) if start > 0 => {
                // A name that another user replaced by a link is not followed to a file of this user.
                let file = open_in_place(path, FileType::RegularFile, OFlags::NOFOLLOW).map_err(told)?;
                zero(&file).map_err(told)?;
                Kind::InPlace(file)
            }
            Err(Errno::NOENT) | Ok(FileType::RegularFile) => {
                let file = NewFile::replacing(path).map_err(told)?;
                file.file().set_len(end).map_err(told)?;
                Kind::New(file)
            }
            Ok(FileType::BlockDevice) => {
                let device = open_in_place(path, FileType::BlockDevice, OFlags::empty()).map_err(told)?;
                zero(&device).map_err(told)?;
                Kind::InPlace(device)
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
                Kind::New(new) => new.file(),
                Kind::InPlace(file) => file,
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
            (None, Kind::New(file)) => file.finish().map(drop),
            // Only now does a device report what could not be written.
            (None, Kind::InPlace(file)) => file.sync_all(),
        };
        result.map_err(|error| cannot_write(path, &error))
    }
}

fn open_in_place(path: &Path, kind: FileType, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(platform::fs::openat(CWD, path, flags, Mode::empty())?);
    if FileType::from_raw_mode(platform::fs::fstat(&file)?.st_mode) != kind {
        return Err(io::Error::other("replaced by another file"));
    }
    Ok(file)
}

/// The input would be lost, unless the tree is after it, and results and tree would overwrite each other.
fn refuse_streams(path: &Path, there: &Stat, input: &Input, tree_start: u64) -> Result<(), Failure> {
    let is_same = |other: Stat| {
        let device = FileType::from_raw_mode(there.st_mode) == FileType::BlockDevice;
        (device
            && FileType::from_raw_mode(other.st_mode) == FileType::BlockDevice
            && there.st_rdev == other.st_rdev)
            || (there.st_dev, there.st_ino) == (other.st_dev, other.st_ino)
    };
    let is_input = platform::fs::fstat(input.as_fd()).is_ok_and(is_same);
    let is_output = platform::fs::fstat(platform::stdio::stdout()).is_ok_and(is_same);
    let what = match (is_input, is_output) {
        (true, _) if input.end().is_none_or(|end| end > tree_start) => "it is the input",
        (_, true) => "it is standard output, which gets the result",
        _ => return Ok(()),
    };
    Err(Failure::message(format!("cannot write {}: {what}", path.display())))
}

fn write_zeros(file: &File, places: Range<u64>) -> io::Result<()> {
    let zeros = vec![0; 1 << 16];
    let mut at = places.start;
    while at < places.end {
        let n = (places.end - at).min(zeros.len() as u64) as usize;
        file.write_all_at(&zeros[..n], at)?;
        at += n as u64;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::message(format!("cannot write {}: {}", path.display(), io_reason(error)))
}
