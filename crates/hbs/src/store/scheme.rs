//! The supported schemes: XMSS and XMSS^MT, LMS and HSS. The rest of the store is independent of the scheme.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

use crate::hazmat::forest::Shape;
use crate::hazmat::key_generation;
use crate::hazmat::shelf::Shelf;
use crate::hazmat::signer::{self, Check, Feed};
use crate::hazmat::{KeyGeneration, Progress, shape_of};
use crate::lms::key_generation as lms_generation;
use crate::lms::{secret_trees, signer as lms_signer};
use crate::xmss_mt::Parts;
use crate::{Error, ParameterSet, Signature, VerifyingKey, lms};

/// The parameter set of a kept key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeySet {
    /// XMSS or XMSS^MT.
    Xmss(ParameterSet),
    /// LMS or HSS.
    Lms(lms::ParameterSet),
}

impl KeySet {
    /// Returns the number of signatures that a key can make.
    pub fn signatures(&self) -> u64 {
        match self {
            Self::Xmss(set) => set.signatures(),
            Self::Lms(set) => set.signatures(),
        }
    }

    /// Returns the length of a signature in bytes.
    pub fn signature_bytes(&self) -> usize {
        match self {
            Self::Xmss(set) => set.signature_bytes(),
            Self::Lms(set) => set.signature_bytes(),
        }
    }

    /// Returns the length of a node in bytes.
    pub(super) fn n(&self) -> usize {
        match self {
            Self::Xmss(set) => set.n(),
            Self::Lms(set) => set.n(),
        }
    }

    /// Returns the length in bytes of the seeds: S_XMSS ‖ SK_PRF ‖ SEED, or SEED ‖ I.
    pub(super) fn seeds_bytes(&self) -> usize {
        match self {
            Self::Xmss(set) => 3 * set.n(),
            Self::Lms(set) => lms_generation::seeds_bytes(set),
        }
    }

    /// Returns the length in bytes of the secret seeds.
    pub(super) fn secret<'s>(&self, seeds: &'s [u8]) -> &'s [u8] {
        match self {
            Self::Xmss(set) => &seeds[..2 * set.n()],
            Self::Lms(set) => &seeds[..set.n()],
        }
    }

    pub(super) fn shape(&self) -> Shape {
        match self {
            Self::Xmss(set) => shape_of(*set),
            Self::Lms(set) => secret_trees::shape_of(set),
        }
    }

    /// Returns the public key of these seeds and this root.
    pub(super) fn public_key(&self, seeds: &[u8], root: &[u8]) -> PublicKey {
        match self {
            Self::Xmss(set) => VerifyingKey::new(*set, root, &seeds[2 * set.n()..]).into(),
            Self::Lms(set) => lms::VerifyingKey::of_seeds(set, seeds, root).into(),
        }
    }
}

/// Returns the name of the set.
impl fmt::Display for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Xmss(set) => set.fmt(f),
            Self::Lms(set) => set.fmt(f),
        }
    }
}

impl From<ParameterSet> for KeySet {
    fn from(set: ParameterSet) -> Self {
        Self::Xmss(set)
    }
}

impl From<lms::ParameterSet> for KeySet {
    fn from(set: lms::ParameterSet) -> Self {
        Self::Lms(set)
    }
}

/// The public key of a kept key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicKey {
    /// A key of XMSS or XMSS^MT.
    Xmss(VerifyingKey),
    /// A key of LMS or HSS.
    Lms(lms::VerifyingKey),
}

