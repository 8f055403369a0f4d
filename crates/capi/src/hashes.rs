//! The hashes by number, and for each a table of functions over bytes.

use std::ffi::{CStr, c_char};
use std::ptr;

use hashlanes::*;

use crate::border::Result;
use crate::error::hashlanes_error::*;

/// A hash: one of the constants HASHLANES_SHA1, HASHLANES_SHA256, ...
pub type hashlanes_hash = u32;

/// SHA-1 (FIPS 180-4). Collisions are known: use it only for old formats.
pub const HASHLANES_SHA1: u32 = 1;
/// SHA-224 (FIPS 180-4).
pub const HASHLANES_SHA224: u32 = 2;
/// SHA-256 (FIPS 180-4).
pub const HASHLANES_SHA256: u32 = 3;
/// SHA-384 (FIPS 180-4).
pub const HASHLANES_SHA384: u32 = 4;
/// SHA-512 (FIPS 180-4).
pub const HASHLANES_SHA512: u32 = 5;
/// SHA-512/224 (FIPS 180-4).
pub const HASHLANES_SHA512_224: u32 = 6;
/// SHA-512/256 (FIPS 180-4).
pub const HASHLANES_SHA512_256: u32 = 7;
/// SHA3-224 (FIPS 202).
pub const HASHLANES_SHA3_224: u32 = 8;
/// SHA3-256 (FIPS 202).
pub const HASHLANES_SHA3_256: u32 = 9;
/// SHA3-384 (FIPS 202).
pub const HASHLANES_SHA3_384: u32 = 10;
/// SHA3-512 (FIPS 202).
pub const HASHLANES_SHA3_512: u32 = 11;
/// Keccak-256, Ethereum's hash. It is not SHA3-256, whose padding differs.
pub const HASHLANES_KECCAK256: u32 = 12;

/// Bytes of a SHA-1 digest.
pub const HASHLANES_SHA1_BYTES: usize = 20;
/// Bytes of a SHA-224 digest.
pub const HASHLANES_SHA224_BYTES: usize = 28;
/// Bytes of a SHA-256 digest.
pub const HASHLANES_SHA256_BYTES: usize = 32;
/// Bytes of a SHA-384 digest.
pub const HASHLANES_SHA384_BYTES: usize = 48;
/// Bytes of a SHA-512 digest.
pub const HASHLANES_SHA512_BYTES: usize = 64;
/// Bytes of a SHA-512/224 digest.
pub const HASHLANES_SHA512_224_BYTES: usize = 28;
/// Bytes of a SHA-512/256 digest.
pub const HASHLANES_SHA512_256_BYTES: usize = 32;
/// Bytes of a SHA3-224 digest.
pub const HASHLANES_SHA3_224_BYTES: usize = 28;
/// Bytes of a SHA3-256 digest.
pub const HASHLANES_SHA3_256_BYTES: usize = 32;
/// Bytes of a SHA3-384 digest.
pub const HASHLANES_SHA3_384_BYTES: usize = 48;
/// Bytes of a SHA3-512 digest.
pub const HASHLANES_SHA3_512_BYTES: usize = 64;
/// Bytes of a Keccak-256 digest.
pub const HASHLANES_KECCAK256_BYTES: usize = 32;
/// Length in bytes of the longest digest of all hashes.
pub const HASHLANES_MAX_DIGEST_BYTES: usize = 64;

/// The result of a function of several messages.
type Shape = std::result::Result<(), ShapeError>;

/// The functions of a hash. Digests and codes follow one another in one slice of exactly their total length.
pub(crate) struct Hash {
    pub(crate) name: &'static CStr,
    pub(crate) digest_bytes: usize,
    pub(crate) many: fn(&[&[u8]], &mut [u8]),
    pub(crate) fixed: fn(&[u8], usize, &mut [u8]) -> Shape,
    pub(crate) column: fn(&Column<'_>, &mut [u8]) -> Shape,
    pub(crate) keyed: Option<Keyed>,
}

/// The functions of HMAC, each with the key first.
pub(crate) struct Keyed {
    pub(crate) one: fn(&[u8], &[u8], &mut [u8]),
    pub(crate) many: fn(&[u8], &[&[u8]], &mut [u8]),
    pub(crate) column: fn(&[u8], &Column<'_>, &mut [u8]) -> Shape,
}

impl Hash {
    pub(crate) fn of(hash: hashlanes_hash) -> Result<&'static Self> {
        let index = usize::try_from(hash).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| HASHES.get(index)).ok_or(HASHLANES_UNSUPPORTED)
    }
}

