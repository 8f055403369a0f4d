//! CBC, NIST SP 800-38A section 6.2.

use hashlanes_isa::cipher::{Block, Buffer, Kernel};
use hashlanes_isa::wipe_stack_below;

use crate::modes::{CbcEncrypt, Choice, Keys, TABLE, Verbs, call, encrypt_all};
use crate::{Error, Key};

/// As far as a kernel reaches down the stack: round keys of 24 messages, states, and what the schedule keeps.
const STACK_BYTES: usize = 16 * 1024;

/// The same of one message.
const STACK_BYTES_OF_ONE: usize = 2 * 1024;

/// A message of whole blocks to be encrypted with others.
#[derive(Debug)]
pub struct CbcMessage<'k, 'm> {
    /// Its key, which messages may share.
    pub key: &'k Key,
    /// Its initialization vector; behind the call its last block of ciphertext, from which more of it may go on.
    pub iv: Block,
    /// The message, and the place of the ciphertext.
    pub buffer: Buffer<'m>,
}

/// Encrypts one message of whole blocks. Behind the call `iv` is its last block of ciphertext, from which more of it may go on.
///
/// # Errors
/// [`Error::NotWholeBlocks`].
pub fn cbc_encrypt_raw(key: &Key, iv: &mut Block, buffer: Buffer<'_>) -> Result<(), Error> {
    let n_blocks = whole_blocks(&buffer)?;
    let (chain, messages) = (core::slice::from_mut(iv), &mut [buffer]);
    let job = CbcEncrypt { keys: Keys::Shared(key), chain, messages, n_blocks };
    call::cbc_encrypt(TABLE.best_of_one(), job);
    wipe_stack_below::<STACK_BYTES_OF_ONE>();
    Ok(())
}

/// Encrypts many messages of whole blocks, each as [`cbc_encrypt_raw`] would, several at once.
///
/// # Errors
/// [`Error::NotWholeBlocks`], of the first that is not; then nothing is encrypted.
pub fn cbc_encrypt_raw_many(messages: &mut [CbcMessage<'_, '_>]) -> Result<(), Error> {
    many(Choice::Best, messages)
}

/// The same on one kernel.
///
/// # Errors
/// As [`cbc_encrypt_raw_many`].
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
    wipe_stack_below::<STACK_BYTES>();
    Ok(())
}

fn whole_blocks(buffer: &Buffer<'_>) -> Result<usize, Error> {
    if !buffer.len().is_multiple_of(16) {
        return Err(Error::NotWholeBlocks(buffer.len()));
    }
    Ok(buffer.len() / 16)
}
