//! Authenticated encryption of a message: RFC 10032, sections 3.1, 3.2 and 6.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use hashlanes_isa::cipher::{Buffer, Kernel};

use super::ciphers::sealed::JobOf;
use super::ciphers::{Cipher, Rfc10032, Tag, Tag128, Tag256};
use super::error::{Error, counted, exactly};
use super::job::{End, Job, Start, Text};
use super::kernels::{TABLE, Verbs};
use super::parameters::C128;
use crate::stack_wipe;
use crate::tag::{is_authentic, wipe, zeros};

/// Messages of at least this length wipe the stack after every call. It takes some 45 ns: half of the time
/// for a message of 1 KiB, and less than 5 % of the time for one of this length (Redwood Cove).
const LONG_BYTES: usize = 64 * 1024;

/// Runs the job. The stack that the portable kernel used is overwritten at once, which costs little next to
/// its rounds.
#[inline]
pub(crate) fn run<C: Cipher>(kernel: &'static Kernel<Verbs>, job: Job<'_, C>) {
    C::run(kernel, JobOf(job));
    if kernel.features().is_empty() {
        stack_wipe::wipe_of_portable_aegis();
    }
}

/// Overwrites the stack after a job of `n_bytes` bytes, if it is a long one.
#[inline(always)]
pub(crate) fn wipe_after(n_bytes: usize) {
    if n_bytes >= LONG_BYTES {
        stack_wipe::wipe_of_aegis();
    }
}

/// Overwrites the stack below the caller after many messages that have this number of bytes together, where
/// one message of so many bytes does it.
#[inline(always)]
pub(crate) fn wipe_after_many(n_bytes: usize) {
    if n_bytes >= LONG_BYTES {
        stack_wipe::wipe_of_many_aegis();
    }
}

/// A key of a cipher of the family, which encrypts and authenticates messages:
/// [`Aegis128L`](super::Aegis128L), [`Aegis256`](super::Aegis256), …
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::aegis::Aegis128L;
///
/// let cipher = Aegis128L::new(&[7; 16]); // a random key
/// let nonce = [1; 16]; // never twice with one key
/// let sealed = cipher.seal(&nonce, b"to: you", b"the message")?;
/// assert_eq!(cipher.open(&nonce, b"to: you", &sealed)?, b"the message");
/// assert!(cipher.open(&nonce, b"to: me", &sealed).is_err());
/// # Ok::<(), hashlanes::aes::aegis::Error>(())
/// ```
///
/// `C` is the cipher, `T` the length of its tags. `new` selects tags of 256 bits if the cipher supports them.
/// Some protocols use tags of 128 bits; for these name the type: `Aegis128L::<Tag128>::with_tag(&key)`.
///
/// The key is overwritten when the value is dropped, and so is the stack below there, as far as kernels
/// reach. After a message that, with its associated data, has 64 KiB or more, or many that have so much
/// together, the stack is overwritten at once; after a short one that would take as long as the message. A
/// value that is moved leaves a copy at its old place, which is not overwritten; a value in a `Box` stays in
/// one place.
#[derive(Clone)]
pub struct Aegis<C: Cipher, T: Tag<C>> {
    key: C::Key,
    kernel: Option<&'static Kernel<Verbs>>,
    tag: PhantomData<T>,
}

impl<C: Rfc10032> Aegis<C, Tag256> {
    /// Creates the key, with tags of 256 bits.
    #[inline]
    pub fn new(key: &C::Key) -> Self {
        Self::with_tag(key)
    }
}

impl Aegis<C128, Tag128> {
    /// Creates the key, with tags of 128 bits: AEGIS-128 has no others.
    #[inline]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::with_tag(key)
    }
}

impl<C: Cipher, T: Tag<C>> Aegis<C, T> {
    /// The number of bytes of a key, and of a nonce.
    pub const KEY_BYTES: usize = C::KEY_BYTES;
    /// The number of bytes of a tag.
    pub const TAG_BYTES: usize = T::TAG_BYTES;

