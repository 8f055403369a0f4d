//! AES-GCM (NIST SP 800-38D): authenticated encryption for protocols that require it, such as TLS, IPsec and
//! SSH.
//!
//! | cipher | key | nonce | tag | many at once |
//! |---|---|---|---|---|
//! | [`Aes128Gcm`] | 16 bytes | 12 bytes | 16 bytes | [`aes128_gcm_encrypt_many`] |
//! | [`Aes192Gcm`] | 24 bytes | 12 bytes | 16 bytes | [`aes192_gcm_encrypt_many`] |
//! | [`Aes256Gcm`] | 32 bytes | 12 bytes | 16 bytes | [`aes256_gcm_encrypt_many`] |
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_aes as aes; }
//! use hashlanes::aes::gcm::Aes256Gcm;
//!
//! let cipher = Aes256Gcm::new(&[7; 32]); // a random key
//! let mut nonce = [0; 12];
//! nonce[4..].copy_from_slice(&1u64.to_be_bytes()); // the first message
//! let sealed = cipher.seal(&nonce, b"header", b"attack at dawn")?;
//! assert_eq!(cipher.open(&nonce, b"header", &sealed)?, b"attack at dawn");
//! # Ok::<(), hashlanes::aes::gcm::Error>(())
//! ```
//!
//! Many records in place, each with its own nonce:
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_aes as aes; }
//! use hashlanes::aes::Buffer;
//! use hashlanes::aes::gcm::{Aes128Gcm, Message, aes128_gcm_decrypt_many, aes128_gcm_encrypt_many};
//!
//! let cipher = Aes128Gcm::new(&[7; 16]); // a random key
//! let mut records = [*b"record 0", *b"record 1"];
//! let message = |(n, record)| {
//!     let mut nonce = [0; 12];
//!     nonce[8..].copy_from_slice(&u32::to_be_bytes(n));
//!     Message { cipher: &cipher, nonce, ad: b"", buffer: Buffer::in_place(record), tag: [0; 16] }
//! };
//! let mut messages: Vec<_> = (0..).zip(records.iter_mut().map(|record| &mut record[..])).map(message).collect();
//! aes128_gcm_encrypt_many(&mut messages)?; // now every message has its tag
//! let mut results = [Ok(()); 2];
//! aes128_gcm_decrypt_many(&mut messages, &mut results)?;
//! assert_eq!(results, [Ok(()); 2]);
//! assert_eq!(&records[1], b"record 1");
//! # Ok::<(), hashlanes::aes::gcm::Error>(())
//! ```
//!
//! If you can choose, choose [AEGIS](crate::aegis): it is faster, and its nonces are longer.
//!
//! # Rules
//! - **A nonce is never used twice with a key.** Two messages with one nonce reveal their difference, and the
//!   hash key H: then any message of this key can be forged. A counter is the best nonce. Random nonces are
//!   allowed for at most 2^32 messages of a key (SP 800-38D, section 8.3).
//! - **A key is random**, not a password, and is used with only one cipher.
//! - **If the tag is wrong, the output is zeros.** During the call it may hold text that is not verified.
//! - A message has at most 2^36 - 32 bytes, associated data at most 2^61 - 1. The length of a message is
//!   visible.
//! - For a ciphertext and tag, another key that accepts them is found at once: a tag does not show which key
//!   made it. Where this matters, use AEGIS with tags of 256 bits.

// | file | holds |
// |---|---|
// | `aead.rs` | `AesGcm`: a key, and messages |
// | `many.rs` | `Message`: many messages at once |
// | `methods.rs` | the methods of a key, which `gcm_siv`(crate::gcm_siv) has, too |
// | `job.rs` | the arguments of a kernel; the powers of H |
// | `ghash.rs` | GHASH over registers |
// | `stitched.rs` | CTR and GHASH together |
// | `portable.rs` | both where the CPU has no instructions for them |
// | `kernels.rs` | the table |
// | `error.rs` | errors |

mod aead;
pub(crate) mod error;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
pub(crate) mod ghash;
pub(crate) mod job;
pub(crate) mod kernels;
pub(crate) mod many;
pub(crate) mod methods;
pub(crate) mod portable;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod stitched;

pub use aead::AesGcm;
pub use error::Error;
#[doc(hidden)]
pub use error::check_lengths;
pub use many::{
    Message, aes128_gcm_decrypt_many, aes128_gcm_encrypt_many, aes192_gcm_decrypt_many,
    aes192_gcm_encrypt_many, aes256_gcm_decrypt_many, aes256_gcm_encrypt_many,
};
#[doc(hidden)]
pub use many::{
    aes128_gcm_decrypt_many_on, aes128_gcm_encrypt_many_on, aes192_gcm_decrypt_many_on,
    aes192_gcm_encrypt_many_on, aes256_gcm_decrypt_many_on, aes256_gcm_encrypt_many_on,
};

/// AES-GCM with a key of 128 bits.
pub type Aes128Gcm = AesGcm<16>;
/// AES-GCM with a key of 192 bits.
pub type Aes192Gcm = AesGcm<24>;
/// AES-GCM with a key of 256 bits.
pub type Aes256Gcm = AesGcm<32>;
