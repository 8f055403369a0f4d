//! XMSS and the hypertree (FIPS 205, sections 6 and 7): d layers of trees, each of which signs the root of
//! one below.
//!
//! All trees of a signature are derived from the seeds alone. So the leaves of all layers go through the
//! lanes together, and the signature is then read from the trees.

use alloc::vec::Vec;

use super::address::Tree;
use super::params::ParameterSet;
use super::suite::{Functions, Suite};

use super::wots::{SecretWots, Wots};
use crate::batch::Batch;
use crate::batch::trees::{Trees, climb};

/// Returns the tree and leaf of each layer above a leaf of the lowest one: within algorithms 12 and 13.
fn places(set: ParameterSet, mut tree: u64, mut leaf: u32) -> impl Iterator<Item = (Tree, u32)> {
    let height = set.tree_height();
    (0..set.layers() as u8).map(move |layer| {
        let place = (Tree { layer, tree }, leaf);
        leaf = (tree & ((1 << height) - 1)) as u32;
        tree >>= height;
        place
    })
}

/// Computes the root of the hypertree: xmss_node (algorithm 9) of the uppermost tree, for algorithm 18.
pub(super) fn root<S: Suite>(set: ParameterSet, functions: &Functions<S>, sk_seed: &[u8]) -> S::Node {
    let top = Tree { layer: set.layers() as u8 - 1, tree: 0 };
    let (leaves, _) = SecretWots::<S>::new(functions, sk_seed).leaves(&[top], set.tree_height(), None);
    let mut h = Batch::new(&functions.tree, 2 * S::N);
    Trees::build(&mut h, set.tree_height(), leaves, |_, z, node| top.node(z, node)).roots()[0]
}

/// ht_sign (algorithm 12), with xmss_sign (algorithm 10) of each layer: appends the signature of `message`.
pub(super) fn sign<S: Suite>(
    set: ParameterSet,
    functions: &Functions<S>,
    sk_seed: &[u8],
    message: &S::Node,
    (tree, leaf): (u64, u32),
    signature: &mut Vec<u8>,
) {
    let (trees, signing): (Vec<Tree>, Vec<u32>) = places(set, tree, leaf).unzip();
    let height = set.tree_height();
    let (leaves, chains) = SecretWots::<S>::new(functions, sk_seed).leaves(&trees, height, Some(&signing));
    let mut h = Batch::new(&functions.tree, 2 * S::N);
    let built = Trees::build(&mut h, height, leaves, |tree, z, node| trees[tree].node(z, node));
    let mut signed = message;
    for (layer, (leaf, root)) in signing.iter().zip(built.roots()).enumerate() {
        let values = chains.signature(layer, signed).chain(built.path(layer, *leaf));
        values.for_each(|value| signature.extend_from_slice(value.as_ref()));
        signed = root;
    }
}

/// ht_verify (algorithm 13) for several signatures, each with its leaf and the node it signs. Returns the
/// resulting roots; computes layer by layer, in lanes.
pub(super) fn roots_from_signatures<S: Suite>(
    set: ParameterSet,
    functions: &Functions<S>,
    leaves: &[(u64, u32)],
    mut nodes: Vec<S::Node>,
    signatures: &[&[u8]],
) -> Vec<S::Node> {
    let (height, n_layers) = (set.tree_height(), set.layers() as usize);
    let (wots_bytes, layer_bytes) = (S::LEN * S::N, set.layer_bytes());
    let mut wots = Wots::<S>::new(functions);
    let mut h = Batch::new(&functions.tree, 2 * S::N);
    let of_each: Vec<Vec<(Tree, u32)>> =
        leaves.iter().map(|(tree, leaf)| places(set, *tree, *leaf).collect()).collect();
    for layer in 0..n_layers {
        let of_layer: Vec<(Tree, u32)> = of_each.iter().map(|places| places[layer]).collect();
        let part = |i: usize| signatures[i][layer * layer_bytes..][..layer_bytes].split_at(wots_bytes);
        nodes = wots.leaves_from_signatures(&of_layer, &nodes, (0..signatures.len()).map(|i| part(i).0));
        let indices: Vec<u32> = of_layer.iter().map(|(_, leaf)| *leaf).collect();
        // xmss_pkFromSig, algorithm 11.
        climb(&mut h, height, &indices, &mut nodes, |i| part(i).1, |i, z, node| of_layer[i].0.node(z, node));
    }
    nodes
}
