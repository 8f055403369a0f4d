//! The functions of SHA3-224, by name.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::expect;
use crate::{Column, Offset, ShapeError, SpongeHasher, algorithms};

/// An incremental SHA3-224: accepts a message in parts. See [`SpongeHasher`].
pub type Sha3_224 = SpongeHasher<algorithms::Sha3_224>;

/// Returns the SHA3-224 digest of `message`.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// let digest = hashlanes::sha3_224(b"abc");
/// assert_eq!(digest[..4], [0xe6, 0x42, 0x82, 0x4c]);
/// ```
#[inline]
pub fn sha3_224(message: &[u8]) -> [u8; 28] {
    Sha3_224::digest(message)
}

/// Computes the SHA3-224 digests of any number of messages of any lengths.
///
/// `digests[i]` is the digest of `messages[i]`. The messages go through the CPU's lanes together. Nothing is
/// allocated, and only the end of each message is copied. [`sha3_224_all`] accepts strings and vectors, and
/// returns a vector.
///
/// # Panics
/// Panics unless there are as many digests as messages.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha3_224, sha3_224_many};
///
/// let messages: [&[u8]; 3] = [b"abc", b"", b"a longer message"];
/// let mut digests = [[0; 28]; 3];
/// sha3_224_many(&messages, &mut digests);
/// assert_eq!(digests[0], sha3_224(b"abc"));
/// ```
#[track_caller]
pub fn sha3_224_many(messages: &[&[u8]], digests: &mut [[u8; 28]]) {
    Sha3_224::digest_many(messages, digests);
}

/// Like [`sha3_224_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_sha3_224_many(messages: &[&[u8]], digests: &mut [[u8; 28]]) -> Result<(), ShapeError> {
    Sha3_224::try_digest_many(messages, digests)
}

/// Computes the SHA3-224 digests of anything that yields bytes: strings, vectors, arrays, lines of a file.
///
/// Digest i is that of message i. At most 1024 messages are in memory at a time.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha3_224, sha3_224_all};
///
/// let names = vec![String::from("one"), String::from("two")];
/// assert_eq!(sha3_224_all(&names), [sha3_224(b"one"), sha3_224(b"two")]);
/// ```
#[cfg(feature = "alloc")]
pub fn sha3_224_all<M: AsRef<[u8]>>(messages: impl IntoIterator<Item = M>) -> Vec<[u8; 28]> {
    super::all(messages, [0; 28], sha3_224_many)
}

/// Like [`sha3_224_many`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics unless there are as many digests as messages.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha3_224_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 28]]) {
    expect(try_sha3_224_many_parallel(messages, digests));
}

/// Like [`sha3_224_many_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
#[cfg(feature = "rayon")]
pub fn try_sha3_224_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 28]]) -> Result<(), ShapeError> {
    Sha3_224::try_digest_many_parallel(messages, digests)
}

/// Computes the SHA3-224 digests of messages of one length that follow one another in memory.
///
/// `messages` holds one message of `len_bytes` bytes for each digest: keys, headers, pages.
///
/// # Panics
/// Panics if `messages` is not `len_bytes` times as long as `digests`.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha3_224, sha3_224_fixed};
///
/// let keys = [7; 10 * 32];
/// let mut digests = [[0; 28]; 10];
/// sha3_224_fixed(&keys, 32, &mut digests);
/// assert_eq!(digests[9], sha3_224(&[7; 32]));
/// ```
#[track_caller]
pub fn sha3_224_fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; 28]]) {
    expect(try_sha3_224_fixed(messages, len_bytes, digests));
}

/// Like [`sha3_224_fixed`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::BufferLength`].
pub fn try_sha3_224_fixed(
    messages: &[u8],
    len_bytes: usize,
    digests: &mut [[u8; 28]],
) -> Result<(), ShapeError> {
    Sha3_224::try_digest_fixed(messages, len_bytes, digests)
}

/// Computes the SHA3-224 digests of a column: row i is `values[offsets[i]..offsets[i + 1]]`.
///
/// This is the layout of Arrow's variable-size binary and string arrays: n + 1 offsets, `i32` or `i64`, that
/// do not decrease. The first offset need not be 0.
///
/// # Panics
/// Panics if `offsets` is empty, if an offset decreases or exceeds the length of `values`, or unless there
/// are as many digests as rows.
#[track_caller]
pub fn sha3_224_rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [[u8; 28]]) {
    expect(try_sha3_224_rows(values, offsets, digests));
}

/// Like [`sha3_224_rows`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha3_224_rows<O: Offset>(
    values: &[u8],
    offsets: &[O],
    digests: &mut [[u8; 28]],
) -> Result<(), ShapeError> {
    try_sha3_224_column(&Column::binary(values, offsets), digests)
}

/// Computes the SHA3-224 digests of a column's rows: of any layout, with nulls, after a prefix. See
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
/// use hashlanes::{Column, sha3_224, sha3_224_column};
///
/// let mut digests = [[0; 28]; 2];
/// sha3_224_column(&Column::fixed_size(b"abcxyz", 3).prefix(b"salt"), &mut digests);
/// assert_eq!(digests, [sha3_224(b"saltabc"), sha3_224(b"saltxyz")]);
/// ```
#[track_caller]
pub fn sha3_224_column(column: &Column<'_>, digests: &mut [[u8; 28]]) {
    expect(try_sha3_224_column(column, digests));
}

/// Like [`sha3_224_column`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha3_224_column(column: &Column<'_>, digests: &mut [[u8; 28]]) -> Result<(), ShapeError> {
    Sha3_224::try_digest_column(column, digests)
}

/// Like [`sha3_224_column`], with each digest in lower-case hexadecimal; that of a null row is the digits of
/// zeros.
///
/// # Panics
/// Panics as [`sha3_224_column`] does.
#[track_caller]
pub fn sha3_224_column_hex(column: &Column<'_>, hex: &mut [[u8; 56]]) {
    expect(try_sha3_224_column_hex(column, hex));
}

/// Like [`sha3_224_column_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha3_224_column_hex(column: &Column<'_>, hex: &mut [[u8; 56]]) -> Result<(), ShapeError> {
    Sha3_224::try_digest_column_hex(column, hex)
}

/// Like [`sha3_224_column`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics as [`sha3_224_column`] does.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha3_224_column_parallel(column: &Column<'_>, digests: &mut [[u8; 28]]) {
    expect(try_sha3_224_column_parallel(column, digests));
}

/// Like [`sha3_224_column_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
#[cfg(feature = "rayon")]
pub fn try_sha3_224_column_parallel(column: &Column<'_>, digests: &mut [[u8; 28]]) -> Result<(), ShapeError> {
    Sha3_224::try_digest_column_parallel(column, digests)
}
