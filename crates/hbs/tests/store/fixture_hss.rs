//! The keys of the tests: LMS and HSS.

use hashlanes_hbs::lms::{KeyGeneration, ParameterSet};
use hashlanes_hbs::store::Generation;

/// The number of signatures of a key.
pub(crate) const SIGNATURES: u64 = 32;

/// The height of its tree.
pub(crate) const HEIGHT: usize = 5;

fn of(set: &str, seed: u8) -> Generation<'static> {
    let set: ParameterSet = set.parse().unwrap();
    KeyGeneration::new(set, &[seed; 24 + 16]).unwrap().into()
}

/// Generates a key that takes a millisecond.
pub(crate) fn generation() -> Generation<'static> {
    of("LMS_SHA256_M24_H5_W2", 3)
}

/// Generates another key of the same set.
pub(crate) fn other_generation() -> Generation<'static> {
    of("LMS_SHA256_M24_H5_W2", 9)
}

/// Generates a key of trees of 32 leaves in two levels: the next tree grows with each signature.
pub(crate) fn generation_of_layers() -> Generation<'static> {
    of("LMS_SHA256_M24_H5_W2/LMS_SHA256_M24_H5_W2", 3)
}

/// The number of signatures of a tree of that key.
pub(crate) const OF_A_TREE: u64 = 32;
