//! The end of a message (FIPS 180-4 section 5.1): padding, and its precomputed parts.

use core::ops::Range;
use core::slice::from_mut;

use hashlanes_isa::{Fixed, Function, Kernel, PreExpanded, Verb, Word, copy_by_masks, put_digest};
pub(crate) use hashlanes_isa::{InLines, LONGEST_DIGEST};

/// Bytes of the length that ends a message: two words.
const fn length_bytes<F: Function>() -> usize {
    2 * F::Word::BYTES
}

/// Returns the blocks in which a message ends of which `n_rest` bytes remain after its whole blocks: 1 or 2.
#[inline]
pub(crate) fn n_end_blocks<F: Function>(n_rest: usize) -> usize {
    if n_rest < one_block_ends::<F>() { 1 } else { 2 }
}

/// The offset of the length in the last block: messages of fewer bytes fit into one block with their padding.
#[inline]
pub(crate) const fn one_block_ends<F: Function>() -> usize {
    F::BLOCK_BYTES - length_bytes::<F>()
}

/// Blocks of a message of `len_bytes` bytes with its padding.
#[inline]
pub(crate) fn n_blocks<F: Function>(len_bytes: usize) -> usize {
    (len_bytes + length_bytes::<F>()) / F::BLOCK_BYTES + 1
}

/// Writes the end of a message of `n_bytes` bytes into `blocks`: `rest`, the bytes after its whole blocks,
/// and its padding. `blocks` are zero, [`n_end_blocks`] many.
#[inline]
pub(crate) fn pad<F: Function>(blocks: &mut [F::Block], rest: &[u8], n_bytes: u64) {
    copy_short(blocks[0].as_mut(), rest);
    end::<F>(blocks, rest.len(), n_bytes);
}

/// Writes section 5.1's padding of a message of `n_bytes` bytes into its last blocks, which hold its last
/// `n_rest` bytes, then zeros: a one bit, zeros, and the length in bits as two words.
#[inline(always)]
pub(crate) fn end<F: Function>(blocks: &mut [F::Block], n_rest: usize, n_bytes: u64) {
    blocks[n_rest / F::BLOCK_BYTES].as_mut()[n_rest % F::BLOCK_BYTES] = 0x80;
    put_length::<F>(blocks[blocks.len() - 1].as_mut(), n_bytes);
}

/// Ends a message of `n_bytes` bytes: its length in bits as two words.
#[inline(always)]
pub(crate) fn put_length<F: Function>(last: &mut [u8], n_bytes: u64) {
    let length = (u128::from(n_bytes) * 8).to_be_bytes();
    last[one_block_ends::<F>()..].copy_from_slice(&length[length.len() - length_bytes::<F>()..]);
}

/// Copies fewer bytes than a block to the start of `to`: two pieces of one size, which overlap. A call of
/// `memcpy`, which does the same, takes some 10 cycles more.
#[inline]
pub(crate) fn copy_short(to: &mut [u8], from: &[u8]) {
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
    two_pieces!(128 64 32 16 8 4 2 1);
}

/// Writes all of a message of one block, padded as the end of a message of `n_bytes` bytes, into a block of
/// zeros: one of many messages, whose lengths may differ.
///
/// [`pad`] would be mispredicted then (1 to 55 bytes by SHA-256 in lanes take a third longer, Raptor Cove).
#[inline(always)]
pub(crate) fn pad_one_of_many<F: Function>(block: &mut F::Block, message: &[u8], n_bytes: u64) {
    if !pad_by_masks::<F>(block.as_mut(), message, n_bytes) {
        pad::<F>(from_mut(block), message, n_bytes);
    }
}

/// Like [`pad_within`], for a message that has bytes, if the CPU has loads under a mask; returns whether it
/// did.
#[inline(always)]
fn pad_by_masks<F: Function>(block: &mut [u8], message: &[u8], n_bytes: u64) -> bool {
    let copied = copy_by_masks(block, message);
    if copied {
        block[message.len()] = 0x80;
        put_length::<F>(block, n_bytes);
    }
    copied
}

