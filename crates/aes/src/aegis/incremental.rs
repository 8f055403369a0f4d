//! Messages in parts.

use core::fmt;
use core::marker::PhantomData;

use hashlanes_isa::cipher::{Buffer, Kernel};
use zeroize::Zeroize;

use super::aead::{Aegis, run};
use super::ciphers::{Cipher, Tag};
use super::error::{Error, counted};
use super::job::{Direction, End, Job, Start, Text};
use super::kernels::Verbs;
use crate::stack_wipe;
#[cfg(feature = "hazmat")]
use crate::tag::is_right;
use crate::tag::wipe;

/// The most bytes of a rate: AEGIS-128X4's.
const MAX_RATE: usize = 128;

/// The position of a message between its parts: its length so far, and the bytes that do not fill a block of
/// the rate yet.
#[derive(Clone)]
pub(crate) struct Position {
    n_bytes: u64,
    kept: [u8; MAX_RATE],
    n_kept: usize,
}

impl Position {
    pub(crate) fn new() -> Self {
        Self { n_bytes: 0, kept: [0; MAX_RATE], n_kept: 0 }
    }

    /// Returns the number of bytes so far.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    pub(crate) fn count_from(&mut self, n_bytes: u64) {
        self.n_bytes = n_bytes;
    }

    /// Counts more bytes.
    pub(crate) fn count(&mut self, of: &'static str, n: usize) -> Result<(), Error> {
        self.n_bytes = counted(of, self.n_bytes, n)?;
        Ok(())
    }

    /// Returns the bytes that do not fill a block of the rate.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.kept[..self.n_kept]
    }

    /// Keeps the bytes, which are less than a block of the rate together with those already kept.
    pub(crate) fn keep(&mut self, bytes: &[u8]) {
        self.kept[self.n_kept..self.n_kept + bytes.len()].copy_from_slice(bytes);
        self.n_kept += bytes.len();
    }

    /// If bytes are kept and `data` has enough to fill up their block of the rate, takes those from `data`
    /// and returns the block.
    pub(crate) fn complete<C: Cipher>(&mut self, data: &mut &[u8]) -> Option<[u8; MAX_RATE]> {
        let missing = self.missing::<C>();
        if self.n_kept == 0 || data.len() < missing {
            return None;
        }
        let (first, rest) = data.split_at(missing);
        *data = rest;
        self.keep(first);
        self.n_kept = 0;
        Some(self.kept)
    }

    /// Returns the number of bytes to the end of the block.
    fn missing<C: Cipher>(&self) -> usize {
        C::RATE_BYTES - self.n_kept
    }
}

impl Drop for Position {
    fn drop(&mut self) {
        self.kept.zeroize();
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.n_bytes)
    }
}

/// The state of a message in progress, for both directions.
struct Stream<C: Cipher, T> {
    kernel: &'static Kernel<Verbs>,
    state: C::State,
    ad_bytes: u64,
    position: Position,
    tag: PhantomData<T>,
}

impl<C: Cipher, T: Tag<C>> Stream<C, T> {
    fn new(cipher: &Aegis<C, T>, nonce: &C::Key, ad: &[u8]) -> Result<Self, Error> {
        let ad_bytes = counted("associated data", 0, ad.len())?;
        let (kernel, state) = (cipher.kernel(), C::State::default());
        let mut this = Self { kernel, state, ad_bytes, position: Position::new(), tag: PhantomData };
        this.run(Start::Key(cipher.key(), nonce), ad, Text::None, End::State);
        Ok(this)
    }

    fn run(&mut self, start: Start<'_, C>, ad: &[u8], text: Text<'_>, end: End<'_>) {
        let job = Job { start, state: Some(&mut self.state), ad, text, end };
        run(self.kernel, job);
    }

    /// Returns the keystream of the block, which is the encryption of zeros. The state does not change.
    fn keystream(&self) -> [u8; MAX_RATE] {
        let (mut state, mut keystream) = (self.state, [0; MAX_RATE]);
        let text = Text::Encrypt(Buffer::in_place(&mut keystream[..C::RATE_BYTES]));
        let job = Job { start: Start::<C>::State, state: Some(&mut state), ad: &[], text, end: End::State };
        run(self.kernel, job);
        wipe(state.as_mut().as_flattened_mut());
        keystream
    }

    /// Encrypts or decrypts bytes in the middle of a block, in place.
    fn within_rate(&mut self, direction: Direction, bytes: &mut [u8]) {
        let mut keystream = self.keystream();
        let from = self.position.n_kept;
        if direction == Direction::Encrypt {
            self.position.keep(bytes);
        }
        for (byte, key) in bytes.iter_mut().zip(&keystream[from..]) {
            *byte ^= key;
        }
        if direction == Direction::Decrypt {
            self.position.keep(bytes);
        }
        wipe(&mut keystream);
        if self.position.missing::<C>() == 0 {
            let message = self.position.clone();
            self.position.n_kept = 0;
            // The update absorbs the message, in both directions.
            self.run(Start::State, message.kept(), Text::None, End::State);
        }
    }

