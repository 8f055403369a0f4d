//! The functions of SHA-384, by name.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::expect;
use crate::{Column, Hasher, Hmac, HmacKey, Offset, Queue, ShapeError, algorithms};

/// An incremental SHA-384: accepts a message in parts. See [`Hasher`].
pub type Sha384 = Hasher<algorithms::Sha384>;
/// SHA-384 of messages that arrive one by one. See [`Queue`].
pub type Sha384Queue<M> = Queue<algorithms::Sha384, M>;
/// An incremental HMAC-SHA-384. See [`Hmac`].
pub type HmacSha384 = Hmac<algorithms::Sha384>;
/// The key schedule of HMAC-SHA-384. See [`HmacKey`].
pub type HmacSha384Key = HmacKey<algorithms::Sha384>;

/// Returns the SHA-384 digest of `message`.
pub fn sha384(message: &[u8]) -> [u8; 48] {
    Sha384::digest(message)
}

/// Computes the SHA-384 digests of any number of messages of any lengths.
///
/// `digests[i]` is the digest of `messages[i]`. The messages go through the CPU's lanes together, so that
/// short and long ones keep all lanes busy. Nothing is allocated, and only the end of each message is copied.
/// [`sha384_all`] accepts strings and vectors, and returns a vector.
///
/// # Panics
/// Panics unless there are as many digests as messages.
#[track_caller]
pub fn sha384_many(messages: &[&[u8]], digests: &mut [[u8; 48]]) {
    Sha384::digest_many(messages, digests);
}

/// Like [`sha384_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_sha384_many(messages: &[&[u8]], digests: &mut [[u8; 48]]) -> Result<(), ShapeError> {
    Sha384::try_digest_many(messages, digests)
}

/// Computes the SHA-384 digests of anything that yields bytes: strings, vectors, arrays, lines of a file.
///
/// Digest i is that of message i. At most 1024 messages are in memory at a time.
#[cfg(feature = "alloc")]
pub fn sha384_all<M: AsRef<[u8]>>(messages: impl IntoIterator<Item = M>) -> Vec<[u8; 48]> {
    super::all(messages, [0; 48], sha384_many)
}

/// Like [`sha384_many`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics unless there are as many digests as messages.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha384_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 48]]) {
    expect(try_sha384_many_parallel(messages, digests));
}

/// Like [`sha384_many_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
#[cfg(feature = "rayon")]
pub fn try_sha384_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 48]]) -> Result<(), ShapeError> {
    Sha384::try_digest_many_parallel(messages, digests)
}

/// Updates each hasher with its part; all advance together, in lanes.
///
/// Accepts any number of hashers and parts of any lengths.
pub fn sha384_update_many(parts: &mut [(&mut Sha384, &[u8])]) {
    Sha384::update_many(parts);
}

/// Finishes many hashers together, in lanes.
///
/// `digests[i]` is the SHA-384 digest of the input of `hashers[i]`, which then starts anew.
///
/// # Panics
/// Panics unless there are as many digests as hashers.
#[track_caller]
pub fn sha384_finish_many(hashers: &mut [Sha384], digests: &mut [[u8; 48]]) {
    Sha384::finish_many(hashers, digests);
}

/// Like [`sha384_finish_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as hashers.
pub fn try_sha384_finish_many(hashers: &mut [Sha384], digests: &mut [[u8; 48]]) -> Result<(), ShapeError> {
    Sha384::try_finish_many(hashers, digests)
}

/// Computes the SHA-384 digests of messages of one length that follow one another in memory.
///
/// `messages` holds one message of `len_bytes` bytes for each digest: keys, headers, pages. Messages of a
/// block at most are the fastest: their padding is the same, so it is prepared once.
///
/// # Panics
/// Panics if `messages` is not `len_bytes` times as long as `digests`.
#[track_caller]
pub fn sha384_fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; 48]]) {
    Sha384::digest_fixed(messages, len_bytes, digests);
}

/// Like [`sha384_fixed`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::BufferLength`].
pub fn try_sha384_fixed(
    messages: &[u8],
    len_bytes: usize,
    digests: &mut [[u8; 48]],
) -> Result<(), ShapeError> {
    Sha384::try_digest_fixed(messages, len_bytes, digests)
}

/// Computes the SHA-384 digests of a column: row i is `values[offsets[i]..offsets[i + 1]]`.
///
/// This is the layout of Arrow's variable-size binary and string arrays: n + 1 offsets, `i32` or `i64`, that
/// do not decrease. The first offset need not be 0.
///
/// # Panics
/// Panics if `offsets` is empty, if an offset decreases or exceeds the length of `values`, or unless there
/// are as many digests as rows.
#[track_caller]
pub fn sha384_rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [[u8; 48]]) {
    expect(try_sha384_rows(values, offsets, digests));
}

/// Like [`sha384_rows`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha384_rows<O: Offset>(
    values: &[u8],
    offsets: &[O],
    digests: &mut [[u8; 48]],
) -> Result<(), ShapeError> {
    try_sha384_column(&Column::binary(values, offsets), digests)
}

