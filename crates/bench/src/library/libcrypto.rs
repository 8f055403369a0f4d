//! OpenSSL's `libcrypto`, version 3, as documented in EVP_DigestInit(3) and OpenSSL_version(3).
#![allow(unsafe_code)] // Argued in the folder's `mod.rs`.

use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

/// The command that installs the library.
pub(crate) const INSTALL: &str = "apt-get install libssl3";
const FILE: &str = "libcrypto.so.3";

/// The functions that are used.
pub(crate) struct Libcrypto {
    version: String,
    fetch: unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void,
    size: unsafe extern "C" fn(*const c_void) -> c_int,
    digest:
        unsafe extern "C" fn(*const c_void, usize, *mut u8, *mut c_uint, *const c_void, *mut c_void) -> c_int,
    new: unsafe extern "C" fn() -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    init: unsafe extern "C" fn(*mut c_void, *const c_void, *const c_void) -> c_int,
    update: unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> c_int,
    finish: unsafe extern "C" fn(*mut c_void, *mut u8, *mut c_uint) -> c_int,
}

/// The library, opened at the first call.
///
/// # Errors
/// The reason why it is unusable, and the command that installs it.
pub(crate) fn open() -> Result<&'static Libcrypto, String> {
    static OPEN: OnceLock<Result<Libcrypto, String>> = OnceLock::new();
    let opened = OPEN.get_or_init(|| load().map_err(|error| format!("{INSTALL} ({error})")));
    opened.as_ref().map_err(Clone::clone)
}

fn load() -> Result<Libcrypto, String> {
    // SAFETY: the system's OpenSSL; its initialisers are those of every program that links to it.
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
    let version: unsafe extern "C" fn(c_int) -> *const c_char = symbol!("OpenSSL_version");
    // SAFETY: OPENSSL_VERSION is 0; the text is static.
    let version = unsafe { CStr::from_ptr(version(0)) }.to_string_lossy().into_owned();
    if !version.starts_with("OpenSSL 3.") {
        return Err(format!("{version:?} is not OpenSSL 3"));
    }
    Ok(Libcrypto {
        version,
        fetch: symbol!("EVP_MD_fetch"),
        size: symbol!("EVP_MD_get_size"),
        digest: symbol!("EVP_Digest"),
        new: symbol!("EVP_MD_CTX_new"),
        free: symbol!("EVP_MD_CTX_free"),
        init: symbol!("EVP_DigestInit_ex2"),
        update: symbol!("EVP_DigestUpdate"),
        finish: symbol!("EVP_DigestFinal_ex"),
    })
}

impl Libcrypto {
    /// Its version, such as `OpenSSL 3.0.19 27 Jan 2026`.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Fetches an algorithm once for many calls; its digests have `N` bytes. `None` if there is no such
    /// algorithm.
    pub(crate) fn algorithm<const N: usize>(&'static self, name: &CStr) -> Option<Fetched<N>> {
        // SAFETY: null is the default library context, and no properties.
        let raw = NonNull::new(unsafe { (self.fetch)(ptr::null_mut(), name.as_ptr(), ptr::null()) })?;
        // SAFETY: an EVP_MD.
        let size = unsafe { (self.size)(raw.as_ptr()) };
        (size == N as c_int).then_some(Fetched { library: self, raw })
    }
}

/// An `EVP_MD` whose digests have `N` bytes. It is kept for the rest of the program.
#[derive(Clone, Copy)]
pub(crate) struct Fetched<const N: usize> {
    library: &'static Libcrypto,
    raw: NonNull<c_void>,
}

impl<const N: usize> Fetched<N> {
    /// `EVP_Digest`: one call, which creates and frees its context.
    #[inline]
    pub(crate) fn one_shot(&self, message: &[u8]) -> [u8; N] {
        let mut digest = [0; N];
        let (data, engine) = (message.as_ptr().cast(), ptr::null_mut());
        // SAFETY: "Borrowed"; the algorithm's digests have N bytes; the size may be null.
        let done = unsafe {
            let (md, out) = (self.raw.as_ptr(), digest.as_mut_ptr());
            (self.library.digest)(data, message.len(), out, ptr::null_mut(), md, engine)
        };
        assert_eq!(done, 1, "EVP_Digest");
        digest
    }

    /// A context of it, to be used again and again.
    pub(crate) fn context(&self) -> Context<N> {
        // SAFETY: takes nothing.
        let raw = NonNull::new(unsafe { (self.library.new)() }).expect("memory");
        Context { of: *self, raw }
    }
}

/// An `EVP_MD_CTX`.
pub(crate) struct Context<const N: usize> {
    of: Fetched<N>,
    raw: NonNull<c_void>,
}

impl<const N: usize> Context<N> {
    /// `EVP_DigestInit_ex2`, `EVP_DigestUpdate`, `EVP_DigestFinal_ex`.
    #[inline]
    pub(crate) fn digest(&self, message: &[u8]) -> [u8; N] {
        let (library, context, mut digest) = (self.of.library, self.raw.as_ptr(), [0; N]);
        // SAFETY: the context is this value's, which is on one thread; "Borrowed"; digests have N bytes.
        let done = unsafe {
            (library.init)(context, self.of.raw.as_ptr(), ptr::null())
                & (library.update)(context, message.as_ptr().cast(), message.len())
                & (library.finish)(context, digest.as_mut_ptr(), ptr::null_mut())
        };
        assert_eq!(done, 1, "EVP_DigestInit_ex2, EVP_DigestUpdate or EVP_DigestFinal_ex");
        digest
    }
}

impl<const N: usize> Drop for Context<N> {
    fn drop(&mut self) {
        // SAFETY: made by `context`, used by nothing else.
        unsafe { (self.of.library.free)(self.raw.as_ptr()) }
    }
}
