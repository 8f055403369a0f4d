//! The figures of Gueron 2014: tree hashing in lanes.

pub(super) mod instructions;
pub(super) mod j_lanes;
pub(super) mod j_pointers;
pub(super) mod keccak;
pub(super) mod s_hash;
mod trees;
