//! AES-GCM-SIV (RFC 8452): authenticated encryption for nonces that may repeat.
//!
//! | cipher | key | nonce | tag | many at once |
//! |---|---|---|---|---|
//! | [`Aes128GcmSiv`] | 16 bytes | 12 bytes | 16 bytes | [`aes128_gcm_siv_encrypt_many`] |
//! | [`Aes256GcmSiv`] | 32 bytes | 12 bytes | 16 bytes | [`aes256_gcm_siv_encrypt_many`] |
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_aes as aes; }
//! use hashlanes::aes::gcm_siv::Aes256GcmSiv;
//!
//! let cipher = Aes256GcmSiv::new(&[7; 32]); // a random key
//! let nonce = [9; 12]; // random
//! let sealed = cipher.seal(&nonce, b"header", b"attack at dawn")?;
//! assert_eq!(cipher.open(&nonce, b"header", &sealed)?, b"attack at dawn");
//! # Ok::<(), hashlanes::aes::gcm_siv::Error>(())
//! ```
//!
//! Many records in place, each with its own nonce:
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_aes as aes; }
//! use hashlanes::aes::Buffer;
//! use hashlanes::aes::gcm_siv::{
//!     Aes128GcmSiv, Message, aes128_gcm_siv_decrypt_many, aes128_gcm_siv_encrypt_many,
//! };
//!
//! let cipher = Aes128GcmSiv::new(&[7; 16]); // a random key
//! let mut records = [*b"record 0", *b"record 1"];
//! let message = |(n, record)| {
//!     let mut nonce = [0; 12];
//!     nonce[8..].copy_from_slice(&u32::to_be_bytes(n));
//!     Message { cipher: &cipher, nonce, ad: b"", buffer: Buffer::in_place(record), tag: [0; 16] }
//! };
//! let texts = records.iter_mut().map(|record| &mut record[..]);
//! let mut messages: Vec<_> = (0..).zip(texts).map(message).collect();
//! aes128_gcm_siv_encrypt_many(&mut messages)?; // now every message has its tag
//! let mut results = [Ok(()); 2];
//! aes128_gcm_siv_decrypt_many(&mut messages, &mut results)?;
//! assert_eq!(results, [Ok(()); 2]);
//! assert_eq!(&records[1], b"record 1");
//! # Ok::<(), hashlanes::aes::gcm_siv::Error>(())
//! ```
//!
//! A tag is computed from the whole message, and the ciphertext from the tag. Keys for both are derived from
//! each nonce. So a short message takes longer than with [AES-GCM](crate::gcm) or [AEGIS](crate::aegis), and
//! two of one nonce are not fatal.
//!
//! # Rules
//! - **A nonce that repeats reveals whether the messages are equal**: the same key, nonce, associated data
//!   and message give the same result. Nothing else is revealed, and nothing can be forged. Still, use
//!   different nonces: security declines with the number of messages of one nonce (RFC 8452, section 9).
//! - **A key is random**, not a password, and is used with only one cipher.
//! - **Random nonces are allowed.** One repeats with a probability of 2^-33 among 2^32 messages, and probably
//!   among 2^48. RFC 8452, section 9, gives the limits of a key.
//! - **If the tag is wrong, the output is zeros.** The tag is verified after decryption, so the place of the
//!   message holds unverified text during the call.
//! - A message and associated data have at most 2^36 bytes each. The length of a message is visible.
//! - For a ciphertext and tag, another key that accepts them can be made: a tag does not show which key made
//!   it. Where this matters, use AEGIS with tags of 256 bits.
//!
//! The methods, the errors and the table of kernels are those of [`gcm`](crate::gcm).

// | file | holds |
// |---|---|
// | `aead.rs` | `AesGcmSiv`: a key, and messages; `Message`: many messages at once |
// | `job.rs` | the arguments of a kernel; blocks as numbers |
// | `staged.rs` | a window of messages, stage by stage |
// | `expand.rs` | derived keys, and their round keys |
// | `polyval.rs` | POLYVAL over registers |
// | `text.rs` | CTR, and the text's part of POLYVAL |
// | `portable.rs` | all this where the CPU has no instructions for it |

mod aead;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod expand;
pub(crate) mod job;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod polyval;
pub(crate) mod portable;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
pub(crate) mod staged;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod text;

#[doc(hidden)]
pub use aead::check_lengths;
pub use aead::{
    AesGcmSiv, Message, aes128_gcm_siv_decrypt_many, aes128_gcm_siv_encrypt_many,
    aes256_gcm_siv_decrypt_many, aes256_gcm_siv_encrypt_many,
};
#[doc(hidden)]
pub use aead::{
    aes128_gcm_siv_decrypt_many_on, aes128_gcm_siv_encrypt_many_on, aes256_gcm_siv_decrypt_many_on,
    aes256_gcm_siv_encrypt_many_on,
};

pub use crate::gcm::Error;

/// AES-GCM-SIV with a key of 128 bits.
pub type Aes128GcmSiv = AesGcmSiv<16>;
/// AES-GCM-SIV with a key of 256 bits.
pub type Aes256GcmSiv = AesGcmSiv<32>;
