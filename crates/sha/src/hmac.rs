//! HMAC (RFC 2104, FIPS 198-1): one message, many with one key schedule, and columns.
//!
//! HMAC(K, m) = H(K ^ opad ‖ H(K ^ ipad ‖ m)). Both the inner and the outer hash begin with a block that
//! depends only on the key; their midstates are the key schedule. The outer hash is then one block: the inner
//! digest, padded.

use core::fmt;

use arrayvec::ArrayVec;
use hashlanes_isa::{Plan, Reach, Start};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::ShapeError;
use crate::algorithm::{Algorithm, State};
use crate::columns::Column;
use crate::compiled::Compiled;
use crate::error::{expect, same_count};
use crate::hasher::{Hasher, Midstate};
use crate::hex::put_hex;
use crate::keyed::BATCH;
use crate::many::{Digests, InPlace, Secrecy, Starts, end_all, update_all};

/// The schedule of a key: the midstates after its inner and outer block. Overwritten when dropped.
#[derive(Clone)]
pub struct HmacKey<A: Algorithm> {
    inner: Midstate<A>,
    outer: Midstate<A>,
}

impl<A: Algorithm> fmt::Debug for HmacKey<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacKey").field("algorithm", &A::NAME).finish_non_exhaustive()
    }
}

impl<A: Algorithm> Drop for HmacKey<A> {
    fn drop(&mut self) {
        self.inner.state.as_mut().zeroize();
        self.outer.state.as_mut().zeroize();
    }
}

impl<A: Algorithm> HmacKey<A> {
    /// Creates the schedule of `key`, of any length; a key longer than a block is hashed first.
    pub fn new(key: &[u8]) -> Self {
        let n_bytes = A::BLOCK_BYTES as u64;
        let [inner, outer] = A::Function::key_schedule(&A::H0, A::DIGEST_BYTES, key);
        Self { inner: Midstate { state: inner, n_bytes }, outer: Midstate { state: outer, n_bytes } }
    }

    /// Begins a message.
    pub fn begin(&self) -> Hmac<A> {
        Hmac { inner: Hasher::from_midstate(self.inner), key: self.clone() }
    }

    /// Returns the code of a whole message.
    pub fn mac(&self, message: &[u8]) -> A::Digest {
        let mut hmac = self.begin();
        hmac.absorb(message);
        hmac.end()
    }

    /// Computes the codes of any number of whole messages of any lengths: `macs[i]` is that of `messages[i]`.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many codes as messages.
    pub fn try_mac_many(&self, messages: &[&[u8]], macs: &mut [A::Digest]) -> Result<(), ShapeError> {
        same_count("messages", messages.len(), "macs", macs.len())?;
        let of_inner = A::Function::digest_all(
            Plan::BEST,
            Starts::One(&self.inner.state, self.inner.n_bytes),
            messages,
            Secrecy::Secret,
            &mut InPlace::new(A::bytes_of(macs), A::DIGEST_BYTES),
        );
        self.outer_many(macs).max(of_inner).wipe();
        Ok(())
    }

    /// Like [`HmacKey::try_mac_many`].
    ///
    /// # Panics
    /// Panics unless there are as many codes as messages.
    #[track_caller]
    pub fn mac_many(&self, messages: &[&[u8]], macs: &mut [A::Digest]) {
        expect(self.try_mac_many(messages, macs));
    }

    /// Computes the codes of a column's rows. Null rows get zeros.
    ///
    /// # Errors
    /// A [`ShapeError`] that names the argument and the index.
    pub fn try_mac_column(&self, column: &Column<'_>, macs: &mut [A::Digest]) -> Result<(), ShapeError> {
        column.check("macs", macs.len())?;
        self.mac_checked(column, macs);
        Ok(())
    }

