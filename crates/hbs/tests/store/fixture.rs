//! The keys of the tests: XMSS.

use hashlanes_hbs::store::{Generation, KeyGeneration};
use hashlanes_hbs::{ParameterSet, Scheme};

/// The number of signatures of a key.
pub(crate) const SIGNATURES: u64 = 16;

/// The height of its tree.
pub(crate) const HEIGHT: usize = 4;

/// Sixteen signatures, of one tree.
fn set() -> ParameterSet {
    ParameterSet::of_height(Scheme::Xmss, 24, 4, 1)
}

/// Generates a key that takes a millisecond.
pub(crate) fn key_generation() -> KeyGeneration<'static> {
    KeyGeneration::new(set(), &[3; 72]).unwrap()
}

/// Generates the same key to be kept.
pub(crate) fn generation() -> Generation<'static> {
    key_generation().into()
}

/// Generates another key of the same set.
pub(crate) fn other_generation() -> Generation<'static> {
    KeyGeneration::new(set(), &[9; 72]).unwrap().into()
}

/// Generates a key of five trees of four leaves: the next tree grows with each signature, and after four it
/// is the current one.
pub(crate) fn generation_of_layers() -> Generation<'static> {
    KeyGeneration::new(ParameterSet::of_height(Scheme::XmssMt, 24, 4, 2), &[3; 72]).unwrap().into()
}

/// The number of signatures of a tree of that key.
pub(crate) const OF_A_TREE: u64 = 4;