/// Writes all of a message of one block, `values[message]`, padded as the end of a message of `n_bytes`
/// bytes.
///
/// Loads under a mask read the message if the CPU has them. Otherwise, if a whole block can be read, it is
/// read, and the bytes after the message are masked out. No branch depends on the length then (8 cycles
/// instead of 25 if lengths differ). The block is not read back, which would wait for what was just written
/// (20 cycles).
#[inline(always)]
pub(crate) fn pad_within<F: Function>(block: &mut [u8], values: &[u8], message: Range<usize>, n_bytes: u64) {
    /// An array with the length of the longest block.
    const MOST: usize = 128;
    static OF_MESSAGE: [[u8; MOST]; 2] = [[0xff; MOST], [0; MOST]];
    static ONE_BIT: [[u8; MOST]; 2] = {
        let mut window = [[0; MOST]; 2];
        window[1][0] = 0x80;
        window
    };
    let len_bytes = message.len();
    if pad_by_masks::<F>(block, &values[message.clone()], n_bytes) {
        return;
    }
    if let Some(there) = values[message.start..].get(..F::BLOCK_BYTES) {
        let of_message = &OF_MESSAGE.as_flattened()[MOST - len_bytes..][..F::BLOCK_BYTES];
        let one_bit = &ONE_BIT.as_flattened()[MOST - len_bytes..][..F::BLOCK_BYTES];
        for (i, byte) in block[..F::BLOCK_BYTES].iter_mut().enumerate() {
            *byte = there[i] & of_message[i] | one_bit[i];
        }
        put_length::<F>(block, n_bytes);
    } else {
        let mut padded = [F::ZERO_BLOCK];
        pad::<F>(&mut padded, &values[message], n_bytes);
        block.copy_from_slice(padded[0].as_ref());
    }
}

/// How the last block of a message is hashed if it has only padding and the length.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastBlock {
    /// Its schedule is a constant, where there is one for the length.
    PreExpanded,
    /// It is compressed as any other: to be compared with.
    Expanded,
}

/// Writes the digest of one message, all bytes of its last state: `message` follows `n_before` bytes that led
/// to `start`.
#[inline(never)] // Shared by all that hash several.
pub(crate) fn digest_one<F: Function>(
    kernel: &Kernel<F>,
    start: &F::State,
    n_before: u64,
    message: &[u8],
    digest: &mut [u8],
) {
    digest_inlined(kernel, start, n_before, message, digest);
}

/// Like [`digest_one`], in the caller's code: an instruction less is a cycle less where a message of a block
/// or two by SHA-NI is hashed while the one before it ends.
#[inline(always)]
pub(crate) fn digest_inlined<F: Function>(
    kernel: &Kernel<F>,
    start: &F::State,
    n_before: u64,
    message: &[u8],
    digest: &mut [u8],
) {
    let n_bytes = n_before + message.len() as u64;
    // With SHA-NI a short message is hashed in one call, in registers from its first byte to its digest's
    // last. The CPU can then begin the next message before this one's rounds are done: 64 bytes take 3.3
    // instead of 4.1 cycles per byte.
    let in_one_call = kernel.degree() == 1 && kernel.offers(Verb::FinishFixed);
    if message.len() < one_block_ends::<F>() {
        let mut block = [F::ZERO_BLOCK];
        if in_one_call {
            // Padded in place: a copy would wait for the padding to be stored (20 cycles, Zen 3).
            let mut shape = Fixed { len_bytes: message.len(), n_bytes, first: F::ZERO_BLOCK, second: None };
            end::<F>(from_mut(&mut shape.first), message.len(), n_bytes);
            return kernel.finish_one(start, &shape, message, digest);
        }
        let mut state = *start;
        pad::<F>(&mut block, message, n_bytes);
        kernel.compress_one(&mut state, block[0].as_ref());
        put_digest::<F>(&state, digest);
        return wipe(&mut block, [F::ZERO_BLOCK]);
    }
    if in_one_call
        && n_before == 0
        && let Some(shape) = F::two_block_shape(message.len())
    {
        return kernel.finish_one(start, shape, message, digest);
    }
    let mut state = *start;
    compress_to_end(kernel, &mut state, message, n_bytes, LastBlock::PreExpanded);
    put_digest::<F>(&state, digest);
}

/// Compresses the rest of a message of `n_bytes` bytes, padded.
///
/// A last block without bytes of the message can be expanded in advance (Gueron and Krasnov 2012, section 5:
/// case 1, a message of whole blocks; case 2, a message that ends where the length would be). Only its rounds
/// remain. On Redwood Cove that saves `serial-rorx` 10 % of 64 bytes and 1 % of 2 KiB; `avx2-rorx2`, whose
/// schedule is nearly free next to the rounds, 3 % and 1 %; `sha-ni` 5 % of 256 bytes.
#[inline(always)]
pub(crate) fn compress_to_end<F: Function>(
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
    // Padded where it stays: a copy would wait for the bytes that were just stored. In whole cache lines: if
    // pieces of the message cross them, 100 bytes take 17 % longer (SHA-256, Zen 3). Not overwritten: that
    // takes 20 % of 100 bytes by SHA-NI (Zen 4).
    let mut end = InLines([F::ZERO_BLOCK; 2]);
    let end = &mut end.0[..n_end_blocks::<F>(rest.len())];
    pad::<F>(end, rest, n_bytes);
    kernel.compress_body_and_end(state, body, end);
}

