//! Incremental hashing: buffering and length, once for all hashes (FIPS 180-4 section 5.2).

use core::fmt;

use hashlanes_isa::{Kernel, Plan, Types, Verb};

use crate::ShapeError;
use crate::algorithm::{Algorithm, State, digest_of};
use crate::error::expect;
use crate::padding::{LastBlock, compress_to_end, digest_one, n_blocks, one_block_ends, put_length};

/// Blocks that a part of a message is taken to have, where that is not known: files and streams come in more.
const PART: usize = 16;

/// An incremental hash: takes a message in parts.
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
/// A hasher overwrites its buffer and its state when it is dropped (feature `zeroize`, on by default). It never copies what it
/// buffered: [`update`](Hasher::update) and [`finish`](Hasher::finish) compress the buffer in place. Two copies remain out of
/// its reach:
/// - A hasher that is *moved* leaves a copy at its old place, as every Rust value does. [`finish`](Hasher::finish) takes the
///   hasher by value, so it moves it out of a `Box` or a struct. Use [`finish_reset`](Hasher::finish_reset) there: it
///   overwrites the hasher where it stands.
/// - Kernels spill words of a message and states to the stack. [`wipe_stack`](crate::wipe_stack) overwrites them.
#[derive(Clone)]
pub struct Hasher<A: Algorithm> {
    kernel: &'static Kernel<A::Function>,
    pub(crate) state: State<A>,
    pub(crate) buffer: <A::Function as Types>::Block,
    /// Bytes taken so far. What is over whole blocks is in `buffer`.
    pub(crate) n_bytes: u64,
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

/// Says which hash it is and how much it took; the state stays private.
impl<A: Algorithm> fmt::Debug for Hasher<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("algorithm", &A::NAME)
            .field("n_bytes", &self.n_bytes)
            .finish_non_exhaustive()
    }
}

impl<A: Algorithm> Hasher<A> {
    /// The state that messages start from.
    pub(crate) const START: Midstate<A> = Midstate { state: A::H0, n_bytes: 0 };

    /// The hash of the empty message, to be continued.
    #[inline]
    pub fn new() -> Self {
        Self::with_kernel(Plan::BEST.one(PART))
    }

    /// As [`Hasher::new`], on this kernel whatever the length; [`kernels`](crate::kernels) has them.
    ///
    /// A kernel of several lanes runs with all but one idle.
    #[inline]
    pub fn with_kernel(kernel: &'static Kernel<A::Function>) -> Self {
        Self { kernel, state: A::H0, buffer: A::Function::ZERO_BLOCK, n_bytes: 0 }
    }

    /// Continues behind a prefix that was hashed once for many messages (a salt, a key).
    #[inline]
    pub fn from_midstate(midstate: Midstate<A>) -> Self {
        Self { state: midstate.state, n_bytes: midstate.n_bytes, ..Self::new() }
    }

    /// As [`Hasher::from_midstate`], on this kernel whatever the length.
    #[inline]
    pub fn from_midstate_on(kernel: &'static Kernel<A::Function>, midstate: Midstate<A>) -> Self {
        Self { state: midstate.state, n_bytes: midstate.n_bytes, ..Self::with_kernel(kernel) }
    }

    /// The state after what was taken so far, if that is whole blocks.
    pub fn midstate(&self) -> Option<Midstate<A>> {
        (self.buffered() == 0).then_some(Midstate { state: self.state, n_bytes: self.n_bytes })
    }

    /// Bytes in `buffer`.
    #[inline]
    pub(crate) fn buffered(&self) -> usize {
        (self.n_bytes % A::BLOCK_BYTES as u64) as usize
    }

