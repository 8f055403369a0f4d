//! A tree over SHA3-256, for comparison alone: what Gueron's "j-lanes" paper of 2014 (document 002, slide "Current
//! performance comparison") calls treed Keccak-256, beside the j-lanes of SHA-256. No standard, and no mode to be used: nothing
//! in it tells a leaf from a node, so its digests are also SHA3-256 of other messages. `spec/keccak.py` is the same in Python.
//!
//! A message is cut into pieces of 136 bytes, the rate; the last may be shorter, and is empty where the length is a multiple. With j
//! leaves, leaf i is pieces i, i + j, i + 2 · j, … joined; the digest is SHA3-256 of the leaves' digests, joined.
//!
//! ```text
//! message  | 0 | 1 | 2 | 3 | 4 | 5 | 6 |      j = 4: leaf 0 = 0 4, leaf 1 = 1 5, leaf 2 = 2 6, leaf 3 = 3
//! ```
//!
//! So the leaves of a group of lanes are read side by side, from one place of the message after the other, and all have the
//! same number of pieces but for one.

use hashlanes_isa::MAX_DEGREE;

use super::sponge::{Message, SHA3_256, digest_of, sha3_256_on};
use super::{Kernel, table};

/// The greatest number of leaves.
pub const MAX_LEAVES: usize = MAX_DEGREE;

/// The tree of `j` leaves over SHA3-256 of a message.
///
/// # Panics
/// Unless `j` is 1 to [`MAX_LEAVES`].
pub fn tree_sha3_256(j: usize, message: &[u8]) -> [u8; 32] {
    tree(|n| table().best_of_group(n, 1), j, message)
}

/// The same on one kernel, the node above the leaves included.
///
/// # Panics
/// As [`tree_sha3_256`].
pub fn tree_sha3_256_on(kernel: &'static Kernel, j: usize, message: &[u8]) -> [u8; 32] {
    tree(|_| kernel, j, message)
}

fn tree(best: impl Fn(usize) -> &'static Kernel, j: usize, message: &[u8]) -> [u8; 32] {
    assert!((1..=MAX_LEAVES).contains(&j), "{j} leaves");
    let mut digests = [[0; 32]; MAX_LEAVES];
    let mut first = 0;
    while first < j {
        let kernel = best(j - first);
        let n = kernel.degree().min(j - first);
        let mut leaves = [Message::default(); MAX_DEGREE];
        for (i, leaf) in leaves[..n].iter_mut().enumerate() {
            *leaf = self::leaf(message, j, first + i);
        }
        let states = SHA3_256.absorb(kernel, &leaves[..n], j * SHA3_256.rate.bytes());
        for (digest, state) in digests[first..first + n].iter_mut().zip(&states) {
            *digest = digest_of(state);
        }
        first += n;
    }
    sha3_256_on(best(1), digests[..j].as_flattened())
}

/// Leaf `i` of `j`.
fn leaf(message: &[u8], j: usize, i: usize) -> Message<'_> {
    let piece_bytes = SHA3_256.rate.bytes();
    let n_whole = message.len() / piece_bytes;
    let (whole, rest) = message.split_at(n_whole * piece_bytes);
    let n_blocks = (n_whole + j - 1 - i) / j;
    let blocks = if n_blocks == 0 { &[] } else { &whole[i * piece_bytes..] };
    // The piece behind the last whole one is leaf n_whole mod j's.
    Message { blocks, n_blocks, rest: if i == n_whole % j { rest } else { &[] } }
}
