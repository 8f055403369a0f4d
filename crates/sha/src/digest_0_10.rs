//! The crate `digest` 0.10, and hashes that replace those of the crates `sha1` and `sha2` 0.10 everywhere.
//!
//! The crates `hmac` 0.12, `hkdf` 0.12 and `pbkdf2` 0.12 accept only hashes that are a `CoreWrapper` of that
//! version, as [`Sha256`] here is. Everything else also accepts [`hashlanes::Sha256`](crate::Sha256), which
//! implements these traits, too, and does not copy its input.
//!
//! ```
//! # use hashlanes_sha as hashlanes;
//! use hashlanes::digest_0_10::{Digest, Sha256}; // was: use sha2::{Digest, Sha256};
//!
//! let mut hasher = Sha256::new();
//! hasher.update(b"abc");
//! assert_eq!(hasher.finalize()[..], hashlanes::sha256(b"abc"));
//! ```

pub use ::digest_0_10::*;

use crate::{Hasher, algorithms};

macro_rules! wrapped {
    ($($algorithm:ident $name:literal;)*) => {$(
        #[doc = concat!(" An incremental ", $name, " for crates of `digest` 0.10.")]
        pub type $algorithm = core_api::CoreWrapper<Hasher<algorithms::$algorithm>>;
    )*};
}
#[cfg(feature = "sha1")]
wrapped! {
    Sha1 "SHA-1";
}
#[cfg(feature = "sha2")]
wrapped! {
    Sha224 "SHA-224";
    Sha256 "SHA-256";
    Sha384 "SHA-384";
    Sha512 "SHA-512";
    Sha512_224 "SHA-512/224";
    Sha512_256 "SHA-512/256";
}
