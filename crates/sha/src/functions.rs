//! The functions by name. Each is one line over the generic form; what they do is documented once, for
//! SHA-256, and the others refer to it.

use crate::{Hasher, Hmac, HmacKey, Offset, Queue, ShapeError, algorithms};

/// One algorithm's names: types, then functions.
macro_rules! functions {
    (
        $algorithm:ident $bytes:literal $text:literal
        $hasher:ident $queue:ident $hmac_hasher:ident $hmac_key:ident
        $digest:ident $many:ident $try_many:ident $update_many:ident $finish_many:ident $try_finish_many:ident
        $fixed:ident $try_fixed:ident
        $rows:ident $try_rows:ident $rows_valid:ident $try_rows_valid:ident $rows_hex:ident $try_rows_hex:ident
        $hmac:ident $hmac_many:ident $try_hmac_many:ident $hmac_rows:ident $try_hmac_rows:ident
    ) => {
        #[doc = concat!("An incremental ", $text, ": takes a message in parts. See [`Hasher`].")]
        pub type $hasher = Hasher<algorithms::$algorithm>;
        #[doc = concat!($text, " of messages that come one by one. See [`Queue`].")]
        pub type $queue<'a, T> = Queue<'a, algorithms::$algorithm, T>;
        #[doc = concat!("An incremental HMAC-", $text, ". See [`Hmac`].")]
        pub type $hmac_hasher = Hmac<algorithms::$algorithm>;
        #[doc = concat!("The key schedule of HMAC-", $text, ". See [`HmacKey`].")]
        pub type $hmac_key = HmacKey<algorithms::$algorithm>;

        #[doc = concat!("The ", $text, " digest of `message`.")]
        #[inline]
        pub fn $digest(message: &[u8]) -> [u8; $bytes] {
            $hasher::digest(message)
        }

        #[doc = concat!("The ", $text, " digests of any number of messages of any lengths.")]
        ///
        /// `digests[i]` is that of `messages[i]`. They go through the CPU's lanes together, so that many short and
        /// long ones keep all lanes busy; nothing is allocated or copied but the end of each message.
        ///
        /// # Panics
        /// Unless there are as many digests as messages.
        #[track_caller]
        pub fn $many(messages: &[&[u8]], digests: &mut [[u8; $bytes]]) {
            $hasher::digest_many(messages, digests);
        }

        #[doc = concat!("As [`", stringify!($many), "`], without the panic.")]
        ///
        /// # Errors
        /// [`ShapeError::Count`] unless there are as many digests as messages.
        pub fn $try_many(messages: &[&[u8]], digests: &mut [[u8; $bytes]]) -> Result<(), ShapeError> {
            $hasher::try_digest_many(messages, digests)
        }

        #[doc = concat!("Gives each ", $text, " hasher the part beside it; all advance together, in lanes.")]
        ///
        /// Any number of hashers, parts of any lengths.
        pub fn $update_many(parts: &mut [(&mut $hasher, &[u8])]) {
            $hasher::update_many(parts);
        }

        #[doc = concat!("The ", $text, " digests of what each hasher took.")]
        ///
        /// `digests[i]` is that of `hashers[i]`, which is then as new. Their last blocks go through the lanes together.
        ///
        /// # Panics
        /// Unless there are as many digests as hashers.
        #[track_caller]
        pub fn $finish_many(hashers: &mut [$hasher], digests: &mut [[u8; $bytes]]) {
            $hasher::finish_many(hashers, digests);
        }

        #[doc = concat!("As [`", stringify!($finish_many), "`], without the panic.")]
        ///
        /// # Errors
        /// [`ShapeError::Count`] unless there are as many digests as hashers.
        pub fn $try_finish_many(
            hashers: &mut [$hasher],
            digests: &mut [[u8; $bytes]],
        ) -> Result<(), ShapeError> {
            $hasher::try_finish_many(hashers, digests)
        }

        #[doc = concat!("The ", $text, " digests of equal short messages, one after the other.")]
        ///
        /// `messages` holds one of `len_bytes` bytes, at most a block, for each digest. Their padding, which is the
        /// same, is prepared once.
        ///
        /// # Panics
        /// If a message is longer than a block, or `messages` is not `len_bytes` times as long as `digests`.
        #[track_caller]
        pub fn $fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; $bytes]]) {
            $hasher::digest_fixed(messages, len_bytes, digests);
        }

        #[doc = concat!("As [`", stringify!($fixed), "`], without the panic.")]
        ///
        /// # Errors
        /// [`ShapeError::TooLong`], [`ShapeError::BufferLength`].
        pub fn $try_fixed(
            messages: &[u8],
            len_bytes: usize,
            digests: &mut [[u8; $bytes]],
        ) -> Result<(), ShapeError> {
            $hasher::try_digest_fixed(messages, len_bytes, digests)
        }

        #[doc = concat!("The ", $text, " digests of a column: row i is `values[offsets[i]..offsets[i + 1]]`.")]
        ///
        /// That is the layout of Arrow's variable-size binary and string arrays: n + 1 offsets, `i32` or `i64`, that do
        /// not fall; the first need not be 0.
        ///
        /// # Panics
        /// If `offsets` is empty, an offset falls or passes the end of `values`, or there are not as many digests as rows.
        #[track_caller]
        pub fn $rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [[u8; $bytes]]) {
            crate::error::expect($try_rows(values, offsets, digests));
        }

        #[doc = concat!("As [`", stringify!($rows), "`], without the panic.")]
        ///
        /// # Errors
        /// A [`ShapeError`] that names the argument and the index.
        pub fn $try_rows<O: Offset>(
            values: &[u8],
            offsets: &[O],
            digests: &mut [[u8; $bytes]],
        ) -> Result<(), ShapeError> {
            $hasher::try_digest_rows(values, offsets, None, digests)
        }

        #[doc = concat!("As [`", stringify!($rows), "`] with nulls.")]
        ///
        /// Bit i mod 8 of `validity[i / 8]`, lowest first, says that row i is not null; null rows are not hashed, their
        /// digests are zeros.
        ///
        /// # Panics
        #[doc = concat!("As [`", stringify!($rows), "`], and if `validity` has fewer bits than there are rows.")]
        #[track_caller]
        pub fn $rows_valid<O: Offset>(
            values: &[u8],
            offsets: &[O],
            validity: Option<&[u8]>,
            digests: &mut [[u8; $bytes]],
        ) {
            crate::error::expect($try_rows_valid(values, offsets, validity, digests));
        }

        #[doc = concat!("As [`", stringify!($rows_valid), "`], without the panic.")]
        ///
        /// # Errors
        /// A [`ShapeError`] that names the argument and the index.
        pub fn $try_rows_valid<O: Offset>(
            values: &[u8],
            offsets: &[O],
            validity: Option<&[u8]>,
            digests: &mut [[u8; $bytes]],
        ) -> Result<(), ShapeError> {
            $hasher::try_digest_rows(values, offsets, validity, digests)
        }

        #[doc = concat!("As [`", stringify!($rows), "`], each digest in lower-case hexadecimal.")]
        ///
        /// # Panics
        #[doc = concat!("As [`", stringify!($rows), "`].")]
        #[track_caller]
        pub fn $rows_hex<O: Offset>(values: &[u8], offsets: &[O], hex: &mut [[u8; 2 * $bytes]]) {
            crate::error::expect($try_rows_hex(values, offsets, hex));
        }

        #[doc = concat!("As [`", stringify!($rows_hex), "`], without the panic.")]
        ///
        /// # Errors
        /// A [`ShapeError`] that names the argument and the index.
        pub fn $try_rows_hex<O: Offset>(
            values: &[u8],
            offsets: &[O],
            hex: &mut [[u8; 2 * $bytes]],
        ) -> Result<(), ShapeError> {
            $hasher::try_digest_rows_hex(values, offsets, hex)
        }

        #[doc = concat!("The HMAC-", $text, " code of `message` under `key`, which may have any length.")]
        ///
        #[doc = concat!("To check a code, use [`", stringify!($hmac_hasher), "`] and its `verify`, which takes constant time.")]
        pub fn $hmac(key: &[u8], message: &[u8]) -> [u8; $bytes] {
            $hmac_key::new(key).mac(message)
        }

        #[doc = concat!("The HMAC-", $text, " codes of any number of messages under one key.")]
        ///
        /// # Panics
        /// Unless there are as many codes as messages.
        #[track_caller]
        pub fn $hmac_many(key: &[u8], messages: &[&[u8]], macs: &mut [[u8; $bytes]]) {
            crate::error::expect($try_hmac_many(key, messages, macs));
        }

        #[doc = concat!("As [`", stringify!($hmac_many), "`], without the panic.")]
        ///
        /// # Errors
        /// [`ShapeError::Count`] unless there are as many codes as messages.
        pub fn $try_hmac_many(
            key: &[u8],
            messages: &[&[u8]],
            macs: &mut [[u8; $bytes]],
        ) -> Result<(), ShapeError> {
            $hmac_key::new(key).try_mac_many(messages, macs)
        }

        #[doc = concat!("The HMAC-", $text, " codes of a column's rows under one key; the column as in [`", stringify!($rows), "`].")]
        ///
        /// # Panics
        #[doc = concat!("As [`", stringify!($rows), "`].")]
        #[track_caller]
        pub fn $hmac_rows<O: Offset>(key: &[u8], values: &[u8], offsets: &[O], macs: &mut [[u8; $bytes]]) {
            crate::error::expect($try_hmac_rows(key, values, offsets, macs));
        }

        #[doc = concat!("As [`", stringify!($hmac_rows), "`], without the panic.")]
        ///
        /// # Errors
        /// A [`ShapeError`] that names the argument and the index.
        pub fn $try_hmac_rows<O: Offset>(
            key: &[u8],
            values: &[u8],
            offsets: &[O],
            macs: &mut [[u8; $bytes]],
        ) -> Result<(), ShapeError> {
            $hmac_key::new(key).try_mac_rows(values, offsets, None, macs)
        }
    };
}