/// Like [`sha384_rows`], with nulls.
///
/// Bit i mod 8 of `validity[i / 8]`, lowest first, is 1 if row i is not null. Null rows are not hashed; their
/// digests are zeros.
///
/// # Panics
/// Panics as [`sha384_rows`] does, and if `validity` has fewer bits than there are rows.
#[track_caller]
pub fn sha384_rows_valid<O: Offset>(
    values: &[u8],
    offsets: &[O],
    validity: Option<&[u8]>,
    digests: &mut [[u8; 48]],
) {
    expect(try_sha384_rows_valid(values, offsets, validity, digests));
}

/// Like [`sha384_rows_valid`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha384_rows_valid<O: Offset>(
    values: &[u8],
    offsets: &[O],
    validity: Option<&[u8]>,
    digests: &mut [[u8; 48]],
) -> Result<(), ShapeError> {
    try_sha384_column(&Column::binary(values, offsets).maybe_validity(validity), digests)
}

/// Like [`sha384_rows`], with each digest in lower-case hexadecimal.
///
/// # Panics
/// Panics as [`sha384_rows`] does.
#[track_caller]
pub fn sha384_rows_hex<O: Offset>(values: &[u8], offsets: &[O], hex: &mut [[u8; 96]]) {
    expect(try_sha384_rows_hex(values, offsets, hex));
}

/// Like [`sha384_rows_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha384_rows_hex<O: Offset>(
    values: &[u8],
    offsets: &[O],
    hex: &mut [[u8; 96]],
) -> Result<(), ShapeError> {
    try_sha384_column_hex(&Column::binary(values, offsets), hex)
}

/// Computes the SHA-384 digests of a column's rows: of any layout, with nulls, after a prefix. See
/// [`Column`].
///
/// Null rows are not hashed; their digests are zeros.
///
/// # Panics
/// Panics if the column's shape is wrong, or unless there are as many digests as rows.
#[track_caller]
pub fn sha384_column(column: &Column<'_>, digests: &mut [[u8; 48]]) {
    expect(try_sha384_column(column, digests));
}

/// Like [`sha384_column`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha384_column(column: &Column<'_>, digests: &mut [[u8; 48]]) -> Result<(), ShapeError> {
    Sha384::try_digest_column(column, digests)
}

/// Like [`sha384_column`], with each digest in lower-case hexadecimal; that of a null row is the digits of
/// zeros.
///
/// # Panics
/// Panics as [`sha384_column`] does.
#[track_caller]
pub fn sha384_column_hex(column: &Column<'_>, hex: &mut [[u8; 96]]) {
    expect(try_sha384_column_hex(column, hex));
}

/// Like [`sha384_column_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha384_column_hex(column: &Column<'_>, hex: &mut [[u8; 96]]) -> Result<(), ShapeError> {
    Sha384::try_digest_column_hex(column, hex)
}

/// Like [`sha384_column`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics as [`sha384_column`] does.
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha384_column_parallel(column: &Column<'_>, digests: &mut [[u8; 48]]) {
    expect(try_sha384_column_parallel(column, digests));
}

/// Like [`sha384_column_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
#[cfg(feature = "rayon")]
pub fn try_sha384_column_parallel(column: &Column<'_>, digests: &mut [[u8; 48]]) -> Result<(), ShapeError> {
    Sha384::try_digest_column_parallel(column, digests)
}

/// Returns the HMAC-SHA-384 code of `message` under `key`, which may have any length.
///
/// To check a code, use [`HmacSha384`] and its `verify`, which takes constant time.
pub fn hmac_sha384(key: &[u8], message: &[u8]) -> [u8; 48] {
    HmacSha384Key::new(key).mac(message)
}

/// Computes the HMAC-SHA-384 codes of any number of messages under one key.
///
/// # Panics
/// Panics unless there are as many codes as messages.
#[track_caller]
pub fn hmac_sha384_many(key: &[u8], messages: &[&[u8]], macs: &mut [[u8; 48]]) {
    expect(try_hmac_sha384_many(key, messages, macs));
}

/// Like [`hmac_sha384_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many codes as messages.
pub fn try_hmac_sha384_many(key: &[u8], messages: &[&[u8]], macs: &mut [[u8; 48]]) -> Result<(), ShapeError> {
    HmacSha384Key::new(key).try_mac_many(messages, macs)
}

/// Computes the HMAC-SHA-384 codes, under one key, of anything that yields bytes; see [`sha384_all`].
#[cfg(feature = "alloc")]
pub fn hmac_sha384_all<M: AsRef<[u8]>>(key: &[u8], messages: impl IntoIterator<Item = M>) -> Vec<[u8; 48]> {
    super::all(messages, [0; 48], |messages, macs| hmac_sha384_many(key, messages, macs))
}

