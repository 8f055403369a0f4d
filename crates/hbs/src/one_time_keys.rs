//! Secret values of WOTS+: the starts of chains from a seed (SP 800-208, section 6.2), public keys,
//! signatures.

use alloc::vec;
use alloc::vec::Vec;

use hashlanes_isa::{Start, Types};
use hashlanes_sha::Algorithm;

use crate::address::{Address, Tree};
use crate::hash::{Kind, Prf, State, Suite, TILE, Worker, put, wipe};
use crate::lanes::Lanes;
use crate::params::{MAX_N, MAX_STEPS};
use crate::wots::{Chain, digits, ots_addresses};

/// How one-time keys are derived from the secret seed.
///
/// Verification does not depend on it. The same seeds give another root with another derivation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Derivation {
    /// PRF_keygen of SP 800-208, section 6.2.
    #[default]
    Sp800_208,
    /// PRF(PRF(S_XMSS, ADRS), toByte(j, 32)), the derivation of older implementations. Used to import keys of
    /// BouncyCastle, Botan 2, and those that Botan 3 calls legacy. For n = 32 and 64.
    Legacy,
}

/// The one-time secret keys of one tree.
pub(crate) struct OneTimeKeys<S: Suite> {
    tree: Tree,
    lanes: Lanes<S::Function>,
    /// PRF_keygen for the tree; for the older derivation PRF under S_XMSS.
    prf: Prf<S>,
    derivation: Derivation,
}

impl<S: Suite> OneTimeKeys<S> {
    pub(crate) fn new(
        lanes: Lanes<S::Function>,
        (sk_seed, seed): (&[u8], &[u8]),
        derivation: Derivation,
        tree: Tree,
    ) -> Self {
        let prf = match derivation {
            Derivation::Sp800_208 => Prf::keygen(lanes, sk_seed, seed, tree.ots(0, 0).head()),
            Derivation::Legacy => Prf::new(lanes, sk_seed),
        };
        Self { tree, lanes, prf, derivation }
    }

    /// The tree.
    pub(crate) fn tree(&self) -> Tree {
        self.tree
    }

    /// Computes the starts of all chains of `n` keys from leaf `first` on: SP 800-208, algorithm 10, within
    /// section 6.2.
    pub(crate) fn starts(&self, first: u32, n: usize) -> Vec<State<S>> {
        let mut starts = vec![<S::Algorithm as Algorithm>::H0; n * S::LEN];
        match self.derivation {
            Derivation::Sp800_208 => {
                let mut addresses = ots_addresses(self.tree, first, S::LEN);
                self.prf.many(self.lanes, || addresses.next().expect("without end"), &mut starts);
            }
            Derivation::Legacy => self.legacy_starts(first, &mut starts),
        }
        starts
    }

    /// Computes them as before SP 800-208: PRF(PRF(S_XMSS, ADRS), toByte(j, 32)) for chain j, with the ADRS
    /// of chain 0.
    fn legacy_starts(&self, first: u32, starts: &mut [State<S>]) {
        assert!(S::KEY_ENDS_BLOCK, "n = 24 has no older derivation");
        let mut seeds = vec![<S::Algorithm as Algorithm>::H0; starts.len() / S::LEN];
        let mut addresses = ots_addresses(self.tree, first, 1);
        self.prf.many(self.lanes, || addresses.next().expect("without end"), &mut seeds);
        // PRF under each of these seeds; its first block ends directly after KEY.
        let template = Prf::<S>::new(self.lanes, &[0; MAX_N]);
        let mut blocks = vec![S::Function::ZERO_BLOCK; seeds.len()];
        for (block, seed) in blocks.iter_mut().zip(&seeds) {
            block.as_mut()[S::PREFIX - 1] = Kind::Prf as u8;
            put::<S>(seed, &mut block.as_mut()[S::PREFIX..]);
        }
        let start = Start::Shared(&<S::Algorithm as Algorithm>::H0);
        self.lanes.continue_many(start, &blocks, None, None, &mut seeds);
        for (starts, seed) in starts.chunks_mut(S::LEN).zip(&seeds) {
            starts.fill(*seed);
        }
        let mut number_blocks = template.blocks(TILE);
        let mut number = (0..S::LEN as u64).cycle();
        for starts in starts.chunks_mut(TILE) {
            for block in &mut number_blocks[..starts.len()] {
                template.put_address(block, &Address::number(number.next().expect("without end")));
            }
            self.lanes.continue_many(Start::Each, &number_blocks[..starts.len()], None, None, starts);
        }
        wipe(&mut seeds, <S::Algorithm as Algorithm>::H0);
        wipe(&mut blocks, S::Function::ZERO_BLOCK);
    }
}

/// WOTS_genPK (section 3.1.4, algorithm 4) for `n` keys from leaf `first` on, one after the other.
pub(crate) fn public_keys<S: Suite>(
    worker: &mut Worker<'_, S>,
    keys: &OneTimeKeys<S>,
    first: u32,
    n: usize,
) -> Vec<State<S>> {
    /// Chains that are computed together: 15 steps of each are prepared, 64 bytes a step.
    const CHAINS: usize = 2 * TILE;
    let mut values = keys.starts(first, n);
    let mut addresses = ots_addresses(keys.tree(), first, S::LEN);
    for values in values.chunks_mut(CHAINS) {
        let whole = |address: Address| Chain { address: address.bytes(), start: 0, steps: MAX_STEPS as u8 };
        let chains: Vec<_> = addresses.by_ref().take(values.len()).map(whole).collect();
        worker.chains(&chains, values);
    }
    values
}

/// WOTS_sign (section 3.1.5, algorithm 5) of the value `m`: returns the signature's values.
pub(crate) fn sign<S: Suite>(
    worker: &mut Worker<'_, S>,
    keys: &OneTimeKeys<S>,
    leaf: u32,
    m: &State<S>,
) -> Vec<State<S>> {
    let mut values = keys.starts(leaf, 1);
    let addresses = ots_addresses(keys.tree(), leaf, S::LEN);
    let part = |(address, steps): (Address, u8)| Chain { address: address.bytes(), start: 0, steps };
    let chains: Vec<_> = addresses.zip(digits::<S>(m)).map(part).collect();
    worker.chains(&chains, &mut values);
    values
}
