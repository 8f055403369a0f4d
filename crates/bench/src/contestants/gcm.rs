//! AES-GCM and AES-GCM-SIV by our library and its rivals.

use std::hint::black_box;
use std::rc::Rc;

use aes_gcm::aead::array::typenum::U12;
use aes_gcm::aead::inout::InOutBuf;
use aes_gcm::{AeadInOut, KeyInit};
use hashlanes::aes::Buffer;
use hashlanes::aes::gcm::{self, AesGcm};
use hashlanes::aes::gcm_siv::{self, AesGcmSiv};
use hashlanes::aes::kernels::gcm_table;

use super::tags::with_tags;
use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::gcm::{AD, Gcm};
use crate::input::Input;
use crate::library::evp_cipher::{CipherContext, Direction};
use crate::library::ipsec_mb::GcmKey;
use crate::work::{Hash, Shape};

/// A message after its encryption.
#[derive(Clone, Default)]
struct Sealed {
    text: Vec<u8>,
    tag: [u8; 16],
}

/// Creates an entry from a `work` that encrypts the messages, given with their numbers, into texts of their
/// lengths.
fn of_sealed<'a>(name: &str, input: &'a Input, work: impl Fn(&mut [Sealed]) + Clone + 'a) -> Entry<'a> {
    let put = |sealed: &Sealed, result: &mut Vec<u8>| {
        result.extend_from_slice(&sealed.text);
        result.extend_from_slice(&sealed.tag);
    };
    // Results begin empty; the first call, before the clock, gives them their lengths.
    let mut has_room = false;
    Entry::of_results(name, input, Sealed::default(), put, move |all: &mut [Sealed]| {
        if !has_room || all[0].text.len() != input.message(0).len() {
            all.iter_mut().enumerate().for_each(|(i, sealed)| sealed.text.resize(input.message(i).len(), 0));
            has_room = true;
        }
        work(black_box(all));
    })
}

/// Creates an entry from a function of a nonce, a message, and the place of its text, which returns the tag.
fn one_by_one<'a>(
    name: &str,
    input: &'a Input,
    seal: impl Fn(&[u8; 12], &[u8], &mut [u8]) -> [u8; 16] + Clone + 'a,
) -> Entry<'a> {
    of_sealed(name, input, move |all| {
        for (i, Sealed { text, tag }) in all.iter_mut().enumerate() {
            *tag = seal(&Gcm::nonce(i), black_box(input.message(i)), text);
        }
    })
}

/// Prepares our library for an input, with its own choice of kernels, or on one kernel.
///
/// # Errors
/// If this CPU has no such kernel.
pub(super) fn enter<'a>(
    name: &str,
    kernel: Option<&str>,
    gcm: Gcm,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let named = |kernel| gcm_table().named(kernel).map_err(|error| NotApplicable(error.to_string()));
    let kernel = kernel.map(named).transpose()?;
    macro_rules! by {
        ($module:ident $many:ident $many_on:ident $key:expr) => {{
            let key = $key.expect("a key of its length");
            let key = Rc::new(match kernel {
                Some(kernel) => key.on(kernel),
                None => key,
            });
            if matches!(input.work().shape, Shape::One { .. }) {
                return Ok(one_by_one(name, input, move |nonce, message, text| {
                    key.encrypt(nonce, &AD, message, text).expect("as long")
                }));
            }
            of_sealed(name, input, move |all| {
                let run = |messages: &mut [$module::Message<'_, '_, _>]| {
                    match kernel {
                        None => $module::$many(messages),
                        Some(kernel) => $module::$many_on(kernel, messages),
                    }
                    .expect("lengths below the limit");
                };
                with_tags!(
                    all,
                    |i, Sealed { text, tag }| {
                        let buffer = Buffer::new(input.message(i), text);
                        (
                            $module::Message {
                                cipher: &*key,
                                nonce: Gcm::nonce(i),
                                ad: &AD[..],
                                buffer,
                                tag: *tag,
                            },
                            tag,
                        )
                    },
                    run
                )
            })
        }};
    }
    Ok(match gcm {
        Gcm::Aes128 => by!(gcm aes128_gcm_encrypt_many aes128_gcm_encrypt_many_on
            AesGcm::<16>::from_slice(gcm.key())),
        Gcm::Aes256 => by!(gcm aes256_gcm_encrypt_many aes256_gcm_encrypt_many_on
            AesGcm::<32>::from_slice(gcm.key())),
        Gcm::Aes128Siv => by!(gcm_siv aes128_gcm_siv_encrypt_many aes128_gcm_siv_encrypt_many_on
            AesGcmSiv::<16>::from_slice(gcm.key())),
        Gcm::Aes256Siv => by!(gcm_siv aes256_gcm_siv_encrypt_many aes256_gcm_siv_encrypt_many_on
            AesGcmSiv::<32>::from_slice(gcm.key())),
    })
}

/// The crate `aes-gcm-siv`: in place, because that copy is then the only one.
pub(crate) struct AesGcmSivCrate;

impl Candidate for AesGcmSivCrate {
    fn name(&self) -> &str {
        "aes-gcm-siv"
    }

