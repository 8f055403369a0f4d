//! XMSS_sign and XMSSMT_sign (RFC 8391, sections 4.1.9 and 4.2.4, algorithms 12 and 16) at a given index,
//! with all nodes of the current trees kept.

use alloc::boxed::Box;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::address::Address;
use crate::hash::{HMsg, Prf, State, Suite, put, with_suite};
use crate::hazmat::current_trees::CurrentTrees;
use crate::hazmat::key_generation::Generated;
use crate::hazmat::shelf::Shelf;
use crate::hazmat::{Context, Derivation};
use crate::params::{MAX_N, ParameterSet};
use crate::verifying_key::kernel_named;
use crate::xmss_mt::{Parts, verify_hashed};
use crate::{Error, Signature, VerifyingKey};

/// Signs at any index of a key; the caller must use each index only once.
pub(crate) struct Signer {
    derivation: Derivation,
    kernel: Option<&'static str>,
    /// S_XMSS ‖ SK_PRF ‖ SEED.
    seeds: Zeroizing<Vec<u8>>,
    verifying_key: VerifyingKey,
    trees: CurrentTrees,
}

/// Whether a signature is verified before it is released.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// The signature is verified.
    Verify,
    /// The signature is not verified: to measure signing alone.
    None,
}

/// A function that passes a message's parts to the given sink.
pub(crate) type Feed<'f, E> = &'f mut dyn FnMut(&mut dyn FnMut(&[u8])) -> Result<(), E>;

impl Signer {
    /// Loads a key whose trees are kept on `shelf`, or rebuilt when they are needed.
    pub(crate) fn new(
        seeds: Zeroizing<Vec<u8>>,
        derivation: Derivation,
        verifying_key: VerifyingKey,
        shelf: Box<dyn Shelf>,
    ) -> Self {
        let trees = CurrentTrees::new(verifying_key.set().layers(), verifying_key.root(), shelf);
        Self { derivation, kernel: None, seeds, verifying_key, trees }
    }

    /// Finishes a generated key; puts its trees on `shelf`.
    pub(crate) fn generated(generated: Generated, shelf: Box<dyn Shelf>) -> Result<Self, Error> {
        let Generated { set, derivation, kernel, seeds, trees } = generated;
        let root = trees.last().expect("a layer").root();
        let mut verifying_key = VerifyingKey::new(set, root, &seeds[2 * set.n()..]);
        if let Some(name) = kernel {
            verifying_key.set_kernel(name).expect("the key was generated on it");
        }
        let mut signer = Self { kernel, ..Self::new(seeds.clone(), derivation, verifying_key, shelf) };
        with_suite!(set, S => {
            let context = Context::<S>::new(set, kernel, &seeds, derivation);
            signer.trees.install_all(&context, trees)?;
        });
        hashlanes_isa::wipe_stack();
        Ok(signer)
    }

    /// Returns the public key.
    pub(crate) fn verifying_key(&self) -> &VerifyingKey {
        &self.verifying_key
    }

