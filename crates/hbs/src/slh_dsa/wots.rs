//! WOTS+ (FIPS 205, section 5): chains in lanes.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::address::{Address, Tree};
use super::suite::{Functions, Suite};
use crate::batch::chains::{self, walk, walk_all};
use crate::batch::{Addressed, Batch, Node, TILE};

/// w − 1: the steps of a whole chain.
const MAX_STEPS: usize = 15;
/// w: the number of values of a chain.
pub(super) const CHAIN_VALUES: usize = MAX_STEPS + 1;

/// Returns the steps of each chain for a message: base_2b of the message and its checksum, within algorithms
/// 7 and 8.
pub(super) fn digits<S: Suite>(message: &S::Node) -> Vec<u8> {
    let halves = |bytes: &[u8]| bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect::<Vec<u8>>();
    let mut digits = halves(message.as_ref());
    let checksum: u16 = digits.iter().map(|digit| MAX_STEPS as u16 - u16::from(*digit)).sum();
    // len_2 is 3: twelve bits at the start of a byte string.
    digits.extend_from_slice(&halves(&(checksum << 4).to_be_bytes())[..3]);
    digits
}

/// F and T_len: the hashes of public keys.
pub(super) struct Wots<'s, S: Suite> {
    f: Batch<'s, S::Short>,
    t_len: Batch<'s, S::Tree>,
}

type Chain = chains::Chain<Address>;

impl<'s, S: Suite> Wots<'s, S> {
    pub(super) fn new(functions: &'s Functions<S>) -> Self {
        let t_len = Batch::new(&functions.tree, S::LEN * S::N);
        Self { f: Batch::new(&functions.short, S::N), t_len }
    }

    /// Computes the leaves of WOTS+ public keys: T_len of each, within algorithms 6 and 8.
    fn compress(&mut self, places: &[(Tree, u32)], keys: &[S::Node], leaves: &mut [S::Node]) {
        self.t_len.many(leaves, |t_len, k, i| {
            let (tree, leaf) = places[i];
            t_len.set_address(k, &tree.wots_pk(leaf));
            t_len.m(k).copy_from_slice(S::Node::bytes_of(&keys[i * S::LEN..][..S::LEN]));
        });
    }

    /// wots_pkFromSig (algorithm 8) for several signatures: `places` are the leaves, `messages` the signed
    /// nodes, `signatures` the signatures of len nodes each.
    pub(super) fn leaves_from_signatures<'a>(
        &mut self,
        places: &[(Tree, u32)],
        messages: &[S::Node],
        signatures: impl Iterator<Item = &'a [u8]>,
    ) -> Vec<S::Node> {
        let mut values: Vec<S::Node> =
            signatures.flat_map(|signature| signature.chunks_exact(S::N).map(S::Node::of)).collect();
        let mut chains = Vec::with_capacity(values.len());
        for ((tree, leaf), message) in places.iter().zip(messages) {
            for (chain, digit) in (0..).zip(digits::<S>(message)) {
                let address = tree.wots(*leaf, chain, digit.into());
                chains.push(Chain { i: chains.len(), address, steps: MAX_STEPS - usize::from(digit) });
            }
        }
        walk_all(&mut self.f, chains, &mut values);
        let mut leaves = vec![S::Node::default(); places.len()];
        self.compress(places, &values, &mut leaves);
        leaves
    }
}

/// The secret side: key pairs from SK.seed.
pub(super) struct SecretWots<'s, S: Suite> {
    prf: Batch<'s, S::Short>,
    wots: Wots<'s, S>,
}

/// All values of the chains of key pairs: [`CHAIN_VALUES`] of each chain. Overwritten when dropped.
pub(super) struct Chains<S: Suite>(Zeroizing<Vec<S::Node>>);

impl<S: Suite> Chains<S> {
    /// wots_sign (algorithm 7): returns the values of the `key`-th key pair's signature of `message`.
    pub(super) fn signature(&self, key: usize, message: &S::Node) -> impl Iterator<Item = &S::Node> {
        let digits = digits::<S>(message).into_iter();
        digits.zip(key * S::LEN..).map(|(digit, chain)| &self.0[chain * CHAIN_VALUES + usize::from(digit)])
    }
}

impl<'s, S: Suite> SecretWots<'s, S> {
    pub(super) fn new(functions: &'s Functions<S>, sk_seed: &[u8]) -> Self {
        Self { prf: Batch::of(&functions.short, sk_seed), wots: Wots::new(functions) }
    }

    /// wots_pkGen (algorithm 6) for the key pairs at all leaves of trees of one height. Returns the leaves,
    /// one tree after the other. `signing` selects a leaf of each tree; the result then includes all chain
    /// values of these key pairs, so no chain is computed twice.
    pub(super) fn leaves(
        &mut self,
        trees: &[Tree],
        height: u32,
        signing: Option<&[u32]>,
    ) -> (Vec<S::Node>, Chains<S>) {
        /// Key pairs that are computed at once: as many chains as fill len tiles.
        const KEYS: usize = TILE;
        let places: Vec<(Tree, u32)> =
            trees.iter().flat_map(|tree| (0..1 << height).map(move |leaf| (*tree, leaf))).collect();
        let n_kept = signing.map_or(0, <[u32]>::len) * S::LEN * CHAIN_VALUES;
        let mut kept = Zeroizing::new(vec![S::Node::default(); n_kept]);
        // Maps a key pair and a chain to the place of the chain's values.
        let kept_at = |key: usize, chain: usize| {
            let tree = key >> height;
            let is_kept = signing.is_some_and(|leaves| leaves[tree] as usize == key - (tree << height));
            is_kept.then_some((tree * S::LEN + chain) * CHAIN_VALUES)
        };

        let mut leaves = vec![S::Node::default(); places.len()];
        let mut values = Zeroizing::new(vec![S::Node::default(); KEYS.min(places.len()) * S::LEN]);
        let mut chains = Vec::with_capacity(TILE);
        let mut kept_of_tile = Vec::with_capacity(TILE);
        for (first, (places, leaves)) in
            (0..).step_by(KEYS).zip(places.chunks(KEYS).zip(leaves.chunks_mut(KEYS)))
        {
            let values = &mut values[..places.len() * S::LEN];
            self.prf.many(values, |prf, k, i| {
                let (tree, leaf) = places[i / S::LEN];
                prf.set_address(k, &tree.wots_prf(leaf, (i % S::LEN) as u32));
            });
            for from in (0..values.len()).step_by(TILE) {
                chains.clear();
                kept_of_tile.clear();
                for i in from..values.len().min(from + TILE) {
                    let (key, chain) = (i / S::LEN, i % S::LEN);
                    let (tree, leaf) = places[key];
                    chains.push(Chain { i, address: tree.wots(leaf, chain as u32, 0), steps: MAX_STEPS });
                    if let Some(at) = kept_at(first + key, chain) {
                        kept[at] = values[i];
                        kept_of_tile.push((i - from, at));
                    }
                }
                walk(&mut self.wots.f, &chains, values, |step, values| {
                    for (k, at) in &kept_of_tile {
                        S::Short::put::<S::Node>(&values[*k], kept[at + step].as_mut());
                    }
                });
            }
            self.wots.compress(places, values, leaves);
        }
        (leaves, Chains(kept))
    }
}
