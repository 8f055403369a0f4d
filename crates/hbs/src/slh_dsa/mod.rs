//! SLH-DSA (FIPS 205): hash-based signatures without a state.
//!
//! A key signs any number of messages, up to 2^64, without a counter. The price is the size of a signature
//! and the time to make one: 7,856 bytes and about 2.2 million compressions for SLH-DSA-SHA2-128s. Nearly all
//! of them are independent hashes of one block, so they fill the lanes of the kernels.
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
//! use hashlanes::hbs::slh_dsa::{Message, ParameterSet, Randomness, SigningKey};
//!
//! let set: ParameterSet = "SLH-DSA-SHA2-128f".parse()?;
//! # let seeds = [1; 48];
//! let key = SigningKey::from_seeds(set, &seeds)?; // 3n random bytes
//! let message = Message::new(b"release 1.2").with_context(b"example.org firmware")?;
//! let signature = key.sign(&message, Randomness::Deterministic)?;
//! key.verifying_key().verify(&message, signature.as_ref())?;
//! # Ok::<(), hashlanes::hbs::slh_dsa::Error>(())
//! ```
//!
//! # Parameter sets
//! All twelve are supported. Those ending in `s` have small signatures, those in `f` are fast to sign with.
//!
//! | set, over SHA2 or SHAKE | public key | signature | compressions to sign |
//! |---|---|---|---|
//! | 128s | 32 bytes | 7,856 bytes | 2.2 million |
//! | 128f | 32 | 17,088 | 0.11 million |
//! | 192s | 48 | 16,224 | 4.0 million |
//! | 192f | 48 | 35,664 | 0.18 million |
//! | 256s | 64 | 29,792 | 3.5 million |
//! | 256f | 64 | 49,856 | 0.37 million |
//!
//! # Secrets
//! Seeds and secret values are overwritten when an operation ends. No branch and no index depends on them.

// | file | holds | section of FIPS 205 |
// |---|---|---|
// | `params.rs` | `ParameterSet` | 11 |
// | `address.rs` | the position of a hash | 4.2, 4.3 |
// | `seeded.rs` | hashes of an address and a message | 4.1 |
// | `message_hash.rs` | hashes of a whole message | 4.1 |
// | `sha2.rs`, `shake.rs`, `suite.rs` | these over SHA-2 and SHAKE256 | 11.1, 11.2 |
// | `wots.rs` | chains in lanes | 5 |
// | `hypertree.rs` | layers of trees | 6, 7 |
// | `fors.rs` | the trees that sign a message's hash | 8 |
// | `internal.rs` | keys and signatures of an encoded message | 9 |
// | `message.rs` | `Message`: context strings, pre-hashing | 10 |
// | `signing_key.rs`, `verifying_key.rs` | `SigningKey`, `VerifyingKey` | 10 |
// | `claim.rs` | `Claim`: verification of messages that arrive in parts | 10.3 |
// | `formats.rs` | keys in DER and PEM: RFC 9909 | |
// | `error.rs` | `Error` | |

mod address;
mod claim;
mod error;
mod formats;
mod fors;
mod hypertree;
mod internal;
mod message;
mod message_hash;
mod params;
mod seeded;
mod sha2;
mod shake;
mod signing_key;
mod suite;
mod verifying_key;
mod wots;

pub use claim::Claim;
pub use error::Error;
pub use message::{Digest, Message, PreHash, PreHasher};
pub use params::{Family, ParameterSet};
pub use signing_key::{Randomness, SigningKey};
pub use verifying_key::VerifyingKey;
