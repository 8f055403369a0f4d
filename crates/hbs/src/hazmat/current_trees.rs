//! The current tree of each layer, for signatures at any index.
//!
//! Each layer has the current tree, the tree after it, which grows by one leaf with each signature of the
//! layer, and the certificate of the current tree: the signature over its root by the layer above. The
//! certificate is made only once, because two signed roots under one index would help a forger. So if a tree
//! that may have been certified is rebuilt:
//!
//! - if its root is known, from memory or from the shelf, a different root is a fault, and nothing is signed;
//! - if its root is not known, because the kept data is lost, the tree is built twice, and both roots must
//!   agree.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::Error;
use crate::address::Tree;
use crate::hazmat::forest::{Forest, Shape, each};
use crate::hazmat::shelf::Shelf;
use crate::params::MAX_N;
use crate::tree_cache::{LEAVES, Nodes};

/// The current trees of a key.
pub(crate) struct CurrentTrees {
    /// Returns the root of the uppermost tree.
    root: Vec<u8>,
    layers: Vec<Option<Layer>>,
    shelf: Box<dyn Shelf>,
}

/// The current tree of a layer.
pub(crate) struct Layer {
    pub(crate) tree: Tree,
    pub(crate) root: Vec<u8>,
    pub(crate) certificate: Vec<u8>,
}

impl CurrentTrees {
    /// Trees that are kept on `shelf`, or rebuilt when they are needed.
    pub(crate) fn new(n_layers: u32, root: &[u8], shelf: Box<dyn Shelf>) -> Self {
        Self { root: root.to_vec(), layers: (0..n_layers).map(|_| None).collect(), shelf }
    }

    /// Certifies and keeps the first tree of each layer, from the lowest layer up.
    pub(crate) fn install_all<F: Forest>(&mut self, forest: &F, trees: Vec<Nodes>) -> Result<(), Error> {
        for (layer, nodes) in trees.into_iter().enumerate().rev() {
            self.install(forest, Tree { layer: layer as u32, tree: 0 }, nodes)?;
        }
        Ok(())
    }

    /// The current trees, from the lowest layer up.
    pub(crate) fn current(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        self.layers.iter().flatten()
    }

    /// treeSig (RFC 8391, section 4.1.9, algorithm 11; RFC 8554, section 5.4.1): `one_time` appends the
    /// one-time signature at a leaf; this function appends its path.
    pub(crate) fn tree_sig<F: Forest>(
        &mut self,
        forest: &F,
        (tree, leaf): (Tree, u32),
        one_time: impl FnOnce(&mut Vec<u8>),
        to: &mut Vec<u8>,
    ) -> Result<(), Error> {
        one_time(to);
        let length = to.len();
        if self.shelf.path(tree, leaf, to).is_none() {
            to.truncate(length);
            self.rebuild(forest, tree.layer as usize)?;
            self.shelf.path(tree, leaf, to).ok_or(Error::SelfCheck)?;
        }
        Ok(())
    }

    /// Makes `tree` the current one of its layer, and the trees above it current, for the signature at
    /// `index`.
    pub(crate) fn go_to<F: Forest>(&mut self, forest: &F, tree: Tree, index: u64) -> Result<(), Error> {
        let (shape, at) = (forest.shape(), tree.layer as usize);
        if self.layers[at].as_ref().is_some_and(|layer| layer.tree == tree) {
            return Ok(());
        }
        if !shape.is_uppermost(tree) {
            self.go_to(forest, shape.above(tree).0, index)?;
        }
        if let Some(kept) = self.shelf.kept(tree) {
            self.layers[at] = Some(Layer { tree, root: kept.root, certificate: kept.certificate });
            return Ok(());
        }
        let mut nodes = Nodes::new(shape.height(tree.layer), shape.n());
        let n_grown = self.shelf.take_grown(tree, &mut nodes);
        build(forest, tree, &mut nodes, n_grown);
        // Before the first signature with the tree there can be no certificate of it.
        let is_new = index.trailing_zeros() >= shape.height_up_to(tree.layer);
        if shape.is_uppermost(tree) {
            check_root(shape, tree, nodes.root(), &self.root)?;
        } else if !is_new {
            check_root(shape, tree, nodes.root(), built(forest, tree).root())?;
        }
        self.install(forest, tree, nodes)?;
        if !shape.is_uppermost(tree) {
            self.grow(forest, at + 1);
        }
        Ok(())
    }