impl PublicKey {
    /// Verifies that `signature` is a signature of `message`.
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::verify`] and [`lms::VerifyingKey::verify`].
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        match self {
            Self::Xmss(key) => key.verify(message, signature),
            Self::Lms(key) => key.verify(message, signature),
        }
    }

    /// Verifies many messages, each with its signature, in lanes. Returns the results in their order.
    pub fn verify_many(&self, claims: &[(&[u8], &[u8])]) -> Vec<Result<(), Error>> {
        match self {
            Self::Xmss(key) => key.verify_many(claims),
            Self::Lms(key) => key.verify_many(claims),
        }
    }

    /// Verifies a message that is read once, part by part: it is never in memory as a whole.
    ///
    /// # Errors
    /// The errors of [`PublicKey::verify`] (a wrong length or index before the message is read);
    /// [`Error::Message`] if the message cannot be read.
    pub fn verify_reader(&self, message: impl std::io::Read, signature: &[u8]) -> Result<(), Error> {
        match self {
            Self::Xmss(key) => key.verify_reader(message, signature),
            Self::Lms(key) => key.verify_reader(message, signature),
        }
    }

    /// Returns the index in a signature.
    ///
    /// # Errors
    /// [`Error::SignatureLength`], [`Error::Index`] and the like, if it cannot be a signature of this key.
    pub fn index_of(&self, signature: &[u8]) -> Result<u64, Error> {
        match self {
            Self::Xmss(key) => Ok(Parts::of(&key.set(), signature)?.index),
            Self::Lms(key) => key.index_of(signature),
        }
    }

    /// Returns the raw key.
    ///
    /// See [`VerifyingKey::to_bytes`] and [`lms::VerifyingKey::to_bytes`].
    ///
    /// # Panics
    /// Panics if the set has no OID, like [`VerifyingKey::to_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Xmss(key) => key.to_bytes(),
            Self::Lms(key) => key.to_bytes(),
        }
    }

    /// Returns the key as a SubjectPublicKeyInfo in DER (RFC 9802).
    ///
    /// # Errors
    /// [`Error::Spki`] for a key of LMS alone, which the store does not support.
    ///
    /// # Panics
    /// Panics if the set has no OID, like [`VerifyingKey::to_bytes`].
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        match self {
            Self::Xmss(key) => Ok(key.to_spki_der()),
            Self::Lms(key) => key.to_spki_der(),
        }
    }

    /// Returns the key as a SubjectPublicKeyInfo in PEM.
    ///
    /// # Errors
    /// The errors of [`PublicKey::to_spki_der`].
    ///
    /// # Panics
    /// Panics if the set has no OID, like [`VerifyingKey::to_bytes`].
    pub fn to_spki_pem(&self) -> Result<String, Error> {
        match self {
            Self::Xmss(key) => Ok(key.to_spki_pem()),
            Self::Lms(key) => key.to_spki_pem(),
        }
    }

    /// Returns the content of the file `public.pem`. Sets for tests have no OID, and no identifier in X.509.
    pub(super) fn to_file(&self) -> String {
        match self {
            Self::Xmss(key) if key.set().oid().is_none() => String::new(),
            key => key.to_spki_pem().expect("a key of HSS"),
        }
    }

    /// Returns whether a text is this key in PEM.
    pub(super) fn is_in_pem(&self, pem: &str) -> Option<bool> {
        match self {
            Self::Xmss(key) => VerifyingKey::from_spki_pem(pem).ok().map(|other| other == *key),
            Self::Lms(key) => lms::VerifyingKey::from_spki_pem(pem).ok().map(|other| other == *key),
        }
    }

    /// Returns the input of the key-id's digest: OID ‖ root ‖ SEED, or the raw key.
    pub(super) fn identity(&self) -> Vec<u8> {
        match self {
            Self::Xmss(key) => {
                let oid = key.set().oid().unwrap_or(0).to_be_bytes();
                [&oid[..], key.root(), key.seed()].concat()
            }
            Self::Lms(key) => key.to_bytes(),
        }
    }
}

impl From<VerifyingKey> for PublicKey {
    fn from(key: VerifyingKey) -> Self {
        Self::Xmss(key)
    }
}

impl From<lms::VerifyingKey> for PublicKey {
    fn from(key: lms::VerifyingKey) -> Self {
        Self::Lms(key)
    }
}

#[cfg(feature = "signature")]
impl signature::Verifier<Signature> for PublicKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        PublicKey::verify(self, message, signature.as_ref()).map_err(|_| signature::Error::new())
    }
}

/// The generation of a key that will be kept in files.
#[derive(Debug)]
pub enum Generation<'a> {
    /// A key of XMSS or XMSS^MT.
    Xmss(KeyGeneration<'a>),
    /// A key of LMS or HSS.
    Lms(lms::KeyGeneration<'a>),
}

impl<'a> From<KeyGeneration<'a>> for Generation<'a> {
    fn from(generation: KeyGeneration<'a>) -> Self {
        Self::Xmss(generation)
    }
}