    /// # Errors
    /// [`Error::Kernel`] if the kernel is unknown, or this CPU cannot run it.
    pub(crate) fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        self.verifying_key.set_kernel(name)?;
        self.kernel = Some(kernel_named(&self.set(), name)?);
        Ok(())
    }

    fn set(&self) -> ParameterSet {
        self.verifying_key.set()
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
        let signature = with_suite!(self.set(), S => {
            let seeds = self.seeds.clone();
            let context = Context::<S>::new(self.set(), self.kernel, &seeds, self.derivation);
            self.sign_with(&context, index, check, feed)
        });
        hashlanes_isa::wipe_stack();
        Ok(signature?.into())
    }

    /// Returns the index of a signature, if this key made it (or a copy of it).
    #[cfg(feature = "store")]
    pub(crate) fn index_of(&self, signature: &[u8]) -> Result<u64, Error> {
        index_of(self.set(), self.derivation, &self.seeds, signature)
    }

    fn sign_with<S: Suite, E: From<Error>>(
        &mut self,
        context: &Context<'_, S>,
        index: u64,
        check: Check,
        feed: Feed<'_, E>,
    ) -> Result<Vec<u8>, E> {
        let r_bytes = r(context, index);
        let r = &r_bytes[..S::N];
        let begin = || HMsg::<S>::new(context.lanes, r, self.verifying_key.root(), index);
        // The verification hashes the message separately, in the same reading.
        let (mut hash, mut again) = (begin(), (check == Check::Verify).then(begin));
        feed(&mut |part| {
            hash.update(part);
            if let Some(again) = &mut again {
                again.update(part);
            }
        })?;
        let m = hash.finish();
        let signature = self.sign_hash(context, index, r, &m)?;
        let Some(again) = again.map(HMsg::finish) else { return Ok(signature) };
        if self.is_valid(context, &signature, again) {
            return Ok(signature);
        }
        // Signs the same value under the same index again, with all nodes rebuilt, because the kept data may
        // be damaged.
        self.trees.rebuild_all(context)?;
        let signature = self.sign_hash(context, index, r, &m)?;
        if self.is_valid(context, &signature, again) { Ok(signature) } else { Err(Error::SelfCheck.into()) }
    }

    fn is_valid<S: Suite>(&self, context: &Context<'_, S>, signature: &[u8], hash: State<S>) -> bool {
        let key = (self.verifying_key.root(), self.verifying_key.seed());
        let parts = Parts::of(&context.set, signature);
        parts.and_then(|parts| verify_hashed::<S>(&context.set, context.lanes, key, &parts, hash)).is_ok()
    }

    fn sign_hash<S: Suite>(
        &mut self,
        context: &Context<'_, S>,
        index: u64,
        r: &[u8],
        m: &State<S>,
    ) -> Result<Vec<u8>, Error> {
        let place = context.shape.place(index);
        self.trees.go_to(context, place.0, index)?;
        let mut signature = Vec::with_capacity(context.set.signature_bytes());
        signature.extend_from_slice(&index.to_be_bytes()[8 - context.set.index_bytes()..]);
        signature.extend_from_slice(r);
        self.trees.tree_sig(context, place, |to| context.sign_at(place, m, to), &mut signature)?;
        self.trees.current().for_each(|layer| signature.extend_from_slice(&layer.certificate));
        self.trees.grow(context, 0);
        Ok(signature)
    }
}

/// Returns the random value r of a signature: PRF(SK_PRF, toByte(idx, 32)), algorithms 12 and 16. It depends
/// only on the index.
fn r<S: Suite>(context: &Context<'_, S>, index: u64) -> [u8; MAX_N] {
    let r = Prf::<S>::new(context.lanes, context.sk_prf).one(context.lanes, &Address::number(index));
    let mut bytes = [0; MAX_N];
    put::<S>(&r, &mut bytes);
    bytes
}

/// Returns the index of a signature that a key of these seeds made. Its r identifies the key, because the
/// message is not known.
#[cfg(feature = "store")]
pub(crate) fn index_of(
    set: ParameterSet,
    derivation: Derivation,
    seeds: &[u8],
    signature: &[u8],
) -> Result<u64, Error> {
    let parts = Parts::of(&set, signature)?;
    let is_own = with_suite!(set, S => {
        let context = Context::<S>::new(set, None, seeds, derivation);
        r(&context, parts.index)[..S::N] == *parts.r
    });
    hashlanes_isa::wipe_stack();
    if is_own { Ok(parts.index) } else { Err(Error::OtherSigner) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazmat::key_generation::KeyGeneration;
    use crate::hazmat::shape_of;
    use crate::hazmat::shelf::damaged::no_wrong_signature_is_released;

    /// Nodes that are damaged in memory are rebuilt; if that does not help, no signature is returned.
    #[test]
    #[cfg_attr(miri, ignore = "a key has half a million hashes")]
    fn a_wrong_signature_is_not_released() {
        let set: ParameterSet = "XMSSMT-SHA2_20/4_256".parse().expect("a set");
        no_wrong_signature_is_released(&shape_of(set), |shelf| {
            let generated = KeyGeneration::new(set, &[7; 96]).and_then(KeyGeneration::generate);
            let mut signer = Signer::generated(generated.expect("a key"), shelf).expect("a key");
            let key = signer.verifying_key().clone();
            (
                move |check, feed: Feed<'_, Error>| signer.sign(1, check, feed),
                move |message: &[u8], signature: &[u8]| key.verify(message, signature),
            )
        });
    }
}