    /// Absorbs the next part of the message: bytes, a string, or anything else that is [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn update(&mut self, part: impl AsRef<[u8]>) {
        self.absorb(part.as_ref());
    }

    /// The body of [`update`](Self::update), which is compiled once for all types of parts.
    #[inline]
    pub(crate) fn absorb(&mut self, part: &[u8]) {
        let buffered = self.buffered();
        self.n_bytes = self.n_bytes.wrapping_add(part.len() as u64);
        let mut part = part;
        if buffered > 0 {
            let (head, rest) = part.split_at(part.len().min(A::BLOCK_BYTES - buffered));
            self.buffer.as_mut()[buffered..][..head.len()].copy_from_slice(head);
            if buffered + head.len() < A::BLOCK_BYTES {
                return;
            }
            self.kernel.compress_one(&mut self.state, self.buffer.as_ref());
            part = rest;
        }
        let (body, rest) = part.split_at(part.len() / A::BLOCK_BYTES * A::BLOCK_BYTES);
        if !body.is_empty() {
            self.kernel.compress_one(&mut self.state, body);
        }
        if !rest.is_empty() {
            self.buffer.as_mut()[..rest.len()].copy_from_slice(rest);
        }
    }

    /// Counts and buffers a part that is compressed together with others: returns a copy of the buffer, if that filled, and
    /// the whole blocks that follow.
    #[inline]
    pub(crate) fn take<'a>(&mut self, part: &'a [u8]) -> Taken<'a, A> {
        let buffered = self.buffered();
        self.n_bytes = self.n_bytes.wrapping_add(part.len() as u64);
        let mut part = part;
        let mut block = None;
        if buffered > 0 {
            let missing = A::BLOCK_BYTES - buffered;
            if part.len() < missing {
                self.buffer.as_mut()[buffered..][..part.len()].copy_from_slice(part);
                return Taken { block, body: &[] };
            }
            let (head, rest) = part.split_at(missing);
            self.buffer.as_mut()[buffered..].copy_from_slice(head);
            block = Some(self.buffer);
            part = rest;
        }
        let (body, rest) = part.split_at(part.len() / A::BLOCK_BYTES * A::BLOCK_BYTES);
        self.buffer.as_mut()[..rest.len()].copy_from_slice(rest);
        Taken { block, body }
    }

    /// What was taken after the last whole block.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer.as_ref()[..self.buffered()]
    }

    /// Drops what [`rest`](Self::rest) returns.
    #[cfg(feature = "digest")]
    pub(crate) fn forget_rest(&mut self) {
        self.n_bytes -= self.buffered() as u64;
    }

    /// The digest of all that was taken.
    ///
    /// (Never inlined: inlined it would begin with a copy of the hasher, which waits for what was just written to the buffer.)
    #[inline(never)]
    pub fn finish(mut self) -> A::Digest {
        self.end()
    }

    /// Returns the digest of all that was taken, and starts again with the empty message.
    ///
    /// Nothing of the message remains in the hasher, with or without the feature `zeroize`.
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
        (self.state, self.buffer, self.n_bytes) = (A::H0, A::Function::ZERO_BLOCK, 0);
        core::hint::black_box(self);
    }

    /// The digest; the state is then that of the padded message, of no further use. The buffer is padded in place, so that no
    /// copy of it stays on the stack.
    #[inline]
    pub(crate) fn end(&mut self) -> A::Digest {
        let (kernel, n_rest) = (self.kernel, self.buffered());
        let last = match kernel.offers(Verb::Rounds) {
            true => A::Function::pre_expanded_end(self.n_bytes),
            false => None,
        };
        // Not of SHA-512: the shape that a kernel is given would take 900 bytes of stack here, and few CPUs have such a kernel.
        let is_small = A::Function::BLOCK_BYTES <= 64;
        if is_small && n_rest < one_block_ends::<A::Function>() && last.is_none() {
            let mut digest = A::ZERO_DIGEST;
            let n_before = self.n_bytes - n_rest as u64;
            digest_one(kernel, &self.state, n_before, &self.buffer.as_ref()[..n_rest], digest.as_mut());
            return digest;
        }
        let buffer = self.buffer.as_mut();
        buffer[n_rest] = 0x80;
        buffer[n_rest + 1..].fill(0);
        if n_rest >= one_block_ends::<A::Function>() {
            kernel.compress_one(&mut self.state, self.buffer.as_ref());
            self.buffer = A::Function::ZERO_BLOCK;
        }
        // A block that is expanded beforehand holds nothing of the message.
        if let Some(last) = last {
            kernel.rounds(&mut self.state, last);
        } else {
            put_length::<A::Function>(&mut self.buffer, self.n_bytes);
            kernel.compress_one(&mut self.state, self.buffer.as_ref());
        }
        digest_of::<A>(&self.state)
    }

    /// The kernel that parts given to this hasher alone are compressed on.
    #[inline]
    pub fn kernel(&self) -> &'static Kernel<A::Function> {
        self.kernel
    }

    /// Returns the digest of a whole message: bytes, a string, or anything else that is [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn digest(message: impl AsRef<[u8]>) -> A::Digest {
        Self::digest_bytes(message.as_ref())
    }

    /// The body of [`digest`](Self::digest), which is compiled once for all types of messages.
    #[inline]
    pub(crate) fn digest_bytes(message: &[u8]) -> A::Digest {
        let kernel = Plan::<A::Function>::BEST.one(n_blocks::<A::Function>(message.len()));
        let mut digest = A::ZERO_DIGEST;
        digest_one(kernel, &A::H0, 0, message, digest.as_mut());
        digest
    }

    /// As [`Hasher::digest`] of bytes, on this kernel whatever the length, and the last block as told: no verb of whole messages, so that
    /// this is what differs.
    #[doc(hidden)]
    pub fn digest_on(kernel: &'static Kernel<A::Function>, message: &[u8], last: LastBlock) -> A::Digest {
        let mut state = A::H0;
        compress_to_end(kernel, &mut state, message, message.len() as u64, last);
        digest_of::<A>(&state)
    }
}

