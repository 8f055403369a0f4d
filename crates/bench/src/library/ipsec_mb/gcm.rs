//! AES-GCM by the functions that take one message.

use std::mem::MaybeUninit;
use std::ptr;

use libloading::Library;

use super::{FILE, INSTALL, open};

/// `struct gcm_key_data` takes less in every implementation.
#[repr(C, align(64))]
struct KeyData([u8; 4096]);

/// So does `struct gcm_context_data`.
#[repr(C, align(64))]
struct ContextData([u8; 1024]);

type Pre = unsafe extern "C" fn(*const u8, *mut KeyData);
type Enc = unsafe extern "C" fn(
    *const KeyData,
    *mut ContextData,
    *mut u8,
    *const u8,
    u64,
    *const u8,
    *const u8,
    u64,
    *mut u8,
    u64,
);

/// A key, expanded for an implementation.
pub(crate) struct GcmKey {
    encrypt: Enc,
    data: Box<KeyData>,
}

impl GcmKey {
    /// A key of 16 or 32 bytes, for the best implementation on this CPU.
    ///
    /// # Errors
    /// If the library is missing, or this CPU lacks instructions of AES.
    pub(crate) fn new(key: &[u8]) -> Result<Self, String> {
        open()?;
        let suffix = suffix().ok_or("this CPU has no instructions of AES")?;
        // SAFETY: as in `load`, which has opened it and checked its version.
        let library = unsafe { Library::new(FILE) }.map_err(|_| INSTALL.to_owned())?;
        // "Static".
        let library: &'static Library = Box::leak(Box::new(library));
        let symbol = |part: &str| format!("aes_gcm_{part}_{}_{suffix}\0", 8 * key.len());
        let missing = |_| format!("its library has no {suffix} functions");
        // SAFETY: "Declarations".
        let (expand, encrypt) = unsafe {
            let expand = library.get::<Pre>(symbol("pre").as_bytes()).map_err(missing)?;
            (*expand, *library.get::<Enc>(symbol("enc").as_bytes()).map_err(missing)?)
        };
        let mut data = Box::new(KeyData([0; 4096]));
        // SAFETY: the function's name has the key's length; the CPU has its instructions.
        unsafe { expand(key.as_ptr(), ptr::from_mut(&mut *data)) };
        Ok(GcmKey { encrypt, data })
    }

    /// Encrypts a message into a text of the same length; returns the tag.
    pub(crate) fn seal(&self, nonce: &[u8; 12], ad: &[u8], message: &[u8], text: &mut [u8]) -> [u8; 16] {
        assert_eq!(message.len(), text.len());
        // It needs no values before the call.
        let (mut context, mut tag) = (MaybeUninit::<ContextData>::uninit(), [0; 16]);
        // SAFETY: "Borrowed"; the CPU has the instructions.
        unsafe {
            (self.encrypt)(
                ptr::from_ref(&*self.data),
                context.as_mut_ptr(),
                text.as_mut_ptr(),
                message.as_ptr(),
                message.len() as u64,
                nonce.as_ptr(),
                ad.as_ptr(),
                ad.len() as u64,
                tag.as_mut_ptr(),
                16,
            );
        }
        tag
    }
}

/// The end of the functions' names of the best implementation that this CPU can run.
fn suffix() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::is_x86_feature_detected as has;
        if !(has!("aes") && has!("pclmulqdq")) {
            return None;
        }
        let is_512 = has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512dq");
        Some(match () {
            () if is_512 && has!("vaes") && has!("vpclmulqdq") => "vaes_avx512",
            () if has!("avx2") => "avx_gen4",
            () => "sse",
        })
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}
