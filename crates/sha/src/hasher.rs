//! Incremental hashing: buffering and length, once for all hashes (FIPS 180-4 section 5.2).

use core::fmt;

use hashlanes_isa::Kernel;

use crate::ShapeError;
use crate::algorithm::{Algorithm, State, digest_of};
use crate::compiled::Compiled;
use crate::error::expect;
use crate::padding::{LastBlock, compress_to_end};
use crate::progress::Progress;

/// An incremental hash, which accepts a message in parts.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::Sha256;
/// let mut h = Sha256::new();
/// h.update(b"a");
/// h.update(b"bc");
/// assert_eq!(h.finish(), hashlanes::sha256(b"abc"));
/// ```
///
/// Several hashers advance faster together: [`Hasher::update_many`], [`Hasher::finish_many`].
///
/// # Secrets
/// A hasher overwrites its buffer and its state when it is dropped (feature `zeroize`, on by default). It
/// never copies its buffer: [`update`](Hasher::update) and [`finish`](Hasher::finish) compress it in place.
/// Two copies remain out of its reach:
/// - A hasher that is *moved* leaves a copy at its old place, as every Rust value does.
///   [`finish`](Hasher::finish) accepts the hasher by value, so it moves it out of a `Box` or a struct. Use
///   [`finish_reset`](Hasher::finish_reset) there: it overwrites the hasher in place.
/// - Kernels spill words of a message and states to the stack. [`wipe_stack`](crate::wipe_stack) overwrites
///   them.
#[derive(Clone)]
pub struct Hasher<A: Algorithm> {
    pub(crate) progress: Progress<A::Function>,
}

impl<A: Algorithm> Default for Hasher<A> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "zeroize")]
impl<A: Algorithm> Drop for Hasher<A> {
    #[inline]
    fn drop(&mut self) {
        self.wipe();
    }
}

#[cfg(feature = "zeroize")]
impl<A: Algorithm> zeroize::ZeroizeOnDrop for Hasher<A> {}

/// Prints the hash's name and the length so far, but not the state, which is private.
impl<A: Algorithm> fmt::Debug for Hasher<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("algorithm", &A::NAME)
            .field("n_bytes", &self.progress.n_bytes)
            .finish_non_exhaustive()
    }
}

impl<A: Algorithm> Hasher<A> {
    /// The initial state of messages.
    pub(crate) const START: Midstate<A> = Midstate { state: A::H0, n_bytes: 0 };

    /// Creates a hasher of the empty message.
    #[inline]
    pub fn new() -> Self {
        Self { progress: A::Function::begin(&A::H0, 0) }
    }

    /// Like [`Hasher::new`], on this kernel for every length; [`kernels`](crate::kernels) lists them.
    ///
    /// On a kernel of several lanes, all lanes but one are idle.
    #[inline]
    pub fn with_kernel(kernel: &'static Kernel<A::Function>) -> Self {
        Self::from_midstate_on(kernel, Self::START)
    }

    /// Continues after a prefix that was hashed once for many messages (a salt, a key).
    #[inline]
    pub fn from_midstate(midstate: Midstate<A>) -> Self {
        Self { progress: A::Function::begin(&midstate.state, midstate.n_bytes) }
    }

    /// Like [`Hasher::from_midstate`], on this kernel for every length.
    #[inline]
    pub fn from_midstate_on(kernel: &'static Kernel<A::Function>, midstate: Midstate<A>) -> Self {
        Self { progress: Progress::new(kernel, midstate.state, midstate.n_bytes) }
    }

    /// Returns the state after the input so far, if that is whole blocks.
    pub fn midstate(&self) -> Option<Midstate<A>> {
        let Progress { state, n_bytes, .. } = self.progress;
        (self.progress.buffered() == 0).then_some(Midstate { state, n_bytes })
    }

