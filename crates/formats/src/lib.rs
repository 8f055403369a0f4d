//! The formats that the program `hashlanes` and the Python package read: lists of digests, manifests, proofs,
//! public keys.
//!
//! | file | holds |
//! |---|---|
//! | `hash.rs` | the hashes by name |
//! | `encoding.rs` | digests in hexadecimal digits, names in lists |
//! | `lists/` | lists of every format, file by file |
//! | `manifest.rs` | a manifest in memory |
//! | `roots.rs` | the directories in which a manifest was made |
//! | `audit.rs` | comparing files with a manifest |
//! | `known.rs` | the digests of lists as a set |
//! | `proof.rs` | proofs of RFC 6962 |
//! | `public_key.rs` | public keys of XMSS and XMSS^MT |
//! | `ignore_rule.rs` | rules of a .gitignore |
//! | `nearest.rs` | suggestions for unknown names |

pub mod audit;
pub mod encoding;
pub mod hash;
pub mod ignore_rule;
pub mod known;
pub mod lists;
pub mod manifest;
pub mod nearest;
pub mod proof;
pub mod public_key;
pub mod roots;
