//! SHA-1, SHA-2 and HMAC straight from FIPS 180-4 and RFC 2104, Keccak from FIPS 202, AES from FIPS 197,
//! AEGIS from RFC 10032: the reference for every kernel.
//!
//! An oracle that shared a line with the code under test would share its faults. So this module uses nothing
//! of the workspace; its constants are computed from their definitions (`roots`), its rounds are the
//! standard's text, one block at a time over the full message schedule. It is nevertheless fast enough for
//! millions of short messages: the constants are computed once, and hashing allocates only the digest that it
//! returns.
//!
//! - A hash by its name: [`by_name`], or all of them: [`ALL`]; [`struct@Hash`] has everything as methods.
//! - One call: [`sha256`] and its six siblings.
//! - Bare compression, for kernels: [`sha1_compress`], [`sha256_compress`], [`sha512_compress`].
//! - The tree modes over them: [`tree`].
//! - AEGIS: [`struct@Aegis`], all of them [`AEGIS`].
//! - AES: [`Aes`], with CBC and CTR.
//! - Keccak, by itself: [`keccak_f`], [`keccak`](keccak()), [`sha3_256`], [`sha3_256_tree`].
//! - The end of a message whose beginning was never hashed: [`Hash::resume`]. It tests lengths across 2²⁹ and
//!   2³² bytes quickly, where the bit count's upper half and a 32-bit byte count change.
//!
//! ```
//! use hashlanes_testkit::oracle;
//!
//! let sha256 = oracle::by_name("sha256").unwrap();
//! assert_eq!(sha256.digest(b"abc"), oracle::sha256(b"abc"));
//!
//! // The same digest from the midstate after one block.
//! let message = [7; 100];
//! let mut midstate = sha256.initial();
//! midstate.compress(&message[..64]);
//! assert_eq!(sha256.resume(midstate, 64, &message[64..]), oracle::sha256(&message));
//! ```

mod aegis;
mod aes;
mod keccak;
mod padding;
mod roots;
mod sha1;
mod sha256;
mod sha512;
pub mod tree;

pub use aegis::{AEGIS, Aegis};
pub use aes::Aes;
pub use keccak::{keccak, keccak_f, sha3_256, sha3_256_tree};
pub use sha1::sha1_compress;
pub use sha256::sha256_compress;
pub use sha512::sha512_compress;

use padding::pad;

/// A chaining value: the hash value H of FIPS 180-4, before or after any number of blocks.
///
/// Hashes of one compression function share a variant: SHA-224 and SHA-256; SHA-384, SHA-512 and SHA-512/t.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// H of SHA-1: five 32-bit words, blocks of 64 bytes.
    Sha1([u32; 5]),
    /// H of SHA-224 and SHA-256: eight 32-bit words, blocks of 64 bytes.
    Sha256([u32; 8]),
    /// H of SHA-384, SHA-512 and SHA-512/t: eight 64-bit words, blocks of 128 bytes.
    Sha512([u64; 8]),
}

impl State {
    /// Bytes that one compression takes: 64 or 128.
    pub fn block_bytes(&self) -> usize {
        match self {
            State::Sha1(_) | State::Sha256(_) => 64,
            State::Sha512(_) => 128,
        }
    }

    /// Compresses `blocks`, any number of whole blocks, 0 allowed.
    ///
    /// # Panics
    /// Panics if the length of `blocks` is not a multiple of [`State::block_bytes`].
    pub fn compress(&mut self, blocks: &[u8]) {
        match self {
            State::Sha1(h) => sha1_compress(h, blocks),
            State::Sha256(h) => sha256_compress(h, blocks),
            State::Sha512(h) => sha512_compress(h, blocks),
        }
    }

    /// Returns the words one after another, each with its most significant byte first: 20, 32 or 64 bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            State::Sha1(h) => h.iter().flat_map(|word| word.to_be_bytes()).collect(),
            State::Sha256(h) => h.iter().flat_map(|word| word.to_be_bytes()).collect(),
            State::Sha512(h) => h.iter().flat_map(|word| word.to_be_bytes()).collect(),
        }
    }
}

impl From<[u32; 5]> for State {
    fn from(h: [u32; 5]) -> State {
        State::Sha1(h)
    }
}

impl From<[u32; 8]> for State {
    fn from(h: [u32; 8]) -> State {
        State::Sha256(h)
    }
}

impl From<[u64; 8]> for State {
    fn from(h: [u64; 8]) -> State {
        State::Sha512(h)
    }
}

/// One hash of FIPS 180-4: an entry of [`ALL`].
#[derive(Debug)]
pub struct Hash {
    /// The name of the function that computes it, here and in the library: `sha512_256`.
    pub name: &'static str,
    /// Bytes that one compression takes: 64 or 128.
    pub block_bytes: usize,
    /// Bytes of a digest: 20 to 64.
    pub digest_bytes: usize,
    /// The initial hash value H⁽⁰⁾ of FIPS 180-4, section 5.3.
    initial: fn() -> State,
}

impl Hash {
    /// Returns the initial hash value H⁽⁰⁾ (section 5.3).
    pub fn initial(&self) -> State {
        (self.initial)()
    }

    /// Returns the digest of `message`.
    pub fn digest(&self, message: &[u8]) -> Vec<u8> {
        self.resume(self.initial(), 0, message)
    }

