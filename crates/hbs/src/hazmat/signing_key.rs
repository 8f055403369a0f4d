//! XMSS_sign and XMSSMT_sign (RFC 8391, sections 4.1.9 and 4.2.4, algorithms 12 and 16) with all nodes of the current trees kept.
//!
//! Of every layer there are the current tree, the tree after it, which grows by a leaf with each signature of that layer, and
//! the signature over the root of the layer below, which is made once: a second root under one index would be a forgery's
//! beginning.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::address::{Address, Tree};
use crate::hash::{Suite, h_msg, put, state_of, with_suite};
use crate::hazmat::key_generation::each;
use crate::hazmat::{Context, Derivation};
use crate::one_time_keys;
use crate::params::{MAX_N, ParameterSet};
use crate::tree_cache::{LEAVES, Nodes, fill, leaves};
use crate::verifying_key::kernel_named;
use crate::xmss_mt::place;
use crate::{Error, Signature, VerifyingKey};

/// A key that signs, with its state in memory alone; see the module's warning. Overwritten when dropped.
pub struct SigningKey {
    set: ParameterSet,
    derivation: Derivation,
    kernel: Option<&'static str>,
    /// S_XMSS ‖ SK_PRF ‖ SEED.
    seeds: Zeroizing<Vec<u8>>,
    verifying_key: VerifyingKey,
    next_index: u64,
    layers: Vec<Layer>,
}

/// A layer of trees.
struct Layer {
    tree: Tree,
    nodes: Nodes,
    next: Option<Growing>,
    /// Over the root of the layer below: one-time signature and path. None of the lowest layer.
    signature: Vec<u8>,
}

/// The tree after the current one.
struct Growing {
    tree: Tree,
    nodes: Nodes,
    n_leaves: u32,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("set", &self.set)
            .field("next_index", &self.next_index)
            .finish_non_exhaustive()
    }
}

impl SigningKey {
    /// From the first tree of every layer.
    pub(super) fn new<S: Suite>(
        context: &Context<'_, S>,
        kernel: Option<&'static str>,
        trees: Vec<Nodes>,
    ) -> Self {
        let root = trees.last().expect("a layer").root();
        let mut verifying_key = VerifyingKey::new(context.set, root, context.seed);
        if let Some(name) = kernel {
            verifying_key.set_kernel(name).expect("the key was generated on it");
        }
        let of_layer = |(layer, nodes)| {
            let tree = Tree { layer: layer as u32, tree: 0 };
            Layer { tree, nodes, next: None, signature: Vec::new() }
        };
        let mut key = Self {
            set: context.set,
            derivation: context.derivation,
            kernel,
            seeds: Zeroizing::new([context.sk_seed, context.sk_prf, context.seed].concat()),
            verifying_key,
            next_index: 0,
            layers: trees.into_iter().enumerate().map(of_layer).collect(),
        };
        for layer in 1..key.layers.len() {
            key.sign_root(context, layer);
        }
        key
    }

    /// What its signatures are verified with.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }
    /// The parameter set.
    pub fn set(&self) -> ParameterSet {
        self.set
    }
    /// The index of the next signature; 2^h of an exhausted key.
    pub fn next_index(&self) -> u64 {
        self.next_index
    }

