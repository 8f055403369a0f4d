//! The functions of SHA-256, by name.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::expect;
use crate::{Column, Hasher, Hmac, HmacKey, Offset, Queue, ShapeError, algorithms};

/// An incremental SHA-256: accepts a message in parts. See [`Hasher`].
pub type Sha256 = Hasher<algorithms::Sha256>;
/// SHA-256 of messages that arrive one by one. See [`Queue`].
pub type Sha256Queue<M> = Queue<algorithms::Sha256, M>;
/// An incremental HMAC-SHA-256. See [`Hmac`].
pub type HmacSha256 = Hmac<algorithms::Sha256>;
/// The key schedule of HMAC-SHA-256. See [`HmacKey`].
pub type HmacSha256Key = HmacKey<algorithms::Sha256>;

/// Returns the SHA-256 digest of `message`.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// let digest = hashlanes::sha256(b"abc");
/// assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
pub fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message)
}

/// Computes the SHA-256 digests of any number of messages of any lengths.
///
/// `digests[i]` is the digest of `messages[i]`. The messages go through the CPU's lanes together, so that
/// short and long ones keep all lanes busy. Nothing is allocated, and only the end of each message is copied.
/// [`sha256_all`] accepts strings and vectors, and returns a vector.
///
/// # Panics
/// Panics unless there are as many digests as messages.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha256, sha256_many};
///
/// let messages: [&[u8]; 3] = [b"abc", b"", b"a longer message"];
/// let mut digests = [[0; 32]; 3];
/// sha256_many(&messages, &mut digests);
/// assert_eq!(digests[0], sha256(b"abc"));
/// ```
#[track_caller]
pub fn sha256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    Sha256::digest_many(messages, digests);
}

/// Like [`sha256_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_sha256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha256::try_digest_many(messages, digests)
}

/// Computes the SHA-256 digests of anything that yields bytes: strings, vectors, arrays, lines of a file.
///
/// Digest i is that of message i. At most 1024 messages are in memory at a time.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha256, sha256_all};
///
/// let names = vec![String::from("one"), String::from("two")];
/// assert_eq!(sha256_all(&names), [sha256(b"one"), sha256(b"two")]);
/// assert_eq!(sha256_all((0..9_u64).map(u64::to_le_bytes))[8], sha256(&8_u64.to_le_bytes()));
/// ```
#[cfg(feature = "alloc")]
pub fn sha256_all<M: AsRef<[u8]>>(messages: impl IntoIterator<Item = M>) -> Vec<[u8; 32]> {
    super::all(messages, [0; 32], sha256_many)
}

/// Like [`sha256_many`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics unless there are as many digests as messages.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha256, sha256_many_parallel};
///
/// let (one, other) = (vec![1; 1 << 20], vec![2; 1 << 20]);
/// let messages: Vec<&[u8]> = [&one[..], &other[..]].repeat(50);
/// let mut digests = vec![[0; 32]; 100];
/// sha256_many_parallel(&messages, &mut digests);
/// assert_eq!(digests[99], sha256(&other));
/// ```
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha256_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    expect(try_sha256_many_parallel(messages, digests));
}

/// Like [`sha256_many_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
#[cfg(feature = "rayon")]
pub fn try_sha256_many_parallel(messages: &[&[u8]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha256::try_digest_many_parallel(messages, digests)
}

/// Updates each hasher with its part; all advance together, in lanes.
///
/// Accepts any number of hashers and parts of any lengths.
pub fn sha256_update_many(parts: &mut [(&mut Sha256, &[u8])]) {
    Sha256::update_many(parts);
}

/// Finishes many hashers together, in lanes.
///
/// `digests[i]` is the SHA-256 digest of the input of `hashers[i]`, which then starts anew.
///
/// # Panics
/// Panics unless there are as many digests as hashers.
#[track_caller]
pub fn sha256_finish_many(hashers: &mut [Sha256], digests: &mut [[u8; 32]]) {
    Sha256::finish_many(hashers, digests);
}

/// Like [`sha256_finish_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as hashers.
pub fn try_sha256_finish_many(hashers: &mut [Sha256], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha256::try_finish_many(hashers, digests)
}

/// Computes the SHA-256 digests of messages of one length that follow one another in memory.
///
/// `messages` holds one message of `len_bytes` bytes for each digest: keys, headers, pages. Messages of a
/// block at most are the fastest: their padding is the same, so it is prepared once.
///
/// # Panics
/// Panics if `messages` is not `len_bytes` times as long as `digests`.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{sha256, sha256_fixed};
///
/// let file = vec![7; 10 * 4096];
/// let mut pages = [[0; 32]; 10];
/// sha256_fixed(&file, 4096, &mut pages);
/// assert_eq!(pages[9], sha256(&[7; 4096]));
/// ```
#[track_caller]
pub fn sha256_fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; 32]]) {
    Sha256::digest_fixed(messages, len_bytes, digests);
}

