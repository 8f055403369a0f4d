//! AES-GCM (NIST SP 800-38D) and AES-GCM-SIV (RFC 8452), authenticated encryption: one message or many.

use std::any::Any;
use std::ffi::c_void;

use arrayvec::ArrayVec;
use hashlanes::aes::Buffer;
use hashlanes::aes::gcm::{self, Aes128Gcm, Aes192Gcm, Aes256Gcm, Error};
use hashlanes::aes::gcm_siv::{self, Aes128GcmSiv, Aes256GcmSiv};

use crate::aes::buffer;
use crate::border::{Result, apart, check, code, guarded, input, items, output};
use crate::error::hashlanes_error::{self, *};

/// AES-GCM, with keys of 16, 24 or 32 bytes. If a nonce is used twice with a key, an attacker learns the
/// difference of both messages, and can forge any message of the key.
pub const HASHLANES_AES_GCM: u32 = 1;
/// AES-GCM-SIV, with keys of 16 or 32 bytes. If a nonce is used twice with a key, an attacker learns only
/// whether both messages are equal.
pub const HASHLANES_AES_GCM_SIV: u32 = 2;

/// A key of AES-GCM or AES-GCM-SIV, expanded. Any number of threads may use it at a time.
pub struct hashlanes_gcm_key(Box<dyn Cipher>);

/// A message that is encrypted or decrypted together with others by AES-GCM or AES-GCM-SIV.
#[repr(C)]
pub struct hashlanes_gcm_message {
    /// The key, which messages may share. All keys of a call are of one cipher and one length.
    pub key: *const hashlanes_gcm_key,
    /// The nonce.
    pub nonce: [u8; 12],
    /// The tag: encryption writes it, decryption compares it.
    pub tag: [u8; 16],
    /// The result for this message, an enum hashlanes_error. HASHLANES_FORGED: the message is not authentic,
    /// and its output is zeros.
    pub error: i32, // Not the enum: C need not initialise it.
    /// The associated data, which is authenticated and not encrypted.
    pub ad: *const c_void,
    /// Length of the associated data in bytes.
    pub ad_bytes: usize,
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
            Error::Length { .. } => HASHLANES_KEY_LENGTH,
            Error::MessageTooLong | Error::DataTooLong => HASHLANES_TOO_LONG,
            Error::Forged => HASHLANES_FORGED,
            _ => HASHLANES_INTERNAL,
        }
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Encrypt,
    Decrypt,
}

/// Number of messages whose descriptions are on the stack at a time.
const HELD: usize = 32;

/// A key of any length of either cipher.
trait Cipher: Any {
    /// Checks all messages, then processes them. An error means that nothing was processed, or that a message
    /// is not authentic.
    ///
    /// # Safety
    /// The messages are as the contracts of C's functions say, and their keys are of this type or another.
    unsafe fn process(&self, direction: Direction, messages: &mut [hashlanes_gcm_message]) -> Result;
}

macro_rules! ciphers {
    ($($cipher:ident: $module:ident::$message:ident<$key_bytes:literal> $encrypt:ident $decrypt:ident;)*) => {
        $(
            impl Cipher for $cipher {
                unsafe fn process(
                    &self,
                    direction: Direction,
                    messages: &mut [hashlanes_gcm_message],
                ) -> Result {
                    for message in &*messages {
                        // SAFETY: the caller guarantees it.
                        unsafe { parts::<Self>(message)? };
                        $module::check_lengths(message.ad_bytes as u64, message.len as u64)?;
                    }
                    let mut authentic = Ok(());
                    for messages in messages.chunks_mut(HELD) {
                        let mut held = ArrayVec::<$module::$message<'_, '_, $key_bytes>, HELD>::new();
                        for message in &*messages {
                            // SAFETY: the caller guarantees it.
                            let (cipher, ad, buffer) = unsafe { parts(message)? };
                            let hashlanes_gcm_message { nonce, tag, .. } = *message;
                            held.push($module::$message { cipher, nonce, ad, buffer, tag });
                        }
                        let mut results = [Ok(()); HELD];
                        match direction {
                            Direction::Encrypt => $module::$encrypt(&mut held)?,
                            Direction::Decrypt => $module::$decrypt(&mut held, &mut results[..messages.len()])?,
                        }
                        for ((message, held), result) in messages.iter_mut().zip(held).zip(results) {
                            let result = result.map_err(hashlanes_error::from);
                            (message.tag, message.error) = (held.tag, code(result) as i32);
                            authentic = authentic.and(result);
                        }
                    }
                    authentic
                }
            }
        )*
    };
}

