//! Many messages at once, each with its own key, nonce and associated data: of AES-GCM, and what they have in
//! common with those of AES-GCM-SIV.
//!
//! A short message leaves the units idle at its start, while the first rounds go through, and at its end,
//! while the hash is reduced. A call of a kernel processes up to [`WINDOW`] messages, whose ends and starts
//! overlap.

use hashlanes_isa::cipher::{Buffer, Kernel};

use super::aead::AesGcm;
use super::error::Error;
use super::job::Direction;
use super::kernels::{TABLE, Verbs};
use super::methods::{Cipher, wipe_after};
use crate::tag::is_authentic;

/// The message type of a cipher, and its functions of many messages, in a file that uses what they need.
macro_rules! many {
    (
        $cipher:ident $(#[$nonce:meta])*;
        $($key_bytes:literal $name:literal: $encrypt:ident $decrypt:ident $encrypt_on:ident $decrypt_on:ident;)*
    ) => {
        /// A message to encrypt or decrypt together with others.
        #[derive(Debug)]
        pub struct Message<'k, 'm, const KEY_BYTES: usize> {
            /// Its cipher, which messages may share.
            pub cipher: &'k $cipher<KEY_BYTES>,
            $(#[$nonce])*
            pub nonce: [u8; 12],
            /// Its associated data.
            pub ad: &'m [u8],
            /// The text, and the place of the result: in place or apart. It stays as it is: a second call
            /// reads the text again, which in place is the result of the first.
            pub buffer: Buffer<'m>,
            /// Encryption puts the tag here; decryption compares it.
            pub tag: [u8; 16],
        }

        impl<const KEY_BYTES: usize> Parts for Message<'_, '_, KEY_BYTES> {
            type Cipher = $cipher<KEY_BYTES>;

            #[inline(always)]
            fn lengths(&self) -> [usize; 2] {
                [self.ad.len(), self.buffer.len()]
            }
            #[inline(always)]
            fn job<'a>(&'a mut self) -> <Self::Cipher as Cipher>::Job<'a> {
                let Self { cipher, nonce, ad, buffer, tag } = self;
                cipher.job(nonce, ad, buffer.reborrow(), tag)
            }
            #[inline(always)]
            fn job_apart<'a>(&'a mut self, expected: &'a mut [u8; 16]) -> <Self::Cipher as Cipher>::Job<'a> {
                let Self { cipher, nonce, ad, buffer, tag } = self;
                *expected = *tag;
                cipher.job(nonce, ad, buffer.reborrow(), expected)
            }
            #[inline(always)]
            fn opened(&mut self) -> (&[u8; 16], &mut [u8]) {
                (&self.tag, self.buffer.output())
            }
        }

        $(
            #[doc = concat!("Encrypts many messages with ", $name, ", each as [`", stringify!($cipher), "::encrypt`] would.")]
            ///
            /// The stack is overwritten if the messages have 64 KiB or more together, otherwise when a key is
            /// dropped.
            ///
            /// # Errors
            /// [`Error::MessageTooLong`], [`Error::DataTooLong`]; then nothing is encrypted.
            pub fn $encrypt(messages: &mut [Message<'_, '_, $key_bytes>]) -> Result<(), Error> {
                encrypt_all(TABLE.best_of_one(), messages)
            }

            #[doc = concat!("Decrypts many messages with ", $name, ", each as [`", stringify!($cipher), "::decrypt`] would.")]
            ///
            /// `results` reports for each message whether it is authentic; if not, its bytes are zeros.
            ///
            /// # Errors
            /// [`Error::MessageTooLong`], [`Error::DataTooLong`], [`Error::Count`] unless there is a result
            /// for each message; then nothing is decrypted.
            pub fn $decrypt(
                messages: &mut [Message<'_, '_, $key_bytes>],
                results: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                decrypt_all(TABLE.best_of_one(), messages, results)
            }

            /// Computes the same on one kernel.
            ///
            /// # Errors
            /// The same as without the feature.
            #[doc(hidden)]
            pub fn $encrypt_on(
                kernel: &'static Kernel<Verbs>,
                messages: &mut [Message<'_, '_, $key_bytes>],
            ) -> Result<(), Error> {
                encrypt_all(TABLE.of_one(kernel), messages)
            }

            /// Computes the same on one kernel.
            ///
            /// # Errors
            /// The same as without the feature.
            #[doc(hidden)]
            pub fn $decrypt_on(
                kernel: &'static Kernel<Verbs>,
                messages: &mut [Message<'_, '_, $key_bytes>],
                results: &mut [Result<(), Error>],
            ) -> Result<(), Error> {
                decrypt_all(TABLE.of_one(kernel), messages, results)
            }
        )*
    };
}
pub(crate) use many;

