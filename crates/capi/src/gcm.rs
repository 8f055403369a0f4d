//! AES-GCM (NIST SP 800-38D) and AES-GCM-SIV (RFC 8452), authenticated encryption: one message or many.

use std::any::Any;
use std::ffi::c_void;
use std::slice;

use arrayvec::ArrayVec;
use hashlanes::aes::Buffer;
use hashlanes::aes::gcm::{self, Aes128Gcm, Aes192Gcm, Aes256Gcm, Error};
use hashlanes::aes::gcm_siv::{self, Aes128GcmSiv, Aes256GcmSiv};

use crate::aes::{Direction, buffer};
use crate::border::{Result, apart, array, check, code, guarded, input, may_be_shared, output, shared};
use crate::error::hashlanes_error::{self, *};

// Other numbers than AEGIS's, so that neither is taken for the other.

/// AES-GCM, with keys of 16, 24 or 32 bytes. If a nonce is used twice with a key, an attacker learns the
/// difference of both messages, and can forge any message of the key.
pub const HASHLANES_AES_GCM: u32 = 7;
/// AES-GCM-SIV, with keys of 16 or 32 bytes. If a nonce is used twice with a key, an attacker learns only
/// whether both messages are equal.
pub const HASHLANES_AES_GCM_SIV: u32 = 8;

/// A key of AES-GCM or AES-GCM-SIV, expanded. Any number of threads may use it at a time.
pub struct hashlanes_gcm_key(Box<dyn Cipher>);

const _: () = may_be_shared::<hashlanes_gcm_key>();

/// A message that is encrypted or decrypted together with others by AES-GCM or AES-GCM-SIV.
#[repr(C)]
pub struct hashlanes_gcm_message {
    /// The key. Messages may share it, or have keys of several ciphers and lengths.
    pub key: *const hashlanes_gcm_key,
    /// The nonce: use it only once with a key of AES-GCM.
    pub nonce: [u8; 12],
    /// The tag: encryption writes it, decryption compares it.
    pub tag: [u8; 16],
    /// The result for this message, an enum hashlanes_error, which every call writes. HASHLANES_FORGED: the
    /// message is not authentic, and its output is zeros.
    pub error: i32, // Not the enum: C may leave any number here.
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

/// Number of messages whose descriptions are on the stack at a time: as many as a kernel takes in a call.
const HELD: usize = 16;

/// Messages of so many bytes together have the stack overwritten at once, as of the library for Rust.
const LONG_BYTES: usize = 64 * 1024;

/// A key of any length of either cipher.
trait Cipher: Any + Send + Sync {
    /// Checks the length of a message, and that of its associated data.
    fn check_lengths(&self, ad_bytes: u64, message_bytes: u64) -> core::result::Result<(), Error>;