    /// Like [`HmacKey::try_mac_column`], with each code in lower-case hexadecimal: `2 * DIGEST_BYTES` bytes
    /// of `hex` per row; those of a null row are zeros.
    pub(crate) fn try_mac_column_hex<const HEX: usize>(
        &self,
        column: &Column<'_>,
        hex: &mut [[u8; HEX]],
    ) -> Result<(), ShapeError> {
        const { assert!(HEX == 2 * A::DIGEST_BYTES) };
        column.check("hex", hex.len())?;
        let mut macs = [A::ZERO_DIGEST; BATCH];
        for (n, hex) in hex.chunks_mut(BATCH).enumerate() {
            let macs = &mut macs[..hex.len()];
            self.mac_checked(&column.slice(BATCH * n..BATCH * n + hex.len()), macs);
            for (hex, mac) in hex.iter_mut().zip(macs) {
                put_hex(mac.as_ref(), hex);
            }
        }
        Ok(())
    }

    fn mac_checked(&self, column: &Column<'_>, macs: &mut [A::Digest]) {
        // In the place of the codes: inner digests are not read before all are there.
        column.digest::<A>(
            macs.len(),
            &self.inner,
            Secrecy::Secret,
            &mut InPlace::new(A::bytes_of(macs), A::DIGEST_BYTES),
        );
        self.outer_many(macs).wipe();
        if column.has_validity() {
            for (i, mac) in macs.iter_mut().enumerate() {
                if column.is_null(i) {
                    *mac = A::ZERO_DIGEST;
                }
            }
        }
    }

    /// Replaces inner digests by the codes; returns how far kernels reached down the stack.
    fn outer_many(&self, macs: &mut [A::Digest]) -> Reach {
        let (mut states, mut reach) = ([A::H0; BATCH], Reach::Near);
        for macs in macs.chunks_mut(BATCH) {
            let (start, states) = (Start::Shared(&self.outer.state), &mut states[..macs.len()]);
            let macs = A::bytes_of(macs);
            reach = reach.max(A::Function::end_keyed_many(start, states, macs, A::DIGEST_BYTES));
        }
        reach
    }
}

/// Compares codes in constant time. Compiled here: without optimisation a comparison takes as long as a hash.
#[inline(never)]
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

/// An incremental HMAC, which accepts a message in parts. Overwritten when dropped.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{HmacSha256, hmac_sha256};
/// let mut hmac = HmacSha256::new(b"key");
/// hmac.update(b"a message ");
/// hmac.update(b"in parts");
/// assert!(hmac.verify(&hmac_sha256(b"key", b"a message in parts")));
/// ```
#[derive(Clone, Debug)]
pub struct Hmac<A: Algorithm> {
    inner: Hasher<A>,
    key: HmacKey<A>,
}

impl<A: Algorithm> Drop for Hmac<A> {
    fn drop(&mut self) {
        self.inner.wipe();
    }
}

impl<A: Algorithm> Hmac<A> {
    /// Begins a message under `key`; for several messages, create the [`HmacKey`] once.
    pub fn new(key: &[u8]) -> Self {
        HmacKey::new(key).begin()
    }

    /// Absorbs the next part of the message: bytes, a string, or anything else that is
    /// [`AsRef<[u8]>`](AsRef).
    #[inline]
    pub fn update(&mut self, part: impl AsRef<[u8]>) {
        self.absorb(part.as_ref());
    }

    /// The body of [`update`](Self::update), which is compiled once for all types of parts.
    pub(crate) fn absorb(&mut self, part: &[u8]) {
        self.inner.absorb(part);
    }

    /// Returns the code of the input.
    pub fn finish(mut self) -> A::Digest {
        self.end()
    }