macro_rules! hash {
    ($name:literal $bytes:ident $many:ident $fixed:ident $column:ident $($one:ident $mac_many:ident $mac_column:ident)?) => {
        Hash {
            name: $name,
            digest_bytes: $bytes,
            many: |messages, digests| $many(messages, digests.as_chunks_mut::<$bytes>().0),
            fixed: |messages, len, digests| $fixed(messages, len, digests.as_chunks_mut::<$bytes>().0),
            column: |column, digests| $column(column, digests.as_chunks_mut::<$bytes>().0),
            keyed: hash!(@ $bytes $($one $mac_many $mac_column)?),
        }
    };
    (@ $bytes:ident) => { None };
    (@ $bytes:ident $one:ident $many:ident $column:ident) => {
        Some(Keyed {
            one: |key, message, mac| mac.copy_from_slice(&$one(key, message)),
            many: |key, messages, macs| $many(key, messages, macs.as_chunks_mut::<$bytes>().0),
            column: |key, column, macs| $column(key, column, macs.as_chunks_mut::<$bytes>().0),
        })
    };
}

/// The hashes by number, from 1.
static HASHES: [Hash; 12] = [
    hash!(c"sha1" HASHLANES_SHA1_BYTES sha1_many try_sha1_fixed try_sha1_column
        hmac_sha1 hmac_sha1_many try_hmac_sha1_column),
    hash!(c"sha224" HASHLANES_SHA224_BYTES sha224_many try_sha224_fixed try_sha224_column
        hmac_sha224 hmac_sha224_many try_hmac_sha224_column),
    hash!(c"sha256" HASHLANES_SHA256_BYTES sha256_many try_sha256_fixed try_sha256_column
        hmac_sha256 hmac_sha256_many try_hmac_sha256_column),
    hash!(c"sha384" HASHLANES_SHA384_BYTES sha384_many try_sha384_fixed try_sha384_column
        hmac_sha384 hmac_sha384_many try_hmac_sha384_column),
    hash!(c"sha512" HASHLANES_SHA512_BYTES sha512_many try_sha512_fixed try_sha512_column
        hmac_sha512 hmac_sha512_many try_hmac_sha512_column),
    hash!(c"sha512-224" HASHLANES_SHA512_224_BYTES sha512_224_many try_sha512_224_fixed try_sha512_224_column
        hmac_sha512_224 hmac_sha512_224_many try_hmac_sha512_224_column),
    hash!(c"sha512-256" HASHLANES_SHA512_256_BYTES sha512_256_many try_sha512_256_fixed try_sha512_256_column
        hmac_sha512_256 hmac_sha512_256_many try_hmac_sha512_256_column),
    hash!(c"sha3-224" HASHLANES_SHA3_224_BYTES sha3_224_many try_sha3_224_fixed try_sha3_224_column),
    hash!(c"sha3-256" HASHLANES_SHA3_256_BYTES sha3_256_many try_sha3_256_fixed try_sha3_256_column),
    hash!(c"sha3-384" HASHLANES_SHA3_384_BYTES sha3_384_many try_sha3_384_fixed try_sha3_384_column),
    hash!(c"sha3-512" HASHLANES_SHA3_512_BYTES sha3_512_many try_sha3_512_fixed try_sha3_512_column),
    hash!(c"keccak256" HASHLANES_KECCAK256_BYTES keccak256_many try_keccak256_fixed try_keccak256_column),
];

/// Returns the length of a digest in bytes; 0 for an unknown hash.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_digest_bytes(hash: hashlanes_hash) -> usize {
    Hash::of(hash).map_or(0, |hash| hash.digest_bytes)
}

/// Returns the name of a hash, such as "sha256", "sha512-256" or "sha3-256"; NULL for an unknown hash. The
/// text is static.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_hash_name(hash: hashlanes_hash) -> *const c_char {
    Hash::of(hash).map_or(ptr::null(), |hash| hash.name.as_ptr())
}

/// Returns the hash with a name of hashlanes_hash_name(); 0 if no hash has it, or name is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hash_named(name: *const c_char) -> hashlanes_hash {
    if name.is_null() {
        return 0;
    }
    // SAFETY: not null; the C contract requires a string that ends with a zero.
    let name = unsafe { CStr::from_ptr(name) };
    let found = HASHES.iter().position(|hash| hash.name == name);
    found.map_or(0, |index| index as u32 + 1)
}
