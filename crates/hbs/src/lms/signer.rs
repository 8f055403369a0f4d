//! Signatures at a given index: RFC 8554, sections 5.4.1 and 6.2, algorithms 5 and 8, with all nodes of the
//! current trees kept.

use alloc::boxed::Box;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::hash::{MessageHash, Suite, with_suite};
use super::hss;
use super::key_generation::Generated;
use super::params::{MAX_N, ParameterSet};
use super::secret_trees::Context;
use super::verifying_key::VerifyingKey;
use crate::hazmat::current_trees::CurrentTrees;
use crate::hazmat::forest::Forest;
use crate::hazmat::shelf::Shelf;
use crate::hazmat::signer::{Check, Feed};
use crate::{Error, Signature};

/// Signs at any index of a key; the caller must use each index only once.
pub(crate) struct Signer {
    set: ParameterSet,
    /// SEED ‖ I.
    seeds: Zeroizing<Vec<u8>>,
    verifying_key: VerifyingKey,
    trees: CurrentTrees,
}

impl Signer {
    /// Loads a key with this root, whose trees are kept on `shelf`, or rebuilt when they are needed.
    pub(crate) fn new(
        set: ParameterSet,
        seeds: Zeroizing<Vec<u8>>,
        root: &[u8],
        shelf: Box<dyn Shelf>,
    ) -> Self {
        let verifying_key = VerifyingKey::of_seeds(&set, &seeds, root);
        let trees = CurrentTrees::new(set.levels().len() as u32, root, shelf);
        Self { set, seeds, verifying_key, trees }
    }

    /// Finishes a generated key; puts its trees on `shelf`.
    pub(crate) fn generated(generated: Generated, shelf: Box<dyn Shelf>) -> Result<Self, Error> {
        let Generated { set, seeds, trees } = generated;
        let root = trees.last().expect("a layer").root().to_vec();
        let mut signer = Self::new(set, seeds, &root, shelf);
        with_suite!(set, S => {
            let context = Context::<S>::new(&set, &signer.seeds);
            signer.trees.install_all(&context, trees)?;
        });
        hashlanes_isa::wipe_stack();
        Ok(signer)
    }

    pub(crate) fn set(&self) -> ParameterSet {
        self.set
    }

    /// Returns the public key.
    pub(crate) fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }

    /// Signs the message that `feed` passes, at `index`.
    ///
    /// # Errors
    /// [`Error::SelfCheck`] if the signature does not verify; [`Error::Fault`] if a rebuilt tree has another
    /// root; the errors of `feed`, which is called once.
    pub(crate) fn sign<E: From<Error>>(
        &mut self,
        index: u64,
        check: Check,
        feed: Feed<'_, E>,
    ) -> Result<Signature, E> {
        let signature = with_suite!(self.set, S => {
            let context = Context::<S>::new(&self.set, &self.seeds);
            self.sign_with(&context, index, check, feed)
        });
        hashlanes_isa::wipe_stack();
        Ok(signature?.into())
    }

    fn sign_with<S: Suite, E: From<Error>>(
        &mut self,
        context: &Context<S>,
        index: u64,
        check: Check,
        feed: Feed<'_, E>,
    ) -> Result<Vec<u8>, E> {
        let (tree, q) = context.shape().place(index);
        let secrets = context.keys(tree);
        let c = secrets.c(q);
        let begin = || MessageHash::of_message(secrets.level, &secrets.identifier, q, &c);
        // The verification hashes the message separately, in the same reading.
        let (mut hash, mut again) = (begin(), (check == Check::Verify).then(begin));
        feed(&mut |part| {
            hash.update(part);
            if let Some(again) = &mut again {
                again.update(part);
            }
        })?;
        let hash = hash.finish();
        let signature = self.sign_hash(context, index, &hash)?;
        let Some(again) = again.map(MessageHash::finish) else { return Ok(signature) };
        if self.is_valid(&signature, again) {
            return Ok(signature);
        }
        // Signs the same value under the same index again, with all nodes rebuilt, because the kept data may
        // be damaged.
        self.trees.rebuild_all(context)?;
        let signature = self.sign_hash(context, index, &hash)?;
        if self.is_valid(&signature, again) { Ok(signature) } else { Err(Error::SelfCheck.into()) }
    }

    fn is_valid(&self, signature: &[u8], hash: [u8; MAX_N]) -> bool {
        let parts = self.verifying_key.parts(signature);
        parts.is_ok_and(|parts| hss::verify_many(&[(parts, hash)]) == [Ok(())])
    }

    fn sign_hash<S: Suite>(
        &mut self,
        context: &Context<S>,
        index: u64,
        hash: &[u8; MAX_N],
    ) -> Result<Vec<u8>, Error> {
        let place = context.shape().place(index);
        self.trees.go_to(context, place.0, index)?;
        let mut signature = Vec::with_capacity(self.set.signature_bytes());
        signature.extend_from_slice(&(self.set.levels().len() as u32 - 1).to_be_bytes());
        for layer in self.trees.current().rev().skip(1) {
            signature.extend_from_slice(&layer.certificate);
            signature.extend_from_slice(&context.keys(layer.tree).public(&layer.root).to_bytes());
        }
        let secrets = context.keys(place.0);
        let one_time = |to: &mut Vec<u8>| context.sign_at(&secrets, place.1, hash, to);
        self.trees.tree_sig(context, place, one_time, &mut signature)?;
        self.trees.grow(context, 0);
        Ok(signature)
    }

    /// Returns the index of a signature, if this key made it (or a copy of it).
    #[cfg(feature = "store")]
    pub(crate) fn index_of(&self, signature: &[u8]) -> Result<u64, Error> {
        index_of(&self.set, &self.seeds, &self.verifying_key, signature)
    }
}

