//! AEGIS, authenticated encryption (RFC 10032): one message or many.

use std::ffi::c_void;

use arrayvec::ArrayVec;
use hashlanes::aes::aegis::{
    Aegis, C128L, C128X2, C128X4, C256, C256X2, C256X4, Cipher, Error, Message, Parameters, Tag, Tag128,
    Tag256, aegis128l_decrypt_many, aegis128l_encrypt_many,
};

use crate::aes::{Direction, buffer};
use crate::border::{Result, apart, bytes_of, check, code, guarded, input, items, output};
use crate::error::hashlanes_error::{self, *};

/// AEGIS-128L: key and nonce of 16 bytes.
pub const HASHLANES_AEGIS_128L: u32 = 1;
/// AEGIS-256: key and nonce of 32 bytes.
pub const HASHLANES_AEGIS_256: u32 = 2;
/// AEGIS-128X2: key and nonce of 16 bytes; for long messages.
pub const HASHLANES_AEGIS_128X2: u32 = 3;
/// AEGIS-128X4: key and nonce of 16 bytes; for long messages.
pub const HASHLANES_AEGIS_128X4: u32 = 4;
/// AEGIS-256X2: key and nonce of 32 bytes; for long messages.
pub const HASHLANES_AEGIS_256X2: u32 = 5;
/// AEGIS-256X4: key and nonce of 32 bytes; for long messages.
pub const HASHLANES_AEGIS_256X4: u32 = 6;

/// A message that is encrypted or decrypted together with others by AEGIS-128L.
#[repr(C)]
pub struct hashlanes_aegis_record {
    /// The nonce, 16 bytes: use it only once with a key.
    pub nonce: [u8; 16],
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
    /// The tag, followed by unspecified bytes if it is shorter: encryption writes it, decryption compares it.
    pub tag: [u8; 32],
    /// The result for this message, an enum hashlanes_error, which every call writes. HASHLANES_FORGED: the
    /// message is not authentic, and its output is zeros.
    pub error: i32, // Not the enum: C may leave any number here.
}

impl From<Error> for hashlanes_error {
    fn from(error: Error) -> Self {
        match error {
            Error::Length { .. } => HASHLANES_KEY_LENGTH,
            Error::TooLong { .. } => HASHLANES_TOO_LONG,
            Error::Forged => HASHLANES_FORGED,
            _ => HASHLANES_INTERNAL,
        }
    }
}

/// Runs `$body` with the types of a cipher and of its tags.
macro_rules! with_cipher {
    ($cipher:expr, $tag_bytes:expr, $c:ident, $t:ident => $body:expr) => {
        with_cipher!(@ $cipher, $tag_bytes, $c, $t, $body;
            HASHLANES_AEGIS_128L C128L, HASHLANES_AEGIS_256 C256, HASHLANES_AEGIS_128X2 C128X2,
            HASHLANES_AEGIS_128X4 C128X4, HASHLANES_AEGIS_256X2 C256X2, HASHLANES_AEGIS_256X4 C256X4)
    };
    (@ $cipher:expr, $tag_bytes:expr, $c:ident, $t:ident, $body:expr; $($number:ident $type:ident),*) => {
        match ($cipher, $tag_bytes) {
            $(($number, 16) => { type $c = $type; type $t = Tag128; $body })*
            $(($number, 32) => { type $c = $type; type $t = Tag256; $body })*
            (HASHLANES_AEGIS_128L..=HASHLANES_AEGIS_256X4, _) => Err(HASHLANES_KEY_LENGTH),
            _ => Err(HASHLANES_UNSUPPORTED),
        }
    };
}

/// A cipher with its key, a nonce, associated data.
type Parts<'a, C, T> = (Aegis<C, T>, <C as Parameters>::Key, &'a [u8]);

/// The parts of one message.
struct One {
    key: *const u8,
    nonce: *const u8,
    ad: (*const c_void, usize),
    input: *const c_void,
    output: *mut c_void,
    len: usize,
}

