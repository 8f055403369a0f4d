//! Public keys: RFC 8554, sections 5.3 and 6.1; verification: algorithms 6 and 10.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use super::hash::MessageHash;
use super::hss::{self, Parts};
use super::params::{Level, MAX_LEVELS};
use super::tree::TreeKey;
use crate::Error;

/// A public key of HSS, or of LMS alone.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::{Error, lms::VerifyingKey};
///
/// // HSS: the number of levels, then the topmost tree's key: its types, its identifier, its root.
/// let bytes = [&[0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 4][..], &[7; 16 + 32]].concat();
/// let key = VerifyingKey::from_bytes(&bytes)?;
/// assert_eq!((key.n_levels(), key.top().to_string()), (1, "LMS_SHA256_M32_H5_W8".into()));
/// assert_eq!(key.to_bytes(), bytes);
/// let error = key.verify(b"message", b"too short").unwrap_err();
/// assert_eq!(error.to_string(), "the signature is not valid");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    /// L; `None` for a key of LMS alone.
    n_levels: Option<u32>,
    level: Level,
    bytes: Box<[u8]>,
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut key = f.debug_struct("VerifyingKey");
        key.field("n_levels", &self.n_levels).field("level", &self.level).finish_non_exhaustive()
    }
}

impl VerifyingKey {
    /// Reads u32str(L) ‖ the topmost tree's key, or the key of LMS alone; the length shows which.
    ///
    /// # Errors
    /// [`Error::PublicKeyLength`], [`Error::Typecode`]; [`Error::Levels`] if L is not 1 to 8.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        // A key of LMS has 24 bytes and a root of 24 or 32.
        let is_lms = bytes.len() == 48 || bytes.len() == 56;
        let (n_levels, tree) = if is_lms {
            (None, bytes)
        } else {
            let too_short = Error::PublicKeyLength { given: bytes.len(), expected: 52 };
            let (n_levels, tree) = bytes.split_first_chunk().ok_or(too_short)?;
            (Some(u32::from_be_bytes(*n_levels)), tree)
        };
        if n_levels.is_some_and(|n| !(1..=MAX_LEVELS as u32).contains(&n)) {
            return Err(Error::Levels("public key: a number of levels that is not 1 to 8"));
        }
        let (key, length) = TreeKey::of_start(tree)?;
        let expected = length + if is_lms { 0 } else { 4 };
        if bytes.len() != expected {
            return Err(Error::PublicKeyLength { given: bytes.len(), expected });
        }
        Ok(Self { n_levels, level: key.level, bytes: bytes.into() })
    }

    /// Returns the bytes that [`VerifyingKey::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    /// Returns L: the levels of trees; 1 for a key of LMS alone.
    pub fn n_levels(&self) -> u32 {
        self.n_levels.unwrap_or(1)
    }
    /// Returns the length in bytes of the longest possible signature: only signatures hold the parameters of
    /// lower trees.
    pub fn longest_signature(&self) -> usize {
        let of_level = |level: Level| level.signature_bytes();
        let lower =
            Level::all().map(|level| level.public_key_bytes() + of_level(level)).max().expect("a level");
        of_level(self.level) + self.n_levels.map_or(0, |n_levels| 4 + (n_levels as usize - 1) * lower)
    }
    /// Returns whether it is a key of HSS, not of LMS alone: its signatures then begin with the number of
    /// levels.
    pub fn is_hss(&self) -> bool {
        self.n_levels.is_some()
    }
    /// Returns the parameters of the topmost tree; signatures hold those of the others.
    pub fn top(&self) -> Level {
        self.level
    }

    /// Creates the key of a topmost tree's SEED ‖ I and root.
    #[cfg(any(feature = "hazmat", feature = "store"))]
    pub(crate) fn of_seeds(set: &super::ParameterSet, seeds: &[u8], root: &[u8]) -> Self {
        let n_levels = set.levels().len() as u32;
        let identifier = seeds[set.n()..].try_into().expect("16 bytes");
        let tree = TreeKey { level: set.levels()[0], identifier, root }.to_bytes();
        let bytes = [&n_levels.to_be_bytes()[..], &tree].concat();
        Self { n_levels: Some(n_levels), level: set.levels()[0], bytes: bytes.into() }
    }

    fn top_key(&self) -> TreeKey<'_> {
        let start = if self.n_levels.is_some() { 4 } else { 0 };
        TreeKey::of_start(&self.bytes[start..]).expect("it was read before").0
    }

    pub(crate) fn parts<'a>(&'a self, signature: &'a [u8]) -> Result<Parts<'a>, Error> {
        Parts::of(self.top_key(), self.n_levels, signature)
    }

    /// Returns the number of a signature among all of the key, as encoded in it; the greatest number if it
    /// does not fit.
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::verify`] if it cannot be a signature of this key.
    pub fn index_of(&self, signature: &[u8]) -> Result<u64, Error> {
        Ok(self.parts(signature)?.index())
    }

    /// Verifies that `signature` is a signature of `message`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not valid; [`Error::SignatureLength`] and [`Error::Index`] if it cannot be
    /// a signature of this key.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_some(&[(message, signature)]).swap_remove(0)
    }

    /// Verifies many messages, each with its signature, in lanes; on all cores with the feature `rayon`.
    /// Returns the results in their order.
    pub fn verify_many(&self, claims: &[(&[u8], &[u8])]) -> Vec<Result<(), Error>> {
        #[cfg(feature = "rayon")]
        if crate::lanes::has_threads() {
            use rayon::prelude::*;
            /// Signatures for one thread: as many as go through the lanes together.
            const TOGETHER: usize = 16;
            return claims.par_chunks(TOGETHER).flat_map_iter(|claims| self.verify_some(claims)).collect();
        }
        self.verify_some(claims)
    }

    fn verify_some(&self, claims: &[(&[u8], &[u8])]) -> Vec<Result<(), Error>> {
        let mut read = Vec::with_capacity(claims.len());
        let mut results: Vec<Result<(), Error>> = Vec::with_capacity(claims.len());
        for (message, signature) in claims {
            let parts = self.parts(signature).map(|parts| {
                let mut hash = parts.begin();
                hash.update(message);
                read.push((parts, hash.finish()));
            });
            results.push(parts);
        }
        let mut verified = hss::verify_many(&read).into_iter();
        let readable = results.iter_mut().filter(|result| result.is_ok());
        readable.for_each(|result| *result = verified.next().expect("one for each"));
        results
    }

    /// Verifies a message that is read once, part by part: it is never in memory as a whole.
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::verify`] (a wrong length or index before the message is read);
    /// [`Error::Message`] if the message cannot be read.
    #[cfg(feature = "std")]
    pub fn verify_reader(&self, mut message: impl std::io::Read, signature: &[u8]) -> Result<(), Error> {
        let mut claim = Claim::new(self, signature)?;
        let read = crate::hash::feed(&mut message, &mut |part| claim.update(part));
        read.map_err(|error| Error::Message(alloc::string::ToString::to_string(&error)))?;
        claim.finish()
    }
}