/// Like [`sha256_fixed`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::BufferLength`].
pub fn try_sha256_fixed(
    messages: &[u8],
    len_bytes: usize,
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    Sha256::try_digest_fixed(messages, len_bytes, digests)
}

/// Computes the SHA-256 digests of a column: row i is `values[offsets[i]..offsets[i + 1]]`.
///
/// This is the layout of Arrow's variable-size binary and string arrays: n + 1 offsets, `i32` or `i64`, that
/// do not decrease. The first offset need not be 0.
///
/// # Panics
/// Panics if `offsets` is empty, if an offset decreases or exceeds the length of `values`, or unless there
/// are as many digests as rows.
#[track_caller]
pub fn sha256_rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [[u8; 32]]) {
    expect(try_sha256_rows(values, offsets, digests));
}

/// Like [`sha256_rows`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha256_rows<O: Offset>(
    values: &[u8],
    offsets: &[O],
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    try_sha256_column(&Column::binary(values, offsets), digests)
}

/// Like [`sha256_rows`], with nulls.
///
/// Bit i mod 8 of `validity[i / 8]`, lowest first, is 1 if row i is not null. Null rows are not hashed; their
/// digests are zeros.
///
/// # Panics
/// Panics as [`sha256_rows`] does, and if `validity` has fewer bits than there are rows.
#[track_caller]
pub fn sha256_rows_valid<O: Offset>(
    values: &[u8],
    offsets: &[O],
    validity: Option<&[u8]>,
    digests: &mut [[u8; 32]],
) {
    expect(try_sha256_rows_valid(values, offsets, validity, digests));
}

/// Like [`sha256_rows_valid`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha256_rows_valid<O: Offset>(
    values: &[u8],
    offsets: &[O],
    validity: Option<&[u8]>,
    digests: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    try_sha256_column(&Column::binary(values, offsets).maybe_validity(validity), digests)
}

/// Like [`sha256_rows`], with each digest in lower-case hexadecimal.
///
/// # Panics
/// Panics as [`sha256_rows`] does.
#[track_caller]
pub fn sha256_rows_hex<O: Offset>(values: &[u8], offsets: &[O], hex: &mut [[u8; 64]]) {
    expect(try_sha256_rows_hex(values, offsets, hex));
}

/// Like [`sha256_rows_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha256_rows_hex<O: Offset>(
    values: &[u8],
    offsets: &[O],
    hex: &mut [[u8; 64]],
) -> Result<(), ShapeError> {
    try_sha256_column_hex(&Column::binary(values, offsets), hex)
}

/// Computes the SHA-256 digests of a column's rows: of any layout, with nulls, after a prefix. See
/// [`Column`].
///
/// Null rows are not hashed; their digests are zeros.
///
/// # Panics
/// Panics if the column's shape is wrong, or unless there are as many digests as rows.
#[track_caller]
pub fn sha256_column(column: &Column<'_>, digests: &mut [[u8; 32]]) {
    expect(try_sha256_column(column, digests));
}

/// Like [`sha256_column`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha256_column(column: &Column<'_>, digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha256::try_digest_column(column, digests)
}

/// Like [`sha256_column`], with each digest in lower-case hexadecimal; that of a null row is the digits of
/// zeros.
///
/// # Panics
/// Panics as [`sha256_column`] does.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Column, Hex, sha256, sha256_column_hex};
///
/// let column = Column::binary(b"abc", &[0_i64, 3, 3]).validity(&[0b01], 0);
/// let mut hex = [[0; 64]; 2];
/// sha256_column_hex(&column, &mut hex);
/// assert_eq!(hex[0], Hex(sha256(b"abc")).to_string().as_bytes());
/// assert_eq!(hex[1], [b'0'; 64]);
/// ```
#[track_caller]
pub fn sha256_column_hex(column: &Column<'_>, hex: &mut [[u8; 64]]) {
    expect(try_sha256_column_hex(column, hex));
}

