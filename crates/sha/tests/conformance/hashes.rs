//! The hashes as the tests see them: compression functions and algorithms with their oracles, and the public
//! functions of an algorithm, so that one generic body tests all of them by their names.

use std::fmt::Display;

use bytemuck::Pod;
use hashlanes_isa::{Function, Types, Word};
use hashlanes_sha::kernels::Kernel;
use hashlanes_sha::{Algorithm, Hasher, HmacKey, Offset, ShapeError, algorithms};
use hashlanes_testkit::oracle;
use hashlanes_testkit::ragged::Rng;

/// A compression function that the oracle knows.
pub(crate) trait Tested: Function<State: Into<oracle::State> + Default + Pod> {
    /// The kernels that this CPU can run.
    fn kernels() -> impl Iterator<Item = &'static Kernel<Self>> {
        Self::table().kernels()
    }

    /// `n` random states.
    fn states(rng: &mut Rng, n: usize) -> Vec<Self::State> {
        let state = |rng: &mut Rng| {
            let mut state = Self::State::default();
            for word in state.as_mut() {
                *word = Self::Word::from_be(&rng.next_u64().to_be_bytes()[..Self::Word::BYTES]);
            }
            state
        };
        (0..n).map(|_| state(rng)).collect()
    }

    /// A block of these bytes.
    fn block(bytes: &[u8]) -> Self::Block {
        let mut block = Self::ZERO_BLOCK;
        block.as_mut().copy_from_slice(bytes);
        block
    }

    /// `n` random blocks.
    fn blocks(rng: &mut Rng, n: usize) -> Vec<Self::Block> {
        let mut blocks = vec![Self::ZERO_BLOCK; n];
        blocks.iter_mut().for_each(|block| rng.fill(block.as_mut()));
        blocks
    }

    /// The oracle's state after `blocks`, from `state` on.
    fn expected(state: Self::State, blocks: &[u8]) -> oracle::State {
        let mut state = state.into();
        state.compress(blocks);
        state
    }
}

impl<F: Function<State: Into<oracle::State> + Default + Pod>> Tested for F {}

/// An algorithm: its oracle, and its functions by their names.
pub(crate) trait Named: Algorithm<Function: Tested> + hashlanes_sha::Queued {
    /// The same hash, by code that shares nothing with it.
    const ORACLE: &'static oracle::Hash;
    /// Algorithms that share its compression function, itself included.
    const SIBLINGS: usize;

    fn one(message: &[u8]) -> Self::Digest;
    fn many(messages: &[&[u8]], digests: &mut [Self::Digest]);
    fn try_many(messages: &[&[u8]], digests: &mut [Self::Digest]) -> Result<(), ShapeError>;
    fn update_many(parts: &mut [(&mut Hasher<Self>, &[u8])]);
    fn finish_many(hashers: &mut [Hasher<Self>], digests: &mut [Self::Digest]);
    fn try_finish_many(hashers: &mut [Hasher<Self>], digests: &mut [Self::Digest]) -> Result<(), ShapeError>;
    fn fixed(messages: &[u8], len_bytes: usize, digests: &mut [Self::Digest]);
    fn try_fixed(messages: &[u8], len_bytes: usize, digests: &mut [Self::Digest]) -> Result<(), ShapeError>;
    fn rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [Self::Digest]);
    fn try_rows<O: Offset>(
        values: &[u8],
        offsets: &[O],
        digests: &mut [Self::Digest],
    ) -> Result<(), ShapeError>;
    fn rows_valid<O: Offset>(
        values: &[u8],
        offsets: &[O],
        validity: Option<&[u8]>,
        digests: &mut [Self::Digest],
    );
    fn try_rows_valid<O: Offset>(
        values: &[u8],
        offsets: &[O],
        validity: Option<&[u8]>,
        digests: &mut [Self::Digest],
    ) -> Result<(), ShapeError>;
    /// `n` rows, as text.
    fn rows_hex<O: Offset>(values: &[u8], offsets: &[O], n: usize) -> Vec<String>;
    /// Like [`Named::rows_hex`].
    fn try_rows_hex<O: Offset>(values: &[u8], offsets: &[O], n: usize) -> Result<Vec<String>, ShapeError>;
    fn hmac(key: &[u8], message: &[u8]) -> Self::Digest;
    fn hmac_many(key: &[u8], messages: &[&[u8]], macs: &mut [Self::Digest]);
    fn try_hmac_many(key: &[u8], messages: &[&[u8]], macs: &mut [Self::Digest]) -> Result<(), ShapeError>;
    fn hmac_rows<O: Offset>(key: &[u8], values: &[u8], offsets: &[O], macs: &mut [Self::Digest]);
    fn try_hmac_rows<O: Offset>(
        key: &[u8],
        values: &[u8],
        offsets: &[O],
        macs: &mut [Self::Digest],
    ) -> Result<(), ShapeError>;
    /// Digests in bytes that lie anywhere.
    fn digests_in(bytes: &mut [u8]) -> &mut [Self::Digest];
    /// Blocks in bytes that lie anywhere.
    fn blocks_in(bytes: &[u8]) -> &[<Self::Function as Types>::Block];
}

