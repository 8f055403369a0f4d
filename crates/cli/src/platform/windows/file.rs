//! What the standard library has for files of Unix only.

use std::fs::{File, Metadata};
use std::io;
use std::os::windows::fs::FileExt as _;

/// Reads and writes at offsets. Both move the file's position.
pub(crate) trait FileExt {
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;
    fn write_all_at(&self, bytes: &[u8], at: u64) -> io::Result<()>;
}

pub(crate) trait MetadataExt {
    /// Returns the rights: no file is marked as a program.
    fn mode(&self) -> u32;
}

impl MetadataExt for Metadata {
    fn mode(&self) -> u32 {
        0o666
    }
}

impl FileExt for File {
    fn read_exact_at(&self, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            match self.seek_read(buffer, at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => (buffer, at) = (&mut buffer[n..], at + n as u64),
            }
        }
        Ok(())
    }

    fn write_all_at(&self, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let n = self.seek_write(bytes, at)?;
            (bytes, at) = (&bytes[n..], at + n as u64);
        }
        Ok(())
    }
}