functions! {
    Sha1 20 "SHA-1"
    Sha1 Sha1Queue HmacSha1 HmacSha1Key
    sha1 sha1_many try_sha1_many sha1_update_many sha1_finish_many try_sha1_finish_many
    sha1_fixed try_sha1_fixed
    sha1_rows try_sha1_rows sha1_rows_valid try_sha1_rows_valid sha1_rows_hex try_sha1_rows_hex
    hmac_sha1 hmac_sha1_many try_hmac_sha1_many hmac_sha1_rows try_hmac_sha1_rows
}
functions! {
    Sha224 28 "SHA-224"
    Sha224 Sha224Queue HmacSha224 HmacSha224Key
    sha224 sha224_many try_sha224_many sha224_update_many sha224_finish_many try_sha224_finish_many
    sha224_fixed try_sha224_fixed
    sha224_rows try_sha224_rows sha224_rows_valid try_sha224_rows_valid sha224_rows_hex try_sha224_rows_hex
    hmac_sha224 hmac_sha224_many try_hmac_sha224_many hmac_sha224_rows try_hmac_sha224_rows
}
functions! {
    Sha256 32 "SHA-256"
    Sha256 Sha256Queue HmacSha256 HmacSha256Key
    sha256 sha256_many try_sha256_many sha256_update_many sha256_finish_many try_sha256_finish_many
    sha256_fixed try_sha256_fixed
    sha256_rows try_sha256_rows sha256_rows_valid try_sha256_rows_valid sha256_rows_hex try_sha256_rows_hex
    hmac_sha256 hmac_sha256_many try_hmac_sha256_many hmac_sha256_rows try_hmac_sha256_rows
}
functions! {
    Sha384 48 "SHA-384"
    Sha384 Sha384Queue HmacSha384 HmacSha384Key
    sha384 sha384_many try_sha384_many sha384_update_many sha384_finish_many try_sha384_finish_many
    sha384_fixed try_sha384_fixed
    sha384_rows try_sha384_rows sha384_rows_valid try_sha384_rows_valid sha384_rows_hex try_sha384_rows_hex
    hmac_sha384 hmac_sha384_many try_hmac_sha384_many hmac_sha384_rows try_hmac_sha384_rows
}
functions! {
    Sha512 64 "SHA-512"
    Sha512 Sha512Queue HmacSha512 HmacSha512Key
    sha512 sha512_many try_sha512_many sha512_update_many sha512_finish_many try_sha512_finish_many
    sha512_fixed try_sha512_fixed
    sha512_rows try_sha512_rows sha512_rows_valid try_sha512_rows_valid sha512_rows_hex try_sha512_rows_hex
    hmac_sha512 hmac_sha512_many try_hmac_sha512_many hmac_sha512_rows try_hmac_sha512_rows
}
functions! {
    Sha512_224 28 "SHA-512/224"
    Sha512_224 Sha512_224Queue HmacSha512_224 HmacSha512_224Key
    sha512_224 sha512_224_many try_sha512_224_many sha512_224_update_many sha512_224_finish_many try_sha512_224_finish_many
    sha512_224_fixed try_sha512_224_fixed
    sha512_224_rows try_sha512_224_rows sha512_224_rows_valid try_sha512_224_rows_valid sha512_224_rows_hex try_sha512_224_rows_hex
    hmac_sha512_224 hmac_sha512_224_many try_hmac_sha512_224_many hmac_sha512_224_rows try_hmac_sha512_224_rows
}
functions! {
    Sha512_256 32 "SHA-512/256"
    Sha512_256 Sha512_256Queue HmacSha512_256 HmacSha512_256Key
    sha512_256 sha512_256_many try_sha512_256_many sha512_256_update_many sha512_256_finish_many try_sha512_256_finish_many
    sha512_256_fixed try_sha512_256_fixed
    sha512_256_rows try_sha512_256_rows sha512_256_rows_valid try_sha512_256_rows_valid sha512_256_rows_hex try_sha512_256_rows_hex
    hmac_sha512_256 hmac_sha512_256_many try_hmac_sha512_256_many hmac_sha512_256_rows try_hmac_sha512_256_rows
}

