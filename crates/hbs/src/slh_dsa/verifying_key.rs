//! Public keys and verification: FIPS 205, sections 9.3 and 10.3.

use alloc::vec::Vec;
use core::fmt;

use super::error::Error;
use super::internal;
use super::message::Message;
use super::message_hash::MessageHash;
use super::params::ParameterSet;
use super::suite::with_suite;

/// The length of the longest public key.
const MAX_BYTES: usize = 64;

/// A public key: verifies signatures.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::slh_dsa::{Error, Message, ParameterSet, VerifyingKey};
///
/// let set: ParameterSet = "SLH-DSA-SHAKE-128s".parse()?;
/// let key = VerifyingKey::from_bytes(set, &[7; 32])?; // PK.seed, PK.root
/// assert_eq!(key.verify(&Message::new(b"message"), &[0; 7856]), Err(Error::Invalid));
/// let error = key.verify(&Message::new(b"message"), b"too short").unwrap_err();
/// assert_eq!(error.to_string(), "signature: 9 bytes instead of 7856");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    set: ParameterSet,
    bytes: [u8; MAX_BYTES],
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifyingKey").field("set", &self.set).field("bytes", &self.as_bytes()).finish()
    }
}

impl VerifyingKey {
    /// Reads PK.seed ‖ PK.root.
    ///
    /// # Errors
    /// [`Error::PublicKeyLength`] if the length is wrong.
    pub fn from_bytes(set: ParameterSet, bytes: &[u8]) -> Result<Self, Error> {
        let (given, expected) = (bytes.len(), set.public_key_bytes());
        if given != expected {
            return Err(Error::PublicKeyLength { given, expected });
        }
        let mut padded = [0; MAX_BYTES];
        padded[..given].copy_from_slice(bytes);
        Ok(Self { set, bytes: padded })
    }

    /// Returns PK.seed ‖ PK.root.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.set.public_key_bytes()]
    }

    /// Returns the parameter set.
    pub fn set(&self) -> ParameterSet {
        self.set
    }

    /// Verifies that `signature` is a signature of `message`: algorithms 24 and 25.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not valid; [`Error::SignatureLength`] if it cannot be a signature of this
    /// key.
    pub fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<(), Error> {
        self.verify_some(&[(message.clone(), signature)]).swap_remove(0)
    }

    /// Verifies many messages, each with its signature, in lanes; on all cores with the feature `rayon`.
    /// Returns the results in their order.
    ///
    /// ```
    /// # use hashlanes_hbs::slh_dsa::{Error, Message, ParameterSet, VerifyingKey};
    /// # let set: ParameterSet = "SLH-DSA-SHA2-128f".parse()?;
    /// # let key = VerifyingKey::from_bytes(set, &[7; 32])?;
    /// let results = key.verify_many(&[
    ///     (Message::new(b"one"), &[0; 17088]),
    ///     (Message::new(b"two"), &[1; 17088]),
    /// ]);
    /// assert!(results.iter().all(Result::is_err));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify_many(&self, claims: &[(Message<'_>, &[u8])]) -> Vec<Result<(), Error>> {
        #[cfg(feature = "rayon")]
        if crate::lanes::has_threads() {
            use rayon::prelude::*;
            /// Signatures for one thread: as many as go through the lanes together.
            const TOGETHER: usize = 16;
            return claims.par_chunks(TOGETHER).flat_map_iter(|claims| self.verify_some(claims)).collect();
        }
        self.verify_some(claims)
    }

    fn verify_some(&self, claims: &[(Message<'_>, &[u8])]) -> Vec<Result<(), Error>> {
        with_suite!(self.set, S => {
            let hashed = |(message, signature): &(Message<'_>, &[u8])| {
                let mut hash = internal::begin::<S>(self.as_bytes(), signature);
                message.encoded(|parts| parts.iter().for_each(|part| hash.update(part)));
                internal::end::<S>(self.set, hash)
            };
            let lengths: Vec<_> = claims.iter().map(|(_, signature)| self.check_length(signature)).collect();
            let fitting = claims.iter().zip(&lengths).filter(|(_, length)| length.is_ok());
            let fitting: Vec<_> = fitting.map(|(claim, _)| (hashed(claim), claim.1)).collect();
            let mut results =
                internal::verify_hashed::<S>(self.set, self.as_bytes(), &fitting).into_iter();
            let result = |length: Result<(), Error>| length.and_then(|()| results.next().expect("one for each"));
            lengths.into_iter().map(result).collect()
        })
    }

    /// Verifies a message that is read once, part by part: it is never in memory as a whole.
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::verify`] (a wrong length before the message is read);
    /// [`Error::ContextLength`] if the context string is too long; [`Error::Message`] if the message cannot
    /// be read.
    #[cfg(feature = "std")]
    pub fn verify_reader(
        &self,
        mut message: impl std::io::Read,
        context: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        use alloc::string::ToString;
        self.check_length(signature)?;
        let head = Message::new(b"").with_context(context)?;
        with_suite!(self.set, S => {
            let mut hash = internal::begin::<S>(self.as_bytes(), signature);
            head.encoded(|parts| parts.iter().for_each(|part| hash.update(part)));
            let read = crate::hash::feed(&mut message, &mut |part| hash.update(part));
            read.map_err(|error| Error::Message(error.to_string()))?;
            let claim = (internal::end::<S>(self.set, hash), signature);
            internal::verify_hashed::<S>(self.set, self.as_bytes(), &[claim]).swap_remove(0)
        })
    }

    /// # Errors
    /// [`Error::SignatureLength`] if the length is wrong.
    pub(super) fn check_length(&self, signature: &[u8]) -> Result<(), Error> {
        let (given, expected) = (signature.len(), self.set.signature_bytes());
        if given == expected { Ok(()) } else { Err(Error::SignatureLength { given, expected }) }
    }
}

/// Verifies without a context string.
#[cfg(feature = "signature")]
impl signature::Verifier<crate::Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &crate::Signature) -> Result<(), signature::Error> {
        VerifyingKey::verify(self, &Message::new(message), signature.as_ref())
            .map_err(|_| signature::Error::new())
    }
}
