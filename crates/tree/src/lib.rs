//! Tree modes over SHA-1 and SHA-2, which hash one long message in lanes, and Merkle trees.
//!
//! (The module `tree` of the crate `hashlanes`. The crate `hashlanes-tree` itself is internal.)
//!
//! The plain hash of one message is a chain that no number of lanes shortens. The functions here cut the
//! message into j slices, hash these at once, and hash their digests. Their results are **not** those of the
//! plain hash.
//!
//! | function | defined by | cut |
//! |---|---|---|
//! | [`JLanes`]: `jlanes-v1-<hash>-<j>` | this project | word by word: the fastest for one buffer or stream |
//! | [`JPointers`]: `jpointers-v1-<hash>-<j>` | this project | contiguous: for threads, machines, scattered buffers |
//! | [`mh_sha1()`], [`mh_sha256()`] | as deployed in storage software, exactly | word by word, 16 lanes |
//! | [`parallel_hash()`] | as deployed with a key exchange, exactly | contiguous, 8 slices |
//!
//! [`Mode`] names them, [`Tree`] is one type for all. The module [`merkle`] has the Merkle trees of file
//! systems, torrents, clouds, logs and blockchains.
//!
//! # j-lanes v1 and j-pointers v1
//! After S. Gueron, "Parallelized hashing via j-lanes and j-pointers tree modes, with applications to
//! SHA-256" (2014), which leaves open the fields of the prefix, the end of a message, and what the padding
//! counts. This version settles them, so that any standard SHA library can compute the modes. It is called
//! v1, is compatible with no other publication, and is not a function of a FIPS.
//!
//! HASH is SHA-1, SHA-256, SHA-384 or SHA-512, of B-byte blocks and W-byte words; u32be is a 32-bit
//! big-endian integer.
//!
//! - Pre(j, i, type) = u32be(j) ‖ u32be(i) ‖ u32be(type) ‖ NAME ‖ zeros, B bytes; type is 0 for lanes and 1
//!   for pointers, NAME is `SHA1`, `SHA256`, `SHA384` or `SHA512`.
//! - slice 0 … slice j−1: of j-lanes, byte k goes to slice (k div W) mod j, order kept, nothing filled up; of
//!   j-pointers, the next B·ceil(N / (j·B)) bytes of N, the last ones shorter, perhaps empty; or any j
//!   buffers.
//! - hᵢ = HASH(Pre(j, i, type) ‖ slice i); the result is HASH(Pre(j, j, type) ‖ h₀ ‖ … ‖ hⱼ₋₁).
//!
//! HASH's own padding counts the prefix. The states after the prefix blocks are computed once
//! ([`JLanes::new`]), so they cost a message nothing.
//!
//! ## Security
//! A collision of a v1 mode yields a collision of HASH, because the slices determine the message.
//!
//! v1 meets the conditions of G. Bertoni, J. Daemen, M. Peeters, G. Van Assche, "Sufficient conditions for
//! sound tree and sequential hashing modes" (2014). They bound how well the mode can be distinguished from a
//! random function, if HASH is modelled as a random function and used for nothing else:
//!
//! - **Tree-decodability.** Each hashed string begins with a block Pre, which holds j, the number i and the
//!   type. In the last string, j digests of one length follow.
//! - **Message-completeness.** The strings give back the whole message: with j-lanes, one word from each
//!   slice in turn; with j-pointers, one slice after another. HASH's padding fixes the length of each slice.
//! - **Final-node separability.** i = j in the last string, and i < j in all others. So no lane's digest is a
//!   result, and no tree can be extended to a larger one.
//!
//! ## What is separated from what
//! Two v1 modes that differ in HASH, in j or in the type never hash the same string. **They are not separated
//! from the plain hash:** a result of `jlanes-v1-sha256-16` is by construction the plain SHA-256 of a string
//! of 576 bytes, Pre(16, 16, 0) ‖ h₀ ‖ … ‖ h₁₅, as any mode over an unmodified hash is the plain hash of some
//! string. The same is true for [`mh_sha1()`], [`mh_sha256()`], [`parallel_hash()`] and the trees of
//! [`merkle`], and no mode here is an exception. A protocol must therefore fix the mode of each digest, or
//! authenticate the mode's name together with the digest; it must never compare digests across modes.
//!
//! The variants without the three properties have names of their own: [`Variant`].
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

// | file | holds |
// |---|---|
// | `j_lanes.rs` `lane_ends.rs` | `JLanes`; the padding of lanes that end unevenly |
// | `j_pointers.rs` `slices.rs` | `JPointers`; slices of a message that comes in parts |
// | `prefix.rs` `last_hash.rs` | the prefix blocks; the last hash |
// | `multi_hash.rs` `parallel_hash.rs` | functions defined elsewhere |
// | `merkle/` | Merkle trees of deployed formats, by one engine |
// | `mode.rs` `mode_parsing.rs` `tree.rs` | modes by name; one type for all modes |
// | `wiped_bytes.rs` | buffered bytes, which are overwritten when dropped |
// | `algorithm.rs` `error.rs` | the hashes; errors |

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
