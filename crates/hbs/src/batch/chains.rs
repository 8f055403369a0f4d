//! Chains of hashes, a tile of them at once, the longest first.
//!
//! chain of FIPS 205 (algorithm 5); the loops of RFC 8554, algorithms 1, 3 and 4b.

use alloc::vec::Vec;

use super::{AddressOf, Addressed, Batch, Node, TILE};

/// A chain and its place in the list of values.
pub(crate) struct Chain<A> {
    pub(crate) i: usize,
    /// The address of its first step.
    pub(crate) address: A,
    pub(crate) steps: usize,
}

/// Moves values along at most one tile of chains, the longest first. Calls `seen` after each step, with the
/// step's number, from 1 on, and the values.
pub(crate) fn walk<C: Addressed, V: Node>(
    f: &mut Batch<'_, C>,
    chains: &[Chain<AddressOf<C>>],
    nodes: &mut [V],
    mut seen: impl FnMut(usize, &[C::Value]),
) {
    for (k, chain) in chains.iter().enumerate() {
        f.set_address(k, &chain.address);
        f.m(k).copy_from_slice(nodes[chain.i].as_ref());
    }
    let mut n = chains.len();
    for step in 1.. {
        n = chains[..n].partition_point(|chain| chain.steps >= step);
        if n == 0 {
            break;
        }
        seen(step, f.step::<V>(n));
    }
    for (k, chain) in chains.iter().enumerate() {
        nodes[chain.i].as_mut().copy_from_slice(f.m(k));
    }
}

/// Moves values along any number of chains.
pub(crate) fn walk_all<C: Addressed, V: Node>(
    f: &mut Batch<'_, C>,
    mut chains: Vec<Chain<AddressOf<C>>>,
    nodes: &mut [V],
) {
    chains.sort_by_key(|chain| core::cmp::Reverse(chain.steps));
    chains.chunks(TILE).for_each(|chains| walk(f, chains, nodes, |_, _| {}));
}
