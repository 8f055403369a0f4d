//! HMAC (RFC 2104, FIPS 198-1): one message, a message in parts, many messages, columns.

use std::ffi::c_void;

use hashlanes::*;

use crate::border::{Result, apart, check, guarded, handle, input, items, product};
use crate::error::hashlanes_error::{self, *};
use crate::hashes::*;
use crate::many::{each, iovec, vector};
use crate::rows::Source;

/// The HMAC of a message that arrives in parts. Only one thread at a time may use it.
pub struct hashlanes_hmac(AnyHmac);

/// The functions of HMAC with this hash.
fn keyed(hash: hashlanes_hash) -> Result<(&'static Keyed, usize)> {
    let hash = Hash::of(hash)?;
    Ok((hash.keyed.as_ref().ok_or(HASHLANES_UNSUPPORTED)?, hash.digest_bytes))
}

/// Writes the HMAC of `len` bytes at `data` to `mac`, hashlanes_digest_bytes(hash) bytes.
///
/// A key may have any length; `key` and `data` may be NULL if their length is 0. `mac` may overlap both.
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED: HMAC is offered with SHA-1 and SHA-2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_one(
    hash: hashlanes_hash,
    key: *const c_void,
    key_bytes: usize,
    data: *const c_void,
    len: usize,
    mac: *mut u8,
) -> hashlanes_error {
    guarded(|| {
        let (keyed, mac_bytes) = keyed(hash)?;
        check(mac, mac_bytes)?;
        let mut result = [0; HASHLANES_MAX_DIGEST_BYTES];
        // SAFETY: the C contract guarantees it; the slices end here, so that `mac` may overlap them.
        unsafe { (keyed.one)(input(key, key_bytes)?, input(data, len)?, &mut result[..mac_bytes]) };
        // SAFETY: the C contract guarantees it; not null.
        unsafe { std::ptr::copy_nonoverlapping(result.as_ptr(), mac, mac_bytes) };
        Ok(())
    })
}

/// Checks the HMAC of `len` bytes at `data` against the `mac_bytes` bytes at `mac`, in a time that does not
/// depend on where they differ: HASHLANES_OK if they are equal, HASHLANES_FORGED if not, or if `mac_bytes` is
/// not hashlanes_digest_bytes(hash).
///
/// Other errors: HASHLANES_NULL, HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_check(
    hash: hashlanes_hash,
    key: *const c_void,
    key_bytes: usize,
    data: *const c_void,
    len: usize,
    mac: *const u8,
    mac_bytes: usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (key, data, mac) = unsafe { (input(key, key_bytes)?, input(data, len)?, items(mac, mac_bytes)?) };
        let mut hmac = AnyHmac::new(hash, key)?;
        hmac.update(data);
        if hmac.verify(mac) { Ok(()) } else { Err(HASHLANES_FORGED) }
    })
}

/// Writes the HMACs of `n` messages with one key, like hashlanes_many(), with codes instead of digests.
///
/// `key` may be NULL if `key_bytes` is 0. Errors: those of hashlanes_many() and hashlanes_hmac_one().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_many(
    hash: hashlanes_hash,
    key: *const c_void,
    key_bytes: usize,
    messages: *const iovec,
    n: usize,
    macs: *mut u8,
) -> hashlanes_error {
    guarded(|| {
        let (keyed, mac_bytes) = keyed(hash)?;
        // SAFETY: the C contract guarantees it.
        let (key, messages) = unsafe { (input(key, key_bytes)?, items(messages, n)?) };
        apart((macs, product(n, mac_bytes)?), (key.as_ptr(), key.len()))?;
        let many = |messages: &[&[u8]], macs: &mut [u8]| (keyed.many)(key, messages, macs);
        // SAFETY: the C contract guarantees it.
        unsafe { each(messages, vector, mac_bytes, macs, many) }
    })
}

/// Writes the HMACs of a column with one key, like hashlanes_rows32(), with codes instead of digests. Codes
/// of null rows are zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_rows32(
    hash: hashlanes_hash,
    key: *const c_void,
    key_bytes: usize,
    values: *const c_void,
    values_bytes: usize,
    offsets: *const i32,
    rows: usize,
    validity: *const u8,
    first_bit: usize,
    macs: *mut u8,
) -> hashlanes_error {
    let source = Source { values, values_bytes, offsets, rows, validity, first_bit };
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { of_rows(hash, (key, key_bytes), &source, macs) })
}

