//! One-time signatures: RFC 8554, section 4. Chains in lanes.

use alloc::vec;
use alloc::vec::Vec;

#[cfg(any(feature = "hazmat", feature = "store"))]
use zeroize::Zeroizing;

use super::hash::{Functions, Identifier, Kind, Suite, node, step};
use super::params::Level;
#[cfg(any(feature = "hazmat", feature = "store"))]
use crate::batch::TILE;
#[cfg(any(feature = "hazmat", feature = "store"))]
use crate::batch::chains::walk;
use crate::batch::chains::{Chain, walk_all};
use crate::batch::{Batch, Node};

/// Returns the steps of each chain: coef of the hash of a message and of its checksum, sections 3.1.3 and
/// 4.4.
fn digits(level: Level, q: &[u8]) -> Vec<u8> {
    let (w, most) = (level.w() as usize, level.max_steps());
    let coefficients = |bytes: &[u8]| -> Vec<u8> {
        let of_byte = |byte: &u8| {
            let byte = usize::from(*byte);
            (0..8 / w).rev().map(move |i| (byte >> (i * w) & most) as u8)
        };
        bytes.iter().flat_map(of_byte).collect()
    };
    let mut digits = coefficients(q);
    // Algorithm 2: below 2^16 for every set.
    let checksum: usize = digits.iter().map(|digit| most - usize::from(*digit)).sum();
    let checksum = (checksum << level.checksum_shift()) as u16;
    digits.extend(coefficients(&checksum.to_be_bytes()));
    digits.truncate(level.n_chains());
    digits
}

/// A one-time key's place: its tree, and its number in it.
pub(super) type Place<'a> = (&'a Identifier, u32);

/// The public side: public keys computed from one-time signatures.
pub(super) struct Ots<'s, S: Suite> {
    level: Level,
    steps: Batch<'s, S::Steps>,
    /// The hash of one-time public keys.
    keys: Batch<'s, S::Nodes>,
}

impl<'s, S: Suite> Ots<'s, S> {
    pub(super) fn new(functions: &'s Functions<S>, level: Level) -> Self {
        let keys = Batch::new(&functions.nodes, level.n_chains() * S::N);
        Self { level, steps: Batch::new(&functions.steps, S::N), keys }
    }

    /// Computes K of each key: the end of algorithms 1 and 4b. `values` has the ends of the chains, one key
    /// after the other.
    fn compress(
        &mut self,
        place: impl Fn(usize) -> (Identifier, u32),
        values: &[S::Node],
        keys: &mut [S::Node],
    ) {
        let p = self.level.n_chains();
        self.keys.many(keys, |batch, k, i| {
            let (identifier, q) = place(i);
            batch.set_address(k, &node(&identifier, q, Kind::Pblc));
            batch.m(k).copy_from_slice(S::Node::bytes_of(&values[i * p..][..p]));
        });
    }

    /// Computes Kc of each signature (algorithm 4b): `hashes` are the hashes of the messages, `signatures`
    /// the y of each.
    pub(super) fn keys_from_signatures<'a>(
        &mut self,
        places: &[Place<'_>],
        hashes: &[S::Node],
        signatures: impl Iterator<Item = &'a [u8]>,
    ) -> Vec<S::Node> {
        let mut values: Vec<S::Node> =
            signatures.flat_map(|y| y.chunks_exact(S::N).map(S::Node::of)).collect();
        let mut chains = Vec::with_capacity(values.len());
        for ((identifier, q), hash) in places.iter().zip(hashes) {
            for (i, digit) in (0..).zip(digits(self.level, hash.as_ref())) {
                let address = step(identifier, *q, i, digit);
                let steps = self.level.max_steps() - usize::from(digit);
                chains.push(Chain { i: chains.len(), address, steps });
            }
        }
        walk_all(&mut self.steps, chains, &mut values);
        let mut keys = vec![S::Node::default(); places.len()];
        self.compress(|i| (*places[i].0, places[i].1), &values, &mut keys);
        keys
    }
}

