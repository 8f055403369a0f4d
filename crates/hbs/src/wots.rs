//! WOTS+ (RFC 8391, section 3.1): chains in lanes.

use alloc::vec;
use alloc::vec::Vec;

use hashlanes_sha::Algorithm;

use crate::address::{ADRS_BYTES, Address, Tree, put_hash};
use crate::hash::{Kind, State, Suite, Values, Worker, put, wipe};
use crate::params::{LOG_W, MAX_N, MAX_STEPS};

/// The steps of each chain for a message's hash: base_w (section 2.6, algorithm 1) of the hash and its
/// checksum (within algorithms 5 and 6).
pub(crate) fn digits<S: Suite>(m: &State<S>) -> Vec<u8> {
    let mut bytes = [0; MAX_N];
    put::<S>(m, &mut bytes);
    let halves = |bytes: &[u8]| bytes.iter().flat_map(|byte| [byte >> LOG_W, byte & 15]).collect::<Vec<u8>>();
    let mut digits = halves(&bytes[..S::N]);
    let checksum: u16 = digits.iter().map(|digit| MAX_STEPS as u16 - u16::from(*digit)).sum();
    // len_2 is 3: twelve bits at the start of a byte string.
    let of_checksum = halves(&(checksum << LOG_W).to_be_bytes());
    digits.extend_from_slice(&of_checksum[..3]);
    digits
}

/// A part of a chain.
#[derive(Clone, Copy)]
pub(crate) struct Chain {
    /// ADRS, with hash and keyAndMask 0.
    pub(crate) address: [u8; ADRS_BYTES],
    /// The first step.
    pub(crate) start: u8,
    /// The number of steps.
    pub(crate) steps: u8,
}

impl<S: Suite> Worker<'_, S> {
    /// The chaining function (section 3.1.2, algorithm 2) of any parts of chains: moves `values[i]` along
    /// `chains[i]`.
    ///
    /// All KEYs and masks are prepared in bulk, turn by turn, with the longest chains first. So the chains
    /// that still run are always the first ones, and the results of a turn are the values of the next, in
    /// order.
    pub(crate) fn chains(&mut self, chains: &[Chain], values: &mut [State<S>]) {
        assert!(chains.len() == values.len());
        // The number of chains that take part in each turn; chains of k steps begin at place `running[k]`.
        let mut running = [0; MAX_STEPS as usize + 1];
        for chain in chains {
            running[..usize::from(chain.steps)].iter_mut().for_each(|n| *n += 1);
        }
        let (mut order, mut places) = (vec![0; chains.len()], running);
        for (i, chain) in chains.iter().enumerate() {
            let place = &mut places[usize::from(chain.steps)];
            order[*place] = i;
            *place += 1;
        }

        let (mut turn, mut place) = (0, 0);
        self.prepare(Kind::F, running.iter().sum(), |address| {
            if place == running[turn] {
                (turn, place) = (turn + 1, 0);
            }
            let chain = &chains[order[place]];
            place += 1;
            // One store, not two: copying an address that was just changed would wait for the first store.
            *address = chain.address;
            put_hash(address, u32::from(chain.start) + turn as u32);
        });

        let mut sorted: Vec<_> = order.iter().map(|i| values[*i]).collect();
        let (mut before, mut from) = (0, 0);
        let mut firsts = [0; MAX_STEPS as usize + 1];
        for (turn, n) in running.into_iter().enumerate() {
            let values = if turn == 0 { Values::Given(&sorted) } else { Values::Results(before) };
            self.f(from..from + n, values);
            firsts[turn] = from;
            (before, from) = (from, from + n);
        }
        // A chain's value is the result of its last turn.
        for (place, i) in order.into_iter().enumerate() {
            if let Some(last) = chains[i].steps.checked_sub(1) {
                values[i] = self.results()[firsts[usize::from(last)] + place];
            }
        }
        wipe(&mut sorted, <S::Algorithm as Algorithm>::H0);
    }
}

/// Returns the addresses of chains 0 to `n_chains` − 1 of leaf `first`, then of the next leaf, and so on.
pub(crate) fn ots_addresses(tree: Tree, first: u32, n_chains: usize) -> impl Iterator<Item = Address> {
    (first..=u32::MAX).flat_map(move |leaf| (0..n_chains as u32).map(move |chain| tree.ots(leaf, chain)))
}

/// WOTS_pkFromSig (section 3.1.6, algorithm 6) of several signatures. `values` holds the signatures' values
/// one after the other and receives those of the public keys; `signed` holds the tree, the leaf and the
/// signed value of each.
pub(crate) fn public_keys_from_signatures<S: Suite>(
    worker: &mut Worker<'_, S>,
    signed: &[(Tree, u32, State<S>)],
    values: &mut [State<S>],
) {
    /// Keys whose chains are computed together. About 500 steps of each are prepared, 64 bytes a step; the
    /// system would allocate blocks over 128 KiB anew at each call.
    const KEYS: usize = 4;
    let mut chains = Vec::with_capacity(KEYS * S::LEN);
    for (signed, values) in signed.chunks(KEYS).zip(values.chunks_mut(KEYS * S::LEN)) {
        chains.clear();
        for (tree, leaf, m) in signed {
            let parts = ots_addresses(*tree, *leaf, S::LEN).zip(digits::<S>(m));
            let rest = |(address, start): (Address, u8)| Chain {
                address: address.bytes(),
                start,
                steps: MAX_STEPS as u8 - start,
            };
            chains.extend(parts.map(rest));
        }
        worker.chains(&chains, values);
    }
}