macro_rules! named {
    ($(
        $name:ident $oracle:ident $siblings:literal $bytes:literal
        $hasher:ident $hmac_key:ident
        $one:ident $many:ident $try_many:ident $update_many:ident $finish_many:ident $try_finish_many:ident
        $fixed:ident $try_fixed:ident
        $rows:ident $try_rows:ident $rows_valid:ident $try_rows_valid:ident $rows_hex:ident $try_rows_hex:ident
        $hmac:ident $hmac_many:ident $try_hmac_many:ident $hmac_rows:ident $try_hmac_rows:ident;
    )*) => {
        $(impl Named for algorithms::$name {
            const ORACLE: &'static oracle::Hash = &oracle::$oracle;
            const SIBLINGS: usize = $siblings;

            fn one(message: &[u8]) -> [u8; $bytes] {
                hashlanes_sha::$one(message)
            }
            fn many(messages: &[&[u8]], digests: &mut [[u8; $bytes]]) {
                hashlanes_sha::$many(messages, digests);
            }
            fn try_many(messages: &[&[u8]], digests: &mut [[u8; $bytes]]) -> Result<(), ShapeError> {
                hashlanes_sha::$try_many(messages, digests)
            }
            fn update_many(parts: &mut [(&mut hashlanes_sha::$hasher, &[u8])]) {
                hashlanes_sha::$update_many(parts);
            }
            fn finish_many(hashers: &mut [hashlanes_sha::$hasher], digests: &mut [[u8; $bytes]]) {
                hashlanes_sha::$finish_many(hashers, digests);
            }
            fn try_finish_many(
                hashers: &mut [hashlanes_sha::$hasher],
                digests: &mut [[u8; $bytes]],
            ) -> Result<(), ShapeError> {
                hashlanes_sha::$try_finish_many(hashers, digests)
            }
            fn fixed(messages: &[u8], len_bytes: usize, digests: &mut [[u8; $bytes]]) {
                hashlanes_sha::$fixed(messages, len_bytes, digests);
            }
            fn try_fixed(
                messages: &[u8],
                len_bytes: usize,
                digests: &mut [[u8; $bytes]],
            ) -> Result<(), ShapeError> {
                hashlanes_sha::$try_fixed(messages, len_bytes, digests)
            }
            fn rows<O: Offset>(values: &[u8], offsets: &[O], digests: &mut [[u8; $bytes]]) {
                hashlanes_sha::$rows(values, offsets, digests);
            }
            fn try_rows<O: Offset>(
                values: &[u8],
                offsets: &[O],
                digests: &mut [[u8; $bytes]],
            ) -> Result<(), ShapeError> {
                hashlanes_sha::$try_rows(values, offsets, digests)
            }
            fn rows_valid<O: Offset>(
                values: &[u8],
                offsets: &[O],
                validity: Option<&[u8]>,
                digests: &mut [[u8; $bytes]],
            ) {
                hashlanes_sha::$rows_valid(values, offsets, validity, digests);
            }
            fn try_rows_valid<O: Offset>(
                values: &[u8],
                offsets: &[O],
                validity: Option<&[u8]>,
                digests: &mut [[u8; $bytes]],
            ) -> Result<(), ShapeError> {
                hashlanes_sha::$try_rows_valid(values, offsets, validity, digests)
            }
            fn rows_hex<O: Offset>(values: &[u8], offsets: &[O], n: usize) -> Vec<String> {
                let mut hex = vec![[0; 2 * $bytes]; n];
                hashlanes_sha::$rows_hex(values, offsets, &mut hex);
                texts(&hex)
            }
            fn try_rows_hex<O: Offset>(
                values: &[u8],
                offsets: &[O],
                n: usize,
            ) -> Result<Vec<String>, ShapeError> {
                let mut hex = vec![[0; 2 * $bytes]; n];
                hashlanes_sha::$try_rows_hex(values, offsets, &mut hex)?;
                Ok(texts(&hex))
            }
            fn hmac(key: &[u8], message: &[u8]) -> [u8; $bytes] {
                let mac = hashlanes_sha::$hmac(key, message);
                assert_eq!(mac, hashlanes_sha::$hmac_key::new(key).mac(message));
                mac
            }
            fn hmac_many(key: &[u8], messages: &[&[u8]], macs: &mut [[u8; $bytes]]) {
                hashlanes_sha::$hmac_many(key, messages, macs);
            }
            fn try_hmac_many(
                key: &[u8],
                messages: &[&[u8]],
                macs: &mut [[u8; $bytes]],
            ) -> Result<(), ShapeError> {
                hashlanes_sha::$try_hmac_many(key, messages, macs)
            }
            fn hmac_rows<O: Offset>(key: &[u8], values: &[u8], offsets: &[O], macs: &mut [[u8; $bytes]]) {
                hashlanes_sha::$hmac_rows(key, values, offsets, macs);
            }
            fn try_hmac_rows<O: Offset>(
                key: &[u8],
                values: &[u8],
                offsets: &[O],
                macs: &mut [[u8; $bytes]],
            ) -> Result<(), ShapeError> {
                hashlanes_sha::$try_hmac_rows(key, values, offsets, macs)
            }
            fn digests_in(bytes: &mut [u8]) -> &mut [[u8; $bytes]] {
                bytes.as_chunks_mut().0
            }
            fn blocks_in(bytes: &[u8]) -> &[<Self::Function as Types>::Block] {
                bytes.as_chunks().0
            }
        })*
    };
}
named! {
    Sha1 SHA1 1 20 Sha1 HmacSha1Key
    sha1 sha1_many try_sha1_many sha1_update_many sha1_finish_many try_sha1_finish_many
    sha1_fixed try_sha1_fixed
    sha1_rows try_sha1_rows sha1_rows_valid try_sha1_rows_valid sha1_rows_hex try_sha1_rows_hex
    hmac_sha1 hmac_sha1_many try_hmac_sha1_many hmac_sha1_rows try_hmac_sha1_rows;

    Sha224 SHA224 2 28 Sha224 HmacSha224Key
    sha224 sha224_many try_sha224_many sha224_update_many sha224_finish_many try_sha224_finish_many
    sha224_fixed try_sha224_fixed
    sha224_rows try_sha224_rows sha224_rows_valid try_sha224_rows_valid sha224_rows_hex try_sha224_rows_hex
    hmac_sha224 hmac_sha224_many try_hmac_sha224_many hmac_sha224_rows try_hmac_sha224_rows;

    Sha256 SHA256 2 32 Sha256 HmacSha256Key
    sha256 sha256_many try_sha256_many sha256_update_many sha256_finish_many try_sha256_finish_many
    sha256_fixed try_sha256_fixed
    sha256_rows try_sha256_rows sha256_rows_valid try_sha256_rows_valid sha256_rows_hex try_sha256_rows_hex
    hmac_sha256 hmac_sha256_many try_hmac_sha256_many hmac_sha256_rows try_hmac_sha256_rows;

    Sha384 SHA384 4 48 Sha384 HmacSha384Key
    sha384 sha384_many try_sha384_many sha384_update_many sha384_finish_many try_sha384_finish_many
    sha384_fixed try_sha384_fixed
    sha384_rows try_sha384_rows sha384_rows_valid try_sha384_rows_valid sha384_rows_hex try_sha384_rows_hex
    hmac_sha384 hmac_sha384_many try_hmac_sha384_many hmac_sha384_rows try_hmac_sha384_rows;

    Sha512 SHA512 4 64 Sha512 HmacSha512Key
    sha512 sha512_many try_sha512_many sha512_update_many sha512_finish_many try_sha512_finish_many
    sha512_fixed try_sha512_fixed
    sha512_rows try_sha512_rows sha512_rows_valid try_sha512_rows_valid sha512_rows_hex try_sha512_rows_hex
    hmac_sha512 hmac_sha512_many try_hmac_sha512_many hmac_sha512_rows try_hmac_sha512_rows;

    Sha512_224 SHA512_224 4 28 Sha512_224 HmacSha512_224Key
    sha512_224 sha512_224_many try_sha512_224_many sha512_224_update_many sha512_224_finish_many try_sha512_224_finish_many
    sha512_224_fixed try_sha512_224_fixed
    sha512_224_rows try_sha512_224_rows sha512_224_rows_valid try_sha512_224_rows_valid sha512_224_rows_hex try_sha512_224_rows_hex
    hmac_sha512_224 hmac_sha512_224_many try_hmac_sha512_224_many hmac_sha512_224_rows try_hmac_sha512_224_rows;

    Sha512_256 SHA512_256 4 32 Sha512_256 HmacSha512_256Key
    sha512_256 sha512_256_many try_sha512_256_many sha512_256_update_many sha512_256_finish_many try_sha512_256_finish_many
    sha512_256_fixed try_sha512_256_fixed
    sha512_256_rows try_sha512_256_rows sha512_256_rows_valid try_sha512_256_rows_valid sha512_256_rows_hex try_sha512_256_rows_hex
    hmac_sha512_256 hmac_sha512_256_many try_hmac_sha512_256_many hmac_sha512_256_rows try_hmac_sha512_256_rows;
}

