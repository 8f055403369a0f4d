//! Keys that sign, with their state only in memory.
//!
//! **Hazardous:** two signatures with one index enable forgeries. This module does not keep the next index
//! when the program ends, the machine is cloned, or the same seeds are used again. The caller must store the
//! next index durably before it releases a signature.
//!
//! A [`SigningKey`] cannot be cloned or serialised, and signs by `&mut`:
//!
//! ```compile_fail,E0308
//! # use hashlanes_hbs::hazmat::SigningKey;
//! fn twice(key: &SigningKey) -> SigningKey {
//!     key.clone()
//! }
//! ```
//!
//! ```compile_fail,E0596
//! # use hashlanes_hbs::hazmat::SigningKey;
//! fn shared(key: &SigningKey) {
//!     let _ = key.try_sign(b"message");
//! }
//! ```

// | file | holds |
// |---|---|
// | `key_generation.rs` | `KeyGeneration`: all trees from seeds, on all cores, with progress |
// | `nodes_file.rs` | finished leaves in a file, so that an interrupted generation continues |
// | `first_trees.rs` | the trees of a new key, with `Progress` |
// | `forest.rs` | the computations of a scheme on layers of trees |
// | `current_trees.rs` | the trees that sign now, and their certificates |
// | `shelf.rs` | storage of trees: the current ones, and those that grow for later |
// | `signer.rs` | signatures at any index, and the certificates of trees |
// | `signing_key.rs` | `SigningKey`: an index that is counted in memory |

pub(crate) mod current_trees;
pub(crate) mod first_trees;
pub(crate) mod forest;
pub(crate) mod key_generation;
#[cfg(feature = "std")]
pub(crate) mod nodes_file;
pub(crate) mod shelf;
pub(crate) mod signer;
#[cfg(feature = "hazmat")]
mod signing_key;

use alloc::vec::Vec;

use crate::address::Tree;
use crate::hash::{Prf, Secrecy, State, Suite, Worker, put, state_of};
use crate::hazmat::forest::{Forest, LayerShape, Shape};
use crate::lanes::Lanes;
use crate::one_time_keys::{self, OneTimeKeys};
use crate::params::{MAX_N, ParameterSet};
use crate::tree_cache::{self, Nodes};

pub use crate::one_time_keys::Derivation;
pub use first_trees::Progress;
pub use key_generation::KeyGeneration;
#[cfg(feature = "hazmat")]
pub use signing_key::SigningKey;

/// A key's secrets, ready for one operation.
struct Context<'a, S: Suite> {
    set: ParameterSet,
    shape: Shape,
    lanes: Lanes<S::Function>,
    /// PRF under SEED.
    prf: Prf<S>,
    sk_seed: &'a [u8],
    sk_prf: &'a [u8],
    seed: &'a [u8],
    derivation: Derivation,
}

impl<'a, S: Suite> Context<'a, S> {
    /// Prepares the secrets of `seeds`, S_XMSS ‖ SK_PRF ‖ SEED.
    fn new(set: ParameterSet, kernel: Option<&'static str>, seeds: &'a [u8], derivation: Derivation) -> Self {
        let lanes = Lanes::named(kernel).expect("it was there when it was set");
        let (sk_seed, rest) = seeds.split_at(S::N);
        let (sk_prf, seed) = rest.split_at(S::N);
        Self {
            set,
            shape: shape_of(set),
            lanes,
            prf: Prf::new(lanes, seed),
            sk_seed,
            sk_prf,
            seed,
            derivation,
        }
    }

    /// WOTS_sign of the value `m` at a leaf.
    fn sign_at(&self, (tree, leaf): (Tree, u32), m: &State<S>, to: &mut Vec<u8>) {
        for value in one_time_keys::sign(&mut self.worker(), &self.keys(tree), leaf, m) {
            let mut bytes = [0; MAX_N];
            put::<S>(&value, &mut bytes);
            to.extend_from_slice(&bytes[..S::N]);
        }
    }
}

/// The trees of a key.
pub(crate) fn shape_of(set: ParameterSet) -> Shape {
    let layer = |layer| {
        let certificate_bytes = if layer + 1 < set.layers() { set.layer_bytes() } else { 0 };
        LayerShape { height: set.tree_height(), certificate_bytes }
    };
    Shape::new(set.n(), (0..set.layers()).map(layer).collect())
}

impl<S: Suite> Forest for Context<'_, S> {
    type Keys = OneTimeKeys<S>;
    type Worker<'w>
        = Worker<'w, S>
    where
        Self: 'w;

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn keys(&self, tree: Tree) -> OneTimeKeys<S> {
        OneTimeKeys::new(self.lanes, (self.sk_seed, self.seed), self.derivation, tree)
    }

    fn worker(&self) -> Worker<'_, S> {
        Worker::new(self.lanes, &self.prf, Secrecy::Secret)
    }

    fn leaves<'w>(&'w self, worker: &mut Worker<'w, S>, keys: &OneTimeKeys<S>, first: u32, to: &mut [u8]) {
        tree_cache::leaves(worker, keys, first, to);
    }

    fn fill(&self, keys: &OneTimeKeys<S>, nodes: &mut Nodes) {
        tree_cache::fill(&mut self.worker(), keys.tree(), nodes);
    }

    fn certify(&self, _: Tree, root: &[u8], by: (Tree, u32), to: &mut Vec<u8>) {
        self.sign_at(by, &state_of::<S>(root), to);
    }
}