    /// Returns the code of the input, and begins again under the same key.
    ///
    /// ```
    /// # use hashlanes_sha as hashlanes;
    /// use hashlanes::{HmacSha256, hmac_sha256};
    /// let mut hmac = HmacSha256::new(b"key");
    /// hmac.update("one");
    /// assert_eq!(hmac.finish_reset(), hmac_sha256(b"key", b"one"));
    /// hmac.update("two");
    /// assert_eq!(hmac.finish_reset(), hmac_sha256(b"key", b"two"));
    /// ```
    pub fn finish_reset(&mut self) -> A::Digest {
        let mac = self.end();
        self.begin_again();
        mac
    }

    /// Drops the message, and begins again under the same key.
    pub(crate) fn begin_again(&mut self) {
        self.inner.wipe();
        let Midstate { state, n_bytes } = self.key.inner;
        (self.inner.progress.state, self.inner.progress.n_bytes) = (state, n_bytes);
    }

    /// Returns the code; the inner hasher must not be used afterwards.
    fn end(&mut self) -> A::Digest {
        let mut mac = A::ZERO_DIGEST;
        A::Function::end_keyed(&mut self.inner.progress, &self.key.outer.state, mac.as_mut());
        mac
    }

    /// Updates each message with its part; all advance together. Any number, any lengths, each under its own
    /// key.
    pub fn update_many(parts: &mut [(&mut Self, &[u8])]) {
        for parts in parts.chunks_mut(BATCH) {
            let inner = parts.iter_mut().map(|(hmac, part)| (&mut hmac.inner, *part));
            let mut inner: ArrayVec<(&mut Hasher<A>, &[u8]), BATCH> = inner.collect();
            update_all(Plan::BEST, Secrecy::Secret, &mut inner);
        }
        Reach::Near.wipe();
    }

    /// Computes the codes of the inputs: `macs[i]` is that of `hmacs[i]`, which then begins again under the
    /// same key.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many codes as messages.
    pub fn try_finish_many(hmacs: &mut [Self], macs: &mut [A::Digest]) -> Result<(), ShapeError> {
        same_count("hmacs", hmacs.len(), "macs", macs.len())?;
        Self::finish_all(hmacs, macs);
        Reach::Near.wipe();
        Ok(())
    }

    /// The body of [`try_finish_many`](Self::try_finish_many), with a frame of its own, which the caller
    /// overwrites.
    #[inline(never)]
    fn finish_all(hmacs: &mut [Self], macs: &mut [A::Digest]) {
        let inner = &mut Digests(&mut InPlace::new(A::bytes_of(macs), A::DIGEST_BYTES));
        end_all(Plan::BEST, Secrecy::Secret, hmacs.len(), &|i| &hmacs[i].inner.progress, inner);
        let (outer, mut reach) = (|hmac: &Self| hmac.key.outer.state, Reach::Near);
        for (hmacs, macs) in hmacs.chunks(BATCH).zip(macs.chunks_mut(BATCH)) {
            let mut states: ArrayVec<State<A>, BATCH> = hmacs.iter().map(outer).collect();
            let macs = A::bytes_of(macs);
            reach = reach.max(A::Function::end_keyed_many(Start::Each, &mut states, macs, A::DIGEST_BYTES));
            states.iter_mut().for_each(|state| state.as_mut().zeroize());
        }
        hmacs.iter_mut().for_each(Self::begin_again);
        reach.wipe();
    }

    /// Like [`Hmac::try_finish_many`].
    ///
    /// # Panics
    /// Panics unless there are as many codes as messages.
    #[track_caller]
    pub fn finish_many(hmacs: &mut [Self], macs: &mut [A::Digest]) {
        expect(Self::try_finish_many(hmacs, macs));
    }

    /// Returns whether `mac` is the code of the input. The time does not depend on where they differ.
    #[must_use = "a code that is not looked at protects nothing"]
    pub fn verify(self, mac: &[u8]) -> bool {
        is_equal(self.finish().as_ref(), mac)
    }
}

#[cfg(feature = "std")]
impl<A: Algorithm> std::io::Write for Hmac<A> {
    /// Absorbs all of `part`; never fails.
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.absorb(part);
        Ok(part.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
