//! All nodes of a tree, kept in memory, so that a signature's authentication path is a lookup.
//!
//! A tree of 2^h leaves has 2^(h+1) − 1 nodes; for n = 32 they take 64 KiB (h = 10), 4 MiB (h = 16) or 64 MiB
//! (h = 20). Other implementations keep the state of a traversal instead, about h nodes (section 4.1.9 leaves
//! the choice open), and compute 14,000 to 43,000 compressions a signature; this one computes 2,134. The
//! nodes are public.

use alloc::vec;
use alloc::vec::Vec;

use crate::address::Tree;
use crate::hash::{Kind, Suite, Worker, put, state_of};
use crate::one_time_keys::{self, OneTimeKeys};

/// Leaves that are computed together: the last levels of their L-trees, one hash a leaf, then fill 16 lanes
/// twice.
pub(crate) const LEAVES: usize = 32;

/// The nodes of a tree, leaves first, level above level, the root last.
pub(crate) struct Nodes {
    height: u32,
    n: usize,
    bytes: Vec<u8>,
}

impl Nodes {
    /// Allocates a tree.
    pub(crate) fn new(height: u32, n: usize) -> Self {
        Self { height, n, bytes: vec![0; ((2 << height) - 1) * n] }
    }

    fn level(&self, height: u32) -> usize {
        level(self.height, height) * self.n
    }

    /// Returns all nodes.
    #[cfg(feature = "store")]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the leaves' bytes.
    pub(crate) fn leaves(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.n << self.height]
    }

    /// Returns a level, and the level above it to be written.
    pub(crate) fn two_levels(&mut self, height: u32) -> (&[u8], &mut [u8]) {
        let from = self.level(height);
        let (below, above) = self.bytes[from..].split_at_mut(self.n << (self.height - height));
        (below, &mut above[..self.n << (self.height - height - 1)])
    }

    fn node(&self, place: usize) -> &[u8] {
        &self.bytes[place * self.n..][..self.n]
    }

    pub(crate) fn root(&self) -> &[u8] {
        self.node(level(self.height, self.height))
    }

    /// buildAuth (section 4.1.9): returns the siblings on the way from a leaf to the root.
    pub(crate) fn path(&self, leaf: u32) -> impl Iterator<Item = &[u8]> {
        path_places(self.height, leaf).map(|place| self.node(place))
    }
}

/// Returns the number of the first node of a level: 2^h + 2^(h−1) + … nodes precede it.
fn level(tree_height: u32, height: u32) -> usize {
    (2 << tree_height) - (2 << (tree_height - height))
}

/// Returns the places of the nodes of a leaf's authentication path.
pub(crate) fn path_places(tree_height: u32, leaf: u32) -> impl Iterator<Item = usize> {
    (0..tree_height).map(move |height| level(tree_height, height) + ((leaf >> height) ^ 1) as usize)
}

/// Computes the leaves of a tree from `first` on: the public key of each one-time key, and the L-tree over
/// it.
pub(crate) fn leaves<S: Suite>(worker: &mut Worker<'_, S>, keys: &OneTimeKeys<S>, first: u32, to: &mut [u8]) {
    for (batch, to) in to.chunks_mut(LEAVES * S::N).enumerate() {
        let (first, n) = (first + (batch * LEAVES) as u32, to.len() / S::N);
        let public_keys = one_time_keys::public_keys(worker, keys, first, n);
        let trees: Vec<_> = (first..first + n as u32).map(|leaf| keys.tree().l_tree(leaf)).collect();
        for (leaf, to) in worker.l_trees(&trees, public_keys).iter().zip(to.chunks_mut(S::N)) {
            put::<S>(leaf, to);
        }
    }
}

/// treeHash (section 4.1.6, algorithm 9) for all nodes above the leaves of a tree, level by level.
pub(crate) fn fill<S: Suite>(worker: &mut Worker<'_, S>, tree: Tree, nodes: &mut Nodes) {
    /// Nodes that are computed together.
    const NODES: usize = 512;
    for height in 0..nodes.height {
        let (below, level) = nodes.two_levels(height);
        for (part, (below, level)) in
            below.chunks(2 * NODES * S::N).zip(level.chunks_mut(NODES * S::N)).enumerate()
        {
            let n = level.len() / S::N;
            let mut index = (part * NODES) as u32..;
            worker.prepare(Kind::H, n, |address| {
                tree.hash_tree().at_node(height, index.next().expect("without end")).put(address);
            });
            let values: Vec<_> = below.chunks(S::N).map(state_of::<S>).collect();
            let parents = worker.h(n, 0..n, |i| (&values[2 * i], &values[2 * i + 1]));
            for (parent, to) in parents.iter().zip(level.chunks_mut(S::N)) {
                put::<S>(parent, to);
            }
        }
    }
}
