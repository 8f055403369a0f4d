//! A key that counts its indices in memory.

use alloc::boxed::Box;
use core::fmt;

use crate::hazmat::key_generation::{Generated, KeyGeneration};
use crate::hazmat::shape_of;
use crate::hazmat::shelf::InMemory;
use crate::hazmat::signer::{Check, Signer};
use crate::params::ParameterSet;
use crate::{Error, Signature, VerifyingKey};

/// A key that signs, with its state in memory alone; see the module's warning. Overwritten when dropped.
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
    /// [`Error::Stopped`] by the progress; [`Error::OtherRoot`] if another one was expected; [`Error::File`],
    /// [`Error::OtherNodes`] of the file of nodes.
    pub fn run(self) -> Result<SigningKey, Error> {
        SigningKey::new(self.generate()?)
    }
}

impl SigningKey {
    fn new(generated: Generated) -> Result<Self, Error> {
        let shelf = Box::new(InMemory::new(shape_of(generated.set)));
        Ok(Self { signer: Signer::generated(generated, shelf)?, next_index: 0 })
    }

    /// What its signatures are verified with.
    pub fn verifying_key(&self) -> &VerifyingKey {
        self.signer.verifying_key()
    }
    /// The parameter set.
    pub fn set(&self) -> ParameterSet {
        self.verifying_key().set()
    }
    /// The index of the next signature; 2^h of an exhausted key.
    pub fn next_index(&self) -> u64 {
        self.next_index
    }

    /// Makes one kernel of SHA-256 (n = 24 and 32) or SHA-512 (n = 64) serve everything from now on.
    ///
    /// # Errors
    /// [`Error::Kernel`] if there is none of that name, or this CPU cannot run it.
    pub fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        self.signer.set_kernel(name)
    }

    /// Leaves out the indices before `index`: forward alone.
    ///
    /// # Errors
    /// [`Error::IndexUsed`]; [`Error::Index`] if it is above 2^h.
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

    /// Signs with the next index, and verifies the signature before it is released. The index is used up whatever happens.
    ///
    /// # Errors
    /// [`Error::Exhausted`]; [`Error::SelfCheck`]; [`Error::Fault`].
    pub fn try_sign(&mut self, message: &[u8]) -> Result<Signature, Error> {
        self.sign(message, Check::Verify)
    }

    /// As [`SigningKey::try_sign`], but not verified: to measure the one apart from the other.
    ///
    /// # Errors
    /// [`Error::Exhausted`]; [`Error::Fault`].
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
