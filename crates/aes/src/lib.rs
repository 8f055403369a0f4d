//! AES (FIPS 197) of one message or many: layer 1 of hashlanes.
//!
//! This crate is internal; use `hashlanes`, which re-exports it as its module `aes`.
//!
//! | file | holds |
//! |---|---|
//! | `key.rs` | [`Key`]: a key and its round keys |
//! | `cbc.rs` | CBC encryption |
//! | `modes/` | what is made of the block cipher: kernels and their table |
//! | `portable.rs` | blocks where the CPU has no AES instructions |
//! | `kernels.rs` | the tables, for programs that list, force or explain kernels |
//! | `error.rs` | what can be wrong with arguments and with what was received |
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod aegis;
mod cbc;
mod error;
pub mod kernels;
mod key;
mod modes;
mod portable;

#[doc(hidden)]
pub use cbc::cbc_encrypt_raw_many_on;
pub use cbc::{CbcMessage, cbc_encrypt_raw, cbc_encrypt_raw_many};
pub use error::Error;
pub use hashlanes_isa::cipher::{Block, Buffer};
pub use key::Key;
