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