/// Like [`sha256_column_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_sha256_column_hex(column: &Column<'_>, hex: &mut [[u8; 64]]) -> Result<(), ShapeError> {
    Sha256::try_digest_column_hex(column, hex)
}

/// Like [`sha256_column`], on the threads of rayon's current pool.
///
/// # Panics
/// Panics as [`sha256_column`] does.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Column, sha256, sha256_column_parallel};
///
/// let values = vec![7; 20 * 100_000];
/// let mut digests = vec![[0; 32]; 100_000];
/// sha256_column_parallel(&Column::fixed_size(&values, 20), &mut digests);
/// assert_eq!(digests[99_999], sha256(&[7; 20]));
/// ```
#[cfg(feature = "rayon")]
#[track_caller]
pub fn sha256_column_parallel(column: &Column<'_>, digests: &mut [[u8; 32]]) {
    expect(try_sha256_column_parallel(column, digests));
}

/// Like [`sha256_column_parallel`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
#[cfg(feature = "rayon")]
pub fn try_sha256_column_parallel(column: &Column<'_>, digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    Sha256::try_digest_column_parallel(column, digests)
}

/// Computes the SHA-256 digests of 64-byte messages, such as two digests next to each other: the nodes of a
/// Merkle tree.
///
/// # Panics
/// Panics unless there are as many digests as nodes.
#[track_caller]
pub fn sha256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    expect(try_sha256_pairs(nodes, digests));
}

/// Like [`sha256_pairs`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as nodes.
pub fn try_sha256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    crate::error::same_count("nodes", nodes.len(), "digests", digests.len())?;
    try_sha256_fixed(nodes.as_flattened(), 64, digests)
}

/// Computes the SHA-256 digests of 32-byte messages, such as digests.
///
/// # Panics
/// Panics unless there are as many digests as messages.
#[track_caller]
pub fn sha256_32(messages: &[[u8; 32]], digests: &mut [[u8; 32]]) {
    expect(try_sha256_32(messages, digests));
}

/// Like [`sha256_32`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_sha256_32(messages: &[[u8; 32]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    crate::error::same_count("messages", messages.len(), "digests", digests.len())?;
    try_sha256_fixed(messages.as_flattened(), 32, digests)
}

/// Returns the HMAC-SHA-256 code of `message` under `key`, which may have any length.
///
/// To check a code, use [`HmacSha256`] and its `verify`, which takes constant time.
pub fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    HmacSha256Key::new(key).mac(message)
}

/// Computes the HMAC-SHA-256 codes of any number of messages under one key.
///
/// # Panics
/// Panics unless there are as many codes as messages.
#[track_caller]
pub fn hmac_sha256_many(key: &[u8], messages: &[&[u8]], macs: &mut [[u8; 32]]) {
    expect(try_hmac_sha256_many(key, messages, macs));
}

/// Like [`hmac_sha256_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many codes as messages.
pub fn try_hmac_sha256_many(key: &[u8], messages: &[&[u8]], macs: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    HmacSha256Key::new(key).try_mac_many(messages, macs)
}

/// Computes the HMAC-SHA-256 codes, under one key, of anything that yields bytes; see [`sha256_all`].
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{hmac_sha256, hmac_sha256_all};
///
/// assert_eq!(hmac_sha256_all(b"key", ["one", "two"])[1], hmac_sha256(b"key", b"two"));
/// ```
#[cfg(feature = "alloc")]
pub fn hmac_sha256_all<M: AsRef<[u8]>>(key: &[u8], messages: impl IntoIterator<Item = M>) -> Vec<[u8; 32]> {
    super::all(messages, [0; 32], |messages, macs| hmac_sha256_many(key, messages, macs))
}

/// Computes the HMAC-SHA-256 codes of a column's rows under one key; the column is as in [`sha256_rows`].
///
/// # Panics
/// Panics as [`sha256_rows`] does.
#[track_caller]
pub fn hmac_sha256_rows<O: Offset>(key: &[u8], values: &[u8], offsets: &[O], macs: &mut [[u8; 32]]) {
    expect(try_hmac_sha256_rows(key, values, offsets, macs));
}

/// Like [`hmac_sha256_rows`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_hmac_sha256_rows<O: Offset>(
    key: &[u8],
    values: &[u8],
    offsets: &[O],
    macs: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    try_hmac_sha256_column(key, &Column::binary(values, offsets), macs)
}

