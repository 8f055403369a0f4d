//! OpenSSL's ciphers, version 3, as documented in EVP_EncryptInit(3).
#![allow(unsafe_code)] // Argued in the folder's `mod.rs`.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

use libloading::Library;

use super::libcrypto;

const FILE: &str = "libcrypto.so.3";

/// The functions that are used.
struct Functions {
    fetch: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void,
    new: unsafe extern "C" fn() -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    init:
        unsafe extern "C" fn(*mut c_void, *const c_void, *const u8, *const u8, c_int, *const c_void) -> c_int,
    set_padding: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    update: unsafe extern "C" fn(*mut c_void, *mut u8, *mut c_int, *const u8, c_int) -> c_int,
    end: unsafe extern "C" fn(*mut c_void, *mut u8, *mut c_int) -> c_int,
    control: unsafe extern "C" fn(*mut c_void, c_int, c_int, *mut c_void) -> c_int,
}

/// The functions, looked up at the first call; the version is checked where digests' are.
fn functions() -> Result<&'static Functions, String> {
    static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();
    libcrypto::open()?;
    FUNCTIONS.get_or_init(load).as_ref().map_err(Clone::clone)
}

fn load() -> Result<Functions, String> {
    // SAFETY: as in `libcrypto::open`, which has opened it.
    let library = unsafe { Library::new(FILE) }.map_err(|_| format!("{FILE} is not there"))?;
    // "Static".
    let library: &'static Library = Box::leak(Box::new(library));
    macro_rules! symbol {
        ($name:literal) => {
            // SAFETY: "Declarations": the field that it is stored in has the manual's type.
            *unsafe { library.get(concat!($name, "\0").as_bytes()) }
                .map_err(|_| concat!("it has no ", $name).to_owned())?
        };
    }
    Ok(Functions {
        fetch: symbol!("EVP_CIPHER_fetch"),
        new: symbol!("EVP_CIPHER_CTX_new"),
        free: symbol!("EVP_CIPHER_CTX_free"),
        init: symbol!("EVP_CipherInit_ex2"),
        set_padding: symbol!("EVP_CIPHER_CTX_set_padding"),
        update: symbol!("EVP_CipherUpdate"),
        end: symbol!("EVP_CipherFinal_ex"),
        control: symbol!("EVP_CIPHER_CTX_ctrl"),
    })
}

/// `EVP_CTRL_AEAD_GET_TAG`.
const GET_TAG: c_int = 0x10;

/// The direction of a cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Decrypt = 0,
    Encrypt = 1,
}

/// An `EVP_CIPHER_CTX` with its key, for messages of whole blocks, or for GCM.
pub(crate) struct CipherContext {
    functions: &'static Functions,
    raw: NonNull<c_void>,
    direction: Direction,
}

impl CipherContext {
    /// A context of a cipher such as `AES-128-CBC`, whose IVs have 16 bytes, or `AES-128-GCM`, whose nonces
    /// have 12.
    ///
    /// # Errors
    /// If the library or the cipher is missing.
    pub(crate) fn new(cipher: &CStr, key: &[u8], direction: Direction) -> Result<Self, String> {
        let functions = functions()?;
        // SAFETY: null is the default library context, and no properties; a fetched cipher is kept for the
        // rest of the program. The key is as long as the cipher's: it is named for it.
        unsafe {
            let fetched = NonNull::new((functions.fetch)(ptr::null_mut(), cipher.as_ptr(), ptr::null()))
                .ok_or_else(|| format!("has no {}", cipher.to_string_lossy()))?;
            let raw = NonNull::new((functions.new)()).expect("memory");
            let context = CipherContext { functions, raw, direction };
            let done = (functions.init)(
                raw.as_ptr(),
                fetched.as_ptr(),
                key.as_ptr(),
                ptr::null(),
                direction as c_int,
                ptr::null(),
            );
            assert_eq!(done & (functions.set_padding)(raw.as_ptr(), 0), 1, "EVP_CipherInit_ex2");
            Ok(context)
        }
    }

    /// `EVP_CipherInit_ex2` with only the IV.
    pub(crate) fn begin(&self, iv: &[u8; 16]) {
        let (context, direction) = (self.raw.as_ptr(), self.direction as c_int);
        // SAFETY: the context is this value's, which is on one thread; "Borrowed".
        let done = unsafe {
            (self.functions.init)(context, ptr::null(), ptr::null(), iv.as_ptr(), direction, ptr::null())
        };
        assert_eq!(done, 1, "EVP_CipherInit_ex2");
    }

    /// `EVP_CipherUpdate`.
    pub(crate) fn update(&self, message: &[u8], out: &mut [u8]) {
        assert!(message.len() == out.len() && message.len().is_multiple_of(16));
        let len = c_int::try_from(message.len()).expect("a message that an int counts");
        let (context, mut written) = (self.raw.as_ptr(), 0);
        // SAFETY: the context is this value's, which is on one thread; "Borrowed"; whole blocks are as long
        // as the message.
        let done = unsafe {
            (self.functions.update)(context, out.as_mut_ptr(), &mut written, message.as_ptr(), len)
        };
        assert!(done == 1 && written == len, "EVP_CipherUpdate");
    }

    /// Encrypts a message by GCM: `EVP_CipherInit_ex2` with only the nonce, `EVP_CipherUpdate` for the
    /// associated data and for the text, `EVP_CipherFinal_ex`. Returns the tag.
    pub(crate) fn seal(&self, nonce: &[u8; 12], ad: &[u8], message: &[u8], text: &mut [u8]) -> [u8; 16] {
        assert_eq!(message.len(), text.len());
        let len = |bytes: &[u8]| c_int::try_from(bytes.len()).expect("a message that an int counts");
        let (context, mut written, mut tag) = (self.raw.as_ptr(), 0, [0; 16]);
        let Functions { init, update, end, control, .. } = self.functions;
        // SAFETY: the context is this value's, which is on one thread; "Borrowed"; a text of GCM is as long
        // as the message, so nothing is written at the end; the tag has 16 bytes.
        let done = unsafe {
            let (direction, nonce) = (self.direction as c_int, nonce.as_ptr());
            init(context, ptr::null(), ptr::null(), nonce, direction, ptr::null())
                & update(context, ptr::null_mut(), &mut written, ad.as_ptr(), len(ad))
                & update(context, text.as_mut_ptr(), &mut written, message.as_ptr(), len(message))
                & end(context, tag.as_mut_ptr(), &mut written)
                & control(context, GET_TAG, 16, tag.as_mut_ptr().cast())
        };
        assert_eq!(done, 1, "EVP_CipherFinal_ex");
        tag
    }
}

impl Drop for CipherContext {
    fn drop(&mut self) {
        // SAFETY: made by `new`, used by nothing else.
        unsafe { (self.functions.free)(self.raw.as_ptr()) }
    }
}
