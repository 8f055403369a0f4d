//! CBC, NIST SP 800-38A section 6.2, of whole blocks ("raw") and with the padding of RFC 5652, section 6.3
//! (PKCS #7).

use alloc::vec::Vec;
use core::fmt;

use hashlanes_isa::cipher::{Block, Buffer, Kernel};
use subtle::{Choice as Truth, ConstantTimeEq, ConstantTimeGreater};
use zeroize::Zeroize;

use crate::modes::{CbcDecrypt, CbcEncrypt, CbcMessage, Choice, InFlight, TABLE, Verbs, call, encrypt_all};
use crate::{Error, Key, stack_wipe};

/// A message to be padded and encrypted.
#[derive(Clone, Copy)]
pub struct CbcPlaintext<'a> {
    /// Its key, which messages may share.
    pub key: &'a Key,
    /// Its initialization vector: unpredictable, and different for each message of the key.
    pub iv: Block,
    /// The message.
    pub message: &'a [u8],
}

/// Prints no part of the message.
impl fmt::Debug for CbcPlaintext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, iv, message } = self;
        f.debug_struct("CbcPlaintext")
            .field("key", key)
            .field("iv", iv)
            .field("message", &format_args!("{} bytes", message.len()))
            .finish()
    }
}

/// A ciphertext to be decrypted, without its padding.
#[derive(Clone, Copy, Debug)]
pub struct CbcCiphertext<'a> {
    /// Its key, which ciphertexts may share.
    pub key: &'a Key,
    /// The initialization vector that it was encrypted with.
    pub iv: Block,
    /// The ciphertext, whole blocks.
    pub ciphertext: &'a [u8],
}

/// Pads and encrypts a message. The result is 1 to 16 bytes longer.
///
/// `iv` must be unpredictable, such as 16 random bytes. Changes of the ciphertext are not detected: see the
/// [crate's documentation](crate#what-cbc-and-ctr-do-not-do).
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{Key, cbc_decrypt, cbc_encrypt};
///
/// let (key, iv) = (Key::new(&[1; 32])?, [2; 16]);
/// let ciphertext = cbc_encrypt(&key, &iv, b"a message");
/// assert_eq!(ciphertext.len(), 16);
/// assert_eq!(cbc_decrypt(&key, &iv, &ciphertext)?, b"a message");
/// # Ok::<(), hashlanes::aes::Error>(())
/// ```
pub fn cbc_encrypt(key: &Key, iv: &Block, message: &[u8]) -> Vec<u8> {
    let mut padded = padded(message);
    let mut chain = *iv;
    cbc_encrypt_raw(key, &mut chain, Buffer::in_place(&mut padded)).expect("padded to whole blocks");
    padded
}

