//! The ends of lanes: the rest of a message after the last block that all lanes fill.
//!
//! ```text
//!   rest (j = 4, w = a word, s = a short one)     padded, still word-interleaved
//!
//!      lane   0  1  2  3                             lane   0  1  2  3
//!             w  w  w  w                                    w  w  w  w
//!             w  w  s                                       w  w  s. .     . = the one bit, then zeros
//!                                                           .  .  0  0
//!                                                                …
//!                                                           length of each
//! ```
//!
//! So the ends too go through the lanes without being sorted out. Lanes differ by a word at most, the first
//! ones being the longest: where the border between one block of padding and two lies between lanes, all take
//! the second block, and those that needed one get their states of before.

use core::ops::Range;

use arrayvec::ArrayVec;
use hashlanes_isa::Types;
use hashlanes_sha::{Algorithm, State, compress_interleaved};

use crate::algorithm::Forced;

/// Lanes whose ends are padded together.
const GROUP: usize = 16;

/// Compresses the ends of all lanes into their states: `rest` is the rest of the message, less than a block
/// for each lane; each lane has processed `n_before` bytes, including the prefix.
pub(crate) fn compress_ends<A: Algorithm>(
    kernel: Forced<A>,
    states: &mut [State<A>],
    rest: &[u8],
    n_before: u64,
) {
    let row_bytes = states.len() * word_bytes::<A>();
    debug_assert!(rest.len() < states.len() * A::BLOCK_BYTES);
    for (group, states) in states.chunks_mut(GROUP).enumerate() {
        let first_byte = group * GROUP * word_bytes::<A>();
        End::<A>::new(states.len(), rest, row_bytes, first_byte, n_before).compress(kernel, states);
    }
}

const fn word_bytes<A: Algorithm>() -> usize {
    A::BLOCK_BYTES / 16
}

/// The ends of a group of lanes, padded: a block of all lanes, then a second one, still word-interleaved.
struct End<A: Algorithm> {
    words: [<A::Function as Types>::Block; 2 * GROUP],
    n_lanes: usize,
    /// Lanes before this one end in two blocks, others in one.
    n_two: usize,
}

impl<A: Algorithm> End<A> {
    fn new(n_lanes: usize, rest: &[u8], row_bytes: usize, first_byte: usize, n_before: u64) -> Self {
        let word_bytes = word_bytes::<A>();
        let group_bytes = n_lanes * word_bytes;
        let mut blocks = [A::Function::ZERO_BLOCK; 2 * GROUP];
        let words = A::Function::bytes_of_mut(&mut blocks);
        for (to, from) in words.chunks_exact_mut(group_bytes).zip(rest.chunks(row_bytes)) {
            let from = from.get(first_byte..).unwrap_or(&[]);
            let n = from.len().min(group_bytes);
            to[..n].copy_from_slice(&from[..n]);
        }
        let (n_rows, last_row) = (rest.len() / row_bytes, rest.len() % row_bytes);
        let mut n_two = 0;
        for k in 0..n_lanes {
            let in_last_row = last_row.saturating_sub(first_byte + k * word_bytes).min(word_bytes);
            let (row, byte) = (n_rows + in_last_row / word_bytes, in_last_row % word_bytes);
            let len_bytes = n_rows * word_bytes + in_last_row;
            let at = |row| row * group_bytes + k * word_bytes;
            words[at(row) + byte] = 0x80;
            // FIPS 180-4 section 5.1: a one bit and two words of length must fit.
            let two = len_bytes + 1 + 2 * word_bytes > A::BLOCK_BYTES;
            n_two += usize::from(two);
            let length = (u128::from(n_before + len_bytes as u64) * 8).to_be_bytes();
            let (high, low) = length[16 - 2 * word_bytes..].split_at(word_bytes);
            let last = if two { 31 } else { 15 };
            words[at(last - 1)..][..word_bytes].copy_from_slice(high);
            words[at(last)..][..word_bytes].copy_from_slice(low);
        }
        Self { words: blocks, n_lanes, n_two }
    }

    fn compress(&self, kernel: Forced<A>, states: &mut [State<A>]) {
        let compress = |states: &mut [State<A>], blocks: Range<usize>| {
            let words = &self.words[blocks.start * self.n_lanes..blocks.end * self.n_lanes];
            compress_interleaved(kernel, states, A::Function::bytes_of(words), self.n_lanes, 0);
        };
        match self.n_two {
            0 => compress(states, 0..1),
            n if n == self.n_lanes => compress(states, 0..2),
            n => {
                compress(states, 0..1);
                let ended: ArrayVec<State<A>, GROUP> = states[n..].iter().copied().collect();
                compress(states, 1..2);
                states[n..].copy_from_slice(&ended);
            }
        }
    }
}
