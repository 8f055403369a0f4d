//! The hashes the program knows, by name, and the step from a name to the type that computes it.

use hashlanes::Algorithm;
#[doc(hidden)]
pub use hashlanes::algorithms;
use hashlanes::algorithms::{Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

/// A hash by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hash {
    /// SHA-1.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA-512/224.
    Sha512_224,
    /// SHA-512/256.
    Sha512_256,
}

/// `with_algorithm!(hash, A => expression)`: the expression with `A` the hash's type.
#[macro_export]
macro_rules! with_algorithm {
    ($hash:expr, $A:ident => $body:expr) => {{
        use $crate::hash::algorithms;
        match $hash {
            $crate::hash::Hash::Sha1 => {
                type $A = algorithms::Sha1;
                $body
            }
            $crate::hash::Hash::Sha224 => {
                type $A = algorithms::Sha224;
                $body
            }
            $crate::hash::Hash::Sha256 => {
                type $A = algorithms::Sha256;
                $body
            }
            $crate::hash::Hash::Sha384 => {
                type $A = algorithms::Sha384;
                $body
            }
            $crate::hash::Hash::Sha512 => {
                type $A = algorithms::Sha512;
                $body
            }
            $crate::hash::Hash::Sha512_224 => {
                type $A = algorithms::Sha512_224;
                $body
            }
            $crate::hash::Hash::Sha512_256 => {
                type $A = algorithms::Sha512_256;
                $body
            }
        }
    }};
}
pub use crate::with_algorithm;

impl Hash {
    /// All, in the order in which results of several stand.
    pub const ALL: [Hash; 7] = [
        Hash::Sha1,
        Hash::Sha224,
        Hash::Sha256,
        Hash::Sha384,
        Hash::Sha512,
        Hash::Sha512_224,
        Hash::Sha512_256,
    ];

    /// The most likely first: of two whose digests are equally long, a list that does not say means the
    /// first.
    pub const BY_USE: [Hash; 7] = [
        Hash::Sha256,
        Hash::Sha1,
        Hash::Sha512,
        Hash::Sha224,
        Hash::Sha384,
        Hash::Sha512_256,
        Hash::Sha512_224,
    ];

    /// Returns the hash of this name, in lower or upper case.
    pub fn named(name: &str) -> Option<Hash> {
        Hash::ALL.into_iter().find(|hash| hash.name().eq_ignore_ascii_case(name))
    }

    /// Returns the hash that a user means: as [`Hash::named`], with or without `-`, `_` and `/`, or as
    /// OpenSSL names it.
    ///
    /// ```
    /// use hashlanes_formats::hash::Hash;
    ///
    /// assert_eq!(Hash::typed("SHA-256"), Some(Hash::Sha256));
    /// assert_eq!(Hash::typed("sha512/256"), Some(Hash::Sha512_256));
    /// assert_eq!(Hash::typed("sha512_224"), Some(Hash::Sha512_224));
    /// assert_eq!(Hash::typed("SHA2-384"), Some(Hash::Sha384));
    /// ```
    pub fn typed(name: &str) -> Option<Hash> {
        let plain = |name: &str| name.replace(['-', '_', '/'], "").to_lowercase();
        let typed = plain(&name.to_lowercase().replace("sha2-", "sha"));
        Hash::ALL.into_iter().find(|hash| plain(hash.name()) == typed)
    }

    /// Returns the name that the command line and the library use.
    pub fn name(self) -> &'static str {
        match self {
            Hash::Sha1 => Sha1::NAME,
            Hash::Sha224 => Sha224::NAME,
            Hash::Sha256 => Sha256::NAME,
            Hash::Sha384 => Sha384::NAME,
            Hash::Sha512 => Sha512::NAME,
            Hash::Sha512_224 => Sha512_224::NAME,
            Hash::Sha512_256 => Sha512_256::NAME,
        }
    }

    /// Returns the name in a BSD-style line, `SHA256 (file) = …`, and in messages. The truncated SHA-512
    /// forms have no GNU name; theirs is the standard's (FIPS 180-4 §5.3.6).
    pub fn tag(self) -> &'static str {
        match self {
            Hash::Sha1 => "SHA1",
            Hash::Sha224 => "SHA224",
            Hash::Sha256 => "SHA256",
            Hash::Sha384 => "SHA384",
            Hash::Sha512 => "SHA512",
            Hash::Sha512_224 => "SHA512/224",
            Hash::Sha512_256 => "SHA512/256",
        }
    }

    /// Bytes of a digest.
    pub fn digest_bytes(self) -> usize {
        with_algorithm!(self, A => <A as Algorithm>::DIGEST_BYTES)
    }
}

/// Whether results are HMACs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keyed {
    /// Plain digests.
    No,
    /// HMACs.
    Yes,
}

impl Keyed {
    /// Returns the name of a hash, or of its HMAC.
    pub fn name(self, hash: Hash) -> String {
        match self {
            Keyed::No => hash.name().into(),
            Keyed::Yes => format!("hmac-{}", hash.name()),
        }
    }

    /// Returns the hash that has this name, in any spelling of [`Hash::typed`].
    pub fn typed(self, name: &str) -> Option<Hash> {
        match self {
            Keyed::No => Hash::typed(name),
            Keyed::Yes => {
                let (mark, hash) = name.split_at_checked(5)?;
                if mark.eq_ignore_ascii_case("hmac-") { Hash::typed(hash) } else { None }
            }
        }
    }

    /// Its tag in BSD-style lines.
    pub fn tag(self, hash: Hash) -> String {
        match self {
            Keyed::No => hash.tag().into(),
            Keyed::Yes => format!("HMAC-{}", hash.tag()),
        }
    }
}
