//! Objects of git: HASH("blob LENGTH\0" ‖ content) of a file, HASH("tree LENGTH\0" ‖ entries) of a directory
//! (git's Documentation/gitformat-pack, hash-function-transition; `git hash-object`, `git write-tree`).
//!
//! An entry is "MODE NAME\0" and the name of its object in binary. Entries are sorted as if the names of
//! directories ended with a slash. Directories without files are not recorded.

use std::fmt;

use hashlanes::{Algorithm, Hasher};
use hashlanes_formats::encoding::hex;

use super::contents::Format;
use super::paths::Node;
use crate::tree::input::Failure;
use crate::tree::reading::Reading;

/// Objects by a hash: SHA-1, or SHA-256 in repositories with `--object-format=sha256`.
pub(super) struct Git<A: Algorithm> {
    algorithm: std::marker::PhantomData<A>,
}

/// The name of an object.
pub(super) struct ObjectId<A: Algorithm>(A::Digest);

impl<A: Algorithm> fmt::Display for ObjectId<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(self.0.as_ref()))
    }
}

impl<A: Algorithm> Git<A> {
    pub(super) fn new() -> Self {
        Git { algorithm: std::marker::PhantomData }
    }
}

fn digest<A: Algorithm>(parts: &[&[u8]]) -> ObjectId<A> {
    let mut hasher = Hasher::<A>::new();
    parts.iter().for_each(|part| hasher.update(part));
    ObjectId(hasher.finish())
}

fn head(kind: &str, n_bytes: u64) -> String {
    format!("{kind} {n_bytes}\0")
}

impl<A: Algorithm> Format for Git<A> {
    type Id = ObjectId<A>;

    fn head(&self, len_bytes: usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(head("blob", len_bytes as u64).as_bytes());
    }

    fn short(&self, files: &[&[u8]]) -> Vec<ObjectId<A>> {
        let mut digests = vec![A::ZERO_DIGEST; files.len()];
        Hasher::<A>::digest_many(files, &mut digests);
        digests.into_iter().map(ObjectId).collect()
    }

    fn long(&self, reading: &Reading<'_>, n_bytes: u64) -> Result<ObjectId<A>, Failure> {
        let mut hasher = Hasher::<A>::new();
        hasher.update(head("blob", n_bytes).as_bytes());
        let mut came = 0;
        reading.stream(&mut |part| {
            came += part.len() as u64;
            hasher.update(part);
            Ok(())
        })?;
        match came == n_bytes {
            true => Ok(ObjectId(hasher.finish())),
            false => Err(Failure::message(format!("has {came} bytes, not {n_bytes} as expected"))),
        }
    }

    fn link(&self, target: &[u8]) -> ObjectId<A> {
        digest(&[head("blob", target.len() as u64).as_bytes(), target])
    }

    fn directory(&self, entries: &[(&[u8], &Node, ObjectId<A>)]) -> Result<ObjectId<A>, Failure> {
        let key = |name: &[u8], node: &Node| -> Vec<u8> {
            let slash: &[u8] = if matches!(node, Node::Directory(_)) { b"/" } else { b"" };
            [name, slash].concat()
        };
        let mut sorted: Vec<_> = entries.iter().collect();
        sorted.sort_by_cached_key(|(name, node, _)| key(name, node));
        let mut content = Vec::new();
        for (name, node, ObjectId(id)) in sorted {
            let mode: &[u8] = match node {
                Node::File { is_executable: true } => b"100755 ",
                Node::File { is_executable: false } => b"100644 ",
                Node::Link(_) => b"120000 ",
                Node::Directory(_) => b"40000 ",
            };
            content.extend_from_slice(mode);
            content.extend_from_slice(name);
            content.push(0);
            content.extend_from_slice(id.as_ref());
        }
        Ok(digest(&[head("tree", content.len() as u64).as_bytes(), &content]))
    }

    fn records_empty_directories(&self) -> bool {
        false
    }
}
