//! Intel's `libipsec-mb`, version 1.3.0 (Debian 12), as declared in its `intel-ipsec-mb.h`.
//!
//! Its manager is a structure of function pointers and its jobs are filled in by the caller, so both layouts
//! are part of the interface, and they change from version to version.
#![allow(unsafe_code)] // Argued in the folder's `mod.rs`.

mod ciphers;
mod gcm;

pub(crate) use ciphers::Mode;
pub(crate) use gcm::GcmKey;
use libloading::Library;
use std::ffi::{c_int, c_uint, c_void};
use std::mem::{offset_of, size_of};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

/// The command that installs the library.
pub(crate) const INSTALL: &str = "apt-get install libipsec-mb1";
const FILE: &str = "libIPSec_MB.so.1";
/// `IMB_VERSION_NUM` of the header that the layouts are from.
const VERSION: c_uint = 0x1_03_00;

/// `IMB_FLAG_SHANI_OFF`: no SHA extensions.
const SHANI_OFF: u64 = 1;
/// `IMB_CIPHER_NULL`.
const CIPHER_NULL: c_int = 3;
/// `IMB_DIR_ENCRYPT`.
const DIR_ENCRYPT: c_int = 1;
/// `IMB_ORDER_HASH_CIPHER`.
const ORDER_HASH_CIPHER: c_int = 2;

/// `IMB_HASH_ALG`, the plain hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Algorithm {
    /// `IMB_AUTH_SHA_1`.
    Sha1 = 13,
    /// `IMB_AUTH_SHA_224`.
    Sha224 = 14,
    /// `IMB_AUTH_SHA_256`.
    Sha256 = 15,
    /// `IMB_AUTH_SHA_384`.
    Sha384 = 16,
    /// `IMB_AUTH_SHA_512`.
    Sha512 = 17,
}

impl Algorithm {
    /// Bytes of a digest.
    fn digest_bytes(self) -> usize {
        match self {
            Algorithm::Sha1 => 20,
            Algorithm::Sha224 => 28,
            Algorithm::Sha256 => 32,
            Algorithm::Sha384 => 48,
            Algorithm::Sha512 => 64,
        }
    }
}

/// One of the library's implementations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Architecture {
    /// The library's own choice.
    Auto,
    /// SSE with the SHA extensions.
    ShaNi,
    /// SSE without them.
    Sse,
    /// AVX2 without them.
    Avx2,
    /// AVX-512 without them.
    Avx512,
}

