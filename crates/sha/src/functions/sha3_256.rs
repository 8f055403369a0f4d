//! The functions of SHA3-256, by name.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::expect;
use crate::{Column, Offset, ShapeError, SpongeHasher, algorithms};

/// An incremental SHA3-256: accepts a message in parts. See [`SpongeHasher`].
pub type Sha3_256 = SpongeHasher<algorithms::Sha3_256>;

/// Returns the SHA3-256 digest of `message`.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// let digest = hashlanes::sha3_256(b"abc");
/// assert_eq!(digest[..4], [0x3a, 0x98, 0x5d, 0xa7]);
/// ```
#[inline]
pub fn sha3_256(message: &[u8]) -> [u8; 32] {
    Sha3_256::digest(message)
}

/// Computes the SHA3-256 digests of any number of messages of any lengths.
///
/// `digests[i]` is the digest of `messages[i]`. The messages go through the CPU's lanes together. Nothing is
/// allocated, and only the end of each message is copied. [`sha3_256_all`] accepts strings and vectors, and
/// returns a vector.
///
/// # Panics
/// Panics unless there are as many digests as messages.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha3_256, sha3_256_many};
///
/// let messages: [&[u8]; 3] = [b"abc", b"", b"a longer message"];
/// let mut digests = [[0; 32]; 3];
/// sha3_256_many(&messages, &mut digests);
/// assert_eq!(digests[0], sha3_256(b"abc"));
/// ```
#[track_caller]
pub fn sha3_256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    Sha3_256::digest_many(messages, digests);
}

/// Like [`sha3_256_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_sha3_256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha3_256::try_digest_many(messages, digests)
}

/// Computes the SHA3-256 digests of anything that yields bytes: strings, vectors, arrays, lines of a file.
///
/// Digest i is that of message i. At most 1024 messages are in memory at a time.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha3_256, sha3_256_all};
///
/// let names = vec![String::from("one"), String::from("two")];
/// assert_eq!(sha3_256_all(&names), [sha3_256(b"one"), sha3_256(b"two")]);
/// ```
#[cfg(feature = "alloc")]
pub fn sha3_256_all<M: AsRef<[u8]>>(messages: impl IntoIterator<Item = M>) -> Vec<[u8; 32]> {
    super::all(messages, [0; 32], sha3_256_many)
}

/// Like [`sha3_256_many`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics unless there are as many digests as messages.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha3_256_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    expect(try_sha3_256_many_parallel(messages, digests));
}

/// Like [`sha3_256_many_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
#[cfg(feature = "rayon")]
pub fn try_sha3_256_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha3_256::try_digest_many_parallel(messages, digests)
}

/// Computes the SHA3-256 digests of messages of one length that follow one another in memory.
///
/// `messages` holds one message of `len_bytes` bytes for each digest: keys, headers, pages.
///
/// # Panics
/// Panics if `messages` is not `len_bytes` times as long as `digests`.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha3_256, sha3_256_fixed};
///
/// let keys = [7; 10 * 32];
/// let mut digests = [[0; 32]; 10];
/// sha3_256_fixed(&keys, 32, &mut digests);
/// assert_eq!(digests[9], sha3_256(&[7; 32]));
/// ```
#[track_caller]
pub fn sha3_256_fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; 32]]) {
    expect(try_sha3_256_fixed(messages, len_bytes, digests));
}

/// Like [`sha3_256_fixed`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::BufferLength`].
pub fn try_sha3_256_fixed(
    messages: &[u8],
    len_bytes: usize,
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    Sha3_256::try_digest_fixed(messages, len_bytes, digests)
}

/// Computes the SHA3-256 digests of 64-byte messages, such as two digests next to each other: the nodes of a
/// Merkle tree.
///
/// # Panics
/// Panics unless there are as many digests as nodes.
#[track_caller]
pub fn sha3_256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    expect(try_sha3_256_pairs(nodes, digests));
}

/// Like [`sha3_256_pairs`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as nodes.
pub fn try_sha3_256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    crate::error::same_count("nodes", nodes.len(), "digests", digests.len())?;
    try_sha3_256_fixed(nodes.as_flattened(), 64, digests)
}

/// Computes the SHA3-256 digests of a column: row i is `values[offsets[i]..offsets[i + 1]]`.
///
/// This is the layout of Arrow's variable-size binary and string arrays: n + 1 offsets, `i32` or `i64`, that
/// do not decrease. The first offset need not be 0.
///
/// # Panics
/// Panics if `offsets` is empty, if an offset decreases or exceeds the length of `values`, or unless there
/// are as many digests as rows.
#[track_caller]
pub fn sha3_256_rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [[u8; 32]]) {
    expect(try_sha3_256_rows(values, offsets, digests));
}

/// Like [`sha3_256_rows`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha3_256_rows<O: Offset>(
    values: &[u8],
    offsets: &[O],
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    try_sha3_256_column(&Column::binary(values, offsets), digests)
}

/// Computes the SHA3-256 digests of a column's rows: of any layout, with nulls, after a prefix. See
/// [`Column`].
///
/// Null rows are not hashed; their digests are zeros.
///
/// # Panics
/// Panics if the column's shape is wrong, or unless there are as many digests as rows.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Column, sha3_256, sha3_256_column};
///
/// let mut digests = [[0; 32]; 2];
/// sha3_256_column(&Column::fixed_size(b"abcxyz", 3).prefix(b"salt"), &mut digests);
/// assert_eq!(digests, [sha3_256(b"saltabc"), sha3_256(b"saltxyz")]);
/// ```
#[track_caller]
pub fn sha3_256_column(column: &Column<'_>, digests: &mut [[u8; 32]]) {
    expect(try_sha3_256_column(column, digests));
}

/// Like [`sha3_256_column`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha3_256_column(column: &Column<'_>, digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha3_256::try_digest_column(column, digests)
}

/// Like [`sha3_256_column`], with each digest in lower-case hexadecimal; that of a null row is the digits of
/// zeros.
///
/// # Panics
/// Panics as [`sha3_256_column`] does.
#[track_caller]
pub fn sha3_256_column_hex(column: &Column<'_>, hex: &mut [[u8; 64]]) {
    expect(try_sha3_256_column_hex(column, hex));
}

/// Like [`sha3_256_column_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha3_256_column_hex(column: &Column<'_>, hex: &mut [[u8; 64]]) -> Result<(), ShapeError> {
    Sha3_256::try_digest_column_hex(column, hex)
}

/// Like [`sha3_256_column`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics as [`sha3_256_column`] does.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha3_256_column_parallel(column: &Column<'_>, digests: &mut [[u8; 32]]) {
    expect(try_sha3_256_column_parallel(column, digests));
}

/// Like [`sha3_256_column_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
#[cfg(feature = "rayon")]
pub fn try_sha3_256_column_parallel(column: &Column<'_>, digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha3_256::try_digest_column_parallel(column, digests)
}
