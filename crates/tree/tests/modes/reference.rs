//! The modes by their definitions, over a hash function that shares no code with the library.

use hashlanes_testkit::oracle::Hash;
use hashlanes_testkit::oracle::tree::{self, Prefixes};
use hashlanes_tree::Variant;

pub(crate) use tree::{mh, parallel_hash};

fn prefixes(variant: Variant) -> Prefixes {
    match variant {
        Variant::V1 => Prefixes::Own,
        Variant::V1SinglePrefix => Prefixes::Same,
        Variant::V1NoPrefix => Prefixes::None,
    }
}

pub(crate) fn j_lanes(hash: &Hash, variant: Variant, j: usize, message: &[u8]) -> Vec<u8> {
    tree::j_lanes(hash, prefixes(variant), j, message)
}

pub(crate) fn j_pointers(hash: &Hash, variant: Variant, j: usize, message: &[u8]) -> Vec<u8> {
    tree::j_pointers(hash, prefixes(variant), j, message)
}

pub(crate) fn scattered(hash: &Hash, variant: Variant, slices: &[&[u8]]) -> Vec<u8> {
    tree::scattered(hash, prefixes(variant), slices)
}