/// The SHA-256 digests of 64-byte messages, such as two digests side by side: the nodes of a Merkle tree.
///
/// # Panics
/// Unless there are as many digests as nodes.
#[track_caller]
pub fn sha256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) {
    crate::error::expect(try_sha256_pairs(nodes, digests));
}

/// As [`sha256_pairs`], without the panic.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as nodes.
pub fn try_sha256_pairs(nodes: &[[u8; 64]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    crate::error::same_count("nodes", nodes.len(), "digests", digests.len())?;
    try_sha256_fixed(nodes.as_flattened(), 64, digests)
}

/// The SHA-256 digests of 32-byte messages, such as digests.
///
/// # Panics
/// Unless there are as many digests as messages.
#[track_caller]
pub fn sha256_32(messages: &[[u8; 32]], digests: &mut [[u8; 32]]) {
    crate::error::expect(try_sha256_32(messages, digests));
}

/// As [`sha256_32`], without the panic.
///
/// # Errors
/// [`ShapeError::Count`] unless there are as many digests as messages.
pub fn try_sha256_32(messages: &[[u8; 32]], digests: &mut [[u8; 32]]) -> Result<(), ShapeError> {
    crate::error::same_count("messages", messages.len(), "digests", digests.len())?;
    try_sha256_fixed(messages.as_flattened(), 32, digests)
}
