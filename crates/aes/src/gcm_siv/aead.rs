//! A key of AES-GCM-SIV, and many messages: RFC 8452, sections 4 and 5.

use alloc::vec::Vec;

use hashlanes_isa::cipher::{Block, Buffer, Kernel};
use zeroize::Zeroize;

use super::job::Job;
use crate::gcm::Error;
use crate::gcm::error::exactly;
use crate::gcm::job::Direction;
use crate::gcm::kernels::{TABLE, Verbs, call};
use crate::gcm::many::{Parts, decrypt_all, encrypt_all, many};
use crate::gcm::methods::{self, Cipher, methods};
use crate::tag::zeros;
use crate::{Key, stack_wipe};

/// A key of AES-GCM-SIV, which encrypts and authenticates messages:
/// [`Aes128GcmSiv`](super::Aes128GcmSiv), [`Aes256GcmSiv`](super::Aes256GcmSiv).
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::gcm_siv::Aes128GcmSiv;
///
/// let cipher = Aes128GcmSiv::new(&[7; 16]); // a random key
/// let nonce = [1; 12]; // random
/// let sealed = cipher.seal(&nonce, b"to: you", b"the message")?;
/// assert_eq!(cipher.open(&nonce, b"to: you", &sealed)?, b"the message");
/// assert!(cipher.open(&nonce, b"to: me", &sealed).is_err());
/// # Ok::<(), hashlanes::aes::gcm_siv::Error>(())
/// ```
///
/// The round keys are overwritten when the value is dropped, and so is the stack below there, as far as
/// kernels reach: it has the derived keys of the last messages. The round keys have memory of their own, so
/// that moving the value leaves no copy. After a message that, with its associated data, has 64 KiB or more,
/// or many that have so much together, the stack is overwritten at once; after a short one that would take a
/// large part of the message's time.
#[derive(Clone)]
pub struct AesGcmSiv<const KEY_BYTES: usize> {
    key: Key,
    kernel: Option<&'static Kernel<Verbs>>,
}

methods! {
    AesGcmSiv 16 32
    /// [`Error::Length`] if it does not have 12 bytes.
}

impl<const KEY_BYTES: usize> AesGcmSiv<KEY_BYTES> {
    fn expand(key: &[u8]) -> Self {
        Self { key: Key::new(key).expect("a length of AES"), kernel: None }
    }

    /// Returns the same key on one kernel. Functions of many messages choose by themselves.
    #[must_use]
    pub fn on(mut self, kernel: &'static Kernel<Verbs>) -> Self {
        self.kernel = Some(kernel);
        self
    }
}

impl<const KEY_BYTES: usize> Cipher for AesGcmSiv<KEY_BYTES> {
    type Job<'a> = Job<'a>;

    #[inline(always)]
    fn kernel(&self) -> Option<&'static Kernel<Verbs>> {
        self.kernel
    }
    #[inline(always)]
    fn check_lengths(ad_bytes: u64, message_bytes: u64) -> Result<(), Error> {
        check_lengths(ad_bytes, message_bytes)
    }
    #[inline(always)]
    fn job<'a>(&'a self, nonce: &'a [u8; 12], ad: &'a [u8], text: Buffer<'a>, tag: &'a mut Block) -> Job<'a> {
        Job { key: &self.key, nonce, ad, text, tag }
    }
    #[inline(always)]
    fn call<'a>(kernel: &'static Kernel<Verbs>, direction: Direction, jobs: &mut [Option<Job<'a>>])
    where
        Self: 'a,
    {
        match direction {
            Direction::Encrypt => call::gcm_siv_encrypt(kernel, jobs),
            Direction::Decrypt => call::gcm_siv_decrypt(kernel, jobs),
        }
    }
    #[inline(always)]
    fn wipe(kernel: &'static Kernel<Verbs>) {
        if kernel.features().is_empty() {
            stack_wipe::wipe_of_portable_gcm();
        } else {
            stack_wipe::wipe_of_gcm_siv();
        }
    }
}

impl<const KEY_BYTES: usize> Drop for AesGcmSiv<KEY_BYTES> {
    fn drop(&mut self) {
        stack_wipe::wipe_of_many_gcm_siv();
    }
}

many! {
    AesGcmSiv
    /// Its nonce.
    ;
    16 "AES-128-GCM-SIV": aes128_gcm_siv_encrypt_many aes128_gcm_siv_decrypt_many aes128_gcm_siv_encrypt_many_on aes128_gcm_siv_decrypt_many_on;
    32 "AES-256-GCM-SIV": aes256_gcm_siv_encrypt_many aes256_gcm_siv_decrypt_many aes256_gcm_siv_encrypt_many_on aes256_gcm_siv_decrypt_many_on;
}

/// Checks the numbers of bytes of AES-GCM-SIV against RFC 8452, section 6.
///
/// # Errors
/// [`Error::MessageTooLong`], [`Error::DataTooLong`].
#[inline]
pub fn check_lengths(ad_bytes: u64, message_bytes: u64) -> Result<(), Error> {
    if message_bytes > 1 << 36 {
        return Err(Error::MessageTooLong);
    }
    if ad_bytes > 1 << 36 {
        return Err(Error::DataTooLong);
    }
    Ok(())
}
