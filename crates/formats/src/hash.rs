//! The hashes the program knows, by name, and the step from a name to the type that computes it.

use std::borrow::Cow;

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
    /// MD5.
    Md5,
    /// SM3.
    Sm3,
    /// SHA3-224.
    Sha3_224,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
    /// BLAKE2b with digests of this number of bytes, 1 to 64.
    Blake2b(u8),
}

/// `with_algorithm!(hash, A => expression, else other)`: the expression with `A` the hash's type; `other` for
/// hashes that have no kernels of many messages.
#[macro_export]
macro_rules! with_algorithm {
    ($hash:expr, $A:ident => $body:expr, else $other:expr) => {{
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
            _ => $other,
        }
    }};
}
pub use crate::with_algorithm;

impl Hash {
    /// The hashes with kernels for many messages, in the order of results with several.
    pub const FAST: [Hash; 7] = [
        Hash::Sha1,
        Hash::Sha224,
        Hash::Sha256,
        Hash::Sha384,
        Hash::Sha512,
        Hash::Sha512_224,
        Hash::Sha512_256,
    ];

    /// All hashes, BLAKE2b only with its longest digests. The most likely one first: if two have digests of
    /// equal length, a list without a name means the first.
    pub const BY_USE: [Hash; 14] = [
        Hash::Sha256,
        Hash::Sha1,
        Hash::Sha512,
        Hash::Sha224,
        Hash::Sha384,
        Hash::Sha512_256,
        Hash::Sha512_224,
        Hash::Md5,
        Hash::Blake2b(64),
        Hash::Sha3_256,
        Hash::Sha3_512,
        Hash::Sha3_384,
        Hash::Sha3_224,
        Hash::Sm3,
    ];

    /// Returns the number of the hash, which orders results of several; less than 128.
    pub fn number(self) -> u8 {
        match self {
            Hash::Sha1 => 0,
            Hash::Sha224 => 1,
            Hash::Sha256 => 2,
            Hash::Sha384 => 3,
            Hash::Sha512 => 4,
            Hash::Sha512_224 => 5,
            Hash::Sha512_256 => 6,
            Hash::Md5 => 7,
            Hash::Sm3 => 8,
            Hash::Sha3_224 => 9,
            Hash::Sha3_256 => 10,
            Hash::Sha3_384 => 11,
            Hash::Sha3_512 => 12,
            Hash::Blake2b(n_bytes) => 12 + n_bytes,
        }
    }

    /// Returns the hash of a number.
    pub fn numbered(number: u8) -> Option<Hash> {
        let plain = Hash::BY_USE.into_iter().find(|hash| hash.number() == number);
        plain.or_else(|| (13..=76).contains(&number).then(|| Hash::Blake2b(number - 12)))
    }

    /// Returns the hash of this name, in lower or upper case.
    pub fn named(name: &str) -> Option<Hash> {
        Hash::BY_USE.into_iter().find(|hash| hash.name().eq_ignore_ascii_case(name))
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
        if let Some(bits) = typed.strip_prefix("blake2b").filter(|bits| !bits.is_empty()) {
            let n_bits = bits.parse::<u16>().ok().filter(|bits| bits.is_multiple_of(8))?;
            return (8..=512).contains(&n_bits).then_some(Hash::Blake2b((n_bits / 8) as u8));
        }
        Hash::BY_USE.into_iter().find(|hash| plain(&hash.name()) == typed)
    }

    /// Returns the name that the command line and the library use.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Hash::Sha1 => Sha1::NAME,
            Hash::Sha224 => Sha224::NAME,
            Hash::Sha256 => Sha256::NAME,
            Hash::Sha384 => Sha384::NAME,
            Hash::Sha512 => Sha512::NAME,
            Hash::Sha512_224 => Sha512_224::NAME,
            Hash::Sha512_256 => Sha512_256::NAME,
            Hash::Md5 => "md5",
            Hash::Sm3 => "sm3",
            Hash::Sha3_224 => "sha3-224",
            Hash::Sha3_256 => "sha3-256",
            Hash::Sha3_384 => "sha3-384",
            Hash::Sha3_512 => "sha3-512",
            Hash::Blake2b(64) => "blake2b",
            Hash::Blake2b(n_bytes) => return format!("blake2b-{}", 8 * u16::from(n_bytes)).into(),
        })
    }

    /// Returns the name in a BSD-style line, `SHA256 (file) = …`, and in messages. The truncated SHA-512
    /// forms have no GNU name; theirs is the standard's (FIPS 180-4 §5.3.6), as is SHA-3's (FIPS 202).
    pub fn tag(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Hash::Sha1 => "SHA1",
            Hash::Sha224 => "SHA224",
            Hash::Sha256 => "SHA256",
            Hash::Sha384 => "SHA384",
            Hash::Sha512 => "SHA512",
            Hash::Sha512_224 => "SHA512/224",
            Hash::Sha512_256 => "SHA512/256",
            Hash::Md5 => "MD5",
            Hash::Sm3 => "SM3",
            Hash::Sha3_224 => "SHA3-224",
            Hash::Sha3_256 => "SHA3-256",
            Hash::Sha3_384 => "SHA3-384",
            Hash::Sha3_512 => "SHA3-512",
            Hash::Blake2b(64) => "BLAKE2b",
            Hash::Blake2b(n_bytes) => return format!("BLAKE2b-{}", 8 * u16::from(n_bytes)).into(),
        })
    }

    /// Bytes of a digest.
    pub fn digest_bytes(self) -> usize {
        match self {
            Hash::Md5 => 16,
            Hash::Sha3_224 => 28,
            Hash::Sm3 | Hash::Sha3_256 => 32,
            Hash::Sha3_384 => 48,
            Hash::Sha3_512 => 64,
            Hash::Blake2b(n_bytes) => n_bytes.into(),
            fast => with_algorithm!(fast, A => <A as Algorithm>::DIGEST_BYTES, else 0),
        }
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
