//! Secrets encrypted under a passphrase: Argon2id (RFC 9106) derives the key, AEGIS-256 (RFC 10032) encrypts.
//!
//! ```text
//! bytes    field
//! 16       "hashlanes sealed"
//! 4        version, 1
//! 4        Argon2id: memory in KiB
//! 4        Argon2id: passes over the memory
//! 4        Argon2id: lanes
//! 32       salt, random
//! any      ciphertext, as long as the secret
//! 32       tag, which also covers the fields above
//! ```
//!
//! Argon2id's 64 bytes of output are the key and the nonce of AEGIS-256. Each encryption has its own salt, so
//! no pair of them occurs twice. The tag of 256 bits commits to the key: no ciphertext has two passphrases.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use hashlanes_aes::aegis::Aegis256;
use zeroize::{Zeroize, Zeroizing};

const MAGIC: &[u8; 16] = b"hashlanes sealed";
const VERSION: u32 = 1;
const SALT_BYTES: usize = 32;
const HEAD_BYTES: usize = 32 + SALT_BYTES;
const TAG_BYTES: usize = 32;
const KEY_BYTES: usize = 32;

/// A passphrase, and what a guess of it costs. It is overwritten when the last clone is dropped.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::passphrase::{Cost, Error, Passphrase};
///
/// let passphrase = Passphrase::new(*b"correct horse battery staple")?.cost(Cost::new(64, 1, 1)?);
/// let sealed = passphrase.seal(b"secret")?;
/// assert_eq!(**passphrase.open(&sealed)?, *b"secret");
/// assert_eq!(Passphrase::new(*b"another")?.open(&sealed), Err(Error::WrongPassphrase));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Passphrase {
    bytes: Arc<Zeroizing<Vec<u8>>>,
    cost: Cost,
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passphrase").field("cost", &self.cost).finish_non_exhaustive()
    }
}

/// The memory and time that Argon2id takes for a passphrase, and for each guess of it.
///
/// The default is the second recommended option of RFC 9106, section 4: 64 MiB, three passes, four lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cost {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

impl Default for Cost {
    fn default() -> Self {
        Self { memory_kib: 64 << 10, passes: 3, lanes: 4 }
    }
}

impl Cost {
    /// The most memory: 4 GiB. A file that asks for more is refused.
    pub const MAX_MEMORY_KIB: u32 = 4 << 20;
    /// The most passes.
    pub const MAX_PASSES: u32 = 64;
    /// The most lanes.
    pub const MAX_LANES: u32 = 64;

    /// Returns a cost. The memory is in KiB, at least 8 for each lane.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::passphrase::Cost;
    ///
    /// assert_eq!(Cost::new(64 << 10, 3, 4)?, Cost::default());
    /// assert!(Cost::new(31, 3, 4).is_err());
    /// # Ok::<(), hashlanes::hbs::passphrase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Cost`] if a number is 0 or above the most, or if the memory is too small for the lanes.
    pub fn new(memory_kib: u32, passes: u32, lanes: u32) -> Result<Self, Error> {
        let is_right = (1..=Self::MAX_LANES).contains(&lanes)
            && (1..=Self::MAX_PASSES).contains(&passes)
            && (8 * lanes..=Self::MAX_MEMORY_KIB).contains(&memory_kib);
        if is_right { Ok(Self { memory_kib, passes, lanes }) } else { Err(Error::Cost) }
    }
}

/// Why something cannot be encrypted or decrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The passphrase is empty.
    Empty,
    /// The cost is out of range.
    Cost,
    /// Argon2id's memory cannot be allocated.
    Memory {
        /// In KiB.
        kib: u32,
    },
    /// The bytes are not an encrypted secret, or they are truncated.
    Format(&'static str),
    /// A newer program wrote this version of the format.
    Version(u32),
    /// The passphrase is wrong, or the bytes were changed.
    WrongPassphrase,
    /// The system's source of random numbers failed.
    Random(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the passphrase is empty"),
            Self::Cost => write!(
                f,
                "the cost of Argon2id is out of range; at least 8 KiB of memory for each lane, at most {} GiB, {} \
                 passes, {} lanes",
                Cost::MAX_MEMORY_KIB >> 20,
                Cost::MAX_PASSES,
                Cost::MAX_LANES
            ),
            Self::Memory { kib } => write!(f, "{} MiB of memory for Argon2id cannot be allocated", kib >> 10),
            Self::Format(why) => write!(f, "the encrypted key {why}"),
            Self::Version(found) => {
                write!(f, "the encrypted key has the unknown version {found}; a newer program wrote it")
            }
            Self::WrongPassphrase => f.write_str("the passphrase is wrong, or the encrypted key was changed"),
            Self::Random(why) => write!(f, "the system's source of random numbers failed: {why}"),
        }
    }
}

