//! The modes of operation of AES (NIST SP 800-38A): their kernels, and the table.
//!
//! | file | holds |
//! |---|---|
//! | `kernels.rs` | the table: what a kernel does, and its rows |
//! | `over_blocks.rs` | the kernels that are the modes over one register type |
//! | `portable.rs` | the one that is not: the crate `aes` |
//! | `many.rs` | many messages of any lengths on the kernels' lanes |
//! | `cbc_encrypt.rs` | CBC encryption, several messages side by side |

mod cbc_encrypt;
mod kernels;
mod many;
mod over_blocks;
mod portable;

pub use kernels::Verbs;
pub(crate) use kernels::{CbcEncrypt, Expand, Keys, TABLE, call};
pub(crate) use many::{Choice, encrypt_all};