/// Pads and encrypts many messages, several at once, with the results of [`cbc_encrypt`].
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{CbcPlaintext, Key, cbc_encrypt, cbc_encrypt_many};
///
/// let key = Key::new(&[1; 16])?;
/// let message = |n: u8| CbcPlaintext { key: &key, iv: [n; 16], message: b"a record" };
/// let ciphertexts = cbc_encrypt_many(&[message(1), message(2), message(3)]);
/// assert_eq!(ciphertexts[2], cbc_encrypt(&key, &[3; 16], b"a record"));
/// # Ok::<(), hashlanes::aes::Error>(())
/// ```
pub fn cbc_encrypt_many(messages: &[CbcPlaintext<'_>]) -> Vec<Vec<u8>> {
    let mut ciphertexts: Vec<Vec<u8>> = messages.iter().map(|plaintext| padded(plaintext.message)).collect();
    let mut messages: Vec<CbcMessage<'_, '_>> = messages
        .iter()
        .zip(&mut ciphertexts)
        .map(|(CbcPlaintext { key, iv, .. }, padded)| {
            let buffer = Buffer::in_place(padded);
            CbcMessage { key, iv: *iv, buffer }
        })
        .collect();
    cbc_encrypt_raw_many(&mut messages).expect("padded to whole blocks");
    ciphertexts
}

/// Decrypts a message and removes its padding.
///
/// # Errors
/// [`Error::NotWholeBlocks`], also for an empty ciphertext, as padding is never empty; [`Error::Padding`] if
/// the decrypted bytes do not end with a padding. The time does not depend on which bytes are wrong. Still,
/// an attacker who can send ciphertexts and learns which of them fail here can read messages, one byte in 128
/// trials: do not report this error to the sender, or better, use AEGIS.
pub fn cbc_decrypt(key: &Key, iv: &Block, ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
    let mut message = to_decrypt(ciphertext)?;
    cbc_decrypt_raw(key, &mut { *iv }, Buffer::in_place(&mut message))?;
    without_padding(message)
}

/// Decrypts many ciphertexts and removes their paddings, each as [`cbc_decrypt`] would. Short ones take less
/// time than by a call for each.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{CbcCiphertext, Error, Key, cbc_decrypt_many, cbc_encrypt};
///
/// let key = Key::new(&[1; 16])?;
/// let records = [cbc_encrypt(&key, &[2; 16], b"a record"), b"cut off".to_vec()];
/// let ciphertexts = records.each_ref().map(|ciphertext| CbcCiphertext { key: &key, iv: [2; 16], ciphertext });
/// let messages = cbc_decrypt_many(&ciphertexts);
/// assert_eq!(messages, [Ok(b"a record".to_vec()), Err(Error::NotWholeBlocks(7))]);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// Each result is that of its ciphertext, with the errors of [`cbc_decrypt`]: do not report
/// [`Error::Padding`] to the sender.
pub fn cbc_decrypt_many(ciphertexts: &[CbcCiphertext<'_>]) -> Vec<Result<Vec<u8>, Error>> {
    let mut results: Vec<Result<Vec<u8>, Error>> =
        ciphertexts.iter().map(|message| to_decrypt(message.ciphertext)).collect();
    let mut messages: Vec<CbcMessage<'_, '_>> = ciphertexts
        .iter()
        .zip(&mut results)
        .filter_map(|(CbcCiphertext { key, iv, .. }, result)| {
            let buffer = Buffer::in_place(result.as_mut().ok()?);
            Some(CbcMessage { key, iv: *iv, buffer })
        })
        .collect();
    cbc_decrypt_raw_many(&mut messages).expect("whole blocks");
    results.into_iter().map(|result| result.and_then(without_padding)).collect()
}

/// Returns a copy of a ciphertext that can be decrypted.
fn to_decrypt(ciphertext: &[u8]) -> Result<Vec<u8>, Error> {
    if ciphertext.is_empty() || !ciphertext.len().is_multiple_of(16) {
        return Err(Error::NotWholeBlocks(ciphertext.len()));
    }
    Ok(ciphertext.to_vec())
}

/// Removes the padding of a message, at least a block.
fn without_padding(mut message: Vec<u8>) -> Result<Vec<u8>, Error> {
    let last = message.last_chunk().expect("a block at least");
    let (is_padding, n_bytes) = padding(last);
    if !bool::from(is_padding) {
        message.zeroize();
        return Err(Error::Padding);
    }
    message.truncate(message.len() - usize::from(n_bytes));
    Ok(message)
}

/// Returns the message with its padding: n bytes of value n, up to whole blocks.
fn padded(message: &[u8]) -> Vec<u8> {
    let n_bytes = 16 - message.len() % 16;
    let mut padded = Vec::with_capacity(message.len() + n_bytes);
    padded.extend_from_slice(message);
    padded.resize(message.len() + n_bytes, n_bytes as u8);
    padded
}

/// Returns whether a block ends with a padding, and its last byte, the padding's length. Every byte is read,
/// and no branch depends on them.
#[inline(never)]
pub(crate) fn padding(last: &Block) -> (Truth, u8) {
    let n_bytes = last[15];
    let mut is_padding = !n_bytes.ct_eq(&0) & !n_bytes.ct_gt(&16);
    for (i, byte) in last.iter().rev().enumerate() {
        let is_beyond = !n_bytes.ct_gt(&(i as u8));
        is_padding &= is_beyond | byte.ct_eq(&n_bytes);
    }
    (is_padding, n_bytes)
}

/// Encrypts one message of whole blocks. After the call, `iv` is the last block of ciphertext, with which the
/// message can be continued.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{Buffer, Error, Key, cbc_encrypt_raw};
///
/// let key = Key::new(&[1; 24])?;
/// let mut message = [0; 48];
/// cbc_encrypt_raw(&key, &mut [2; 16], Buffer::in_place(&mut message))?;
/// let wrong = cbc_encrypt_raw(&key, &mut [2; 16], Buffer::in_place(&mut message[..47]));
/// assert_eq!(wrong, Err(Error::NotWholeBlocks(47)));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::NotWholeBlocks`].
pub fn cbc_encrypt_raw(key: &Key, iv: &mut Block, buffer: Buffer<'_>) -> Result<(), Error> {
    let n_blocks = whole_blocks(&buffer)?;
    let (chain, messages) = (core::slice::from_mut(iv), &mut [buffer]);
    let job = CbcEncrypt { keys: key, chain, messages, n_blocks };
    let kernel = TABLE.best_of_one();
    call::cbc_encrypt(kernel, job);
    stack_wipe::wipe_of_one_cbc(kernel);
    Ok(())
}

/// Decrypts one message of whole blocks. After the call, `iv` is the last block of ciphertext, with which the
/// message can be continued.
///
/// # Errors
/// [`Error::NotWholeBlocks`].
pub fn cbc_decrypt_raw(key: &Key, iv: &mut Block, buffer: Buffer<'_>) -> Result<(), Error> {
    cbc_decrypt_raw_on(TABLE.best_of_one(), InFlight::Best, key, iv, buffer)
}

/// Computes the same on one kernel, with this many registers at once.
///
/// # Errors
/// Like [`cbc_decrypt_raw`].
#[doc(hidden)]
pub fn cbc_decrypt_raw_on(
    kernel: &'static Kernel<Verbs>,
    in_flight: InFlight,
    key: &Key,
    iv: &mut Block,
    buffer: Buffer<'_>,
) -> Result<(), Error> {
    whole_blocks(&buffer)?;
    call::cbc_decrypt(kernel, CbcDecrypt { key, chain: iv, buffer, in_flight });
    stack_wipe::wipe_of_one(TABLE.of_one(kernel));
    Ok(())
}

/// Encrypts many messages of whole blocks, each as [`cbc_encrypt_raw`] would, several at once.
///
/// # Errors
/// [`Error::NotWholeBlocks`], of the first that is not; then nothing is encrypted.
pub fn cbc_encrypt_raw_many(messages: &mut [CbcMessage<'_, '_>]) -> Result<(), Error> {
    many(Choice::Best, messages)
}

/// Computes the same on one kernel.
///
/// # Errors
/// Like [`cbc_encrypt_raw_many`].
#[doc(hidden)]
pub fn cbc_encrypt_raw_many_on(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [CbcMessage<'_, '_>],
) -> Result<(), Error> {
    many(Choice::Kernel(kernel), messages)
}

fn many(choice: Choice, messages: &mut [CbcMessage<'_, '_>]) -> Result<(), Error> {
    messages.iter().try_for_each(|message| whole_blocks(&message.buffer).map(drop))?;
    encrypt_all(choice, messages);
    Ok(())
}

/// Decrypts many messages of whole blocks, each as [`cbc_decrypt_raw`] would. Short ones take less time than
/// by a call for each.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{Buffer, CbcMessage, Error, Key, cbc_decrypt_raw_many, cbc_encrypt_raw_many};
///
/// let key = Key::new(&[1; 16])?;
/// fn messages<'k, 'r>(key: &'k Key, records: &'r mut [[u8; 32]]) -> Vec<CbcMessage<'k, 'r>> {
///     let buffers = records.iter_mut().map(|record| Buffer::in_place(record));
///     buffers.map(|buffer| CbcMessage { key, iv: [3; 16], buffer }).collect()
/// }
///
/// let mut records = [[0; 32], [1; 32], [2; 32]];
/// cbc_encrypt_raw_many(&mut messages(&key, &mut records))?;
/// assert_ne!(records[2], [2; 32]);
/// cbc_decrypt_raw_many(&mut messages(&key, &mut records))?;
/// assert_eq!(records, [[0; 32], [1; 32], [2; 32]]);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::NotWholeBlocks`], of the first that is not; then nothing is decrypted.
pub fn cbc_decrypt_raw_many(messages: &mut [CbcMessage<'_, '_>]) -> Result<(), Error> {
    cbc_decrypt_raw_many_on(TABLE.best_of_one(), messages)
}

/// Computes the same on one kernel.
///
/// # Errors
/// Like [`cbc_decrypt_raw_many`].
#[doc(hidden)]
pub fn cbc_decrypt_raw_many_on(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [CbcMessage<'_, '_>],
) -> Result<(), Error> {
    messages.iter().try_for_each(|message| whole_blocks(&message.buffer).map(drop))?;
    // Calls that follow each other at once: while the last blocks of a message are decrypted, the CPU begins
    // with the next one.
    for CbcMessage { key, iv, buffer } in messages {
        let buffer = buffer.take(buffer.len());
        call::cbc_decrypt(kernel, CbcDecrypt { key, chain: iv, buffer, in_flight: InFlight::Best });
    }
    stack_wipe::wipe_of_one(TABLE.of_one(kernel));
    Ok(())
}

fn whole_blocks(buffer: &Buffer<'_>) -> Result<usize, Error> {
    if !buffer.len().is_multiple_of(16) {
        return Err(Error::NotWholeBlocks(buffer.len()));
    }
    Ok(buffer.len() / 16)
}