    /// Certifies a tree, and makes it the current one of its layer. The tree above it must be current.
    fn install<F: Forest>(&mut self, forest: &F, tree: Tree, nodes: Nodes) -> Result<(), Error> {
        let (mut certificate, root) = (Vec::new(), nodes.root().to_vec());
        if !forest.shape().is_uppermost(tree) {
            let by = forest.shape().above(tree);
            self.tree_sig(forest, by, |to| forest.certify(tree, &root, by, to), &mut certificate)?;
        }
        self.shelf.keep(tree, nodes, &certificate);
        self.layers[tree.layer as usize] = Some(Layer { tree, root, certificate });
        Ok(())
    }

    /// Rebuilds all current trees, because the kept data may be damaged.
    pub(crate) fn rebuild_all<F: Forest>(&mut self, forest: &F) -> Result<(), Error> {
        (0..self.layers.len()).rev().try_for_each(|layer| self.rebuild(forest, layer))
    }

    /// Rebuilds the current tree of a layer and its certificate: the same signature over the same root, with
    /// the present path of the tree above.
    fn rebuild<F: Forest>(&mut self, forest: &F, layer: usize) -> Result<(), Error> {
        let Some(layer) = &self.layers[layer] else { return Ok(()) };
        let tree = layer.tree;
        let nodes = built(forest, tree);
        check_root(forest.shape(), tree, nodes.root(), &layer.root)?;
        self.install(forest, tree, nodes)
    }

    /// Adds one leaf to the tree after the current one. Key generation adds none, so the first tree of an
    /// upper layer leaves one to [`build`].
    pub(crate) fn grow<F: Forest>(&mut self, forest: &F, layer: usize) {
        let Some(Layer { tree, .. }) = &self.layers[layer] else { return };
        let shape = forest.shape();
        let next = Tree { tree: tree.tree + 1, ..*tree };
        if next.tree == shape.n_trees(tree.layer) {
            return;
        }
        let n_grown = self.shelf.n_grown(next);
        if n_grown < 1 << shape.height(tree.layer) {
            let mut leaf = [0; MAX_N];
            let leaf = &mut leaf[..shape.n()];
            forest.leaves(&mut forest.worker(), &forest.keys(next), n_grown, leaf);
            self.shelf.grow(next, leaf);
        }
    }
}

fn check_root(shape: &Shape, tree: Tree, root: &[u8], expected: &[u8]) -> Result<(), Error> {
    if root == expected {
        return Ok(());
    }
    Err(Error::Fault { layer: tree.layer, tree: tree.tree, end: shape.end_of(tree) })
}

/// Builds a whole tree.
fn built<F: Forest>(forest: &F, tree: Tree) -> Nodes {
    let shape = forest.shape();
    let mut nodes = Nodes::new(shape.height(tree.layer), shape.n());
    build(forest, tree, &mut nodes, 0);
    nodes
}

/// Computes all leaves from `first` on, and the nodes above them.
fn build<F: Forest>(forest: &F, tree: Tree, nodes: &mut Nodes, first: u32) {
    let (n, keys) = (forest.shape().n(), forest.keys(tree));
    let missing = &mut nodes.leaves()[first as usize * n..];
    let mut parts: Vec<_> = missing.chunks_mut(LEAVES * n).enumerate().collect();
    each(forest, &mut parts, |worker, (number, part)| {
        forest.leaves(worker, &keys, first + (*number * LEAVES) as u32, part);
    });
    forest.fill(&keys, nodes);
}
