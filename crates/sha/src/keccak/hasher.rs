//! One message, whole or in parts: absorbing and squeezing (FIPS 202, section 4).

use core::fmt;
use core::marker::PhantomData;

use hashlanes_isa::sponge::{Row, State};

use super::algorithm::{MAX_RATE, Parameters, Sponge, SpongeHash, Xof, digest_of, put_words};
use super::one::{absorb_one, digest_one, kernel_of_one, permute_one};

/// An incremental SHA-3, SHAKE or Keccak-256: takes a message in parts.
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
/// It is overwritten when it is dropped (feature `zeroize`, on by default). A hasher that is moved leaves a copy, and kernels spill to
/// the stack, as with [`Hasher`](crate::Hasher#secrets).
#[derive(Clone)]
pub struct SpongeHasher<S: Sponge> {
    state: State,
    /// What does not fill a block yet.
    buffer: [u8; MAX_RATE],
    n_buffered: usize,
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

/// Says which function it is; the state stays private.
impl<S: Sponge> fmt::Debug for SpongeHasher<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpongeHasher").field("algorithm", &S::NAME).finish_non_exhaustive()
    }
}

impl<S: Sponge> SpongeHasher<S> {
    const PARAMETERS: Parameters = S::PARAMETERS;

    /// The hash of the empty message, to be continued.
    #[inline]
    pub fn new() -> Self {
        Self { state: [0; 25], buffer: [0; MAX_RATE], n_buffered: 0, sponge: PhantomData }
    }

    /// Absorbs the next part of the message: bytes, a string, or anything else that is [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn update(&mut self, part: impl AsRef<[u8]>) {
        self.absorb(part.as_ref());
    }

    /// The body of [`update`](Self::update), which is compiled once for all types of parts.
    pub(crate) fn absorb(&mut self, part: &[u8]) {
        let missing = S::BLOCK_BYTES - self.n_buffered;
        let mut part = part;
        if self.n_buffered > 0 && part.len() >= missing {
            let (head, rest) = part.split_at(missing);
            self.buffer[self.n_buffered..S::BLOCK_BYTES].copy_from_slice(head);
            let last = &self.buffer[..S::BLOCK_BYTES];
            let row = Row { blocks: &[], last };
            absorb_one(kernel_of_one(), Self::PARAMETERS.rate, &mut self.state, row);
            (self.n_buffered, part) = (0, rest);
        }
        if self.n_buffered == 0 {
            let (body, rest) = Self::PARAMETERS.split(part);
            if let Some(last) = body.len().checked_sub(S::BLOCK_BYTES) {
                let (blocks, last) = body.split_at(last);
                absorb_one(kernel_of_one(), Self::PARAMETERS.rate, &mut self.state, Row { blocks, last });
            }
            part = rest;
        }
        self.buffer[self.n_buffered..][..part.len()].copy_from_slice(part);
        self.n_buffered += part.len();
    }

    /// Starts again with the empty message, in a way that the compiler keeps.
    #[inline]
    pub fn reset(&mut self) {
        (self.state, self.buffer, self.n_buffered) = ([0; 25], [0; MAX_RATE], 0);
        core::hint::black_box(self);
    }

    /// Absorbs the end of the message: the buffer, padded in place, so that no copy of it stays on the stack.
    fn end(&mut self) {
        self.buffer[self.n_buffered..].fill(0);
        Self::PARAMETERS.pad(&mut self.buffer, self.n_buffered);
        let row = Row { blocks: &[], last: &self.buffer };
        absorb_one(kernel_of_one(), Self::PARAMETERS.rate, &mut self.state, row);
    }
}

impl<S: SpongeHash> SpongeHasher<S> {
    /// The digest of all that was taken.
    #[inline]
    pub fn finish(mut self) -> S::Digest {
        self.end();
        digest_of::<S>(&self.state)
    }

    /// Returns the digest of all that was taken, and starts again with the empty message.
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
        self.end();
        let digest = digest_of::<S>(&self.state);
        self.reset();
        digest
    }

    /// Returns the digest of a whole message: bytes, a string, or anything else that is [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn digest(message: impl AsRef<[u8]>) -> S::Digest {
        Self::digest_bytes(message.as_ref())
    }

    /// The body of [`digest`](Self::digest), which is compiled once for all types of messages.
    pub(crate) fn digest_bytes(message: &[u8]) -> S::Digest {
        let (blocks, rest) = Self::PARAMETERS.split(message);
        let mut last = [0; MAX_RATE];
        Self::PARAMETERS.put_end(rest, &mut last);
        let head = digest_one(kernel_of_one(), Self::PARAMETERS.rate, Row { blocks, last: &last });
        last.fill(0);
        core::hint::black_box(&last);
        digest_of::<S>(&head)
    }
}

impl<S: Xof> SpongeHasher<S> {
    /// Ends the message: the reader returns as much output as it is asked for.
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
        self.end();
        XofReader { state: self.state, n_read: 0, sponge: PhantomData }
    }

    /// As [`finish_xof`](Self::finish_xof), and starts again with the empty message.
    #[inline]
    pub fn finish_xof_reset(&mut self) -> XofReader<S> {
        self.end();
        let reader = XofReader { state: self.state, n_read: 0, sponge: PhantomData };
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
    /// Takes all of `part`; never fails.
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.absorb(part);
        Ok(part.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The output of a SHAKE, as much as is read. Made by [`SpongeHasher::finish_xof`].
///
/// It is overwritten when it is dropped (feature `zeroize`, on by default).
#[derive(Clone)]
pub struct XofReader<S: Xof> {
    state: State,
    /// Bytes read of the state's first block of output.
    n_read: usize,
    sponge: PhantomData<S>,
}

#[cfg(feature = "zeroize")]
impl<S: Xof> Drop for XofReader<S> {
    #[inline]
    fn drop(&mut self) {
        self.state = [0; 25];
        core::hint::black_box(self);
    }
}

#[cfg(feature = "zeroize")]
impl<S: Xof> zeroize::ZeroizeOnDrop for XofReader<S> {}

/// Says which function it is; the state stays private.
impl<S: Xof> fmt::Debug for XofReader<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XofReader").field("algorithm", &S::NAME).finish_non_exhaustive()
    }
}

impl<S: Xof> XofReader<S> {
    /// Fills `output` with the bytes of output that follow those read before.
    pub fn read(&mut self, output: &mut [u8]) {
        let mut output = output;
        while !output.is_empty() {
            if self.n_read == S::BLOCK_BYTES {
                permute_one(kernel_of_one(), &mut self.state);
                self.n_read = 0;
            }
            let n_now = output.len().min(S::BLOCK_BYTES - self.n_read);
            let (now, later) = output.split_at_mut(n_now);
            put_from(&self.state, self.n_read, now);
            self.n_read += n_now;
            output = later;
        }
    }
}

/// Writes the bytes of a state from number `from` on.
fn put_from(state: &State, from: usize, out: &mut [u8]) {
    let (words, n_before) = (&state[from / 8..], from % 8);
    if n_before == 0 {
        return put_words(words, out);
    }
    let (first, others) = out.split_at_mut(out.len().min(8 - n_before));
    first.copy_from_slice(&words[0].to_le_bytes()[n_before..][..first.len()]);
    put_words(&words[1..], others);
}

#[cfg(feature = "std")]
impl<S: Xof> std::io::Read for XofReader<S> {
    /// Fills all of `output`; never fails, and never ends.
    fn read(&mut self, output: &mut [u8]) -> std::io::Result<usize> {
        self.read(output);
        Ok(output.len())
    }
}
