//! An argument with all entries below it, in the order of the bytes of their names.

use std::fs::{self, FileType, Metadata};
use std::io;
use std::path::Path;

use crate::platform;
use crate::platform::ffi::OsStringExt;
use crate::platform::file::MetadataExt;
use crate::platform::io::Errno;
use crate::tree::input::Failure;
use hashlanes_formats::encoding::escape;

/// A directory entry, or the argument.
pub(super) enum Node {
    File {
        /// By its owner.
        is_executable: bool,
    },
    /// The target of a symbolic link.
    Link(Vec<u8>),
    /// Names and entries.
    Directory(Vec<(Vec<u8>, Node)>),
}

/// An argument and what it names.
pub(super) struct Place {
    pub(super) path: Vec<u8>,
    pub(super) node: Node,
}

/// The treatment of an argument that is a symbolic link. Links in directories are never followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    FollowedFirst,
    Kept,
}

impl Place {
    /// Reads all names below an argument. With `skips_repository`, the entry `.git` of the argument is left
    /// out, and another one below it is an error: git records such a directory by the commit in it.
    ///
    /// # Errors
    /// If an entry cannot be read, or is a device, a pipe or a socket.
    pub(super) fn read(argument: &[u8], links: Links, skips_repository: bool) -> Result<Place, Failure> {
        let os_path = platform::os_str(argument);
        let path = Path::new(&*os_path);
        let metadata = match links {
            Links::FollowedFirst => fs::metadata(path),
            Links::Kept => fs::symlink_metadata(path),
        };
        let metadata = metadata.map_err(system)?;
        let node = node(argument, &metadata, skips_repository, true)?;
        Ok(Place { path: argument.to_vec(), node })
    }
}

impl Node {
    /// Appends the paths of all files, in order.
    pub(super) fn collect_files(&self, path: &[u8], files: &mut Vec<Vec<u8>>) {
        match self {
            Node::File { .. } => files.push(path.to_vec()),
            Node::Link(_) => {}
            Node::Directory(entries) => {
                for (name, node) in entries {
                    node.collect_files(&joined(path, name), files);
                }
            }
        }
    }
}

fn node(
    path: &[u8],
    metadata: &Metadata,
    skips_repository: bool,
    is_argument: bool,
) -> Result<Node, Failure> {
    let kind: FileType = metadata.file_type();
    let os_path = platform::os_str(path);
    let os_path = Path::new(&*os_path);
    if kind.is_file() {
        return Ok(Node::File { is_executable: metadata.mode() & 0o100 != 0 });
    }
    if kind.is_symlink() {
        return Ok(Node::Link(fs::read_link(os_path).map_err(system)?.into_os_string().into_vec()));
    }
    if !kind.is_dir() {
        return Err(Failure::message("not a regular file, a directory or a link"));
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(os_path).map_err(system)? {
        let name = entry.map_err(system)?.file_name().into_vec();
        if skips_repository && name == b".git" {
            if is_argument {
                continue;
            }
            return Err(Failure::message(
                "a repository within a directory has no name but that of its commit",
            ));
        }
        let path = joined(path, &name);
        let metadata = fs::symlink_metadata(&*platform::os_str(&path)).map_err(system);
        let node = metadata.and_then(|metadata| node(&path, &metadata, skips_repository, false));
        entries.push((name, node.map_err(|failure| below(&path, &failure))?));
    }
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Node::Directory(entries))
}

/// Returns the path of an entry.
pub(super) fn joined(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if directory.ends_with(b"/") { b"" } else { b"/" };
    [directory, slash, name].concat()
}

/// Names the entry that a failure is about. The innermost name counts.
pub(super) fn below(path: &[u8], failure: &Failure) -> Failure {
    match failure {
        Failure::System(_) => Failure::message(format!("{}: {}", shown(path), failure.text())),
        Failure::Message(text) if text.starts_with(&shown(path)) => Failure::message(text),
        Failure::Message(text) => Failure::message(format!("{}: {text}", shown(path))),
    }
}

/// Removes the name of the argument, which the program prints itself, from a failure.
pub(super) fn without(argument: &[u8], failure: Failure) -> Failure {
    match failure {
        Failure::Message(text) => match text.strip_prefix(&format!("{}: ", shown(argument))) {
            Some(text) => Failure::message(text),
            None => Failure::Message(text),
        },
        failure @ Failure::System(_) => failure,
    }
}

fn shown(path: &[u8]) -> String {
    String::from_utf8_lossy(&escape(path)).into_owned()
}

pub(super) fn system(error: io::Error) -> Failure {
    match Errno::from_io_error(&error) {
        Some(error) => Failure::System(error),
        None => Failure::message(error),
    }
}
