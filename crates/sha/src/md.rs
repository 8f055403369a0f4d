//! Merkle–Damgård, once for all hashes: padding, buffering and length (FIPS 180-4 sections 5.1 and 5.2).

use core::fmt;
use core::ops::Range;

use hashlanes_isa::{Fixed, Function, Kernel, PreExpanded, Verb, Word};

use crate::algorithm::{Algorithm, State, digest_of};

/// The end of a message, padded: one block or two.
pub(crate) struct Padded<F: Function> {
    blocks: [F::Block; 2],
    n_blocks: usize,
}

impl<F: Function> Padded<F> {
    /// Pads `rest`, what remains of a message of `n_bytes` bytes after its whole blocks.
    #[inline]
    pub(crate) fn new(rest: &[u8], n_bytes: u64) -> Self {
        let (mut blocks, n_blocks) = ([F::ZERO_BLOCK; 2], n_end_blocks::<F>(rest.len()));
        pad::<F>(&mut blocks[..n_blocks], rest, n_bytes);
        Self { blocks, n_blocks }
    }

    #[inline]
    pub(crate) fn blocks(&self) -> &[F::Block] {
        &self.blocks[..self.n_blocks]
    }
}

/// Bytes of the length that ends a message: two words.
const fn length_bytes<F: Function>() -> usize {
    2 * F::Word::BYTES
}

/// The blocks in which a message ends of which `n_rest` bytes remain after its whole blocks: 1 or 2.
#[inline]
pub(crate) fn n_end_blocks<F: Function>(n_rest: usize) -> usize {
    if n_rest < one_block_ends::<F>() { 1 } else { 2 }
}

/// Where the length begins in the last block: messages of fewer bytes fit into one with their padding.
#[inline]
pub(crate) const fn one_block_ends<F: Function>() -> usize {
    F::BLOCK_BYTES - length_bytes::<F>()
}

/// Blocks of a message of `len_bytes` bytes with its padding.
#[inline]
pub(crate) fn n_blocks<F: Function>(len_bytes: usize) -> usize {
    len_bytes / F::BLOCK_BYTES + n_end_blocks::<F>(len_bytes % F::BLOCK_BYTES)
}

/// Writes the end of a message of `n_bytes` bytes into `blocks`, which are zero and as many as [`n_end_blocks`] tells:
/// `rest`, what remains after its whole blocks, then section 5.1: a one bit, zeros, and the length in bits as two words.
#[inline]
pub(crate) fn pad<F: Function>(blocks: &mut [F::Block], rest: &[u8], n_bytes: u64) {
    let first = blocks[0].as_mut();
    copy_short(first, rest);
    first[rest.len()] = 0x80;
    put_length::<F>(&mut blocks[blocks.len() - 1], n_bytes);
}

/// Ends a message of `n_bytes` bytes: its length in bits as two words.
#[inline(always)]
fn put_length<F: Function>(last: &mut F::Block, n_bytes: u64) {
    let length = (u128::from(n_bytes) * 8).to_be_bytes();
    last.as_mut()[one_block_ends::<F>()..].copy_from_slice(&length[length.len() - length_bytes::<F>()..]);
}

/// Copies fewer bytes than a block to the start of `to`: two pieces of one size, which overlap. A call of `memcpy`, which
/// does the same, takes some 10 cycles more.
#[inline]
fn copy_short(to: &mut [u8], from: &[u8]) {
    let n = from.len();
    let to = &mut to[..n];
    macro_rules! two_pieces {
        ($($size:literal)*) => {$(
            if let (Some(first), Some(last)) = (from.first_chunk::<$size>(), from.last_chunk::<$size>()) {
                to[..$size].copy_from_slice(first);
                to[n - $size..].copy_from_slice(last);
                return;
            }
        )*};
    }
    two_pieces!(64 32 16 8 4 2 1);
}

