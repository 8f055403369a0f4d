//! j-lanes v1: a message cut word by word into j lanes, in the order in which the lanes of a vector register
//! read memory.

use alloc::vec::Vec;
use core::fmt;

use arrayvec::ArrayVec;
use hashlanes_sha::{Midstate, State, algorithms, compress_interleaved, digest_of};

use crate::algorithm::{Forced, TreeAlgorithm};
use crate::error::{MAX_J, TreeError, expect};
use crate::lane_ends::compress_ends;
use crate::last_hash::wrap;
use crate::mode::Variant;
use crate::prefix::{Prefixes, Slicing};
use crate::wiped_bytes::Wiped;

/// j-lanes v1 over SHA-1.
pub type JLanesSha1 = JLanes<algorithms::Sha1>;
/// j-lanes v1 over SHA-256.
pub type JLanesSha256 = JLanes<algorithms::Sha256>;
/// j-lanes v1 over SHA-384.
pub type JLanesSha384 = JLanes<algorithms::Sha384>;
/// j-lanes v1 over SHA-512.
pub type JLanesSha512 = JLanes<algorithms::Sha512>;

/// The function `jlanes-v1-<hash>-<j>`: one message, cut word by word into j lanes that are hashed at once.
///
/// Byte k belongs to lane (k div W) mod j, where W is the hash's word length. The result is the hash of the
/// lanes' digests; every hash begins with a prefix block (see the crate's documentation). A value holds the
/// states after these blocks: create it once and use it for many messages. Clones share them.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::JLanesSha256;
///
/// let jlanes = JLanesSha256::new(16);
/// let digest = jlanes.digest(b"a message");
///
/// let mut hasher = jlanes.hasher();
/// hasher.update(b"a mess");
/// hasher.update(b"age");
/// assert_eq!(hasher.finish(), digest);
/// ```
#[derive(Clone)]
pub struct JLanes<A: TreeAlgorithm> {
    prefixes: Prefixes<A>,
    variant: Variant,
    kernel: Forced<A>,
}

impl<A: TreeAlgorithm> JLanes<A> {
    /// Creates the function with `j` lanes, 1 to 255.
    ///
    /// # Panics
    /// Panics unless `j` is 1 to 255.
    #[track_caller]
    pub fn new(j: usize) -> Self {
        Self::with_variant(j, Variant::V1)
    }

    /// Like [`JLanes::new`], with other prefix blocks than v1's, which are not secure: see [`Variant`].
    ///
    /// # Panics
    /// Like [`JLanes::new`].
    #[track_caller]
    pub fn with_variant(j: usize, variant: Variant) -> Self {
        expect(Self::try_new(j, variant))
    }

    /// Like [`JLanes::with_variant`], but returns an error instead of panicking.
    ///
    /// # Errors
    /// [`TreeError::J`].
    pub fn try_new(j: usize, variant: Variant) -> Result<Self, TreeError> {
        let prefixes = Prefixes::new(Slicing::Lanes, variant, j)?;
        Ok(Self { prefixes, variant, kernel: None })
    }

    /// Returns the same function on this kernel only; results are the same.
    pub fn on(self, kernel: &'static hashlanes_sha::kernels::Kernel<A::Function>) -> Self {
        Self { kernel: Some(kernel), ..self }
    }

    /// Returns the number of lanes.
    pub fn j(&self) -> usize {
        self.prefixes.j()
    }

    /// Returns the variant of the prefix blocks.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the state after prefix block `i`: that of lane i, or of the last hash for i = j.
    ///
    /// # Panics
    /// Panics if `i` exceeds j.
    #[track_caller]
    pub fn prefix(&self, i: usize) -> Midstate<A> {
        self.prefixes.number(i)
    }

    /// Returns the digest of a whole message. Only its end, less than a block per lane, is copied.
    pub fn digest(&self, message: &[u8]) -> A::Digest {
        let mut states: ArrayVec<State<A>, MAX_J> = self.initial_states().collect();
        let (body, rest) = message.split_at(message.len() / self.row_of_blocks() * self.row_of_blocks());
        compress_interleaved(self.kernel, &mut states, body, self.j(), 0);
        self.end(&mut states, rest, message.len() as u64)
    }

