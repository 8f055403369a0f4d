//! Tree modes: one long message hashed in lanes, by SHA-1 and SHA-2: layer 2 of hashlanes.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod algorithm;
mod ends;
mod error;
mod j_lanes;
mod j_pointers;
mod mh;
mod mode;
mod parallel_hash;
mod prefix;
mod slices;
mod tree;
mod wrap;

pub use algorithm::{HashName, TreeAlgorithm};
pub use error::{MAX_J, TreeError};
pub use j_lanes::{JLanes, JLanesHasher, JLanesSha1, JLanesSha256, JLanesSha384, JLanesSha512};
pub use j_pointers::{JPointers, JPointersSha1, JPointersSha256, JPointersSha384, JPointersSha512};
pub use mh::{Mh, MhSha1, MhSha256, mh_sha1, mh_sha256};
pub use mode::Mode;
pub use parallel_hash::{parallel_hash, parallel_hash_on, parallel_hash_with_length};
pub use prefix::Variant;
pub use slices::SlicesHasher;
pub use tree::{Tree, TreeDigest, TreeHasher};
