//! Blocks of free words in memory, for the contracts of ciphers.

use crate::contract::Setting;
use crate::standards::aes::{self, Block};
use crate::terms::Terms;

/// A block of free words.
pub(super) fn free_block(terms: &mut Terms, array: &'static str, i: usize, block: usize) -> Block {
    core::array::from_fn(|j| terms.free(32, array, i, 4 * block + j))
}

/// Free bytes in memory; returns the blocks, with zeros after the end.
pub(super) fn free_bytes(
    s: &mut Setting<'_, '_>,
    name: &'static str,
    i: usize,
    at: u64,
    n_bytes: usize,
) -> Vec<Block> {
    let blocks: Vec<Block> = (0..n_bytes.div_ceil(16)).map(|b| free_block(s.terms(), name, i, b)).collect();
    s.set_first_bytes(at, blocks.as_flattened(), n_bytes);
    aes::cut(s.terms(), &blocks, n_bytes)
}
