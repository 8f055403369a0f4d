//! CTR, NIST SP 800-38A section 6.5.

use core::fmt;

use hashlanes_isa::cipher::{Block, Buffer, Kernel};
use zeroize::Zeroize;

pub use crate::modes::CounterBits;
use crate::modes::{Ctr as Job, InFlight, LONG_BLOCKS, TABLE, Verbs, call};
use crate::{Error, Key, stack_wipe};

/// The keystream of a key and a first counter block, to be taken from in parts. Encrypting and decrypting are
/// the same.
///
/// No two messages of a key may share a counter block: both reveal the exclusive or of the two messages. So
/// the nonce, the part of the block that does not count, must be different for every message, and a message
/// must end before its counter wraps around; the latter is checked. Changes of the ciphertext are not
/// detected; they change the message bit by bit: see the [crate's
/// documentation](crate#what-cbc-and-ctr-do-not-do).
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{Buffer, CounterBits, Ctr, Key};
///
/// let key = Key::new(&[1; 32])?;
/// // The nonce, 12 bytes, followed by a counter of 32 bits.
/// let mut first = [0; 16];
/// first[..12].copy_from_slice(b"one and only");
/// let mut message = *b"a message";
/// Ctr::new(&key, &first, CounterBits::Bits32).apply(Buffer::in_place(&mut message))?;
/// assert_ne!(&message, b"a message");
/// let mut keystream = Ctr::new(&key, &first, CounterBits::Bits32);
/// keystream.apply(Buffer::in_place(&mut message[..4]))?;
/// keystream.apply(Buffer::in_place(&mut message[4..]))?;
/// assert_eq!(&message, b"a message");
/// # Ok::<(), hashlanes::aes::Error>(())
/// ```
#[derive(Clone)]
pub struct Ctr<'k> {
    key: &'k Key,
    keystream: Keystream,
}

impl<'k> Ctr<'k> {
    /// Creates the keystream from a first counter block on.
    pub fn new(key: &'k Key, first: &Block, counts: CounterBits) -> Self {
        Self { key, keystream: Keystream::new(first, counts) }
    }

    /// Skips a number of blocks, from the start of a block. The skipped keystream cannot be used later.
    ///
    /// # Errors
    /// [`Error::CounterRepeats`] as [`Ctr::apply`].
    pub fn skip_blocks(&mut self, n_blocks: u64) -> Result<(), Error> {
        self.keystream.skip_blocks(n_blocks.into())
    }

    /// Encrypts or decrypts the next part of the message.
    ///
    /// # Errors
    /// [`Error::CounterRepeats`] if it is longer than the rest until the counter repeats; then nothing is
    /// done.
    pub fn apply(&mut self, buffer: Buffer<'_>) -> Result<(), Error> {
        self.keystream.apply(self.key, buffer)
    }

    /// Computes the same on one kernel, with this many registers at once.
    ///
    /// # Errors
    /// Like [`Ctr::apply`].
    #[doc(hidden)]
    pub fn apply_on(
        &mut self,
        kernel: &'static Kernel<Verbs>,
        in_flight: InFlight,
        buffer: Buffer<'_>,
    ) -> Result<(), Error> {
        self.keystream.apply_on(self.key, kernel, in_flight, buffer)
    }
}

/// Without the keystream.
impl fmt::Debug for Ctr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, keystream } = self;
        f.debug_struct("Ctr").field("key", key).field("counts", &keystream.counts).finish_non_exhaustive()
    }
}

/// A place in the keystream of a key, which each call names.
#[derive(Clone)]
pub(crate) struct Keystream {
    /// The next block's.
    counter: Block,
    counts: CounterBits,
    /// The blocks before the counter repeats; for a counter of 128 bits one less.
    n_left: u128,
    /// The keystream of the block before, whose last `n_unused` bytes were not taken.
    block: Block,
    n_unused: usize,
}

impl Keystream {
    pub(crate) fn new(first: &Block, counts: CounterBits) -> Self {
        Self { counter: *first, counts, n_left: n_blocks(counts), block: [0; 16], n_unused: 0 }
    }