/// All of a message of one block, `values[message]`, padded as the end of a message of `n_bytes` bytes.
///
/// Where a whole block can be read there, it is, and what is behind the message masked out: no branch depends on the
/// length (8 cycles instead of 25 where lengths differ).
#[inline(always)]
pub(crate) fn padded_within<F: Function>(values: &[u8], message: Range<usize>, n_bytes: u64) -> F::Block {
    /// As long as the longest block.
    const MOST: usize = 128;
    static OF_MESSAGE: [[u8; MOST]; 2] = [[0xff; MOST], [0; MOST]];
    static ONE_BIT: [[u8; MOST]; 2] = {
        let mut window = [[0; MOST]; 2];
        window[1][0] = 0x80;
        window
    };
    let len_bytes = message.len();
    let Some(there) = values[message.start..].get(..F::BLOCK_BYTES) else {
        let mut block = [F::ZERO_BLOCK];
        pad::<F>(&mut block, &values[message], n_bytes);
        return block[0];
    };
    let of_message = &OF_MESSAGE.as_flattened()[MOST - len_bytes..][..F::BLOCK_BYTES];
    let one_bit = &ONE_BIT.as_flattened()[MOST - len_bytes..][..F::BLOCK_BYTES];
    let mut block = F::ZERO_BLOCK;
    for (i, byte) in block.as_mut().iter_mut().enumerate() {
        *byte = there[i] & of_message[i] | one_bit[i];
    }
    put_length::<F>(&mut block, n_bytes);
    block
}

/// What is done with a message's last block if it holds nothing of it, but padding and the length alone.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastBlock {
    /// Its schedule is a constant, where there is one for the length.
    PreExpanded,
    /// It is compressed as any other: to be compared with.
    Expanded,
}

/// The digest of one message.
#[inline]
pub(crate) fn digest_one<A: Algorithm>(
    kernel: &Kernel<A::Function>,
    start: Midstate<A>,
    message: &[u8],
) -> A::Digest {
    let n_bytes = start.n_bytes + message.len() as u64;
    // A kernel of one message goes from a short one's first byte to its digest's last in one call, so that the next call
    // may begin before this one's rounds are done: 64 bytes by SHA-NI take 3.3 instead of 4.1 cycles per byte.
    if kernel.degree() == 1 && kernel.offers(Verb::FinishFixed) {
        let mut digest = A::ZERO_DIGEST;
        if message.len() < one_block_ends::<A::Function>() {
            let mut block = [A::Function::ZERO_BLOCK];
            pad::<A::Function>(&mut block, message, n_bytes);
            kernel.finish_one(&start.state, &whole_block(), block[0].as_ref(), digest.as_mut());
            wipe(&mut block, [A::Function::ZERO_BLOCK]);
            return digest;
        }
        if start.n_bytes == 0
            && let Some(shape) = A::Function::two_block_shape(message.len())
        {
            kernel.finish_one(&start.state, shape, message, digest.as_mut());
            return digest;
        }
    }
    let mut state = start.state;
    compress_to_end(kernel, &mut state, message, n_bytes, LastBlock::PreExpanded);
    digest_of::<A>(&state)
}

/// Compresses what is left of a message of `n_bytes` bytes, padded.
///
/// A last block that holds nothing of it may be expanded beforehand (Gueron and Krasnov 2012, section 5: case 1, a message of
/// whole blocks; case 2, one that ends where the length would stand). Then its rounds are all that is left of it: on Golden Cove
/// that saves `serial-rorx` 10 % of 64 bytes and 1 % of 2 KiB, `avx2-rorx2`, beside whose rounds the schedule is nearly free, 3 %
/// and 1 %, `sha-ni` 5 % of 256 bytes.
#[inline]
fn compress_to_end<F: Function>(
    kernel: &Kernel<F>,
    state: &mut F::State,
    message: &[u8],
    n_bytes: u64,
    last: LastBlock,
) {
    let (body, rest) = message.split_at(message.len() / F::BLOCK_BYTES * F::BLOCK_BYTES);
    if last == LastBlock::PreExpanded
        && kernel.offers(Verb::Rounds)
        && let Some(last) = F::pre_expanded_end(n_bytes)
    {
        if rest.is_empty() {
            if !body.is_empty() {
                kernel.compress_one(state, body);
            }
        } else {
            let mut first = [F::ZERO_BLOCK];
            copy_short(first[0].as_mut(), rest);
            first[0].as_mut()[rest.len()] = 0x80;
            kernel.compress_body_and_end(state, body, &first);
        }
        return kernel.rounds(state, last);
    }
    // Not overwritten: that takes 20 % of 100 bytes by SHA-NI (Zen 4).
    kernel.compress_body_and_end(state, body, Padded::<F>::new(rest, n_bytes).blocks());
}