/// Computes the HMAC-SHA-384 codes of a column's rows under one key; the column is as in [`sha384_rows`].
///
/// # Panics
/// Panics as [`sha384_rows`] does.
#[track_caller]
pub fn hmac_sha384_rows<O: Offset>(key: &[u8], values: &[u8], offsets: &[O], macs: &mut [[u8; 48]]) {
    expect(try_hmac_sha384_rows(key, values, offsets, macs));
}

/// Like [`hmac_sha384_rows`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_hmac_sha384_rows<O: Offset>(
    key: &[u8],
    values: &[u8],
    offsets: &[O],
    macs: &mut [[u8; 48]],
) -> Result<(), ShapeError> {
    try_hmac_sha384_column(key, &Column::binary(values, offsets), macs)
}

/// Computes the HMAC-SHA-384 codes of a column's rows under one key: of any layout, with nulls, after a
/// prefix. See [`Column`].
///
/// The codes of null rows are zeros.
///
/// # Panics
/// Panics as [`sha384_column`] does.
#[track_caller]
pub fn hmac_sha384_column(key: &[u8], column: &Column<'_>, macs: &mut [[u8; 48]]) {
    expect(try_hmac_sha384_column(key, column, macs));
}

/// Like [`hmac_sha384_column`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_hmac_sha384_column(
    key: &[u8],
    column: &Column<'_>,
    macs: &mut [[u8; 48]],
) -> Result<(), ShapeError> {
    HmacSha384Key::new(key).try_mac_column(column, macs)
}

/// Like [`hmac_sha384_column`], with each code in lower-case hexadecimal; that of a null row is the digits of
/// zeros.
///
/// # Panics
/// Panics as [`sha384_column`] does.
#[track_caller]
pub fn hmac_sha384_column_hex(key: &[u8], column: &Column<'_>, hex: &mut [[u8; 96]]) {
    expect(try_hmac_sha384_column_hex(key, column, hex));
}

/// Like [`hmac_sha384_column_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_hmac_sha384_column_hex(
    key: &[u8],
    column: &Column<'_>,
    hex: &mut [[u8; 96]],
) -> Result<(), ShapeError> {
    HmacSha384Key::new(key).try_mac_column_hex(column, hex)
}

/// Derives keys from many passwords by PBKDF2 with HMAC-SHA-384 (RFC 8018, section 5.2), many at once.
///
/// `keys[i]`, of any length, is derived from `passwords[i]` and `salts[i]`. Each block of a key takes a lane.
/// No `iterations` are as one.
///
/// # Panics
/// Panics unless there are as many salts and keys as passwords.
#[track_caller]
pub fn pbkdf2_sha384_many<const N: usize>(
    passwords: &[&[u8]],
    salts: &[&[u8]],
    iterations: u32,
    keys: &mut [[u8; N]],
) {
    expect(try_pbkdf2_sha384_many(passwords, salts, iterations, keys));
}

/// Like [`pbkdf2_sha384_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many salts and keys as passwords.
pub fn try_pbkdf2_sha384_many<const N: usize>(
    passwords: &[&[u8]],
    salts: &[&[u8]],
    iterations: u32,
    keys: &mut [[u8; N]],
) -> Result<(), ShapeError> {
    pbkdf2(passwords, salts, iterations, keys.as_flattened_mut(), N)
}

/// Compiled here, not for each length of keys.
fn pbkdf2(
    passwords: &[&[u8]],
    salts: &[&[u8]],
    iterations: u32,
    keys: &mut [u8],
    key_bytes: usize,
) -> Result<(), ShapeError> {
    HmacSha384Key::try_pbkdf2_many(passwords, salts, iterations, keys, key_bytes)
}

/// Derives keys from many secrets by HKDF with HMAC-SHA-384 (RFC 5869), many at once.
///
/// `keys[i]` is derived from `secrets[i]`, with one `salt` and one `info` for all. A program with keys longer
/// than 255 digests does not build.
///
/// # Panics
/// Panics unless there are as many keys as secrets.
#[track_caller]
pub fn hkdf_sha384_many<const N: usize>(salt: &[u8], secrets: &[&[u8]], info: &[u8], keys: &mut [[u8; N]]) {
    expect(try_hkdf_sha384_many(salt, secrets, info, keys));
}

/// Like [`hkdf_sha384_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many keys as secrets.
pub fn try_hkdf_sha384_many<const N: usize>(
    salt: &[u8],
    secrets: &[&[u8]],
    info: &[u8],
    keys: &mut [[u8; N]],
) -> Result<(), ShapeError> {
    const { assert!(N <= 255 * 48, "HKDF derives at most 255 digests' length") }
    hkdf(salt, secrets, info, keys.as_flattened_mut(), N)
}

/// Compiled here, not for each length of keys.
fn hkdf(
    salt: &[u8],
    secrets: &[&[u8]],
    info: &[u8],
    keys: &mut [u8],
    key_bytes: usize,
) -> Result<(), ShapeError> {
    HmacSha384Key::try_hkdf_many(salt, secrets, info, keys, key_bytes)
}
