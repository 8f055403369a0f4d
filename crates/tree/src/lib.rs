//! Tree modes: one long message hashed in lanes, by SHA-1 and SHA-2: layer 2 of hashlanes.
//!
//! This crate is internal; use `hashlanes`, which re-exports it as `hashlanes::tree`.
//!
//! A plain hash of one message is a chain that no number of lanes shortens. The functions here cut the message into j parts
//! that are hashed side by side, and hash the parts' digests. Their results are **not** those of the plain hash, and are
//! bound to the function's name and to j.
//!
//! | function | whose | cut |
//! |---|---|---|
//! | [`JLanes`]: `jlanes-v1-<hash>-<j>` | this project's | word by word: the fastest for a buffer, and streams |
//! | [`JPointers`]: `jpointers-v1-<hash>-<j>` | this project's | contiguous: for threads, machines, scattered buffers |
//! | [`mh_sha1()`], [`mh_sha256()`] | as deployed in storage software, exactly | word by word, 16 lanes |
//! | [`parallel_hash()`] | as deployed with a key exchange, exactly | contiguous, 8 slices |
//!
//! [`Mode`] has them by name, [`Tree`] as one type. Merkle trees as file systems, torrents, clouds, logs and blockchains have
//! them are in [`merkle`].
//!
//! # j-lanes v1 and j-pointers v1
//! After S. Gueron, "Parallelized hashing via j-lanes and j-pointers tree modes, with applications to SHA-256" (2014),
//! which leaves open the prefix's fields, the end of a message, and what the padding counts. This version settles them so
//! that any standard library of SHA can compute the modes. It is called v1 and compatible with no other publication;
//! and it is no function of a FIPS.
//!
//! HASH is SHA-1, SHA-256, SHA-384 or SHA-512, of B-byte blocks and W-byte words; u32be is a 32-bit big-endian integer.
//!
//! - Pre(j, i, type) = u32be(j) ‖ u32be(i) ‖ u32be(type) ‖ NAME ‖ zeros, B bytes; type is 0 for lanes and 1 for
//!   pointers, NAME is `SHA1`, `SHA256`, `SHA384` or `SHA512`.
//! - slice 0 … slice j−1: of j-lanes, byte k goes to slice (k div W) mod j, order kept, nothing filled up; of j-pointers, the
//!   next B·ceil(N / (j·B)) bytes of N, the last ones shorter, perhaps empty; or any j buffers.
//! - hᵢ = HASH(Pre(j, i, type) ‖ slice i); the result is HASH(Pre(j, j, type) ‖ h₀ ‖ … ‖ hⱼ₋₁).
//!
//! The hash's own padding counts the prefix. The states after the prefix blocks are computed once ([`JLanes::new`]), so
//! they cost a message nothing.
//!
//! ## Why v1 is sound
//! By the conditions of G. Bertoni, J. Daemen, M. Peeters, G. Van Assche, "Sufficient conditions for sound tree and
//! sequential hashing modes" (2014), a tree mode is as good as its hash (a collision of the mode is one of HASH, and where HASH
//! is taken for a random function the mode cannot be told from one) if it has three properties:
//!
//! - **Tree-decodability.** Of any hash's input it can be told which node of which tree it is: Pre holds j, the number i
//!   and the type, and stands first, always B bytes. What follows in the last node is j digests of one length.
//! - **Message-completeness.** The inputs of all nodes give back the whole message: of j-lanes by taking a word from each
//!   slice in turn, of j-pointers one slice after the other. Each slice's length is bound by the padding of its hash.
//! - **Final-node separability.** The last node is told from all others: i = j there, i < j elsewhere. So no lane's digest
//!   is a result, and nothing can be added behind a result's tree to make a greater one of it.
//!
//! Plain hashes start from other states: no state after a prefix block is a standard initial value (tested for all j). The
//! variants without these properties are named apart: [`Variant`].
//!
//! # Example
//! ```
//! # mod hashlanes { pub(super) use hashlanes_tree as tree; }
//! use hashlanes::tree::{JLanesSha256, JPointersSha256, Mode, Tree, mh_sha256};
//!
//! let message = vec![7; 100_000];
//! let digest: [u8; 32] = JLanesSha256::new(16).digest(&message);
//! let _: [u8; 32] = JPointersSha256::new(16).digest(&message);
//! let _: [u32; 8] = mh_sha256(&message);
//!
//! let mode: Mode = "jlanes-v1-sha256-16".parse()?;
//! assert_eq!(Tree::new(mode).digest(&message)?.as_ref(), digest);
//! # Ok::<(), hashlanes::tree::TreeError>(())
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `j_lanes.rs` `lane_ends.rs` | [`JLanes`]; the padding of lanes that end unevenly |
//! | `j_pointers.rs` `slices.rs` | [`JPointers`]; slices of a message that comes in parts |
//! | `prefix.rs` `last_hash.rs` | the prefix blocks; the last hash |
//! | `multi_hash.rs` `parallel_hash.rs` | the functions of others |
//! | `merkle/` | Merkle trees of deployed formats, by one engine |
//! | `mode.rs` `mode_parsing.rs` `tree.rs` | modes by name; a mode's function whatever its type |
//! | `wiped_bytes.rs` | buffered bytes, which are overwritten when dropped |
//! | `algorithm.rs` `error.rs` | the hashes; what is refused |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod algorithm;
mod error;
mod j_lanes;
mod j_pointers;
mod lane_ends;
mod last_hash;
pub mod merkle;
mod mode;
mod mode_parsing;
mod multi_hash;
mod parallel_hash;
mod prefix;
mod slices;
mod tree;
mod wiped_bytes;

pub use algorithm::{HashName, TreeAlgorithm};
pub use error::{MAX_J, TreeError};
pub use j_lanes::{JLanes, JLanesHasher, JLanesSha1, JLanesSha256, JLanesSha384, JLanesSha512};
pub use j_pointers::{JPointers, JPointersSha1, JPointersSha256, JPointersSha384, JPointersSha512};
pub use mode::Mode;
pub use mode::Variant;
pub use multi_hash::{Mh, MhSha1, MhSha256, mh_sha1, mh_sha256};
pub use parallel_hash::{
    parallel_hash, parallel_hash_on, parallel_hash_slice_bytes, parallel_hash_with_length,
};
pub use slices::SlicesHasher;
pub use tree::{Tree, TreeDigest, TreeHasher};