impl Architecture {
    /// Returns whether this CPU has its features.
    #[cfg(target_arch = "x86_64")]
    fn is_here(self) -> bool {
        match self {
            Self::Auto | Self::Sse => true,
            Self::ShaNi => is_x86_feature_detected!("sha"),
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    /// The library is for x86-64 alone.
    #[cfg(not(target_arch = "x86_64"))]
    fn is_here(self) -> bool {
        false
    }
}

/// `IMB_JOB`. The unions are declared as the member that hashing uses.
#[repr(C)]
struct Job {
    enc_keys: *const c_void,
    dec_keys: *const c_void,
    key_len_in_bytes: u64,
    src: *const u8,
    dst: *mut u8,
    cipher_start_src_offset_in_bytes: u64,
    msg_len_to_cipher_in_bytes: u64,
    hash_start_src_offset_in_bytes: u64,
    msg_len_to_hash_in_bytes: u64,
    iv: *const u8,
    iv_len_in_bytes: u64,
    auth_tag_output: *mut u8,
    auth_tag_output_len_in_bytes: u64,
    hash_fields: [u64; 3],
    status: c_int,
    cipher_mode: c_int,
    cipher_direction: c_int,
    hash_alg: c_int,
    chain_order: c_int,
    user_data: *mut c_void,
    user_data2: *mut c_void,
    cipher_func: *mut c_void,
    hash_func: *mut c_void,
    sgl_state: c_int,
    cipher_fields: *mut c_void,
}

type HashFunction = unsafe extern "C" fn(*const c_void, u64, *mut c_void);

/// The beginning of `IMB_MGR`, as far as it is used.
#[repr(C)]
struct Head {
    flags: u64,
    features: u64,
    reserved: [u64; 5],
    used_arch: u32,
    imb_errno: c_int,
    get_next_job: unsafe extern "C" fn(*mut Head) -> *mut Job,
    submit_job: unsafe extern "C" fn(*mut Head) -> *mut Job,
    submit_job_nocheck: unsafe extern "C" fn(*mut Head) -> *mut Job,
    get_completed_job: unsafe extern "C" fn(*mut Head) -> *mut Job,
    flush_job: unsafe extern "C" fn(*mut Head) -> *mut Job,
    queue_size: unsafe extern "C" fn(*mut Head) -> u32,
    /// keyexp_128, keyexp_192, keyexp_256, …, md5_one_block.
    others: [*const c_void; 12],
    sha1: HashFunction,
    sha224: HashFunction,
    sha256: HashFunction,
    sha384: HashFunction,
    sha512: HashFunction,
}

/// Places that a C compiler gives for the header's structures.
const _: () = {
    assert!(size_of::<Job>() == 200);
    assert!(offset_of!(Job, src) == 24 && offset_of!(Job, msg_len_to_hash_in_bytes) == 64);
    assert!(offset_of!(Job, auth_tag_output) == 88 && offset_of!(Job, status) == 128);
    assert!(offset_of!(Job, hash_alg) == 140 && offset_of!(Job, user_data) == 152);
    assert!(offset_of!(Job, sgl_state) == 184 && offset_of!(Job, cipher_fields) == 192);
    assert!(offset_of!(Head, get_next_job) == 64 && offset_of!(Head, flush_job) == 96);
    assert!(offset_of!(Head, sha1) == 208 && offset_of!(Head, sha512) == 240);
};

/// The functions that the library exports.
struct IpsecMb {
    alloc: unsafe extern "C" fn(u64) -> *mut Head,
    free: unsafe extern "C" fn(*mut Head),
    auto: unsafe extern "C" fn(*mut Head, *mut c_int),
    sse: unsafe extern "C" fn(*mut Head),
    avx2: unsafe extern "C" fn(*mut Head),
    avx512: unsafe extern "C" fn(*mut Head),
}

/// The library, opened at the first call.
fn open() -> Result<&'static IpsecMb, String> {
    static OPEN: OnceLock<Result<IpsecMb, String>> = OnceLock::new();
    OPEN.get_or_init(load).as_ref().map_err(Clone::clone)
}

fn load() -> Result<IpsecMb, String> {
    // SAFETY: Intel's library as the system ships it; it has no initialisers that could do harm.
    let library = unsafe { Library::new(FILE) }.map_err(|_| INSTALL.to_owned())?;
    // "Static".
    let library: &'static Library = Box::leak(Box::new(library));
    macro_rules! symbol {
        ($name:literal) => {
            // SAFETY: "Declarations": the place that it is stored in has the header's type.
            *unsafe { library.get(concat!($name, "\0").as_bytes()) }
                .map_err(|_| concat!(" its library has no ", $name).to_owned())?
        };
    }
    let version: unsafe extern "C" fn() -> c_uint = symbol!("imb_get_version");
    // SAFETY: takes nothing; every version has it.
    let version = unsafe { version() };
    if version != VERSION {
        let [_, a, b, c] = version.to_be_bytes();
        return Err(format!("{INSTALL}=1.3\\* (its layouts are known of 1.3.0 only, here is {a}.{b}.{c})"));
    }
    Ok(IpsecMb {
        alloc: symbol!("alloc_mb_mgr"),
        free: symbol!("free_mb_mgr"),
        auto: symbol!("init_mb_mgr_auto"),
        sse: symbol!("init_mb_mgr_sse"),
        avx2: symbol!("init_mb_mgr_avx2"),
        avx512: symbol!("init_mb_mgr_avx512"),
    })
}

/// Returns the version of the installed library.
///
/// # Errors
/// The command that installs it.
pub(crate) fn version() -> Result<&'static str, String> {
    open().map(|_| "1.3.0")
}

