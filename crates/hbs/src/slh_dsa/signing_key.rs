//! Private keys: FIPS 205, sections 9.1, 10.1 and 10.2.1.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use super::error::Error;
use super::internal;
use super::message::Message;
use super::message_hash::Feed;
use super::params::ParameterSet;
use super::suite::with_suite;
use super::verifying_key::VerifyingKey;
use crate::Signature;

/// The source of a signature's random value.
///
/// All three are secure. A hedged signature differs each time, which hinders attacks by faults and side
/// channels.
#[derive(Clone, Copy, Debug)]
pub enum Randomness<'a> {
    /// No random value: the same message always has the same signature.
    Deterministic,
    /// These n bytes, which must be fresh for each signature.
    Given(&'a [u8]),
    /// The system's source of random numbers.
    #[cfg(feature = "getrandom")]
    System,
}

/// A private key. Signing needs no state. Overwritten when dropped.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::slh_dsa::{Error, Message, ParameterSet, Randomness, SigningKey};
///
/// let set: ParameterSet = "SLH-DSA-SHA2-128f".parse()?;
/// # let seeds = [1; 48];
/// // SK.seed, SK.prf and PK.seed: 3n random bytes. With the feature `getrandom`: `SigningKey::generate(set)`.
/// let key = SigningKey::from_seeds(set, &seeds)?;
///
/// let message = Message::new(b"a message");
/// let signature = key.sign(&message, Randomness::Deterministic)?;
/// assert_eq!(key.verifying_key().verify(&message, signature.as_ref()), Ok(()));
/// let other = Message::new(b"another");
/// assert_eq!(key.verifying_key().verify(&other, signature.as_ref()), Err(Error::Invalid));
/// # Ok::<(), Error>(())
/// ```
pub struct SigningKey {
    set: ParameterSet,
    /// SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root.
    bytes: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("set", &self.set).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// Generates a key: algorithm 21.
    ///
    /// # Errors
    /// [`Error::Random`] if the system's source of random numbers fails.
    #[cfg(feature = "getrandom")]
    pub fn generate(set: ParameterSet) -> Result<Self, Error> {
        let mut seeds = Zeroizing::new(alloc::vec![0; 3 * set.n()]);
        fill(&mut seeds)?;
        Self::from_seeds(set, &seeds)
    }

    /// Generates the key of the seeds SK.seed ‖ SK.prf ‖ PK.seed: algorithm 18.
    ///
    /// # Errors
    /// [`Error::PrivateKeyLength`] if the seeds have another length.
    pub fn from_seeds(set: ParameterSet, seeds: &[u8]) -> Result<Self, Error> {
        let (given, expected) = (seeds.len(), 3 * set.n());
        if given != expected {
            return Err(Error::PrivateKeyLength { given, expected });
        }
        // Allocated with its full length: a vector that grows leaves a copy.
        let mut bytes = Zeroizing::new(Vec::with_capacity(set.private_key_bytes()));
        bytes.extend_from_slice(seeds);
        let root = with_suite!(set, S => internal::root::<S>(set, &seeds[..set.n()], &seeds[2 * set.n()..]));
        bytes.extend_from_slice(&root);
        Ok(Self { set, bytes })
    }

    /// Reads SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root. The root is not computed: see [`SigningKey::check`].
    ///
    /// # Errors
    /// [`Error::PrivateKeyLength`] if the length is wrong.
    pub fn from_bytes(set: ParameterSet, bytes: &[u8]) -> Result<Self, Error> {
        let (given, expected) = (bytes.len(), set.private_key_bytes());
        if given != expected {
            return Err(Error::PrivateKeyLength { given, expected });
        }
        Ok(Self { set, bytes: Zeroizing::new(bytes.to_vec()) })
    }

