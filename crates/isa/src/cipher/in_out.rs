//! The input and the output of a cipher: two places, or the same one.

use core::fmt;
use core::marker::PhantomData;

use super::{Block, Blocks};

/// Bytes to be read, and as many to be written: in the same place, or in two that do not overlap.
///
/// ```
/// # mod hashlanes { pub mod aes { pub use hashlanes_isa::cipher::Buffer; } }
/// use hashlanes::aes::Buffer;
///
/// let mut bytes = [0; 32];
/// let mut buffer = Buffer::in_place(&mut bytes);
/// let first = buffer.take(16);
/// assert_eq!((first.len(), buffer.len()), (16, 16));
/// ```
///
/// The borrow checker ensures that the two do not overlap:
///
/// ```compile_fail
/// # mod hashlanes { pub mod aes { pub use hashlanes_isa::cipher::Buffer; } }
/// use hashlanes::aes::Buffer;
///
/// let mut bytes = [0; 32];
/// Buffer::new(&bytes[..16], &mut bytes[8..24]);
/// ```
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub struct Buffer<'a> {
    /// Both are valid for `len` bytes during `'a`, and nothing else writes there: "Buffers" in the crate's
    /// documentation.
    src: *const u8,
    dst: *mut u8,
    len: usize,
    bytes: PhantomData<(&'a [u8], &'a mut [u8])>,
}

// SAFETY: it stands for a shared slice and an exclusive one, which may be sent.
unsafe impl Send for Buffer<'_> {}

impl<'a> Buffer<'a> {
    /// Creates a buffer that is read from `src` and written to `dst`.
    ///
    /// # Panics
    /// Panics unless they are of one length.
    #[inline(always)]
    pub fn new(src: &'a [u8], dst: &'a mut [u8]) -> Self {
        if src.len() != dst.len() {
            lengths_differ(src.len(), dst.len());
        }
        Self { src: src.as_ptr(), dst: dst.as_mut_ptr(), len: src.len(), bytes: PhantomData }
    }

    /// Creates a buffer that is read and written in place.
    #[inline(always)]
    pub const fn in_place(bytes: &'a mut [u8]) -> Self {
        let (dst, len) = (bytes.as_mut_ptr(), bytes.len());
        Self { src: dst, dst, len, bytes: PhantomData }
    }

    /// No memory.
    #[inline(always)]
    pub const fn empty() -> Self {
        Self::in_place(&mut [])
    }

    /// Returns the number of bytes left.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the buffer has no bytes.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns how many of the addresses that non-empty buffers read and write map to one set of a
    /// first-level cache (64 sets of 64 bytes); the largest number of all sets.
    #[inline]
    pub fn most_in_one_set<'b>(buffers: impl Iterator<Item = &'b Self>) -> usize
    where
        'a: 'b,
    {
        let mut places = [0u8; 64];
        let mut count = |at: usize| {
            let places = &mut places[at / 64 % 64];
            *places = places.saturating_add(1);
            *places
        };
        let of_one = |buffer: &Self| match core::ptr::eq(buffer.src, buffer.dst) {
            true => count(buffer.src as usize),
            false => count(buffer.src as usize).max(count(buffer.dst as usize)),
        };
        buffers.filter(|buffer| !buffer.is_empty()).map(of_one).max().unwrap_or(0).into()
    }

    /// Removes the first `n_bytes` from `self`, and returns them.
    ///
    /// # Panics
    /// Panics if there are fewer.
    #[inline(always)]
    pub fn take(&mut self, n_bytes: usize) -> Buffer<'a> {
        if n_bytes > self.len {
            too_short(n_bytes, self.len);
        }
        let first = Buffer { len: n_bytes, bytes: PhantomData, ..*self };
        // SAFETY: not beyond the end.
        unsafe {
            self.src = self.src.add(n_bytes);
            self.dst = self.dst.add(n_bytes);
        }
        self.len -= n_bytes;
        first
    }

    /// Returns the same buffer with a shorter lifetime.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Buffer<'_> {
        Buffer { bytes: PhantomData, ..*self }
    }

    /// Returns the input. Overwriting it in place ends it, so the borrow must end before.
    #[inline(always)]
    pub fn input(&self) -> &[u8] {
        // SAFETY: "Buffers"; writing takes `self` exclusively.
        unsafe { core::slice::from_raw_parts(self.src, self.len) }
    }

    /// Returns the output: in place, it is the input.
    #[inline(always)]
    pub fn output(&mut self) -> &mut [u8] {
        // SAFETY: "Buffers"; reading takes `self`, too.
        unsafe { core::slice::from_raw_parts_mut(self.dst, self.len) }
    }
}

