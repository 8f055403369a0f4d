//! The C library: `libhashlanes`, whose header is `include/hashlanes.h`.
//!
//! | file | holds |
//! |---|---|
//! | `error.rs` | `enum hashlanes_error`, its texts |
//! | `border.rs` | pointers and lengths into slices: null, too long, misaligned, overlapping; panics into an error |
//! | `hashes.rs` | the hashes by number, a table of functions for each |
//! | `one.rs` | one message at once, a function for each hash |
//! | `hasher.rs` | a message in parts, in the caller's memory or on the heap |
//! | `many.rs` | many messages: `struct iovec`, arrays of pointers and lengths, equal lengths |
//! | `rows.rs` | columns: values and offsets |
//! | `queue.rs` | messages that come one by one |
//! | `hmac.rs` | HMAC of one message, in parts, of many, of columns |
//! | `tree.rs` | tree modes; Merkle trees and proofs of RFC 6962 |
//! | `aes.rs` `aegis.rs` | AES in CBC and CTR; AEGIS |
//! | `xmss.rs` | verification of XMSS and XMSS^MT |
//! | `kernels.rs` | names of kernels; the version |
//!
//! cbindgen writes the header from these files: a function's doc comment is its contract in C, so it speaks to the C
//! programmer. `cargo xtask header` writes it.
//!
//! # Safety
//! Every function here is called from C, which keeps the contract at the top of the header: a pointer that comes with a
//! length in bytes or items is valid for so many, for the time of the call, and a handle is one that `_new` gave and `_free`
//! has not had. Rust adds two conditions, which `border.rs` checks: slices of no bytes may be null in C, and what is written
//! must not overlap what is read.
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