impl One {
    /// # Safety
    /// The caller must keep the C contract; `tag` is valid for writes of the tag's bytes.
    unsafe fn encrypt<C: Cipher, T: Tag<C>>(&self, tag: *mut u8) -> Result {
        check(tag, 1)?;
        apart((tag, T::TAG_BYTES), (self.output.cast_const(), self.len))?;
        // SAFETY: the caller guarantees it.
        let (cipher, nonce, ad) = unsafe { self.parts::<C, T>()? };
        // SAFETY: the caller guarantees it; in place or apart.
        let made = unsafe {
            if std::ptr::eq(self.input, self.output) {
                cipher.encrypt_in_place(&nonce, ad, output(self.output.cast(), self.len)?)?
            } else {
                let (input, output) = (input(self.input, self.len)?, output(self.output.cast(), self.len)?);
                cipher.encrypt(&nonce, ad, input, output)?
            }
        };
        // SAFETY: the caller guarantees it; not null.
        unsafe { std::ptr::copy_nonoverlapping(made.as_ref().as_ptr(), tag, T::TAG_BYTES) };
        Ok(())
    }

    /// # Safety
    /// The caller must keep the C contract; `tag` is valid for reads of the tag's bytes.
    unsafe fn decrypt<C: Cipher, T: Tag<C>>(&self, tag: *const u8) -> Result {
        // SAFETY: the caller guarantees it.
        let tag = Aegis::<C, T>::tag(unsafe { items(tag, T::TAG_BYTES)? })?;
        // SAFETY: the caller guarantees it.
        let (cipher, nonce, ad) = unsafe { self.parts::<C, T>()? };
        // SAFETY: the caller guarantees it; in place or apart.
        unsafe {
            if std::ptr::eq(self.input, self.output) {
                Ok(cipher.decrypt_in_place(&nonce, ad, output(self.output.cast(), self.len)?, &tag)?)
            } else {
                let (input, output) = (input(self.input, self.len)?, output(self.output.cast(), self.len)?);
                Ok(cipher.decrypt(&nonce, ad, input, &tag, output)?)
            }
        }
    }

    /// # Safety
    /// The caller must keep the C contract.
    unsafe fn parts<'a, C: Cipher, T: Tag<C>>(&self) -> Result<Parts<'a, C, T>> {
        // SAFETY: the caller guarantees it; the buffer is not used here, only checked.
        unsafe { buffer(self.input, self.output, self.len)? };
        apart((self.output, self.len), self.ad)?;
        // SAFETY: the caller guarantees it.
        unsafe {
            let cipher = Aegis::<C, T>::from_slice(items(self.key, C::KEY_BYTES)?)?;
            let nonce = Aegis::<C, T>::nonce(items(self.nonce, C::KEY_BYTES)?)?;
            Ok((cipher, nonce, input(self.ad.0, self.ad.1)?))
        }
    }
}

/// Encrypts `len` bytes from `input` to `output`, which are the same or do not overlap, and writes the tag.
///
/// `cipher` is HASHLANES_AEGIS_128L or another of these constants, which give the length of `key` and
/// `nonce`. Use a nonce only once with a key. `tag_bytes` is 16 or 32. The associated data is authenticated
/// with the message. Errors: HASHLANES_NULL, HASHLANES_OVERLAP, HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED,
/// HASHLANES_KEY_LENGTH (other `tag_bytes`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aegis_encrypt(
    cipher: u32,
    key: *const u8,
    nonce: *const u8,
    ad: *const c_void,
    ad_bytes: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
    tag: *mut u8,
    tag_bytes: usize,
) -> hashlanes_error {
    let one = One { key, nonce, ad: (ad, ad_bytes), input, output, len };
    // SAFETY: the C contract guarantees it.
    guarded(|| with_cipher!(cipher, tag_bytes, C, T => unsafe { one.encrypt::<C, T>(tag) }))
}

/// Decrypts `len` bytes from `input` to `output`, which are the same or do not overlap, and checks the tag.
///
/// The arguments are those of hashlanes_aegis_encrypt(). HASHLANES_FORGED: the tag is not that of this key,
/// nonce, associated data and ciphertext; then the output is zeros. Other errors are those of
/// hashlanes_aegis_encrypt(); then nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aegis_decrypt(
    cipher: u32,
    key: *const u8,
    nonce: *const u8,
    ad: *const c_void,
    ad_bytes: usize,
    input: *const c_void,
    output: *mut c_void,
    len: usize,
    tag: *const u8,
    tag_bytes: usize,
) -> hashlanes_error {
    let one = One { key, nonce, ad: (ad, ad_bytes), input, output, len };
    // SAFETY: the C contract guarantees it.
    guarded(|| with_cipher!(cipher, tag_bytes, C, T => unsafe { one.decrypt::<C, T>(tag) }))
}

/// Number of messages whose descriptions are on the stack at a time.
const HELD: usize = 128;