    fn about(&self) -> String {
        "the crate aes-gcm-siv (RustCrypto): one message".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("aes-gcm-siv"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        fn entry<C: KeyInit + AeadInOut<NonceSize = U12> + 'static>(gcm: Gcm, input: &Input) -> Entry<'_> {
            let key = Rc::new(C::new_from_slice(gcm.key()).expect("a key of its length"));
            one_by_one("aes-gcm-siv", input, move |nonce, message, text| {
                text.copy_from_slice(message);
                let tag = key.encrypt_inout_detached(nonce.into(), &AD, InOutBuf::from(text));
                tag.expect("below the limit")[..].try_into().expect("16 bytes")
            })
        }
        match input.work().hash {
            Hash::Gcm(gcm @ Gcm::Aes128Siv) => Ok(entry::<aes_gcm_siv::Aes128GcmSiv>(gcm, input)),
            Hash::Gcm(gcm @ Gcm::Aes256Siv) => Ok(entry::<aes_gcm_siv::Aes256GcmSiv>(gcm, input)),
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

/// The system's OpenSSL: a context with its key, the nonce set anew for every message.
///
/// # Errors
/// If it has no such cipher.
pub(super) fn libcrypto<'a>(name: &str, gcm: Gcm, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
    let algorithm = match gcm.key().len() {
        16 => c"AES-128-GCM",
        _ => c"AES-256-GCM",
    };
    let context = CipherContext::new(algorithm, gcm.key(), Direction::Encrypt).map_err(NotApplicable)?;
    let context = Rc::new(context);
    Ok(one_by_one(name, input, move |nonce, message, text| context.seal(nonce, &AD, message, text)))
}

/// Intel's library: the direct function for one message, of its best implementation for this CPU.
///
/// # Errors
/// If the library is missing, or has none.
pub(super) fn ipsec_mb<'a>(name: &str, gcm: Gcm, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
    let key = Rc::new(GcmKey::new(gcm.key()).map_err(NotApplicable)?);
    Ok(one_by_one(name, input, move |nonce, message, text| key.seal(nonce, &AD, message, text)))
}

/// Functions of crates with `ring`'s interface: in place, because that copy is then the only one.
macro_rules! as_ring {
    ($($(#[$attribute:meta])* $function:ident $name:literal $aead:path: $($gcm:ident $algorithm:ident)*;)*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        /// If it has no such cipher.
        pub(super) fn $function(gcm: Gcm, input: &Input) -> Result<Entry<'_>, NotApplicable> {
            use $aead::{Aad, LessSafeKey, Nonce, UnboundKey, $($algorithm),*};
            let algorithm = match gcm {
                $(Gcm::$gcm => &$algorithm,)*
                #[allow(unreachable_patterns)]
                _ => return Err(NotApplicable::hash(Hash::Gcm(gcm))),
            };
            let key = UnboundKey::new(algorithm, gcm.key()).expect("a key of its length");
            let key = Rc::new(LessSafeKey::new(key));
            Ok(one_by_one($name, input, move |nonce, message, text| {
                text.copy_from_slice(message);
                let nonce = Nonce::assume_unique_for_key(*nonce);
                let tag = key.seal_in_place_separate_tag(nonce, Aad::from(&AD), text);
                tag.expect("below the limit").as_ref().try_into().expect("16 bytes")
            }))
        }
    )*};
}
as_ring! {
    /// The crate `ring`.
    ring "ring" ring::aead: Aes128 AES_128_GCM Aes256 AES_256_GCM;
    /// AWS-LC.
    #[cfg(feature = "aws-lc-rs")]
    aws_lc "aws-lc-rs" aws_lc_rs::aead: Aes128 AES_128_GCM Aes256 AES_256_GCM Aes128Siv AES_128_GCM_SIV Aes256Siv AES_256_GCM_SIV;
}

/// The crate `graviola`: in place, too.
#[cfg(feature = "graviola")]
pub(super) fn graviola(gcm: Gcm, input: &Input) -> Entry<'_> {
    let key = Rc::new(graviola::aead::AesGcm::new(gcm.key()));
    one_by_one("graviola", input, move |nonce, message, text| {
        text.copy_from_slice(message);
        let mut tag = [0; 16];
        key.encrypt(nonce, &AD, text, &mut tag);
        tag
    })
}

/// OpenSSL as the crate `openssl` builds it: a context with its key, the nonce set anew for every message.
///
/// # Errors
/// If it has no such cipher.
#[cfg(feature = "openssl")]
pub(super) fn openssl(gcm: Gcm, input: &Input) -> Result<Entry<'_>, NotApplicable> {
    use openssl::cipher::Cipher;
    use openssl::cipher_ctx::CipherCtx;
    use std::cell::RefCell;
    let cipher = match gcm.key().len() {
        16 => Cipher::aes_128_gcm(),
        _ => Cipher::aes_256_gcm(),
    };
    let failed = |error| NotApplicable(format!("{error}"));
    let mut context = CipherCtx::new().map_err(failed)?;
    context.encrypt_init(Some(cipher), Some(gcm.key()), None).map_err(failed)?;
    let context = Rc::new(RefCell::new(context));
    Ok(one_by_one("openssl", input, move |nonce, message, text| {
        let (mut context, mut tag) = (context.borrow_mut(), [0; 16]);
        context.encrypt_init(None, None, Some(nonce)).expect("a nonce of 12 bytes");
        context.cipher_update(&AD, None).expect("associated data");
        let n = context.cipher_update(message, Some(text)).expect("as long");
        assert_eq!(n, message.len());
        context.cipher_final(&mut []).expect("nothing is left");
        context.tag(&mut tag).expect("16 bytes");
        tag
    }))
}
