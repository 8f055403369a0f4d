//! Merkle trees: several of one height at once, level by level in lanes.
//!
//! Sections 6.1, 6.3, 8.2 and 8.4 of FIPS 205; section 5 of RFC 8554.

use alloc::vec;
#[cfg(feature = "slh-dsa")]
use alloc::vec::Vec;

use super::{AddressOf, Addressed, Batch, Node};

/// All nodes of trees of one height: the leaves of all trees, then the level above them, up to the roots.
#[cfg(feature = "slh-dsa")]
pub(crate) struct Trees<V> {
    height: u32,
    n_trees: usize,
    nodes: Vec<V>,
}

#[cfg(feature = "slh-dsa")]
impl<V: Node> Trees<V> {
    /// xmss_node (algorithm 9) and fors_node (algorithm 15) of all nodes above `leaves`, which hold the
    /// leaves of one tree after the other. `address` returns the address of a node for its tree, height and
    /// index in the tree.
    pub(crate) fn build<C: Addressed>(
        h: &mut Batch<'_, C>,
        height: u32,
        leaves: Vec<V>,
        address: impl Fn(usize, u32, u32) -> AddressOf<C>,
    ) -> Self {
        let n_trees = leaves.len() >> height;
        let mut trees = Self { height, n_trees, nodes: leaves };
        trees.nodes.resize(trees.first(height + 1), V::default());
        for z in 1..=height {
            let (below, level) = trees.nodes.split_at_mut(n_trees * level_start(height, z));
            let below = &below[n_trees * level_start(height, z - 1)..];
            let in_a_tree = height - z;
            h.many(&mut level[..n_trees << in_a_tree], |h, k, i| {
                let index = i & ((1 << in_a_tree) - 1);
                h.set_address(k, &address(i >> in_a_tree, z, index as u32));
                h.m(k).copy_from_slice(V::bytes_of(&below[2 * i..2 * i + 2]));
            });
        }
        trees
    }

    /// Returns the number of the first node of level `z`.
    fn first(&self, z: u32) -> usize {
        self.n_trees * level_start(self.height, z)
    }

    /// Returns the roots of all trees.
    pub(crate) fn roots(&self) -> &[V] {
        &self.nodes[self.first(self.height)..]
    }

    /// Returns the authentication path of a leaf, starting with the leaf's sibling: within algorithms 10 and
    /// 16.
    pub(crate) fn path(&self, tree: usize, leaf: u32) -> impl Iterator<Item = &V> {
        (0..self.height).map(move |z| {
            let sibling = (leaf >> z ^ 1) as usize;
            &self.nodes[self.first(z) + (tree << (self.height - z)) + sibling]
        })
    }
}

/// Returns the number of the first node of level `z` of one tree, if its levels follow one another: 2^(height
/// + 1) − 2^(height + 1 − z).
#[cfg(feature = "slh-dsa")]
fn level_start(height: u32, z: u32) -> usize {
    (2 << height) - (2 << height >> z)
}

/// Computes roots from leaves (within algorithms 11 and 17), in lanes: `nodes[i]`, leaf `leaves[i]` of its
/// tree, with the path of `height` nodes at `path(i)`. `address` returns the address of a node for i, its
/// height, and its index in its tree.
pub(crate) fn climb<'p, C: Addressed, V: Node>(
    h: &mut Batch<'_, C>,
    height: u32,
    leaves: &[u32],
    nodes: &mut [V],
    path: impl Fn(usize) -> &'p [u8],
    address: impl Fn(usize, u32, u32) -> AddressOf<C>,
) {
    let mut below = vec![V::default(); nodes.len()];
    for z in 1..=height {
        below.copy_from_slice(nodes);
        h.many(nodes, |h, k, i| {
            let index = leaves[i] >> (z - 1);
            h.set_address(k, &address(i, z, index >> 1));
            let sibling = &path(i)[(z - 1) as usize * V::BYTES..][..V::BYTES];
            let (left, right) = h.m(k).split_at_mut(V::BYTES);
            let (own, other) = if index & 1 == 0 { (left, right) } else { (right, left) };
            own.copy_from_slice(below[i].as_ref());
            other.copy_from_slice(sibling);
        });
    }
}
