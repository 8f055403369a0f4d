//! The engine of all formats: splits a message in parts of any length into chunks, and hashes these in lanes.

use alloc::vec::Vec;
use core::fmt;

use hashlanes_sha::{Algorithm, Hasher};

use super::error::MerkleError;
use super::levels::{Levels, Nodes};
use super::prefixed::{GROUP, update_zeros};
use super::shape::{Last, Leaf, Shape, Upper, Whole};
use crate::wiped_bytes::Wiped;

/// A Merkle tree of a format, with its parameters.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{Glacier, Preset};
///
/// let file = vec![7; 5_000_000];
/// let root: [u8; 32] = Glacier::new().digest(&file)?;
///
/// let mut hasher = Glacier::new().hasher();
/// for part in file.chunks(100_000) {
///     hasher.update(part);
/// }
/// assert_eq!(hasher.finish()?, root);
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
pub trait Preset: Clone + Send + Sync + sealed::Sealed {
    /// The hash; its digests are `<P::Algorithm as hashlanes::Algorithm>::Digest`.
    type Algorithm: Algorithm;
    /// The format's result for a message: its root, or a value computed from it.
    type Output;

    /// Returns the parameters of the engine.
    #[doc(hidden)]
    fn shape(&self) -> &Shape<Self::Algorithm>;
    /// Converts the engine's result.
    #[doc(hidden)]
    fn output(&self, whole: Whole<Self::Algorithm>) -> Result<Self::Output, MerkleError>;

    /// Returns the number of bytes of a chunk.
    fn chunk_bytes(&self) -> usize {
        self.shape().chunk_bytes
    }

    /// Returns the result for a whole message. Chunks, and nodes of a level, go through the lanes together.
    ///
    /// # Errors
    /// If the format has no result for such a message: see its type.
    fn digest(&self, message: &[u8]) -> Result<Self::Output, MerkleError> {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.finish()
    }