/// Prints no part of the bytes, nor where they are.
impl fmt::Debug for Buffer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if core::ptr::eq(self.src, self.dst) { "in place" } else { "apart" };
        write!(f, "Buffer({} bytes, {place})", self.len)
    }
}

// Panics by values. A message that refers to a field of a buffer would keep the buffer in memory: there it is
// copied by 16 bytes at once, which wait for the two stores of 8 bytes before (36 cycles on Zen 4).

#[cold]
#[inline(never)]
fn lengths_differ(input_bytes: usize, output_bytes: usize) -> ! {
    panic!("dst: {output_bytes} bytes for {input_bytes} of src; there must be as many");
}

#[cold]
#[inline(never)]
fn too_short(n_bytes: usize, len: usize) -> ! {
    panic!("{n_bytes} bytes of {len}");
}

#[cold]
#[inline(never)]
fn not_whole_blocks(n_bytes: usize) -> ! {
    panic!("{n_bytes} bytes are no whole blocks");
}

#[cold]
#[inline(never)]
fn other_number(n_messages: usize, wanted: usize) -> ! {
    panic!("{n_messages} messages, not {wanted}");
}

/// The same number of whole blocks of each of `K` messages, for a kernel.
///
/// Places are checked against the number of blocks. The compiler removes the checks in a loop that ends
/// there.
#[derive(Debug)]
pub struct InOut<'a, const K: usize> {
    /// Like [`Buffer`]'s, for `n_blocks` blocks each.
    src: [*const u8; K],
    dst: [*mut u8; K],
    n_blocks: usize,
    bytes: PhantomData<(&'a [u8], &'a mut [u8])>,
}

impl<'a> InOut<'a, 1> {
    /// One message's blocks.
    ///
    /// # Panics
    /// Panics unless the buffer is whole blocks.
    #[inline(always)]
    pub fn one(buffer: Buffer<'a>) -> Self {
        if !buffer.len.is_multiple_of(16) {
            not_whole_blocks(buffer.len);
        }
        Self { src: [buffer.src], dst: [buffer.dst], n_blocks: buffer.len / 16, bytes: PhantomData }
    }

    /// Removes the first `n_blocks` from `self`, and returns them.
    ///
    /// # Panics
    /// Panics if there are fewer.
    #[inline(always)]
    pub fn take(&mut self, n_blocks: usize) -> InOut<'a, 1> {
        assert!(n_blocks <= self.n_blocks);
        let first = InOut { n_blocks, bytes: PhantomData, ..*self };
        // SAFETY: not beyond the end.
        unsafe {
            self.src[0] = self.src[0].add(16 * n_blocks);
            self.dst[0] = self.dst[0].add(16 * n_blocks);
        }
        self.n_blocks -= n_blocks;
        first
    }

    /// Consecutive blocks from block `at` on.
    ///
    /// # Panics
    /// Panics if they pass the end.
    #[inline(always)]
    pub fn load<B: Blocks>(&self, isa: B::Proof, at: usize) -> B {
        self.check(0, at, B::DEGREE);
        // SAFETY: "Buffers", and within them; the slice ends before anything is written.
        B::load(isa, unsafe { core::slice::from_raw_parts(self.src[0].add(16 * at), 16 * B::DEGREE) })
    }

    /// Writes consecutive blocks from block `at` on.
    ///
    /// # Panics
    /// Panics if they pass the end.
    #[inline(always)]
    pub fn store<B: Blocks>(&mut self, at: usize, blocks: B) {
        self.check(0, at, B::DEGREE);
        // SAFETY: "Buffers", and within them.
        blocks.store(unsafe { core::slice::from_raw_parts_mut(self.dst[0].add(16 * at), 16 * B::DEGREE) });
    }
}

