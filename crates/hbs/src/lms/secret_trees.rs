//! The secret side of trees: RFC 8554, sections 5.2 and 6.1, appendix A.
//!
//! The whole key is derived from SEED and I of its topmost tree.
//!
//! Three values are derived secrets with numbers that no chain has: the seed of a lower tree, its identifier
//! (both from one-time key q of the tree above), and the random value C of a signature (from one-time key q
//! of its tree). Other implementations derive them in the same way, but the standard leaves it open.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::hash::{Functions, Identifier, Kind, MessageHash, Suite, node};
use super::lm_ots::SecretOts;
use super::params::{IDENTIFIER_BYTES, Level, ParameterSet};
use super::tree::TreeKey;
use crate::address::Tree;
use crate::batch::{Batch, Node};
use crate::hazmat::forest::{Forest, LayerShape, Shape};
use crate::tree_cache::Nodes;

/// i of the derived secret C.
const C: u16 = 0xfffd;
/// i of the derived secret that is the seed of the tree below.
const CHILD_SEED: u16 = 0xfffe;
/// i of the derived secret whose first 16 bytes are the identifier of the tree below.
const CHILD_IDENTIFIER: u16 = 0xffff;

/// The secrets of one tree.
#[derive(Clone)]
pub(crate) struct SecretTree {
    pub(crate) tree: Tree,
    pub(crate) level: Level,
    pub(crate) identifier: Identifier,
    seed: Zeroizing<Vec<u8>>,
}

impl SecretTree {
    /// Returns the topmost tree of a key.
    fn top(set: &ParameterSet, seeds: &[u8]) -> Self {
        let (seed, identifier) = seeds.split_at(set.n());
        let identifier = identifier.try_into().expect("16 bytes");
        let tree = Tree { layer: set.levels().len() as u32 - 1, tree: 0 };
        Self { tree, level: set.levels()[0], identifier, seed: Zeroizing::new(seed.to_vec()) }
    }

    /// Returns the tree that one-time key `q` certifies.
    fn child(&self, set: &ParameterSet, tree: Tree, q: u32) -> Self {
        let identifier = self.derived(q, CHILD_IDENTIFIER);
        let identifier = *identifier.first_chunk::<IDENTIFIER_BYTES>().expect("n bytes");
        let level = set.levels()[set.levels().len() - 1 - tree.layer as usize];
        Self { tree, level, identifier, seed: self.derived(q, CHILD_SEED) }
    }

    /// Returns the derived secret `i` of one-time key `q`: appendix A.
    fn derived(&self, q: u32, i: u16) -> Zeroizing<Vec<u8>> {
        let hash = MessageHash::of_secret(self.level.hash(), &self.identifier, q, i, &self.seed);
        let digest = Zeroizing::new(hash.finish());
        Zeroizing::new(digest[..self.level.n()].to_vec())
    }

    /// Returns C of the signature with one-time key `q`. It depends only on the key, so a repeated signature
    /// is the same.
    pub(crate) fn c(&self, q: u32) -> Zeroizing<Vec<u8>> {
        self.derived(q, C)
    }

    /// Returns the public key with this root.
    pub(crate) fn public<'a>(&'a self, root: &'a [u8]) -> TreeKey<'a> {
        TreeKey { level: self.level, identifier: &self.identifier, root }
    }
}

/// The trees of a key.
pub(crate) fn shape_of(set: &ParameterSet) -> Shape {
    let levels = set.levels().iter().enumerate().rev();
    let layer = |(depth, level): (usize, &Level)| {
        let above = depth.checked_sub(1).map(|depth| set.levels()[depth]);
        LayerShape { height: level.height(), certificate_bytes: above.map_or(0, Level::signature_bytes) }
    };
    Shape::new(set.n(), levels.map(layer).collect())
}

/// A key's secrets, ready for one operation.
pub(crate) struct Context<S: Suite> {
    set: ParameterSet,
    shape: Shape,
    functions: Functions<S>,
    top: SecretTree,
}