    /// Like [`JLanes::digest`], with lanes on rayon's threads. Each thread reads the whole message, so
    /// [`JPointers::digest_parallel`](crate::JPointers::digest_parallel) gains more.
    #[cfg(feature = "rayon")]
    pub fn digest_parallel(&self, message: &[u8]) -> A::Digest {
        use rayon::prelude::*;
        let mut states: ArrayVec<State<A>, MAX_J> = self.initial_states().collect();
        let (body, rest) = message.split_at(message.len() / self.row_of_blocks() * self.row_of_blocks());
        let n_lanes = self.j().div_ceil(rayon::current_num_threads());
        states.par_chunks_mut(n_lanes).enumerate().for_each(|(i, some)| {
            compress_interleaved(self.kernel, some, body, self.j(), i * n_lanes);
        });
        self.end(&mut states, rest, message.len() as u64)
    }

    /// Begins a message in parts.
    pub fn hasher(&self) -> JLanesHasher<A> {
        let states = self.initial_states().collect();
        JLanesHasher {
            function: self.clone(),
            states,
            buffer: Wiped::zeros(self.row_of_blocks()),
            n_bytes: 0,
        }
    }

    fn initial_states(&self) -> impl Iterator<Item = State<A>> + '_ {
        self.prefixes.of_slices().iter().map(|midstate| *midstate.state())
    }

    /// Returns the number of bytes of a block of every lane.
    fn row_of_blocks(&self) -> usize {
        self.j() * A::BLOCK_BYTES
    }

    /// Returns the result: `rest` is the part of the message's `n_bytes` bytes that the lanes have not
    /// absorbed yet.
    fn end(&self, states: &mut [State<A>], rest: &[u8], n_bytes: u64) -> A::Digest {
        let prefix_bytes = self.prefixes.of_wrap().n_bytes();
        let n_before = prefix_bytes + (n_bytes - rest.len() as u64) / self.j() as u64;
        compress_ends::<A>(self.kernel, states, rest, n_before);
        wrap(self.kernel, self.prefixes.of_wrap(), states.iter().map(digest_of::<A>))
    }
}

impl<A: TreeAlgorithm> fmt::Debug for JLanes<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "jlanes-{}-{}-{}", self.variant, A::HASH, self.j())
    }
}

/// The hasher of a message for [`JLanes`], in parts of any length. It holds a state, and less than a block,
/// for each lane.
#[derive(Clone)]
pub struct JLanesHasher<A: TreeAlgorithm> {
    function: JLanes<A>,
    states: Vec<State<A>>,
    /// A block per lane; only its first bytes, those after whole rows of blocks, are in use.
    buffer: Wiped,
    n_bytes: u64,
}

impl<A: TreeAlgorithm> JLanesHasher<A> {
    /// Begins a message in `j` lanes; for several messages, create the [`JLanes`] once.
    ///
    /// # Panics
    /// Panics unless `j` is 1 to 255.
    #[track_caller]
    pub fn new(j: usize) -> Self {
        JLanes::new(j).hasher()
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, part: &[u8]) {
        let (kernel, j, row) = (self.function.kernel, self.function.j(), self.buffer.len());
        let buffered = self.buffered();
        self.n_bytes += part.len() as u64;
        let mut part = part;
        if buffered > 0 {
            let (head, rest) = part.split_at(part.len().min(row - buffered));
            self.buffer[buffered..][..head.len()].copy_from_slice(head);
            if buffered + head.len() < row {
                return;
            }
            compress_interleaved(kernel, &mut self.states, &self.buffer, j, 0);
            part = rest;
        }
        let (body, rest) = part.split_at(part.len() / row * row);
        compress_interleaved(kernel, &mut self.states, body, j, 0);
        self.buffer[..rest.len()].copy_from_slice(rest);
    }

    /// Returns the digest of the input.
    pub fn finish(mut self) -> A::Digest {
        self.end()
    }

    /// Returns the digest; the hasher must not be used afterwards.
    pub(crate) fn end(&mut self) -> A::Digest {
        let rest = &self.buffer[..self.buffered()];
        self.function.end(&mut self.states, rest, self.n_bytes)
    }

    fn buffered(&self) -> usize {
        (self.n_bytes % self.buffer.len() as u64) as usize
    }
}

impl<A: TreeAlgorithm> Drop for JLanesHasher<A> {
    fn drop(&mut self) {
        self.states.fill(A::H0);
        core::hint::black_box(&mut self.states);
    }
}

/// Prints the function's name and the length so far, but not the states, which are private.
impl<A: TreeAlgorithm> fmt::Debug for JLanesHasher<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JLanesHasher")
            .field("function", &self.function)
            .field("n_bytes", &self.n_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<A: TreeAlgorithm> std::io::Write for JLanesHasher<A> {
    /// Absorbs all of `part`; never fails.
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.update(part);
        Ok(part.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
