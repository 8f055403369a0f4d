//! Names of files and whole directories by their content: objects of git, archives of Nix, CIDs of IPFS.
//!
//! | file | holds |
//! |---|---|
//! | `paths.rs` | an argument with all entries below it |
//! | `contents.rs` | the contents of many files: short ones in lanes, on all threads |
//! | `git.rs` `nar.rs` `unixfs.rs` | one format each |

mod contents;
mod git;
mod nar;
mod paths;
mod unixfs;

use hashlanes::algorithms::{Sha1, Sha256};

use super::input::Failure;
use super::reading::Reading;
use crate::hashing::Counters;
use contents::Format;
use git::Git;
pub(super) use nar::Encoding;
use nar::Nar;
use paths::{Links, Node, Place};
use unixfs::UnixFs;

/// A format that names files and directories.
#[derive(Clone, Copy)]
pub(super) enum Objects {
    GitSha1,
    GitSha256,
    Nar(Encoding),
    Ipfs,
}

impl Objects {
    /// Computes the name of a file or a directory. A failure of an entry contains its path.
    pub(super) fn name_of(
        self,
        argument: &[u8],
        jobs: usize,
        counters: &Counters,
    ) -> Result<String, Failure> {
        self.of_argument(argument, jobs, counters).map_err(|failure| paths::without(argument, failure))
    }

    fn of_argument(self, argument: &[u8], jobs: usize, counters: &Counters) -> Result<String, Failure> {
        let links = match self {
            Objects::GitSha1 | Objects::GitSha256 => Links::FollowedFirst,
            Objects::Nar(_) | Objects::Ipfs => Links::Kept,
        };
        let skips_repository = matches!(self, Objects::GitSha1 | Objects::GitSha256);
        let place = Place::read(argument, links, skips_repository)?;
        match self {
            Objects::GitSha1 => name(&Git::<Sha1>::new(), &place, jobs, counters),
            Objects::GitSha256 => name(&Git::<Sha256>::new(), &place, jobs, counters),
            Objects::Ipfs => name(&UnixFs, &place, jobs, counters),
            Objects::Nar(encoding) => Nar::new(counters).of(&place, encoding),
        }
    }

    /// Computes the name of an open file or of a stream, whose length is `length` if it must be known first.
    pub(super) fn name_of_stream(
        self,
        reading: &Reading<'_>,
        length: Option<u64>,
    ) -> Result<String, Failure> {
        let known = reading.input.n_bytes().or(length);
        let needed = || {
            known.ok_or_else(|| Failure::message("needs the length of its input; give it with --length N"))
        };
        let id = match self {
            Objects::GitSha1 => Git::<Sha1>::new().long(reading, needed()?)?.to_string(),
            Objects::GitSha256 => Git::<Sha256>::new().long(reading, needed()?)?.to_string(),
            Objects::Ipfs => UnixFs.long(reading, 0)?.to_string(),
            Objects::Nar(encoding) => Nar::new(reading.counters).of_stream(reading, needed()?, encoding)?,
        };
        Ok(id)
    }
}

/// Names all files, then the directories around them, and returns the name of the argument.
fn name<F: Format>(format: &F, place: &Place, jobs: usize, counters: &Counters) -> Result<String, Failure> {
    let mut files = Vec::new();
    place.node.collect_files(&place.path, &mut files);
    let ids = contents::ids(format, &files, jobs, counters)?;
    let mut ids = ids.into_iter();
    let id = id_of(format, &place.node, &place.path, &mut ids)?;
    Ok(match id {
        Some(id) => id.to_string(),
        None => format.directory(&[])?.to_string(),
    })
}

/// Returns the name of an entry; `None` for a directory that the format does not record. Files take the next
/// of `ids`.
fn id_of<F: Format>(
    format: &F,
    node: &Node,
    path: &[u8],
    ids: &mut impl Iterator<Item = F::Id>,
) -> Result<Option<F::Id>, Failure> {
    match node {
        Node::File { .. } => Ok(ids.next()),
        Node::Link(target) => Ok(Some(format.link(target))),
        Node::Directory(entries) => {
            let mut named = Vec::with_capacity(entries.len());
            for (name, node) in entries {
                if let Some(id) = id_of(format, node, &paths::joined(path, name), ids)? {
                    named.push((name.as_slice(), node, id));
                }
            }
            if named.is_empty() && !format.records_empty_directories() {
                return Ok(None);
            }
            format.directory(&named).map(Some).map_err(|failure| paths::below(path, &failure))
        }
    }
}
