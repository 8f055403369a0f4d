//! A message on its way through a Merkle tree: parts of any length into chunks, chunks into the lanes.

use alloc::vec::Vec;
use core::fmt;

use hashlanes_sha::{Algorithm, Hasher};

use super::error::MerkleError;
use super::levels::{Levels, Nodes};
use super::prefixed::{GROUP, update_zeros};
use super::preset::{Last, Leaf, Preset, Shape, Upper, Whole};
use crate::wiped::Wiped;

/// Chunks that wait for each other: the lanes of the widest kernels.
const WAITING: usize = 16;
/// Bytes of chunks that wait for each other at least.
const LEAST_WAITING: usize = 8 * 1024;
/// Longer chunks do not wait: one that comes in parts is hashed alone.
const LONGEST_WAITING: usize = 1 << 20;

/// A message on its way through a [`Preset`], in parts of any length.
///
/// Chunks up to 1 MiB that come in small parts are copied and wait until there are enough of them for the lanes, 16 at
/// most; longer ones are hashed as they come, one after the other. Chunks that are whole in one part are hashed together
/// where they stand.
#[derive(Clone)]
pub struct MerkleHasher<P: Preset, K = fn(Nodes<'_>)> {
    preset: P,
    /// What there is of chunks that wait.
    waiting: Wiped,
    /// The chunk on its way, if chunks are too long to wait.
    long: Option<(Hasher<P::Algorithm>, usize)>,
    over: Over<P::Algorithm>,
    n_bytes: u64,
    n_chunks: u64,
    kept: Vec<u8>,
    keep: K,
}

/// What stands over the chunks' digests, on its way.
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

    /// Takes the next part of the message.
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

    /// Takes digests of chunks that were hashed elsewhere, by [`Preset::digest_chunks`] or [`Preset::chunk_hasher`]: the
    /// next ones of the message, which are whole.
    ///
    /// # Panics
    /// If the parts before end within a chunk.
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

    /// The result for all that was taken.
    ///
    /// # Errors
    /// Where the format has no result for such a message: see its type.
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

    /// Chunks of more than [`LONGEST_WAITING`] bytes: whole ones together, others alone.
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
            // In its place from the first byte to the last: a hasher that is moved leaves a copy behind.
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
            // Chunks are digests: the nodes over them are hashed where they stand.
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

/// Ends a chunk that `left` bytes are missing of.
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

/// What becomes of nodes besides those above them.
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

/// Says how much it took.
impl<P: Preset, K> fmt::Debug for MerkleHasher<P, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MerkleHasher")
            .field("n_bytes", &self.n_bytes)
            .field("n_chunks", &self.n_chunks)
            .finish_non_exhaustive()
    }
}
