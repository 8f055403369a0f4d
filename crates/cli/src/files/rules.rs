//! The rules of a walk for entries of directories.

use super::globs::Globs;

/// Without any option: everything but links.
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) links: Links,
    pub(crate) special: Special,
    pub(crate) file_systems: FileSystems,
    pub(crate) ignore_files: Heed,
    pub(crate) globs: Globs,
    pub(crate) sizes: Sizes,
}

impl Rules {
    /// Returns whether it must be known of directories which they are.
    pub(super) fn need_identity(&self) -> bool {
        self.links == Links::Follow || self.file_systems == FileSystems::OfArgument
    }
}

/// The treatment of links in a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Links {
    /// They are neither followed nor listed.
    #[default]
    Leave,
    Follow,
}

/// The treatment of named pipes and devices in a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Special {
    /// They are reported, and make the walk fail.
    #[default]
    Tell,
    /// They are read to their end.
    Hash,
}

/// The directories that are entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum FileSystems {
    #[default]
    All,
    /// Directories on the file system of the argument.
    OfArgument,
}

/// Whether ignore files are heeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Heed {
    #[default]
    No,
    Yes,
}

/// The sizes of the regular files to hash, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sizes {
    pub(crate) least: u64,
    pub(crate) most: u64,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { least: 0, most: u64::MAX }
    }
}

impl Sizes {
    /// Returns whether a file of this size is hashed.
    pub(super) fn include(self, n_bytes: u64) -> bool {
        (self.least..=self.most).contains(&n_bytes)
    }
}
