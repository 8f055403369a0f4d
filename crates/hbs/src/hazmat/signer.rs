//! XMSS_sign and XMSSMT_sign (RFC 8391, sections 4.1.9 and 4.2.4, algorithms 12 and 16) at an index that is given, with all nodes of the
//! current trees kept.
//!
//! Of every layer there are the current tree, the tree after it, which grows by a leaf with each signature of that layer, and
//! the certificate of the current tree: the signature over its root by the layer above. That is made once. A
//! second root under one index would be a forgery's beginning, so where a tree that may have been certified is built again:
//!
//! - if its root is known, from memory or from the shelf, another one is a fault, and nothing is signed;
//! - if it is not known, since what was kept is lost, the tree is built twice, and both must agree.

use alloc::boxed::Box;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::address::{Address, Tree};
use crate::hash::{HMsg, Prf, State, Suite, put, state_of, with_suite};
use crate::hazmat::key_generation::{Generated, each};
use crate::hazmat::shelf::Shelf;
use crate::hazmat::{Context, Derivation};
use crate::one_time_keys;
use crate::params::{MAX_N, ParameterSet};
use crate::tree_cache::{LEAVES, Nodes, fill, leaves};
use crate::verifying_key::kernel_named;
use crate::xmss_mt::{Parts, place, verify_hashed};
use crate::{Error, Signature, VerifyingKey};

/// Signs at any index of a key: who calls it sees to it that none is used twice.
pub(crate) struct Signer {
    derivation: Derivation,
    kernel: Option<&'static str>,
    /// S_XMSS ‖ SK_PRF ‖ SEED.
    seeds: Zeroizing<Vec<u8>>,
    verifying_key: VerifyingKey,
    layers: Vec<Option<Layer>>,
    shelf: Box<dyn Shelf>,
}

/// The current tree of a layer.
struct Layer {
    tree: Tree,
    root: Vec<u8>,
    certificate: Vec<u8>,
}

/// Whether a signature is verified before it is given away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// It is.
    Verify,
    /// It is not: to measure the one apart from the other.
    None,
}

/// Gives a message's parts to what it is called with.
pub(crate) type Feed<'f, E> = &'f mut dyn FnMut(&mut dyn FnMut(&[u8])) -> Result<(), E>;

impl Signer {
    /// A key whose trees are kept on `shelf`, or built when they are needed.
    pub(crate) fn new(
        seeds: Zeroizing<Vec<u8>>,
        derivation: Derivation,
        verifying_key: VerifyingKey,
        shelf: Box<dyn Shelf>,
    ) -> Self {
        let layers = (0..verifying_key.set().layers()).map(|_| None).collect();
        Self { derivation, kernel: None, seeds, verifying_key, layers, shelf }
    }

    /// A key that was generated; its trees are put on `shelf`.
    pub(crate) fn generated(generated: Generated, shelf: Box<dyn Shelf>) -> Result<Self, Error> {
        let Generated { set, derivation, kernel, seeds, trees } = generated;
        let root = trees.last().expect("a layer").root();
        let mut verifying_key = VerifyingKey::new(set, root, &seeds[2 * set.n()..]);
        if let Some(name) = kernel {
            verifying_key.set_kernel(name).expect("the key was generated on it");
        }
        let mut signer = Self { kernel, ..Self::new(seeds.clone(), derivation, verifying_key, shelf) };
        with_suite!(set, S => {
            let context = Context::<S>::new(set, kernel, &seeds, derivation);
            for (layer, nodes) in trees.into_iter().enumerate().rev() {
                signer.install(&context, Tree { layer: layer as u32, tree: 0 }, nodes)?;
            }
        });
        hashlanes_isa::wipe_stack();
        Ok(signer)
    }