many! {
    AesGcm
    /// Its nonce, which must never be used twice with one key.
    ;
    16 "AES-128-GCM": aes128_gcm_encrypt_many aes128_gcm_decrypt_many aes128_gcm_encrypt_many_on aes128_gcm_decrypt_many_on;
    24 "AES-192-GCM": aes192_gcm_encrypt_many aes192_gcm_decrypt_many aes192_gcm_encrypt_many_on aes192_gcm_decrypt_many_on;
    32 "AES-256-GCM": aes256_gcm_encrypt_many aes256_gcm_decrypt_many aes256_gcm_encrypt_many_on aes256_gcm_decrypt_many_on;
}

/// Messages of a call of a kernel.
pub(crate) const WINDOW: usize = 16;
/// Fewer messages have a list of their own: clearing the long one takes as long as a message.
const FEW: usize = 4;

/// A message of either cipher.
pub(crate) trait Parts {
    type Cipher: Cipher;

    /// The bytes of associated data and of text.
    fn lengths(&self) -> [usize; 2];
    /// The message as a kernel's job, which puts the tag in its place.
    fn job<'a>(&'a mut self) -> <Self::Cipher as Cipher>::Job<'a>;
    /// The message as a kernel's job, which puts the tag that it must have in another place.
    fn job_apart<'a>(&'a mut self, expected: &'a mut [u8; 16]) -> <Self::Cipher as Cipher>::Job<'a>;
    /// The tag that it has, and its text after decryption.
    fn opened(&mut self) -> (&[u8; 16], &mut [u8]);
}

pub(crate) fn encrypt_all<M: Parts>(kernel: &'static Kernel<Verbs>, messages: &mut [M]) -> Result<(), Error> {
    if let [message] = messages {
        let n_bytes = check_one(message)?;
        M::Cipher::call(kernel, Direction::Encrypt, &mut [Some(message.job())]);
        wipe_after::<M::Cipher>(kernel, n_bytes);
        return Ok(());
    }
    let n_bytes = check(messages)?;
    for window in messages.chunks_mut(WINDOW) {
        match window.len() {
            ..=FEW => encrypt_window::<FEW, _>(kernel, window),
            _ => encrypt_window::<WINDOW, _>(kernel, window),
        }
    }
    wipe_after::<M::Cipher>(kernel, n_bytes);
    Ok(())
}

/// Encrypts at most `MOST` messages.
fn encrypt_window<const MOST: usize, M: Parts>(kernel: &'static Kernel<Verbs>, window: &mut [M]) {
    let n = window.len();
    let mut jobs = [const { None }; MOST];
    for (place, message) in jobs.iter_mut().zip(window) {
        *place = Some(message.job());
    }
    M::Cipher::call(kernel, Direction::Encrypt, &mut jobs[..n]);
}

pub(crate) fn decrypt_all<M: Parts>(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [M],
    results: &mut [Result<(), Error>],
) -> Result<(), Error> {
    let n_bytes = check(messages)?;
    if messages.len() != results.len() {
        return Err(Error::Count { messages: messages.len(), results: results.len() });
    }
    for (window, results) in messages.chunks_mut(WINDOW).zip(results.chunks_mut(WINDOW)) {
        match window.len() {
            1 => decrypt_window::<1, _>(kernel, window, results),
            ..=FEW => decrypt_window::<FEW, _>(kernel, window, results),
            _ => decrypt_window::<WINDOW, _>(kernel, window, results),
        }
    }
    wipe_after::<M::Cipher>(kernel, n_bytes);
    Ok(())
}

/// Decrypts at most `MOST` messages.
fn decrypt_window<const MOST: usize, M: Parts>(
    kernel: &'static Kernel<Verbs>,
    window: &mut [M],
    results: &mut [Result<(), Error>],
) {
    let mut expected = [[0; 16]; MOST];
    let n = window.len();
    let mut jobs = [const { None }; MOST];
    for ((place, message), expected) in jobs.iter_mut().zip(&mut *window).zip(&mut expected) {
        *place = Some(message.job_apart(expected));
    }
    M::Cipher::call(kernel, Direction::Decrypt, &mut jobs[..n]);
    drop(jobs);
    for ((message, expected), result) in window.iter_mut().zip(&mut expected).zip(results) {
        let (tag, text) = message.opened();
        *result = if is_authentic(expected, tag, text) { Ok(()) } else { Err(Error::Forged) };
    }
}

/// Checks all lengths; returns the number of bytes.
fn check<M: Parts>(messages: &[M]) -> Result<usize, Error> {
    messages.iter().try_fold(0_usize, |n_bytes, message| Ok(n_bytes.saturating_add(check_one(message)?)))
}

/// Checks the lengths of a message; returns its number of bytes.
#[inline]
fn check_one<M: Parts>(message: &M) -> Result<usize, Error> {
    let [ad_bytes, text_bytes] = message.lengths();
    M::Cipher::check_lengths(ad_bytes as u64, text_bytes as u64)?;
    Ok(ad_bytes.saturating_add(text_bytes))
}
