//! CTR, NIST SP 800-38A section 6.5.

use core::borrow::Borrow;
use core::fmt;

use hashlanes_isa::cipher::{Block, Buffer, Kernel, in_halves, partial_block, put_partial_block};

pub use crate::modes::CounterBits;
use crate::modes::{Ctr as Job, InFlight, LONG_BLOCKS, TABLE, Verbs, call};
use crate::tag::forget;
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
///
/// `K` is `&Key`, or `Key` for a value that owns its key:
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{Buffer, CounterBits, Ctr, Error, Key};
///
/// /// A file that is read from any place on.
/// struct Reader {
///     keystream: Ctr<Key>,
/// }
///
/// let keystream = Ctr::new(Key::new(&[1; 16])?, &[2; 16], CounterBits::Bits64);
/// let mut reader = Reader { keystream };
/// let mut file = *b"the file, as it was written";
/// reader.keystream.apply(Buffer::in_place(&mut file))?;
/// reader.keystream.seek(10)?;
/// reader.keystream.apply(Buffer::in_place(&mut file[10..]))?;
/// assert_eq!(&file[10..], b"as it was written");
/// # Ok::<(), Error>(())
/// ```
///
/// Parts of less than 64 bytes are taken from keystream that is computed ahead, up to 64 bytes. It is in the
/// value, and overwritten when the value is dropped; a value that is moved leaves a copy at its old place.
/// Kernels leave round keys on the stack. It is overwritten at once after the first part, or a [`Ctr::seek`]
/// into a block before it, and after parts of 1 KiB or more; after others when the value is dropped: as far
/// below that place as kernels reach.
#[derive(Clone)]
pub struct Ctr<K: Borrow<Key>> {
    key: K,
    keystream: Keystream,
}

impl<K: Borrow<Key>> Ctr<K> {
    /// Creates the keystream from a first counter block on.
    #[inline]
    pub fn new(key: K, first: &Block, counts: CounterBits) -> Self {
        Self { key, keystream: Keystream::new(first, counts) }
    }

    /// Goes to a byte of the keystream, counted from the first counter block.
    ///
    /// No byte of the keystream may be used for two messages: seek in the message that it belongs to.
    ///
    /// # Errors
    /// [`Error::AfterKeystream`] if it is after the end of the keystream, where the counter repeats; then
    /// nothing is done. The end itself is a place to go to.
    pub fn seek(&mut self, n_bytes: u128) -> Result<(), Error> {
        self.keystream.seek(self.key.borrow(), n_bytes).map_err(|_| Error::AfterKeystream(n_bytes))
    }

    /// Returns the number of bytes of keystream before the next one. With a counter of 128 bits it is modulo
    /// 2^128.
    pub fn position(&self) -> u128 {
        self.keystream.position()
    }

    /// Skips a number of blocks, after the rest of a block that was begun. Only [`Ctr::seek`] goes back.
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
        self.keystream.apply(self.key.borrow(), buffer)
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
        self.keystream.apply_on(self.key.borrow(), kernel, in_flight, buffer)
    }
}

/// Without the keystream.
impl<K: Borrow<Key>> fmt::Debug for Ctr<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, keystream } = self;
        f.debug_struct("Ctr")
            .field("key", key.borrow())
            .field("counts", &keystream.counts)
            .finish_non_exhaustive()
    }
}

/// A message to be encrypted or decrypted with others.
#[derive(Debug)]
pub struct CtrMessage<'k, 'm> {
    /// Its key, which messages may share.
    pub key: &'k Key,
    /// Its first counter block: no two messages of a key may share a counter block, as [`Ctr`] says.
    pub first: Block,
    /// The bits of the counter block that count.
    pub counts: CounterBits,
    /// The message and the place of the result. After the call the buffer is empty.
    pub buffer: Buffer<'m>,
}