    /// What its signatures are verified with.
    pub(crate) fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }

    /// # Errors
    /// [`Error::Kernel`].
    pub(crate) fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        self.verifying_key.set_kernel(name)?;
        self.kernel = Some(kernel_named(&self.set(), name)?);
        Ok(())
    }

    fn set(&self) -> ParameterSet {
        self.verifying_key.set()
    }

    /// The signature of the message that `feed` gives, at `index`.
    ///
    /// # Errors
    /// [`Error::SelfCheck`]; [`Error::Fault`]; those of `feed`, which is called once.
    pub(crate) fn sign<E: From<Error>>(
        &mut self,
        index: u64,
        check: Check,
        feed: Feed<'_, E>,
    ) -> Result<Signature, E> {
        let signature = with_suite!(self.set(), S => {
            let seeds = self.seeds.clone();
            let context = Context::<S>::new(self.set(), self.kernel, &seeds, self.derivation);
            self.sign_with(&context, index, check, feed)
        });
        hashlanes_isa::wipe_stack();
        Ok(signature?.into())
    }

    /// The index of a signature, if this key made it (or a copy of it).
    #[cfg(feature = "store")]
    pub(crate) fn index_of(&self, signature: &[u8]) -> Result<u64, Error> {
        index_of(self.set(), self.derivation, &self.seeds, signature)
    }

    fn sign_with<S: Suite, E: From<Error>>(
        &mut self,
        context: &Context<'_, S>,
        index: u64,
        check: Check,
        feed: Feed<'_, E>,
    ) -> Result<Vec<u8>, E> {
        let r_bytes = r(context, index);
        let r = &r_bytes[..S::N];
        let begin = || HMsg::<S>::new(context.lanes, r, self.verifying_key.root(), index);
        // The check has a hash of its own, in the same reading.
        let (mut hash, mut again) = (begin(), (check == Check::Verify).then(begin));
        feed(&mut |part| {
            hash.update(part);
            if let Some(again) = &mut again {
                again.update(part);
            }
        })?;
        let m = hash.finish();
        let signature = self.sign_hash(context, index, r, &m)?;
        let Some(again) = again.map(HMsg::finish) else { return Ok(signature) };
        if self.is_valid(context, &signature, again) {
            return Ok(signature);
        }
        // The same value under the same index once more, with all nodes built anew: what was kept may be damaged.
        for layer in (0..self.layers.len()).rev() {
            self.rebuild(context, layer)?;
        }
        let signature = self.sign_hash(context, index, r, &m)?;
        if self.is_valid(context, &signature, again) { Ok(signature) } else { Err(Error::SelfCheck.into()) }
    }

    fn is_valid<S: Suite>(&self, context: &Context<'_, S>, signature: &[u8], hash: State<S>) -> bool {
        let key = (self.verifying_key.root(), self.verifying_key.seed());
        let parts = Parts::of(&context.set, signature);
        parts.and_then(|parts| verify_hashed::<S>(&context.set, context.lanes, key, &parts, hash)).is_ok()
    }

    fn sign_hash<S: Suite>(
        &mut self,
        context: &Context<'_, S>,
        index: u64,
        r: &[u8],
        m: &State<S>,
    ) -> Result<Vec<u8>, Error> {
        let (tree, leaf) = place(&context.set, index, 0);
        self.go_to(context, tree, index)?;
        let mut signature = Vec::with_capacity(context.set.signature_bytes());
        signature.extend_from_slice(&index.to_be_bytes()[8 - context.set.index_bytes()..]);
        signature.extend_from_slice(r);
        self.tree_sig(context, tree, leaf, m, &mut signature)?;
        for layer in self.layers.iter().flatten() {
            signature.extend_from_slice(&layer.certificate);
        }
        self.grow(context, 0);
        Ok(signature)
    }

    /// treeSig (section 4.1.9, algorithm 11): the one-time signature of `m` at a leaf, and its path.
    fn tree_sig<S: Suite>(
        &mut self,
        context: &Context<'_, S>,
        tree: Tree,
        leaf: u32,
        m: &State<S>,
        to: &mut Vec<u8>,
    ) -> Result<(), Error> {
        for value in one_time_keys::sign(&mut context.worker(), &context.keys(tree), leaf, m) {
            let mut bytes = [0; MAX_N];
            put::<S>(&value, &mut bytes);
            to.extend_from_slice(&bytes[..S::N]);
        }
        let length = to.len();
        if self.shelf.path(tree, leaf, to).is_none() {
            to.truncate(length);
            self.rebuild(context, tree.layer as usize)?;
            self.shelf.path(tree, leaf, to).ok_or(Error::SelfCheck)?;
        }
        Ok(())
    }

    /// Makes `tree` the current one of its layer, and those above it current, for the signature at `index`.
    fn go_to<S: Suite>(&mut self, context: &Context<'_, S>, tree: Tree, index: u64) -> Result<(), Error> {
        let at = tree.layer as usize;
        if self.layers[at].as_ref().is_some_and(|layer| layer.tree == tree) {
            return Ok(());
        }
        if at + 1 < self.layers.len() {
            self.go_to(context, above(&context.set, tree).0, index)?;
        }
        if let Some(kept) = self.shelf.kept(tree) {
            self.layers[at] = Some(Layer { tree, root: kept.root, certificate: kept.certificate });
            return Ok(());
        }
        let mut nodes = Nodes::new(context.set.tree_height(), S::N);
        let n_grown = self.shelf.take_grown(tree, &mut nodes);
        build(context, tree, &mut nodes, n_grown);
        // Before the first signature with a tree, none with its certificate left.
        let is_new = index.trailing_zeros() >= (tree.layer + 1) * context.set.tree_height();
        if at + 1 == self.layers.len() {
            check_root(&context.set, tree, nodes.root(), self.verifying_key.root())?;
        } else if !is_new {
            check_root(&context.set, tree, nodes.root(), built(context, tree).root())?;
        }
        self.install(context, tree, nodes)?;
        if at + 1 < self.layers.len() {
            self.grow(context, at + 1);
        }
        Ok(())
    }

    /// Certifies a tree, and makes it the current one of its layer. The tree above it is current.
    fn install<S: Suite>(&mut self, context: &Context<'_, S>, tree: Tree, nodes: Nodes) -> Result<(), Error> {
        let (mut certificate, root) = (Vec::new(), nodes.root().to_vec());
        if tree.layer + 1 < context.set.layers() {
            let (above, leaf) = above(&context.set, tree);
            let m = state_of::<S>(&root);
            self.tree_sig(context, above, leaf, &m, &mut certificate)?;
        }
        self.shelf.keep(tree, nodes, &certificate);
        self.layers[tree.layer as usize] = Some(Layer { tree, root, certificate });
        Ok(())
    }

    /// Builds the current tree of a layer anew, and its certificate: the same over the same root, but with the path that the tree
    /// above has now.
    fn rebuild<S: Suite>(&mut self, context: &Context<'_, S>, layer: usize) -> Result<(), Error> {
        let Some(layer) = &self.layers[layer] else { return Ok(()) };
        let tree = layer.tree;
        let nodes = built(context, tree);
        check_root(&context.set, tree, nodes.root(), &layer.root)?;
        self.install(context, tree, nodes)
    }

    /// One leaf more for the tree after the current one. That is no part of a key's generation, so the first tree of an upper layer
    /// leaves one to [`build`].
    fn grow<S: Suite>(&mut self, context: &Context<'_, S>, layer: usize) {
        let Some(Layer { tree, .. }) = &self.layers[layer] else { return };
        let n_trees = context.set.signatures() >> ((tree.layer + 1) * context.set.tree_height());
        let next = Tree { tree: tree.tree + 1, ..*tree };
        if next.tree == n_trees {
            return;
        }
        let n_grown = self.shelf.n_grown(next);
        if n_grown < 1 << context.set.tree_height() {
            let mut leaf = [0; MAX_N];
            leaves(&mut context.worker(), &context.keys(next), n_grown, &mut leaf[..S::N]);
            self.shelf.grow(next, &leaf[..S::N]);
        }
    }
}

