//! The functions that the kernels of a table compute.

use core::fmt::Debug;
use core::mem::MaybeUninit;

use crate::{Lanes, Word};

/// The types of a compression function, which compresses a block of 16 words into a state, and its
/// precomputed data. With tables of kernels it is a [`Function`](crate::Function).
///
/// Kernels read blocks and states as bytes and words in memory. So blocks and states have the sizes
/// documented below; lists of turns, batches and word-interleaved input do not compile otherwise.
pub trait Types: Copy + Debug + Send + Sync + 'static {
    /// The word of states, blocks and schedules.
    type Word: Word;
    /// The chaining value: `[Word; N]`.
    type State: Copy + Debug + Eq + Send + Sync + AsRef<[Self::Word]> + AsMut<[Self::Word]> + 'static;
    /// An input block: `[u8; 16 * Word::BYTES]`.
    type Block: Copy + Debug + Send + Sync + AsRef<[u8]> + AsMut<[u8]> + 'static;
    /// K\[t\] + W\[t\] of every round: `[Word; rounds]`.
    type Schedule: Copy + Debug + Send + Sync + AsRef<[Self::Word]> + 'static;

    /// Bytes in a block: 16 words.
    const BLOCK_BYTES: usize = 16 * Self::Word::BYTES;
    /// A block of zeros.
    const ZERO_BLOCK: Self::Block;
    /// A state of zeros.
    const ZERO_STATE: Self::State;

    /// Returns the blocks' bytes, one block after the other.
    fn bytes_of(blocks: &[Self::Block]) -> &[u8];
    /// Like [`Types::bytes_of`], to be written.
    fn bytes_of_mut(blocks: &mut [Self::Block]) -> &mut [u8];
    /// Returns K\[t\] + W\[t\] of a block, for [`PreExpanded`].
    fn schedule(block: &Self::Block) -> Self::Schedule;
    /// Returns the shape of messages of `len_bytes` bytes that end in the last eighth of their first block:
    /// their second block holds nothing of them.
    fn two_block_shape(len_bytes: usize) -> Option<&'static Fixed<Self>>;
    /// Returns the last block of messages of `len_bytes` bytes, if it contains no message bytes and is
    /// expanded in advance.
    fn pre_expanded_end(len_bytes: u64) -> Option<&'static PreExpanded<Self>>;

    /// Precomputes the shared work of blocks that have this half of `block` in common; for a first half,
    /// starting from `start`. Returns `None` if the kernels of this function do not use it.
    fn known_half(half: Half, block: &Self::Block, start: &Self::State) -> Option<KnownHalf<Self>> {
        let _ = (half, block, start);
        None
    }
}

/// Asserts the sizes that raw reads and writes of blocks and states rely on: [`Types`] and [`Word`] are safe
/// traits, so their implementations are not trusted. Evaluated at compile time wherever such memory is
/// described.
pub(crate) const fn assert_sizes<F: Types>() {
    let word_bytes = size_of::<F::Word>();
    assert!(F::Word::BYTES == word_bytes, "a word has as many bytes as it says");
    assert!(F::BLOCK_BYTES == 16 * word_bytes, "a block has 16 words");
    assert!(F::BLOCK_BYTES == 64 || F::BLOCK_BYTES == 128, "a block is one cache line or two");
    assert!(size_of::<F::Block>() == F::BLOCK_BYTES && align_of::<F::Block>() == 1, "a block is bytes alone");
    let state_bytes = size_of::<F::State>();
    assert!(state_bytes > 0 && state_bytes.is_multiple_of(word_bytes), "a state is whole words");
    assert!(align_of::<F::State>() == align_of::<F::Word>(), "a state is aligned as its words");
}

/// The one definition of a compression function, over the lanes of any instruction set.
///
/// `N` is the number of words in the state. Implementations are `#[inline(always)]` throughout:
/// a function that is not inlined into its row is compiled without the row's features (7 to 65 times
/// slower).
pub trait Definition<const N: usize>: Types<State = [<Self as Types>::Word; N]> {
    /// Whether the function is also defined for blocks with a known half.
    const KNOWS_HALVES: bool = false;