impl core::error::Error for Error {}

/// Returns whether bytes begin like the result of [`Passphrase::seal`].
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// assert!(!hashlanes::hbs::passphrase::is_sealed(b"-----BEGIN PRIVATE KEY-----"));
/// ```
pub fn is_sealed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl Passphrase {
    /// Takes the bytes of a passphrase, with the default cost.
    ///
    /// # Errors
    /// [`Error::Empty`].
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let bytes = Zeroizing::new(bytes.into());
        if bytes.is_empty() {
            return Err(Error::Empty);
        }
        Ok(Self { bytes: Arc::new(bytes), cost: Cost::default() })
    }

    /// Sets the cost of encryptions from now on. A decryption has the cost that the encryption had.
    #[must_use]
    pub fn cost(mut self, cost: Cost) -> Self {
        self.cost = cost;
        self
    }

    /// Encrypts a secret with a new salt.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::Memory`].
    pub fn seal(&self, secret: &[u8]) -> Result<Vec<u8>, Error> {
        let mut salt = [0; SALT_BYTES];
        getrandom::fill(&mut salt).map_err(|error| Error::Random(error.to_string()))?;
        self.seal_with_salt(secret, &salt)
    }

    fn seal_with_salt(&self, secret: &[u8], salt: &[u8; SALT_BYTES]) -> Result<Vec<u8>, Error> {
        let Cost { memory_kib, passes, lanes } = self.cost;
        let mut sealed = Vec::with_capacity(HEAD_BYTES + secret.len() + TAG_BYTES);
        sealed.extend_from_slice(MAGIC);
        [VERSION, memory_kib, passes, lanes]
            .iter()
            .for_each(|number| sealed.extend_from_slice(&number.to_be_bytes()));
        sealed.extend_from_slice(salt);
        let (cipher, nonce) = self.derive(self.cost, salt)?;
        let head = sealed.clone();
        sealed.resize(HEAD_BYTES + secret.len(), 0);
        let tag = cipher.encrypt(&nonce, &head, secret, &mut sealed[HEAD_BYTES..]);
        sealed.extend_from_slice(&tag.expect("a short secret"));
        Ok(sealed)
    }

    /// Decrypts a secret.
    ///
    /// # Errors
    /// [`Error::WrongPassphrase`]; [`Error::Format`], [`Error::Version`], [`Error::Cost`], [`Error::Memory`].
    pub fn open(&self, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (head, rest) = sealed.split_first_chunk::<HEAD_BYTES>().ok_or(Error::Format("is truncated"))?;
        if !is_sealed(head) {
            return Err(Error::Format("is another kind of file"));
        }
        let number = |at: usize| u32::from_be_bytes(*head[at..].first_chunk().expect("within the head"));
        if number(16) != VERSION {
            return Err(Error::Version(number(16)));
        }
        let cost = Cost::new(number(20), number(24), number(28))?;
        let (text, tag) = rest.split_last_chunk::<TAG_BYTES>().ok_or(Error::Format("is truncated"))?;
        let (cipher, nonce) = self.derive(cost, head.last_chunk().expect("the salt"))?;
        let mut secret = Zeroizing::new(text.to_vec());
        match cipher.decrypt_in_place(&nonce, head, &mut secret, tag) {
            Ok(()) => Ok(secret),
            Err(_) => Err(Error::WrongPassphrase),
        }
    }

    /// Derives the key, and the nonce.
    fn derive(
        &self,
        cost: Cost,
        salt: &[u8; SALT_BYTES],
    ) -> Result<(Aegis256, Zeroizing<[u8; KEY_BYTES]>), Error> {
        const OUTPUT_BYTES: usize = 2 * KEY_BYTES;
        let Cost { memory_kib, passes, lanes } = cost;
        let params = Params::new(memory_kib, passes, lanes, Some(OUTPUT_BYTES)).map_err(|_| Error::Cost)?;
        let mut memory = Memory(Vec::new());
        let n_blocks = params.block_count();
        memory.0.try_reserve_exact(n_blocks).map_err(|_| Error::Memory { kib: memory_kib })?;
        memory.0.resize(n_blocks, Block::new());
        let mut output = Zeroizing::new([0; OUTPUT_BYTES]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into_with_memory(&self.bytes, salt, &mut *output, &mut memory.0)
            // The salt and the output have lengths that Argon2 allows: the passphrase is too long.
            .map_err(|_| Error::Format("has a passphrase of 4 GiB or more"))?;
        let nonce = Zeroizing::new(*output.last_chunk().expect("64 bytes"));
        Ok((Aegis256::new(output.first_chunk().expect("64 bytes")), nonce))
    }
}

