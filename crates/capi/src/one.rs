//! One whole message, with a function for each hash.
//!
//! These functions use no table, no allocation and no unwinding. `digest` may overlap the message, which is
//! read first.

use std::ffi::c_void;

use crate::border::{apart, code, input};
use crate::error::hashlanes_error::{self, *};

/// Writes the digest of a message, computed by `digest`.
///
/// # Safety
/// `data` is null or valid for reads of `len` bytes, `digest` null or valid for writes of `N` bytes.
#[inline(always)]
unsafe fn one<const N: usize>(
    hash: impl FnOnce(&[u8]) -> [u8; N],
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the caller guarantees it.
    match unsafe { input(data, len) } {
        _ if digest.is_null() => HASHLANES_NULL,
        Err(error) => error,
        Ok(message) => {
            let result = hash(message);
            // SAFETY: the caller guarantees it; not null.
            unsafe { digest.cast::<[u8; N]>().write(result) };
            HASHLANES_OK
        }
    }
}

/// Writes the SHA-1 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA1_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha1(data: *const c_void, len: usize, digest: *mut u8) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha1, data, len, digest) }
}

/// Writes the SHA-224 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA224_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha224(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha224, data, len, digest) }
}

/// Writes the SHA-256 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA256_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha256(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha256, data, len, digest) }
}

/// Writes the SHA-384 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA384_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha384(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha384, data, len, digest) }
}

/// Writes the SHA-512 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA512_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha512(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha512, data, len, digest) }
}

/// Writes the SHA-512/224 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA512_224_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha512_224(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha512_224, data, len, digest) }
}

/// Writes the SHA-512/256 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA512_256_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha512_256(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha512_256, data, len, digest) }
}

/// Writes the SHA3-224 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA3_224_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha3_224(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha3_224, data, len, digest) }
}

/// Writes the SHA3-256 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA3_256_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha3_256(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha3_256, data, len, digest) }
}

/// Writes the SHA3-384 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA3_384_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha3_384(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha3_384, data, len, digest) }
}

/// Writes the SHA3-512 digest of `len` bytes at `data` to `digest`, HASHLANES_SHA3_512_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_sha3_512(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::sha3_512, data, len, digest) }
}

/// Writes the Keccak-256 digest of `len` bytes at `data` to `digest`, HASHLANES_KECCAK256_BYTES bytes.
///
/// `data` may be NULL if `len` is 0; `digest` may overlap the message.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_keccak256(
    data: *const c_void,
    len: usize,
    digest: *mut u8,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    unsafe { one(hashlanes::keccak256, data, len, digest) }
}

/// Writes `output_bytes` bytes of SHAKE128 (FIPS 202) of `len` bytes at `data` to `output`.
///
/// Either pointer may be NULL if its length is 0. Errors: HASHLANES_NULL, HASHLANES_TOO_LONG,
/// HASHLANES_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_shake128(
    data: *const c_void,
    len: usize,
    output: *mut u8,
    output_bytes: usize,
) -> hashlanes_error {
    let shake = || {
        apart((output, output_bytes), (data, len))?;
        // SAFETY: the C contract guarantees it; they do not overlap.
        let (message, output) = unsafe { (input(data, len)?, crate::border::output(output, output_bytes)?) };
        hashlanes::shake128(message, output);
        Ok(())
    };
    code(shake())
}

/// Writes `output_bytes` bytes of SHAKE256 (FIPS 202) of `len` bytes at `data` to `output`.
///
/// Either pointer may be NULL if its length is 0. Errors: HASHLANES_NULL, HASHLANES_TOO_LONG,
/// HASHLANES_OVERLAP.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_shake256(
    data: *const c_void,
    len: usize,
    output: *mut u8,
    output_bytes: usize,
) -> hashlanes_error {
    let shake = || {
        apart((output, output_bytes), (data, len))?;
        // SAFETY: the C contract guarantees it; they do not overlap.
        let (message, output) = unsafe { (input(data, len)?, crate::border::output(output, output_bytes)?) };
        hashlanes::shake256(message, output);
        Ok(())
    };
    code(shake())
}
