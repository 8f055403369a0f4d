//! parallel_hash: SHA-384 of eight slices and a tail, as in a post-quantum key exchange (BIKE, in s2n-tls).

use hashlanes_isa::Kernel;
use hashlanes_sha::algorithms::Sha384;
use hashlanes_sha::{Hasher, Midstate, sha512};

use crate::algorithm::{Forced, TreeAlgorithm};
use crate::error::TreeError;
use crate::last_hash::hasher_from;
use crate::prefix::Prefixes;
use crate::slices::SlicesHasher;

/// The number of slices of a message.
const SLICES: usize = 8;
/// The longest message that ends in one block of SHA-384: slices have this length and whole blocks.
const ONE_BLOCK: u64 = 111;
/// The shortest message: slices of [`ONE_BLOCK`].
const LEAST: u64 = SLICES as u64 * ONE_BLOCK;

/// Returns the parallel hash of the BIKE submission, as in s2n-tls: SHA-384 of the digests of eight slices
/// and of the bytes after them. It is not the ParallelHash of NIST SP 800-185.
///
/// With la the length in bytes: α = ((la div 8) − 111) div 128; slices have ls = 128·α + 111 bytes; the
/// result is SHA384(SHA384(slice 0) ‖ … ‖ SHA384(slice 7) ‖ `message[8·ls ..]`).
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// assert!(hashlanes::tree::parallel_hash(&[7; 888]).is_ok());
/// assert!(hashlanes::tree::parallel_hash(&[7; 887]).is_err());
/// ```
///
/// # Errors
/// [`TreeError::TooShort`] for less than 888 bytes.
pub fn parallel_hash(message: &[u8]) -> Result<[u8; 48], TreeError> {
    digest(None, message)
}

/// Like [`parallel_hash`], on this kernel only; results are the same.
///
/// # Errors
/// Like [`parallel_hash`].
pub fn parallel_hash_on(
    kernel: &'static Kernel<sha512::Compression>,
    message: &[u8],
) -> Result<[u8; 48], TreeError> {
    digest(Some(kernel), message)
}

/// Begins [`parallel_hash`] of a message of `n_bytes` bytes in parts, from its first byte to its last. Its
/// slices are hashed one after another.
///
/// # Errors
/// [`TreeError::TooShort`] for less than 888 bytes.
pub fn parallel_hash_with_length(n_bytes: u64) -> Result<SlicesHasher<Sha384>, TreeError> {
    Ok(SlicesHasher::new(None, Prefixes::none(SLICES), parallel_hash_slice_bytes(n_bytes)?, n_bytes))
}

fn digest(kernel: Forced<Sha384>, message: &[u8]) -> Result<[u8; 48], TreeError> {
    let slice_bytes = parallel_hash_slice_bytes(message.len() as u64)? as usize;
    let (sliced, tail) = message.split_at(SLICES * slice_bytes);
    let mut slices = [message; SLICES];
    for (place, slice) in slices.iter_mut().zip(sliced.chunks_exact(slice_bytes)) {
        *place = slice;
    }
    let start = initial::<Sha384>();
    let mut digests = [[0; 48]; SLICES];
    Hasher::digest_many_from(kernel, &[start; SLICES], &slices, &mut digests);
    let mut last = hasher_from(kernel, start);
    last.update(digests.as_flattened());
    last.update(tail);
    Ok(last.finish())
}

/// No prefix.
fn initial<A: TreeAlgorithm>() -> Midstate<A> {
    Midstate::new(A::H0, 0)
}

/// Returns ls, the length of each of the eight slices of a message of `len_bytes` bytes, for callers that
/// hash the slices themselves.
///
/// # Errors
/// [`TreeError::TooShort`] for less than 888 bytes.
pub fn parallel_hash_slice_bytes(len_bytes: u64) -> Result<u64, TreeError> {
    if len_bytes < LEAST {
        return Err(TreeError::TooShort { len_bytes, least: LEAST });
    }
    Ok((len_bytes / SLICES as u64 - ONE_BLOCK) / 128 * 128 + ONE_BLOCK)
}
