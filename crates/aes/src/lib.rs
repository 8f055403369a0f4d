//! AES (FIPS 197) of one message or many: the authenticated ciphers [AEGIS](aegis), [AES-GCM](gcm) and
//! [AES-GCM-SIV](gcm_siv), and the modes CBC and CTR.
//!
//! (The module `aes` of the crate `hashlanes`. The crate `hashlanes-aes` itself is internal.)
//!
//! # What CBC and CTR do not do
//! They hide messages from passive observers, and no more. **An attacker who changes the ciphertext changes
//! the message**: in CTR any chosen bit, in CBC any bit of a block at the cost of garbling the block before
//! it. An attacker who observes how a receiver reacts to such changes may be able to read messages (padding
//! oracles). Nothing here detects a change. Use CBC or CTR only if an existing protocol requires them and
//! protects the ciphertext with a MAC that is verified *before* decryption. Otherwise use an authenticated
//! cipher: [AEGIS-128L or AEGIS-256](aegis), which is also faster, [AES-GCM](gcm), or [AES-GCM-SIV](gcm_siv).
//!
//! | | CBC | CTR |
//! |---|---|---|
//! | the IV, or first counter block | unpredictable (16 random bytes), different for each message of the key | never used with the key before, and never reached by the counter of another message |
//! | if it is used again | equal beginnings of messages show | both messages are read |
//! | limit for one key | 2^48 blocks: then two equal blocks of ciphertext, which reveal the exclusive or of two message blocks, have a probability of 2^-33 | the same, because blocks do *not* repeat; a message has at most 2^32, 2^64 or 2^128 blocks, depending on the counter's size |

// | file | holds |
// |---|---|
// | `key.rs` | `Key`: a key and its round keys; `modes/mod.rs` makes it on the best kernel |
// | `cbc.rs` | CBC: one message or many, whole blocks or padded |
// | `ctr.rs` | `Ctr`: CTR, a message in parts; many messages |
// | `aegis/` | `aegis`: authenticated encryption by rounds of AES, one message or many: its own map is there |
// | `gcm/` | `gcm`: AES-GCM, authenticated encryption by CTR and GHASH: its own map is there |
// | `gcm_siv/` | `gcm_siv`: AES-GCM-SIV, whose nonces may repeat: its own map is there |
// | `modes/` | the modes of the block cipher: kernels and their table |
// | `portable.rs` | blocks where the CPU has no AES instructions |
// | `tag.rs` | tags of AEGIS, AES-GCM and AES-GCM-SIV: compared, overwritten |
// | `stack_wipe.rs` | how much of the stack is overwritten after a kernel |
// | `cipher_traits.rs` `aead_traits.rs` | the traits of the crates `cipher` (CBC, CTR) and `aead` (AEGIS, AES-GCM, AES-GCM-SIV), by the features of those names |
// | `kernels.rs` | the tables, for programs that list, force or explain kernels |
// | `error.rs` | faults in arguments and in received data |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "aead")]
mod aead_traits;
pub mod aegis;
mod cbc;
#[cfg(feature = "cipher")]
mod cipher_traits;
mod ctr;
mod error;
pub mod gcm;
pub mod gcm_siv;
pub mod kernels;
mod key;
mod modes;
mod portable;
mod stack_wipe;
mod tag;

#[cfg(feature = "aead")]
pub use aead;
pub use cbc::{
    CbcCiphertext, CbcPlaintext, cbc_decrypt, cbc_decrypt_many, cbc_decrypt_raw, cbc_decrypt_raw_many,
    cbc_encrypt, cbc_encrypt_many, cbc_encrypt_raw, cbc_encrypt_raw_many,
};
#[doc(hidden)]
pub use cbc::{cbc_decrypt_raw_many_on, cbc_decrypt_raw_on, cbc_encrypt_raw_many_on};
#[cfg(feature = "cipher")]
pub use cipher;
#[cfg(feature = "cipher")]
pub use cipher_traits::{
    Aes128, Aes192, Aes256, CbcDecryptor, CbcEncryptor, Ctr32BE, Ctr64BE, Ctr128BE, KeyLength,
};
#[doc(hidden)]
pub use ctr::ctr_many_on;
pub use ctr::{CounterBits, Ctr, CtrMessage, ctr_many};
pub use error::Error;
pub use hashlanes_isa::cipher::{Block, Buffer};
pub use key::Key;
pub use modes::CbcMessage;
#[doc(hidden)]
pub use modes::InFlight;

/// An initialization vector or a counter block of bytes whose number is not known before.
///
/// # Errors
/// [`Error::IvLength`] unless they are 16.
pub fn iv(bytes: &[u8]) -> Result<Block, Error> {
    bytes.try_into().map_err(|_| Error::IvLength(bytes.len()))
}
