//! AES-GCM by our library and its rivals.

use std::hint::black_box;
use std::rc::Rc;

use hashlanes::aes::Buffer;
use hashlanes::aes::gcm::{self as ours, AesGcm, Message};
use hashlanes::aes::kernels::gcm_table;

use super::tags::with_tags;
use crate::candidate::{Entry, NotApplicable};
use crate::gcm::{AD, Gcm};
use crate::input::Input;
use crate::library::evp_cipher::{CipherContext, Direction};
use crate::library::ipsec_mb::GcmKey;
use crate::work::Shape;

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
        ($many:ident $many_on:ident $key:expr) => {{
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
                let run = |messages: &mut [Message<'_, '_, _>]| {
                    match kernel {
                        None => ours::$many(messages),
                        Some(kernel) => ours::$many_on(kernel, messages),
                    }
                    .expect("lengths below the limit");
                };
                with_tags!(
                    all,
                    |i, Sealed { text, tag }| {
                        let buffer = Buffer::new(input.message(i), text);
                        (Message { cipher: &*key, nonce: Gcm::nonce(i), ad: &AD[..], buffer, tag: *tag }, tag)
                    },
                    run
                )
            })
        }};
    }
    Ok(match gcm {
        Gcm::Aes128 => {
            by!(aes128_gcm_encrypt_many aes128_gcm_encrypt_many_on AesGcm::<16>::from_slice(gcm.key()))
        }
        Gcm::Aes256 => {
            by!(aes256_gcm_encrypt_many aes256_gcm_encrypt_many_on AesGcm::<32>::from_slice(gcm.key()))
        }
    })
}

/// The system's OpenSSL: a context with its key, the nonce set anew for every message.
///
/// # Errors
/// If it has no such cipher.
pub(super) fn libcrypto<'a>(name: &str, gcm: Gcm, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
    let algorithm = match gcm {
        Gcm::Aes128 => c"AES-128-GCM",
        Gcm::Aes256 => c"AES-256-GCM",
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
    ($($(#[$attribute:meta])* $function:ident $name:literal $aead:path;)*) => {$(
        $(#[$attribute])*
        pub(super) fn $function(gcm: Gcm, input: &Input) -> Entry<'_> {
            use $aead::{AES_128_GCM, AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
            let algorithm = match gcm {
                Gcm::Aes128 => &AES_128_GCM,
                Gcm::Aes256 => &AES_256_GCM,
            };
            let key = UnboundKey::new(algorithm, gcm.key()).expect("a key of its length");
            let key = Rc::new(LessSafeKey::new(key));
            one_by_one($name, input, move |nonce, message, text| {
                text.copy_from_slice(message);
                let nonce = Nonce::assume_unique_for_key(*nonce);
                let tag = key.seal_in_place_separate_tag(nonce, Aad::from(&AD), text);
                tag.expect("below the limit").as_ref().try_into().expect("16 bytes")
            })
        }
    )*};
}
as_ring! {
    /// The crate `ring`.
    ring "ring" ring::aead;
    /// AWS-LC.
    #[cfg(feature = "aws-lc-rs")]
    aws_lc "aws-lc-rs" aws_lc_rs::aead;
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
    let cipher = match gcm {
        Gcm::Aes128 => Cipher::aes_128_gcm(),
        Gcm::Aes256 => Cipher::aes_256_gcm(),
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
