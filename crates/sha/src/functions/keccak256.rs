//! The functions of Keccak-256, by name: Ethereum's hash, which pads otherwise than SHA3-256.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::expect;
use crate::{Column, Offset, ShapeError, SpongeHasher, algorithms};

/// An incremental Keccak-256: accepts a message in parts. See [`SpongeHasher`].
pub type Keccak256 = SpongeHasher<algorithms::Keccak256>;

/// Returns the Keccak-256 digest of `message`, as Ethereum computes it: not the same as SHA3-256.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// let digest = hashlanes::keccak256(b"abc");
/// assert_eq!(digest[..4], [0x4e, 0x03, 0x65, 0x7a]);
/// ```
#[inline]
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    Keccak256::digest(message)
}

/// Computes the Keccak-256 digests of any number of messages of any lengths.
///
/// `digests[i]` is the digest of `messages[i]`. The messages go through the CPU's lanes together. Nothing is
/// allocated, and only the end of each message is copied. [`keccak256_all`] accepts strings and vectors, and
/// returns a vector.
///
/// # Panics
/// Panics unless there are as many digests as messages.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{keccak256, keccak256_many};
///
/// let messages: [&[u8]; 3] = [b"abc", b"", b"a longer message"];
/// let mut digests = [[0; 32]; 3];
/// keccak256_many(&messages, &mut digests);
/// assert_eq!(digests[0], keccak256(b"abc"));
/// ```
#[track_caller]
pub fn keccak256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    Keccak256::digest_many(messages, digests);
}

/// Like [`keccak256_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_keccak256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Keccak256::try_digest_many(messages, digests)
}

/// Computes the Keccak-256 digests of anything that yields bytes: strings, vectors, arrays, lines of a file.
///
/// Digest i is that of message i. At most 1024 messages are in memory at a time.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{keccak256, keccak256_all};
///
/// let names = vec![String::from("one"), String::from("two")];
/// assert_eq!(keccak256_all(&names), [keccak256(b"one"), keccak256(b"two")]);
/// ```
#[cfg(feature = "alloc")]
pub fn keccak256_all<M: AsRef<[u8]>>(messages: impl IntoIterator<Item = M>) -> Vec<[u8; 32]> {
    super::all(messages, [0; 32], keccak256_many)
}

/// Like [`keccak256_many`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics unless there are as many digests as messages.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn keccak256_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    expect(try_keccak256_many_parallel(messages, digests));
}

/// Like [`keccak256_many_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
#[cfg(feature = "rayon")]
pub fn try_keccak256_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Keccak256::try_digest_many_parallel(messages, digests)
}

/// Computes the Keccak-256 digests of messages of one length that follow one another in memory.
///
/// `messages` holds one message of `len_bytes` bytes for each digest: keys, headers, pages.
///
/// # Panics
/// Panics if `messages` is not `len_bytes` times as long as `digests`.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{keccak256, keccak256_fixed};
///
/// let keys = [7; 10 * 32];
/// let mut digests = [[0; 32]; 10];
/// keccak256_fixed(&keys, 32, &mut digests);
/// assert_eq!(digests[9], keccak256(&[7; 32]));
/// ```
#[track_caller]
pub fn keccak256_fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; 32]]) {
    expect(try_keccak256_fixed(messages, len_bytes, digests));
}

/// Like [`keccak256_fixed`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::BufferLength`].
pub fn try_keccak256_fixed(
    messages: &[u8],
    len_bytes: usize,
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    Keccak256::try_digest_fixed(messages, len_bytes, digests)
}

/// Computes the Keccak-256 digests of 64-byte messages, such as two digests next to each other: the nodes of
/// a Merkle tree.
///
/// # Panics
/// Panics unless there are as many digests as nodes.
#[track_caller]
pub fn keccak256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    expect(try_keccak256_pairs(nodes, digests));
}

/// Like [`keccak256_pairs`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as nodes.
pub fn try_keccak256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    crate::error::same_count("nodes", nodes.len(), "digests", digests.len())?;
    try_keccak256_fixed(nodes.as_flattened(), 64, digests)
}

/// Computes the Keccak-256 digests of a column: row i is `values[offsets[i]..offsets[i + 1]]`.
///
/// This is the layout of Arrow's variable-size binary and string arrays: n + 1 offsets, `i32` or `i64`, that
/// do not decrease. The first offset need not be 0.
///
/// # Panics
/// Panics if `offsets` is empty, if an offset decreases or exceeds the length of `values`, or unless there
/// are as many digests as rows.
#[track_caller]
pub fn keccak256_rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [[u8; 32]]) {
    expect(try_keccak256_rows(values, offsets, digests));
}

/// Like [`keccak256_rows`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_keccak256_rows<O: Offset>(
    values: &[u8],
    offsets: &[O],
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    try_keccak256_column(&Column::binary(values, offsets), digests)
}

/// Computes the Keccak-256 digests of a column's rows: of any layout, with nulls, after a prefix. See
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
/// use hashlanes::{Column, keccak256, keccak256_column};
///
/// let mut digests = [[0; 32]; 2];
/// keccak256_column(&Column::fixed_size(b"abcxyz", 3).prefix(b"salt"), &mut digests);
/// assert_eq!(digests, [keccak256(b"saltabc"), keccak256(b"saltxyz")]);
/// ```
#[track_caller]
pub fn keccak256_column(column: &Column<'_>, digests: &mut [[u8; 32]]) {
    expect(try_keccak256_column(column, digests));
}

/// Like [`keccak256_column`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_keccak256_column(column: &Column<'_>, digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Keccak256::try_digest_column(column, digests)
}

/// Like [`keccak256_column`], with each digest in lower-case hexadecimal; that of a null row is the digits of
/// zeros.
///
/// # Panics
/// Panics as [`keccak256_column`] does.
#[track_caller]
pub fn keccak256_column_hex(column: &Column<'_>, hex: &mut [[u8; 64]]) {
    expect(try_keccak256_column_hex(column, hex));
}

/// Like [`keccak256_column_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_keccak256_column_hex(column: &Column<'_>, hex: &mut [[u8; 64]]) -> Result<(), ShapeError> {
    Keccak256::try_digest_column_hex(column, hex)
}

/// Like [`keccak256_column`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics as [`keccak256_column`] does.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn keccak256_column_parallel(column: &Column<'_>, digests: &mut [[u8; 32]]) {
    expect(try_keccak256_column_parallel(column, digests));
}

/// Like [`keccak256_column_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
#[cfg(feature = "rayon")]
pub fn try_keccak256_column_parallel(
    column: &Column<'_>,
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    Keccak256::try_digest_column_parallel(column, digests)
}
