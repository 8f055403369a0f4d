//! What all formats share: chunks of one length, a digest of each, something over them.

use alloc::vec::Vec;

use hashlanes_sha::{Algorithm, Hasher};

use super::error::MerkleError;
use super::hasher::MerkleHasher;
use super::levels::{Nodes, Rule};
use super::prefixed::Prefixed;

/// A Merkle tree as a format has it, its parameters set. Clones share nothing and are cheap.
///
/// ```
/// # use hashlanes_tree as tree;
/// use tree::merkle::{Glacier, Preset};
///
/// let file = vec![7; 5_000_000];
/// let root: [u8; 32] = Glacier::new().digest(&file)?;
///
/// let mut hasher = Glacier::new().hasher();
/// for part in file.chunks(100_000) {
///     hasher.update(part);
/// }
/// assert_eq!(hasher.finish()?, root);
/// # Ok::<(), tree::merkle::MerkleError>(())
/// ```
pub trait Preset: Clone + Send + Sync + sealed::Sealed {
    /// The hash.
    type Algorithm: Algorithm;
    /// What the format says of a message: its root, or what is made of it.
    type Output;

    /// What the engine must know of the format.
    #[doc(hidden)]
    fn shape(&self) -> &Shape<Self::Algorithm>;
    /// What the format makes of the engine's result.
    #[doc(hidden)]
    fn output(&self, whole: Whole<Self::Algorithm>) -> Result<Self::Output, MerkleError>;

    /// Bytes of a chunk.
    fn chunk_bytes(&self) -> usize {
        self.shape().chunk_bytes
    }

    /// The result for a whole message. Chunks, and nodes of a level, go through the lanes together.
    ///
    /// # Errors
    /// Where the format has no result for such a message: see its type.
    fn digest(&self, message: &[u8]) -> Result<Self::Output, MerkleError> {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.finish()
    }

    /// As [`Preset::digest`], chunks on rayon's threads.
    ///
    /// # Errors
    /// As [`Preset::digest`].
    #[cfg(feature = "rayon")]
    fn digest_parallel(&self, message: &[u8]) -> Result<Self::Output, MerkleError> {
        use rayon::prelude::*;
        /// Chunks that a thread takes at a time.
        const CHUNKS: usize = super::prefixed::GROUP;
        let chunk_bytes = self.chunk_bytes();
        let (whole, last) = message.split_at(message.len() / chunk_bytes * chunk_bytes);
        let mut digests = alloc::vec![Self::Algorithm::ZERO_DIGEST; whole.len() / chunk_bytes];
        let some = digests.par_chunks_mut(CHUNKS).zip(whole.par_chunks(chunk_bytes.saturating_mul(CHUNKS)));
        some.for_each(|(digests, chunks)| self.digest_chunks(chunks, digests));
        let mut hasher = self.hasher();
        hasher.push(&digests);
        hasher.update(last);
        hasher.finish()
    }

    /// Begins a message that comes in parts.
    fn hasher(&self) -> MerkleHasher<Self> {
        MerkleHasher::new(self.clone(), |_| ())
    }

    /// The same; `keep` sees the tree's digests as they come into being, those of the chunks first and the root's last. Zeros
    /// that a format has for missing digests are not among them.
    fn hasher_keeping<K: FnMut(Nodes<'_>)>(&self, keep: K) -> MerkleHasher<Self, K> {
        MerkleHasher::new(self.clone(), keep)
    }

    /// Digests of whole chunks, one after the other: what [`MerkleHasher::push`] takes. So chunks can be hashed by other
    /// threads and machines.
    ///
    /// # Panics
    /// Unless `chunks` holds one chunk for each digest.
    #[track_caller]
    fn digest_chunks(&self, chunks: &[u8], digests: &mut [<Self::Algorithm as Algorithm>::Digest]) {
        let (given, chunk_bytes) = (chunks.len(), self.chunk_bytes());
        assert!(
            Some(given) == chunk_bytes.checked_mul(digests.len()),
            "chunks: {given} bytes for {} digests of chunks of {chunk_bytes}",
            digests.len()
        );
        match &self.shape().leaf {
            Leaf::Hash(prefixed) => prefixed.digest_equal(chunks, chunk_bytes, digests),
            Leaf::Itself => {
                for (digest, chunk) in digests.iter_mut().zip(chunks.chunks_exact(chunk_bytes)) {
                    digest.as_mut().copy_from_slice(chunk);
                }
            }
        }
    }

    /// A plain hasher for one chunk: whoever gives it the chunk has its digest. `None` where a chunk is its own digest.
    fn chunk_hasher(&self) -> Option<Hasher<Self::Algorithm>> {
        match &self.shape().leaf {
            Leaf::Hash(prefixed) => Some(prefixed.hasher()),
            Leaf::Itself => None,
        }
    }
}

pub(crate) mod sealed {
    /// Of the formats here alone.
    pub trait Sealed {}
}

/// A format, as far as the engine goes.
#[derive(Clone, Debug)]
pub struct Shape<A: Algorithm> {
    pub(crate) chunk_bytes: usize,
    pub(crate) leaf: Leaf<A>,
    pub(crate) last: Last,
    pub(crate) upper: Upper<A>,
    /// The tree has 2^depth chunks, all missing ones zeros; `None`: as few as there are.
    pub(crate) depth: Option<u32>,
    /// The level that the result is made of, besides the root.
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
    /// The chunk is as long as a digest, and stands for it.
    Itself,
}

/// What the last chunk is, if the message ends within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    /// As short as it is.
    Short,
    /// Filled with zeros.
    ZeroFilled,
}

/// What stands over the chunks' digests.
#[derive(Clone, Debug)]
pub(crate) enum Upper<A: Algorithm> {
    /// Levels of nodes.
    Levels(Rule<A>),
    /// One hash of all of them.
    Flat,
}

/// What came of a whole message.
#[derive(Clone, Debug)]
pub struct Whole<A: Algorithm> {
    /// `None` if there was not one chunk.
    pub(crate) root: Option<A::Digest>,
    pub(crate) n_bytes: u64,
    pub(crate) n_chunks: u64,
    /// Of [`Shape::kept_level`], all digests.
    pub(crate) kept: Vec<u8>,
}
