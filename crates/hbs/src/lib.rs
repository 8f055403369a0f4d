//! Hash-based signatures: XMSS and XMSS^MT (RFC 8391, NIST SP 800-208), LMS and HSS (RFC 8554), SLH-DSA (FIPS
//! 205).
//!
//! (The module `hbs` of the crate `hashlanes`. The crate `hashlanes-hbs` itself is internal.)
//!
//! A signature is computed along hash chains and up a tree. All chains of a one-time key are independent, and
//! so are all leaves of a tree; the keys and masks of each step do not depend on other steps. So nearly all
//! hashes go through the lanes of the kernels of [`hashlanes_sha`] in full groups. The results are the
//! standards', bit for bit.
//!
//! # How fast
//! The cost of a signature is a number of compressions, which tests count. XMSS-SHA2_10_256 takes 4,665,338
//! to generate a key, about 2,134 to sign and about 2,476 to verify. The lower limit is the time of the
//! kernels for so many blocks in full groups: 60 cycles a block (n = 32, `avx512-x16-asm`) on one core with
//! the Redwood Cove microarchitecture. The table shows the whole operations; measure them with
//! `hashlanes-bench compare hashlanes -w XMSS-SHA2_10_256:sign` (and similar workloads) and
//! `examples/speed.rs`:
//!
//! | | cycles | times the limit |
//! |---|---|---|
//! | generating a key, per compression | 66.5 | 1.11 |
//! | signing, without verification before release | 166,000 | 1.29 |
//! | verifying one signature | 187,000 | 1.26 |
//! | verifying many, each | 173,000 | 1.16 |
//!
//! Two things cost time above the limit: blocks are written (values change their byte order on the way into a
//! block), and for single signatures some groups are not full (the last steps of the longest chains, the last
//! levels of trees). One thing saves time: half of many blocks is known in advance (zeros before a KEY,
//! padding after an ADRS).
//!
//! # Secrets
//! Seeds, states that hold them, and chain values are overwritten when an operation ends. No branch and no
//! index depends on them. The number of steps of a chain depends on the message's hash, which the signature
//! makes public.
//!
//! # Without an allocator
//! [`verify_no_alloc`], [`verify_lms_no_alloc`] and [`verify_slh_dsa_no_alloc`] need no heap and less than 8
//! KiB of stack. Without the feature `alloc`, which is on by default, the crate contains only these functions
//! and does not link the crate `alloc`.

// | file | holds | section of RFC 8391 |
// |---|---|---|
// | `params.rs` `params_lookup.rs` | `ParameterSet`: names, OIDs, sizes | 5.3, 5.4, 8 |
// | `address.rs` | the position of a hash | 2.5 |
// | `hash.rs` | F, H, H_msg, PRF, PRF_keygen, many at once | 5.1; SP 800-208, 5 |
// | `wots.rs` | chains; the public key from a one-time signature | 3.1 |
// | `one_time_keys.rs` | secret values of one-time keys, signing with them | 3.1; SP 800-208, 6.2 |
// | `xmss.rs` | L-trees, the root from a signature | 4.1 |
// | `xmss_mt.rs` | layers; verification of many signatures | 4.2 |
// | `tree_cache.rs` | all nodes of a tree, kept | 4.1.6, 4.1.9 |
// | `no_alloc/` | `verify_no_alloc` and the like: one hash after the other, without an allocator | 4.1.10, 4.2.5 |
// | `claim.rs` | `Claim`: verification of messages that arrive in parts | 5.1 |
// | `verifying_key.rs`, `spki.rs` | public keys and signatures as bytes; RFC 9802 | 4.1.7, 4.1.8 |
// | `hazmat/` | keys that sign, with their state only in memory | 4.1.7, 4.2.4 |
// | `store/` | keys that sign, with their state in files: no index is used twice | 4.1.9; SP 800-208, 7 |
// | `passphrase.rs` | secrets encrypted under a passphrase | |
// | `batch/` | hashes of an address and a short message, for SLH-DSA and LMS | |
// | `lms/` | LMS and HSS, with the feature of that name | RFC 8554 |
// | `slh_dsa/` | SLH-DSA, with the feature `slh-dsa` | FIPS 205 |
// | `pki/` | certificates and signed messages, with the feature `pki` | RFC 5280, RFC 5652 |
// | `lanes.rs` | the choice of kernels; whether rayon's threads are available | |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "the verifier without an allocator uses some of it")
)]
mod address;
#[cfg(any(feature = "lms", feature = "slh-dsa"))]
mod batch;
#[cfg(feature = "alloc")]
mod claim;
mod error;
#[cfg(feature = "alloc")]
mod hash;
#[cfg(feature = "hazmat")]
pub mod hazmat;
#[cfg(all(feature = "store", not(feature = "hazmat")))]
#[allow(
    unreachable_pub,
    dead_code,
    reason = "all of it is public with the feature hazmat, and some is used without"
)]
mod hazmat;
#[cfg(feature = "alloc")]
mod lanes;
#[cfg(feature = "lms")]
pub mod lms;
mod no_alloc;
#[cfg(any(feature = "hazmat", feature = "store"))]
mod one_time_keys;
#[cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "the verifier without an allocator uses some of it")
)]
mod params;
#[cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "the verifier without an allocator uses some of it")
)]
mod params_lookup;
#[cfg(feature = "passphrase")]
pub mod passphrase;
#[cfg(feature = "pki")]
pub mod pki;
#[cfg(feature = "slh-dsa")]
pub mod slh_dsa;
#[cfg(feature = "alloc")]
mod spki;
#[cfg(all(feature = "store", unix))]
pub mod store;
#[cfg(any(feature = "hazmat", feature = "store"))]
mod tree_cache;
#[cfg(feature = "alloc")]
mod verifying_key;
#[cfg(feature = "alloc")]
mod wots;
#[cfg(feature = "alloc")]
mod xmss;
#[cfg(feature = "alloc")]
mod xmss_mt;

#[cfg(feature = "alloc")]
pub use claim::Claim;
pub use error::Error;
#[cfg(feature = "count-calls")]
pub use lanes::compressions;
pub use no_alloc::lms::verify_lms_no_alloc;
pub use no_alloc::slh_dsa::{SlhDsaSet, sets as slh_dsa_sets, verify_slh_dsa_no_alloc};
pub use no_alloc::xmss::verify_no_alloc;
#[doc(hidden)]
pub use no_alloc::xmss::verify_of_set;
pub use params::{HashFamily, ParameterSet, Scheme};
#[cfg(feature = "alloc")]
pub use verifying_key::{Signature, VerifyingKey};
