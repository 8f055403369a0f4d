//! Keys that sign, whose state is in memory alone.
//!
//! **Hazardous:** two signatures with one index give a forger what he needs. Here nothing keeps the next index when the program
//! ends, the machine is cloned, or the same seeds are used once more: whoever calls this must store it, durably, before
//! a signature leaves his hands.
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
//!
//! | file | holds |
//! |---|---|
//! | `key_generation.rs` | [`KeyGeneration`]: all trees from seeds, on all cores, with progress |
//! | `nodes_file.rs` | leaves that are done, in a file, so that an interrupted generation goes on |
//! | `shelf.rs` | where trees are kept: the current ones, and those that grow for later |
//! | `signer.rs` | signatures at any index, and the certificates of trees |
//! | `signing_key.rs` | [`SigningKey`]: an index that is counted in memory |

pub(crate) mod key_generation;
#[cfg(feature = "std")]
mod nodes_file;
pub(crate) mod shelf;
pub(crate) mod signer;
#[cfg(feature = "hazmat")]
mod signing_key;

use crate::address::Tree;
use crate::hash::{Prf, Secrecy, Suite, Worker};
use crate::lanes::Lanes;
use crate::one_time_keys::OneTimeKeys;
use crate::params::ParameterSet;

pub use crate::one_time_keys::Derivation;
pub use key_generation::{KeyGeneration, Progress};
#[cfg(feature = "hazmat")]
pub use signing_key::SigningKey;

/// A key's secrets, ready for one operation.
struct Context<'a, S: Suite> {
    set: ParameterSet,
    lanes: Lanes<S::Function>,
    /// Under SEED.
    prf: Prf<S>,
    sk_seed: &'a [u8],
    sk_prf: &'a [u8],
    seed: &'a [u8],
    derivation: Derivation,
}

impl<'a, S: Suite> Context<'a, S> {
    /// `seeds` are S_XMSS ‖ SK_PRF ‖ SEED.
    fn new(set: ParameterSet, kernel: Option<&'static str>, seeds: &'a [u8], derivation: Derivation) -> Self {
        let lanes = Lanes::named(kernel).expect("it was there when it was set");
        let (sk_seed, rest) = seeds.split_at(S::N);
        let (sk_prf, seed) = rest.split_at(S::N);
        Self { set, lanes, prf: Prf::new(lanes, seed), sk_seed, sk_prf, seed, derivation }
    }

    fn worker(&self) -> Worker<'_, S> {
        Worker::new(self.lanes, &self.prf, Secrecy::Secret)
    }

    fn keys(&self, tree: Tree) -> OneTimeKeys<S> {
        OneTimeKeys::new(self.lanes, (self.sk_seed, self.seed), self.derivation, tree)
    }
}

/// Some leaves of a tree: what a thread computes at once.
struct Part<'n> {
    layer: usize,
    first: u32,
    leaves: &'n mut [u8],
}
