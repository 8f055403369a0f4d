//! Hashes many messages at once on one core, with standard results: two to four times as fast as one after
//! another, where the CPU has AVX-512 or AMD's SHA instructions.
//!
//! SHA-1 and SHA-2 (FIPS 180-4), HMAC (RFC 2104), SHA-3 and SHAKE (FIPS 202); with other features Merkle
//! trees, ciphers and hash-based signatures.
//!
//! ```
//! use hashlanes::{sha256, sha256_many};
//!
//! let digest = sha256(b"abc");
//!
//! // Many messages of any lengths share the lanes of the CPU's vector registers.
//! let messages: [&[u8]; 3] = [b"abc", b"", b"a longer message"];
//! let mut digests = [[0; 32]; 3];
//! sha256_many(&messages, &mut digests);
//! assert_eq!(digests[0], digest);
//! ```
//!
//! # What to call
//!
//! The names of SHA-256; the other hashes of FIPS 180-4 have the same, except `sha256_pairs`, `sha256_32` and
//! `sha256d`.
//!
//! | to hash | call |
//! |---|---|
//! | one message | [`sha256()`]; in parts, [`Sha256`]; after a prefix that is hashed once, [`Sha256::from_midstate`] |
//! | many messages | [`sha256_many`]; in parts [`sha256_update_many`], [`sha256_finish_many`] |
//! | strings, vectors, arrays, an iterator | [`sha256_all`], which returns a vector |
//! | messages that arrive one by one | [`Sha256Queue`], which owns them |
//! | messages of one length, one after another | [`sha256_fixed`], [`sha256_pairs`] (the nodes of a Merkle tree), [`sha256_32`] |
//! | a column in Arrow's layout | [`sha256_rows`]; with nulls [`sha256_rows_valid`]; as text [`sha256_rows_hex`] |
//! | a column of another layout, or with a salt | [`sha256_column`], [`sha256_column_hex`] of a [`Column`] |
//! | on threads | [`sha256_many_parallel`], [`sha256_column_parallel`] |
//! | twice, as Bitcoin does | [`sha256d`], [`sha256d_many`], [`sha256d_fixed`] (headers), [`sha256d_pairs`] (the nodes of its trees) |
//! | with a key | [`hmac_sha256`], [`hmac_sha256_many`], [`hmac_sha256_all`], [`hmac_sha256_rows`], [`hmac_sha256_column`], [`hmac_sha256_column_hex`]; in parts, and to check a code, [`HmacSha256`] |
//! | to derive keys | [`pbkdf2_sha256_many`], [`hkdf_sha256_many`] |
//! | to print a digest | [`Hex`] |
//! | one long message in lanes, and Merkle trees | the module [`tree`]: not the plain hash |
//! | to verify or make hash-based signatures: XMSS, XMSS^MT | the module [`hbs`] |
//! | the same by LMS and HSS | the module `hbs::lms`, with the feature `lms` |
//! | the same without state: SLH-DSA | the module `hbs::slh_dsa`, with the feature `slh-dsa` |
//! | certificates and messages of CMS with such keys | the module `hbs::pki`, with the feature `pki` |
//!
//! SHA-3, SHAKE and Ethereum's Keccak-256 (feature `sha3`), by the names of Keccak-256; SHA3-224, SHA3-384
//! and SHA3-512 have the same without pairs:
//!
//! | to hash | call |
//! |---|---|
//! | a message | [`keccak256()`]; in parts [`Keccak256`] |
//! | many messages | [`keccak256_many`], [`keccak256_all`]; on threads [`keccak256_many_parallel`] |
//! | messages of one length, one after another | [`keccak256_fixed`], [`keccak256_pairs`] (the nodes of a Merkle tree) |
//! | a column | [`keccak256_rows`], [`keccak256_column`], [`keccak256_column_hex`]; on threads [`keccak256_column_parallel`] |
//! | a message, to output of any length | [`shake128()`], [`shake256()`]; in parts [`Shake128`], [`Shake256`] |
//! | many messages, to outputs of one length | [`shake128_many`], [`shake256_many`] |
//!
//! To encrypt, one message or many: the module [`aes`]. AES-GCM, for example:
//!
//! ```
//! # #[cfg(feature = "aes")]
//! # fn main() -> Result<(), hashlanes::aes::gcm::Error> {
//! use hashlanes::aes::gcm::Aes256Gcm;
//!
//! let cipher = Aes256Gcm::new(&[7; 32]); // a random key
//! let nonce = [1; 12]; // never twice with one key
//! let sealed = cipher.seal(&nonce, b"header", b"message")?;
//! assert_eq!(cipher.open(&nonce, b"header", &sealed)?, b"message");
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "aes"))]
//! # fn main() {}
//! ```
//!
//! Arguments of shapes that do not fit together panic with a text that names the argument; the functions
//! `try_…` return it as a [`ShapeError`].
//!
//! Messages that arrive one by one:
//!
//! ```
//! use hashlanes::{Hex, Sha256Queue, sha256};
//!
//! let lines = ["one", "two", "three"].map(String::from);
//! let mut queue = Sha256Queue::new();
//! for line in lines {
//!     if let Some((line, digest)) = queue.submit(line) {
//!         println!("{}  {line}", Hex(digest)); // A message that is ready.
//!     }
//! }
//! assert_eq!(queue.flush(), Some((String::from("one"), sha256(b"one"))));
//! ```
//!
//! # Replacing `sha2`
//!
//! With the feature `digest`, change `use sha2::{Digest, Sha256}` to `use hashlanes::{Digest, Sha256}`:
//!
//! ```toml
//! hashlanes = { version = "0.1", features = ["digest"] } # from the first release on; was: sha2 = "0.11"
//! ```
//!
//! `Hmac<Sha256>`, `Hkdf<Sha256>`, `pbkdf2_hmac::<Sha256>` and ECDSA accept it, too, and [`HmacSha256`] is a
//! `Mac`. The traits are those of `digest` 0.11, so `hmac`, `hkdf` and `pbkdf2` must be 0.13.
//!
//! ```
//! # #[cfg(feature = "digest")] {
//! use hashlanes::{Digest, Sha256};
//!
//! let mut hasher = Sha256::new();
//! hasher.update("abc");
//! assert_eq!(hasher.finalize(), Sha256::digest("abc"));
//! # }
//! ```
//!
//! A program with `sha2` 0.10, or with crates of `digest` 0.10 such as `hmac` 0.12 and `rsa` 0.9, selects the
//! feature `digest-0-10`, and changes `use sha2::{Digest, Sha256}` to
//! `use hashlanes::digest_0_10::{Digest, Sha256}`:
//!
//! ```toml
//! hashlanes = { version = "0.1", features = ["digest-0-10"] } # was: sha2 = "0.10"
//! ```
//!
//! Differences:
//!
//! | `sha2` | here |
//! |---|---|
//! | `Sha256::digest` returns `Output<Sha256>` | `Sha256::digest` returns `[u8; 32]`, which `.into()` converts; `finalize` returns `Output<Sha256>` |
//! | `Mac::verify` returns a `Result` | [`Hmac::verify`] returns a `bool`; the other methods of `Mac` are the same |
//! | `block_api::compress256`, states that can be serialised | [`Midstate`], after whole blocks |
//! | `Hmac<Sha3_256>` of the crate `hmac` | `SimpleHmac<Sha3_256>` |
//!
//! [`sha256()`] is the fastest way to hash one short message, [`sha256_many`] to hash many.
//!
//! Verify a received code in constant time:
//!
//! ```
//! use hashlanes::{HmacSha256, hmac_sha256};
//!
//! let received = hmac_sha256(b"key", b"message");
//! let mut mac = HmacSha256::new(b"key");
//! mac.update(b"message");
//! assert!(mac.verify(&received));
//! ```
//!
//! # Secrets
//!
//! Keys ([`HmacKey`], [`aes::Key`], signing keys), HMACs, hashers and queues are overwritten when they are
//! dropped. Copies remain in three places:
//!
//! - A value that is *moved* leaves a copy at its old place. A function that takes `self`, such as
//!   `Sha256::finish`, moves it out of a `Box` or a struct; [`Hasher::finish_reset`] does not.
//! - The compiler keeps some copies in registers.
//! - Functions that hash in one call ([`sha256()`], [`sha256_many`], …) overwrite a padded message of one
//!   block, but not the padded ends of longer messages, nor registers that kernels spilled to the stack. If
//!   messages are secret, call [`wipe_stack`] afterwards, in the function that called them: it takes some 900
//!   cycles. HMAC of many messages, AES-CBC, AES-CTR and signatures overwrite the stack themselves; `Ctr`
//!   does so after short parts only when it is dropped, AEGIS, AES-GCM and AES-GCM-SIV after calls of 64 KiB
//!   or more, and when a key is dropped.
//!
//! # The stack
//!
//! Only functions that return vectors, and threads, allocate. Calls use at most this much stack if this crate
//! is built with optimisation (`opt-level` 1 or more; otherwise up to 900 KiB):
//!
//! | call | KiB |
//! |---|---|
//! | one message, whole or in parts, with a key or without | 16 |
//! | many messages, columns | 64 |
//! | a queue, including the queue itself; a `Box` moves it to the heap | 96 |
//! | many messages with a key, derived keys: they overwrite the stack | 120 |
//! | a hash's first call, if it measures kernels (feature `calibrate`) | 64 |
//!
//! # Development builds
//!
//! Hash functions and AES-GCM are compiled in this crate. If a program optimises its dependencies
//! (`[profile.dev.package."*"] opt-level = 3`), they are as fast in its development builds as in its
//! releases. AEGIS and [`tree`] have generic types, which are compiled in the program: without optimisation,
//! AEGIS in parts takes up to 5 times as long, a Merkle tree up to 4 times.
//!
//! Without optimised dependencies, one long message is still fast on x86-64, where its kernels are in
//! assembly.
//!
//! # Releases that are optimised for size
//!
//! With `opt-level = "s"` or `"z"`, short messages and many messages take 1.1 to 2.9 times as long, AES-CTR 3
//! times, AES-GCM 4.6 times (Zen 3), and kernels may use more stack than is overwritten after them. The
//! crates that hold the kernels may have another level than the program; then all of it is as fast and as
//! safe as in other releases, and 2 MB larger:
//!
//! ```toml
//! [profile.release.package.hashlanes-sha]
//! opt-level = 3
//! [profile.release.package.hashlanes-aes]
//! opt-level = 3
//! ```
//!
//! # The kernels
//!
//! The instructions are chosen at run time, by the CPU and by the number of messages; [`kernels`] lists,
//! explains and forces kernels. Every kernel computes the same digests.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `sha1` (default) | SHA-1 and its HMAC |
//! | `sha2` (default) | SHA-224 to SHA-512/256 and their HMACs |
//! | `sha3` | SHA3-224 to SHA3-512, SHAKE128, SHAKE256, Keccak-256 |
//! | `tree` | the module [`tree`], with `sha1` and `sha2` |
//! | `aes` | the module [`aes`] |
//! | `xmss` | the module [`hbs`], with `sha2`: without `alloc` only [`hbs::verify_no_alloc`] and the same for LMS and SLH-DSA |
//! | `lms` | the module `hbs::lms`; enables `xmss`, `alloc` |
//! | `slh-dsa` | the module `hbs::slh_dsa`; enables `xmss`, `alloc` |
//! | `pki` | the module `hbs::pki`: certificates and signed messages (X.509, PKCS#10, CMS); enables `slh-dsa` |
//! | `std` (default) | `std::io::Write` for hashers, errors with all details; enables `alloc` |
//! | `alloc` (by `std`, `tree`, `aes`) | everything that allocates |
//! | `zeroize` (default) | hashers and queues are overwritten when dropped; keys always are |
//! | `digest` | the traits of the crate `digest` 0.11 for every hasher and HMAC |
//! | `digest-0-10` | the traits of `digest` 0.10 likewise, and the module `digest_0_10`, with hashes that replace those of `sha2` 0.10 |
//! | `cipher`, `aead` | the traits of the crates `cipher` 0.5 for CBC and CTR, `aead` 0.6 for AEGIS, AES-GCM and AES-GCM-SIV; both enable `aes` |
//! | `signature` | the traits of the crate `signature` 3.0 for XMSS, XMSS^MT, LMS, HSS and SLH-DSA; enables `xmss` |
//! | `rayon` | many messages and columns without a key, tree modes, key generation and many verifications on threads |
//! | `passphrase` | the module `hbs::passphrase`: secret keys encrypted under a passphrase; enables `xmss`, `std` |
//! | `store` | keys of XMSS, LMS and HSS in files that never use an index twice (Unix); enables `passphrase` |
//! | `hazmat` | keys of XMSS, LMS and HSS that sign with their state only in memory; AEGIS decryption before the tag is verified |
//! | `getrandom` | seeds of keys, and random values of signatures, from the system's source of random numbers |
//! | `calibrate` | on a CPU whose costs are not in the tables, the first use of a hash measures its kernels, in less than a millisecond; `kernels::calibrate` does so on any CPU; enables `std` |
//! | `env-override` | `HASHLANES_SHA256_KERNEL=avx2-x8` forces a kernel, `HASHLANES_DISABLE=avx512f` masks CPU features |
//! | `papers` | kernels that are the fastest on no CPU, for comparison with the papers |
//! | `count-calls` | counts of the kernels' calls, for tests |
//!
//! No feature changes a digest, and none is required to use the CPU's instructions: they are detected at run
//! time, also without `std`. The features `sha1`, `sha2` and `sha3` need no allocator.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "aes")]
#[doc(inline)]
pub use hashlanes_aes as aes;
#[cfg(feature = "xmss")]
#[doc(inline)]
pub use hashlanes_hbs as hbs;
#[cfg(any(feature = "sha1", feature = "sha2", feature = "sha3"))]
pub use hashlanes_sha::*;
// By name, so that the compiler's error names the missing feature.
#[cfg(all(feature = "digest-0-10", any(feature = "sha1", feature = "sha2", feature = "sha3")))]
pub use hashlanes_sha::digest_0_10;
#[cfg(all(feature = "digest", any(feature = "sha1", feature = "sha2", feature = "sha3")))]
pub use hashlanes_sha::{Digest, digest};
#[cfg(feature = "sha3")]
pub use hashlanes_sha::{Keccak256, Sha3_256, Shake128, Shake256, keccak256, sha3_256, shake128, shake256};
#[cfg(all(feature = "rayon", feature = "sha2"))]
pub use hashlanes_sha::{sha256_column_parallel, sha256_many_parallel};
#[cfg(feature = "tree")]
#[doc(inline)]
pub use hashlanes_tree as tree;

/// The kernels: each hash's table, for programs that list, force or explain them. Ciphers have
/// [theirs](aes::kernels).
#[cfg(any(feature = "sha1", feature = "sha2", feature = "sha3"))]
pub mod kernels {
    pub use hashlanes_sha::kernels::*;

    /// Checks the `HASHLANES_*` environment variables: `HASHLANES_DISABLE` names known CPU features,
    /// `HASHLANES_SHA256_KERNEL` and the variables of other hashes and ciphers name kernels that this CPU can
    /// run.
    ///
    /// Without the cargo feature `env-override` they are not read.
    ///
    /// # Errors
    /// If a name is unknown or unsupported, or a variable is named like these but belongs to no hash and no
    /// cipher; the error lists the valid names. Hashing panics with the same message.
    pub fn check_env() -> Result<(), EnvError> {
        #[cfg(feature = "env-override")]
        {
            let mut variables = variables();
            #[cfg(feature = "aes")]
            variables.extend(hashlanes_aes::kernels::all().map(|table| table.variable()));
            EnvError::check_variables(&variables)?;
        }
        check_own_env()?;
        #[cfg(feature = "aes")]
        hashlanes_aes::kernels::check_env()?;
        Ok(())
    }
}

/// Tests the examples of README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
