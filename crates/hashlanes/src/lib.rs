//! Hashes one message or many at once, as fast as the CPU can, with standard results.
//!
//! ```
//! use hashlanes::{sha256, sha256_many};
//!
//! let digest = sha256(b"abc");
//!
//! // Many messages of any lengths fill the CPU's lanes together.
//! let messages: [&[u8]; 3] = [b"abc", b"", b"a longer message"];
//! let mut digests = [[0; 32]; 3];
//! sha256_many(&messages, &mut digests);
//! assert_eq!(digests[0], digest);
//! ```
//!
//! One long message goes through the lanes by a tree mode: [`tree`].
#![no_std]
#![forbid(unsafe_code)]

pub use hashlanes_sha::*;
pub use hashlanes_tree as tree;
