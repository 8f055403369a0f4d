//! The names of the kernels that this CPU can run, and the version.

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::OnceLock;

use hashlanes::kernels;

use crate::hashes::*;

/// Returns the version of the library, such as "0.1.0". The text is static.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version holds no zero"),
        };
    VERSION.as_ptr()
}

/// Returns the name of kernel `index` among those that this CPU can run for a hash, in the library's order;
/// NULL after the last, for an unknown hash, and for SHA-3 and Keccak, whose kernels are not listed. The text
/// is static. The library chooses a kernel for each call; the names are only for reports.
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_kernel_name(hash: hashlanes_hash, index: usize) -> *const c_char {
    static NAMES: [OnceLock<Vec<CString>>; 3] = [const { OnceLock::new() }; 3];
    let c_name = |name: &str| CString::new(name).unwrap_or_default();
    let names = match hash {
        HASHLANES_SHA1 => {
            NAMES[0].get_or_init(|| kernels::sha1().map(|kernel| c_name(kernel.name())).collect())
        }
        HASHLANES_SHA224 | HASHLANES_SHA256 => {
            NAMES[1].get_or_init(|| kernels::sha256().map(|kernel| c_name(kernel.name())).collect())
        }
        HASHLANES_SHA384 | HASHLANES_SHA512 | HASHLANES_SHA512_224 | HASHLANES_SHA512_256 => {
            NAMES[2].get_or_init(|| kernels::sha512().map(|kernel| c_name(kernel.name())).collect())
        }
        _ => return ptr::null(),
    };
    names.get(index).map_or(ptr::null(), |name| name.as_ptr())
}
