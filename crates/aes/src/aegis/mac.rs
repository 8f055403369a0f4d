//! AEGISMAC, a message authentication code by AEGIS: RFC 10032, section 8.

use core::fmt;
use core::marker::PhantomData;

use hashlanes_isa::cipher::Kernel;

use super::aead::{run, wipe_after};
use super::ciphers::{Rfc10032, Tag, Tag256};
use super::error::{Error, counted, exactly};
use super::incremental::Position;
use super::job::{End, Job, Start, Text};
use super::kernels::{TABLE, Verbs};
use crate::stack_wipe;
use crate::tag::{is_right, wipe};

/// The code of data in parts: [`AegisMac128L`](super::AegisMac128L), [`AegisMac256`](super::AegisMac256), …
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::aegis::AegisMac128L;
///
/// let mut mac = AegisMac128L::new(&[7; 16], &[0; 16]);
/// mac.update(b"some ")?;
/// mac.update(b"data")?;
/// let code = mac.clone().finish();
/// assert_eq!(mac.verify(&code), Ok(()));
/// # Ok::<(), hashlanes::aes::aegis::Error>(())
/// ```
///
/// Only here may a nonce be used again with other data; the same nonce for all data is as good as none. A key
/// is for codes or for encryption, never for both. The code is not a hash: a party that knows the key can
/// produce data for any code. It is not a random number either, so keys must not be derived from it.
///
/// The state is overwritten when the value is dropped, and so is the stack that kernels used. A value that is
/// moved leaves a copy at its old place. After [`mac`](Self::mac), which has no such value, the stack is
/// overwritten for 64 KiB of data or more.
#[derive(Clone)]
pub struct AegisMac<C: Rfc10032, T: Tag<C>> {
    kernel: &'static Kernel<Verbs>,
    state: C::State,
    position: Position,
    tag: PhantomData<T>,
}

impl<C: Rfc10032> AegisMac<C, Tag256> {
    /// Creates the code, with 256 bits.
    #[inline]
    pub fn new(key: &C::Key, nonce: &C::Key) -> Self {
        Self::with_tag(key, nonce)
    }
}

impl<C: Rfc10032, T: Tag<C>> AegisMac<C, T> {
    /// Creates the code, with the length of the type: `AegisMac128L::<Tag128>::with_tag(&key, &nonce)`.
    pub fn with_tag(key: &C::Key, nonce: &C::Key) -> Self {
        Self::with_tag_on(TABLE.best_of_one(), key, nonce)
    }

    /// Creates the same on one kernel.
    #[doc(hidden)]
    pub fn with_tag_on(kernel: &'static Kernel<Verbs>, key: &C::Key, nonce: &C::Key) -> Self {
        let (kernel, state) = (TABLE.of_one(kernel), C::State::default());
        let mut mac = Self { kernel, state, position: Position::new(), tag: PhantomData };
        mac.run(Start::Key(key, nonce), &[], End::State);
        mac
    }

    /// Returns the code of whole data.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn mac(key: &C::Key, nonce: &C::Key, data: &[u8]) -> Result<T::Bytes, Error> {
        Self::mac_on(TABLE.best_of_one(), key, nonce, data)
    }

    /// Computes the same on one kernel.
    ///
    /// # Errors
    /// Like [`mac`](Self::mac).
    #[doc(hidden)]
    pub fn mac_on(
        kernel: &'static Kernel<Verbs>,
        key: &C::Key,
        nonce: &C::Key,
        data: &[u8],
    ) -> Result<T::Bytes, Error> {
        let data_bytes = counted("data", 0, data.len())?;
        let mut tag = T::Bytes::default();
        let (start, end) = (Start::<C>::Key(key, nonce), End::Mac { data_bytes, tag: tag.as_mut() });
        let job = Job { start, state: None, ad: data, text: Text::None, end };
        run(TABLE.of_one(kernel), job);
        wipe_after(data.len());
        Ok(tag)
    }

    /// Absorbs more data.
    ///
    /// # Errors
    /// [`Error::TooLong`]; then no part of it is absorbed.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.position.count("data", data.len())?;
        let mut data = data;
        if let Some(mut rate) = self.position.complete::<C>(&mut data) {
            self.run(Start::State, &rate[..C::RATE_BYTES], End::State);
            wipe(&mut rate);
        }
        let (rates, rest) = data.split_at(data.len() / C::RATE_BYTES * C::RATE_BYTES);
        if !rates.is_empty() {
            self.run(Start::State, rates, End::State);
        }
        self.position.keep(rest);
        Ok(())
    }

    /// Returns the code.
    pub fn finish(mut self) -> T::Bytes {
        let mut tag = T::Bytes::default();
        let rest = self.position.clone();
        let end = End::Mac { data_bytes: rest.n_bytes(), tag: tag.as_mut() };
        self.run(Start::State, rest.kept(), end);
        tag
    }

    /// Checks the code, in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`] if it is wrong.
    pub fn verify(self, code: &T::Bytes) -> Result<(), Error> {
        let mut expected = self.finish();
        if is_right(&mut expected, code) { Ok(()) } else { Err(Error::Forged) }
    }

    /// Converts a slice to a code.
    ///
    /// # Errors
    /// [`Error::Length`] if it does not have the length of the type's codes.
    pub fn tag(bytes: &[u8]) -> Result<T::Bytes, Error> {
        exactly("tag", C::NAME, bytes, T::TAG_BYTES)
    }

    /// Continues as after `n_bytes` bytes, for tests of the limit.
    #[doc(hidden)]
    pub fn count_from(&mut self, n_bytes: u64) {
        self.position.count_from(n_bytes);
    }

    fn run(&mut self, start: Start<'_, C>, ad: &[u8], end: End<'_>) {
        let job = Job { start, state: Some(&mut self.state), ad, text: Text::None, end };
        run(self.kernel, job);
    }
}

impl<C: Rfc10032, T: Tag<C>> Drop for AegisMac<C, T> {
    fn drop(&mut self) {
        wipe(self.state.as_mut().as_flattened_mut());
        stack_wipe::wipe_of_aegis();
    }
}

/// Prints no part of the state.
impl<C: Rfc10032, T: Tag<C>> fmt::Debug for AegisMac<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(C::NAME).field("position", &self.position).finish_non_exhaustive()
    }
}
