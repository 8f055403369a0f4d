//! GnuPG's `libgcrypt`, versions 1.6 and later of the interface 20, as documented in "The Libgcrypt Reference
//! Manual".
#![allow(unsafe_code)] // Argued in the folder's `mod.rs`.

use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

/// The command that installs the library.
const INSTALL: &str = "apt-get install libgcrypt20";
const FILE: &str = "libgcrypt.so.20";

// `enum gcry_ctl_cmds`.
const DISABLE_SECMEM: c_int = 37;
const INITIALIZATION_FINISHED: c_int = 38;
const DISABLE_HWF: c_int = 63;

/// The variable with the features of the CPU that the library must not use: its names, with commas.
pub(crate) const DENY: &str = "LIBGCRYPT_DENY";

/// The functions that are used.
pub(crate) struct Libgcrypt {
    version: String,
    map_name: unsafe extern "C" fn(*const c_char) -> c_int,
    digest_len: unsafe extern "C" fn(c_int) -> c_uint,
    hash_buffer: unsafe extern "C" fn(c_int, *mut c_void, *const c_void, usize),
}

/// The library, opened at the first call.
///
/// # Errors
/// The reason why it is unusable, and the command that installs it.
pub(crate) fn open() -> Result<&'static Libgcrypt, String> {
    static OPEN: OnceLock<Result<Libgcrypt, String>> = OnceLock::new();
    let opened = OPEN.get_or_init(|| load().map_err(|error| format!("{INSTALL} ({error})")));
    opened.as_ref().map_err(Clone::clone)
}

fn load() -> Result<Libgcrypt, String> {
    // SAFETY: the system's libgcrypt; its initialisers are those of every program that links to it.
    let library = unsafe { Library::new(FILE) }.map_err(|_| format!("{FILE} is not there"))?;
    // "Static".
    let library: &'static Library = Box::leak(Box::new(library));
    macro_rules! symbol {
        ($name:literal) => {
            // SAFETY: "Declarations": what it is stored in has the manual's type.
            *unsafe { library.get(concat!($name, "\0").as_bytes()) }
                .map_err(|_| concat!("it has no ", $name).to_owned())?
        };
    }
    let control: unsafe extern "C" fn(c_int, ...) -> c_uint = symbol!("gcry_control");
    if let Some(features) = std::env::var(DENY).ok().and_then(|features| CString::new(features).ok()) {
        // SAFETY: the manual's section "Controlling the library": the command takes a text with a zero at its
        // end, before the initialisation.
        if unsafe { control(DISABLE_HWF, features.as_ptr()) } != 0 {
            return Err(format!("it does not know all of {DENY}={features:?}"));
        }
    }
    let check_version: unsafe extern "C" fn(*const c_char) -> *const c_char = symbol!("gcry_check_version");
    // SAFETY: null asks for the version, a static text, and begins the initialisation.
    let version = unsafe { CStr::from_ptr(check_version(ptr::null())) }.to_string_lossy().into_owned();
    let minor = version.strip_prefix("1.").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
    if minor.is_none_or(|minor| minor < 6) {
        return Err(format!("{version:?} is not 1.6 or later"));
    }
    // SAFETY: the manual's section "Initializing the library"; both commands take an int. Nothing secret is
    // hashed.
    let failed =
        unsafe { control(DISABLE_SECMEM, 0 as c_int) | control(INITIALIZATION_FINISHED, 0 as c_int) };
    if failed != 0 {
        return Err("it cannot be initialised".into());
    }
    Ok(Libgcrypt {
        version,
        map_name: symbol!("gcry_md_map_name"),
        digest_len: symbol!("gcry_md_get_algo_dlen"),
        hash_buffer: symbol!("gcry_md_hash_buffer"),
    })
}

impl Libgcrypt {
    /// Its version, such as `1.10.1`.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Returns an algorithm whose digests have `N` bytes; `None` if there is no such algorithm.
    pub(crate) fn algorithm<const N: usize>(&'static self, name: &CStr) -> Option<Algorithm<N>> {
        // SAFETY: a text that ends with a zero.
        let number = unsafe { (self.map_name)(name.as_ptr()) };
        // SAFETY: an algorithm's number.
        let known = number != 0 && unsafe { (self.digest_len)(number) } as usize == N;
        known.then_some(Algorithm { library: self, number })
    }
}

/// An algorithm whose digests have `N` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Algorithm<const N: usize> {
    library: &'static Libgcrypt,
    number: c_int,
}

impl<const N: usize> Algorithm<N> {
    /// `gcry_md_hash_buffer`.
    #[inline]
    pub(crate) fn digest(&self, message: &[u8]) -> [u8; N] {
        let mut digest = [0; N];
        // SAFETY: "Borrowed"; the algorithm's digests have N bytes.
        unsafe {
            let (out, data) = (digest.as_mut_ptr().cast(), message.as_ptr().cast());
            (self.library.hash_buffer)(self.number, out, data, message.len());
        }
        digest
    }
}
