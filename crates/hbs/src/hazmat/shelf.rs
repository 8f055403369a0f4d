//! Storage of a key's trees: the current one of each layer, and the one after it, which grows.

use alloc::vec::Vec;

use crate::address::Tree;
use crate::hazmat::forest::Shape;
use crate::tree_cache::Nodes;

/// The data of a kept tree.
pub(crate) struct Kept {
    pub(crate) root: Vec<u8>,
    /// The signature over the root by the layer above: one-time signature and path. Empty for the uppermost
    /// tree.
    pub(crate) certificate: Vec<u8>,
}

/// Storage of trees.
///
/// It may lose any tree, which is then rebuilt. Roots, certificates and leaves of growing trees that it
/// returns must be the stored ones; otherwise it must return nothing. Paths may be wrong, because signatures
/// are verified.
pub(crate) trait Shelf: Send + Sync {
    /// Returns the root and certificate of a tree, if it is kept.
    fn kept(&mut self, tree: Tree) -> Option<Kept>;
    /// Keeps a tree as its layer's current one.
    fn keep(&mut self, tree: Tree, nodes: Nodes, certificate: &[u8]);
    /// Appends the authentication path of a leaf.
    ///
    /// Returns `None` if the path cannot be read; `to` may then hold a part of it. Succeeds for a tree after
    /// it was kept again.
    fn path(&mut self, tree: Tree, leaf: u32, to: &mut Vec<u8>) -> Option<()>;
    /// Returns the number of leaves of a growing tree; drops the leaves of any other growing tree of its
    /// layer.
    fn n_grown(&mut self, tree: Tree) -> u32;
    /// Adds a leaf to a growing tree.
    fn grow(&mut self, tree: Tree, leaf: &[u8]);
    /// Copies the leaves of a growing tree into `nodes`; returns their number, from the first leaf on.
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

/// Trees in damaged memory.
#[cfg(test)]
pub(crate) mod damaged {
    use alloc::boxed::Box;

    use super::*;
    use crate::hazmat::signer::{Check, Feed};
    use crate::{Error, Signature};

    /// Signs with nodes that are damaged in memory, layer by layer: they are rebuilt; if that does not help,
    /// no signature is returned. `signer` makes a key on a shelf, and returns how it signs and verifies.
    pub(crate) fn no_wrong_signature_is_released<S, V>(
        shape: &Shape,
        signer: impl Fn(Box<dyn Shelf>) -> (S, V),
    ) where
        S: FnMut(Check, Feed<'_, Error>) -> Result<Signature, Error>,
        V: Fn(&[u8], &[u8]) -> Result<(), Error>,
    {
        for layer in 0..shape.n_layers() {
            for can_be_mended in [true, false] {
                let shelf = InMemory::new(shape.clone());
                let shelf = Damaged { shelf, layer, can_be_mended, is_damaged: false };
                let (mut sign_fed, verify) = signer(Box::new(shelf));
                let mut sign = |check| {
                    sign_fed(check, &mut |to| {
                        to(b"message");
                        Ok(())
                    })
                };
                let unchecked = sign(Check::None).expect("a signature");
                assert!(verify(b"message", unchecked.as_ref()).is_err(), "layer {layer}");
                match sign(Check::Verify) {
                    Ok(signature) if can_be_mended => {
                        verify(b"message", signature.as_ref()).expect("a valid signature");
                    }
                    Err(Error::SelfCheck) if !can_be_mended => {}
                    other => panic!("layer {layer}: {other:?}"),
                }
            }
        }
    }

    /// A shelf whose paths have a wrong bit: in a layer, until its tree is kept again, or for ever.
    struct Damaged {
        shelf: InMemory,
        layer: u32,
        can_be_mended: bool,
        is_damaged: bool,
    }

    impl Shelf for Damaged {
        fn kept(&mut self, tree: Tree) -> Option<Kept> {
            self.shelf.kept(tree)
        }
        fn keep(&mut self, tree: Tree, nodes: Nodes, certificate: &[u8]) {
            if tree.layer == self.layer {
                // The first time is the key's generation.
                self.is_damaged = !self.can_be_mended || self.shelf.kept(tree).is_none();
            }
            self.shelf.keep(tree, nodes, certificate);
        }
        fn path(&mut self, tree: Tree, leaf: u32, to: &mut Vec<u8>) -> Option<()> {
            self.shelf.path(tree, leaf, to)?;
            if tree.layer == self.layer && self.is_damaged {
                *to.last_mut()? ^= 1;
            }
            Some(())
        }
        fn n_grown(&mut self, tree: Tree) -> u32 {
            self.shelf.n_grown(tree)
        }
        fn grow(&mut self, tree: Tree, leaf: &[u8]) {
            self.shelf.grow(tree, leaf);
        }
        fn take_grown(&mut self, tree: Tree, nodes: &mut Nodes) -> u32 {
            self.shelf.take_grown(tree, nodes)
        }
    }
}
