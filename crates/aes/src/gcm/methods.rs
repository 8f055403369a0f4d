//! What AES-GCM and AES-GCM-SIV have in common: the methods of a key, and how they call kernels.

use hashlanes_isa::cipher::{Block, Buffer, Kernel};

use super::error::Error;
use super::job::Direction;
use super::kernels::{TABLE, Verbs};
use crate::tag::is_authentic;

/// Messages of at least this length wipe the stack after every call; after shorter ones this would take a
/// large part of the message's time.
const LONG_BYTES: usize = 64 * 1024;

/// A key, as its kernels use it.
pub(crate) trait Cipher {
    /// A message to encrypt or decrypt.
    type Job<'a>
    where
        Self: 'a;

    /// Returns the kernel that was set.
    fn kernel(&self) -> Option<&'static Kernel<Verbs>>;
    /// Checks the numbers of bytes against the standard.
    fn check_lengths(ad_bytes: u64, message_bytes: u64) -> Result<(), Error>;
    /// Returns the message as a kernel's job. `tag` is the place of the tag; in decryption it contains the
    /// received one.
    fn job<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        ad: &'a [u8],
        text: Buffer<'a>,
        tag: &'a mut Block,
    ) -> Self::Job<'a>;
    /// Calls the kernel.
    fn call<'a>(kernel: &'static Kernel<Verbs>, direction: Direction, jobs: &mut [Option<Self::Job<'a>>])
    where
        Self: 'a;
    /// Overwrites the stack as far as the kernel reached.
    fn wipe(kernel: &'static Kernel<Verbs>);
}

/// The public methods of a cipher, in a file that uses what they need: `methods`, [`Buffer`] and the like.
macro_rules! methods {
    ($cipher:ident $($key_bytes:literal)* $(#[$nonce_errors:meta])*) => {
        $(
            impl $cipher<$key_bytes> {
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
        )*

        impl<const KEY_BYTES: usize> $cipher<KEY_BYTES> {
            /// The number of bytes of a key.
            pub const KEY_BYTES: usize = KEY_BYTES;
            /// The number of bytes of a nonce.
            pub const NONCE_BYTES: usize = 12;
            /// The number of bytes of a tag.
            pub const TAG_BYTES: usize = 16;

            /// Converts a slice to a nonce.
            ///
            /// # Errors
            $(#[$nonce_errors])*
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
            /// [`Error::Output`] if the slice has another length; [`Error::MessageTooLong`],
            /// [`Error::DataTooLong`].
            pub fn encrypt(
                &self,
                nonce: &[u8; 12],
                ad: &[u8],
                message: &[u8],
                ciphertext: &mut [u8],
            ) -> Result<[u8; 16], Error> {
                methods::same_length(message, ciphertext)?;
                methods::encrypt(self, nonce, ad, Buffer::new(message, ciphertext))
            }

            /// Encrypts in place, and returns the tag.
            ///
            /// # Errors
            /// [`Error::MessageTooLong`], [`Error::DataTooLong`].
            pub fn encrypt_in_place(&self, nonce: &[u8; 12], ad: &[u8], text: &mut [u8]) -> Result<[u8; 16], Error> {
                methods::encrypt(self, nonce, ad, Buffer::in_place(text))
            }

            /// Decrypts into a slice of the ciphertext's length.
            ///
            /// # Errors
            /// [`Error::Forged`] if the tag is wrong; then the slice is zeros. [`Error::Output`] if the slice
            /// has another length; [`Error::MessageTooLong`], [`Error::DataTooLong`].
            pub fn decrypt(
                &self,
                nonce: &[u8; 12],
                ad: &[u8],
                ciphertext: &[u8],
                tag: &[u8; 16],
                message: &mut [u8],
            ) -> Result<(), Error> {
                methods::same_length(ciphertext, message)?;
                methods::decrypt(self, nonce, ad, Buffer::new(ciphertext, message), tag)
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
                methods::decrypt(self, nonce, ad, Buffer::in_place(text), tag)
            }
        }

        /// Prints no part of the key.
        impl<const KEY_BYTES: usize> core::fmt::Debug for $cipher<KEY_BYTES> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}(AES-{})", stringify!($cipher), 8 * KEY_BYTES)
            }
        }
    };
}
pub(crate) use methods;

/// Encrypts a message. Returns the tag.
pub(crate) fn encrypt<C: Cipher>(
    cipher: &C,
    nonce: &[u8; 12],
    ad: &[u8],
    text: Buffer<'_>,
) -> Result<[u8; 16], Error> {
    let mut tag = [0; 16];
    run(cipher, Direction::Encrypt, nonce, ad, text, &mut tag)?;
    Ok(tag)
}

/// Decrypts a message. If the tag is wrong, the result is zeros.
pub(crate) fn decrypt<C: Cipher>(
    cipher: &C,
    nonce: &[u8; 12],
    ad: &[u8],
    mut text: Buffer<'_>,
    tag: &[u8; 16],
) -> Result<(), Error> {
    let mut expected = *tag;
    run(cipher, Direction::Decrypt, nonce, ad, text.reborrow(), &mut expected)?;
    if is_authentic(&mut expected, tag, text.output()) { Ok(()) } else { Err(Error::Forged) }
}

#[inline]
fn run<C: Cipher>(
    cipher: &C,
    direction: Direction,
    nonce: &[u8; 12],
    ad: &[u8],
    text: Buffer<'_>,
    tag: &mut Block,
) -> Result<(), Error> {
    C::check_lengths(ad.len() as u64, text.len() as u64)?;
    let kernel = cipher.kernel().map_or_else(|| TABLE.best_of_one(), |kernel| TABLE.of_one(kernel));
    let n_bytes = ad.len().saturating_add(text.len());
    C::call(kernel, direction, &mut [Some(cipher.job(nonce, ad, text, tag))]);
    wipe_after::<C>(kernel, n_bytes);
    Ok(())
}

/// Overwrites the stack after messages of `n_bytes` bytes together, if they are long. After the portable
/// kernel always: it takes little next to its rounds.
#[inline(always)]
pub(crate) fn wipe_after<C: Cipher>(kernel: &'static Kernel<Verbs>, n_bytes: usize) {
    if n_bytes >= LONG_BYTES || kernel.features().is_empty() {
        C::wipe(kernel);
    }
}

pub(crate) fn same_length(input: &[u8], output: &[u8]) -> Result<(), Error> {
    let (input_bytes, output_bytes) = (input.len(), output.len());
    if input_bytes == output_bytes { Ok(()) } else { Err(Error::Output { input_bytes, output_bytes }) }
}
