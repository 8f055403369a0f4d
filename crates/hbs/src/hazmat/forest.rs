//! The shared part of all schemes' signers: layers of trees, each of which certifies the roots of those below
//! it.

use alloc::vec::Vec;

use crate::address::Tree;
use crate::tree_cache::Nodes;

/// The trees of a key: layer 0 is the lowest.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    n: usize,
    layers: Vec<LayerShape>,
}

/// The trees of a layer.
#[derive(Clone, Debug)]
pub(crate) struct LayerShape {
    pub(crate) height: u32,
    /// Length in bytes of the signature over a tree's root by the layer above; 0 for the uppermost layer.
    #[cfg_attr(not(feature = "store"), allow(dead_code, reason = "files of trees are of that length"))]
    pub(crate) certificate_bytes: usize,
}

impl Shape {
    pub(crate) fn new(n: usize, layers: Vec<LayerShape>) -> Self {
        Self { n, layers }
    }

    /// Returns the length of a node in bytes.
    pub(crate) fn n(&self) -> usize {
        self.n
    }
    pub(crate) fn n_layers(&self) -> u32 {
        self.layers.len() as u32
    }
    /// Returns the height of a tree of this layer.
    pub(crate) fn height(&self, layer: u32) -> u32 {
        self.layers[layer as usize].height
    }
    #[cfg(feature = "store")]
    pub(crate) fn certificate_bytes(&self, layer: u32) -> usize {
        self.layers[layer as usize].certificate_bytes
    }
    /// Returns the height of this layer and all below it together.
    pub(crate) fn height_up_to(&self, layer: u32) -> u32 {
        self.layers[..=layer as usize].iter().map(|layer| layer.height).sum()
    }
    /// Returns the number of trees of this layer.
    pub(crate) fn n_trees(&self, layer: u32) -> u64 {
        1 << (self.height_up_to(self.n_layers() - 1) - self.height_up_to(layer))
    }
    /// Returns the first index after those of a tree.
    pub(crate) fn end_of(&self, tree: Tree) -> u64 {
        (tree.tree + 1) << self.height_up_to(tree.layer)
    }
    pub(crate) fn is_uppermost(&self, tree: Tree) -> bool {
        tree.layer + 1 == self.n_layers()
    }

    /// Returns the tree and the leaf of an index.
    pub(crate) fn place(&self, index: u64) -> (Tree, u32) {
        let height = self.height(0);
        (Tree { layer: 0, tree: index >> height }, (index & ((1 << height) - 1)) as u32)
    }

    /// Returns the tree that certifies `tree`, and the leaf with which it does.
    pub(crate) fn above(&self, tree: Tree) -> (Tree, u32) {
        let height = self.height(tree.layer + 1);
        let leaf = tree.tree & ((1 << height) - 1);
        (Tree { layer: tree.layer + 1, tree: tree.tree >> height }, leaf as u32)
    }
}

/// The computations of a scheme with a key's secrets.
pub(crate) trait Forest: Sync {
    /// The one-time keys of a tree.
    type Keys: Sync;
    /// The worker with which a thread computes leaves.
    type Worker<'w>
    where
        Self: 'w;

    fn shape(&self) -> &Shape;
    fn keys(&self, tree: Tree) -> Self::Keys;
    fn worker(&self) -> Self::Worker<'_>;
    /// Computes the leaves from `first` on.
    fn leaves<'w>(&'w self, worker: &mut Self::Worker<'w>, keys: &Self::Keys, first: u32, to: &mut [u8]);
    /// Computes all nodes above the leaves.
    fn fill(&self, keys: &Self::Keys, nodes: &mut Nodes);
    /// Appends the signature of a tree's root by a leaf of the tree above it, up to its path.
    fn certify(&self, tree: Tree, root: &[u8], by: (Tree, u32), to: &mut Vec<u8>);
}

/// Some leaves of a tree: the work of one thread at a time.
pub(super) struct Part<'n> {
    pub(super) layer: usize,
    pub(super) first: u32,
    pub(super) leaves: &'n mut [u8],
}

/// Processes all parts, on rayon's threads if the feature is enabled and the system starts them. Each thread
/// uses one worker for several parts.
pub(super) fn each<'w, F: Forest, T: Send>(
    forest: &'w F,
    items: &mut [T],
    work: impl Fn(&mut F::Worker<'w>, &mut T) + Send + Sync,
) {
    let work = |worker: &mut F::Worker<'w>, item: &mut T| {
        work(worker, item);
        hashlanes_isa::wipe_stack();
    };
    #[cfg(feature = "rayon")]
    if crate::lanes::has_threads() {
        use rayon::prelude::*;
        return items.par_iter_mut().for_each_init(|| forest.worker(), work);
    }
    let mut worker = forest.worker();
    items.iter_mut().for_each(|item| work(&mut worker, item));
}