    /// Makes one kernel of SHA-256 (n = 24 and 32) or SHA-512 (n = 64) serve everything from now on.
    ///
    /// # Errors
    /// [`Error::Kernel`] if there is none of that name, or this CPU cannot run it.
    pub fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        self.verifying_key.set_kernel(name)?;
        self.kernel = Some(kernel_named(&self.set, name)?);
        Ok(())
    }

    /// Leaves out the indices before `index`: forward alone.
    ///
    /// # Errors
    /// [`Error::IndexUsed`]; [`Error::Index`] if it is above 2^h.
    pub fn advance_to(&mut self, index: u64) -> Result<(), Error> {
        let signatures = self.set.signatures();
        if index > signatures {
            return Err(Error::Index { index, signatures });
        }
        if index < self.next_index {
            return Err(Error::IndexUsed { index, next: self.next_index });
        }
        self.next_index = index;
        Ok(())
    }

    /// Signs with the next index, and verifies the signature before it is released. The index is used up whatever happens.
    ///
    /// # Errors
    /// [`Error::Exhausted`]; [`Error::SelfCheck`].
    pub fn try_sign(&mut self, message: &[u8]) -> Result<Signature, Error> {
        let signature = self.sign_unchecked(message)?;
        match self.verifying_key.verify(message, signature.as_ref()) {
            Ok(()) => Ok(signature),
            Err(_) => Err(Error::SelfCheck),
        }
    }

    /// As [`SigningKey::try_sign`], but not verified: to measure the one apart from the other.
    ///
    /// # Errors
    /// [`Error::Exhausted`].
    #[doc(hidden)]
    pub fn sign_unchecked(&mut self, message: &[u8]) -> Result<Signature, Error> {
        let index = self.next_index;
        if index == self.set.signatures() {
            return Err(Error::Exhausted);
        }
        self.next_index += 1;
        let seeds = self.seeds.clone();
        let signature = with_suite!(self.set, S => {
            let context = Context::<S>::new(self.set, self.kernel, &seeds, self.derivation);
            self.sign_with(&context, index, message)
        });
        hashlanes_isa::wipe_stack();
        Ok(signature.into())
    }

    fn sign_with<S: Suite>(&mut self, context: &Context<'_, S>, index: u64, message: &[u8]) -> Vec<u8> {
        let (tree, leaf) = place(&self.set, index, 0);
        self.go_to(context, tree);

        let mut signature = Vec::with_capacity(self.set.signature_bytes());
        signature.extend_from_slice(&index.to_be_bytes()[8 - self.set.index_bytes()..]);
        let r = crate::hash::Prf::<S>::new(context.lanes, context.sk_prf)
            .one(context.lanes, &Address::number(index));
        let mut r_bytes = [0; MAX_N];
        put::<S>(&r, &mut r_bytes);
        let r = &r_bytes[..S::N];
        signature.extend_from_slice(r);
        let m = h_msg::<S>(context.lanes, self.verifying_key.root(), &[(r, index, message)]);
        tree_sig(context, &self.layers[0], leaf, &m[0], &mut signature);
        for layer in &self.layers[1..] {
            signature.extend_from_slice(&layer.signature);
        }
        self.grow(context, 0);
        signature
    }

    /// Makes `tree` the current one of its layer, and those above it current.
    fn go_to<S: Suite>(&mut self, context: &Context<'_, S>, tree: Tree) {
        let layer = &mut self.layers[tree.layer as usize];
        if layer.tree == tree {
            return;
        }
        let growing = layer.next.take().filter(|growing| growing.tree == tree);
        let mut growing = growing.unwrap_or_else(|| Growing::new(context.set, tree));
        growing.finish(context);
        (layer.tree, layer.nodes) = (tree, growing.nodes);

        // Its root stands at this leaf of the layer above.
        let height = self.set.tree_height();
        let above = Tree { layer: tree.layer + 1, tree: tree.tree >> height };
        self.go_to(context, above);
        self.sign_root(context, above.layer as usize);
        self.grow(context, above.layer as usize);
    }

    /// Makes the signature of a layer over the root of the one below.
    fn sign_root<S: Suite>(&mut self, context: &Context<'_, S>, layer: usize) {
        let below = &self.layers[layer - 1];
        let leaf = (below.tree.tree & ((1 << self.set.tree_height()) - 1)) as u32;
        let root = state_of::<S>(below.nodes.root());
        let mut signature = Vec::with_capacity(self.set.layer_bytes());
        tree_sig(context, &self.layers[layer], leaf, &root, &mut signature);
        self.layers[layer].signature = signature;
    }

    /// One leaf more for the tree after the current one. That is no part of a key's generation, so the first tree of an upper layer
    /// leaves one to [`Growing::finish`].
    fn grow<S: Suite>(&mut self, context: &Context<'_, S>, layer: usize) {
        let layer = &mut self.layers[layer];
        let n_trees = self.set.signatures() >> ((layer.tree.layer + 1) * self.set.tree_height());
        let tree = Tree { tree: layer.tree.tree + 1, ..layer.tree };
        if tree.tree == n_trees {
            return;
        }
        let next = layer.next.get_or_insert_with(|| Growing::new(context.set, tree));
        let n_leaves = next.n_leaves as usize;
        if let Some(leaf) = next.nodes.leaves().chunks_mut(S::N).nth(n_leaves) {
            leaves(&mut context.worker(), &context.keys(tree), next.n_leaves, leaf);
            next.n_leaves += 1;
        }
    }
}

impl Growing {
    fn new(set: ParameterSet, tree: Tree) -> Self {
        Self { tree, nodes: Nodes::new(set.tree_height(), set.n()), n_leaves: 0 }
    }

    /// All leaves that are missing, and the nodes above them.
    fn finish<S: Suite>(&mut self, context: &Context<'_, S>) {
        let (keys, first) = (context.keys(self.tree), self.n_leaves);
        let missing = &mut self.nodes.leaves()[first as usize * S::N..];
        let mut parts: Vec<_> = missing.chunks_mut(LEAVES * S::N).enumerate().collect();
        each(&mut parts, context, |worker, (number, part)| {
            leaves(worker, &keys, first + (*number * LEAVES) as u32, part);
        });
        fill(&mut context.worker(), self.tree, &mut self.nodes);
    }
}

/// treeSig (section 4.1.9, algorithm 11): the one-time signature of `m` at a leaf, and its path.
fn tree_sig<S: Suite>(
    context: &Context<'_, S>,
    layer: &Layer,
    leaf: u32,
    m: &crate::hash::State<S>,
    to: &mut Vec<u8>,
) {
    let mut worker = context.worker();
    for value in one_time_keys::sign(&mut worker, &context.keys(layer.tree), leaf, m) {
        let mut bytes = [0; MAX_N];
        put::<S>(&value, &mut bytes);
        to.extend_from_slice(&bytes[..S::N]);
    }
    layer.nodes.path(leaf).for_each(|node| to.extend_from_slice(node));
}
