//! Authenticated encryption of a message: NIST SP 800-38D, sections 7.1 and 7.2, with nonces of 96 bits and
//! tags of 128 bits.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use hashlanes_isa::cipher::{Block, Buffer, Kernel};
use zeroize::Zeroize;

use super::error::{Error, check_lengths, exactly};
use super::job::{Direction, Fill, Job, Powers};
use super::kernels::{TABLE, Verbs, call};
use crate::tag::{blank, forget, same_tag, zeros};
use crate::{Key, stack_wipe};

/// Messages of at least this length wipe the stack after every call; after shorter ones this would take a
/// large part of the message's time.
const LONG_BYTES: usize = 64 * 1024;

/// A key of AES-GCM, which encrypts and authenticates messages: [`Aes128Gcm`](super::Aes128Gcm),
/// [`Aes192Gcm`](super::Aes192Gcm), [`Aes256Gcm`](super::Aes256Gcm).
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::gcm::Aes128Gcm;
///
/// let cipher = Aes128Gcm::new(&[7; 16]); // a random key
/// let nonce = [1; 12]; // never twice with one key
/// let sealed = cipher.seal(&nonce, b"to: you", b"the message")?;
/// assert_eq!(cipher.open(&nonce, b"to: you", &sealed)?, b"the message");
/// assert!(cipher.open(&nonce, b"to: me", &sealed).is_err());
/// # Ok::<(), hashlanes::aes::gcm::Error>(())
/// ```
///
/// A new value expands the key, which takes longer than a short message does: keep the value for all messages
/// of the key.
///
/// Round keys and powers of the hash key are overwritten when the value is dropped, and so is the stack below
/// there, as far as kernels reach. They have memory of their own, so that moving the value leaves no copy.
/// After a message that, with its associated data, has 64 KiB or more, or many that have so much together,
/// the stack is overwritten at once; after a short one that would take a large part of the message's time.
#[derive(Clone)]
pub struct AesGcm<const KEY_BYTES: usize> {
    key: Key,
    powers: Box<Powers>,
    kernel: Option<&'static Kernel<Verbs>>,
}

macro_rules! keys {
    ($($key_bytes:literal)*) => {$(
        impl AesGcm<$key_bytes> {
            /// Expands a key.
            pub fn new(key: &[u8; $key_bytes]) -> Self {
                Self::expand(key)
            }

            /// Expands a key from a slice.
            ///
            /// # Errors
            /// [`Error::Length`] if it does not have the length of a key of the cipher.
            pub fn from_slice(key: &[u8]) -> Result<Self, Error> {
                let mut key: [u8; $key_bytes] = exactly("key", key)?;
                let cipher = Self::new(&key);
                key.zeroize();
                Ok(cipher)
            }
        }
    )*};
}
keys! { 16 24 32 }

impl<const KEY_BYTES: usize> AesGcm<KEY_BYTES> {
    /// The number of bytes of a key.
    pub const KEY_BYTES: usize = KEY_BYTES;
    /// The number of bytes of a nonce.
    pub const NONCE_BYTES: usize = 12;
    /// The number of bytes of a tag.
    pub const TAG_BYTES: usize = 16;

    fn expand(key: &[u8]) -> Self {
        let key = Key::new(key).expect("a length of AES");
        let mut powers = Powers::zeros();
        let kernel = TABLE.best_of_one();
        call::gcm_powers(kernel, Fill { key: &key, powers: &mut powers });
        wipe(kernel);
        Self { key, powers, kernel: None }
    }

    /// Returns the same key on one kernel. Functions of many messages choose by themselves.
    #[must_use]
    pub fn on(mut self, kernel: &'static Kernel<Verbs>) -> Self {
        self.kernel = Some(kernel);
        call::gcm_powers(kernel, Fill { key: &self.key, powers: &mut self.powers });
        wipe(TABLE.of_one(kernel));
        self
    }

    /// Converts a slice to a nonce.
    ///
    /// # Errors
    /// [`Error::Length`] if it does not have 12 bytes. SP 800-38D also defines nonces of other lengths, which
    /// are hashed; they are not supported.
    pub fn nonce(bytes: &[u8]) -> Result<[u8; 12], Error> {
        exactly("nonce", bytes)
    }

    /// Converts a slice to a tag.
    ///
    /// # Errors
    /// [`Error::Length`] if it does not have 16 bytes.
    pub fn tag(bytes: &[u8]) -> Result<[u8; 16], Error> {
        exactly("tag", bytes)
    }

    /// Encrypts a message. Returns the ciphertext, followed by the tag.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`], [`Error::DataTooLong`].
    pub fn seal(&self, nonce: &[u8; 12], ad: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut sealed = zeros(message.len(), Self::TAG_BYTES);
        let tag = self.encrypt(nonce, ad, message, &mut sealed)?;
        sealed.extend_from_slice(&tag);
        Ok(sealed)
    }

    /// Decrypts the result of [`seal`](Self::seal).
    ///
    /// # Errors
    /// [`Error::Forged`] if any input was changed; [`Error::NoTag`], [`Error::MessageTooLong`],
    /// [`Error::DataTooLong`].
    pub fn open(&self, nonce: &[u8; 12], ad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let (ciphertext, tag) = sealed.split_last_chunk().ok_or(Error::NoTag(sealed.len()))?;
        let mut message = alloc::vec![0; ciphertext.len()];
        self.decrypt(nonce, ad, ciphertext, tag, &mut message)?;
        Ok(message)
    }

