//! One message, whole or in parts, and its output.

use core::fmt;
use core::marker::PhantomData;

use super::algorithm::{Sponge, SpongeHash, Xof};
use super::progress::{self, Output, Progress};

/// An incremental SHA-3, SHAKE or Keccak-256, which accepts a message in parts.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Sha3_256, sha3_256};
///
/// let mut h = Sha3_256::new();
/// h.update(b"a");
/// h.update(b"bc");
/// assert_eq!(h.finish(), sha3_256(b"abc"));
/// ```
///
/// It is overwritten when it is dropped (feature `zeroize`, on by default). A hasher that is moved leaves a
/// copy, and kernels spill to the stack, as with [`Hasher`](crate::Hasher#secrets).
#[derive(Clone)]
pub struct SpongeHasher<S: Sponge> {
    progress: Progress,
    sponge: PhantomData<S>,
}

impl<S: Sponge> Default for SpongeHasher<S> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "zeroize")]
impl<S: Sponge> Drop for SpongeHasher<S> {
    #[inline]
    fn drop(&mut self) {
        self.reset();
    }
}

#[cfg(feature = "zeroize")]
impl<S: Sponge> zeroize::ZeroizeOnDrop for SpongeHasher<S> {}

/// Prints the function's name, but not the state, which is private.
impl<S: Sponge> fmt::Debug for SpongeHasher<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpongeHasher").field("algorithm", &S::NAME).finish_non_exhaustive()
    }
}

impl<S: Sponge> SpongeHasher<S> {
    /// Creates a hasher of the empty message.
    #[inline]
    pub fn new() -> Self {
        Self { progress: Progress::new(), sponge: PhantomData }
    }

    /// Absorbs the next part of the message: bytes, a string, or anything else that is
    /// [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn update(&mut self, part: impl AsRef<[u8]>) {
        self.absorb(part.as_ref());
    }

    #[inline]
    pub(crate) fn absorb(&mut self, part: &[u8]) {
        self.progress.absorb(S::PARAMETERS, part);
    }

    /// Starts again with the empty message, in a way that the compiler keeps.
    #[inline]
    pub fn reset(&mut self) {
        self.progress.wipe();
    }
}

impl<S: SpongeHash> SpongeHasher<S> {
    /// Returns the digest of the input.
    #[inline]
    pub fn finish(mut self) -> S::Digest {
        let mut digest = S::ZERO_DIGEST;
        self.progress.finish(S::PARAMETERS, digest.as_mut());
        digest
    }

    /// Returns the digest of the input, and starts again with the empty message.
    ///
    /// ```
    /// # use hashlanes_sha as hashlanes;
    /// use hashlanes::{Keccak256, keccak256};
    ///
    /// let mut h = Keccak256::new();
    /// h.update(b"abc");
    /// assert_eq!(h.finish_reset(), keccak256(b"abc"));
    /// assert_eq!(h.finish_reset(), keccak256(b""));
    /// ```
    #[inline]
    pub fn finish_reset(&mut self) -> S::Digest {
        let mut digest = S::ZERO_DIGEST;
        self.progress.finish(S::PARAMETERS, digest.as_mut());
        self.reset();
        digest
    }

    /// Returns the digest of a whole message: bytes, a string, or anything else that is
    /// [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn digest(message: impl AsRef<[u8]>) -> S::Digest {
        let mut digest = S::ZERO_DIGEST;
        progress::digest(S::PARAMETERS, message.as_ref(), digest.as_mut());
        digest
    }
}

impl<S: Xof> SpongeHasher<S> {
    /// Ends the message, and returns a reader of output of any length.
    ///
    /// ```
    /// # use hashlanes_sha as hashlanes;
    /// use hashlanes::{Shake256, shake256};
    ///
    /// let mut h = Shake256::new();
    /// h.update(b"abc");
    /// let mut reader = h.finish_xof();
    /// let (mut first, mut others, mut at_once) = ([0; 10], [0; 190], [0; 200]);
    /// reader.read(&mut first);
    /// reader.read(&mut others);
    /// shake256(b"abc", &mut at_once);
    /// assert_eq!([&first[..], &others[..]].concat(), at_once);
    /// ```
    #[inline]
    pub fn finish_xof(mut self) -> XofReader<S> {
        self.progress.end(S::PARAMETERS);
        XofReader { output: Output::of(self.progress.state), sponge: PhantomData }
    }

    /// Like [`finish_xof`](Self::finish_xof), and starts again with the empty message.
    #[inline]
    pub fn finish_xof_reset(&mut self) -> XofReader<S> {
        self.progress.end(S::PARAMETERS);
        let reader = XofReader { output: Output::of(self.progress.state), sponge: PhantomData };
        self.reset();
        reader
    }

    /// Fills `output` with the output for a whole message.
    pub(crate) fn output(message: &[u8], output: &mut [u8]) {
        let mut hasher = Self::new();
        hasher.absorb(message);
        hasher.finish_xof().read(output);
    }
}

#[cfg(feature = "std")]
impl<S: Sponge> std::io::Write for SpongeHasher<S> {
    /// Absorbs all of `part`; never fails.
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.absorb(part);
        Ok(part.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The output of a SHAKE, of any length. Made by [`SpongeHasher::finish_xof`].
///
/// It is overwritten when it is dropped (feature `zeroize`, on by default).
#[derive(Clone)]
pub struct XofReader<S: Xof> {
    output: Output,
    sponge: PhantomData<S>,
}

#[cfg(feature = "zeroize")]
impl<S: Xof> Drop for XofReader<S> {
    #[inline]
    fn drop(&mut self) {
        self.output.wipe();
    }
}

#[cfg(feature = "zeroize")]
impl<S: Xof> zeroize::ZeroizeOnDrop for XofReader<S> {}

/// Prints the function's name, but not the state, which is private.
impl<S: Xof> fmt::Debug for XofReader<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XofReader").field("algorithm", &S::NAME).finish_non_exhaustive()
    }
}

impl<S: Xof> XofReader<S> {
    /// Fills `output` with the next bytes of output.
    #[inline]
    pub fn read(&mut self, output: &mut [u8]) {
        self.output.read(S::BLOCK_BYTES, output);
    }
}

#[cfg(feature = "std")]
impl<S: Xof> std::io::Read for XofReader<S> {
    /// Fills all of `output`; never fails, and never ends.
    fn read(&mut self, output: &mut [u8]) -> std::io::Result<usize> {
        self.read(output);
        Ok(output.len())
    }
}
