//! Keccak-f\[1600\] (FIPS 202, section 3) and the functions based on it: SHA-3, SHAKE and Keccak-256, of one
//! message or many.
//!
//! | file | holds |
//! |---|---|
//! | `algorithm.rs` | the functions: rate, suffix, digest length; padding |
//! | `hasher.rs` | one message, whole or in parts; output of any length |
//! | `progress.rs` | what these do, compiled here for all functions |
//! | `one.rs` | one message on a kernel |
//! | `many.rs` | many messages: groups, rotation, outputs |
//! | `columns.rs` | Arrow-shaped columns |
//! | `lanes.rs` | the permutation over messages side by side in the lanes of an instruction set |
//! | `kernels.rs` | the table of all kernels |
//! | `tree.rs` | a tree of SHA3-256, to be compared with the trees of SHA-2 (feature `papers`) |

mod algorithm;
mod columns;
mod hasher;
mod kernels;
mod lanes;
mod many;
mod one;
mod progress;
#[cfg(feature = "papers")]
mod tree;

pub use algorithm::{
    Keccak256, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256, Sponge, SpongeHash, Xof,
};
pub use hasher::{SpongeHasher, XofReader};
pub use hashlanes_isa::sponge::{Head, Kernel, MAX_DEGREE, Rate, Row, State, States, Table, Verbs};
#[cfg(feature = "calibrate")]
pub(crate) use kernels::set_costs;
pub use kernels::{KERNEL_VARIABLE, kernels, table};
#[cfg(feature = "papers")]
pub use tree::{MAX_LEAVES, tree_sha3_256, tree_sha3_256_on};

/// RC of each round, section 3.2.5: bit 2^j - 1 of round i's is rc(j + 7 · i), j = 0 .. 6, of a shift
/// register of 8 bits.
#[rustfmt::skip]
pub const RC: [u64; 24] = [
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
];

/// The rotation of A\[x, y\] by rho, at 5 · y + x, section 3.2.2: (t + 1)(t + 2) / 2 mod 64 for place t of a
/// walk that begins at \[1, 0\] and goes from \[x, y\] to \[y, 2 · x + 3 · y\].
#[rustfmt::skip]
pub const RHO: [u32; 25] = [
     0,  1, 62, 28, 27,
    36, 44,  6, 55, 20,
     3, 10, 43, 25, 39,
    41, 45, 15, 21,  8,
    18,  2, 61, 56, 14,
];
