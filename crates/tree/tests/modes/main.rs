//! The tests of the tree modes: on every kernel of this CPU and on the table's choice, against the published
//! vectors and against a reference that shares no code.
//!
//! | module | proves |
//! |---|---|
//! | `vectors` | `spec/vectors/tree.json`, and what foreign tools compute |
//! | `kernels` | every kernel, any j, lengths about all borders |
//! | `parts` | messages in parts: every split near a border |
//! | `prefixes` | the basis of the soundness of v1 |
//! | `names` | modes by name |
//! | `wrong_use` | refused calls, and their messages |
//! | `parallel` | threads change no result |
//! | `merkle` | Merkle trees: the published vectors, proofs and their check |
//! | `hashes.rs` | the hashes as the tests see them |
//! | `reference` | the modes by their definitions, over the testkit's oracle |
//!
//! If `HASHLANES_TEST_RUNNER` is set, an emulator runs this program, and there are fewer cases; as there are
//! if `HASHLANES_DISABLE` masks features.

mod hashes;
mod kernels;
mod merkle;
mod names;
#[cfg(feature = "rayon")]
mod parallel;
mod parts;
mod prefixes;
mod vectors;
mod wrong_use;

use hashlanes_testkit::cpu::Cpu;

/// Byte i is i mod 251: no block, word or slice begins as its neighbours do.
fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// Whether features are masked, or the CPU is emulated.
fn has_few_cases() -> bool {
    Cpu::get() != Cpu::Whole
}

/// The modes by their definitions, over a hash function that shares no code with the library.
mod reference {
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
}
