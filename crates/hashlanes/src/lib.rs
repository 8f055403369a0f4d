//! Hashes one message or many at once, as fast as the CPU can, with standard results: SHA-1 and SHA-2 (FIPS 180-4) and HMAC
//! (RFC 2104).
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
//! # What to call
//!
//! The names of SHA-256; the other hashes have the same, but for the last two of "equal short messages".
//!
//! | to hash | call |
//! |---|---|
//! | a message | [`sha256()`]; in parts [`Sha256`]; behind a prefix that is hashed once [`Sha256::from_midstate`] |
//! | many messages | [`sha256_many`]; in parts [`sha256_update_many`], [`sha256_finish_many`] |
//! | messages that come one by one | [`Sha256Queue`] |
//! | equal short messages, one after the other | [`sha256_fixed`], [`sha256_pairs`] (the nodes of a Merkle tree), [`sha256_32`] |
//! | a column as Arrow has it | [`sha256_rows`]; with nulls [`sha256_rows_valid`]; as text [`sha256_rows_hex`] |
//! | with a key | [`hmac_sha256`], [`hmac_sha256_many`], [`hmac_sha256_rows`]; in parts, and to check a code, [`HmacSha256`] |
//! | one long message, in lanes, by functions of their own | the module [`tree`] |
//! | signatures that rest on hashes alone: XMSS, XMSS^MT | the module [`hbs`] |
//!
//! To encrypt, one message or many: the module [`aes`].
//!
//! Arguments of shapes that do not fit together panic with a text that names the argument; the functions `try_…` return it
//! as a [`ShapeError`].
//!
//! Messages that arrive one by one, with a tag each:
//!
//! ```
//! use hashlanes::{Sha256Queue, sha256};
//!
//! let lines = ["one", "two", "three"];
//! let mut digests = Vec::new();
//! let mut queue = Sha256Queue::new();
//! for (number, line) in lines.iter().enumerate() {
//!     digests.extend(queue.submit(number, line.as_bytes())); // One that is ready, if any is.
//! }
//! digests.extend(std::iter::from_fn(|| queue.flush()));
//! digests.sort(); // They come in any order.
//! assert_eq!(digests[2], (2, sha256(b"three")));
//! ```
//!
//! A code that somebody sent is checked in constant time:
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
//! Keys ([`HmacKey`], [`aes::Key`], signing keys), HMACs, hashers and queues are overwritten when they are dropped. Copies remain
//! in two places:
//!
//! - A value that is *moved* leaves a copy at its old place. A function that takes `self`, such as `Sha256::finish`, moves it out
//!   of a `Box` or a struct; [`Hasher::finish_reset`] does not.
//! - Functions that hash in one call ([`sha256()`], [`sha256_many`], …) overwrite a message of one block that they padded, but not
//!   the padded ends of others, nor what kernels spilled to the stack. If messages are secret, call [`wipe_stack`] next, in
//!   the function that called them: it takes some 800 cycles. HMAC of many messages, ciphers and signatures do so themselves.
//!
//! # The kernels
//!
//! Which instructions are used is decided at run time, by the CPU and by how many messages there are; [`kernels`] lists,
//! explains and forces. Every kernel computes the same digests.
//!
//! # Features
//!
//! | feature | brings |
//! |---|---|
//! | `std` (on) | asks the CPU at run time; `std::io::Write` for hashers. Without it, what the program is compiled for is used |
//! | `alloc` (on with `std`) | ciphers, tree modes, signatures. Hashes, HMAC and [`hbs::verify_no_alloc`] need no allocator |
//! | `zeroize` (on) | hashers and queues are overwritten when dropped |
//! | `digest` | the traits of the crate `digest` for every hasher |
//! | `rayon` | tree modes, key generation and many verifications on threads |
//! | `store` | keys of XMSS that are kept in files and never use an index twice (Unix) |
//! | `hazmat` | keys of XMSS that sign, with their state in memory alone |
//! | `getrandom` | their seeds from the system's source of random numbers |
//! | `env-override` | `HASHLANES_SHA256_KERNEL=avx2-x8` and the like force a kernel, `HASHLANES_DISABLE=avx512f` masks CPU features |
//! | `papers` | kernels of the papers that no CPU is best off with: to be compared, and forced by name |
//! | `count-calls` | counts kernels' calls, for tests |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
#[doc(inline)]
pub use hashlanes_aes as aes;
#[doc(inline)]
pub use hashlanes_hbs as hbs;
pub use hashlanes_sha::*;
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use hashlanes_tree as tree;

/// The kernels: each hash's table, for programs that list, force or explain them. Ciphers have [theirs](aes::kernels).
pub mod kernels {
    pub use hashlanes_sha::kernels::*;

    /// Whether the environment's wishes can be fulfilled: `HASHLANES_DISABLE` names CPU features that are known,
    /// `HASHLANES_SHA256_KERNEL` and its siblings kernels that this CPU can run, those of ciphers among them.
    ///
    /// Without the cargo feature `env-override` they are not read.
    ///
    /// # Errors
    /// Names what is unknown and what there is, also a variable that is named like these, but for no hash and no cipher. Of
    /// what is read, hashing panics with the same text.
    pub fn check_env() -> Result<(), EnvError> {
        #[cfg(feature = "env-override")]
        {
            let ciphers = hashlanes_aes::kernels::all().map(|table| table.variable());
            EnvError::check_variables(&[&variables()[..], &ciphers].concat())?;
        }
        check_own_env()?;
        #[cfg(feature = "alloc")]
        hashlanes_aes::kernels::check_env()?;
        Ok(())
    }
}