/// Does the same as hashlanes_hmac_rows32() with 64-bit offsets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_rows64(
    hash: hashlanes_hash,
    key: *const c_void,
    key_bytes: usize,
    values: *const c_void,
    values_bytes: usize,
    offsets: *const i64,
    rows: usize,
    validity: *const u8,
    first_bit: usize,
    macs: *mut u8,
) -> hashlanes_error {
    let source = Source { values, values_bytes, offsets, rows, validity, first_bit };
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { of_rows(hash, (key, key_bytes), &source, macs) })
}

/// # Safety
/// The caller must keep the C contract.
unsafe fn of_rows<O: Offset>(
    hash: hashlanes_hash,
    (key, key_bytes): (*const c_void, usize),
    source: &Source<O>,
    macs: *mut u8,
) -> Result {
    let (keyed, mac_bytes) = keyed(hash)?;
    // SAFETY: the caller guarantees it.
    let key = unsafe { input(key, key_bytes)? };
    apart((macs, product(source.rows, mac_bytes)?), (key.as_ptr(), key.len()))?;
    // SAFETY: the caller guarantees it.
    unsafe { source.results(mac_bytes, macs, |column, macs| (keyed.column)(key, column, macs)) }
}

macro_rules! hmacs {
    ($($number:ident $variant:ident;)*) => {
        /// An HMAC with any supported hash. Boxed, so that moves leave no copy of the key.
        enum AnyHmac {
            $($variant(Box<Hmac<algorithms::$variant>>),)*
        }

        impl AnyHmac {
            fn new(hash: hashlanes_hash, key: &[u8]) -> Result<Self> {
                match hash {
                    $($number => Ok(Self::$variant(Box::new(Hmac::new(key)))),)*
                    _ => Err(HASHLANES_UNSUPPORTED),
                }
            }

            fn update(&mut self, part: &[u8]) {
                match self {
                    $(Self::$variant(hmac) => hmac.update(part),)*
                }
            }

            /// Writes the code, and starts a new message with the same key.
            ///
            /// # Safety
            /// `mac` is valid for writes of a digest's bytes.
            unsafe fn finish(&mut self, mac: *mut u8) {
                match self {
                    $(Self::$variant(hmac) => {
                        let result = hmac.finish_reset();
                        // SAFETY: the caller guarantees it.
                        unsafe { std::ptr::copy_nonoverlapping(result.as_ptr(), mac, result.len()) }
                    })*
                }
            }

            fn verify(self, mac: &[u8]) -> bool {
                match self {
                    $(Self::$variant(hmac) => hmac.verify(mac),)*
                }
            }
        }
    };
}
hmacs! {
    HASHLANES_SHA1 Sha1;
    HASHLANES_SHA224 Sha224;
    HASHLANES_SHA256 Sha256;
    HASHLANES_SHA384 Sha384;
    HASHLANES_SHA512 Sha512;
    HASHLANES_SHA512_224 Sha512_224;
    HASHLANES_SHA512_256 Sha512_256;
}

/// Begins a message with a key, which is copied, and writes its handle to `hmac`; hashlanes_hmac_free() frees
/// it.
///
/// Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_new(
    hash: hashlanes_hash,
    key: *const c_void,
    key_bytes: usize,
    hmac: *mut *mut hashlanes_hmac,
) -> hashlanes_error {
    guarded(|| {
        check(hmac, 1)?;
        // SAFETY: the C contract guarantees it.
        let key = unsafe { input(key, key_bytes)? };
        let new = Box::new(hashlanes_hmac(AnyHmac::new(hash, key)?));
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { hmac.write(Box::into_raw(new)) };
        Ok(())
    })
}

/// Absorbs the next `len` bytes of the message. Errors: HASHLANES_NULL, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_update(
    hmac: *mut hashlanes_hmac,
    data: *const c_void,
    len: usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (hmac, part) = unsafe { (handle(hmac)?, input(data, len)?) };
        hmac.0.update(part);
        Ok(())
    })
}

/// Writes the HMAC of the message to `mac`, hashlanes_digest_bytes() bytes. The handle then begins a new
/// message with the same key. To check a code, compare in constant time, or call hashlanes_hmac_check().
/// Errors: HASHLANES_NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_finish(hmac: *mut hashlanes_hmac, mac: *mut u8) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let hmac = unsafe { handle(hmac)? };
        check(mac, 1)?;
        // SAFETY: the C contract guarantees it; not null.
        unsafe { hmac.0.finish(mac) };
        Ok(())
    })
}

/// Overwrites the key and frees the handle; NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hmac_free(hmac: *mut hashlanes_hmac) {
    if !hmac.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(hmac) });
    }
}