/// The tree that certifies `tree`, and the leaf with which it does.
fn above(set: &ParameterSet, tree: Tree) -> (Tree, u32) {
    let height = set.tree_height();
    let leaf = tree.tree & ((1 << height) - 1);
    (Tree { layer: tree.layer + 1, tree: tree.tree >> height }, leaf as u32)
}

fn check_root(set: &ParameterSet, tree: Tree, root: &[u8], expected: &[u8]) -> Result<(), Error> {
    if root == expected {
        return Ok(());
    }
    let behind = (tree.tree + 1) << ((tree.layer + 1) * set.tree_height());
    Err(Error::Fault { layer: tree.layer, tree: tree.tree, behind })
}

/// A whole tree.
fn built<S: Suite>(context: &Context<'_, S>, tree: Tree) -> Nodes {
    let mut nodes = Nodes::new(context.set.tree_height(), S::N);
    build(context, tree, &mut nodes, 0);
    nodes
}

/// All leaves from `first` on, and the nodes above them.
fn build<S: Suite>(context: &Context<'_, S>, tree: Tree, nodes: &mut Nodes, first: u32) {
    let keys = context.keys(tree);
    let missing = &mut nodes.leaves()[first as usize * S::N..];
    let mut parts: Vec<_> = missing.chunks_mut(LEAVES * S::N).enumerate().collect();
    each(&mut parts, context, |worker, (number, part)| {
        leaves(worker, &keys, first + (*number * LEAVES) as u32, part);
    });
    fill(&mut context.worker(), tree, nodes);
}

/// The random value r of a signature: PRF(SK_PRF, toByte(idx, 32)), algorithms 12 and 16. The index alone decides it.
fn r<S: Suite>(context: &Context<'_, S>, index: u64) -> [u8; MAX_N] {
    let r = Prf::<S>::new(context.lanes, context.sk_prf).one(context.lanes, &Address::number(index));
    let mut bytes = [0; MAX_N];
    put::<S>(&r, &mut bytes);
    bytes
}

/// The index of a signature that a key of these seeds made: told by its r, as its message is not known.
#[cfg(feature = "store")]
pub(crate) fn index_of(
    set: ParameterSet,
    derivation: Derivation,
    seeds: &[u8],
    signature: &[u8],
) -> Result<u64, Error> {
    let parts = Parts::of(&set, signature)?;
    let is_own = with_suite!(set, S => {
        let context = Context::<S>::new(set, None, seeds, derivation);
        r(&context, parts.index)[..S::N] == *parts.r
    });
    hashlanes_isa::wipe_stack();
    if is_own { Ok(parts.index) } else { Err(Error::OtherSigner) }
}
