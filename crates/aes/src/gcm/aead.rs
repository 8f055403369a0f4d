//! A key of AES-GCM: NIST SP 800-38D, with nonces of 96 bits and tags of 128 bits.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashlanes_isa::cipher::{Block, Buffer, Kernel};
use zeroize::Zeroize;

use super::error::{Error, check_lengths, exactly};
use super::job::{Direction, Fill, Job, Powers};
use super::kernels::{TABLE, Verbs, call};
use super::methods::{self, Cipher, methods};
use crate::tag::zeros;
use crate::{Key, stack_wipe};

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

methods! {
    AesGcm 16 24 32
    /// [`Error::Length`] if it does not have 12 bytes. SP 800-38D also defines nonces of other lengths, which
    /// are hashed; they are not supported.
}

impl<const KEY_BYTES: usize> AesGcm<KEY_BYTES> {
    fn expand(key: &[u8]) -> Self {
        let key = Key::new(key).expect("a length of AES");
        let mut powers = Powers::zeros();
        let kernel = TABLE.best_of_one();
        call::gcm_powers(kernel, Fill { key: &key, powers: &mut powers });
        Self::wipe(kernel);
        Self { key, powers, kernel: None }
    }

    /// Returns the same key on one kernel. Functions of many messages choose by themselves.
    #[must_use]
    pub fn on(mut self, kernel: &'static Kernel<Verbs>) -> Self {
        self.kernel = Some(kernel);
        call::gcm_powers(kernel, Fill { key: &self.key, powers: &mut self.powers });
        Self::wipe(TABLE.of_one(kernel));
        self
    }
}

impl<const KEY_BYTES: usize> Cipher for AesGcm<KEY_BYTES> {
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
        Job { key: &self.key, powers: &self.powers, nonce, ad, text, tag }
    }
    #[inline(always)]
    fn call<'a>(kernel: &'static Kernel<Verbs>, direction: Direction, jobs: &mut [Option<Job<'a>>])
    where
        Self: 'a,
    {
        match direction {
            Direction::Encrypt => call::gcm_encrypt(kernel, jobs),
            Direction::Decrypt => call::gcm_decrypt(kernel, jobs),
        }
    }
    #[inline(always)]
    fn wipe(kernel: &'static Kernel<Verbs>) {
        if kernel.features().is_empty() {
            stack_wipe::wipe_of_portable_gcm();
        } else {
            stack_wipe::wipe_of_gcm();
        }
    }
}

impl<const KEY_BYTES: usize> Drop for AesGcm<KEY_BYTES> {
    fn drop(&mut self) {
        stack_wipe::wipe_of_many_gcm();
    }
}