impl InOut<'_, 1> {
    /// All blocks from block `at` on, fewer than a register holds; zeros after them.
    ///
    /// # Panics
    /// Panics if there are more.
    #[inline(always)]
    pub fn load_end<B: Blocks>(&self, isa: B::Proof, at: usize) -> B {
        assert!(at <= self.n_blocks);
        let n_bytes = 16 * (self.n_blocks - at);
        // SAFETY: as in `load`.
        B::load_partial(isa, unsafe { core::slice::from_raw_parts(self.src[0].add(16 * at), n_bytes) })
    }

    /// Writes all blocks from block `at` on.
    ///
    /// # Panics
    /// Panics if there are more than a register holds.
    #[inline(always)]
    pub fn store_end<B: Blocks>(&mut self, at: usize, blocks: B) {
        assert!(at <= self.n_blocks);
        let n_bytes = 16 * (self.n_blocks - at);
        // SAFETY: "Buffers", and within them.
        blocks.store_partial(unsafe { core::slice::from_raw_parts_mut(self.dst[0].add(16 * at), n_bytes) });
    }

    /// Returns block `at`.
    ///
    /// # Panics
    /// Panics if there is no such block.
    #[inline(always)]
    pub fn block(&self, at: usize) -> Block {
        self.check(0, at, 1);
        // SAFETY: as in `load`.
        unsafe { *self.src[0].add(16 * at).cast::<Block>() }
    }
}

impl<'a, const K: usize> InOut<'a, K> {
    /// Returns the first `n_blocks` blocks of each buffer.
    ///
    /// # Panics
    /// Panics unless there are `K` buffers with `n_blocks` blocks each.
    #[inline(always)]
    pub fn new(buffers: &'a mut [Buffer<'_>], n_blocks: usize) -> Self {
        if buffers.len() != K {
            other_number(buffers.len(), K);
        }
        let (mut src, mut dst) = ([core::ptr::null(); K], [core::ptr::null_mut(); K]);
        for (k, buffer) in buffers.iter().enumerate() {
            if n_blocks > buffer.len / 16 {
                too_short(16 * n_blocks, buffer.len);
            }
            (src[k], dst[k]) = (buffer.src, buffer.dst);
        }
        Self { src, dst, n_blocks, bytes: PhantomData }
    }

    /// Blocks of each message.
    #[inline(always)]
    pub fn n_blocks(&self) -> usize {
        self.n_blocks
    }

    #[inline(always)]
    fn check(&self, message: usize, at: usize, n: usize) {
        assert!(message < K && at < self.n_blocks && n <= self.n_blocks - at);
    }

    /// Block `at` of each of the messages from `first` on.
    ///
    /// # Panics
    /// Panics if there are fewer messages, or blocks.
    #[inline(always)]
    pub fn gather<B: Blocks>(&self, isa: B::Proof, first: usize, at: usize) -> B {
        self.check(first + B::DEGREE - 1, at, 1);
        let mut blocks = [&[0; 16]; 4];
        for k in 0..B::DEGREE {
            // SAFETY: as in `load`.
            blocks[k] = unsafe { &*self.src[first + k].add(16 * at).cast::<Block>() };
        }
        B::gather(isa, &blocks[..B::DEGREE])
    }

    /// Writes block `at` of each of the messages from `first` on.
    ///
    /// # Panics
    /// Panics if there are fewer messages, or blocks.
    #[inline(always)]
    pub fn scatter<B: Blocks>(&mut self, first: usize, at: usize, blocks: B) {
        self.check(first + B::DEGREE - 1, at, 1);
        let mut unused = [[0; 16]; 4];
        let mut places = unused.each_mut();
        for k in 0..B::DEGREE {
            // SAFETY: "Buffers", and within them; the messages' places are apart.
            places[k] = unsafe { &mut *self.dst[first + k].add(16 * at).cast::<Block>() };
        }
        blocks.scatter(&mut places[..B::DEGREE]);
    }

    /// `B::DEGREE` consecutive blocks of one message, from block `at` on.
    ///
    /// # Panics
    /// Panics if there is no such message, or they pass its end.
    #[inline(always)]
    pub fn load_row<B: Blocks>(&self, isa: B::Proof, message: usize, at: usize) -> B {
        self.check(message, at, B::DEGREE);
        // SAFETY: as in `load`.
        B::load(isa, unsafe { core::slice::from_raw_parts(self.src[message].add(16 * at), 16 * B::DEGREE) })
    }

    /// Writes them.
    ///
    /// # Panics
    /// Panics if there is no such message, or they pass its end.
    #[inline(always)]
    pub fn store_row<B: Blocks>(&mut self, message: usize, at: usize, blocks: B) {
        self.check(message, at, B::DEGREE);
        // SAFETY: "Buffers", and within them.
        blocks.store(unsafe {
            core::slice::from_raw_parts_mut(self.dst[message].add(16 * at), 16 * B::DEGREE)
        });
    }
}
