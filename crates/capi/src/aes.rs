//! AES (FIPS 197) in CBC and CTR (NIST SP 800-38A).

use std::ffi::c_void;

use arrayvec::ArrayVec;
use hashlanes::aes::{
    Buffer, CbcMessage, CounterBits, Ctr, CtrMessage, Error, Key, cbc_decrypt_raw, cbc_decrypt_raw_many,
    cbc_encrypt_raw, cbc_encrypt_raw_many, ctr_many,
};

use crate::border::{Result, apart, bytes_of, check, guarded, input, items, may_be_shared, output, shared};
use crate::error::hashlanes_error::{self, *};

/// A key of AES with its round keys. Any number of threads may use it at a time.
pub struct hashlanes_aes_key(Key);

const _: () = may_be_shared::<hashlanes_aes_key>();

/// A message of whole blocks that is encrypted or decrypted together with others.
#[repr(C)]
pub struct hashlanes_cbc_message {
    /// The key, which messages may share.
    pub key: *const hashlanes_aes_key,
    /// The initialization vector, which an attacker must not be able to predict. After the call: the last
    /// block of ciphertext, from which the message can be continued.
    pub iv: [u8; 16],
    /// The message.
    pub input: *const c_void,
    /// The place of the result: the same as the input's, or memory that does not overlap it.
    pub output: *mut c_void,
    /// Length of each in bytes, a multiple of 16.
    pub len: usize,
}

/// A message that is encrypted or decrypted by CTR together with others.
#[repr(C)]
pub struct hashlanes_ctr_message {
    /// The key, which messages may share.
    pub key: *const hashlanes_aes_key,
    /// The first counter block, as for hashlanes_aes_ctr(): no two messages of a key may share a counter
    /// block.
    pub first: [u8; 16],
    /// The bits of the counter block that count: 32, 64 or 128.
    pub counter_bits: u32,
    /// The message.
    pub input: *const c_void,
    /// The place of the result: the same as the input's, or memory that does not overlap it.
    pub output: *mut c_void,
    /// Length of each in bytes.
    pub len: usize,
}

impl From<Error> for hashlanes_error {
    fn from(error: Error) -> Self {
        match error {
            Error::KeyLength(_) | Error::IvLength(_) => HASHLANES_KEY_LENGTH,
            Error::NotWholeBlocks(_) => HASHLANES_NOT_WHOLE_BLOCKS,
            Error::CounterRepeats(_) | Error::AfterKeystream(_) => HASHLANES_COUNTER_REPEATS,
            _ => HASHLANES_INTERNAL,
        }
    }
}

/// What a function of both directions does.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// A message and the place of its result: the same memory, or memory that does not overlap.
///
/// # Safety
/// Both are null or valid for `len` bytes, which nothing else writes while the buffer is used.
pub(crate) unsafe fn buffer<'a>(input: *const c_void, output: *mut c_void, len: usize) -> Result<Buffer<'a>> {
    let output = output.cast::<u8>();
    if std::ptr::eq(input.cast(), output) {
        // SAFETY: the caller guarantees it.
        return Ok(Buffer::in_place(unsafe { self::output(output, len)? }));
    }
    apart((output, len), (input, len))?;
    // SAFETY: the caller guarantees it; they do not overlap.
    Ok(unsafe { Buffer::new(self::input(input, len)?, self::output(output, len)?) })
}

/// Expands a key of 16, 24 or 32 bytes, and writes its handle to `key`; hashlanes_aes_key_free() overwrites
/// and frees it.
///
/// CBC and CTR do not authenticate: an attacker who changes the ciphertext changes the message unnoticed. Use
/// AEGIS or AES-GCM unless a protocol demands them. Errors: HASHLANES_NULL, HASHLANES_KEY_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_key_new(
    bytes: *const c_void,
    key_bytes: usize,
    key: *mut *mut hashlanes_aes_key,
) -> hashlanes_error {
    guarded(|| {
        check(key, 1)?;
        // SAFETY: the C contract guarantees it.
        let new = Box::new(hashlanes_aes_key(Key::new(unsafe { input(bytes, key_bytes)? })?));
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { key.write(Box::into_raw(new)) };
        Ok(())
    })
}

