//! The parameters of a format for the engine: its chunks, and the nodes over them.

use alloc::vec::Vec;

use hashlanes_sha::Algorithm;

use super::levels::Rule;
use super::prefixed::Prefixed;

/// The parameters of a format for the engine.
#[derive(Clone, Debug)]
pub struct Shape<A: Algorithm> {
    pub(crate) chunk_bytes: usize,
    pub(crate) leaf: Leaf<A>,
    pub(crate) last: Last,
    pub(crate) upper: Upper<A>,
    /// The tree has 2^depth chunks, all missing ones zeros; `None`: no missing chunks are added.
    pub(crate) depth: Option<u32>,
    /// The level that the result contains, besides the root.
    pub(crate) kept_level: Option<u32>,
}

impl<A: Algorithm> Shape<A> {
    /// Plain chunks, the last one short; no depth, no level kept.
    pub(crate) fn new(chunk_bytes: usize, leaf: Prefixed<A>, upper: Upper<A>) -> Self {
        let leaf = Leaf::Hash(leaf);
        Self { chunk_bytes, leaf, last: Last::Short, upper, depth: None, kept_level: None }
    }
}

/// The digest of a chunk.
#[derive(Clone, Debug)]
pub(crate) enum Leaf<A: Algorithm> {
    /// HASH(prefix ‖ chunk).
    Hash(Prefixed<A>),
    /// The chunk is as long as a digest, and used as one.
    Itself,
}

/// The treatment of the last chunk, if the message ends within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// Unchanged, even if it is short.
    Short,
    /// Filled with zeros.
    ZeroFilled,
}

/// The structure over the chunks' digests.
#[derive(Clone, Debug)]
pub(crate) enum Upper<A: Algorithm> {
    /// Levels of nodes.
    Levels(Rule<A>),
    /// One hash of all of them.
    Flat,
}

/// The result for a whole message.
#[derive(Clone, Debug)]
pub struct Whole<A: Algorithm> {
    /// `None` if there was not one chunk.
    pub(crate) root: Option<A::Digest>,
    pub(crate) n_bytes: u64,
    pub(crate) n_chunks: u64,
    /// All digests of [`Shape::kept_level`].
    pub(crate) kept: Vec<u8>,
}