/// Returns the index of a signature that a key of these seeds made. Its C identifies the key, because the
/// message is not known.
///
/// # Errors
/// [`Error::OtherSigner`] if another key made it; [`Error::SignatureLength`] and the like if it cannot be a
/// signature of the key.
#[cfg(feature = "store")]
pub(crate) fn index_of(
    set: &ParameterSet,
    seeds: &[u8],
    key: &VerifyingKey,
    signature: &[u8],
) -> Result<u64, Error> {
    let (given, expected) = (signature.len(), set.signature_bytes());
    let parts = key.parts(signature)?;
    if given != expected {
        return Err(Error::SignatureLength { given, expected });
    }
    let index = parts.index();
    if index >= set.signatures() {
        return Err(Error::OtherSigner);
    }
    let is_own = with_suite!(set, S => {
        let context = Context::<S>::new(set, seeds);
        let (tree, q) = context.shape().place(index);
        let secrets = context.keys(tree);
        parts.last.q == q && *parts.last.key.identifier == secrets.identifier && *secrets.c(q) == *parts.last.c
    });
    hashlanes_isa::wipe_stack();
    if is_own { Ok(index) } else { Err(Error::OtherSigner) }
}

#[cfg(test)]
mod tests {
    use super::super::key_generation::KeyGeneration;
    use super::super::secret_trees::shape_of;
    use super::*;
    use crate::hazmat::shelf::damaged::no_wrong_signature_is_released;

    /// Nodes that are damaged in memory are rebuilt; if that does not help, no signature is returned.
    #[test]
    #[cfg_attr(miri, ignore = "a key has a hundred thousand hashes")]
    fn a_wrong_signature_is_not_released() {
        let set: ParameterSet = "LMS_SHA256_M32_H5_W8/LMS_SHA256_M32_H5_W8".parse().expect("a set");
        no_wrong_signature_is_released(&shape_of(&set), |shelf| {
            let generated = KeyGeneration::new(set, &[7; 48]).and_then(KeyGeneration::generate);
            let mut signer = Signer::generated(generated.expect("a key"), shelf).expect("a key");
            let key = signer.verifying_key().clone();
            (
                move |check, feed: Feed<'_, Error>| signer.sign(1, check, feed),
                move |message: &[u8], signature: &[u8]| key.verify(message, signature),
            )
        });
    }
}
