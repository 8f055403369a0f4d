//! Where a key's trees are kept: the current one of each layer, and the one after it, which grows.

use alloc::vec::Vec;

use crate::address::Tree;
use crate::hazmat::forest::Shape;
use crate::tree_cache::Nodes;

/// What is known of a tree that is kept.
pub(crate) struct Kept {
    pub(crate) root: Vec<u8>,
    /// The signature of the layer above over the root: one-time signature and path. None of the uppermost tree.
    pub(crate) certificate: Vec<u8>,
}

/// A place for trees. It may lose any of them, which are built again then; roots, certificates and leaves of growing trees that it gives
/// back are those that it was given, or it gives none. Paths may be wrong: signatures are verified.
pub(crate) trait Shelf: Send + Sync {
    /// The root and certificate of a tree, if it is kept.
    fn kept(&mut self, tree: Tree) -> Option<Kept>;
    /// Keeps a tree as its layer's current one.
    fn keep(&mut self, tree: Tree, nodes: Nodes, certificate: &[u8]);
    /// Adds the authentication path of a leaf. `None` if it cannot be read: `to` may have more of it or less then. Of a tree
    /// that is kept after that it can.
    fn path(&mut self, tree: Tree, leaf: u32, to: &mut Vec<u8>) -> Option<()>;
    /// The leaves that are there of a tree that grows; those of any other tree of its layer that grew are given up.
    fn n_grown(&mut self, tree: Tree) -> u32;
    /// Adds a leaf to a tree that grows.
    fn grow(&mut self, tree: Tree, leaf: &[u8]);
    /// Puts the leaves of a tree that grew into `nodes`: how many, from the first on.
    fn take_grown(&mut self, tree: Tree, nodes: &mut Nodes) -> u32;
}

/// Trees in memory.
pub(crate) struct InMemory {
    shape: Shape,
    layers: Vec<Layer>,
}

#[derive(Default)]
struct Layer {
    current: Option<(Tree, Nodes, Vec<u8>)>,
    growing: Option<(Tree, Nodes, u32)>,
}

impl InMemory {
    pub(crate) fn new(shape: Shape) -> Self {
        let layers = (0..shape.n_layers()).map(|_| Layer::default()).collect();
        Self { shape, layers }
    }

    /// Forgets the current tree of a layer.
    #[cfg(feature = "store")]
    pub(crate) fn give_up(&mut self, layer: u32) {
        self.layers[layer as usize].current = None;
    }

    fn layer(&mut self, tree: Tree) -> &mut Layer {
        &mut self.layers[tree.layer as usize]
    }

    fn growing(&mut self, tree: Tree) -> &mut (Tree, Nodes, u32) {
        let (height, n) = (self.shape.height(tree.layer), self.shape.n());
        let growing = &mut self.layer(tree).growing;
        if growing.as_ref().is_some_and(|(other, ..)| *other != tree) {
            *growing = None;
        }
        growing.get_or_insert_with(|| (tree, Nodes::new(height, n), 0))
    }
}

impl Shelf for InMemory {
    fn kept(&mut self, tree: Tree) -> Option<Kept> {
        let (of, nodes, certificate) = self.layer(tree).current.as_ref()?;
        (*of == tree).then(|| Kept { root: nodes.root().to_vec(), certificate: certificate.clone() })
    }

    fn keep(&mut self, tree: Tree, nodes: Nodes, certificate: &[u8]) {
        self.layer(tree).current = Some((tree, nodes, certificate.to_vec()));
    }

    fn path(&mut self, tree: Tree, leaf: u32, to: &mut Vec<u8>) -> Option<()> {
        let (of, nodes, _) = self.layer(tree).current.as_ref()?;
        (*of == tree).then(|| nodes.path(leaf).for_each(|node| to.extend_from_slice(node)))
    }

    fn n_grown(&mut self, tree: Tree) -> u32 {
        self.growing(tree).2
    }

    fn grow(&mut self, tree: Tree, leaf: &[u8]) {
        let (_, nodes, n_leaves) = self.growing(tree);
        if let Some(to) = nodes.leaves().chunks_mut(leaf.len()).nth(*n_leaves as usize) {
            to.copy_from_slice(leaf);
            *n_leaves += 1;
        }
    }

    fn take_grown(&mut self, tree: Tree, nodes: &mut Nodes) -> u32 {
        match self.layer(tree).growing.take() {
            Some((of, grown, n_leaves)) if of == tree => {
                *nodes = grown;
                n_leaves
            }
            _ => 0,
        }
    }
}