/// # Safety
/// The caller must keep the C contract.
unsafe fn many<T: Tag<C128L>>(
    direction: Direction,
    key: *const u8,
    records: *mut hashlanes_aegis_record,
    n: usize,
) -> Result {
    // SAFETY: the caller guarantees it.
    let cipher = Aegis::<C128L, T>::from_slice(unsafe { items(key, 16)? })?;
    for i in 0..n {
        // SAFETY: the caller guarantees it; nothing else refers to the record.
        let record = unsafe { &*records.add(i) };
        apart((record.output, record.len), (record.ad, record.ad_bytes))?;
        apart((record.output, record.len), (records, bytes_of::<hashlanes_aegis_record>(n)?))?;
        // SAFETY: the caller guarantees it; neither is used here.
        unsafe { (buffer(record.input, record.output, record.len)?, input(record.ad, record.ad_bytes)?) };
    }
    let mut authentic = Ok(());
    for first in (0..n).step_by(HELD) {
        let n_held = HELD.min(n - first);
        let mut held = ArrayVec::<Message<'_, '_, C128L, T>, HELD>::new();
        for i in first..first + n_held {
            // SAFETY: the caller guarantees it; nothing else refers to the record.
            let record = unsafe { &*records.add(i) };
            // SAFETY: the caller guarantees it.
            let (buffer, ad) = unsafe {
                (buffer(record.input, record.output, record.len)?, input(record.ad, record.ad_bytes)?)
            };
            let tag = Aegis::<C128L, T>::tag(&record.tag[..T::TAG_BYTES])?;
            held.push(Message { cipher: &cipher, nonce: record.nonce, ad, buffer, tag });
        }
        let mut results = [Ok(()); HELD];
        match direction {
            Direction::Encrypt => aegis128l_encrypt_many(&mut held)?,
            Direction::Decrypt => aegis128l_decrypt_many(&mut held, &mut results[..n_held])?,
        }
        for (i, (message, result)) in held.iter().zip(results).enumerate() {
            // SAFETY: the caller guarantees it; nothing else refers to the record.
            let record = unsafe { &mut *records.add(first + i) };
            let result = result.map_err(hashlanes_error::from);
            record.error = code(result) as i32;
            authentic = authentic.and(result);
            if direction == Direction::Encrypt {
                record.tag[..T::TAG_BYTES].copy_from_slice(message.tag.as_ref());
            }
        }
    }
    authentic
}

/// Encrypts `n` messages with AEGIS-128L and one key of 16 bytes, several at once: the fastest way for short
/// messages.
///
/// Each record receives its tag of `tag_bytes` bytes, 16 or 32, and its error. No output overlaps `records`,
/// or the input, output or associated data of another record. All records are checked before the first is
/// encrypted: if one is faulty, nothing is encrypted, and the `error` of all is that of the call. Errors:
/// HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_OVERLAP, HASHLANES_TOO_LONG, HASHLANES_KEY_LENGTH (other
/// `tag_bytes`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aegis128l_encrypt_many(
    key: *const u8,
    records: *mut hashlanes_aegis_record,
    n: usize,
    tag_bytes: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { of_tag(Direction::Encrypt, key, records, n, tag_bytes) })
}

/// Decrypts `n` messages with AEGIS-128L and one key, several at once, like
/// hashlanes_aegis128l_encrypt_many().
///
/// HASHLANES_FORGED: at least one record is not authentic. Its `error` is HASHLANES_FORGED, and its output is
/// zeros; the others are decrypted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_aegis128l_decrypt_many(
    key: *const u8,
    records: *mut hashlanes_aegis_record,
    n: usize,
    tag_bytes: usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { of_tag(Direction::Decrypt, key, records, n, tag_bytes) })
}

/// # Safety
/// The caller must keep the C contract.
unsafe fn of_tag(
    direction: Direction,
    key: *const u8,
    records: *mut hashlanes_aegis_record,
    n: usize,
    tag_bytes: usize,
) -> Result {
    if n > 0 {
        check(records, n)?;
    }
    // SAFETY: the caller guarantees it.
    let done = unsafe {
        match tag_bytes {
            16 => many::<Tag128>(direction, key, records, n),
            32 => many::<Tag256>(direction, key, records, n),
            _ => Err(HASHLANES_KEY_LENGTH),
        }
    };
    if let Err(error) = done
        && error != HASHLANES_FORGED
    {
        for i in 0..n {
            // SAFETY: the caller guarantees it; nothing else refers to the record.
            unsafe { (*records.add(i)).error = error as i32 };
        }
    }
    done
}