/// Argon2id's blocks, which are overwritten when dropped: the last ones determine the key.
struct Memory(Vec<Block>);

impl Drop for Memory {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(Zeroize::zeroize);
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn passphrase(bytes: &[u8]) -> Passphrase {
        Passphrase::new(bytes).unwrap().cost(Cost::new(32, 1, 2).unwrap())
    }

    #[test]
    fn what_is_sealed_is_opened_with_the_passphrase_alone() {
        for length in [0, 1, 15, 16, 200, 5000] {
            let secret: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            let sealed = passphrase(b"one").seal(&secret).unwrap();
            assert!(is_sealed(&sealed));
            assert_eq!(sealed.len(), HEAD_BYTES + secret.len() + TAG_BYTES);
            assert_eq!(*passphrase(b"one").open(&sealed).unwrap(), secret);
            for other in ["One", "one ", "on", "one\0"] {
                assert_eq!(
                    passphrase(other.as_bytes()).open(&sealed),
                    Err(Error::WrongPassphrase),
                    "{other}"
                );
            }
            assert_ne!(passphrase(b"one").seal(&secret).unwrap(), sealed, "the salt is random");
        }
        assert_eq!(Passphrase::new(*b"").map(drop), Err(Error::Empty));
    }

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
        let sealed = passphrase(b"one").seal(b"a secret").unwrap();
        for at in 0..sealed.len() {
            // A changed cost may ask for much: only the lowest bits of these numbers are changed.
            let mut changed = sealed.clone();
            changed[at] ^= if (20..32).contains(&at) && at % 4 != 3 { 0x80 } else { 1 };
            assert!(passphrase(b"one").open(&changed).is_err(), "byte {at}");
            assert!(passphrase(b"one").open(&sealed[..at]).is_err(), "{at} bytes");
        }
        assert_eq!(passphrase(b"one").open(&[&sealed[..], &[0]].concat()), Err(Error::WrongPassphrase));
    }

    #[test]
    fn costs_out_of_range_are_refused() {
        for (memory, passes, lanes) in [
            (0, 1, 1),
            (7, 1, 1),
            (15, 1, 2),
            (8, 0, 1),
            (8, 1, 0),
            (8, 65, 1),
            ((4 << 20) + 1, 1, 1),
            (u32::MAX, 1, 65),
        ] {
            assert_eq!(Cost::new(memory, passes, lanes), Err(Error::Cost), "{memory} {passes} {lanes}");
        }
        let mut sealed = passphrase(b"one").seal(b"").unwrap();
        sealed[16..20].copy_from_slice(&2_u32.to_be_bytes());
        assert_eq!(passphrase(b"one").open(&sealed), Err(Error::Version(2)));
        sealed[0] ^= 1;
        assert_eq!(passphrase(b"one").open(&sealed), Err(Error::Format("is another kind of file")));
        assert_eq!(format!("{:?}", passphrase(b"one")).find("one"), None);
    }

    /// Computed by other implementations of Argon2id and AEGIS-256: `tests/store/sealed.py`.
    #[test]
    fn the_format_does_not_change() {
        let sealed = passphrase(b"one").seal_with_salt(b"a secret", &[7; SALT_BYTES]).unwrap();
        let hex: String = sealed[HEAD_BYTES..].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "3e98bb6d1b12364f14d2e928a86f764416572d6f5030de70fc6c4a49158e6ebf4caf763eb2a21866");
        assert_eq!(**passphrase(b"one").open(&sealed).unwrap(), *b"a secret");
    }
}
