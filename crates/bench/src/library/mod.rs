//! Rivals that are shared libraries of the system, opened while the program runs.
//!
//! # Safety
//!
//! Rust cannot check the code at a symbol. So these files, the only `unsafe` ones of this crate except the
//! single-stepper, depend on three facts, which their comments cite by name.
//!
//! **Declarations.** The types and functions are declared as in the public headers of exactly the versions
//! that are accepted; every other version is refused before anything but its version function is called.
//!
//! **Static.** A library, once open, is never closed: symbols are valid for the rest of the program.
//!
//! **Borrowed.** Pointers come from slices that outlive the call, with their lengths, and no call keeps one:
//! a queue is emptied before its function returns.

pub(crate) mod botan;
pub(crate) mod evp_cipher;
pub(crate) mod ipsec_mb;
pub(crate) mod libcrypto;
pub(crate) mod libgcrypt;