    /// Returns the blocks that were begun, and the bytes of the last one that are left.
    #[cfg(feature = "cipher")]
    pub(crate) fn position(&self) -> (u128, usize) {
        (n_blocks(self.counts) - self.n_left, self.n_unused)
    }

    /// Returns the blocks that are left after `n_bytes` more bytes.
    pub(crate) fn left_after(&self, n_bytes: usize) -> Result<u128, Error> {
        let n_new = n_bytes.saturating_sub(self.n_unused).div_ceil(16) as u128;
        self.n_left.checked_sub(n_new).ok_or(Error::CounterRepeats(n_bytes))
    }

    pub(crate) fn skip_blocks(&mut self, n_blocks: u128) -> Result<(), Error> {
        let too_many =
            Error::CounterRepeats(usize::try_from(n_blocks).unwrap_or(usize::MAX).saturating_mul(16));
        self.n_left = self.n_left.checked_sub(n_blocks).ok_or(too_many)?;
        let now = u128::from_be_bytes(self.counter);
        self.counter = self.counts.carried(now, now.wrapping_add(n_blocks)).to_be_bytes();
        self.n_unused = 0;
        Ok(())
    }

    pub(crate) fn apply(&mut self, key: &Key, buffer: Buffer<'_>) -> Result<(), Error> {
        self.apply_on(key, TABLE.best_of_one(), InFlight::Best, buffer)
    }

    fn apply_on(
        &mut self,
        key: &Key,
        kernel: &'static Kernel<Verbs>,
        in_flight: InFlight,
        mut buffer: Buffer<'_>,
    ) -> Result<(), Error> {
        let n_bytes = buffer.len();
        self.n_left = self.left_after(n_bytes)?;
        self.take_unused(buffer.take(self.n_unused.min(n_bytes)));
        let whole = buffer.take(buffer.len() / 16 * 16);
        self.blocks(key, kernel, in_flight, whole);
        if !buffer.is_empty() {
            let mut block = [0; 16];
            self.blocks(key, kernel, in_flight, Buffer::in_place(&mut block));
            self.block = block;
            self.n_unused = 16;
            self.take_unused(buffer);
            block.zeroize();
        }
        let kernel = TABLE.of_one(kernel);
        match kernel.verbs().ctr_long {
            Some(_) if n_bytes >= 16 * LONG_BLOCKS => stack_wipe::wipe_of_long(),
            _ => stack_wipe::wipe_of_one(kernel),
        }
        Ok(())
    }

    fn blocks(&mut self, key: &Key, kernel: &'static Kernel<Verbs>, in_flight: InFlight, buffer: Buffer<'_>) {
        if !buffer.is_empty() {
            let (counter, counts) = (&mut self.counter, self.counts);
            let is_long = buffer.len() >= 16 * LONG_BLOCKS;
            let kernel = TABLE.of_one(kernel);
            let job = Job { key, counter, counts, buffer, in_flight };
            match kernel.verbs().ctr_long {
                Some(_) if is_long => call::ctr_long(kernel, job),
                _ => call::ctr(kernel, job),
            }
        }
    }

    /// Uses the bytes of the previous block that are in the buffer.
    fn take_unused(&mut self, mut buffer: Buffer<'_>) {
        let mut bytes = [0; 16];
        let bytes = &mut bytes[..buffer.len()];
        let keystream = &self.block[16 - self.n_unused..];
        for ((byte, message), key) in bytes.iter_mut().zip(buffer.input()).zip(keystream) {
            *byte = message ^ key;
        }
        buffer.output().copy_from_slice(bytes);
        self.n_unused -= bytes.len();
    }
}

impl Drop for Keystream {
    fn drop(&mut self) {
        self.block.zeroize();
    }
}

/// Returns the blocks of a message at most: of 128 bits one fewer than the counter has values.
fn n_blocks(counts: CounterBits) -> u128 {
    match counts {
        CounterBits::Bits32 => 1 << 32,
        CounterBits::Bits64 => 1 << 64,
        CounterBits::Bits128 => u128::MAX,
    }
}
