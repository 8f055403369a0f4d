//! A tree over SHA3-256, for comparison only: what Gueron's "j-lanes" paper of 2014 (slide "Current
//! performance comparison") calls treed Keccak-256, next to the j-lanes of SHA-256. It is not a standard and
//! must not be used as a mode: nothing distinguishes a leaf from a node, so its digests are also SHA3-256
//! digests of other messages. `spec/keccak.py` is the same in Python.
//!
//! A message is cut into pieces of 136 bytes, the rate; the last may be shorter, and is empty where the
//! length is a multiple. With j leaves, leaf i is pieces i, i + j, i + 2 · j, … joined; the digest is
//! SHA3-256 of the leaves' digests, joined.
//!
//! ```text
//! message  | 0 | 1 | 2 | 3 | 4 | 5 | 6 |      j = 4: leaf 0 = 0 4, leaf 1 = 1 5, leaf 2 = 2 6, leaf 3 = 3
//! ```
//!
//! So the leaves of a group of lanes are read side by side, from one place of the message after the other,
//! and all have the same number of pieces except one.

use hashlanes_isa::sponge::{Kernel, MAX_DEGREE, Row, State, States};

use super::algorithm::{MAX_RATE, Parameters, Sha3_256, Sponge, digest_of};
use super::hasher::SpongeHasher;
use super::many::kernel_of_group;
use super::one::PLACES;

/// The greatest number of leaves.
pub const MAX_LEAVES: usize = 16;

const PARAMETERS: Parameters = Sha3_256::PARAMETERS;
const PIECE_BYTES: usize = Sha3_256::BLOCK_BYTES;

/// Returns the tree of `j` leaves over SHA3-256 of a message.
///
/// # Panics
/// Panics unless `j` is 1 to [`MAX_LEAVES`].
pub fn tree_sha3_256(j: usize, message: &[u8]) -> [u8; 32] {
    tree(None, j, message)
}

/// Computes the same on one kernel, including the node above the leaves.
///
/// # Panics
/// Like [`tree_sha3_256`].
pub fn tree_sha3_256_on(kernel: &'static Kernel, j: usize, message: &[u8]) -> [u8; 32] {
    tree(Some(kernel), j, message)
}

fn tree(only: Option<&'static Kernel>, j: usize, message: &[u8]) -> [u8; 32] {
    assert!((1..=MAX_LEAVES).contains(&j), "{j} leaves");
    let mut digests = [[0; 32]; MAX_LEAVES];
    let mut first = 0;
    while first < j {
        let kernel = kernel_of_group(only, j - first);
        let n = kernel.degree().min(j - first);
        let states = leaves(kernel, message, j, first, n);
        for (digest, state) in digests[first..first + n].iter_mut().zip(&states) {
            *digest = digest_of::<Sha3_256>(state);
        }
        first += n;
    }
    let mut root = [[0; 32]];
    let node = digests[..j].as_flattened();
    match only {
        Some(kernel) => SpongeHasher::<Sha3_256>::digest_many_on(kernel, &[node], &mut root),
        None => root[0] = SpongeHasher::<Sha3_256>::digest(node),
    }
    root[0]
}

/// Returns the last states of leaves `first` to `first + n - 1` of `j`.
fn leaves(kernel: &Kernel, message: &[u8], j: usize, first: usize, n: usize) -> [State; MAX_DEGREE] {
    let (whole, rest) = PARAMETERS.split(message);
    let n_whole = whole.len() / PIECE_BYTES;
    let degree = kernel.degree();
    // Leaves of a row of pieces have a piece each; those before the last whole piece have one more.
    let (n_rows, n_more) = (n_whole / j, n_whole % j);
    let leaf = |k: usize| first + k.min(n - 1); // Idle lanes have the pieces of the last leaf.
    let mut states = [[0; 25]; MAX_DEGREE];
    let mut rows = [Row::default(); MAX_DEGREE];
    if n_rows > 0 {
        for (k, row) in rows[..degree].iter_mut().enumerate() {
            let last = &whole[((n_rows - 1) * j + leaf(k)) * PIECE_BYTES..];
            *row = Row { blocks: &whole[leaf(k) * PIECE_BYTES..], last };
        }
        let states = States::Advance(&mut states, &PLACES[..degree]);
        kernel.absorb(PARAMETERS.rate, states, &rows[..degree], j * PIECE_BYTES, n_rows - 1);
    }
    if first < n_more {
        let before = states;
        for (k, row) in rows[..degree].iter_mut().enumerate() {
            let piece = n_rows * j + leaf(k).min(n_more - 1);
            *row = Row { blocks: &[], last: &whole[piece * PIECE_BYTES..] };
        }
        let lanes = States::Advance(&mut states, &PLACES[..degree]);
        kernel.absorb(PARAMETERS.rate, lanes, &rows[..degree], 0, 0);
        for k in (0..n).filter(|k| leaf(*k) >= n_more) {
            states[k] = before[k];
        }
    }
    // The piece after the last whole one is leaf n_more's.
    let (mut with_rest, mut without) = ([0; MAX_RATE], [0; MAX_RATE]);
    PARAMETERS.put_end(rest, &mut with_rest);
    PARAMETERS.put_end(&[], &mut without);
    for (k, row) in rows[..degree].iter_mut().enumerate() {
        let last = if leaf(k) == n_more { &with_rest } else { &without };
        *row = Row { blocks: &[], last };
    }
    let lanes = States::Advance(&mut states, &PLACES[..degree]);
    kernel.absorb(PARAMETERS.rate, lanes, &rows[..degree], 0, 0);
    states
}
