//! FORS (FIPS 205, section 8): k trees of height a; a signature opens one leaf of each.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::address::ForsKey;
use super::params::ParameterSet;
use super::suite::{Functions, Suite};
use crate::batch::trees::{Trees, climb};
use crate::batch::{Batch, Node};

/// base_2b (algorithm 4): the leaf of each tree that a message's hash selects.
fn selected(set: ParameterSet, md: &[u8]) -> Vec<u32> {
    let a = set.fors_height() as usize;
    let bit = |at: usize| u32::from(md[at / 8] >> (7 - at % 8) & 1);
    let digit = |i: usize| (0..a).fold(0, |digit, b| digit << 1 | bit(i * a + b));
    (0..set.fors_trees() as usize).map(digit).collect()
}

/// fors_sign (algorithm 16): appends the signature, and returns the public key that fors_pkFromSig would
/// return.
pub(super) fn sign<S: Suite>(
    set: ParameterSet,
    functions: &Functions<S>,
    sk_seed: &[u8],
    key: ForsKey,
    md: &[u8],
    signature: &mut Vec<u8>,
) -> S::Node {
    /// Leaves that are computed at once, if trees are small: their upper levels then fill the lanes, too.
    const LEAVES: usize = 4096;
    let (height, k) = (set.fors_height(), set.fors_trees() as usize);
    let mut prf = Batch::of(&functions.short, sk_seed);
    let mut f = Batch::new(&functions.short, S::N);
    let mut h = Batch::new(&functions.tree, 2 * S::N);
    let leaves_of_trees = selected(set, md);
    let mut roots = Vec::with_capacity(k);
    let together = (LEAVES >> height).max(1);
    for first in (0..k).step_by(together) {
        let trees = first..k.min(first + together);
        // Nodes of all trees have numbers of their own: those of tree i begin at i · 2^(a − z).
        let index = |i: usize| (first << height) as u32 + i as u32;
        let mut secrets = Zeroizing::new(vec![S::Node::default(); trees.len() << height]);
        prf.many(&mut secrets, |prf, k, i| prf.set_address(k, &key.prf(index(i))));
        let mut leaves = vec![S::Node::default(); secrets.len()];
        f.many(&mut leaves, |f, k, i| {
            f.set_address(k, &key.node(0, index(i)));
            f.m(k).copy_from_slice(secrets[i].as_ref());
        });
        let built = Trees::build(&mut h, height, leaves, |tree, z, node| {
            key.node(z, ((first + tree) << (height - z)) as u32 + node)
        });
        for (tree, leaf) in leaves_of_trees[trees].iter().enumerate() {
            signature.extend_from_slice(secrets[(tree << height) + *leaf as usize].as_ref());
            built.path(tree, *leaf).for_each(|node| signature.extend_from_slice(node.as_ref()));
        }
        roots.extend_from_slice(built.roots());
    }
    compress(functions, &[key], &roots)[0]
}

/// Computes T_k of the roots of each key's trees.
fn compress<S: Suite>(functions: &Functions<S>, keys: &[ForsKey], roots: &[S::Node]) -> Vec<S::Node> {
    let k = roots.len() / keys.len();
    let mut public_keys = vec![S::Node::default(); keys.len()];
    Batch::new(&functions.tree, k * S::N).many(&mut public_keys, |t_k, place, i| {
        t_k.set_address(place, &keys[i].roots());
        t_k.m(place).copy_from_slice(S::Node::bytes_of(&roots[i * k..][..k]));
    });
    public_keys
}

/// fors_pkFromSig (algorithm 17) of several signatures: each with its key's place and its message's hash.
pub(super) fn public_keys_from_signatures<S: Suite>(
    set: ParameterSet,
    functions: &Functions<S>,
    keys: &[ForsKey],
    mds: &[&[u8]],
    signatures: &[&[u8]],
) -> Vec<S::Node> {
    let (height, k) = (set.fors_height(), set.fors_trees() as usize);
    let tree_bytes = (1 + height as usize) * S::N;
    let leaves: Vec<u32> = mds.iter().flat_map(|md| selected(set, md)).collect();
    let part = |i: usize| signatures[i / k][i % k * tree_bytes..][..tree_bytes].split_at(S::N);
    let mut nodes = vec![S::Node::default(); leaves.len()];
    Batch::new(&functions.short, S::N).many(&mut nodes, |f, place, i| {
        let first = ((i % k) << height) as u32;
        f.set_address(place, &keys[i / k].node(0, first + leaves[i]));
        f.m(place).copy_from_slice(part(i).0);
    });
    let mut h = Batch::new(&functions.tree, 2 * S::N);
    climb(
        &mut h,
        height,
        &leaves,
        &mut nodes,
        |i| part(i).1,
        |i, z, node| keys[i / k].node(z, ((i % k) << (height - z)) as u32 + node),
    );
    compress(functions, keys, &nodes)
}