    /// Returns the digest of a message of which the first `absorbed_bytes` bytes led to `midstate` and `rest`
    /// is the remainder.
    ///
    /// `midstate` is a [`State`] or its array of words. The absorbed bytes need not exist: any midstate and
    /// any count give what the standard would give for them.
    ///
    /// # Panics
    /// Panics if `midstate` is not of this hash, if `absorbed_bytes` is not a multiple of the block, or if
    /// the message is longer than the standard allows: 2⁶⁴ − 1 bits with 64-byte blocks, 2¹²⁸ − 1 bits with
    /// 128-byte blocks.
    pub fn resume(&self, midstate: impl Into<State>, absorbed_bytes: u128, rest: &[u8]) -> Vec<u8> {
        let mut h = midstate.into();
        assert_eq!(
            std::mem::discriminant(&h),
            std::mem::discriminant(&self.initial()),
            "a midstate of another hash than {}",
            self.name
        );
        let whole = rest.len() - rest.len() % self.block_bytes;
        h.compress(&rest[..whole]);

        let mut buffer = [0; 2 * 128];
        let end = pad(&mut buffer, self.block_bytes, absorbed_bytes, rest);
        h.compress(end);

        let mut digest = h.to_bytes();
        digest.truncate(self.digest_bytes);
        digest
    }

    /// HMAC of `message` under `key`, both of any length (RFC 2104, section 2).
    pub fn hmac(&self, key: &[u8], message: &[u8]) -> Vec<u8> {
        // "Applications that use keys longer than B bytes will first hash the key using H …"
        let mut k = if key.len() > self.block_bytes { self.digest(key) } else { key.to_vec() };
        // (1) append zeros to the end of K to create a B byte string
        k.resize(self.block_bytes, 0);
        // (2)–(4) H(K XOR ipad, text)
        let mut inner: Vec<u8> = k.iter().map(|byte| byte ^ 0x36).collect();
        inner.extend_from_slice(message);
        let inner = self.digest(&inner);
        // (5)–(7) H(K XOR opad, H(K XOR ipad, text))
        let mut outer: Vec<u8> = k.iter().map(|byte| byte ^ 0x5c).collect();
        outer.extend_from_slice(&inner);
        self.digest(&outer)
    }
}

/// SHA-1.
pub static SHA1: Hash =
    Hash { name: "sha1", block_bytes: 64, digest_bytes: 20, initial: || State::Sha1(sha1::initial()) };
/// SHA-224.
pub static SHA224: Hash = Hash {
    name: "sha224",
    block_bytes: 64,
    digest_bytes: 28,
    initial: || State::Sha256(sha256::initial_224()),
};
/// SHA-256.
pub static SHA256: Hash = Hash {
    name: "sha256",
    block_bytes: 64,
    digest_bytes: 32,
    initial: || State::Sha256(sha256::initial_256()),
};
/// SHA-384.
pub static SHA384: Hash = Hash {
    name: "sha384",
    block_bytes: 128,
    digest_bytes: 48,
    initial: || State::Sha512(sha512::initial_384()),
};
/// SHA-512.
pub static SHA512: Hash = Hash {
    name: "sha512",
    block_bytes: 128,
    digest_bytes: 64,
    initial: || State::Sha512(sha512::initial_512()),
};
/// SHA-512/224.
pub static SHA512_224: Hash = Hash {
    name: "sha512_224",
    block_bytes: 128,
    digest_bytes: 28,
    initial: || State::Sha512(sha512::initial_512_224()),
};
/// SHA-512/256.
pub static SHA512_256: Hash = Hash {
    name: "sha512_256",
    block_bytes: 128,
    digest_bytes: 32,
    initial: || State::Sha512(sha512::initial_512_256()),
};

/// Every hash of FIPS 180-4, in the standard's order.
pub static ALL: [&Hash; 7] = [&SHA1, &SHA224, &SHA256, &SHA384, &SHA512, &SHA512_224, &SHA512_256];

/// Returns the hash of that name, or `None`: names are as in [`ALL`].
pub fn by_name(name: &str) -> Option<&'static Hash> {
    ALL.into_iter().find(|hash| hash.name == name)
}

/// SHA-1 of `message`: 20 bytes.
pub fn sha1(message: &[u8]) -> Vec<u8> {
    SHA1.digest(message)
}

/// SHA-224 of `message`: 28 bytes.
pub fn sha224(message: &[u8]) -> Vec<u8> {
    SHA224.digest(message)
}

/// SHA-256 of `message`: 32 bytes.
pub fn sha256(message: &[u8]) -> Vec<u8> {
    SHA256.digest(message)
}

/// SHA-384 of `message`: 48 bytes.
pub fn sha384(message: &[u8]) -> Vec<u8> {
    SHA384.digest(message)
}

/// SHA-512 of `message`: 64 bytes.
pub fn sha512(message: &[u8]) -> Vec<u8> {
    SHA512.digest(message)
}

/// SHA-512/224 of `message`: 28 bytes.
pub fn sha512_224(message: &[u8]) -> Vec<u8> {
    SHA512_224.digest(message)
}

/// SHA-512/256 of `message`: 32 bytes.
pub fn sha512_256(message: &[u8]) -> Vec<u8> {
    SHA512_256.digest(message)
}
