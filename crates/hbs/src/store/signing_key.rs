//! The key that signs.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use hashlanes_sha::{Sha256, sha256};

use crate::Signature;
use crate::hazmat::shelf::InMemory;
use crate::hazmat::signer::Check;
use crate::store::key_format::key_id;
use crate::store::scheme::Signer;
use crate::store::{
    Error, FileStore, Generation, Handle, KeySet, Message, PublicKey, Purpose, Record, State, StateStore,
    Status,
};

/// A key whose state is kept by `S`: in a [`KeyDirectory`](super::KeyDirectory), or elsewhere.
///
/// Each index is recorded as used on the disk before anything is computed with it, and each signature is
/// verified before it is returned. The key is overwritten when dropped.
pub struct SigningKey<S: StateStore = FileStore> {
    signer: Signer,
    public_key: PublicKey,
    pub(super) store: S,
    window: u64,
    pub(super) range: Range<u64>,
    /// The state after the last commit.
    pub(super) state: State,
    /// Indices that are committed and not taken yet: the last ones below the state's next.
    pub(super) reserved: Range<u64>,
    handle: Handle,
}

impl<S: StateStore> fmt::Debug for SigningKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("range", &self.range).finish_non_exhaustive()
    }
}

impl<S: StateStore> SigningKey<S> {
    /// Generates the key from its seeds, with its trees in memory.
    ///
    /// Signs with the indices of `range` that `store` has not recorded as taken. For states in hardware or in
    /// a database.
    ///
    /// # Errors
    /// [`Error::OtherKey`] if the state belongs to another key; [`Error::Key`] if the generation fails, or
    /// the range exceeds 2^h; the errors of [`StateStore::load`]; [`Error::PoisonedKey`].
    pub fn with_store<'a>(
        generation: impl Into<Generation<'a>>,
        range: Range<u64>,
        store: S,
    ) -> Result<Self, Error> {
        let generation = generation.into();
        let signatures = generation.set().signatures();
        if range.start > range.end || range.end > signatures {
            return Err(crate::Error::Index { index: range.end, signatures }.into());
        }
        let generated = generation.generate()?;
        let shelf = Box::new(InMemory::new(generated.set().shape()));
        Self::new(Signer::generated(generated, shelf)?, range, store, 1)
    }

    pub(super) fn new(signer: Signer, range: Range<u64>, mut store: S, window: u64) -> Result<Self, Error> {
        let state = store.load()?;
        let public_key = signer.public_key();
        if state.key_id != key_id(&public_key) {
            return Err(Error::OtherKey { file: "the state".to_string() });
        }
        if state.status == Status::Poisoned {
            return Err(Error::PoisonedKey);
        }
        if !(range.start..=range.end).contains(&state.next) {
            let why = "has an index out of the key's range";
            return Err(Error::Damaged { file: "the state".to_string(), why });
        }
        let reserved = state.next..state.next;
        Ok(Self { signer, public_key, store, window, range, state, reserved, handle: Handle::Usable })
    }

    /// Returns the public key.
    pub fn verifying_key(&self) -> &PublicKey {
        &self.public_key
    }
    /// Returns the parameter set.
    pub fn set(&self) -> KeySet {
        self.signer.set()
    }
    /// Returns the indices that this key may use.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
    /// Returns the index of the next signature: the first reserved one, or the first that is not reserved;
    /// the end of the range if the key is exhausted.
    pub fn next_index(&self) -> u64 {
        self.reserved.start
    }
    /// Returns the number of signatures left, including reserved indices.
    pub fn left(&self) -> u64 {
        self.range.end - self.next_index()
    }
    /// Returns whether 90 % of the range are used: time to publish the next key.
    pub fn is_nearly_exhausted(&self) -> bool {
        is_nearly_exhausted(&self.range, self.next_index())
    }
    /// Returns whether 99 % of the range are used: sign with the next key soon.
    pub fn is_in_last_percent(&self) -> bool {
        is_in_last_percent(&self.range, self.next_index())
    }
    /// Selects one kernel of SHA-256 (n = 24 and 32) or SHA-512 (n = 64) for all calls.
    ///
    /// # Errors
    /// [`Error::Key`] with [`crate::Error::Kernel`] if the kernel is unknown, if this CPU cannot run it, or
    /// if the key is of LMS or HSS.
    pub fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        Ok(self.signer.set_kernel(name)?)
    }
    /// Sets the number of indices that are reserved with one commit; see
    /// [`KeyDirectory::window`](super::KeyDirectory::window).
    pub fn set_window(&mut self, indices: u64) {
        self.window = indices.max(1);
    }

    /// Signs bytes, or a stream (`&mut File`), with the next index.
    ///
    /// # Errors
    /// Without an index taken: [`Error::Exhausted`], before any work; [`Error::Message`];
    /// [`Error::NotCommitted`]; [`Error::PoisonedHandle`]; [`Error::Forked`], [`Error::Replaced`],
    /// [`Error::Conflict`]. With the index lost: [`Error::Burned`].
    pub fn try_sign<'m>(&mut self, message: impl Into<Message<'m>>) -> Result<Signature, Error> {
        let mut message = message.into();
        let mut signatures = self.sign_many(core::slice::from_mut(&mut message))?;
        signatures.swap_remove(0)
    }

    /// Signs many messages, with one commit for all. Returns a signature or an error for each, in their
    /// order.
    ///
    /// # Errors
    /// The errors of [`SigningKey::try_sign`] without an index taken, for all messages together;
    /// [`Error::TooFewLeft`]. Errors that burn an index are in the list.
    pub fn sign_many(
        &mut self,
        messages: &mut [Message<'_>],
    ) -> Result<Vec<Result<Signature, Error>>, Error> {
        let count = messages.len() as u64;
        self.check()?;
        if count > 0 && self.left() == 0 {
            return Err(Error::Exhausted { end: self.range.end });
        }
        if count > self.left() {
            return Err(Error::TooFewLeft { asked: count, left: self.left() });
        }
        let mut digests = Vec::with_capacity(messages.len());
        for (number, message) in messages.iter_mut().enumerate() {
            digests.push(message.digest().map_err(|why| Error::Message { number, why })?);
        }
        if count > self.reserved.end - self.reserved.start {
            self.reserve(count, &digests)?;
        }
        let sign = |((number, message), digest)| self.sign(number, message, digest);
        Ok(messages.iter_mut().enumerate().zip(&digests).map(sign).collect())
    }

    /// Ensures that `count` indices are reserved, including those that are reserved already.
    fn reserve(&mut self, count: u64, digests: &[[u8; 32]]) -> Result<(), Error> {
        let missing = count - (self.reserved.end - self.reserved.start);
        let (first, left) = (self.state.next, self.range.end - self.state.next);
        let count = missing.max(self.window).min(left);
        let digest = if let [one] = digests { *one } else { sha256(digests.as_flattened()) };
        debug_assert_eq!(self.reserved.end, first);
        self.commit(first + count, &Record { purpose: Purpose::Sign, first, count, digest })?;
        self.reserved.end = self.state.next;
        Ok(())
    }

    /// Signs with the next reserved index, which is used from here on in every case.
    fn sign(
        &mut self,
        number: usize,
        message: &mut Message<'_>,
        digest: &[u8; 32],
    ) -> Result<Signature, Error> {
        // An earlier message of the same call may have stopped the handle.
        self.check()?;
        self.store.is_still_ours()?;
        let index = self.reserved.next().expect("they are reserved");
        let signed = self.signer.sign(index, Check::Verify, &mut |sink| {
            let mut hasher = Sha256::new();
            let fed = message.feed(&mut |part| {
                hasher.update(part);
                sink(part);
            });
            match fed {
                Ok(()) if hasher.finish() == *digest => Ok(()),
                Ok(()) => Err(Error::Message { number, why: "it changed while it was signed".to_string() }),
                Err(why) => Err(Error::Message { number, why }),
            }
        });
        signed.map_err(|why| {
            if let Error::Fault { .. } = why {
                self.poison();
            }
            Error::Burned { index, why: Box::new(why) }
        })
    }

    /// Records after a fault that the key must not sign, if that can be stored.
    fn poison(&mut self) {
        let (next, count) = (self.state.next, 0);
        let new = self.state.successor(next, Status::Poisoned);
        let record = Record { purpose: Purpose::Poison, first: next, count, digest: [0; 32] };
        let _ = self.store.commit(self.state.generation, &new, &record);
        self.handle = Handle::Poisoned;
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if self.handle == Handle::Poisoned { Err(Error::PoisonedHandle) } else { Ok(()) }
    }

    pub(super) fn commit(&mut self, next: u64, record: &Record) -> Result<(), Error> {
        let status = if next == self.range.end { Status::Exhausted } else { Status::Active };
        let new = self.state.successor(next, status);
        let committed = self.store.commit(self.state.generation, &new, record);
        match &committed {
            Ok(()) => self.state = new,
            Err(Error::NotCommitted { handle: Handle::Usable, .. }) => {}
            Err(_) => self.handle = Handle::Poisoned,
        }
        committed
    }

    /// Skips the indices before `index`; never goes back.
    ///
    /// Burns reserved indices, too. The end of the range exhausts the key.
    ///
    /// # Errors
    /// [`Error::IndexUsed`] if `index` is below the next one; [`Error::Key`] with [`crate::Error::Index`] if
    /// it is above the end of the range; [`Error::NotCommitted`].
    pub fn advance_to(&mut self, index: u64) -> Result<(), Error> {
        self.check()?;
        if index > self.range.end {
            return Err(crate::Error::Index { index, signatures: self.range.end }.into());
        }
        if index < self.next_index() {
            return Err(Error::IndexUsed { index, next: self.next_index() });
        }
        // Reserved indices are in the state already.
        self.reserved.start = index.min(self.reserved.end);
        if index > self.state.next {
            let (first, count) = (self.state.next, index - self.state.next);
            self.commit(index, &Record { purpose: Purpose::Advance, first, count, digest: [0; 32] })?;
            self.reserved = index..index;
        }
        Ok(())
    }

    /// Skips the indices up to that of a signature of this key, such as one that a copy made.
    ///
    /// Does nothing if they are used already. The signature is not verified, because its message is not
    /// needed; its random value shows that this key's secrets made it.
    ///
    /// # Errors
    /// [`Error::Key`] if another key made the signature; the errors of [`SigningKey::advance_to`].
    pub fn advance_past(&mut self, signature: &[u8]) -> Result<(), Error> {
        let used = self.signer.index_of(signature)?;
        if used >= self.next_index() { self.advance_to(used + 1) } else { self.check() }
    }
}

/// From 90 % on. Computed with more bits, because 10 · 2^60 does not fit.
pub(super) fn is_nearly_exhausted(range: &Range<u64>, next: u64) -> bool {
    10 * u128::from(next - range.start) >= 9 * u128::from(range.end - range.start)
}

/// From 99 % on.
pub(super) fn is_in_last_percent(range: &Range<u64>, next: u64) -> bool {
    100 * u128::from(next - range.start) >= 99 * u128::from(range.end - range.start)
}

#[cfg(feature = "signature")]
impl<S: StateStore> signature::SignerMut<Signature> for SigningKey<S> {
    fn try_sign(&mut self, message: &[u8]) -> Result<Signature, signature::Error> {
        SigningKey::try_sign(self, message).map_err(signature::Error::from_source)
    }
}

#[cfg(feature = "signature")]
impl<S: StateStore> signature::Keypair for SigningKey<S> {
    type VerifyingKey = PublicKey;

    fn verifying_key(&self) -> PublicKey {
        SigningKey::verifying_key(self).clone()
    }
}
