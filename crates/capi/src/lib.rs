//! The C library: `libhashlanes`, whose header is `include/hashlanes.h`.
//!
//! | file | holds |
//! |---|---|
//! | `error.rs` | `enum hashlanes_error`, its texts |
//! | `border.rs` | conversion of pointers and lengths to slices, with checks (null, too long, misaligned, overlapping); of panics to an error |
//! | `hashes.rs` | the hashes by number, a table of functions for each |
//! | `one.rs` | one message at once, a function for each hash |
//! | `hasher.rs` | a message in parts, in the caller's memory or on the heap |
//! | `many.rs` | many messages: `struct iovec`, arrays of pointers and lengths, equal lengths |
//! | `rows.rs` | columns: values and offsets |
//! | `queue.rs` | messages that arrive one by one |
//! | `hmac.rs` | HMAC of one message, in parts, of many, of columns |
//! | `tree.rs` | tree modes; Merkle trees and proofs of RFC 6962 |
//! | `aes.rs` `gcm.rs` `aegis.rs` | AES in CBC and CTR; AES-GCM, AES-GCM-SIV; AEGIS |
//! | `xmss.rs` | verification of XMSS and XMSS^MT |
//! | `kernels.rs` | names of kernels; the version |
//!
//! cbindgen writes the header from these files: a function's doc comment is its contract in C, so it
//! addresses C programmers. `cargo xtask header` writes it.
//!
//! # Safety
//! C code that calls these functions must keep the contract at the top of the header. A pointer with a length
//! in bytes or items is valid for that many during the call. A handle comes from `_new` and was not passed to
//! `_free`. `border.rs` handles two more conditions of Rust: empty slices may be null in C, and written
//! memory must not overlap read memory.
#![allow(unsafe_code, reason = "C gives pointers; the head of this file is the argument")]
#![allow(non_camel_case_types, reason = "types have their names in C")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the doc comments are the header's; the head of this file has the contract"
)]

mod aegis;
mod aes;
mod border;
mod error;
mod gcm;
mod hasher;
mod hashes;
mod hmac;
mod kernels;
mod many;
mod one;
mod queue;
mod rows;
mod tree;
mod xmss;

pub use aegis::*;
pub use aes::*;
pub use error::{hashlanes_error, hashlanes_strerror};
pub use gcm::*;
pub use hasher::*;
pub use hashes::*;
pub use hmac::*;
pub use kernels::*;
pub use many::*;
pub use one::*;
pub use queue::*;
pub use rows::*;
pub use tree::*;
pub use xmss::*;