/// The claim that a signature belongs to a message that arrives in parts.
///
/// ```
/// # use hashlanes_hbs::{Error, lms::{Claim, VerifyingKey}};
/// # let key = VerifyingKey::from_bytes(&[&[0, 0, 0, 5, 0, 0, 0, 4][..], &[7; 16 + 32]].concat())?;
/// # let signature = [&[0, 0, 0, 9, 0, 0, 0, 4][..], &[0; 1120], &[0, 0, 0, 5], &[0; 160]].concat();
/// let mut claim = Claim::new(&key, &signature)?;
/// claim.update(b"a ");
/// claim.update(b"message");
/// assert_eq!(claim.index(), 9);
/// assert_eq!(claim.finish(), Err(Error::Invalid));
/// # Ok::<(), Error>(())
/// ```
pub struct Claim<'k> {
    key: &'k VerifyingKey,
    signature: Box<[u8]>,
    index: u64,
    hash: MessageHash,
}

impl fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("key", self.key).finish_non_exhaustive()
    }
}

impl<'k> Claim<'k> {
    /// Begins the message.
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::verify`] if it cannot be a signature of this key.
    pub fn new(key: &'k VerifyingKey, signature: &[u8]) -> Result<Self, Error> {
        let parts = key.parts(signature)?;
        let (index, hash) = (parts.index(), parts.begin());
        Ok(Self { key, signature: signature.into(), index, hash })
    }

    /// Returns the number of the signature: see [`VerifyingKey::index_of`].
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, part: &[u8]) {
        self.hash.update(part);
    }

    /// Absorbs the next parts of several messages; those over SHA-256 go through the lanes together.
    pub fn update_many(parts: &mut [(&mut Self, &[u8])]) {
        let mut of_sha256 = Vec::with_capacity(parts.len());
        for (claim, part) in parts {
            match &mut claim.hash {
                MessageHash::Sha256(hash) => of_sha256.push((hash, *part)),
                MessageHash::Shake256(hash) => hash.update(part),
            }
        }
        hashlanes_sha::sha256_update_many(&mut of_sha256);
    }

    /// Ends the message, and verifies the signature.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not a signature of the message.
    pub fn finish(self) -> Result<(), Error> {
        Self::finish_many(alloc::vec![self]).swap_remove(0)
    }

    /// Ends several messages. Their signatures go through the lanes together. Returns the results in their
    /// order.
    pub fn finish_many(claims: Vec<Self>) -> Vec<Result<(), Error>> {
        let (signatures, hashes): (Vec<_>, Vec<_>) =
            claims.into_iter().map(|claim| ((claim.key, claim.signature), claim.hash.finish())).unzip();
        let read: Vec<_> = (signatures.iter().zip(hashes))
            .map(|((key, signature), hash)| (key.parts(signature).expect("it was read before"), hash))
            .collect();
        hss::verify_many(&read)
    }
}

#[cfg(feature = "signature")]
impl signature::Verifier<crate::Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &crate::Signature) -> Result<(), signature::Error> {
        VerifyingKey::verify(self, message, signature.as_ref()).map_err(|_| signature::Error::new())
    }
}