/// Overwrites a value that may hold bytes of a message, in a way that the compiler keeps.
///
/// Without the feature `zeroize` it does nothing. Whole vectors are written: the volatile bytes of the crate
/// `zeroize` would take as long as a third of a block with SHA-NI. This takes no measurable time for a
/// message of one block.
#[inline(always)]
pub(crate) fn wipe<T>(value: &mut T, zero: T) {
    if cfg!(feature = "zeroize") {
        *value = zero;
        core::hint::black_box(value);
    }
}

/// Returns the shape of messages that are padded already, a block each.
#[inline]
pub(crate) fn whole_block<F: Function>() -> Fixed<F> {
    Fixed { len_bytes: F::BLOCK_BYTES, n_bytes: 0, first: F::ZERO_BLOCK, second: None }
}

/// Makes the functions `two_block_shape` and `pre_expanded_end`, in a module with a function `Compression`
/// and its `schedule`.
macro_rules! pre_expanded {
    ($block_bytes:literal) => {
        /// Messages that end in the last eighth of their first block, of 7/8 of a block to a whole one. Their
        /// second blocks hold no more than padding and the length, so their schedules are constants.
        static TWO_BLOCK_SHAPES: [Fixed<Compression>; $block_bytes / 8 + 1] = {
            const N: usize = $block_bytes;
            let none = Fixed { len_bytes: N, n_bytes: 0, first: [0; N], second: None };
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
                shapes[i] = Fixed { len_bytes, n_bytes: len_bytes as u64, first, second };
                i += 1;
            }
            shapes
        };

        /// See [`Function::two_block_shape`].
        #[inline]
        fn two_block_shape(len_bytes: usize) -> Option<&'static Fixed<Compression>> {
            TWO_BLOCK_SHAPES.get(len_bytes.checked_sub(7 * $block_bytes / 8)?)
        }

        /// Returns the last block of messages of `len_bytes` bytes, fewer than 2^13, that holds nothing of
        /// them.
        const fn end_block(len_bytes: usize) -> PreExpanded<Compression> {
            const N: usize = $block_bytes;
            let mut block = [0; N];
            if len_bytes % N == 0 {
                block[0] = 0x80;
            }
            [block[N - 2], block[N - 1]] = (8 * len_bytes as u16).to_be_bytes();
            PreExpanded::with_schedule(block, schedule(&block))
        }

        /// Schedules for messages of whole blocks, up to 2 KiB.
        static ENDS_OF_WHOLE_BLOCKS: [PreExpanded<Compression>; 2048 / $block_bytes] = {
            let mut ends = [end_block(0); 2048 / $block_bytes];
            let mut i = 0;
            while i < ends.len() {
                ends[i] = end_block((i + 1) * $block_bytes);
                i += 1;
            }
            ends
        };

        /// Schedules for messages that end in the last eighth of their first block, or of their second.
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

/// A shape of equal messages: a constant one, or one made for a call.
pub(crate) enum FixedShape<F: Function> {
    Constant(&'static Fixed<F>),
    Made(Fixed<F>),
}

impl<F: Function> core::ops::Deref for FixedShape<F> {
    type Target = Fixed<F>;

    #[inline]
    fn deref(&self) -> &Fixed<F> {
        match self {
            Self::Constant(shape) => shape,
            Self::Made(shape) => shape,
        }
    }
}

/// Returns the shape of equal messages of `len_bytes` bytes, at most a block, that follow `prefix_bytes`
/// hashed already.
///
/// Their padding is the same for all; if it takes a second block, that is expanded in advance
/// ([`PreExpanded`]).
#[inline]
pub(crate) fn fixed_shape<F: Function>(len_bytes: usize, prefix_bytes: u64) -> FixedShape<F> {
    match F::two_block_shape(len_bytes) {
        Some(shape) if prefix_bytes == 0 => FixedShape::Constant(shape),
        _ => FixedShape::Made(made_shape(len_bytes, prefix_bytes)),
    }
}

fn made_shape<F: Function>(len_bytes: usize, prefix_bytes: u64) -> Fixed<F> {
    assert!(len_bytes <= F::BLOCK_BYTES);
    let whole_block = len_bytes == F::BLOCK_BYTES;
    let zeros = F::ZERO_BLOCK;
    let rest = if whole_block { &[] } else { &zeros.as_ref()[..len_bytes] };
    let n_bytes = prefix_bytes + len_bytes as u64;
    let mut end = [F::ZERO_BLOCK; 2];
    let end = &mut end[..n_end_blocks::<F>(rest.len())];
    pad::<F>(end, rest, n_bytes);
    let mut blocks = end.iter();
    let first = if whole_block { zeros } else { *blocks.next().expect("one block or two") };
    Fixed { len_bytes, n_bytes, first, second: blocks.next().map(|block| PreExpanded::new(*block)) }
}
