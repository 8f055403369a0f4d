//! LMS and HSS (RFC 8554, NIST SP 800-208): hash-based signatures of boot loaders and network devices.
//!
//! A key of LMS is a tree of one-time keys. A key of HSS has up to eight levels of such trees, each of which
//! signs the keys of the trees below it. Keys that sign have a state, which must never go back: see
//! [`crate::hazmat`] and [`crate::store`]. Nearly all hashes have one block and are independent, so they fill
//! the lanes of the kernels.
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
//! use hashlanes::hbs::{Error, lms::VerifyingKey};
//!
//! # let bytes = [&[0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 4][..], &[7; 16 + 32]].concat();
//! # let signature = [0; 1296];
//! let key = VerifyingKey::from_bytes(&bytes)?; // or from_spki_pem
//! assert_eq!(key.verify(b"message", &signature), Err(Error::Invalid));
//! # Ok::<(), Error>(())
//! ```
//!
//! # Parameter sets
//! All sets of both standards are supported: SHA-256 and SHAKE256, n = 32 and 24, h of 5, 10, 15, 20 and 25,
//! w of 1, 2, 4 and 8. A name combines both sets of a tree: `LMS_SHA256_M24_H20_W8` is LMS_SHA256_M24_H20
//! with LMOTS_SHA256_N24_W8. The table shows the cost of a leaf and the length of a one-time signature for n
//! = 32:
//!
//! | w | hashes a leaf | one-time signature |
//! |---|---|---|
//! | 1 | 666 blocks | 8,516 bytes |
//! | 2 | 602 | 4,292 |
//! | 4 | 1,109 | 2,180 |
//! | 8 | 8,725 | 1,124 |

// | file | holds | section of RFC 8554 |
// |---|---|---|
// | `params.rs` | `Level`, `ParameterSet` | 4.1, 5.1, 6; SP 800-208, 4 |
// | `hash.rs` | the hashed messages, over SHA-256 and SHAKE256 | 3, 7.1 |
// | `lm_ots.rs` | one-time signatures in lanes | 4 |
// | `tree.rs` | the root that results from a signature | 5 |
// | `hss.rs` | levels of trees | 6 |
// | `verifying_key.rs` | `VerifyingKey`, `Claim` | 5.3, 5.4.2, 6.1, 6.3 |
// | `secret_trees.rs` | trees from seeds | 5.2, 5.3, appendix A |
// | `key_generation.rs` | `KeyGeneration` | 5.3, 6.1 |
// | `signer.rs` | signatures at any index | 5.4.1, 6.2 |
// | `signing_key.rs` | `SigningKey`: an index that is counted in memory | |
// | `formats.rs` | public keys in DER and PEM | RFC 9708, RFC 9802 |

mod formats;
pub(crate) mod hash;
mod hss;
#[cfg(any(feature = "hazmat", feature = "store"))]
pub(crate) mod key_generation;
mod lm_ots;
mod params;
#[cfg(any(feature = "hazmat", feature = "store"))]
pub(crate) mod secret_trees;
#[cfg(any(feature = "hazmat", feature = "store"))]
pub(crate) mod signer;
#[cfg(feature = "hazmat")]
mod signing_key;
mod tree;
mod verifying_key;

#[cfg(any(feature = "hazmat", feature = "store"))]
pub use key_generation::KeyGeneration;
pub use params::{HashFamily, Level, ParameterSet};
#[cfg(feature = "hazmat")]
pub use signing_key::SigningKey;
pub use verifying_key::{Claim, VerifyingKey};
