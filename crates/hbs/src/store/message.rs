//! Messages to be signed: bytes, or a stream that is read twice.

use alloc::string::{String, ToString};
use core::fmt;
use std::io::{Read, Seek};

use hashlanes_sha::Sha256;

/// A stream that can be rewound to its start.
pub trait Stream: Read + Seek {}
impl<R: Read + Seek> Stream for R {}

/// A message to be signed.
///
/// The signed hash begins with a value that depends on the index, and an index is taken after its state is
/// stored. So a stream is read a first time for the log, which also shows that it can be read; then it is
/// rewound and read again. It is never in memory as a whole. If it changed in between, the signature is not
/// released.
pub enum Message<'m> {
    /// In memory.
    Bytes(&'m [u8]),
    /// From a file.
    Stream(&'m mut dyn Stream),
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Self::Stream(_) => f.write_str("Stream"),
        }
    }
}

impl<'m> From<&'m [u8]> for Message<'m> {
    fn from(bytes: &'m [u8]) -> Self {
        Self::Bytes(bytes)
    }
}
impl<'m, const N: usize> From<&'m [u8; N]> for Message<'m> {
    fn from(bytes: &'m [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}
impl<'m, R: Stream> From<&'m mut R> for Message<'m> {
    fn from(stream: &'m mut R) -> Self {
        Self::Stream(stream)
    }
}

impl Message<'_> {
    /// Passes its bytes to `sink`, part by part, from the beginning.
    pub(super) fn feed(&mut self, sink: &mut dyn FnMut(&[u8])) -> Result<(), String> {
        match self {
            Self::Bytes(bytes) => sink(bytes),
            Self::Stream(stream) => {
                stream.rewind().map_err(|error| error.to_string())?;
                crate::hash::feed(stream, sink).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// Returns its SHA-256, for the log.
    pub(super) fn digest(&mut self) -> Result<[u8; 32], String> {
        let mut hasher = Sha256::new();
        self.feed(&mut |part| hasher.update(part))?;
        Ok(hasher.finish())
    }
}