/// Overwrites and frees a key; NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_key_free(key: *mut hashlanes_aes_key) {
    if !key.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(key) });
    }
}

/// Encrypts `len` bytes, a multiple of 16, by CBC from `input` to `output`, which are the same or do not
/// overlap.
///
/// `iv` is 16 bytes, which an attacker must not be able to predict; after the call they are the last block of
/// ciphertext, from which the message can be continued. Errors: HASHLANES_NULL, HASHLANES_OVERLAP,
/// HASHLANES_TOO_LONG, HASHLANES_NOT_WHOLE_BLOCKS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_cbc_encrypt(
    key: *const hashlanes_aes_key,
    iv: *mut u8,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { cbc(key, iv, (input, output, len), cbc_encrypt_raw) })
}

/// Decrypts `len` bytes, a multiple of 16, by CBC, like hashlanes_aes_cbc_encrypt().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_cbc_decrypt(
    key: *const hashlanes_aes_key,
    iv: *mut u8,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { cbc(key, iv, (input, output, len), cbc_decrypt_raw) })
}

/// Checks the arguments, then processes the message.
///
/// # Safety
/// They are as the contracts of its callers say.
unsafe fn cbc(
    key: *const hashlanes_aes_key,
    iv: *mut u8,
    (input, output, len): (*const c_void, *mut c_void, usize),
    process: impl Fn(&Key, &mut [u8; 16], Buffer<'_>) -> core::result::Result<(), Error>,
) -> Result {
    check(iv, 16)?;
    // SAFETY: the caller guarantees it.
    let (key, buffer) = unsafe { (&shared(key)?.0, buffer(input, output, len)?) };
    apart((iv, 16), (output.cast_const(), len))?;
    apart((iv, 16), (input, len))?;
    // SAFETY: the caller guarantees it; not null, and apart from both.
    let iv = unsafe { &mut *iv.cast::<[u8; 16]>() };
    Ok(process(key, iv, buffer)?)
}

/// Number of messages whose descriptions are on the stack at a time.
const HELD: usize = 256;

/// Encrypts `n` messages by CBC, several at once: one message of CBC is a chain, several fill the CPU's
/// units.
///
/// No output overlaps `messages`, or another message's input or output. All messages are checked before the
/// first is encrypted. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_OVERLAP, HASHLANES_TOO_LONG,
/// HASHLANES_NOT_WHOLE_BLOCKS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_cbc_encrypt_many(
    messages: *mut hashlanes_cbc_message,
    n: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { cbc_many(messages, n, cbc_encrypt_raw_many) })
}

/// Decrypts `n` messages by CBC, like hashlanes_aes_cbc_encrypt_many(). Short ones take less time than by a
/// call for each. After the call, a message's `iv` is the last block of its ciphertext.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_cbc_decrypt_many(
    messages: *mut hashlanes_cbc_message,
    n: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { cbc_many(messages, n, cbc_decrypt_raw_many) })
}

/// Checks the messages, then processes them.
///
/// # Safety
/// They are as the contracts of its callers say.
unsafe fn cbc_many(
    messages: *mut hashlanes_cbc_message,
    n: usize,
    process: impl Fn(&mut [CbcMessage<'_, '_>]) -> core::result::Result<(), Error>,
) -> Result {
    // SAFETY: the caller guarantees it.
    for message in unsafe { items(messages.cast_const(), n)? } {
        apart((message.output, message.len), (messages, bytes_of::<hashlanes_cbc_message>(n)?))?;
        // SAFETY: the caller guarantees it; neither is used here.
        unsafe { (&shared(message.key)?.0, buffer(message.input, message.output, message.len)?) };
        if message.len % 16 != 0 {
            return Err(HASHLANES_NOT_WHOLE_BLOCKS);
        }
    }
    // SAFETY: the caller guarantees it.
    for messages in unsafe { output(messages, n)? }.chunks_mut(HELD) {
        let mut held = ArrayVec::<CbcMessage<'_, '_>, HELD>::new();
        for message in &*messages {
            // SAFETY: the caller guarantees it.
            let (key, buffer) =
                unsafe { (&shared(message.key)?.0, buffer(message.input, message.output, message.len)?) };
            held.push(CbcMessage { key, iv: message.iv, buffer });
        }
        process(&mut held)?;
        messages.iter_mut().zip(&held).for_each(|(message, held)| message.iv = held.iv);
    }
    Ok(())
}

