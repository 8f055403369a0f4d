//! The traits of the crate `aead` for AEGIS.

use aead::array::AssocArraySize;
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, KeyInit, KeySizeUser, Nonce, TagPosition};

use crate::aegis::{Aegis, Cipher, Tag};

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

impl<C: Cipher<Key: AssocArraySize>, T: Tag<C, Bytes: AssocArraySize>> AeadInOut for Aegis<C, T> {
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
