//! Batches of messages whose counts and lengths are chosen to break schedulers, from one seed.
//!
//! Lengths drawn evenly from 0 to some maximum almost never meet the cases where padding, lanes and refilling
//! go wrong, so counts, lengths and the shape of a batch are drawn from hard cases: each case is one arm of
//! `count`, `lengths` or `length`, with its weight. A batch's own seed and its two maxima reproduce it;
//! `Display` writes that call.
//!
//! ```
//! use hashlanes_testkit::{oracle, ragged};
//!
//! for batch in ragged::batches(1, 100, 40, 2000) {
//!     let expected: Vec<_> = batch.messages().map(oracle::sha256).collect();
//!     let digests: Vec<_> = batch.slices().iter().map(|message| oracle::sha256(message)).collect();
//!     assert_eq!(digests, expected, "{batch}");
//! }
//! ```

use std::fmt;
use std::ops::Range;

/// Degrees of the kernels: a count just below, at or above one leaves an idle lane, none, or a message over.
const DEGREES: [usize; 9] = [2, 3, 4, 6, 8, 9, 16, 24, 32];

/// Lengths about which the number of padding blocks changes, or a block becomes full: for 64-byte blocks,
/// then 128-byte blocks. 55 and 111 are the longest that share a block with their padding; 119 and 127 are 55
/// and 63 a block later.
const BORDERS: [&[usize]; 2] =
    [&[55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129], &[111, 112, 113, 127, 128, 129]];

/// Bytes of a block of SHA-1 and SHA-256, and of SHA-512: the same places as in [`BORDERS`].
const BLOCKS: [usize; 2] = [64, 128];

/// The longest short record: a line, a key, a name.
const SHORT: usize = 256;

/// A seeded generator: splitmix64 (Steele, Lea and Flood, 2014; the constants of Vigna's splitmix64.c).
///
/// Every seed is good, 0 included, and neighbouring seeds give unrelated sequences. Not for secrets.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Returns the generator whose sequence `seed` fixes.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15); // 2⁶⁴ / golden ratio, odd
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (biased by less than n / 2⁶⁴).
    ///
    /// # Panics
    /// Panics if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert_ne!(n, 0, "no number is below 0");
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// One of `choices`.
    ///
    /// # Panics
    /// Panics if there are none.
    pub fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.next_u64().to_le_bytes()[..part.len()]);
        }
    }

    /// `N` random words of 32 bits, for states.
    pub fn words32<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| self.next_u64() as u32)
    }

    /// `N` random words of 64 bits, for states.
    pub fn words64<const N: usize>(&mut self) -> [u64; N] {
        std::array::from_fn(|_| self.next_u64())
    }
}

/// Messages of random content, in one allocation, at odd distances: every alignment occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    seed: u64,
    max_messages: usize,
    max_len_bytes: usize,
    arena: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

impl Batch {
    /// Returns the batch of this seed: up to `max_messages` messages of up to `max_len_bytes` bytes each.
    pub fn new(seed: u64, max_messages: usize, max_len_bytes: usize) -> Batch {
        let mut rng = Rng::new(seed);
        let n_messages = count(&mut rng, max_messages);
        let mut end = 0;
        let mut ranges = Vec::with_capacity(n_messages);
        for len in lengths(&mut rng, n_messages, max_len_bytes) {
            let start = end + rng.below(64);
            end = start + len;
            ranges.push(start..end);
        }
        let mut arena = vec![0; end];
        rng.fill(&mut arena);
        Batch { seed, max_messages, max_len_bytes, arena, ranges }
    }

    /// Returns how many messages there are.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the messages in order.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.ranges.iter().map(|range| &self.arena[range.clone()])
    }

    /// Returns the messages in order, as the `…_many` functions take them.
    pub fn slices(&self) -> Vec<&[u8]> {
        self.messages().collect()
    }
}

impl fmt::Display for Batch {
    /// Returns the call that makes the batch again, and its lengths.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths: Vec<usize> = self.ranges.iter().map(Range::len).collect();
        let Batch { seed, max_messages, max_len_bytes, .. } = self;
        write!(
            f,
            "Batch::new({seed:#x}, {max_messages}, {max_len_bytes}): {} messages of {lengths:?} bytes",
            self.len()
        )
    }
}

