//! The modes of operation of AES (NIST SP 800-38A): their kernels, and the table. A [`Key`] is made here, as
//! a kernel expands it.
//!
//! | file | holds |
//! |---|---|
//! | `jobs.rs` | the arguments of a kernel |
//! | `kernels.rs` | the table: the verbs of a kernel, and its rows |
//! | `portable.rs` | the modes by the crate `aes` |
//! | `many.rs` | many messages of any lengths on the kernels' lanes |
//! | `cbc_encrypt.rs` | CBC encryption, several messages side by side |
//! | `cbc_decrypt.rs` `ctr.rs` | CBC decryption, CTR: several blocks of a message side by side |
//! | `round_keys.rs` | round keys in registers |

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod cbc_decrypt;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod cbc_encrypt;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod ctr;
mod jobs;
mod kernels;
mod many;
pub(crate) mod portable;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
pub(crate) mod round_keys;

pub(crate) use jobs::{CbcDecrypt, CbcEncrypt, Ctr, Expand, LONG_BLOCKS};
pub use jobs::{CbcMessage, CounterBits, InFlight};
pub use kernels::Verbs;
pub(crate) use kernels::{TABLE, call};
pub(crate) use many::{Choice, encrypt_all};

use crate::key::Expanded;
use crate::{Error, Key, stack_wipe};

impl Key {
    /// Expands a key of 16, 24 or 32 bytes.
    ///
    /// # Errors
    /// [`Error::KeyLength`] of any other length.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        if ![16, 24, 32].contains(&key.len()) {
            return Err(Error::KeyLength(key.len()));
        }
        // Nr = Nk + 6, Table 3.
        let mut expanded = Expanded::zeros(key.len() / 4 + 6);
        let kernel = TABLE.best_of_one();
        call::expand(kernel, Expand { key, expanded: &mut expanded });
        stack_wipe::wipe_of_one(kernel);
        Ok(Self(expanded))
    }
}
