//! Functions of contiguous slices, for a message in parts whose length, and with it the slices', is known in
//! advance.

use core::fmt;

use hashlanes_sha::Hasher;

use crate::algorithm::{Forced, TreeAlgorithm};
use crate::error::TreeError;
use crate::last_hash::hasher_from;
use crate::prefix::Prefixes;

/// The hasher of a message of known length for [`JPointers`](crate::JPointers) or
/// [`parallel_hash`](crate::parallel_hash), in parts of any length, slice by slice.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::JPointersSha256;
///
/// let jpointers = JPointersSha256::new(16);
/// let message = [7; 5000];
/// let mut hasher = jpointers.with_length(5000);
/// for part in message.chunks(999) {
///     hasher.update(part)?;
/// }
/// assert_eq!(hasher.finish()?, jpointers.digest(&message));
/// # Ok::<(), hashlanes::tree::TreeError>(())
/// ```
#[derive(Clone)]
pub struct SlicesHasher<A: TreeAlgorithm> {
    kernel: Forced<A>,
    prefixes: Prefixes<A>,
    slice_bytes: u64,
    said: u64,
    came: u64,
    /// The current slice; j after the last one.
    index: usize,
    slice: Hasher<A>,
    left_of_slice: u64,
    wrap: Hasher<A>,
}

impl<A: TreeAlgorithm> SlicesHasher<A> {
    /// Creates the hasher of a message of `said` bytes, the announced length; the bytes after its j slices go
    /// to the last hash.
    pub(crate) fn new(kernel: Forced<A>, prefixes: Prefixes<A>, slice_bytes: u64, said: u64) -> Self {
        let slice = hasher_from(kernel, prefixes.number(0));
        let wrap = hasher_from(kernel, prefixes.of_wrap());
        let left_of_slice = slice_bytes;
        Self { kernel, prefixes, slice_bytes, said, came: 0, index: 0, slice, left_of_slice, wrap }
    }

    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// [`TreeError::Length`] if the message would become longer than the given length; then nothing is
    /// absorbed.
    pub fn update(&mut self, part: &[u8]) -> Result<(), TreeError> {
        let came = self.came.saturating_add(part.len() as u64);
        if came > self.said {
            return Err(TreeError::Length { said: self.said, came });
        }
        self.came = came;
        let mut part = part;
        while !part.is_empty() && self.index < self.prefixes.j() {
            let n = usize::try_from(self.left_of_slice).unwrap_or(usize::MAX).min(part.len());
            let (of_slice, rest) = part.split_at(n);
            self.slice.update(of_slice);
            self.left_of_slice -= n as u64;
            part = rest;
            if self.left_of_slice == 0 {
                self.end_slice();
            }
        }
        self.wrap.update(part);
        Ok(())
    }

    /// Returns the digest of the message.
    ///
    /// # Errors
    /// [`TreeError::Length`] if it is still shorter than the given length.
    pub fn finish(mut self) -> Result<A::Digest, TreeError> {
        self.end()
    }

    /// Returns the digest; the hasher must not be used afterwards.
    pub(crate) fn end(&mut self) -> Result<A::Digest, TreeError> {
        if self.came < self.said {
            return Err(TreeError::Length { said: self.said, came: self.came });
        }
        while self.index < self.prefixes.j() {
            self.end_slice();
        }
        Ok(self.wrap.finish_reset())
    }

    fn end_slice(&mut self) {
        self.index += 1;
        // After the last slice this is the hasher of the last hash, which gets no input here.
        let next = hasher_from(self.kernel, self.prefixes.number(self.index));
        self.wrap.update(self.slice.finish_reset().as_ref());
        self.slice = next;
        self.left_of_slice = self.slice_bytes;
    }
}

/// Prints the length so far, but not the states, which are private.
impl<A: TreeAlgorithm> fmt::Debug for SlicesHasher<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlicesHasher")
            .field("hash", &A::HASH)
            .field("j", &self.prefixes.j())
            .field("said", &self.said)
            .field("came", &self.came)
            .finish_non_exhaustive()
    }
}
