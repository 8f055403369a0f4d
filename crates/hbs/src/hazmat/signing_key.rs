//! A key that counts its indices in memory.

use alloc::boxed::Box;
use core::fmt;

use crate::hazmat::key_generation::{Generated, KeyGeneration};
use crate::hazmat::shape_of;
use crate::hazmat::shelf::InMemory;
use crate::hazmat::signer::{Check, Signer};
use crate::params::ParameterSet;
use crate::{Error, Signature, VerifyingKey};

/// A key that signs, with its state only in memory; see the module's warning. Overwritten when dropped.
pub struct SigningKey {
    signer: Signer,
    next_index: u64,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("set", &self.set())
            .field("next_index", &self.next_index)
            .finish_non_exhaustive()
    }
}

impl KeyGeneration<'_> {
    /// Generates the key, on all cores with the feature `rayon`.
    ///
    /// # Errors
    /// [`Error::Stopped`] if the progress function stops it; [`Error::OtherRoot`] if the root is not the
    /// expected one; [`Error::File`] and [`Error::OtherNodes`] for the file of nodes.
    pub fn run(self) -> Result<SigningKey, Error> {
        SigningKey::new(self.generate()?)
    }
}

impl SigningKey {
    fn new(generated: Generated) -> Result<Self, Error> {
        let shelf = Box::new(InMemory::new(shape_of(generated.set)));
        Ok(Self { signer: Signer::generated(generated, shelf)?, next_index: 0 })
    }

    /// Returns the public key.
    pub fn verifying_key(&self) -> &VerifyingKey {
        self.signer.verifying_key()
    }
    /// Returns the parameter set.
    pub fn set(&self) -> ParameterSet {
        self.verifying_key().set()
    }
    /// Returns the index of the next signature; 2^h if the key is exhausted.
    pub fn next_index(&self) -> u64 {
        self.next_index
    }

    /// Selects one kernel of SHA-256 (n = 24 and 32) or SHA-512 (n = 64) for all later calls.
    ///
    /// # Errors
    /// [`Error::Kernel`] if the kernel is unknown, or this CPU cannot run it.
    pub fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        self.signer.set_kernel(name)
    }

    /// Skips the indices before `index`; never goes back.
    ///
    /// # Errors
    /// [`Error::IndexUsed`] if `index` is below the next one; [`Error::Index`] if it is above 2^h.
    pub fn advance_to(&mut self, index: u64) -> Result<(), Error> {
        let signatures = self.set().signatures();
        if index > signatures {
            return Err(Error::Index { index, signatures });
        }
        if index < self.next_index {
            return Err(Error::IndexUsed { index, next: self.next_index });
        }
        self.next_index = index;
        Ok(())
    }

    /// Signs with the next index, and verifies the signature before it is released. The index is used up in
    /// every case.
    ///
    /// # Errors
    /// [`Error::Exhausted`] if no index is left; [`Error::SelfCheck`] if the signature does not verify;
    /// [`Error::Fault`] if a rebuilt tree has another root.
    pub fn try_sign(&mut self, message: &[u8]) -> Result<Signature, Error> {
        self.sign(message, Check::Verify)
    }

    /// Signs like [`SigningKey::try_sign`] without verification: to measure signing alone.
    ///
    /// # Errors
    /// [`Error::Exhausted`] if no index is left; [`Error::Fault`] if a rebuilt tree has another root.
    #[doc(hidden)]
    pub fn sign_unchecked(&mut self, message: &[u8]) -> Result<Signature, Error> {
        self.sign(message, Check::None)
    }

    fn sign(&mut self, message: &[u8], check: Check) -> Result<Signature, Error> {
        let index = self.next_index;
        if index == self.set().signatures() {
            return Err(Error::Exhausted);
        }
        self.next_index += 1;
        self.signer.sign(index, check, &mut |sink| {
            sink(message);
            Ok(())
        })
    }
}

#[cfg(feature = "signature")]
impl signature::SignerMut<Signature> for SigningKey {
    fn try_sign(&mut self, message: &[u8]) -> Result<Signature, signature::Error> {
        SigningKey::try_sign(self, message).map_err(signature::Error::from_source)
    }
}

#[cfg(feature = "signature")]
impl signature::Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        SigningKey::verifying_key(self).clone()
    }
}
