//! mh_sha1 and mh_sha256, the multi-hashes of storage software: one message in 16 lanes of words, padded as a
//! whole.

use core::fmt;

use hashlanes_isa::{Function, Kernel};
use hashlanes_sha::{Algorithm, Hasher, State, algorithms, compress_interleaved};

use crate::algorithm::{Forced, TreeAlgorithm};

/// Lanes of a multi-hash.
const LANES: usize = 16;
/// Bytes of a 64-byte block of every lane.
const BLOCKS_BYTES: usize = 64 * LANES;
/// The offset of the length in the last of them.
const LENGTH_AT: usize = BLOCKS_BYTES - 8;

/// An incremental mh_sha1; see [`Mh`].
pub type MhSha1 = Mh<algorithms::Sha1>;
/// An incremental mh_sha256; see [`Mh`].
pub type MhSha256 = Mh<algorithms::Sha256>;

/// Returns the mh_sha1 of `message`: 5 words. See [`Mh`].
pub fn mh_sha1(message: &[u8]) -> [u32; 5] {
    MhSha1::digest(message)
}

/// Returns the mh_sha256 of `message`: 8 words. See [`Mh`].
pub fn mh_sha256(message: &[u8]) -> [u32; 8] {
    MhSha256::digest(message)
}

/// A multi-hash as deployed in storage software, mh_sha1 or mh_sha256. It accepts a message in parts of any
/// length.
///
/// The message is padded first, to a multiple of 1024 bytes: 0x80, zeros, and the length in bits as 64 bits
/// big-endian. In each 1024 bytes, word 16·t + l is word t of lane l's block. Every lane starts from the
/// hash's initial value and has no padding of its own. The result is the plain hash of the lanes' states:
/// word 0 of all lanes, then word 1, …, each as a little-endian u32.
///
/// A widely used implementation keeps only 32 bits of the length, so its results differ for 2^32 bytes or
/// more.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::{MhSha256, mh_sha256};
///
/// let mut hasher = MhSha256::new();
/// hasher.update(b"a mess");
/// hasher.update(b"age");
/// assert_eq!(hasher.finish(), mh_sha256(b"a message"));
/// ```
#[derive(Clone)]
pub struct Mh<A: Algorithm> {
    kernel: Forced<A>,
    states: [State<A>; LANES],
    /// Only its first bytes, those after whole rows of blocks, are in use.
    buffer: [u8; BLOCKS_BYTES],
    n_bytes: u64,
}

impl<A: TreeAlgorithm<Function: Function<Word = u32>>> Default for Mh<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: TreeAlgorithm<Function: Function<Word = u32>>> Mh<A> {
    /// Creates a hasher of the empty message.
    pub fn new() -> Self {
        Self { kernel: None, states: [A::H0; LANES], buffer: [0; BLOCKS_BYTES], n_bytes: 0 }
    }

    /// Like [`Mh::new`], on this kernel only; results are the same.
    pub fn with_kernel(kernel: &'static Kernel<A::Function>) -> Self {
        Self { kernel: Some(kernel), ..Self::new() }
    }

    /// Returns the multi-hash of a whole message.
    pub fn digest(message: &[u8]) -> State<A> {
        let mut hasher = Self::new();
        hasher.update(message);
        hasher.finish()
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, part: &[u8]) {
        let buffered = self.buffered();
        self.n_bytes += part.len() as u64;
        let mut part = part;
        if buffered > 0 {
            let (head, rest) = part.split_at(part.len().min(BLOCKS_BYTES - buffered));
            self.buffer[buffered..][..head.len()].copy_from_slice(head);
            if buffered + head.len() < BLOCKS_BYTES {
                return;
            }
            compress_interleaved(self.kernel, &mut self.states, &self.buffer, LANES, 0);
            part = rest;
        }
        let (body, rest) = part.split_at(part.len() / BLOCKS_BYTES * BLOCKS_BYTES);
        compress_interleaved(self.kernel, &mut self.states, body, LANES, 0);
        self.buffer[..rest.len()].copy_from_slice(rest);
    }

    /// Returns the words of the multi-hash of the input.
    pub fn finish(mut self) -> State<A> {
        self.end()
    }

    /// Returns the words; the hasher must not be used afterwards.
    pub(crate) fn end(&mut self) -> State<A> {
        let n_rest = self.buffered();
        self.buffer[n_rest..].fill(0);
        self.buffer[n_rest] = 0x80;
        if n_rest >= LENGTH_AT {
            compress_interleaved(self.kernel, &mut self.states, &self.buffer, LANES, 0);
            self.buffer.fill(0);
        }
        self.buffer[LENGTH_AT..].copy_from_slice(&self.n_bytes.wrapping_mul(8).to_be_bytes());
        compress_interleaved(self.kernel, &mut self.states, &self.buffer, LANES, 0);

        let n_words = A::H0.as_ref().len();
        let mut words = [[0; 4]; LANES * 8];
        for (i, word) in words[..n_words * LANES].iter_mut().enumerate() {
            *word = self.states[i % LANES].as_ref()[i / LANES].to_le_bytes();
        }
        let mut hasher = self.kernel.map_or_else(Hasher::<A>::new, Hasher::with_kernel);
        hasher.update(words[..n_words * LANES].as_flattened());
        let digest = hasher.finish();
        let mut result = A::H0;
        for (word, bytes) in result.as_mut().iter_mut().zip(digest.as_ref().as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        result
    }

    fn buffered(&self) -> usize {
        (self.n_bytes % BLOCKS_BYTES as u64) as usize
    }
}

impl<A: Algorithm> Drop for Mh<A> {
    fn drop(&mut self) {
        (self.states, self.buffer) = ([A::H0; LANES], [0; BLOCKS_BYTES]);
        core::hint::black_box(self);
    }
}

/// Prints the length so far, but not the states, which are private.
impl<A: Algorithm> fmt::Debug for Mh<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mh").field("hash", &A::NAME).field("n_bytes", &self.n_bytes).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<A: TreeAlgorithm<Function: Function<Word = u32>>> std::io::Write for Mh<A> {
    /// Absorbs all of `part`; never fails.
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.update(part);
        Ok(part.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
