//! Botan 2's `libbotan-2`, by its C interface as documented in its manual, chapter "FFI (C Binding)", and
//! `botan/ffi.h`.
#![allow(unsafe_code)] // Argued in the folder's `mod.rs`.

use hashlanes_clock::{Pin, PinGuard};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

/// The command that installs the library.
const INSTALL: &str = "apt-get install libbotan-2-19";
const FILE: &str = "libbotan-2.so.19";
/// The version of the interface below: that of Botan 2.8, which all later versions of Botan 2 support.
const INTERFACE: u32 = 20_180_713;
/// `botan_pk_op_verify_finish` of a signature that is not valid.
const INVALID: c_int = 1;

/// An object of Botan's, at a pointer.
type Object = *mut c_void;
type Destroy = unsafe extern "C" fn(Object) -> c_int;
type Update = unsafe extern "C" fn(Object, *const u8, usize) -> c_int;

/// The functions that are used.
pub(crate) struct Botan {
    version: String,
    random: Object,
    create_key: unsafe extern "C" fn(*mut Object, *const c_char, *const c_char, Object) -> c_int,
    public_of: unsafe extern "C" fn(*mut Object, Object) -> c_int,
    destroy_key: Destroy,
    load_public: unsafe extern "C" fn(*mut Object, *const u8, usize) -> c_int,
    export_public: unsafe extern "C" fn(Object, *mut u8, *mut usize, u32) -> c_int,
    destroy_public: Destroy,
    sign_create: unsafe extern "C" fn(*mut Object, Object, *const c_char, u32) -> c_int,
    sign_update: Update,
    sign_finish: unsafe extern "C" fn(Object, Object, *mut u8, *mut usize) -> c_int,
    sign_destroy: Destroy,
    verify_create: unsafe extern "C" fn(*mut Object, Object, *const c_char, u32) -> c_int,
    verify_update: Update,
    verify_finish: Update,
    verify_destroy: Destroy,
}

// SAFETY: the generator, the only pointer in it, is Botan's "system" one, which asks the system's and has no
// state; the rest are functions.
unsafe impl Sync for Botan {}
// SAFETY: as above.
unsafe impl Send for Botan {}

/// The library, opened at the first call.
///
/// # Errors
/// The reason why it is unusable, and the command that installs it.
pub(crate) fn open() -> Result<&'static Botan, String> {
    static OPEN: OnceLock<Result<Botan, String>> = OnceLock::new();
    let opened = OPEN.get_or_init(|| load().map_err(|error| format!("{INSTALL} ({error})")));
    opened.as_ref().map_err(Clone::clone)
}

fn load() -> Result<Botan, String> {
    // SAFETY: the system's Botan; its initialisers are those of every program that links to it.
    let library = unsafe { Library::new(FILE) }.map_err(|_| format!("{FILE} is not there"))?;
    // "Static".
    let library: &'static Library = Box::leak(Box::new(library));
    macro_rules! symbol {
        ($name:literal) => {
            // SAFETY: "Declarations": the field that it is stored in has the header's type.
            *unsafe { library.get(concat!($name, "\0").as_bytes()) }
                .map_err(|_| concat!("it has no ", $name).to_owned())?
        };
    }
    let supports: unsafe extern "C" fn(u32) -> c_int = symbol!("botan_ffi_supports_api");
    // SAFETY: takes a number.
    if unsafe { supports(INTERFACE) } != 0 {
        return Err(format!("it does not have the interface of {INTERFACE}"));
    }
    let version: unsafe extern "C" fn() -> *const c_char = symbol!("botan_version_string");
    // SAFETY: the text is static.
    let version = unsafe { CStr::from_ptr(version()) }.to_string_lossy().into_owned();
    let new_random: unsafe extern "C" fn(*mut Object, *const c_char) -> c_int = symbol!("botan_rng_init");
    let mut random = ptr::null_mut();
    // SAFETY: writes the one pointer; the text ends with 0.
    let made = unsafe { new_random(&mut random, c"system".as_ptr()) };
    if made != 0 {
        return Err(format!("botan_rng_init: {made}"));
    }
    Ok(Botan {
        version,
        random,
        create_key: symbol!("botan_privkey_create"),
        public_of: symbol!("botan_privkey_export_pubkey"),
        destroy_key: symbol!("botan_privkey_destroy"),
        load_public: symbol!("botan_pubkey_load"),
        export_public: symbol!("botan_pubkey_export"),
        destroy_public: symbol!("botan_pubkey_destroy"),
        sign_create: symbol!("botan_pk_op_sign_create"),
        sign_update: symbol!("botan_pk_op_sign_update"),
        sign_finish: symbol!("botan_pk_op_sign_finish"),
        sign_destroy: symbol!("botan_pk_op_sign_destroy"),
        verify_create: symbol!("botan_pk_op_verify_create"),
        verify_update: symbol!("botan_pk_op_verify_update"),
        verify_finish: symbol!("botan_pk_op_verify_finish"),
        verify_destroy: symbol!("botan_pk_op_verify_destroy"),
    })
}

/// An object of Botan, destroyed with this value.
struct Owned {
    object: Object,
    destroy: Destroy,
}

