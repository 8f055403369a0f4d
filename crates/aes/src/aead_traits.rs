//! The traits of the crate `aead` for AEGIS, AES-GCM and AES-GCM-SIV.

use aead::array::AssocArraySize;
use aead::array::typenum::{U12, U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, KeyInit, KeySizeUser, Nonce, TagPosition};

use crate::aegis::{Aegis, Cipher, Tag};
use crate::gcm::AesGcm;
use crate::gcm_siv::AesGcmSiv;

/// An array of the caller's as one of ours, which has the same length.
fn same<T: for<'a> TryFrom<&'a [u8]>>(bytes: &[u8]) -> T {
    T::try_from(bytes).ok().expect("both arrays have the cipher's length")
}

impl<C: Cipher<Key: AssocArraySize>, T: Tag<C>> KeySizeUser for Aegis<C, T> {
    type KeySize = <C::Key as AssocArraySize>::Size;
}

impl<C: Cipher<Key: AssocArraySize>, T: Tag<C>> KeyInit for Aegis<C, T> {
    fn new(key: &aead::Key<Self>) -> Self {
        Self::from_slice(key).expect("a key's length")
    }
}

/// A sealed message is the ciphertext, then the tag, as [`Aegis::seal`] gives it.
impl<C: Cipher<Key: AssocArraySize>, T: Tag<C, Bytes: AssocArraySize>> AeadCore for Aegis<C, T> {
    type NonceSize = <C::Key as AssocArraySize>::Size;
    type TagSize = <T::Bytes as AssocArraySize>::Size;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

macro_rules! gcm_keys {
    ($($cipher:ident $key_bytes:literal $size:ident;)*) => {$(
        impl KeySizeUser for $cipher<$key_bytes> {
            type KeySize = $size;
        }

        impl KeyInit for $cipher<$key_bytes> {
            fn new(key: &aead::Key<Self>) -> Self {
                Self::from_slice(key).expect("a key's length")
            }
        }
    )*};
}
gcm_keys! { AesGcm 16 U16; AesGcm 24 U24; AesGcm 32 U32; AesGcmSiv 16 U16; AesGcmSiv 32 U32; }

/// A sealed message is the ciphertext, then the tag, as [`AesGcm::seal`] gives it.
impl<const KEY_BYTES: usize> AeadCore for AesGcm<KEY_BYTES> {
    type NonceSize = U12;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// A sealed message is the ciphertext, then the tag, as [`AesGcmSiv::seal`] gives it.
impl<const KEY_BYTES: usize> AeadCore for AesGcmSiv<KEY_BYTES> {
    type NonceSize = U12;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// Encryption in place, of types that have it in the same form.
macro_rules! in_place {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> AeadInOut for $type {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                ad: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> aead::Result<aead::Tag<Self>> {
                let text = buffer.into_out_with_copied_in();
                let tag = self.encrypt_in_place(&same(nonce), ad, text).map_err(|_| aead::Error)?;
                Ok(same(tag.as_ref()))
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                ad: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &aead::Tag<Self>,
            ) -> aead::Result<()> {
                let text = buffer.into_out_with_copied_in();
                self.decrypt_in_place(&same(nonce), ad, text, &same(tag)).map_err(|_| aead::Error)
            }
        }
    )*};
}
in_place! {
    [C: Cipher<Key: AssocArraySize>, T: Tag<C, Bytes: AssocArraySize>] Aegis<C, T>;
    [const KEY_BYTES: usize] AesGcm<KEY_BYTES>;
    [const KEY_BYTES: usize] AesGcmSiv<KEY_BYTES>;
}
