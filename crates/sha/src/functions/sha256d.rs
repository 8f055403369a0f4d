//! Double SHA-256, by name: SHA-256 of the SHA-256 digest, as Bitcoin hashes headers, transactions and the
//! nodes of its trees.

use super::sha256::{sha256, sha256_32, try_sha256_fixed, try_sha256_many, try_sha256_pairs};
use crate::ShapeError;
use crate::error::expect;

/// Returns the double SHA-256 digest of `message`: SHA-256 of its SHA-256 digest.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha256, sha256d};
///
/// assert_eq!(sha256d(b"abc"), sha256(&sha256(b"abc")));
/// ```
#[inline]
pub fn sha256d(message: &[u8]) -> [u8; 32] {
    sha256(&sha256(message))
}

/// Computes the double SHA-256 digests of any number of messages of any lengths, such as transactions.
///
/// `digests[i]` is the digest of `messages[i]`. Both hashes go through the CPU's lanes.
///
/// # Panics
/// Panics unless there are as many digests as messages.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha256d, sha256d_many};
///
/// let mut digests = [[0; 32]; 2];
/// sha256d_many(&[b"abc", b"a longer message"], &mut digests);
/// assert_eq!(digests[0], sha256d(b"abc"));
/// ```
#[track_caller]
pub fn sha256d_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    expect(try_sha256d_many(messages, digests));
}

/// Like [`sha256d_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_sha256d_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    try_sha256_many(messages, digests)?;
    hash_again(digests);
    Ok(())
}

/// Computes the double SHA-256 digests of messages of one length that follow one another in memory, such as
/// block headers.
///
/// `messages` holds one message of `len_bytes` bytes for each digest.
///
/// # Panics
/// Panics if `messages` is not `len_bytes` times as long as `digests`.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha256d, sha256d_fixed};
///
/// let headers = [7; 10 * 80];
/// let mut digests = [[0; 32]; 10];
/// sha256d_fixed(&headers, 80, &mut digests);
/// assert_eq!(digests[9], sha256d(&[7; 80]));
/// ```
#[track_caller]
pub fn sha256d_fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; 32]]) {
    expect(try_sha256d_fixed(messages, len_bytes, digests));
}

/// Like [`sha256d_fixed`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::BufferLength`].
pub fn try_sha256d_fixed(
    messages: &[u8],
    len_bytes: usize,
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    try_sha256_fixed(messages, len_bytes, digests)?;
    hash_again(digests);
    Ok(())
}

/// Computes the double SHA-256 digests of 64-byte messages, such as two digests next to each other: the nodes
/// of Bitcoin's Merkle tree.
///
/// # Panics
/// Panics unless there are as many digests as nodes.
#[track_caller]
pub fn sha256d_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    expect(try_sha256d_pairs(nodes, digests));
}

/// Like [`sha256d_pairs`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as nodes.
pub fn try_sha256d_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    try_sha256_pairs(nodes, digests)?;
    hash_again(digests);
    Ok(())
}

/// Replaces each digest by its own digest.
fn hash_again(digests: &mut [[u8; 32]]) {
    /// Digests that are copied at a time: enough to fill the lanes.
    const SOME: usize = 256;
    for digests in digests.chunks_mut(SOME) {
        let mut first = [[0; 32]; SOME];
        let first = &mut first[..digests.len()];
        first.copy_from_slice(digests);
        sha256_32(first, digests);
    }
}