impl Owned {
    /// Returns the bytes that `make` writes.
    fn new(
        what: &'static str,
        destroy: Destroy,
        make: impl FnOnce(*mut Object) -> c_int,
    ) -> Result<Self, String> {
        let mut object = ptr::null_mut();
        check(what, make(&mut object))?;
        Ok(Owned { object, destroy })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: made by the function that this one belongs to, used by nothing else.
        unsafe { (self.destroy)(self.object) };
    }
}

/// 0 is success.
fn check(what: &'static str, code: c_int) -> Result<(), String> {
    if code == 0 { Ok(()) } else { Err(format!("{what}: {code}")) }
}

/// A key that signs. Botan divides its work among threads of its own.
pub(crate) struct PrivateKey {
    library: &'static Botan,
    key: Owned,
}

/// A key that verifies.
pub(crate) struct PublicKey {
    library: &'static Botan,
    key: Owned,
}

/// No padding: XMSS names its hash itself.
const NO_PADDING: &CStr = c"";

impl Botan {
    /// Its version, such as `Botan 2.19.3 (…)`.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Generates a key of a set of XMSS from Botan's own seeds. Botan starts its threads at the first key;
    /// they stay on the CPU of the calling thread.
    ///
    /// # Errors
    /// If Botan does not support the set.
    pub(crate) fn generate(&'static self, set: &str) -> Result<PrivateKey, String> {
        let _on_this_cpu = PinGuard::new(Pin::Current);
        let set = CString::new(set).map_err(|error| error.to_string())?;
        let key = Owned::new("botan_privkey_create", self.destroy_key, |key| {
            // SAFETY: writes the one pointer; texts end with 0.
            unsafe { (self.create_key)(key, c"XMSS".as_ptr(), set.as_ptr(), self.random) }
        })?;
        Ok(PrivateKey { library: self, key })
    }

    /// A public key from its SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// If Botan does not accept it.
    pub(crate) fn public_key(&'static self, spki: &[u8]) -> Result<PublicKey, String> {
        let key = Owned::new("botan_pubkey_load", self.destroy_public, |key| {
            // SAFETY: writes the one pointer; "Borrowed".
            unsafe { (self.load_public)(key, spki.as_ptr(), spki.len()) }
        })?;
        Ok(PublicKey { library: self, key })
    }
}

impl PrivateKey {
    /// The SubjectPublicKeyInfo of its public key.
    ///
    /// # Errors
    /// If Botan fails.
    pub(crate) fn public(&self) -> Result<Vec<u8>, String> {
        let library = self.library;
        let public = Owned::new("botan_privkey_export_pubkey", library.destroy_public, |public| {
            // SAFETY: writes the one pointer; the key is alive.
            unsafe { (library.public_of)(public, self.key.object) }
        })?;
        let mut bytes = vec![0; 256];
        let mut len = bytes.len();
        // SAFETY: "Borrowed": writes `len` bytes at most and how many there are; the flag 0 is DER.
        let code = unsafe { (library.export_public)(public.object, bytes.as_mut_ptr(), &mut len, 0) };
        check("botan_pubkey_export", code)?;
        bytes.truncate(len);
        Ok(bytes)
    }

    /// A signature, of `room` bytes at most.
    ///
    /// # Errors
    /// If Botan fails, or the key is used up.
    pub(crate) fn sign(&self, message: &[u8], room: usize) -> Result<Vec<u8>, String> {
        let library = self.library;
        let operation = Owned::new("botan_pk_op_sign_create", library.sign_destroy, |operation| {
            // SAFETY: writes the one pointer; the key outlives the operation; the text ends with 0.
            unsafe { (library.sign_create)(operation, self.key.object, NO_PADDING.as_ptr(), 0) }
        })?;
        // SAFETY: "Borrowed".
        let code = unsafe { (library.sign_update)(operation.object, message.as_ptr(), message.len()) };
        check("botan_pk_op_sign_update", code)?;
        let mut signature = vec![0; room];
        let mut len = room;
        // SAFETY: "Borrowed": writes `len` bytes at most and how many there are.
        let code = unsafe {
            (library.sign_finish)(operation.object, library.random, signature.as_mut_ptr(), &mut len)
        };
        check("botan_pk_op_sign_finish", code)?;
        signature.truncate(len);
        Ok(signature)
    }
}

impl PublicKey {
    /// Whether the signature is that of the message.
    ///
    /// # Errors
    /// If Botan fails.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<bool, String> {
        let library = self.library;
        let operation = Owned::new("botan_pk_op_verify_create", library.verify_destroy, |operation| {
            // SAFETY: writes the one pointer; the key outlives the operation; the text ends with 0.
            unsafe { (library.verify_create)(operation, self.key.object, NO_PADDING.as_ptr(), 0) }
        })?;
        // SAFETY: "Borrowed".
        let code = unsafe { (library.verify_update)(operation.object, message.as_ptr(), message.len()) };
        check("botan_pk_op_verify_update", code)?;
        // SAFETY: "Borrowed".
        let code = unsafe { (library.verify_finish)(operation.object, signature.as_ptr(), signature.len()) };
        match code {
            INVALID => Ok(false),
            code => check("botan_pk_op_verify_finish", code).map(|()| true),
        }
    }
}
