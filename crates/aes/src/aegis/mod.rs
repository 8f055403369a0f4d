//! AEGIS: authenticated encryption at the speed of the AES units.
//!
//! | cipher | key and nonce | tag | many at once | defined by |
//! |---|---|---|---|---|
//! | [`Aegis128L`] | 16 bytes each | 32 or 16 bytes | [yes](aegis128l_encrypt_many) | RFC 10032: **the default choice** |
//! | [`Aegis256`] | 32 bytes each | 32 or 16 bytes | [yes](aegis256_encrypt_many) | RFC 10032: for random nonces without limit, and 256-bit keys |
//! | [`Aegis128X2`], [`Aegis128X4`], [`Aegis256X2`], [`Aegis256X4`] | as [`Aegis128L`], [`Aegis256`] | as those | yes, one after another | RFC 10032: faster on wide registers; both sides must use the same one |
//! | [`Aegis128`] | 16 bytes each | 16 bytes | [yes](aegis128_encrypt_many) | CAESAR's winner (version 1.1, 2016); for compatibility |
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_aes as aes; }
//! use hashlanes::aes::aegis::Aegis128L;
//!
//! let cipher = Aegis128L::new(&[7; 16]); // a random key
//! let mut nonce = [0; 16];
//! nonce[..8].copy_from_slice(&1u64.to_le_bytes()); // the first message
//! let sealed = cipher.seal(&nonce, b"", b"attack at dawn")?;
//! assert_eq!(cipher.open(&nonce, b"", &sealed)?, b"attack at dawn");
//! # Ok::<(), hashlanes::aes::aegis::Error>(())
//! ```
//!
//! # Rules
//! - **A nonce is used once with a key.** Two messages with one nonce reveal their difference. More of them
//!   reveal the state, and with it messages can be read and forged. A counter is the best nonce. Random
//!   nonces are safe for 2^48 messages with one key of AEGIS-128L, and without limit with AEGIS-256 (RFC
//!   10032, section 10.1.1). AEGIS-128X2, AEGIS-128X4 and AEGIS-128 are like AEGIS-128L, and AEGIS-256X2 and
//!   AEGIS-256X4 like AEGIS-256, because their nonces have the same length.
//! - **A key is random**, not a password, and is used with only one cipher.
//! - **If the tag is wrong, the output is zeros.** The message is decrypted before its tag can be verified:
//!   during the call the output holds text that is not verified. Parts of a message can only be decrypted
//!   with the cargo feature `hazmat`.
//! - A message has at most 2^61 - 1 bytes, and so has associated data. The length of a message is visible.
//! - For a tag of 128 bits, another key that accepts the same ciphertext can be found in 2^64 trials. With
//!   256 bits this is out of reach, unless an attacker chooses the associated data for it (section 10.1.2).
//!   Tags therefore have 256 bits by default.

// | file | holds |
// |---|---|
// | `parameters.rs` | `Parameters`: the seven, as types |
// | `ciphers.rs` | `Cipher`: the seven on their kernels, and their tags |
// | `rings.rs` | the definition: initialization, keystream, update, tags of a ring of registers |
// | `portable.rs` | the update where the CPU has no AES instructions |
// | `job.rs` | one message through a kernel |
// | `lanes.rs` | several, each in its lane |
// | `kernels.rs` | the table |
// | `aead.rs` `incremental.rs` `mac.rs` `many.rs` | `Aegis`, `Encryptor`, `AegisMac`, `Message` |
// | `error.rs` | errors |

mod aead;
mod ciphers;
mod error;
mod incremental;
mod job;
pub(crate) mod kernels;
mod lanes;
mod mac;
mod many;
mod parameters;
mod portable;
mod rings;

pub use aead::Aegis;
pub use ciphers::{Cipher, Rfc10032, Tag, Tag128, Tag256};
pub use error::Error;
#[cfg(feature = "hazmat")]
pub use incremental::Decryptor;
pub use incremental::Encryptor;
pub use mac::AegisMac;
pub use many::{
    Message, aegis128_decrypt_many, aegis128_encrypt_many, aegis128l_decrypt_many, aegis128l_encrypt_many,
    aegis128x2_decrypt_many, aegis128x2_encrypt_many, aegis128x4_decrypt_many, aegis128x4_encrypt_many,
    aegis256_decrypt_many, aegis256_encrypt_many, aegis256x2_decrypt_many, aegis256x2_encrypt_many,
    aegis256x4_decrypt_many, aegis256x4_encrypt_many,
};
#[doc(hidden)]
pub use many::{
    aegis128_decrypt_many_on, aegis128_encrypt_many_on, aegis128l_decrypt_many_on, aegis128l_encrypt_many_on,
    aegis128x2_decrypt_many_on, aegis128x2_encrypt_many_on, aegis128x4_decrypt_many_on,
    aegis128x4_encrypt_many_on, aegis256_decrypt_many_on, aegis256_encrypt_many_on,
    aegis256x2_decrypt_many_on, aegis256x2_encrypt_many_on, aegis256x4_decrypt_many_on,
    aegis256x4_encrypt_many_on,
};
pub use parameters::{ByteArray, C128, C128L, C128X2, C128X4, C256, C256X2, C256X4, Parameters};

macro_rules! names {
    ($($cipher:ident $rfc:literal: $aead:ident $mac:ident;)*) => {$(
        #[doc = concat!("RFC 10032, section ", $rfc, ".")]
        pub type $aead<T = Tag256> = Aegis<$cipher, T>;
        #[doc = concat!("The code of [`", stringify!($aead), "`]: RFC 10032, section 8.")]
        pub type $mac<T = Tag256> = AegisMac<$cipher, T>;
    )*};
}
names! {
    C128L "3": Aegis128L AegisMac128L;
    C256 "4": Aegis256 AegisMac256;
    C128X2 "5.4": Aegis128X2 AegisMac128X2;
    C128X4 "5.4": Aegis128X4 AegisMac128X4;
    C256X2 "5.5": Aegis256X2 AegisMac256X2;
    C256X4 "5.5": Aegis256X4 AegisMac256X4;
}

/// Version 1.1 of its authors' paper, the winner of CAESAR. [`Aegis128L`] is faster and stronger.
pub type Aegis128 = Aegis<C128, Tag128>;