    /// Computes the root again and compares it; takes as long as key generation.
    ///
    /// # Errors
    /// [`Error::OtherRoot`] if the root differs.
    pub fn check(&self) -> Result<(), Error> {
        let other = Self::from_seeds(self.set, &self.bytes[..3 * self.set.n()])?;
        if *other.bytes == *self.bytes { Ok(()) } else { Err(Error::OtherRoot) }
    }

    /// Returns SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the parameter set.
    pub fn set(&self) -> ParameterSet {
        self.set
    }

    /// Returns the public key.
    pub fn verifying_key(&self) -> VerifyingKey {
        let public = &self.bytes[2 * self.set.n()..];
        VerifyingKey::from_bytes(self.set, public).expect("half of a private key")
    }

    /// Signs a message: algorithms 22 and 23.
    ///
    /// # Errors
    /// [`Error::RandomLength`] if a given random value has a wrong length; [`Error::Random`] if the system's
    /// source fails.
    pub fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Signature, Error> {
        message.encoded(|parts| {
            self.sign_fed(randomness, &mut |sink| {
                parts.iter().for_each(|part| sink(part));
                Ok(())
            })
        })
    }

    /// Signs a message that is read twice, part by part: it is never in memory as a whole.
    ///
    /// ```
    /// # use hashlanes_hbs::slh_dsa::{Error, Message, Randomness, SigningKey};
    /// # let key = SigningKey::from_seeds("SLH-DSA-SHA2-128f".parse()?, &[1; 48])?;
    /// let mut file = std::io::Cursor::new(b"from a file");
    /// let signature = key.sign_reader(&mut file, b"", Randomness::Deterministic)?;
    /// assert_eq!(key.sign(&Message::new(b"from a file"), Randomness::Deterministic)?, signature);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`SigningKey::sign`]; [`Error::ContextLength`] if the context string is too long;
    /// [`Error::Message`] if the message cannot be read.
    #[cfg(feature = "std")]
    pub fn sign_reader(
        &self,
        mut message: impl std::io::Read + std::io::Seek,
        context: &[u8],
        randomness: Randomness<'_>,
    ) -> Result<Signature, Error> {
        use alloc::string::ToString;
        let head = Message::new(b"").with_context(context)?;
        head.encoded(|parts| {
            self.sign_fed(randomness, &mut |sink| {
                parts.iter().for_each(|part| sink(part));
                let read = message.rewind().and_then(|()| crate::hash::feed(&mut message, sink));
                read.map_err(|error| Error::Message(error.to_string()))
            })
        })
    }

    fn sign_fed(&self, randomness: Randomness<'_>, feed: &mut Feed<'_, Error>) -> Result<Signature, Error> {
        let n = self.set.n();
        #[cfg(feature = "getrandom")]
        let mut random = Zeroizing::new(alloc::vec![0; n]);
        let opt_rand: &[u8] = match randomness {
            Randomness::Deterministic => &self.bytes[2 * n..3 * n],
            Randomness::Given(random) if random.len() == n => random,
            Randomness::Given(random) => {
                return Err(Error::RandomLength { given: random.len(), expected: n });
            }
            #[cfg(feature = "getrandom")]
            Randomness::System => {
                fill(&mut random)?;
                &random
            }
        };
        with_suite!(self.set, S => {
            Ok(internal::sign::<S, Error>(self.set, &self.bytes, opt_rand, feed)?.into())
        })
    }
}

#[cfg(feature = "getrandom")]
fn fill(bytes: &mut [u8]) -> Result<(), Error> {
    use alloc::string::ToString;
    getrandom::fill(bytes).map_err(|error| Error::Random(error.to_string()))
}

/// Signs without a context string, deterministically.
#[cfg(feature = "signature")]
impl signature::Signer<Signature> for SigningKey {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
        self.sign(&Message::new(message), Randomness::Deterministic).map_err(signature::Error::from_source)
    }
}

#[cfg(feature = "signature")]
impl signature::Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        SigningKey::verifying_key(self)
    }
}