/// Runs the block once for each compression function, as the type `$f`.
macro_rules! each_function {
    ($f:ident => $body:block) => {{
        {
            type $f = hashlanes_sha::sha1::Compression;
            $body
        }
        {
            type $f = hashlanes_sha::sha256::Compression;
            $body
        }
        {
            type $f = hashlanes_sha::sha512::Compression;
            $body
        }
    }};
}
pub(crate) use each_function;

/// Runs the block once for each algorithm, as the type `$a`.
macro_rules! each_algorithm {
    ($a:ident => $body:block) => {{
        {
            type $a = hashlanes_sha::algorithms::Sha1;
            $body
        }
        {
            type $a = hashlanes_sha::algorithms::Sha224;
            $body
        }
        {
            type $a = hashlanes_sha::algorithms::Sha256;
            $body
        }
        {
            type $a = hashlanes_sha::algorithms::Sha384;
            $body
        }
        {
            type $a = hashlanes_sha::algorithms::Sha512;
            $body
        }
        {
            type $a = hashlanes_sha::algorithms::Sha512_224;
            $body
        }
        {
            type $a = hashlanes_sha::algorithms::Sha512_256;
            $body
        }
    }};
}
pub(crate) use each_algorithm;

/// The oracle's digests of `messages`, one after another.
pub(crate) fn expected<'a, A: Named>(messages: impl IntoIterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    messages.into_iter().map(|message| A::ORACLE.digest(message)).collect()
}