/// `n` batches of up to `max_messages` messages of up to `max_len_bytes` bytes each, from one seed.
///
/// The mean length is about a quarter of the largest one, the mean count about 15 (fewer if the maximum is
/// lower).
pub fn batches(
    seed: u64,
    n: usize,
    max_messages: usize,
    max_len_bytes: usize,
) -> impl ExactSizeIterator<Item = Batch> {
    let mut rng = Rng::new(seed);
    (0..n).map(move |_| Batch::new(rng.next_u64(), max_messages, max_len_bytes))
}

/// `len_bytes` bytes with the period 251, different for each `salt` below 62,750.
///
/// Byte i is (start + i · step) mod 251. As 251 is prime, a block of 64 or 128 bytes comes again only after
/// 251 blocks, and no two blocks of salts that differ modulo 250 are equal, because their steps are not: so a
/// lane that reads another lane's data, or another block, is detected.
pub fn pattern(len_bytes: usize, salt: usize) -> Vec<u8> {
    let (step, start) = (1 + salt % 250, salt / 250 % 251);
    let period: Vec<u8> = (0..251).map(|i| ((start + i * step) % 251) as u8).collect();
    period.into_iter().cycle().take(len_bytes).collect()
}

/// Returns how many messages a batch has.
fn count(rng: &mut Rng, max: usize) -> usize {
    let n = match rng.below(16) {
        // No work; one message, without lanes; two, the fewest that share a kernel.
        0 => rng.below(3),
        // A kernel's lanes not quite full, full, and one message over.
        1..=8 => rng.choose(&DEGREES) + rng.below(3) - 1,
        // The same after a first round of full lanes.
        9..=10 => 2 * rng.choose(&DEGREES) + rng.below(3) - 1,
        // The maximum.
        11 => max,
        // Anything.
        _ => rng.below(max + 1),
    };
    if n <= max { n } else { rng.below(max + 1) }
}

/// Returns the lengths of a batch's `n` messages: each drawn separately, or all together in a shape that
/// schedulers treat specially.
fn lengths(rng: &mut Rng, n: usize, max: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = (0..n).map(|_| length(rng, max)).collect();
    match rng.below(8) {
        // All equal: every lane ends at the same time, and the paths for fixed lengths apply.
        0 | 1 => lengths.fill(length(rng, max)),
        // One long message among short ones: all lanes but one fall idle.
        2 => {
            lengths.iter_mut().for_each(|len| *len %= SHORT.min(max + 1));
            if let Some(last) = n.checked_sub(1) {
                lengths[rng.below(last + 1)] = max;
            }
        }
        // Ascending, then descending: the longest message is started last, or everything is started at once.
        3 => lengths.sort_unstable(),
        4 => lengths.sort_unstable_by_key(|&len| std::cmp::Reverse(len)),
        // Mixed, as drawn.
        _ => {}
    }
    lengths
}

/// Returns the length of one message.
fn length(rng: &mut Rng, max: usize) -> usize {
    let hash = rng.below(BLOCKS.len());
    let block = BLOCKS[hash];
    let later_blocks = |rng: &mut Rng| block * rng.below(max / block + 1);
    let len = match rng.below(16) {
        // Only padding; the fewest data.
        0 => 0,
        1 => 1,
        // The borders of padding, and the same borders after any number of blocks.
        2..=4 => rng.choose(BORDERS[hash]),
        5 | 6 => rng.choose(BORDERS[hash]) + later_blocks(rng),
        // Whole blocks: the padding is a block of its own.
        7 | 8 => later_blocks(rng),
        // The maximum.
        9 => max,
        // Short records, which most users have.
        10 | 11 => rng.below(SHORT + 1),
        // Every order of magnitude alike: 1 and max in one batch.
        12 | 13 => max >> rng.below(max.max(1).ilog2() as usize + 1),
        // Anything.
        _ => rng.below(max + 1),
    };
    if len <= max { len } else { rng.below(max + 1) }
}
