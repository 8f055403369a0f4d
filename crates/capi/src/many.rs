//! Many messages, hashed together in the CPU's lanes.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::slice;

use arrayvec::ArrayVec;

use crate::border::{Result, apart, code, guarded, input, items, output, product};
use crate::error::hashlanes_error;
use crate::hashes::{Hash, hashlanes_hash};

/// The `struct iovec` of POSIX, from `sys/uio.h`.
#[repr(C)]
pub struct iovec {
    /// The first byte; may be null if the length is 0.
    pub iov_base: *mut c_void,
    /// Bytes.
    pub iov_len: usize,
}

/// Number of messages whose slices are on the stack at a time (16 KiB): so many that idle lanes at the end of
/// each call cost under 2 %.
const HELD: usize = 1024;

/// Checks `n` messages, then passes their slices and the places of their results to `hash`, some at a time.
///
/// # Safety
/// `message` returns pointers that are null or valid for reads of the length next to them.
pub(crate) unsafe fn each<I>(
    inputs: &[I],
    message: impl Fn(usize, &I) -> (*const c_void, usize),
    result_bytes: usize,
    results: *mut u8,
    hash: impl Fn(&[&[u8]], &mut [u8]),
) -> Result {
    let n_bytes = product(inputs.len(), result_bytes)?;
    apart((results, n_bytes), (inputs.as_ptr(), size_of_val(inputs)))?;
    // Without a branch for each message. Suspicious messages are checked again, because empty messages may
    // have any address.
    let mut is_suspect = false;
    for (i, input) in inputs.iter().enumerate() {
        let (data, len) = message(i, input);
        let (read, written) = (data.addr(), results.addr());
        is_suspect |= data.is_null() | (len > isize::MAX as usize);
        is_suspect |= (written.wrapping_sub(read) < len) | (read.wrapping_sub(written) < n_bytes);
    }
    if is_suspect {
        for (i, input) in inputs.iter().enumerate() {
            let (data, len) = message(i, input);
            // SAFETY: the caller guarantees it; the slice is not used here.
            unsafe { self::input(data, len)? };
            apart((results, n_bytes), (data, len))?;
        }
    }
    // SAFETY: the caller guarantees it; it overlaps no message.
    let results = unsafe { output(results, n_bytes)? };
    let chunks = inputs.chunks(HELD).zip(results.chunks_mut(HELD * result_bytes));
    for (chunk, (inputs, results)) in chunks.enumerate() {
        let slice = |(i, input): (usize, &I)| {
            let (data, len) = message(chunk * HELD + i, input);
            let data = if len == 0 { NonNull::dangling().as_ptr() } else { data.cast::<u8>().cast_mut() };
            // SAFETY: the caller guarantees it; each was checked: not null, short enough.
            unsafe { slice::from_raw_parts(data, len) }
        };
        let messages: ArrayVec<&[u8], HELD> = inputs.iter().enumerate().map(slice).collect();
        hash(&messages, results);
    }
    Ok(())
}

/// Hashes `n` messages of any lengths together: the fastest way to hash several.
///
/// Message i is `messages[i].iov_len` bytes at `messages[i].iov_base`, which may be NULL if the length is 0;
/// messages may overlap each other. Digest i is written at `digests` + i * hashlanes_digest_bytes(hash); the
/// digests overlap neither the messages nor the array. All arguments are checked before the first digest is
/// written, and nothing is allocated. One call runs on one core; calls on different threads do not wait for
/// each other. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_OVERLAP, HASHLANES_TOO_LONG,
/// HASHLANES_UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_many(
    hash: hashlanes_hash,
    messages: *const iovec,
    n: usize,
    digests: *mut u8,
) -> hashlanes_error {
    let many = || {
        let hash = Hash::of(hash)?;
        // SAFETY: the C contract guarantees it.
        unsafe { each(items(messages, n)?, vector, hash.digest_bytes, digests, hash.many) }
    };
    code(many())
}

pub(crate) fn vector(_: usize, vector: &iovec) -> (*const c_void, usize) {
    (vector.iov_base, vector.iov_len)
}

/// Does the same as hashlanes_many() for two arrays: message i is `lengths[i]` bytes at `data[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_many_arrays(
    hash: hashlanes_hash,
    data: *const *const c_void,
    lengths: *const usize,
    n: usize,
    digests: *mut u8,
) -> hashlanes_error {
    let many = || {
        let hash = Hash::of(hash)?;
        // SAFETY: the C contract guarantees it.
        let (data, lengths) = unsafe { (items(data, n)?, items(lengths, n)?) };
        apart((digests, product(n, hash.digest_bytes)?), (lengths.as_ptr(), size_of_val(lengths)))?;
        let message = |i: usize, data: &*const c_void| (*data, lengths[i]);
        // SAFETY: the C contract guarantees it.
        unsafe { each(data, message, hash.digest_bytes, digests, hash.many) }
    };
    code(many())
}

/// Hashes `n` messages of `message_bytes` bytes each that follow one another at `messages`: keys, records,
/// pages.
///
/// Digest i is written at `digests` + i * hashlanes_digest_bytes(hash). `messages` may be NULL if it has no
/// bytes. Errors: HASHLANES_NULL, HASHLANES_OVERLAP, HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_fixed(
    hash: hashlanes_hash,
    messages: *const c_void,
    message_bytes: usize,
    n: usize,
    digests: *mut u8,
) -> hashlanes_error {
    guarded(|| {
        let hash = Hash::of(hash)?;
        let (read, written) = (product(n, message_bytes)?, product(n, hash.digest_bytes)?);
        apart((digests, written), (messages, read))?;
        // SAFETY: the C contract guarantees it; they do not overlap.
        let (messages, digests) = unsafe { (input(messages, read)?, output(digests, written)?) };
        Ok((hash.fixed)(messages, message_bytes, digests)?)
    })
}
