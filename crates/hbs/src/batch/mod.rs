//! Hashes of an address and a short message, many at once: the parts of one-time signatures and trees.
//!
//! All are HASH(START ‖ ADDRESS ‖ M) with an M of constant length. So the blocks of a batch are written once:
//! START (or nothing, if the state after START is kept), room for the address and M, padding. A hash then
//! writes its address and M into its blocks, and the blocks of a batch go through the lanes together.
//!
//! | file | holds |
//! |---|---|
//! | `sha2.rs`, `shake.rs` | the hash functions |
//! | `chains.rs` | chains of hashes, the longest first |
//! | `trees.rs` | Merkle trees, level by level |

pub(crate) mod chains;
pub(crate) mod sha2;
pub(crate) mod shake;
pub(crate) mod trees;

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::hash::wipe;

/// A value of n bytes: an array.
pub(crate) trait Node:
    Copy + Default + Eq + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + 'static
{
    /// n.
    const BYTES: usize;

    /// Returns the nodes' bytes, one node after the other.
    fn bytes_of(nodes: &[Self]) -> &[u8];

    /// Returns the node of these bytes.
    fn of(bytes: &[u8]) -> Self {
        let mut node = Self::default();
        node.as_mut().copy_from_slice(bytes);
        node
    }
}

impl<const N: usize> Node for [u8; N]
where
    Self: Default,
{
    const BYTES: usize = N;

    fn bytes_of(nodes: &[Self]) -> &[u8] {
        nodes.as_flattened()
    }
}

/// An address that can be encoded as bytes.
pub(crate) trait Layout: Send + Sync + 'static {
    type Address: Copy;
    const BYTES: usize;
    /// Writes an address to the start of `to`.
    fn put(address: &Self::Address, to: &mut [u8]);
}

/// A hash of an address and a message.
pub(crate) trait Addressed: Send + Sync {
    type Layout: Layout;
    /// An input block.
    type Block: Copy + AsRef<[u8]> + AsMut<[u8]>;
    /// The final state, or the part of it that a node needs.
    type Value: Copy;

    /// Offset of the address in a message's first block.
    const ADDRESS_AT: usize;
    /// Offset of M in that block.
    const M_AT: usize = Self::ADDRESS_AT + Self::Layout::BYTES;
    const ZERO_BLOCK: Self::Block;
    const ZERO_VALUE: Self::Value;

    /// Returns the blocks of one message with an M of `m_bytes` bytes; the address and M are still to be
    /// written.
    fn template(&self, m_bytes: usize) -> Vec<Self::Block>;
    /// Returns the final states of messages of `n_blocks` blocks each, which follow one another.
    fn hash(&self, blocks: &[Self::Block], n_blocks: usize, values: &mut [Self::Value]);
    /// Writes the first n bytes of a state.
    fn put<V: Node>(value: &Self::Value, to: &mut [u8]);
    /// Returns the blocks' bytes, one block after the other.
    fn bytes_of_mut(blocks: &mut [Self::Block]) -> &mut [u8];
}

/// The address of a hash.
pub(crate) type AddressOf<C> = <<C as Addressed>::Layout as Layout>::Address;

/// Hashes of one block that go through the lanes in one call: four groups of 16, because single groups take 8
/// % longer.
pub(crate) const TILE: usize = 64;
/// Hashes of several blocks that go through the lanes together.
const LONG_TILE: usize = 16;

/// The blocks of hashes that go through the lanes together. Overwritten when dropped.
pub(crate) struct Batch<'s, C: Addressed> {
    function: &'s C,
    blocks: Vec<C::Block>,
    n_blocks: usize,
    m_bytes: usize,
    values: Vec<C::Value>,
}

impl<'s, C: Addressed> Batch<'s, C> {
    /// Creates the blocks of messages with an M of `m_bytes` bytes.
    pub(crate) fn new(function: &'s C, m_bytes: usize) -> Self {
        let mut template = function.template(m_bytes);
        let n_blocks = template.len();
        let tile = if n_blocks == 1 { TILE } else { LONG_TILE };
        let mut blocks = Vec::with_capacity(tile * n_blocks);
        (0..tile).for_each(|_| blocks.extend_from_slice(&template));
        wipe(&mut template, C::ZERO_BLOCK);
        Self { function, blocks, n_blocks, m_bytes, values: vec![C::ZERO_VALUE; tile] }
    }

    /// Creates the blocks of messages that have the same M.
    #[cfg(any(feature = "slh-dsa", feature = "hazmat", feature = "store"))]
    pub(crate) fn of(function: &'s C, m: &[u8]) -> Self {
        let mut batch = Self::new(function, m.len());
        for i in 0..batch.values.len() {
            batch.message(i)[C::M_AT..][..m.len()].copy_from_slice(m);
        }
        batch
    }

    /// Returns the bytes of message `i`, padding included.
    #[inline(always)]
    fn message(&mut self, i: usize) -> &mut [u8] {
        if self.n_blocks == 1 {
            self.blocks[i].as_mut()
        } else {
            C::bytes_of_mut(&mut self.blocks[i * self.n_blocks..][..self.n_blocks])
        }
    }

    /// Sets the address of message `i`.
    #[inline(always)]
    pub(crate) fn set_address(&mut self, i: usize, address: &AddressOf<C>) {
        C::Layout::put(address, &mut self.message(i)[C::ADDRESS_AT..]);
    }

    /// Returns M of message `i`.
    #[inline(always)]
    pub(crate) fn m(&mut self, i: usize) -> &mut [u8] {
        let m_bytes = self.m_bytes;
        &mut self.message(i)[C::M_AT..][..m_bytes]
    }

    /// Hashes the first `n` messages.
    #[inline]
    pub(crate) fn hash(&mut self, n: usize) -> &[C::Value] {
        let values = &mut self.values[..n];
        self.function.hash(&self.blocks[..n * self.n_blocks], self.n_blocks, values);
        values
    }

    /// Hashes the first `n` messages, each a step of a chain; writes the results as M of the next step.
    #[inline]
    pub(crate) fn step<V: Node>(&mut self, n: usize) -> &[C::Value] {
        let values = &mut self.values[..n];
        self.function.hash(&self.blocks[..n], 1, values);
        for (block, value) in self.blocks[..n].iter_mut().zip(&*values) {
            let bytes = &mut block.as_mut()[C::M_AT - 1..];
            // The step's number is the last byte of an address.
            bytes[0] += 1;
            C::put::<V>(value, &mut bytes[1..]);
        }
        values
    }

    /// Computes all nodes. `write` writes the i-th message at place `k` of the batch.
    pub(crate) fn many<V: Node>(&mut self, nodes: &mut [V], mut write: impl FnMut(&mut Self, usize, usize)) {
        let tile = self.values.len();
        for (from, nodes) in (0..).step_by(tile).zip(nodes.chunks_mut(tile)) {
            for k in 0..nodes.len() {
                write(self, k, from + k);
            }
            let values = self.hash(nodes.len());
            for (node, value) in nodes.iter_mut().zip(values) {
                C::put::<V>(value, node.as_mut());
            }
        }
    }
}

impl<C: Addressed> Drop for Batch<'_, C> {
    fn drop(&mut self) {
        wipe(&mut self.blocks, C::ZERO_BLOCK);
        wipe(&mut self.values, C::ZERO_VALUE);
    }
}