/// Encrypts or decrypts `len` bytes by CTR from `input` to `output`, which are the same or do not overlap.
///
/// `first` is the message's first counter block, 16 bytes: a nonce, then a counter of `counter_bits` bits,
/// 32, 64 or 128. No two messages of a key may share a counter block. The first `skip` blocks of 16 bytes of
/// the keystream are skipped, so a message can be encrypted in parts of whole blocks, each with its position.
/// Errors: HASHLANES_NULL, HASHLANES_OVERLAP, HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED (other
/// `counter_bits`), HASHLANES_COUNTER_REPEATS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_ctr(
    key: *const hashlanes_aes_key,
    first: *const u8,
    counter_bits: u32,
    skip: u64,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
) -> hashlanes_error {
    guarded(|| {
        let counts = bits(counter_bits)?;
        check(first, 16)?;
        // SAFETY: the C contract guarantees it; not null.
        let first = unsafe { *first.cast::<[u8; 16]>() };
        // SAFETY: the C contract guarantees it.
        let (key, buffer) = unsafe { (&shared(key)?.0, buffer(input, output, len)?) };
        let mut keystream = Ctr::new(key, &first, counts);
        keystream.skip_blocks(skip)?;
        Ok(keystream.apply(buffer)?)
    })
}

/// Encrypts or decrypts `n` messages by CTR, each as hashlanes_aes_ctr() would with nothing to skip. Short
/// ones take less time than by a call for each.
///
/// No output overlaps `messages`, or another message's input or output. All messages are checked before the
/// first is encrypted. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_OVERLAP, HASHLANES_TOO_LONG,
/// HASHLANES_UNSUPPORTED (other `counter_bits`), HASHLANES_COUNTER_REPEATS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aes_ctr_many(
    messages: *const hashlanes_ctr_message,
    n: usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let messages = unsafe { items(messages, n)? };
        for message in messages {
            // Counters of more bits last for more than memory can hold.
            if message.counter_bits == 32 && message.len.div_ceil(16) as u64 > 1 << 32 {
                return Err(HASHLANES_COUNTER_REPEATS);
            }
            apart((message.output, message.len), (messages.as_ptr(), size_of_val(messages)))?;
            // SAFETY: the C contract guarantees it; it is not used here.
            unsafe { ctr_message(message)? };
        }
        for messages in messages.chunks(HELD) {
            let mut held = ArrayVec::<CtrMessage<'_, '_>, HELD>::new();
            for message in messages {
                // SAFETY: the C contract guarantees it.
                held.push(unsafe { ctr_message(message)? });
            }
            ctr_many(&mut held)?;
        }
        Ok(())
    })
}

/// Returns a message as the library for Rust takes it.
///
/// # Safety
/// The message is as the contract of hashlanes_aes_ctr_many() says.
unsafe fn ctr_message<'a>(message: &hashlanes_ctr_message) -> Result<CtrMessage<'a, 'a>> {
    let hashlanes_ctr_message { key, first, counter_bits, input, output, len } = *message;
    let counts = bits(counter_bits)?;
    // SAFETY: the caller guarantees it.
    let (key, buffer) = unsafe { (&shared(key)?.0, buffer(input, output, len)?) };
    Ok(CtrMessage { key, first, counts, buffer })
}

/// Returns the bits of a counter block that count.
fn bits(counter_bits: u32) -> Result<CounterBits> {
    match counter_bits {
        32 => Ok(CounterBits::Bits32),
        64 => Ok(CounterBits::Bits64),
        128 => Ok(CounterBits::Bits128),
        _ => Err(HASHLANES_UNSUPPORTED),
    }
}