impl<S: Suite> Context<S> {
    /// Prepares the secrets of `seeds`, SEED ‖ I.
    pub(crate) fn new(set: &ParameterSet, seeds: &[u8]) -> Self {
        Self { set: *set, shape: shape_of(set), functions: S::functions(), top: SecretTree::top(set, seeds) }
    }

    /// Appends an LMS signature up to its path (algorithm 5), of a message with this hash.
    pub(crate) fn sign_at(&self, tree: &SecretTree, q: u32, hash: &[u8], to: &mut Vec<u8>) {
        to.extend_from_slice(&q.to_be_bytes());
        to.extend_from_slice(&tree.level.lmots_type().to_be_bytes());
        to.extend_from_slice(&tree.c(q));
        let mut ots = SecretOts::<S>::new(&self.functions, tree.level, tree.identifier, &tree.seed);
        ots.sign(q, &hash[..S::N], to);
        to.extend_from_slice(&tree.level.lms_type().to_be_bytes());
    }
}

impl<S: Suite> Forest for Context<S> {
    type Keys = SecretTree;
    /// The one-time keys of the tree that the thread last worked on.
    type Worker<'w> = Option<(Tree, SecretOts<'w, S>)>;

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn keys(&self, tree: Tree) -> SecretTree {
        if self.shape.is_uppermost(tree) {
            return self.top.clone();
        }
        let (above, q) = self.shape.above(tree);
        self.keys(above).child(&self.set, tree, q)
    }

    fn worker(&self) -> Self::Worker<'_> {
        None
    }

    /// Computes the leaves of section 5.3.
    fn leaves<'w>(&'w self, worker: &mut Self::Worker<'w>, keys: &SecretTree, first: u32, to: &mut [u8]) {
        if worker.as_ref().is_none_or(|(tree, _)| *tree != keys.tree) {
            let ots = SecretOts::new(&self.functions, keys.level, keys.identifier, &keys.seed);
            *worker = Some((keys.tree, ots));
        }
        let (_, ots) = worker.as_mut().expect("it was made");
        let mut public_keys = alloc::vec![S::Node::default(); to.len() / S::N];
        ots.public_keys(first, &mut public_keys);
        let mut leaves = public_keys.clone();
        Batch::new(&self.functions.nodes, S::N).many(&mut leaves, |batch, k, i| {
            let r = (1 << keys.level.height()) + first + i as u32;
            batch.set_address(k, &node(&keys.identifier, r, Kind::Leaf));
            batch.m(k).copy_from_slice(public_keys[i].as_ref());
        });
        to.copy_from_slice(S::Node::bytes_of(&leaves));
    }

    /// Computes the other nodes of section 5.3, level by level.
    fn fill(&self, keys: &SecretTree, nodes: &mut Nodes) {
        /// Nodes that are computed together.
        const NODES: usize = 512;
        let mut batch = Batch::new(&self.functions.nodes, 2 * S::N);
        let mut parents = [S::Node::default(); NODES];
        for z in 0..keys.level.height() {
            let (below, level) = nodes.two_levels(z);
            let first_of_level = 1 << (keys.level.height() - z - 1);
            for (part, (below, level)) in
                (0..).zip(below.chunks(2 * NODES * S::N).zip(level.chunks_mut(NODES * S::N)))
            {
                let parents = &mut parents[..level.len() / S::N];
                batch.many(parents, |batch, k, i| {
                    let r = first_of_level + part * NODES as u32 + i as u32;
                    batch.set_address(k, &node(&keys.identifier, r, Kind::Intr));
                    batch.m(k).copy_from_slice(&below[2 * i * S::N..][..2 * S::N]);
                });
                level.copy_from_slice(S::Node::bytes_of(parents));
            }
        }
    }

    fn certify(&self, tree: Tree, root: &[u8], (above, q): (Tree, u32), to: &mut Vec<u8>) {
        let above = self.keys(above);
        let mut hash = MessageHash::of_message(above.level, &above.identifier, q, &above.c(q));
        hash.update(&self.keys(tree).public(root).to_bytes());
        self.sign_at(&above, q, &hash.finish(), to);
    }
}