ciphers! {
    Aes128Gcm: gcm::Message<16> aes128_gcm_encrypt_many aes128_gcm_decrypt_many;
    Aes192Gcm: gcm::Message<24> aes192_gcm_encrypt_many aes192_gcm_decrypt_many;
    Aes256Gcm: gcm::Message<32> aes256_gcm_encrypt_many aes256_gcm_decrypt_many;
    Aes128GcmSiv: gcm_siv::Message<16> aes128_gcm_siv_encrypt_many aes128_gcm_siv_decrypt_many;
    Aes256GcmSiv: gcm_siv::Message<32> aes256_gcm_siv_encrypt_many aes256_gcm_siv_decrypt_many;
}

/// Returns the cipher, associated data and buffer of a message whose key is of this cipher.
///
/// # Safety
/// The message is as the contracts of C's functions say.
unsafe fn parts<'a, C: Cipher>(message: &hashlanes_gcm_message) -> Result<(&'a C, &'a [u8], Buffer<'a>)> {
    let hashlanes_gcm_message { key, ad, ad_bytes, input, output, len, .. } = *message;
    apart((output, len), (ad, ad_bytes))?;
    // SAFETY: the caller guarantees it.
    let (key, ad, buffer) =
        unsafe { (shared(key)?, self::input(ad, ad_bytes)?, buffer(input, output, len)?) };
    let key: &dyn Any = key;
    Ok((key.downcast_ref().ok_or(HASHLANES_UNSUPPORTED)?, ad, buffer))
}

/// Returns a shared reference to the cipher of a key.
///
/// # Safety
/// It is null or a key that is not freed while the result is used.
unsafe fn shared<'a>(key: *const hashlanes_gcm_key) -> Result<&'a dyn Cipher> {
    // SAFETY: the caller guarantees it.
    unsafe { key.as_ref() }.map(|key| &*key.0).ok_or(HASHLANES_NULL)
}

/// Expands a key, and writes its handle to `key`; hashlanes_gcm_key_free() overwrites and frees it.
///
/// `cipher` is HASHLANES_AES_GCM or HASHLANES_AES_GCM_SIV. Expanding takes longer than a short message: keep
/// the handle for all messages of the key. Errors: HASHLANES_NULL, HASHLANES_UNSUPPORTED (`cipher`),
/// HASHLANES_KEY_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_key_new(
    cipher: u32,
    bytes: *const c_void,
    key_bytes: usize,
    key: *mut *mut hashlanes_gcm_key,
) -> hashlanes_error {
    guarded(|| {
        check(key, 1)?;
        // SAFETY: the C contract guarantees it.
        let bytes = unsafe { input(bytes, key_bytes)? };
        let cipher: Box<dyn Cipher> = match (cipher, key_bytes) {
            (HASHLANES_AES_GCM, 16) => Box::new(Aes128Gcm::from_slice(bytes)?),
            (HASHLANES_AES_GCM, 24) => Box::new(Aes192Gcm::from_slice(bytes)?),
            (HASHLANES_AES_GCM, 32) => Box::new(Aes256Gcm::from_slice(bytes)?),
            (HASHLANES_AES_GCM_SIV, 16) => Box::new(Aes128GcmSiv::from_slice(bytes)?),
            (HASHLANES_AES_GCM_SIV, 32) => Box::new(Aes256GcmSiv::from_slice(bytes)?),
            (HASHLANES_AES_GCM | HASHLANES_AES_GCM_SIV, _) => return Err(HASHLANES_KEY_LENGTH),
            _ => return Err(HASHLANES_UNSUPPORTED),
        };
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { key.write(Box::into_raw(Box::new(hashlanes_gcm_key(cipher)))) };
        Ok(())
    })
}

