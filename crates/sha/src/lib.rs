//! SHA-1 and SHA-2 of one message or many (FIPS 180-4), HMAC (RFC 2104), SHA-3 (FIPS 202): layer 1 of
//! hashlanes.
//!
//! This crate is internal; use `hashlanes`, which re-exports it.
//!
//! | file | holds |
//! |---|---|
//! | `sha1/` `sha256/` `sha512/` | the compression functions: constants, the definition over lanes, kernels, the table |
//! | `keccak/` | Keccak's permutation, and the functions over it: SHA-3, SHAKE, Keccak-256 (feature `sha3`) |
//! | `assembly.rs` | the basis of kernels in assembly |
//! | `algorithm.rs` | the seven hashes of FIPS 180-4: initial values, digest lengths |
//! | `padding.rs` | the end of a message, once for all of them |
//! | `progress.rs` `keyed.rs` `compiled.rs` | one message in parts, and its HMAC, compiled here for each compression function |
//! | `hasher.rs` | one message, whole or in parts: [`Hasher`], [`Midstate`] |
//! | `many/` | many messages: whole ones, parts of them, their ends, and messages that arrive one by one ([`Queue`]) |
//! | `fixed.rs` | many messages of one length |
//! | `columns/` | Arrow-shaped columns |
//! | `hex.rs` | digests as text |
//! | `parallel.rs` | many messages and columns on threads |
//! | `interleaved.rs` | word-interleaved input, for tree modes |
//! | `hmac.rs` | HMAC: one message, many, columns |
//! | `kdf.rs` | keys derived from many secrets: PBKDF2, HKDF |
//! | `functions/` | the functions by name: `sha256`, `sha256_many`, … |
//! | `tables.rs` | the tables: [`kernels`], for programs that list, force or explain kernels |
//! | `digest_traits/` | the traits of the crate `digest` of two versions (features `digest`, `digest-0-10`) |
//! | `digest_0_10.rs` | the crate `digest` 0.10 with hashes for crates that require its `CoreWrapper` |
//! | `error.rs` | errors in the shape of arguments |
#![cfg_attr(docsrs, feature(doc_cfg))]
// With `sha3` alone, no hash uses the generic code of SHA-1 and SHA-2.
#![cfg_attr(not(any(feature = "sha1", feature = "sha2")), allow(dead_code, unused_imports, unused_macros))]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod algorithm;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", any(feature = "sha1", feature = "sha2")))]
mod assembly;
mod columns;
mod compiled;
#[cfg(feature = "digest-0-10")]
pub mod digest_0_10;
#[cfg(any(feature = "digest", feature = "digest-0-10"))]
mod digest_traits;
mod error;
mod fixed;
mod functions;
mod hasher;
mod hex;
mod hmac;
mod interleaved;
mod kdf;
#[cfg(feature = "sha3")]
#[doc(hidden)]
pub mod keccak;
mod keyed;
mod many;
mod padding;
#[cfg(feature = "rayon")]
mod parallel;
mod progress;
#[cfg(feature = "sha1")]
pub mod sha1;
#[cfg(feature = "sha2")]
pub mod sha256;
#[cfg(feature = "sha2")]
pub mod sha512;
#[cfg(feature = "sha2")]
#[doc(hidden)]
pub mod small;
mod tables;

/// The kernels: each hash's table, for programs that list, force or explain them.
///
/// SHA-224 runs on the kernels of SHA-256; SHA-384, SHA-512/224 and SHA-512/256 on those of SHA-512. SHA-3,
/// SHAKE and Keccak-256 run on those of Keccak, which are not listed: `HASHLANES_KECCAK_KERNEL` forces one by
/// name.
pub mod kernels {
    pub use hashlanes_isa::{COLUMNS, EnvError, Features, Kernel, Row, Verb, column};

    pub use crate::tables::*;
}

/// The algorithms as types, for generic code: `Hasher<algorithms::Sha256>` is `Sha256`,
/// `SpongeHasher<algorithms::Sha3_256>` is `Sha3_256`.
pub mod algorithms {
    #[cfg(any(feature = "sha1", feature = "sha2"))]
    pub use crate::algorithm::algorithms::*;
    #[cfg(feature = "sha3")]
    pub use crate::keccak::{Keccak256, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
}

#[doc(hidden)]
pub use algorithm::digest_of;
pub use algorithm::{Algorithm, State};
pub use columns::{Column, Offset};
#[cfg(feature = "digest")]
pub use digest::{self, Digest};
pub use error::ShapeError;
pub use functions::*;
pub use hasher::{Hasher, Midstate};
pub use hashlanes_isa::wipe_stack;
pub use hex::Hex;
pub use hmac::{Hmac, HmacKey};
#[doc(hidden)]
pub use interleaved::compress_interleaved;
#[cfg(feature = "sha3")]
pub use keccak::{Sponge, SpongeHash, SpongeHasher, Xof, XofReader};
#[doc(hidden)]
pub use many::Queued;
pub use many::{Queue, Tagged};
#[doc(hidden)]
pub use padding::LastBlock;