    /// Absorbs the next part of the message: bytes, a string, or anything else that is
    /// [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn update(&mut self, part: impl AsRef<[u8]>) {
        self.absorb(part.as_ref());
    }

    #[inline]
    pub(crate) fn absorb(&mut self, part: &[u8]) {
        A::Function::absorb(&mut self.progress, part);
    }

    /// Returns the digest of the input.
    ///
    /// (Never inlined: the inlined code would begin with a copy of the hasher, which waits for the last
    /// writes to the buffer.)
    #[inline(never)]
    pub fn finish(mut self) -> A::Digest {
        self.end()
    }

    /// Returns the digest of the input, and starts again with the empty message.
    ///
    /// No data of the message remains in the hasher, with or without the feature `zeroize`.
    ///
    /// ```
    /// # use hashlanes_sha as hashlanes;
    /// use hashlanes::{Sha256, sha256};
    /// let mut h = Box::new(Sha256::new());
    /// h.update(b"secret");
    /// assert_eq!(h.finish_reset(), sha256(b"secret"));
    /// assert_eq!(h.finish_reset(), sha256(b""));
    /// ```
    #[inline]
    pub fn finish_reset(&mut self) -> A::Digest {
        let digest = self.end();
        self.wipe();
        digest
    }

    /// Starts again with the empty message, in a way that the compiler keeps.
    #[inline]
    pub(crate) fn wipe(&mut self) {
        A::Function::wipe(&mut self.progress, &A::H0);
    }

    /// Returns the digest; the state must not be used afterwards.
    #[inline]
    pub(crate) fn end(&mut self) -> A::Digest {
        let mut digest = A::ZERO_DIGEST;
        A::Function::end(&mut self.progress, digest.as_mut());
        digest
    }

    /// Returns the kernel for parts that are passed to this hasher alone.
    #[inline]
    pub fn kernel(&self) -> &'static Kernel<A::Function> {
        self.progress.kernel
    }

    /// Returns the digest of a whole message: bytes, a string, or anything else that is
    /// [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn digest(message: impl AsRef<[u8]>) -> A::Digest {
        let mut digest = A::ZERO_DIGEST;
        A::Function::digest(&A::H0, message.as_ref(), digest.as_mut());
        digest
    }

    /// Like [`Hasher::digest`] of bytes, but uses this kernel for every length. `last` decides how the last
    /// block is hashed. No verb for whole messages is used, so results for two values of `last` differ only
    /// in that.
    #[doc(hidden)]
    pub fn digest_on(kernel: &'static Kernel<A::Function>, message: &[u8], last: LastBlock) -> A::Digest {
        let mut state = A::H0;
        compress_to_end(kernel, &mut state, message, message.len() as u64, last);
        digest_of::<A>(&state)
    }
}

#[cfg(feature = "std")]
impl<A: Algorithm> std::io::Write for Hasher<A> {
    /// Absorbs all of `part`; never fails.
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.absorb(part);
        Ok(part.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The state after whole blocks, kept so that many messages can start there.
///
/// It is `Copy` and is not overwritten when dropped, because a state does not reveal the blocks before it.
/// But a state suffices to continue these blocks: if the prefix is a key, use [`HmacKey`](crate::HmacKey),
/// which is overwritten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Midstate<A: Algorithm> {
    pub(crate) state: State<A>,
    pub(crate) n_bytes: u64,
}

/// Prints the hash's name and the number of bytes, but not the state, from which others could continue.
impl<A: Algorithm> fmt::Debug for Midstate<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Midstate")
            .field("algorithm", &A::NAME)
            .field("n_bytes", &self.n_bytes)
            .finish_non_exhaustive()
    }
}

impl<A: Algorithm> Midstate<A> {
    /// The most bytes before a midstate. With them, neither a length of 64 bits wraps (SHA-1, SHA-224,
    /// SHA-256), nor the count of bytes after the longest possible part.
    const MOST_BYTES: u64 = match A::BLOCK_BYTES {
        64 => (1 << 61) - 64,
        _ => 1 << 63,
    };

    /// Creates a midstate of the chaining value `state` after `n_bytes` bytes.
    ///
    /// # Panics
    /// Panics where [`try_new`](Self::try_new) returns an error.
    #[track_caller]
    pub fn new(state: State<A>, n_bytes: u64) -> Self {
        expect(Self::try_new(state, n_bytes))
    }

    /// Creates a midstate of the chaining value `state` after `n_bytes` bytes.
    ///
    /// # Errors
    /// [`ShapeError::Midstate`] unless `n_bytes` is whole blocks, and so small that the count of bytes does
    /// not wrap: less than 2^61 for hashes with blocks of 64 bytes, at most 2^63 for the others.
    pub fn try_new(state: State<A>, n_bytes: u64) -> Result<Self, ShapeError> {
        if n_bytes.is_multiple_of(A::BLOCK_BYTES as u64) && n_bytes <= Self::MOST_BYTES {
            return Ok(Self { state, n_bytes });
        }
        Err(ShapeError::Midstate { n_bytes, block_bytes: A::BLOCK_BYTES })
    }

    /// Returns the chaining value.
    pub fn state(&self) -> &State<A> {
        &self.state
    }
    /// Returns the number of bytes before the midstate.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }
}