    /// Like [`Preset::digest`], with chunks on rayon's threads.
    ///
    /// # Errors
    /// Like [`Preset::digest`].
    #[cfg(feature = "rayon")]
    fn digest_parallel(&self, message: &[u8]) -> Result<Self::Output, MerkleError> {
        use rayon::prelude::*;
        /// Chunks per thread at a time.
        const CHUNKS: usize = GROUP;
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

    /// Begins a message in parts.
    fn hasher(&self) -> MerkleHasher<Self> {
        MerkleHasher::new(self.clone(), |_| ())
    }

    /// Begins a message in parts; `keep` gets the tree's digests as they are computed, those of the chunks
    /// first and the root's last. Zeros in place of missing digests are not among them.
    fn hasher_keeping<K: FnMut(Nodes<'_>)>(&self, keep: K) -> MerkleHasher<Self, K> {
        MerkleHasher::new(self.clone(), keep)
    }

    /// Computes the digests of whole chunks that follow one another, for [`MerkleHasher::push`]. So other
    /// threads and machines can hash chunks.
    ///
    /// # Panics
    /// Panics unless `chunks` holds one chunk for each digest.
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

    /// Returns a plain hasher for one chunk; updated with the chunk, it gives the chunk's digest. `None`
    /// where a chunk is its own digest.
    fn chunk_hasher(&self) -> Option<Hasher<Self::Algorithm>> {
        match &self.shape().leaf {
            Leaf::Hash(prefixed) => Some(prefixed.hasher()),
            Leaf::Itself => None,
        }
    }
}

pub(crate) mod sealed {
    /// Only the formats of this crate implement it.
    pub trait Sealed {}
}

/// The number of chunks that are hashed together: the lanes of the widest kernels.
const WAITING: usize = 16;
/// The least number of bytes of chunks that are hashed together.
const LEAST_WAITING: usize = 8 * 1024;
/// The longest chunks that wait: a longer one that arrives in parts is hashed separately.
const LONGEST_WAITING: usize = 1 << 20;

/// The hasher of a message for a [`Preset`], in parts of any length.
///
/// Chunks of up to 1 MiB that arrive in small parts are copied and wait until there are enough of them for
/// the lanes, at most 16. Longer ones are hashed as they arrive, one after another. Chunks that are whole in
/// one part are hashed together in place.
#[derive(Clone)]
pub struct MerkleHasher<P: Preset, K = fn(Nodes<'_>)> {
    preset: P,
    /// The buffered bytes of waiting chunks.
    waiting: Wiped,
    /// The current chunk, if chunks are too long to wait.
    long: Option<(Hasher<P::Algorithm>, usize)>,
    over: Over<P::Algorithm>,
    n_bytes: u64,
    n_chunks: u64,
    kept: Vec<u8>,
    keep: K,
}

/// The tree over the chunks' digests, so far.
#[derive(Clone)]
enum Over<A: Algorithm> {
    Levels(Levels<A>),
    Flat(Hasher<A>),
}

impl<P: Preset, K: FnMut(Nodes<'_>)> MerkleHasher<P, K> {
    pub(crate) fn new(preset: P, keep: K) -> Self {
        let over = match &preset.shape().upper {
            Upper::Levels(rule) => Over::Levels(Levels::new(rule.clone())),
            Upper::Flat => Over::Flat(Hasher::new()),
        };
        let (waiting, kept) = (Wiped::default(), Vec::new());
        Self { preset, waiting, long: None, over, n_bytes: 0, n_chunks: 0, kept, keep }
    }

    /// Adds the next part of the message.
    pub fn update(&mut self, part: &[u8]) {
        self.n_bytes += part.len() as u64;
        let chunk_bytes = self.preset.chunk_bytes();
        if chunk_bytes > LONGEST_WAITING {
            return self.update_long(part);
        }
        let mut part = part;
        let room = WAITING.max(LEAST_WAITING.div_ceil(chunk_bytes)) * chunk_bytes;
        if !self.waiting.is_empty() {
            let (head, rest) = part.split_at(part.len().min(room - self.waiting.len()));
            self.waiting.extend_from_slice(head);
            if self.waiting.len() < room {
                return;
            }
            let mut waiting = core::mem::take(&mut self.waiting);
            self.take_chunks(&waiting);
            waiting.clear();
            self.waiting = waiting;
            part = rest;
        }
        if part.len() >= room {
            let (whole, rest) = part.split_at(part.len() / chunk_bytes * chunk_bytes);
            self.take_chunks(whole);
            part = rest;
        }
        self.waiting.extend_from_slice(part);
    }

    /// Adds digests of chunks that were hashed by [`Preset::digest_chunks`] or [`Preset::chunk_hasher`]: the
    /// next ones of the message, which are whole.
    ///
    /// # Panics
    /// Panics if the parts before end within a chunk.
    #[track_caller]
    pub fn push(&mut self, digests: &[<P::Algorithm as Algorithm>::Digest]) {
        let chunk_bytes = self.preset.chunk_bytes();
        assert!(
            self.n_bytes.is_multiple_of(chunk_bytes as u64),
            "digests of chunks of {chunk_bytes} bytes behind {} bytes",
            self.n_bytes
        );
        let waiting = core::mem::take(&mut self.waiting);
        self.take_chunks(&waiting);
        self.n_bytes += digests.len() as u64 * chunk_bytes as u64;
        self.take_digests(digests);
    }

    /// Returns the result for the whole input.
    ///
    /// # Errors
    /// If the format has no result for such a message: see its type.
    pub fn finish(mut self) -> Result<P::Output, MerkleError> {
        let chunk_bytes = self.preset.chunk_bytes();
        let waiting = core::mem::take(&mut self.waiting);
        let (whole, last) = waiting.split_at(waiting.len() / chunk_bytes * chunk_bytes);
        self.take_chunks(whole);
        if let Some((hasher, left)) = &mut self.long {
            let digest = end_chunk(&self.preset, hasher, *left);
            self.take_digests(&[digest]);
        } else if !last.is_empty() {
            self.take_last(last);
        }
        let Self { preset, over, n_bytes, n_chunks, mut kept, mut keep, .. } = self;
        let Shape { depth, kept_level, .. } = *preset.shape();
        let root = match over {
            Over::Levels(levels) => {
                levels.finish(depth, &mut |nodes| keep_nodes(nodes, kept_level, &mut kept, &mut keep))
            }
            Over::Flat(hasher) => (n_chunks > 0).then(|| hasher.finish()),
        };
        preset.output(Whole { root, n_bytes, n_chunks, kept })
    }

    /// Chunks of more than [`LONGEST_WAITING`] bytes: whole ones together, others separately.
    fn update_long(&mut self, part: &[u8]) {
        let chunk_bytes = self.preset.chunk_bytes();
        let mut part = part;
        while !part.is_empty() {
            if self.long.is_none() && part.len() >= chunk_bytes {
                let (whole, rest) = part.split_at(part.len() / chunk_bytes * chunk_bytes);
                self.take_chunks(whole);
                part = rest;
                continue;
            }
            let begin = || (self.preset.chunk_hasher().expect("long chunks are hashed"), chunk_bytes);
            // Kept in place from the first byte to the last: a hasher that is moved leaves a copy.
            let (hasher, left) = self.long.get_or_insert_with(begin);
            let (head, rest) = part.split_at(part.len().min(*left));
            hasher.update(head);
            part = rest;
            *left -= head.len();
            if *left == 0 {
                let digest = hasher.finish_reset();
                self.long = None;
                self.take_digests(&[digest]);
            }
        }
    }

    /// The last chunk, shorter than the others.
    fn take_last(&mut self, last: &[u8]) {
        match self.preset.chunk_hasher() {
            Some(mut hasher) => {
                hasher.update(last);
                let digest = end_chunk(&self.preset, &mut hasher, self.preset.chunk_bytes() - last.len());
                self.take_digests(&[digest]);
            }
            None => {
                let mut chunk = <P::Algorithm as Algorithm>::ZERO_DIGEST;
                chunk.as_mut()[..last.len()].copy_from_slice(last);
                self.take_digests(&[chunk]);
            }
        }
    }

    fn take_chunks(&mut self, chunks: &[u8]) {
        let chunk_bytes = self.preset.chunk_bytes();
        if matches!(self.preset.shape().leaf, Leaf::Itself) {
            // Chunks are digests: the nodes over them are hashed in place.
            return self.take_filled(chunks);
        }
        for group in chunks.chunks(chunk_bytes.saturating_mul(GROUP)) {
            let mut digests = [<P::Algorithm as Algorithm>::ZERO_DIGEST; GROUP];
            let digests = &mut digests[..group.len() / chunk_bytes];
            self.preset.digest_chunks(group, digests);
            self.take_digests(digests);
        }
    }

    fn take_digests(&mut self, digests: &[<P::Algorithm as Algorithm>::Digest]) {
        self.n_chunks += digests.len() as u64;
        let Self { preset, over, kept, keep, .. } = self;
        let kept_level = preset.shape().kept_level;
        match over {
            Over::Levels(levels) => {
                levels.push(digests, &mut |nodes| keep_nodes(nodes, kept_level, kept, keep));
            }
            Over::Flat(hasher) => {
                for digest in digests {
                    hasher.update(digest.as_ref());
                }
            }
        }
    }

    fn take_filled(&mut self, chunks: &[u8]) {
        self.n_chunks += (chunks.len() / self.preset.chunk_bytes()) as u64;
        let Self { preset, over, kept, keep, .. } = self;
        let kept_level = preset.shape().kept_level;
        if let Over::Levels(levels) = over {
            levels.push_filled(chunks, &mut |nodes| keep_nodes(nodes, kept_level, kept, keep));
        }
    }
}

/// Ends a chunk that lacks `left` bytes.
fn end_chunk<P: Preset>(
    preset: &P,
    hasher: &mut Hasher<P::Algorithm>,
    left: usize,
) -> <P::Algorithm as Algorithm>::Digest {
    if preset.shape().last == Last::ZeroFilled {
        update_zeros(hasher, left);
    }
    hasher.finish_reset()
}

/// Stores the nodes that the caller keeps.
fn keep_nodes(
    nodes: Nodes<'_>,
    kept_level: Option<u32>,
    kept: &mut Vec<u8>,
    keep: &mut impl FnMut(Nodes<'_>),
) {
    if Some(nodes.level) == kept_level {
        kept.extend_from_slice(nodes.digests);
    }
    keep(nodes);
}

/// Returns how much it added.
impl<P: Preset, K> fmt::Debug for MerkleHasher<P, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MerkleHasher")
            .field("n_bytes", &self.n_bytes)
            .field("n_chunks", &self.n_chunks)
            .finish_non_exhaustive()
    }
}