/// See [`Hasher::take`].
pub(crate) struct Taken<'a, A: Algorithm> {
    pub(crate) block: Option<<A::Function as Types>::Block>,
    pub(crate) body: &'a [u8],
}

#[cfg(feature = "std")]
impl<A: Algorithm> std::io::Write for Hasher<A> {
    /// Takes all of `part`; never fails.
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
/// It is `Copy` and is not overwritten when it goes out of scope, because a state does not reveal the blocks before it. It does
/// serve to continue them: if the prefix is a key, use [`HmacKey`](crate::HmacKey), which is overwritten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Midstate<A: Algorithm> {
    pub(crate) state: State<A>,
    pub(crate) n_bytes: u64,
}

/// Prints which hash it is and the number of bytes; not the state, from which others could continue.
impl<A: Algorithm> fmt::Debug for Midstate<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Midstate")
            .field("algorithm", &A::NAME)
            .field("n_bytes", &self.n_bytes)
            .finish_non_exhaustive()
    }
}

impl<A: Algorithm> Midstate<A> {
    /// The most bytes before a midstate: with them, a length of 64 bits does not wrap (SHA-1, SHA-224, SHA-256), nor does the
    /// count of bytes after the longest part there is.
    const MOST_BYTES: u64 = match A::BLOCK_BYTES {
        64 => (1 << 61) - 64,
        _ => 1 << 63,
    };

    /// The chaining value `state` after `n_bytes` bytes.
    ///
    /// # Panics
    /// Panics where [`try_new`](Self::try_new) returns an error.
    #[track_caller]
    pub fn new(state: State<A>, n_bytes: u64) -> Self {
        expect(Self::try_new(state, n_bytes))
    }

    /// The chaining value `state` after `n_bytes` bytes.
    ///
    /// # Errors
    /// [`ShapeError::Midstate`] unless `n_bytes` is whole blocks, and so few that the count of bytes does not wrap: fewer than
    /// 2^61 of hashes with blocks of 64 bytes, at most 2^63 of the others.
    pub fn try_new(state: State<A>, n_bytes: u64) -> Result<Self, ShapeError> {
        if n_bytes.is_multiple_of(A::BLOCK_BYTES as u64) && n_bytes <= Self::MOST_BYTES {
            return Ok(Self { state, n_bytes });
        }
        Err(ShapeError::Midstate { n_bytes, block_bytes: A::BLOCK_BYTES })
    }

    /// The chaining value.
    pub fn state(&self) -> &State<A> {
        &self.state
    }
    /// Bytes hashed to get there.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }
}