/// Computes the HMAC-SHA-256 codes of a column's rows under one key: of any layout, with nulls, after a
/// prefix. See [`Column`].
///
/// The codes of null rows are zeros.
///
/// # Panics
/// Panics as [`sha256_column`] does.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Column, hmac_sha256, hmac_sha256_column};
///
/// let mut macs = [[0; 32]; 2];
/// hmac_sha256_column(b"key", &Column::fixed_size(b"abcxyz", 3), &mut macs);
/// assert_eq!(macs[1], hmac_sha256(b"key", b"xyz"));
/// ```
#[track_caller]
pub fn hmac_sha256_column(key: &[u8], column: &Column<'_>, macs: &mut [[u8; 32]]) {
    expect(try_hmac_sha256_column(key, column, macs));
}

/// Like [`hmac_sha256_column`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_hmac_sha256_column(
    key: &[u8],
    column: &Column<'_>,
    macs: &mut [[u8; 32]],
) -> Result<(), ShapeError> {
    HmacSha256Key::new(key).try_mac_column(column, macs)
}

/// Like [`hmac_sha256_column`], with each code in lower-case hexadecimal; that of a null row is the digits of
/// zeros.
///
/// # Panics
/// Panics as [`sha256_column`] does.
#[track_caller]
pub fn hmac_sha256_column_hex(key: &[u8], column: &Column<'_>, hex: &mut [[u8; 64]]) {
    expect(try_hmac_sha256_column_hex(key, column, hex));
}

/// Like [`hmac_sha256_column_hex`], but returns an error instead of panicking.
///
/// # Errors
/// A [`ShapeError`] that names the argument and the index.
pub fn try_hmac_sha256_column_hex(
    key: &[u8],
    column: &Column<'_>,
    hex: &mut [[u8; 64]],
) -> Result<(), ShapeError> {
    HmacSha256Key::new(key).try_mac_column_hex(column, hex)
}

/// Derives keys from many passwords by PBKDF2 with HMAC-SHA-256 (RFC 8018, section 5.2), many at once.
///
/// `keys[i]`, of any length, is derived from `passwords[i]` and `salts[i]`. Each block of a key takes a lane.
/// No `iterations` are as one.
///
/// # Panics
/// Panics unless there are as many salts and keys as passwords.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::pbkdf2_sha256_many;
///
/// let mut keys = [[0; 20]; 2];
/// pbkdf2_sha256_many(&[b"one", b"two"], &[b"salt", b"other salt"], 1000, &mut keys);
/// assert_ne!(keys[0], keys[1]);
/// ```
#[track_caller]
pub fn pbkdf2_sha256_many<const N: usize>(
    passwords: &[&[u8]],
    salts: &[&[u8]],
    iterations: u32,
    keys: &mut [[u8; N]],
) {
    expect(try_pbkdf2_sha256_many(passwords, salts, iterations, keys));
}

/// Like [`pbkdf2_sha256_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many salts and keys as passwords.
pub fn try_pbkdf2_sha256_many<const N: usize>(
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
    HmacSha256Key::try_pbkdf2_many(passwords, salts, iterations, keys, key_bytes)
}

/// Derives keys from many secrets by HKDF with HMAC-SHA-256 (RFC 5869), many at once.
///
/// `keys[i]` is derived from `secrets[i]`, with one `salt` and one `info` for all. A program with keys longer
/// than 255 digests does not build.
///
/// # Panics
/// Panics unless there are as many keys as secrets.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::hkdf_sha256_many;
///
/// let mut keys = [[0; 42]; 2];
/// hkdf_sha256_many(b"salt", &[b"one secret", b"another"], b"session keys", &mut keys);
/// assert_ne!(keys[0], keys[1]);
/// ```
#[track_caller]
pub fn hkdf_sha256_many<const N: usize>(salt: &[u8], secrets: &[&[u8]], info: &[u8], keys: &mut [[u8; N]]) {
    expect(try_hkdf_sha256_many(salt, secrets, info, keys));
}

/// Like [`hkdf_sha256_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many keys as secrets.
pub fn try_hkdf_sha256_many<const N: usize>(
    salt: &[u8],
    secrets: &[&[u8]],
    info: &[u8],
    keys: &mut [[u8; N]],
) -> Result<(), ShapeError> {
    const { assert!(N <= 255 * 32, "HKDF derives at most 255 digests' length") }
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
    HmacSha256Key::try_hkdf_many(salt, secrets, info, keys, key_bytes)
}