/// An `IMB_MGR`: the library's scheduler.
pub(crate) struct Manager {
    library: &'static IpsecMb,
    head: NonNull<Head>,
}

impl Manager {
    /// A manager of this architecture.
    ///
    /// # Errors
    /// If the library or a feature of the architecture is missing.
    pub(crate) fn new(architecture: Architecture) -> Result<Self, String> {
        let library = open()?;
        if !architecture.is_here() {
            return Err("this CPU lacks what it needs".into());
        }
        let flags = match architecture {
            Architecture::Auto | Architecture::ShaNi => 0,
            Architecture::Sse | Architecture::Avx2 | Architecture::Avx512 => SHANI_OFF,
        };
        // SAFETY: any flags; null when there is no memory.
        let head = NonNull::new(unsafe { (library.alloc)(flags) }).ok_or("it has no memory")?;
        let manager = Manager { library, head };
        let mut chosen = 0;
        // SAFETY: a manager of `alloc`, and the CPU has the features: without them an initialiser may end in
        // its own test, by a function that is not there.
        unsafe {
            match architecture {
                Architecture::Auto => (library.auto)(head.as_ptr(), &mut chosen),
                Architecture::ShaNi | Architecture::Sse => (library.sse)(head.as_ptr()),
                Architecture::Avx2 => (library.avx2)(head.as_ptr()),
                Architecture::Avx512 => (library.avx512)(head.as_ptr()),
            }
        }
        // SAFETY: "Declarations".
        match unsafe { (*head.as_ptr()).imb_errno } {
            0 => Ok(manager),
            error => Err(format!("this CPU lacks what it needs (its error {error})")),
        }
    }

    /// One message, by the library's direct function.
    #[inline]
    pub(crate) fn digest<const N: usize>(&self, algorithm: Algorithm, message: &[u8]) -> [u8; N] {
        assert_eq!(N, algorithm.digest_bytes());
        let mut digest = [0; N];
        // SAFETY: "Declarations"; "Borrowed"; the function writes a digest.
        unsafe {
            let head = &*self.head.as_ptr();
            let function = match algorithm {
                Algorithm::Sha1 => head.sha1,
                Algorithm::Sha224 => head.sha224,
                Algorithm::Sha256 => head.sha256,
                Algorithm::Sha384 => head.sha384,
                Algorithm::Sha512 => head.sha512,
            };
            function(message.as_ptr().cast(), message.len() as u64, digest.as_mut_ptr().cast());
        }
        digest
    }

    /// Many messages: each is submitted as a job, then the queue is emptied.
    pub(crate) fn digest_many<const N: usize>(
        &self,
        algorithm: Algorithm,
        messages: &[&[u8]],
        digests: &mut [[u8; N]],
    ) {
        assert!(N == algorithm.digest_bytes() && messages.len() == digests.len());
        let head = self.head.as_ptr();
        for (message, digest) in messages.iter().zip(digests) {
            // SAFETY: "Declarations": a free job of the manager's ring, every field that hashing reads is
            // filled in. The message and the digest's N bytes are borrowed until the queue is empty, below.
            unsafe {
                let job = (*head).get_next_job;
                let job = &mut *job(head);
                job.src = message.as_ptr();
                job.dst = ptr::null_mut();
                job.hash_start_src_offset_in_bytes = 0;
                job.msg_len_to_hash_in_bytes = message.len() as u64;
                job.cipher_start_src_offset_in_bytes = 0;
                job.msg_len_to_cipher_in_bytes = 0;
                job.auth_tag_output = digest.as_mut_ptr();
                job.auth_tag_output_len_in_bytes = N as u64;
                job.cipher_mode = CIPHER_NULL;
                job.cipher_direction = DIR_ENCRYPT;
                job.hash_alg = algorithm as c_int;
                job.chain_order = ORDER_HASH_CIPHER;
                let submit = (*head).submit_job_nocheck;
                submit(head);
            }
        }
        // SAFETY: as above; null says that no job is left.
        unsafe { while !((*head).flush_job)(head).is_null() {} }
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: made by `alloc`, empty, used by nothing else.
        unsafe { (self.library.free)(self.head.as_ptr()) }
    }
}