    /// Processes the next part, from `input` to `output`.
    fn update(&mut self, direction: Direction, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        let (input_bytes, output_bytes) = (input.len(), output.len());
        if input_bytes != output_bytes {
            return Err(Error::Output { input_bytes, output_bytes });
        }
        self.position.count("message", input.len())?;
        let n_first = match self.position.n_kept {
            0 => 0,
            _ => self.position.missing::<C>().min(input.len()),
        };
        let (first, input) = input.split_at(n_first);
        let (first_output, output) = output.split_at_mut(n_first);
        if !first.is_empty() {
            first_output.copy_from_slice(first);
            self.within_rate(direction, first_output);
        }
        let n_rates = input.len() / C::RATE_BYTES * C::RATE_BYTES;
        let (rates, rest) = input.split_at(n_rates);
        let (rates_output, rest_output) = output.split_at_mut(n_rates);
        if !rates.is_empty() {
            let buffer = Buffer::new(rates, rates_output);
            self.run(Start::State, &[], Text::new(direction, buffer), End::State);
        }
        if !rest.is_empty() {
            rest_output.copy_from_slice(rest);
            self.within_rate(direction, rest_output);
        }
        Ok(())
    }

    /// Returns the tag. The last bytes of the message are absorbed with zeros after them, as associated data
    /// is.
    fn finish(&mut self) -> T::Bytes {
        let mut tag = T::Bytes::default();
        let (position, ad_bytes) = (self.position.clone(), self.ad_bytes);
        let end = End::Tag { ad_bytes, message_bytes: position.n_bytes(), tag: tag.as_mut() };
        self.run(Start::State, position.kept(), Text::None, end);
        tag
    }
}

impl<C: Cipher, T> Drop for Stream<C, T> {
    fn drop(&mut self) {
        wipe(self.state.as_mut().as_flattened_mut());
        stack_wipe::wipe_of_aegis();
    }
}

/// Encryption of a message in parts: [`Aegis::encryptor`].
pub struct Encryptor<C: Cipher, T: Tag<C>>(Stream<C, T>);

impl<C: Cipher, T: Tag<C>> Encryptor<C, T> {
    /// Encrypts the next part into a slice of its length.
    ///
    /// # Errors
    /// [`Error::Output`] if the slice has another length, [`Error::TooLong`]; then the part is not absorbed.
    pub fn update(&mut self, message: &[u8], ciphertext: &mut [u8]) -> Result<(), Error> {
        self.0.update(Direction::Encrypt, message, ciphertext)
    }

    /// Continues as after `n_bytes` bytes, for tests of the limit.
    #[doc(hidden)]
    pub fn count_from(&mut self, n_bytes: u64) {
        self.0.position.count_from(n_bytes);
    }

    /// Returns the tag of all parts.
    pub fn finish(mut self) -> T::Bytes {
        self.0.finish()
    }
}

impl<C: Cipher, T: Tag<C>> Aegis<C, T> {
    /// Begins to encrypt a message in parts.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
    /// use hashlanes::aes::aegis::Aegis256;
    ///
    /// let cipher = Aegis256::new(&[7; 32]);
    /// let (mut ciphertext, nonce) = ([0; 11], [1; 32]);
    /// let mut encryptor = cipher.encryptor(&nonce, b"")?;
    /// encryptor.update(b"the ", &mut ciphertext[..4])?;
    /// encryptor.update(b"message", &mut ciphertext[4..])?;
    /// let tag = encryptor.finish();
    /// let mut message = [0; 11];
    /// cipher.decrypt(&nonce, b"", &ciphertext, &tag, &mut message)?;
    /// assert_eq!(&message, b"the message");
    /// # Ok::<(), hashlanes::aes::aegis::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub fn encryptor(&self, nonce: &C::Key, ad: &[u8]) -> Result<Encryptor<C, T>, Error> {
        Stream::new(self, nonce, ad).map(Encryptor)
    }

    /// Begins to decrypt a message in parts, which are returned before it is known whether they are
    /// authentic.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    #[cfg(feature = "hazmat")]
    pub fn decryptor(&self, nonce: &C::Key, ad: &[u8]) -> Result<Decryptor<C, T>, Error> {
        Stream::new(self, nonce, ad).map(Decryptor)
    }
}

/// Decryption of a message in parts: [`Aegis::decryptor`]. **Its output is not authentic** until
/// [`verify`](Self::verify) succeeds: do not use it before, and discard it if the tag is wrong.
#[cfg(feature = "hazmat")]
pub struct Decryptor<C: Cipher, T: Tag<C>>(Stream<C, T>);

#[cfg(feature = "hazmat")]
impl<C: Cipher, T: Tag<C>> Decryptor<C, T> {
    /// Decrypts the next part into a slice of its length.
    ///
    /// # Errors
    /// [`Error::Output`] if the slice has another length, [`Error::TooLong`]; then the part is not absorbed.
    pub fn update(&mut self, ciphertext: &[u8], message: &mut [u8]) -> Result<(), Error> {
        self.0.update(Direction::Decrypt, ciphertext, message)
    }

    /// Checks the tag of all parts.
    ///
    /// # Errors
    /// [`Error::Forged`] if the tag is wrong.
    pub fn verify(mut self, tag: &T::Bytes) -> Result<(), Error> {
        let mut expected = self.0.finish();
        if is_right(&mut expected, tag) { Ok(()) } else { Err(Error::Forged) }
    }
}

macro_rules! debug {
    ($($(#[$cfg:meta])? $name:ident)*) => {$(
        /// Prints no part of the state.
        $(#[$cfg])?
        impl<C: Cipher, T: Tag<C>> fmt::Debug for $name<C, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&C::NAME).field(&self.0.position).finish()
            }
        }
    )*};
}
debug! { Encryptor #[cfg(feature = "hazmat")] Decryptor }
