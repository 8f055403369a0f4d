//! Verification of messages that arrive in parts, several at once.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use hashlanes_sha::algorithms::{Sha256, Sha512};

use super::error::Error;
use super::internal;
use super::message::{Message, PreHash, PreHasher};
use super::message_hash::MessageHash;
use super::params::Family;
use super::sha2::Sha2Message;
use super::shake::ShakeMessage;
use super::suite::with_suite;
use super::verifying_key::VerifyingKey;

/// The claim that a signature belongs to a message that arrives in parts.
///
/// ```
/// # use hashlanes_hbs::slh_dsa::{Claim, Error, VerifyingKey};
/// # let key = VerifyingKey::from_bytes("SLH-DSA-SHA2-128f".parse()?, &[7; 32])?;
/// let mut claim = Claim::new(&key, b"context", &[0; 17088])?;
/// claim.update(b"a ");
/// claim.update(b"message");
/// assert_eq!(claim.finish(), Err(Error::Invalid));
/// # Ok::<(), Error>(())
/// ```
pub struct Claim<'k> {
    key: &'k VerifyingKey,
    signature: Box<[u8]>,
    hash: AnyHash,
    /// For HashSLH-DSA the hash of the message, and the context string.
    pre_hash: Option<(PreHasher, Box<[u8]>)>,
}

/// H_msg for any set.
enum AnyHash {
    Sha256(Sha2Message<Sha256>),
    Sha512(Sha2Message<Sha512>),
    Shake(ShakeMessage),
}

impl core::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Claim").field("key", self.key).finish_non_exhaustive()
    }
}

impl<'k> Claim<'k> {
    /// Begins the message, with this context string (which may be empty).
    ///
    /// # Errors
    /// [`Error::SignatureLength`] or [`Error::ContextLength`] if a length is wrong.
    pub fn new(key: &'k VerifyingKey, context: &[u8], signature: &[u8]) -> Result<Self, Error> {
        let head = Message::new(b"").with_context(context)?;
        let mut claim = Self::begin(key, signature)?;
        head.encoded(|parts| claim.hash.update(parts));
        Ok(claim)
    }

    /// Begins a message that is hashed before: HashSLH-DSA.
    ///
    /// ```
    /// # use hashlanes_hbs::slh_dsa::{Claim, Digest, Error, Message, PreHash, Randomness, SigningKey};
    /// # let key = SigningKey::from_seeds("SLH-DSA-SHA2-128f".parse()?, &[1; 48])?;
    /// let digest = Digest::of(PreHash::Sha256, b"a message");
    /// let signature = key.sign(&Message::of_digest(digest), Randomness::Deterministic)?;
    /// let public = key.verifying_key();
    /// let mut claim = Claim::pre_hashed(&public, PreHash::Sha256, b"", signature.as_ref())?;
    /// claim.update(b"a message");
    /// assert_eq!(claim.finish(), Ok(()));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Claim::new`].
    pub fn pre_hashed(
        key: &'k VerifyingKey,
        function: PreHash,
        context: &[u8],
        signature: &[u8],
    ) -> Result<Self, Error> {
        Message::new(b"").with_context(context)?;
        let pre_hash = Some((function.hasher(), context.into()));
        Ok(Self { pre_hash, ..Self::begin(key, signature)? })
    }

    fn begin(key: &'k VerifyingKey, signature: &[u8]) -> Result<Self, Error> {
        key.check_length(signature)?;
        let n = key.set().n();
        let (r, (pk_seed, pk_root)) = (&signature[..n], key.as_bytes().split_at(n));
        let hash = match (key.set().family(), n) {
            (Family::Sha2, 16) => AnyHash::Sha256(MessageHash::new(r, pk_seed, pk_root)),
            (Family::Sha2, _) => AnyHash::Sha512(MessageHash::new(r, pk_seed, pk_root)),
            (Family::Shake, _) => AnyHash::Shake(MessageHash::new(r, pk_seed, pk_root)),
        };
        Ok(Self { key, signature: signature.into(), hash, pre_hash: None })
    }

    /// Absorbs the next part of the message.
    pub fn update(&mut self, part: &[u8]) {
        match &mut self.pre_hash {
            Some((hasher, _)) => hasher.update(part),
            None => self.hash.update(&[part]),
        }
    }

    /// Returns the signature, and the digest of H_msg.
    fn hashed(mut self) -> (Box<[u8]>, Vec<u8>) {
        if let Some((hasher, context)) = self.pre_hash {
            let message = Message::of_digest(hasher.finish()).with_context(&context);
            message.expect("its length was checked").encoded(|parts| self.hash.update(parts));
        }
        (self.signature, self.hash.finish(self.key.set().digest_bytes()))
    }

    /// Ends the message, and verifies the signature.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not a signature of the message.
    pub fn finish(self) -> Result<(), Error> {
        Self::finish_many(vec![self]).swap_remove(0)
    }

    /// Ends several messages. Signatures of one key that follow each other go through the lanes together.
    /// Returns the results in their order.
    pub fn finish_many(claims: Vec<Self>) -> Vec<Result<(), Error>> {
        let mut results = Vec::with_capacity(claims.len());
        let mut claims = claims.into_iter().peekable();
        while let Some(first) = claims.next() {
            let key = first.key;
            let mut of_key = vec![first];
            while let Some(claim) = claims.next_if(|next| next.key == key) {
                of_key.push(claim);
            }
            results.extend(Self::finish_of_key(key, of_key));
        }
        results
    }

    fn finish_of_key(key: &VerifyingKey, claims: Vec<Self>) -> Vec<Result<(), Error>> {
        let set = key.set();
        let (signatures, digests): (Vec<_>, Vec<_>) = claims.into_iter().map(Self::hashed).unzip();
        let hashed: Vec<(Vec<u8>, &[u8])> =
            digests.into_iter().zip(signatures.iter().map(|signature| &signature[..])).collect();
        with_suite!(set, S => internal::verify_hashed::<S>(set, key.as_bytes(), &hashed))
    }
}

impl AnyHash {
    fn update(&mut self, parts: &[&[u8]]) {
        for part in parts {
            match self {
                Self::Sha256(hash) => hash.update(part),
                Self::Sha512(hash) => hash.update(part),
                Self::Shake(hash) => hash.update(part),
            }
        }
    }

    fn finish(self, n_bytes: usize) -> Vec<u8> {
        let mut digest = vec![0; n_bytes];
        match self {
            Self::Sha256(hash) => hash.finish(&mut digest),
            Self::Sha512(hash) => hash.finish(&mut digest),
            Self::Shake(hash) => hash.finish(&mut digest),
        }
        digest
    }
}
