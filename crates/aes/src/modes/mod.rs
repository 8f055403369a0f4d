//! The modes of operation of AES (NIST SP 800-38A): their kernels, and the table.
//!
//! | file | holds |
//! |---|---|
//! | `kernels.rs` | the table: what a kernel does, and its rows |
//! | `over_blocks.rs` | the kernels that are the modes over one register type |
//! | `portable.rs` | the one that is not: the crate `aes` |
//! | `many.rs` | many messages of any lengths on the kernels' lanes |
//! | `cbc_encrypt.rs` | CBC encryption, several messages side by side |
//! | `cbc_decrypt.rs` `ctr.rs` | CBC decryption, CTR: several blocks of a message side by side |
//! | `round_keys.rs` | round keys in registers |

#[cfg(target_arch = "x86_64")]
mod cbc_decrypt;
#[cfg(target_arch = "x86_64")]
mod cbc_encrypt;
#[cfg(target_arch = "x86_64")]
mod ctr;
mod kernels;
mod many;
#[cfg(target_arch = "x86_64")]
mod over_blocks;
mod portable;
#[cfg(target_arch = "x86_64")]
mod round_keys;

pub(crate) use kernels::{CbcDecrypt, CbcEncrypt, Ctr, Expand, Keys, LONG_BLOCKS, TABLE, call};
pub use kernels::{CounterBits, InFlight, Verbs};
pub(crate) use many::{Choice, encrypt_all};
