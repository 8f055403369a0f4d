//! Ciphers by rivals that also hash: OpenSSL, Intel's `libipsec-mb`.

use std::hint::black_box;
use std::rc::Rc;

use crate::candidate::{Entry, NotApplicable};
use crate::cipher::{Cipher, Mode};
use crate::input::Input;
use crate::library::evp_cipher::{CipherContext, Direction};
use crate::library::ipsec_mb::{self, Manager};

/// The system's OpenSSL: a context with its key, the IV set anew for every message.
///
/// # Errors
/// If it has no such cipher.
pub(super) fn libcrypto<'a>(
    name: &str,
    cipher: Cipher,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let (algorithm, direction) = match cipher.mode {
        Mode::CbcEncrypt => ("CBC", Direction::Encrypt),
        Mode::CbcDecrypt => ("CBC", Direction::Decrypt),
        Mode::Ctr | Mode::CtrParts(_) => ("CTR", Direction::Encrypt),
    };
    let algorithm = std::ffi::CString::new(format!("AES-{}-{algorithm}", cipher.bits)).expect("no zero byte");
    let context = CipherContext::new(&algorithm, cipher.key(), direction).map_err(NotApplicable)?;
    let context = Rc::new(context);
    Ok(Entry::of_outputs(name, input, move |outputs| {
        for (i, out) in outputs.messages().enumerate() {
            context.begin(&cipher.iv(i));
            let message = black_box(input.message(i));
            for part in cipher.mode.parts(message.len()) {
                context.update(&message[part.clone()], &mut out[part]);
            }
        }
    }))
}

/// Intel's library: a job a message.
///
/// # Errors
/// If the message comes in parts.
pub(super) fn ipsec_mb<'a>(
    name: &str,
    manager: Manager,
    cipher: Cipher,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let keys = manager.expand(cipher.key());
    let mode = match cipher.mode {
        Mode::CbcEncrypt => ipsec_mb::Mode::CbcEncrypt,
        Mode::CbcDecrypt => ipsec_mb::Mode::CbcDecrypt,
        Mode::Ctr => ipsec_mb::Mode::Ctr,
        Mode::CtrParts(_) => return Err(NotApplicable("a job is a whole message".into())),
    };
    let shared = Rc::new((manager, keys));
    Ok(Entry::of_outputs(name, input, move |outputs| {
        let (manager, keys) = &*shared;
        let messages = outputs.messages().enumerate();
        let mut messages: Vec<_> =
            messages.map(|(i, out)| (cipher.iv(i), black_box(input.message(i)), out)).collect();
        manager.apply_many(mode, keys, &mut messages);
    }))
}

/// OpenSSL as the crate `openssl` builds it: a context with its key, the IV set anew for every message.
///
/// # Errors
/// If it has no such cipher.
#[cfg(feature = "openssl")]
pub(super) fn openssl(cipher: Cipher, input: &Input) -> Result<Entry<'_>, NotApplicable> {
    use openssl::cipher::Cipher as Evp;
    use openssl::cipher_ctx::{CipherCtx, CipherCtxRef};
    use std::cell::RefCell;
    let of = match (cipher.bits, cipher.mode) {
        (128, Mode::Ctr | Mode::CtrParts(_)) => Evp::aes_128_ctr(),
        (192, Mode::Ctr | Mode::CtrParts(_)) => Evp::aes_192_ctr(),
        (_, Mode::Ctr | Mode::CtrParts(_)) => Evp::aes_256_ctr(),
        (128, _) => Evp::aes_128_cbc(),
        (192, _) => Evp::aes_192_cbc(),
        _ => Evp::aes_256_cbc(),
    };
    let failed = |error| NotApplicable(format!("{error}"));
    let mut context = CipherCtx::new().map_err(failed)?;
    let init = match cipher.mode {
        Mode::CbcDecrypt => CipherCtxRef::decrypt_init,
        _ => CipherCtxRef::encrypt_init,
    };
    init(&mut context, Some(of), Some(cipher.key()), None).map_err(failed)?;
    context.set_padding(false);
    let context = Rc::new(RefCell::new(context));
    Ok(Entry::of_outputs("openssl", input, move |outputs| {
        let mut context = context.borrow_mut();
        for i in 0..input.count() {
            init(&mut context, None, None, Some(&cipher.iv(i))).expect("an IV of 16 bytes");
            let (message, out) = (black_box(input.message(i)), outputs.place_and_a_block(i));
            for part in cipher.mode.parts(message.len()) {
                let place = &mut out[part.start..];
                let n = context.cipher_update(&message[part.clone()], Some(place)).expect("whole blocks");
                assert_eq!(n, part.len());
            }
        }
    }))
}