    /// Processes messages with keys of this type, which were checked. `HASHLANES_FORGED`: at least one is not
    /// authentic.
    ///
    /// # Safety
    /// The messages are as the contracts of C's functions say.
    unsafe fn process(&self, direction: Direction, messages: &mut [hashlanes_gcm_message]) -> Result;
}

macro_rules! ciphers {
    ($($cipher:ident: $module:ident::$message:ident<$key_bytes:literal> $encrypt:ident $decrypt:ident;)*) => {
        $(
            impl Cipher for $cipher {
                fn check_lengths(
                    &self,
                    ad_bytes: u64,
                    message_bytes: u64,
                ) -> core::result::Result<(), Error> {
                    $module::check_lengths(ad_bytes, message_bytes)
                }

                unsafe fn process(
                    &self,
                    direction: Direction,
                    messages: &mut [hashlanes_gcm_message],
                ) -> Result {
                    let mut authentic = Ok(());
                    for messages in messages.chunks_mut(HELD) {
                        let mut held = ArrayVec::<$module::$message<'_, '_, $key_bytes>, HELD>::new();
                        for message in &*messages {
                            // SAFETY: the caller guarantees it.
                            let (cipher, ad, buffer) = unsafe { parts(message)? };
                            let tag = match direction {
                                Direction::Encrypt => [0; 16],
                                Direction::Decrypt => message.tag,
                            };
                            held.push($module::$message { cipher, nonce: message.nonce, ad, buffer, tag });
                        }
                        match direction {
                            Direction::Encrypt => {
                                $module::$encrypt(&mut held)?;
                                for (message, held) in messages.iter_mut().zip(&held) {
                                    (message.tag, message.error) = (held.tag, HASHLANES_OK as i32);
                                }
                            }
                            Direction::Decrypt => {
                                let mut results = [Ok(()); HELD];
                                $module::$decrypt(&mut held, &mut results[..messages.len()])?;
                                for (message, result) in messages.iter_mut().zip(&results) {
                                    let result = result.map_err(hashlanes_error::from);
                                    message.error = code(result) as i32;
                                    authentic = authentic.and(result);
                                }
                            }
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

/// Returns the cipher, associated data and buffer of a message whose key is of this type.
///
/// # Safety
/// The message is as the contracts of C's functions say.
unsafe fn parts<'a, C: Cipher>(message: &hashlanes_gcm_message) -> Result<(&'a C, &'a [u8], Buffer<'a>)> {
    let hashlanes_gcm_message { key, ad, ad_bytes, input, output, len, .. } = *message;
    // SAFETY: the caller guarantees it.
    let (key, ad, buffer) =
        unsafe { (&shared(key)?.0, self::input(ad, ad_bytes)?, buffer(input, output, len)?) };
    let key: &dyn Any = &**key;
    Ok((key.downcast_ref().ok_or(HASHLANES_INTERNAL)?, ad, buffer))
}

/// Checks all messages, then processes them. Each receives its error.
///
/// # Safety
/// The messages are as the contracts of C's functions say.
unsafe fn process(direction: Direction, messages: &mut [hashlanes_gcm_message]) -> Result {
    // SAFETY: the caller guarantees it.
    let done =
        unsafe { checked_bytes(messages).and_then(|n_bytes| process_all(direction, messages, n_bytes)) };
    if let Err(error) = done
        && error != HASHLANES_FORGED
    {
        messages.iter_mut().for_each(|message| message.error = error as i32);
    }
    done
}

/// Processes checked messages of `n_bytes` bytes: those that follow each other with keys of one type,
/// together.
///
/// # Safety
/// The messages are as the contracts of C's functions say.
unsafe fn process_all(
    direction: Direction,
    messages: &mut [hashlanes_gcm_message],
    n_bytes: usize,
) -> Result {
    let has_type = |message: &hashlanes_gcm_message| {
        // SAFETY: the caller guarantees it; the key was checked.
        let cipher: &dyn Any = unsafe { &*(*message.key).0 };
        cipher.type_id()
    };
    let mut authentic = Ok(());
    for messages in messages.chunk_by_mut(|a, b| a.key == b.key || has_type(a) == has_type(b)) {
        // SAFETY: the caller guarantees it.
        authentic = authentic.and(unsafe { shared(messages[0].key)?.0.process(direction, messages) });
    }
    // The library for Rust has seen no more than `HELD` of them together.
    if messages.len() > HELD && n_bytes >= LONG_BYTES {
        hashlanes::wipe_stack();
    }
    authentic
}

/// Checks messages; returns their number of bytes, with their associated data.
///
/// # Safety
/// The messages are as the contracts of C's functions say.
unsafe fn checked_bytes(messages: &[hashlanes_gcm_message]) -> Result<usize> {
    let mut n_bytes = 0_usize;
    for message in messages {
        let hashlanes_gcm_message { key, ad, ad_bytes, input, output, len, .. } = *message;
        // SAFETY: the caller guarantees it.
        let key = unsafe { shared(key)? };
        // Before slices are made of lengths that no memory has.
        key.0.check_lengths(ad_bytes as u64, len as u64)?;
        apart((output, len), (ad, ad_bytes))?;
        apart((output, len), (messages.as_ptr(), size_of_val(messages)))?;
        // SAFETY: the caller guarantees it; neither is used here.
        unsafe { (self::input(ad, ad_bytes)?, buffer(input, output, len)?) };
        n_bytes = n_bytes.saturating_add(ad_bytes).saturating_add(len);
    }
    Ok(n_bytes)
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
        let bytes = bytes.cast();
        // SAFETY: the C contract guarantees it: so many bytes are there.
        let cipher: Box<dyn Cipher> = unsafe {
            match (cipher, key_bytes) {
                (HASHLANES_AES_GCM, 16) => Box::new(Aes128Gcm::new(array(bytes)?)),
                (HASHLANES_AES_GCM, 24) => Box::new(Aes192Gcm::new(array(bytes)?)),
                (HASHLANES_AES_GCM, 32) => Box::new(Aes256Gcm::new(array(bytes)?)),
                (HASHLANES_AES_GCM_SIV, 16) => Box::new(Aes128GcmSiv::new(array(bytes)?)),
                (HASHLANES_AES_GCM_SIV, 32) => Box::new(Aes256GcmSiv::new(array(bytes)?)),
                (HASHLANES_AES_GCM | HASHLANES_AES_GCM_SIV, _) => return Err(HASHLANES_KEY_LENGTH),
                _ => return Err(HASHLANES_UNSUPPORTED),
            }
        };
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { key.write(Box::into_raw(Box::new(hashlanes_gcm_key(cipher)))) };
        Ok(())
    })
}

/// Overwrites and frees a key, and overwrites the stack that this thread's messages used; NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_key_free(key: *mut hashlanes_gcm_key) {
    if !key.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(key) });
        hashlanes::wipe_stack();
    }
}

/// Encrypts `len` bytes from `input` to `output`, which are the same or do not overlap, and writes the tag.
///
/// `nonce` is 12 bytes, `tag` 16. Use a nonce only once with a key; HASHLANES_AES_GCM and
/// HASHLANES_AES_GCM_SIV say what happens otherwise. The associated data is authenticated with the message.
/// Errors: HASHLANES_NULL, HASHLANES_OVERLAP, HASHLANES_TOO_LONG.
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
        unsafe { process(Direction::Encrypt, slice::from_mut(&mut message))? };
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
        unsafe { process(Direction::Decrypt, slice::from_mut(&mut message)) }
    })
}

/// Encrypts `n` messages, several at once: the fastest way for short messages.
///
/// Each message receives its tag and its error. No output overlaps `messages`, or the input, output or
/// associated data of another message. All messages are checked before the first is encrypted: if one is
/// faulty, nothing is encrypted, and the `error` of all is that of the call. Errors: HASHLANES_NULL,
/// HASHLANES_MISALIGNED, HASHLANES_OVERLAP, HASHLANES_TOO_LONG.
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
/// HASHLANES_FORGED: at least one message is not authentic. Its `error` is HASHLANES_FORGED, and its output
/// is zeros; the others are decrypted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_gcm_decrypt_many(
    messages: *mut hashlanes_gcm_message,
    n: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { process(Direction::Decrypt, output(messages, n)?) })
}