/// The oracle's digests.
#[track_caller]
pub(crate) fn assert_digests<D: AsRef<[u8]>>(digests: &[D], expected: &[Vec<u8>], what: impl Display) {
    assert_eq!(digests.len(), expected.len(), "{what}: number of digests");
    for (i, (digest, expected)) in digests.iter().zip(expected).enumerate() {
        assert!(
            digest.as_ref() == &expected[..],
            "{what}: digest {i} is {}, not {}",
            hex(digest.as_ref()),
            hex(expected)
        );
    }
}

/// `n` digests that no hash has, to be overwritten.
pub(crate) fn unwritten<A: Named>(n: usize) -> Vec<A::Digest> {
    let mut digest = A::ZERO_DIGEST;
    digest.as_mut().fill(0xa5);
    vec![digest; n]
}

/// The codes of `messages` under `key`, incrementally, in two parts.
pub(crate) fn mac_in_parts<A: Named>(key: &HmacKey<A>, message: &[u8], split: usize) -> A::Digest {
    let mut hmac = key.begin();
    hmac.update(&message[..split]);
    hmac.update(&message[split..]);
    hmac.finish()
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn texts<const N: usize>(hex: &[[u8; N]]) -> Vec<String> {
    hex.iter().map(|digits| String::from_utf8_lossy(digits).into_owned()).collect()
}
