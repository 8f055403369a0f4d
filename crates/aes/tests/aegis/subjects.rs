//! The ciphers as tests see them: each with its tags and its oracle.

use hashlanes_aes::aegis::{
    Aegis, AegisMac, C128, C128L, C128X2, C128X4, C256, C256X2, C256X4, Cipher, Error, Parameters, Rfc10032,
    Tag,
};
use hashlanes_testkit::oracle;
use hashlanes_testkit::ragged::Rng;

use crate::suite;

/// A cipher with tags of one length.
pub(crate) trait Subject {
    type C: Cipher;
    type T: Tag<Self::C>;
    const KEY_BYTES: usize = Self::C::KEY_BYTES;
    const RATE_BYTES: usize = Self::C::RATE_BYTES;
    const TAG_BYTES: usize = Self::T::TAG_BYTES;

    /// The name in files of vectors.
    fn name() -> String {
        Self::C::NAME.to_lowercase()
    }
    fn oracle() -> oracle::Aegis {
        oracle::Aegis::by_name(&Self::name()).expect("every cipher has an oracle")
    }
    /// The cipher with this key, on a kernel.
    fn on(kernel: &'static suite::Aegis, key: &[u8]) -> Aegis<Self::C, Self::T> {
        Aegis::from_slice(key).expect("a key").on(kernel)
    }
    fn nonce(bytes: &[u8]) -> <Self::C as Parameters>::Key {
        Aegis::<Self::C, Self::T>::nonce(bytes).expect("a nonce")
    }
    fn tag(bytes: &[u8]) -> <Self::T as Tag<Self::C>>::Bytes {
        Aegis::<Self::C, Self::T>::tag(bytes).expect("a tag")
    }
}

/// A cipher of RFC 10032, which has a code.
pub(crate) trait WithCode: Subject<C: Rfc10032> {
    fn mac(kernel: &'static suite::Aegis, key: &[u8], nonce: &[u8], data: &[u8]) -> Result<Vec<u8>, Error> {
        let (key, nonce) = (Self::nonce(key), Self::nonce(nonce));
        AegisMac::<Self::C, Self::T>::mac_on(kernel, &key, &nonce, data).map(|tag| tag.as_ref().to_vec())
    }
}

pub(crate) struct Of<C, T>(core::marker::PhantomData<(C, T)>);

impl<C: Cipher, T: Tag<C>> Subject for Of<C, T> {
    type C = C;
    type T = T;
}

impl<C: Rfc10032, T: Tag<C>> WithCode for Of<C, T> {}

/// The block with `$S` = each cipher of RFC 10032, with each of its tags.
macro_rules! each_with_code {
    ($S:ident => $body:block) => {
        $crate::subjects::each_with_code!(@ $S $body
            C128L Tag128, C128L Tag256, C128X2 Tag128, C128X2 Tag256, C128X4 Tag128, C128X4 Tag256,
            C256 Tag128, C256 Tag256, C256X2 Tag128, C256X2 Tag256, C256X4 Tag128, C256X4 Tag256)
    };
    (@ $S:ident $body:block $($cipher:ident $tag:ident),*) => {$({
        type $S = $crate::subjects::Of<hashlanes_aes::aegis::$cipher, hashlanes_aes::aegis::$tag>;
        $body
    })*};
}
pub(crate) use each_with_code;

/// The same of all ciphers.
macro_rules! each {
    ($S:ident => $body:block) => {
        $crate::subjects::each_with_code!(@ $S $body C128 Tag128);
        $crate::subjects::each_with_code!($S => $body)
    };
}
pub(crate) use each;

/// Key, nonce, associated data and message of these lengths.
pub(crate) fn random(rng: &mut Rng, key_bytes: usize, ad_bytes: usize, message_bytes: usize) -> [Vec<u8>; 4] {
    [key_bytes, key_bytes, ad_bytes, message_bytes].map(|n| {
        let mut bytes = vec![0; n];
        rng.fill(&mut bytes);
        bytes
    })
}

/// Every cipher is one of these.
const _: [&str; 7] =
    [C128::NAME, C128L::NAME, C128X2::NAME, C128X4::NAME, C256::NAME, C256X2::NAME, C256X4::NAME];