/// Encrypts or decrypts many messages, each as [`Ctr::apply`] would from its first counter block on. Short
/// ones take less time than by a call for each.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{Buffer, CounterBits::Bits32, CtrMessage, Error, Key, ctr_many};
///
/// let key = Key::new(&[1; 16])?;
/// // The nonce of a record is its number, followed by a counter of 32 bits.
/// let mut records = [*b"first record", *b"second one  "];
/// let mut messages = Vec::new();
/// for (number, record) in records.iter_mut().enumerate() {
///     let first = (number as u128) << 32;
///     let buffer = Buffer::in_place(record);
///     messages.push(CtrMessage { key: &key, first: first.to_be_bytes(), counts: Bits32, buffer });
/// }
/// ctr_many(&mut messages)?;
/// assert_ne!(&records[0], b"first record");
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::CounterRepeats`], of the first message that is longer than its counter lasts; then nothing is
/// done.
pub fn ctr_many(messages: &mut [CtrMessage<'_, '_>]) -> Result<(), Error> {
    ctr_many_on(TABLE.best_of_one(), messages)
}

/// Computes the same on one kernel.
///
/// # Errors
/// Like [`ctr_many`].
#[doc(hidden)]
pub fn ctr_many_on(kernel: &'static Kernel<Verbs>, messages: &mut [CtrMessage<'_, '_>]) -> Result<(), Error> {
    let kernel = TABLE.of_one(kernel);
    for CtrMessage { counts, buffer, .. } in &*messages {
        if is_too_long(buffer.len(), *counts) {
            return Err(Error::CounterRepeats(buffer.len()));
        }
    }
    // The last block of a message that is not whole.
    let mut end = [0; 16];
    // Calls that follow each other at once: while the last blocks of a message are encrypted, the CPU begins
    // with the next one.
    for CtrMessage { key, first, counts, buffer } in messages {
        // In halves, as callers write it: a load of 16 bytes would wait for their stores.
        let counter = &mut in_halves(first).to_le_bytes();
        let (key, counts, in_flight) = (*key, *counts, InFlight::Best);
        let whole = buffer.take(buffer.len() / 16 * 16);
        match whole.len() {
            0 => {}
            n if n >= 16 * LONG_BLOCKS => run(kernel, Job { key, counter, counts, buffer: whole, in_flight }),
            _ => call::ctr(kernel, Job { key, counter, counts, buffer: whole, in_flight }),
        }
        if !buffer.is_empty() {
            let mut rest = buffer.take(buffer.len());
            end = partial_block(rest.input()).to_le_bytes();
            call::ctr(kernel, Job { key, counter, counts, buffer: Buffer::in_place(&mut end), in_flight });
            put_partial_block(u128::from_le_bytes(end), rest.output());
        }
    }
    forget(&mut end);
    stack_wipe::wipe_of_one(kernel);
    Ok(())
}

/// Bytes of keystream that are computed ahead for short parts: a register's, which take as long as a block.
const AHEAD: usize = 64;

/// The first part, which may be the whole message, and parts of at least this length overwrite the stack
/// at once. It would take half of the time of a part of 64 bytes.
const WIPED_BYTES: usize = 1024;

/// What the calls for parts left on the stack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnStack {
    /// There was no call.
    Nothing,
    Zeros,
    /// Round keys and keystream, which the next long part or the drop overwrites.
    Secrets,
}

/// A place in the keystream of a key, which each call names.
#[derive(Clone)]
pub(crate) struct Keystream {
    /// The block after the keystream ahead.
    counter: Block,
    counts: CounterBits,
    /// The blocks from there on before the counter repeats; for a counter of 128 bits one less.
    n_left: u128,
    /// The keystream before the counter, whose last `n_unused` bytes were not taken.
    ahead: [[u8; 16]; AHEAD / 16],
    n_unused: usize,
    on_stack: OnStack,
}

impl Keystream {
    #[inline]
    pub(crate) fn new(first: &Block, counts: CounterBits) -> Self {
        let counter = in_halves(first).to_le_bytes();
        let ahead = [[0; 16]; AHEAD / 16];
        Self { counter, counts, n_left: n_blocks(counts), ahead, n_unused: 0, on_stack: OnStack::Nothing }
    }

    /// Returns the number of bytes before the next one.
    pub(crate) fn position(&self) -> u128 {
        let n_before = n_blocks(self.counts).wrapping_sub(self.n_left);
        n_before.wrapping_mul(16).wrapping_sub(self.n_unused as u128)
    }

    /// Returns the blocks that were begun, and the bytes of the last one that are left.
    #[cfg(feature = "cipher")]
    pub(crate) fn blocks_begun(&self) -> (u128, usize) {
        (n_blocks(self.counts) - self.n_left - (self.n_unused / 16) as u128, self.n_unused % 16)
    }

    /// Checks that `n_bytes` more bytes are left. Returns the blocks after them.
    pub(crate) fn left_after(&self, n_bytes: usize) -> Result<u128, Error> {
        let n_new = n_bytes.saturating_sub(self.n_unused).div_ceil(16) as u128;
        self.n_left.checked_sub(n_new).ok_or(Error::CounterRepeats(n_bytes))
    }

    /// Skips blocks from the start of the next block on.
    pub(crate) fn skip_blocks(&mut self, n_blocks: u128) -> Result<(), Error> {
        let n_ahead = (self.n_unused / 16) as u128;
        let Some(n_new) = n_blocks.checked_sub(n_ahead) else {
            self.n_unused = 16 * (n_ahead - n_blocks) as usize;
            return Ok(());
        };
        let too_many =
            Error::CounterRepeats(usize::try_from(n_blocks).unwrap_or(usize::MAX).saturating_mul(16));
        self.n_left = self.n_left.checked_sub(n_new).ok_or(too_many)?;
        let now = u128::from_be_bytes(self.counter);
        self.counter = self.counts.carried(now, now.wrapping_add(n_new)).to_be_bytes();
        self.n_unused = 0;
        Ok(())
    }

    /// Goes to a byte, counted from the first block.
    pub(crate) fn seek(&mut self, key: &Key, n_bytes: u128) -> Result<(), Error> {
        self.seek_block(key, n_bytes / 16, (n_bytes % 16) as usize)
    }

    /// Goes to a byte of a block, counted from the first one.
    pub(crate) fn seek_block(&mut self, key: &Key, block: u128, byte: usize) -> Result<(), Error> {
        let now = u128::from_be_bytes(self.counter);
        let first = now.wrapping_sub(n_blocks(self.counts) - self.n_left);
        let mut there = Self::new(&self.counts.carried(now, first).to_be_bytes(), self.counts);
        there.skip_blocks(block)?;
        there.left_after(byte)?;
        // Keystream is only in `self`: a value that is moved leaves a copy.
        (self.counter, self.n_left, self.n_unused) = (there.counter, there.n_left, 0);
        forget(&mut self.ahead);
        if byte > 0 {
            let kernel = TABLE.best_of_one();
            self.compute_ahead(key, kernel, InFlight::Best);
            self.n_unused -= byte;
            self.wipe_after(kernel, byte);
        }
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
        self.left_after(buffer.len())?;
        let n_bytes = buffer.len();
        if self.n_unused > 0 {
            self.take_ahead(buffer.take(self.n_unused.min(buffer.len())));
        }
        if buffer.is_empty() {
            return Ok(());
        }
        let kernel = TABLE.of_one(kernel);
        if buffer.len() >= AHEAD {
            let n_blocks = buffer.len() / 16;
            self.n_left -= n_blocks as u128;
            let (counter, counts, whole) = (&mut self.counter, self.counts, buffer.take(16 * n_blocks));
            run(kernel, Job { key, counter, counts, buffer: whole, in_flight });
        }
        if !buffer.is_empty() {
            self.compute_ahead(key, kernel, in_flight);
            self.take_ahead(buffer);
        }
        self.wipe_after(kernel, n_bytes);
        Ok(())
    }

    /// Overwrites the stack after a part of this length, or leaves it for later.
    #[inline(always)]
    fn wipe_after(&mut self, kernel: &'static Kernel<Verbs>, n_bytes: usize) {
        let is_now = n_bytes >= WIPED_BYTES || self.on_stack == OnStack::Nothing;
        if is_now || kernel.features().is_empty() {
            stack_wipe::wipe_of_one(kernel);
            self.on_stack = OnStack::Zeros;
        } else {
            self.on_stack = OnStack::Secrets;
        }
    }

    /// Computes the next blocks ahead.
    fn compute_ahead(&mut self, key: &Key, kernel: &'static Kernel<Verbs>, in_flight: InFlight) {
        let n_blocks = self.n_left.min((AHEAD / 16) as u128) as usize;
        self.n_left -= n_blocks as u128;
        self.n_unused = 16 * n_blocks;
        let ahead = self.ahead[AHEAD / 16 - n_blocks..].as_flattened_mut();
        ahead.fill(0);
        let (counter, counts, buffer) = (&mut self.counter, self.counts, Buffer::in_place(ahead));
        run(kernel, Job { key, counter, counts, buffer, in_flight });
    }

    /// Encrypts or decrypts at most as many bytes as are unused.
    #[inline(always)]
    fn take_ahead(&mut self, mut buffer: Buffer<'_>) {
        let first = AHEAD - self.n_unused;
        self.n_unused -= buffer.len();
        for key in self.ahead.as_flattened()[first..].chunks(16) {
            if buffer.is_empty() {
                break;
            }
            let mut part = buffer.take(buffer.len().min(key.len()));
            let key = partial_block(&key[..part.len()]);
            let message = partial_block(part.input());
            put_partial_block(message ^ key, part.output());
        }
    }
}

/// Encrypts or decrypts whole blocks.
#[inline(always)]
fn run(kernel: &'static Kernel<Verbs>, job: Job<'_, '_>) {
    match kernel.verbs().ctr_long {
        Some(_) if job.buffer.len() >= 16 * LONG_BLOCKS => {
            call::ctr_long(kernel, job);
            stack_wipe::wipe_of_long();
        }
        _ => call::ctr(kernel, job),
    }
}

impl Drop for Keystream {
    fn drop(&mut self) {
        forget(&mut self.ahead);
        if self.on_stack == OnStack::Secrets {
            stack_wipe::wipe_of_parts();
        }
    }
}

/// Returns the blocks of a message at most: of 128 bits one fewer than the counter has values.
const fn n_blocks(counts: CounterBits) -> u128 {
    match counts {
        CounterBits::Bits32 => 1 << 32,
        CounterBits::Bits64 => 1 << 64,
        CounterBits::Bits128 => u128::MAX,
    }
}

/// Returns whether a message is longer than its counter lasts.
const fn is_too_long(n_bytes: usize, counts: CounterBits) -> bool {
    n_bytes.div_ceil(16) as u128 > n_blocks(counts)
}

// A counter of 32 bits lasts for 64 GiB, more than a test can hold.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(!is_too_long(16 << 32, CounterBits::Bits32));
#[cfg(target_pointer_width = "64")]
const _: () = assert!(is_too_long((16 << 32) + 1, CounterBits::Bits32));
const _: () = assert!(!is_too_long(usize::MAX, CounterBits::Bits64));
const _: () = assert!(!is_too_long(usize::MAX, CounterBits::Bits128));
