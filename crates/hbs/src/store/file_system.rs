//! The seam to the file system: the calls that a key's directory needs, so that tests can make each of them fail.

/// A file system.
pub trait FileSystem: Clone {}

/// The system's own.
#[derive(Clone, Copy, Debug)]
pub struct Posix;

impl FileSystem for Posix {}
