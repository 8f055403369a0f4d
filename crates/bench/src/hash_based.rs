//! Workloads of SLH-DSA, LMS and HSS: an operation of a parameter set, and its expected result.
//!
//! Keys come from fixed seeds, and the message is 32 zeros. The expected results are those of the crates
//! `slh-dsa` (signatures are deterministic), `lms-signature` and `hbs-lms`.

use hashlanes::hbs::slh_dsa::{self, Message, Randomness, SigningKey};
use hashlanes::hbs::{Signature, lms};
use hashlanes::sha256;
use std::fmt;

/// The sets, by name.
const SETS: [&str; 7] = [
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHAKE-128s",
    "SLH-DSA-SHAKE-128f",
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M32_H10_W8",
    "LMS_SHA256_M32_H10_W4/LMS_SHA256_M32_H10_W4",
];

/// The signed message.
pub(crate) const MESSAGE: &[u8] = &[0; 32];
/// The seed of keys of LMS, from which the topmost tree's is derived.
pub(crate) const LMS_SEED: [u8; 32] = [5; 32];

/// The name of a parameter set of SLH-DSA, LMS or HSS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Set(&'static str);

impl Set {
    /// Returns the set of a name, if it is measured.
    pub(crate) const fn named(name: &'static str) -> Self {
        Self(name)
    }

    /// Reads a name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        SETS.iter().find(|set| **set == name).map(|set| Self(set))
    }

    pub(crate) fn name(self) -> &'static str {
        self.0
    }

    /// Returns the set, if it is one of SLH-DSA.
    pub(crate) fn slh_dsa(self) -> Option<slh_dsa::ParameterSet> {
        self.0.parse().ok()
    }

    /// Returns the set, if it is one of LMS or HSS.
    pub(crate) fn lms(self) -> Option<lms::ParameterSet> {
        self.0.parse().ok()
    }

    /// Returns the number of leaves that generating a key computes.
    pub(crate) fn leaves(self) -> u64 {
        let of_lms = |set: lms::ParameterSet| set.levels().iter().map(|level| 1 << level.height()).sum();
        match self.slh_dsa() {
            Some(set) => 1 << set.tree_height(),
            None => self.lms().map_or(1, of_lms),
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Returns SK.seed, SK.prf and PK.seed.
pub(crate) fn seeds(set: slh_dsa::ParameterSet) -> Vec<u8> {
    (0..3 * set.n()).map(|i| i as u8).collect()
}

/// Returns our key, and our deterministic signature: the same as those of others.
pub(crate) fn key_and_signature(set: slh_dsa::ParameterSet) -> (SigningKey, Signature) {
    let key = SigningKey::from_seeds(set, &seeds(set)).expect("seeds of its length");
    let signature = key.sign(&Message::new(MESSAGE), Randomness::Deterministic).expect("signed");
    (key, signature)
}

/// Returns SEED ‖ I of the topmost tree, as the reference code derives them from a key's seed.
pub(crate) fn top_of(seed: &[u8; 32]) -> Vec<u8> {
    // 16 bytes of I and 4 of q, all zeros, D_TOPSEED, and the number of the value.
    let hash = |which: u8, seed: &[u8]| sha256(&[&[0; 20][..], &[0xfe, 0xfe, which], seed].concat());
    let inner = hash(0, seed);
    [&hash(1, &inner)[..], &hash(2, &inner)[..16]].concat()
}