    /// Encrypts into a slice of the message's length, and returns the tag.
    ///
    /// # Errors
    /// [`Error::Output`] if the slice has another length; [`Error::MessageTooLong`], [`Error::DataTooLong`].
    pub fn encrypt(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        message: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<[u8; 16], Error> {
        same_length(message, ciphertext)?;
        self.encrypt_buffer(nonce, ad, Buffer::new(message, ciphertext))
    }

    /// Encrypts in place, and returns the tag.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`], [`Error::DataTooLong`].
    pub fn encrypt_in_place(&self, nonce: &[u8; 12], ad: &[u8], text: &mut [u8]) -> Result<[u8; 16], Error> {
        self.encrypt_buffer(nonce, ad, Buffer::in_place(text))
    }

    /// Decrypts into a slice of the ciphertext's length.
    ///
    /// # Errors
    /// [`Error::Forged`] if the tag is wrong; then the slice is zeros. [`Error::Output`] if the slice has
    /// another length; [`Error::MessageTooLong`], [`Error::DataTooLong`].
    pub fn decrypt(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        ciphertext: &[u8],
        tag: &[u8; 16],
        message: &mut [u8],
    ) -> Result<(), Error> {
        same_length(ciphertext, message)?;
        self.decrypt_buffer(nonce, ad, Buffer::new(ciphertext, message), tag)
    }

    /// Decrypts in place.
    ///
    /// # Errors
    /// [`Error::Forged`] if the tag is wrong; then the text is zeros. [`Error::MessageTooLong`],
    /// [`Error::DataTooLong`].
    pub fn decrypt_in_place(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        text: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        self.decrypt_buffer(nonce, ad, Buffer::in_place(text), tag)
    }

    fn encrypt_buffer(&self, nonce: &[u8; 12], ad: &[u8], text: Buffer<'_>) -> Result<[u8; 16], Error> {
        let mut tag = [0; 16];
        self.run(Direction::Encrypt, nonce, ad, text, &mut tag)?;
        Ok(tag)
    }

    fn decrypt_buffer(
        &self,
        nonce: &[u8; 12],
        ad: &[u8],
        mut text: Buffer<'_>,
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        let mut expected = [0; 16];
        self.run(Direction::Decrypt, nonce, ad, text.reborrow(), &mut expected)?;
        let right = same_tag(&expected, tag);
        forget(&mut expected);
        if right {
            return Ok(());
        }
        blank(text.output());
        Err(Error::Forged)
    }

    /// Returns the message as a kernel's job.
    #[inline]
    pub(crate) fn job<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        ad: &'a [u8],
        text: Buffer<'a>,
        tag: &'a mut Block,
    ) -> Job<'a> {
        Job { key: &self.key, powers: &self.powers, nonce, ad, text, tag }
    }

    #[inline]
    fn run(
        &self,
        direction: Direction,
        nonce: &[u8; 12],
        ad: &[u8],
        text: Buffer<'_>,
        tag: &mut Block,
    ) -> Result<(), Error> {
        check_lengths(ad.len() as u64, text.len() as u64)?;
        let kernel = self.kernel.map_or_else(|| TABLE.best_of_one(), |kernel| TABLE.of_one(kernel));
        let n_bytes = ad.len().saturating_add(text.len());
        let job = self.job(nonce, ad, text, tag);
        match direction {
            Direction::Encrypt => call::gcm_encrypt(kernel, &mut [Some(job)]),
            Direction::Decrypt => call::gcm_decrypt(kernel, &mut [Some(job)]),
        }
        wipe_after(kernel, n_bytes);
        Ok(())
    }
}

/// Overwrites the stack after messages of `n_bytes` bytes together, if they are long. After the portable
/// kernel always: it takes little next to its rounds.
#[inline(always)]
pub(crate) fn wipe_after(kernel: &'static Kernel<Verbs>, n_bytes: usize) {
    if n_bytes >= LONG_BYTES || kernel.features().is_empty() {
        wipe(kernel);
    }
}

/// Overwrites the stack as far as the kernel reached.
#[inline(always)]
fn wipe(kernel: &'static Kernel<Verbs>) {
    if kernel.features().is_empty() {
        stack_wipe::wipe_of_portable_gcm();
    } else {
        stack_wipe::wipe_of_gcm();
    }
}

fn same_length(input: &[u8], output: &[u8]) -> Result<(), Error> {
    let (input_bytes, output_bytes) = (input.len(), output.len());
    if input_bytes == output_bytes { Ok(()) } else { Err(Error::Output { input_bytes, output_bytes }) }
}

impl<const KEY_BYTES: usize> Drop for AesGcm<KEY_BYTES> {
    fn drop(&mut self) {
        stack_wipe::wipe_of_many_gcm();
    }
}

/// Prints no part of the key.
impl<const KEY_BYTES: usize> fmt::Debug for AesGcm<KEY_BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AesGcm(AES-{})", 8 * KEY_BYTES)
    }
}