    /// Compresses a block a lane: `w[t]` is word t of the lanes' blocks; it is consumed.
    fn compress<V: Lanes<Word = Self::Word>>(isa: V::Proof, state: &mut [V; N], w: [V; 16]);
    /// Compresses blocks whose first half is known; may ignore w\[0..8\].
    #[inline(always)]
    fn compress_known_first<V: Lanes<Word = Self::Word>>(
        isa: V::Proof,
        state: &mut [V; N],
        w: [V; 16],
        _known: &KnownHalf<Self>,
    ) {
        Self::compress(isa, state, w);
    }
    /// Compresses blocks whose second half is known; may ignore w\[8..16\].
    #[inline(always)]
    fn compress_known_second<V: Lanes<Word = Self::Word>>(
        isa: V::Proof,
        state: &mut [V; N],
        w: [V; 16],
        _known: &KnownHalf<Self>,
    ) {
        Self::compress(isa, state, w);
    }
    /// Computes only the rounds, with the K + W that all lanes share.
    fn rounds<V: Lanes<Word = Self::Word>>(isa: V::Proof, state: &mut [V; N], kw: &Self::Schedule);
}

/// A block known in advance, with its schedule computed once.
///
/// (Gueron and Krasnov 2012, "Parallelizing message schedules to accelerate the computations of hash
/// functions", section 5.) Most often padding. Kernels with the verb `rounds` skip the schedule; others take
/// the bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PreExpanded<F: Types> {
    block: F::Block,
    schedule: F::Schedule,
}

impl<F: Types> PreExpanded<F> {
    /// Returns a block with its schedule. The caller ensures that the schedule is the block's.
    pub const fn with_schedule(block: F::Block, schedule: F::Schedule) -> Self {
        Self { block, schedule }
    }
    /// Computes the schedule of `block`.
    pub fn new(block: F::Block) -> Self {
        Self { block, schedule: F::schedule(&block) }
    }
    /// Returns the block's bytes.
    #[inline(always)]
    pub fn block(&self) -> &F::Block {
        &self.block
    }
    /// K\[t\] + W\[t\].
    #[inline(always)]
    pub fn schedule(&self) -> &F::Schedule {
        &self.schedule
    }
}

/// The shape of equal short messages, which all have the same padding.
///
/// A message is shorter than a block or exactly one. Its digest takes one block, or two, the second
/// of which is constant.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Fixed<F: Types> {
    /// Bytes of a message, at most a block.
    pub len_bytes: usize,
    /// Length in bytes of a message and the data before it, as encoded in its padding.
    pub n_bytes: u64,
    /// The first block of a message of zeros, followed by padding (and the length, where it fits).
    pub first: F::Block,
    /// The second block, if there is one.
    pub second: Option<PreExpanded<F>>,
}

impl<F: Types> Fixed<F> {
    /// Returns the number of blocks of a message with its padding.
    #[inline]
    pub fn n_blocks(&self) -> usize {
        1 + usize::from(self.second.is_some())
    }

    /// Returns the first block of message `index` of `messages`: the message itself if it is one block,
    /// otherwise `padded`, which is written.
    #[inline(always)]
    pub(crate) fn block_of(
        &self,
        messages: &[u8],
        index: usize,
        padded: &mut MaybeUninit<F::Block>,
    ) -> *const u8 {
        let message = &messages[index * self.len_bytes..][..self.len_bytes];
        if self.len_bytes == F::BLOCK_BYTES {
            return message.as_ptr();
        }
        let block = padded.write(self.first);
        block.as_mut()[..self.len_bytes].copy_from_slice(message);
        core::ptr::from_ref(block).cast()
    }
}

/// Half of a block: eight words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Half {
    /// Words 0 to 7.
    First,
    /// Words 8 to 15.
    Second,
}

/// A half that all blocks of a call have in common, with its precomputed work.
///
/// Keyed hashes use such blocks: a prefix before 32 bytes of a key, 32 bytes of a message before padding. The
/// blocks themselves are complete, so a kernel may ignore this data.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KnownHalf<F: Types> {
    /// The half.
    pub half: Half,
    /// A block with that half.
    pub block: F::Block,
    /// For a first half: the state from which blocks start.
    pub start: F::State,
    /// For a first half: the working variables after its eight rounds.
    pub after: F::State,
    /// For a second half: K\[t\] + W\[t\] of its eight rounds.
    pub kw: [F::Word; 8],
    /// For words 16 to 31 of the schedule: the sum of those terms that consist of known words only.
    pub brought: [F::Word; 16],
}

impl<F: Types> KnownHalf<F> {
    /// Returns whether a block has this half.
    pub(crate) fn is_of(&self, block: &F::Block) -> bool {
        let middle = F::BLOCK_BYTES / 2;
        let bytes = if self.half == Half::First { 0..middle } else { middle..2 * middle };
        block.as_ref()[bytes.clone()] == self.block.as_ref()[bytes]
    }
}
