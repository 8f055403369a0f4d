//! Many messages at once, each with its own key, nonce and associated data.
//!
//! A short message leaves the units idle at its start, while the first rounds go through, and at its end,
//! while the hash is reduced. A call of a kernel processes up to [`WINDOW`] messages, whose ends and starts
//! overlap.

use hashlanes_isa::cipher::{Buffer, Kernel};

use super::aead::{AesGcm, wipe_after};
use super::error::{Error, check_lengths};
use super::job::Job;
use super::kernels::{TABLE, Verbs, call};
use crate::tag::{blank, forget, same_tag};

/// A message to encrypt or decrypt together with others.
#[derive(Debug)]
pub struct Message<'k, 'm, const KEY_BYTES: usize> {
    /// Its cipher, which messages may share.
    pub cipher: &'k AesGcm<KEY_BYTES>,
    /// Its nonce, which must never be used twice with one key.
    pub nonce: [u8; 12],
    /// Its associated data.
    pub ad: &'m [u8],
    /// The text, and the place of the result: in place or apart.
    pub buffer: Buffer<'m>,
    /// Encryption puts the tag here; decryption compares it.
    pub tag: [u8; 16],
}

macro_rules! functions {
    ($($key_bytes:literal $name:literal: $encrypt:ident $decrypt:ident $encrypt_on:ident $decrypt_on:ident;)*) => {$(
        #[doc = concat!("Encrypts many messages with ", $name, ", each as [`AesGcm::encrypt`] would.")]
        ///
        /// The stack is overwritten if the messages have 64 KiB or more together, otherwise when a key is
        /// dropped.
        ///
        /// # Errors
        /// [`Error::MessageTooLong`], [`Error::DataTooLong`]; then nothing is encrypted.
        pub fn $encrypt(messages: &mut [Message<'_, '_, $key_bytes>]) -> Result<(), Error> {
            encrypt_all(TABLE.best_of_one(), messages)
        }

        #[doc = concat!("Decrypts many messages with ", $name, ", each as [`AesGcm::decrypt`] would.")]
        ///
        /// `results` reports for each message whether it is authentic; if not, its bytes are zeros.
        ///
        /// # Errors
        /// [`Error::MessageTooLong`], [`Error::DataTooLong`], [`Error::Count`] unless there is a result for
        /// each message; then nothing is decrypted.
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
    )*};
}
functions! {
    16 "AES-128-GCM": aes128_gcm_encrypt_many aes128_gcm_decrypt_many aes128_gcm_encrypt_many_on aes128_gcm_decrypt_many_on;
    24 "AES-192-GCM": aes192_gcm_encrypt_many aes192_gcm_decrypt_many aes192_gcm_encrypt_many_on aes192_gcm_decrypt_many_on;
    32 "AES-256-GCM": aes256_gcm_encrypt_many aes256_gcm_decrypt_many aes256_gcm_encrypt_many_on aes256_gcm_decrypt_many_on;
}

/// Messages of a call of a kernel.
const WINDOW: usize = 16;
/// Fewer messages have a list of their own: clearing the long one takes as long as a message.
const FEW: usize = 4;

fn encrypt_all<const KEY_BYTES: usize>(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [Message<'_, '_, KEY_BYTES>],
) -> Result<(), Error> {
    let n_bytes = check(messages)?;
    for window in messages.chunks_mut(WINDOW) {
        match window.len() {
            1 => encrypt_window::<1, _>(kernel, window),
            ..=FEW => encrypt_window::<FEW, _>(kernel, window),
            _ => encrypt_window::<WINDOW, _>(kernel, window),
        }
    }
    wipe_after(kernel, n_bytes);
    Ok(())
}

/// Encrypts at most `MOST` messages.
fn encrypt_window<const MOST: usize, const KEY_BYTES: usize>(
    kernel: &'static Kernel<Verbs>,
    window: &mut [Message<'_, '_, KEY_BYTES>],
) {
    let n = window.len();
    let mut jobs = [const { None::<Job<'_>> }; MOST];
    for (place, message) in jobs.iter_mut().zip(window) {
        let Message { cipher, nonce, ad, buffer, tag } = message;
        *place = Some(cipher.job(nonce, ad, buffer.reborrow(), tag));
    }
    call::gcm_encrypt(kernel, &mut jobs[..n]);
}

fn decrypt_all<const KEY_BYTES: usize>(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [Message<'_, '_, KEY_BYTES>],
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
    wipe_after(kernel, n_bytes);
    Ok(())
}

/// Decrypts at most `MOST` messages.
fn decrypt_window<const MOST: usize, const KEY_BYTES: usize>(
    kernel: &'static Kernel<Verbs>,
    window: &mut [Message<'_, '_, KEY_BYTES>],
    results: &mut [Result<(), Error>],
) {
    let mut expected = [[0; 16]; MOST];
    let n = window.len();
    let mut jobs = [const { None::<Job<'_>> }; MOST];
    for ((place, message), expected) in jobs.iter_mut().zip(&mut *window).zip(&mut expected) {
        let Message { cipher, nonce, ad, buffer, .. } = message;
        *place = Some(cipher.job(nonce, ad, buffer.reborrow(), expected));
    }
    call::gcm_decrypt(kernel, &mut jobs[..n]);
    for ((message, expected), result) in window.iter_mut().zip(&mut expected).zip(results) {
        let right = same_tag(expected, &message.tag);
        forget(expected);
        *result = if right { Ok(()) } else { Err(Error::Forged) };
        if !right {
            blank(message.buffer.output());
        }
    }
}

/// Checks all lengths; returns the number of bytes.
fn check<const KEY_BYTES: usize>(messages: &[Message<'_, '_, KEY_BYTES>]) -> Result<usize, Error> {
    messages.iter().try_fold(0_usize, |n_bytes, message| {
        check_lengths(message.ad.len() as u64, message.buffer.len() as u64)?;
        Ok(n_bytes.saturating_add(message.ad.len()).saturating_add(message.buffer.len()))
    })
}