impl<'a> From<lms::KeyGeneration<'a>> for Generation<'a> {
    fn from(generation: lms::KeyGeneration<'a>) -> Self {
        Self::Lms(generation)
    }
}

impl<'a> Generation<'a> {
    /// Returns the parameter set.
    pub fn set(&self) -> KeySet {
        match self {
            Self::Xmss(generation) => KeySet::Xmss(generation.set),
            Self::Lms(generation) => KeySet::Lms(generation.set),
        }
    }

    /// Sets a progress function, called after every few thousand leaves; `Break` stops the generation.
    pub fn progress(self, progress: impl FnMut(Progress) -> ControlFlow<()> + 'a) -> Self {
        match self {
            Self::Xmss(generation) => Self::Xmss(generation.progress(progress)),
            Self::Lms(generation) => Self::Lms(generation.progress(progress)),
        }
    }

    pub(super) fn opened_nodes_file(self, file: std::fs::File, name: String) -> Self {
        match self {
            Self::Xmss(generation) => Self::Xmss(generation.opened_nodes_file(file, name)),
            Self::Lms(generation) => Self::Lms(generation.opened_nodes_file(file, name)),
        }
    }

    pub(super) fn generate(self) -> Result<Generated, Error> {
        match self {
            Self::Xmss(generation) => generation.generate().map(Generated::Xmss),
            Self::Lms(generation) => generation.generate().map(Generated::Lms),
        }
    }
}

/// The trees of a new key.
pub(super) enum Generated {
    Xmss(key_generation::Generated),
    Lms(lms_generation::Generated),
}

impl Generated {
    pub(super) fn set(&self) -> KeySet {
        match self {
            Self::Xmss(generated) => KeySet::Xmss(generated.set),
            Self::Lms(generated) => KeySet::Lms(generated.set),
        }
    }

    /// Returns the root of the uppermost tree.
    pub(super) fn root(&self) -> &[u8] {
        let trees = match self {
            Self::Xmss(generated) => &generated.trees,
            Self::Lms(generated) => &generated.trees,
        };
        trees.last().expect("a layer").root()
    }
}

/// Signs at any index of a key.
pub(super) enum Signer {
    Xmss(signer::Signer),
    Lms(lms_signer::Signer),
}

impl Signer {
    /// Finishes a generated key; puts its trees on `shelf`.
    pub(super) fn generated(generated: Generated, shelf: Box<dyn Shelf>) -> Result<Self, Error> {
        match generated {
            Generated::Xmss(generated) => signer::Signer::generated(generated, shelf).map(Self::Xmss),
            Generated::Lms(generated) => lms_signer::Signer::generated(generated, shelf).map(Self::Lms),
        }
    }

    pub(super) fn set(&self) -> KeySet {
        match self {
            Self::Xmss(signer) => KeySet::Xmss(signer.verifying_key().set()),
            Self::Lms(signer) => KeySet::Lms(signer.set()),
        }
    }

    pub(super) fn public_key(&self) -> PublicKey {
        match self {
            Self::Xmss(signer) => signer.verifying_key().clone().into(),
            Self::Lms(signer) => signer.verifying_key().clone().into(),
        }
    }

    /// # Errors
    /// [`Error::Kernel`] if the kernel is unknown, or this CPU cannot run it.
    pub(super) fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        match self {
            Self::Xmss(signer) => signer.set_kernel(name),
            Self::Lms(_) => Err(Error::Kernel("keys of LMS and HSS do not run on a named kernel".into())),
        }
    }

    pub(super) fn sign<E: From<Error>>(
        &mut self,
        index: u64,
        check: Check,
        feed: Feed<'_, E>,
    ) -> Result<Signature, E> {
        match self {
            Self::Xmss(signer) => signer.sign(index, check, feed),
            Self::Lms(signer) => signer.sign(index, check, feed),
        }
    }

    pub(super) fn index_of(&self, signature: &[u8]) -> Result<u64, Error> {
        match self {
            Self::Xmss(signer) => signer.index_of(signature),
            Self::Lms(signer) => signer.index_of(signature),
        }
    }
}