/// Overwrites and frees a key; NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_key_free(key: *mut hashlanes_gcm_key) {
    if !key.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(key) });
    }
}

/// Encrypts `len` bytes from `input` to `output`, which are the same or do not overlap, and writes the tag.
///
/// `nonce` is 12 bytes, `tag` 16; see HASHLANES_AES_GCM for nonces that are used twice. The associated data is
/// authenticated with the message. Errors: HASHLANES_NULL, HASHLANES_OVERLAP, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_encrypt(
    key: *const hashlanes_gcm_key,
    nonce: *const u8,
    ad: *const c_void,
    ad_bytes: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
    tag: *mut u8,
) -> hashlanes_error {
    guarded(|| {
        check(tag, 16)?;
        apart((tag, 16), (output.cast_const(), len))?;
        // SAFETY: the C contract guarantees it.
        let nonce = unsafe { *array(nonce)? };
        let mut message =
            hashlanes_gcm_message { key, nonce, tag: [0; 16], error: 0, ad, ad_bytes, input, output, len };
        // SAFETY: the C contract guarantees it.
        unsafe { process(Direction::Encrypt, std::slice::from_mut(&mut message))? };
        // SAFETY: the C contract guarantees it; not null.
        unsafe { tag.cast::<[u8; 16]>().write(message.tag) };
        Ok(())
    })
}

/// Decrypts `len` bytes from `input` to `output`, which are the same or do not overlap, and checks the tag.
///
/// The arguments are those of hashlanes_gcm_encrypt(). HASHLANES_FORGED: the tag is not that of this key,
/// nonce, associated data and ciphertext; then the output is zeros. Other errors are those of
/// hashlanes_gcm_encrypt(); then nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_decrypt(
    key: *const hashlanes_gcm_key,
    nonce: *const u8,
    ad: *const c_void,
    ad_bytes: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
    tag: *const u8,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (nonce, tag) = unsafe { (*array(nonce)?, *array(tag)?) };
        let mut message =
            hashlanes_gcm_message { key, nonce, tag, error: 0, ad, ad_bytes, input, output, len };
        // SAFETY: the C contract guarantees it.
        unsafe { process(Direction::Decrypt, std::slice::from_mut(&mut message)) }
    })
}

/// Encrypts `n` messages, several at once: the fastest way for short messages.
///
/// Each message receives its tag. No output overlaps another message's memory. All messages are checked
/// before the first is encrypted. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_OVERLAP,
/// HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED (keys of several ciphers or lengths).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_encrypt_many(
    messages: *mut hashlanes_gcm_message,
    n: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { process(Direction::Encrypt, output(messages, n)?) })
}

/// Decrypts `n` messages, several at once, like hashlanes_gcm_encrypt_many().
///
/// HASHLANES_FORGED: at least one message is not authentic. Its `error` is HASHLANES_FORGED, and its output is
/// zeros; the others are decrypted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_decrypt_many(
    messages: *mut hashlanes_gcm_message,
    n: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { process(Direction::Decrypt, output(messages, n)?) })
}

/// Processes messages with the cipher of the first one.
///
/// # Safety
/// The messages are as the contracts of C's functions say.
unsafe fn process(direction: Direction, messages: &mut [hashlanes_gcm_message]) -> Result {
    let Some(first) = messages.first() else { return Ok(()) };
    // SAFETY: the caller guarantees it.
    unsafe { shared(first.key)?.process(direction, messages) }
}

/// Returns a nonce or tag.
///
/// # Safety
/// It is null, or valid for reads of `N` bytes while the reference is used.
unsafe fn array<'a, const N: usize>(bytes: *const u8) -> Result<&'a [u8; N]> {
    // SAFETY: the caller guarantees it.
    unsafe { items(bytes, N)? }.try_into().map_err(|_| HASHLANES_INTERNAL)
}