/// The secret side: the one-time keys of one tree.
#[cfg(any(feature = "hazmat", feature = "store"))]
pub(crate) struct SecretOts<'s, S: Suite> {
    identifier: Identifier,
    ots: Ots<'s, S>,
    secrets: Batch<'s, S::Steps>,
}

#[cfg(any(feature = "hazmat", feature = "store"))]
impl<'s, S: Suite> SecretOts<'s, S> {
    pub(super) fn new(
        functions: &'s Functions<S>,
        level: Level,
        identifier: Identifier,
        seed: &[u8],
    ) -> Self {
        let secrets = Batch::of(&functions.steps, seed);
        Self { identifier, ots: Ots::new(functions, level), secrets }
    }

    /// Computes x of each chain of the keys from `first` on (appendix A), one key after the other.
    fn starts(&mut self, first: u32, values: &mut [S::Node]) {
        let p = self.ots.level.n_chains();
        let identifier = &self.identifier;
        self.secrets.many(values, |batch, k, i| {
            batch.set_address(k, &step(identifier, first + (i / p) as u32, (i % p) as u16, 0xff));
        });
    }

    /// Computes K of the keys from `first` on: algorithm 1.
    pub(super) fn public_keys(&mut self, first: u32, keys: &mut [S::Node]) {
        let (p, steps) = (self.ots.level.n_chains(), self.ots.level.max_steps());
        let mut values = Zeroizing::new(vec![S::Node::default(); keys.len() * p]);
        self.starts(first, &mut values);
        let mut chains = Vec::with_capacity(TILE);
        for from in (0..values.len()).step_by(TILE) {
            chains.clear();
            chains.extend((from..values.len().min(from + TILE)).map(|i| {
                let address = step(&self.identifier, first + (i / p) as u32, (i % p) as u16, 0);
                Chain { i, address, steps }
            }));
            walk(&mut self.ots.steps, &chains, &mut values, |_, _| {});
        }
        let identifier = self.identifier;
        self.ots.compress(|i| (identifier, first + i as u32), &values, keys);
    }

    /// Computes y of the signature of a message with this hash, with key `q`: algorithm 3.
    pub(super) fn sign(&mut self, q: u32, hash: &[u8], to: &mut Vec<u8>) {
        let level = self.ots.level;
        let mut values = Zeroizing::new(vec![S::Node::default(); level.n_chains()]);
        self.starts(q, &mut values);
        let chain = |(i, digit): (usize, u8)| {
            let address = step(&self.identifier, q, i as u16, 0);
            Chain { i, address, steps: digit.into() }
        };
        let chains = digits(level, hash).into_iter().enumerate().map(chain).collect();
        walk_all(&mut self.ots.steps, chains, &mut values);
        to.extend_from_slice(S::Node::bytes_of(&values));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_those_of_the_standard() {
        // The example of section 3.1.3, as the beginning of a hash.
        let mut hash = [0; 32];
        hash[..2].copy_from_slice(&[0x12, 0x34]);
        let of = |name: &str| digits(name.parse().unwrap(), &hash);
        assert_eq!(of("LMS_SHA256_M32_H5_W1")[7], 0);
        assert_eq!(of("LMS_SHA256_M32_H5_W4")[..4], [1, 2, 3, 4]);
        assert_eq!(of("LMS_SHA256_M32_H5_W8")[..2], [0x12, 0x34]);
        // The checksum of a hash of zeros: 2^w − 1 for each chain.
        let zeros = |name: &str| digits(name.parse().unwrap(), &[0; 32]);
        assert_eq!(zeros("LMS_SHA256_M32_H5_W8")[32..], [0x1f, 0xe0]);
        assert_eq!(zeros("LMS_SHA256_M32_H5_W4")[64..], [3, 12, 0]);
        assert_eq!(zeros("LMS_SHA256_M32_H5_W2")[128..], [1, 2, 0, 0, 0]);
        assert_eq!(zeros("LMS_SHA256_M32_H5_W1")[256..], [1, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