/// Overwrites a value that may hold bytes of a message, in a way that the compiler keeps.
///
/// Without the feature `zeroize` it does nothing. Whole vectors are written: the volatile bytes of the crate `zeroize` would
/// take as long as a third of a block by SHA-NI. A message of one block takes no longer for it.
#[inline(always)]
fn wipe<T>(value: &mut T, zero: T) {
    if cfg!(feature = "zeroize") {
        *value = zero;
        core::hint::black_box(value);
    }
}

/// The shape of messages that are padded already, a block each.
#[inline]
pub(crate) fn whole_block<F: Function>() -> Fixed<F> {
    Fixed { len_bytes: F::BLOCK_BYTES, first: F::ZERO_BLOCK, second: None }
}

/// Makes the functions `two_block_shape` and `pre_expanded_end`, in a module with a function `Compression` and its `schedule`.
macro_rules! pre_expanded {
    ($block_bytes:literal) => {
        /// Messages that end in the last eighth of their first block, of 7/8 of a block to a whole one. Their second
        /// blocks hold no more than padding and the length, so their schedules are constants.
        static TWO_BLOCK_SHAPES: [Fixed<Compression>; $block_bytes / 8 + 1] = {
            const N: usize = $block_bytes;
            let none = Fixed { len_bytes: N, first: [0; N], second: None };
            let mut shapes = [none; N / 8 + 1];
            let mut i = 0;
            while i < shapes.len() {
                let len_bytes = 7 * N / 8 + i;
                let (mut first, mut second) = ([0; N], [0; N]);
                if len_bytes < N {
                    first[len_bytes] = 0x80;
                } else {
                    second[0] = 0x80;
                }
                [second[N - 2], second[N - 1]] = (8 * len_bytes as u16).to_be_bytes();
                let second = Some(PreExpanded::with_schedule(second, schedule(&second)));
                shapes[i] = Fixed { len_bytes, first, second };
                i += 1;
            }
            shapes
        };

        /// See [`Function::two_block_shape`].
        #[inline]
        fn two_block_shape(len_bytes: usize) -> Option<&'static Fixed<Compression>> {
            TWO_BLOCK_SHAPES.get(len_bytes.checked_sub(7 * $block_bytes / 8)?)
        }

        /// The last block of messages of `len_bytes` bytes, fewer than 2^13, that holds nothing of them.
        const fn end_block(len_bytes: usize) -> PreExpanded<Compression> {
            const N: usize = $block_bytes;
            let mut block = [0; N];
            if len_bytes % N == 0 {
                block[0] = 0x80;
            }
            [block[N - 2], block[N - 1]] = (8 * len_bytes as u16).to_be_bytes();
            PreExpanded::with_schedule(block, schedule(&block))
        }

        /// Those of messages of whole blocks, as long as 2 KiB.
        static ENDS_OF_WHOLE_BLOCKS: [PreExpanded<Compression>; 2048 / $block_bytes] = {
            let mut ends = [end_block(0); 2048 / $block_bytes];
            let mut i = 0;
            while i < ends.len() {
                ends[i] = end_block((i + 1) * $block_bytes);
                i += 1;
            }
            ends
        };

        /// Those of messages that end in the last eighth of their first block, or of their second.
        static LATE_ENDS: [[PreExpanded<Compression>; $block_bytes / 8]; 2] = {
            let mut ends = [[end_block(0); $block_bytes / 8]; 2];
            let mut i = 0;
            while i < 2 * $block_bytes / 8 {
                let (n_blocks, over) = (i / ($block_bytes / 8), i % ($block_bytes / 8));
                ends[n_blocks][over] = end_block(n_blocks * $block_bytes + 7 * $block_bytes / 8 + over);
                i += 1;
            }
            ends
        };

        /// See [`Function::pre_expanded_end`].
        #[inline]
        fn pre_expanded_end(len_bytes: u64) -> Option<&'static PreExpanded<Compression>> {
            let len_bytes = usize::try_from(len_bytes).ok()?;
            let (n_blocks, over) = (len_bytes / $block_bytes, len_bytes % $block_bytes);
            match over.checked_sub(7 * $block_bytes / 8) {
                None if over == 0 => ENDS_OF_WHOLE_BLOCKS.get(n_blocks.checked_sub(1)?),
                None => None,
                Some(over) => LATE_ENDS.get(n_blocks)?.get(over),
            }
        }
    };
}
pub(crate) use pre_expanded;

