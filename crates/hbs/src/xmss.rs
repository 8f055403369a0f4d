//! One tree (RFC 8391, section 4.1): L-trees, and the root that results from a signature.

use alloc::vec::Vec;

use crate::address::{Address, Tree};
use crate::hash::{Kind, State, Suite, Worker, state_of};
use crate::wots;

impl<S: Suite> Worker<'_, S> {
    /// ltree (section 4.1.5, algorithm 8) of several keys at once: `keys` holds len values of each, `trees`
    /// their addresses. Returns the leaves.
    pub(crate) fn l_trees(&mut self, trees: &[Address], mut keys: Vec<State<S>>) -> Vec<State<S>> {
        assert!(keys.len() == trees.len() * S::LEN);
        // Nodes of a level in each tree: len, then half of it, rounded up: the last node of an odd level
        // moves up unchanged.
        let widths = || core::iter::successors(Some(S::LEN), |n| Some(n.div_ceil(2))).take_while(|n| *n > 1);
        let n = trees.len() * (S::LEN - 1);
        let mut places = widths().enumerate().flat_map(|(height, width)| {
            let of = move |tree: &Address| {
                let tree = *tree;
                (0..width as u32 / 2).map(move |index| tree.at_node(height as u32, index))
            };
            trees.iter().flat_map(of)
        });
        self.prepare(Kind::H, n, |address| places.next().expect("as many nodes").put(address));

        let mut from = 0;
        for width in widths() {
            let (pairs, next_width) = (width / 2, width.div_ceil(2));
            let some = from..from + trees.len() * pairs;
            from = some.end;
            let mut next = Vec::with_capacity(trees.len() * next_width);
            let parents = self.h(n, some, |i| {
                let left = i / pairs * width + i % pairs * 2;
                (&keys[left], &keys[left + 1])
            });
            for (parents, below) in parents.chunks(pairs).zip(keys.chunks(width)) {
                next.extend_from_slice(parents);
                next.extend_from_slice(&below[2 * pairs..]);
            }
            keys = next;
        }
        keys
    }
}

/// XMSS_rootFromSig (section 4.1.10, algorithm 13) of several signatures, in lanes: `signed` has the tree,
/// the leaf and the signed value of each, `signatures` the one-time signature and the path of each, as
/// encoded in a signature.
pub(crate) fn roots_from_signatures<S: Suite>(
    worker: &mut Worker<'_, S>,
    signed: &[(Tree, u32, State<S>)],
    signatures: &[&[u8]],
) -> Vec<State<S>> {
    let split = |signature: &&[u8]| -> (Vec<State<S>>, Vec<State<S>>) {
        let (ots, path) = signature.split_at(S::LEN * S::N);
        let values = |bytes: &[u8]| bytes.chunks(S::N).map(state_of::<S>).collect();
        (values(ots), values(path))
    };
    let (ots, paths): (Vec<_>, Vec<_>) = signatures.iter().map(split).unzip();
    let mut keys = ots.concat();
    wots::public_keys_from_signatures(worker, signed, &mut keys);
    let l_trees: Vec<_> = signed.iter().map(|(tree, leaf, _)| tree.l_tree(*leaf)).collect();
    let mut nodes = worker.l_trees(&l_trees, keys);

    let (n_paths, height) = (signed.len(), paths.first().map_or(0, Vec::len));
    let mut places = (0..height as u32).flat_map(|height| {
        let parent = move |leaf: &u32| leaf >> (height + 1);
        signed.iter().map(move |(tree, leaf, _)| tree.hash_tree().at_node(height, parent(leaf)))
    });
    let n = n_paths * height;
    worker.prepare(Kind::H, n, |address| places.next().expect("as many nodes").put(address));
    for height in 0..height {
        let from = height * n_paths;
        let parents = worker.h(n, from..from + n_paths, |i| {
            let sibling = &paths[i][height];
            if signed[i].1 >> height & 1 == 0 { (&nodes[i], sibling) } else { (sibling, &nodes[i]) }
        });
        nodes = parents.to_vec();
    }
    nodes
}
