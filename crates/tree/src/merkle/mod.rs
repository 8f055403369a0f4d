//! Merkle trees of deployed formats, computed exactly: chunks of one length and the nodes over them go
//! through the lanes.
//!
//! | preset | a chunk's digest | a node | result |
//! |---|---|---|---|
//! | [`FsVerity`] | HASH(salt, zero-filled to a block of the hash ‖ block), the last block zero-filled | the same over a block full of digests, zero-filled | [`FsVerityFile`] |
//! | [`DmVerity`] | HASH(salt ‖ block), whole blocks only | the same; digests zero-filled to a power of two | the root; the hash device |
//! | [`Bep52`] | SHA-256 of 16 KiB | SHA-256(l ‖ r), zeros for missing digests to a power of two | [`Bep52File`] |
//! | [`Glacier`] | SHA-256 of 1 MiB | SHA-256(l ‖ r), a single last one moves up | the root |
//! | [`S3Composite`] | SHA-256 of a part | one hash of all | [`S3Checksum`] |
//! | [`Rfc6962`] | SHA-256(0x00 ‖ leaf) | SHA-256(0x01 ‖ l ‖ r), a single last one moves up | [`Rfc6962Tree`]; proofs |
//! | [`Ssz`] | the chunk of 32 bytes itself | SHA-256(l ‖ r), roots of zero chunks for missing ones | the root |
//!
//! All are a [`Preset`]: [`Preset::digest`] for a message in memory, [`Preset::hasher`] for one in parts, and
//! [`Preset::digest_chunks`] with [`MerkleHasher::push`] where threads or machines hash chunks. Only the
//! parts of a message that wait for a node are kept; [`Preset::hasher_keeping`] passes the tree's digests to
//! the caller as they are computed.

// | file | holds |
// |---|---|
// | `levels.rs` | the engine: digests from the left, a batch of nodes per level |
// | `prefixed.rs` | hashes after a salt |
// | `zero_roots.rs` | the roots of zeros |
// | `layout.rs` | the places of the levels of fs-verity and dm-verity in a file |
// | `preset.rs` `shape.rs` | the engine of all formats: parts of a message into chunks, chunks into lanes; the parameters of a format |
// | `error.rs` | errors |
// | the others | one format each, or two of one vendor |

mod amazon;
mod bep52;
mod dm_verity;
mod error;
mod fs_verity;
mod layout;
mod levels;
mod prefixed;
mod preset;
mod rfc6962;
mod shape;
mod ssz;
mod zero_roots;

pub use amazon::{Glacier, S3Checksum, S3Composite};
pub use bep52::{Bep52, Bep52File};
pub use dm_verity::{DmVerity, DmVeritySha1, DmVeritySha256, DmVeritySha384, DmVeritySha512};
pub use error::MerkleError;
pub use fs_verity::{FsVerity, FsVerityAlgorithm, FsVerityFile, FsVeritySha256, FsVeritySha512};
pub use layout::BlockLayout;
pub use levels::Nodes;
pub use preset::{MerkleHasher, Preset};
pub use rfc6962::{Rfc6962, Rfc6962Leaves, Rfc6962Proof, Rfc6962Tree};
pub use ssz::Ssz;