/// The shape of equal messages of `len_bytes` bytes, at most a block, that follow `prefix_bytes` hashed already.
///
/// Their padding is the same for all; where it takes a second block, that is expanded beforehand
/// ([`PreExpanded`]).
pub(crate) fn fixed_shape<F: Function>(len_bytes: usize, prefix_bytes: u64) -> Fixed<F> {
    assert!(len_bytes <= F::BLOCK_BYTES);
    if prefix_bytes == 0
        && let Some(shape) = F::two_block_shape(len_bytes)
    {
        return *shape;
    }
    let whole_block = len_bytes == F::BLOCK_BYTES;
    let zeros = F::ZERO_BLOCK;
    let rest = if whole_block { &[] } else { &zeros.as_ref()[..len_bytes] };
    let padded = Padded::<F>::new(rest, prefix_bytes + len_bytes as u64);
    let mut blocks = padded.blocks().iter();
    let first = if whole_block { zeros } else { *blocks.next().expect("one block or two") };
    Fixed { len_bytes, first, second: blocks.next().map(|block| PreExpanded::new(*block)) }
}

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
    pub(crate) buffer: <A::Function as Function>::Block,
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
        Self::with_kernel(A::Function::table().best(1, PART))
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

    /// Takes the next part of the message.
    #[inline]
    pub fn update(&mut self, part: &[u8]) {
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
        self.buffer.as_mut()[..rest.len()].copy_from_slice(rest);
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

    /// The digest of all that was taken.
    #[inline]
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

    /// The digest of a whole message.
    #[inline]
    pub fn digest(message: &[u8]) -> A::Digest {
        let kernel = A::Function::table().best(1, n_blocks::<A::Function>(message.len()));
        digest_one(kernel, Self::START, message)
    }

    /// As [`Hasher::digest`], on this kernel whatever the length, and the last block as told: no verb of whole messages, so that
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
    pub(crate) block: Option<<A::Function as Function>::Block>,
    pub(crate) body: &'a [u8],
}

#[cfg(feature = "std")]
impl<A: Algorithm> std::io::Write for Hasher<A> {
    /// Takes all of `part`; never fails.
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.update(part);
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Midstate<A: Algorithm> {
    pub(crate) state: State<A>,
    pub(crate) n_bytes: u64,
}

impl<A: Algorithm> Midstate<A> {
    /// The chaining value `state` after `n_bytes` bytes.
    ///
    /// # Panics
    /// Unless `n_bytes` is whole blocks.
    #[track_caller]
    pub fn new(state: State<A>, n_bytes: u64) -> Self {
        assert!(
            n_bytes.is_multiple_of(A::BLOCK_BYTES as u64),
            "a midstate after {n_bytes} bytes: no whole blocks"
        );
        Self { state, n_bytes }
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