    /// Creates the key, with the tags of the type.
    #[inline]
    pub fn with_tag(key: &C::Key) -> Self {
        Self { key: *key, kernel: None, tag: PhantomData }
    }

    /// Creates the key from a slice.
    ///
    /// # Errors
    /// [`Error::Length`] if it does not have the length of a key of the cipher.
    pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
        let mut key: C::Key = exactly("key", C::NAME, key, C::KEY_BYTES)?;
        let cipher = Self::with_tag(&key);
        wipe(key.as_mut());
        Ok(cipher)
    }

    /// Returns the same key on one kernel, for whole messages and for messages in parts. Functions of many
    /// messages choose by themselves.
    #[must_use]
    pub fn on(mut self, kernel: &'static Kernel<Verbs>) -> Self {
        self.kernel = Some(kernel);
        self
    }

    /// Converts a slice to a nonce.
    ///
    /// # Errors
    /// [`Error::Length`] if it does not have the length of a nonce of the cipher.
    pub fn nonce(bytes: &[u8]) -> Result<C::Key, Error> {
        exactly("nonce", C::NAME, bytes, C::KEY_BYTES)
    }

    /// Converts a slice to a tag.
    ///
    /// # Errors
    /// [`Error::Length`] if it does not have the length of the type's tags.
    pub fn tag(bytes: &[u8]) -> Result<T::Bytes, Error> {
        exactly("tag", C::NAME, bytes, T::TAG_BYTES)
    }

    /// Encrypts a message. Returns the ciphertext, followed by the tag.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn seal(&self, nonce: &C::Key, ad: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut sealed = zeros(message.len(), T::TAG_BYTES);
        let tag = self.encrypt(nonce, ad, message, &mut sealed)?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// Decrypts the result of [`seal`](Self::seal).
    ///
    /// # Errors
    /// [`Error::Forged`] if any input was changed; [`Error::NoTag`], [`Error::TooLong`].
    pub fn open(&self, nonce: &C::Key, ad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let no_tag = Error::NoTag { n_bytes: sealed.len(), tag_bytes: T::TAG_BYTES };
        let message_bytes = sealed.len().checked_sub(T::TAG_BYTES).ok_or(no_tag)?;
        let (ciphertext, tag) = sealed.split_at(message_bytes);
        let mut message = alloc::vec![0; message_bytes];
        self.decrypt(nonce, ad, ciphertext, &Self::tag(tag)?, &mut message)?;
        Ok(message)
    }

    /// Encrypts into a slice of the message's length, and returns the tag.
    ///
    /// # Errors
    /// [`Error::Output`] if the slice has another length; [`Error::TooLong`].
    pub fn encrypt(
        &self,
        nonce: &C::Key,
        ad: &[u8],
        message: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<T::Bytes, Error> {
        same_length(message, ciphertext)?;
        self.encrypt_buffer(nonce, ad, Buffer::new(message, ciphertext))
    }

    /// Encrypts in place, and returns the tag.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn encrypt_in_place(&self, nonce: &C::Key, ad: &[u8], text: &mut [u8]) -> Result<T::Bytes, Error> {
        self.encrypt_buffer(nonce, ad, Buffer::in_place(text))
    }

    /// Decrypts into a slice of the ciphertext's length.
    ///
    /// # Errors
    /// [`Error::Forged`] if the tag is wrong; then the slice is zeros. [`Error::Output`] if the slice has
    /// another length; [`Error::TooLong`].
    pub fn decrypt(
        &self,
        nonce: &C::Key,
        ad: &[u8],
        ciphertext: &[u8],
        tag: &T::Bytes,
        message: &mut [u8],
    ) -> Result<(), Error> {
        same_length(ciphertext, message)?;
        self.decrypt_buffer(nonce, ad, Buffer::new(ciphertext, message), tag)
    }

    /// Decrypts in place.
    ///
    /// # Errors
    /// [`Error::Forged`] if the tag is wrong; then the text is zeros. [`Error::TooLong`].
    pub fn decrypt_in_place(
        &self,
        nonce: &C::Key,
        ad: &[u8],
        text: &mut [u8],
        tag: &T::Bytes,
    ) -> Result<(), Error> {
        self.decrypt_buffer(nonce, ad, Buffer::in_place(text), tag)
    }

    fn encrypt_buffer(&self, nonce: &C::Key, ad: &[u8], text: Buffer<'_>) -> Result<T::Bytes, Error> {
        let n_bytes = checked_bytes(ad, &text)?;
        let tag = self.encrypt_on(self.kernel(), nonce, ad, text);
        wipe_after(n_bytes);
        Ok(tag)
    }

    fn decrypt_buffer(
        &self,
        nonce: &C::Key,
        ad: &[u8],
        text: Buffer<'_>,
        tag: &T::Bytes,
    ) -> Result<(), Error> {
        let n_bytes = checked_bytes(ad, &text)?;
        let result = self.decrypt_on(self.kernel(), nonce, ad, text, tag);
        wipe_after(n_bytes);
        result
    }

    /// Encrypts on a kernel, and returns the tag. The lengths are checked.
    #[inline]
    pub(crate) fn encrypt_on(
        &self,
        kernel: &'static Kernel<Verbs>,
        nonce: &C::Key,
        ad: &[u8],
        text: Buffer<'_>,
    ) -> T::Bytes {
        let mut tag = T::Bytes::default();
        self.run(kernel, nonce, ad, Text::Encrypt(text), tag.as_mut());
        tag
    }

    /// Decrypts on a kernel. The lengths are checked.
    ///
    /// # Errors
    /// [`Error::Forged`] if the tag is wrong; then the text is zeros.
    #[inline]
    pub(crate) fn decrypt_on(
        &self,
        kernel: &'static Kernel<Verbs>,
        nonce: &C::Key,
        ad: &[u8],
        mut text: Buffer<'_>,
        tag: &T::Bytes,
    ) -> Result<(), Error> {
        let mut expected = T::Bytes::default();
        self.run(kernel, nonce, ad, Text::Decrypt(text.reborrow()), expected.as_mut());
        if is_authentic(&mut expected, tag, text.output()) { Ok(()) } else { Err(Error::Forged) }
    }

    #[inline]
    fn run(&self, kernel: &'static Kernel<Verbs>, nonce: &C::Key, ad: &[u8], text: Text<'_>, tag: &mut [u8]) {
        let start = Start::<C>::Key(&self.key, nonce);
        let end = End::Tag { ad_bytes: ad.len() as u64, message_bytes: text.len() as u64, tag };
        run(kernel, Job { start, state: None, ad, text, end });
    }

    #[inline]
    pub(crate) fn kernel(&self) -> &'static Kernel<Verbs> {
        self.kernel.map_or_else(|| TABLE.best_of_one(), |kernel| TABLE.of_one(kernel))
    }

    #[inline]
    pub(crate) fn key(&self) -> &C::Key {
        &self.key
    }
}

/// Returns the bytes of associated data and text together.
///
/// # Errors
/// [`Error::TooLong`].
#[inline]
pub(crate) fn checked_bytes(ad: &[u8], text: &Buffer<'_>) -> Result<usize, Error> {
    counted("associated data", 0, ad.len())?;
    counted("message", 0, text.len())?;
    Ok(ad.len().saturating_add(text.len()))
}

fn same_length(input: &[u8], output: &[u8]) -> Result<(), Error> {
    let (input_bytes, output_bytes) = (input.len(), output.len());
    if input_bytes == output_bytes { Ok(()) } else { Err(Error::Output { input_bytes, output_bytes }) }
}

impl<C: Cipher, T: Tag<C>> Drop for Aegis<C, T> {
    fn drop(&mut self) {
        wipe(self.key.as_mut());
        stack_wipe::wipe_of_many_aegis();
    }
}

/// Prints no part of the key.
impl<C: Cipher, T: Tag<C>> fmt::Debug for Aegis<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(C::NAME).field("tag_bytes", &T::TAG_BYTES).finish_non_exhaustive()
    }
}
