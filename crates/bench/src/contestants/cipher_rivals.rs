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
        Mode::Ctr => ("CTR", Direction::Encrypt),
    };
    let algorithm = std::ffi::CString::new(format!("AES-{}-{algorithm}", cipher.bits)).expect("no zero byte");
    let context = CipherContext::new(&algorithm, cipher.key(), direction).map_err(NotApplicable)?;
    let context = Rc::new(context);
    Ok(Entry::of_outputs(name, input, move |outputs| {
        for (i, out) in outputs.messages().enumerate() {
            context.apply(&cipher.iv(i), black_box(input.message(i)), out);
        }
    }))
}

/// Intel's library: a job a message.
pub(super) fn ipsec_mb<'a>(name: &str, manager: Manager, cipher: Cipher, input: &'a Input) -> Entry<'a> {
    let keys = manager.expand(cipher.key());
    let mode = match cipher.mode {
        Mode::CbcEncrypt => ipsec_mb::Mode::CbcEncrypt,
        Mode::CbcDecrypt => ipsec_mb::Mode::CbcDecrypt,
        Mode::Ctr => ipsec_mb::Mode::Ctr,
    };
    let shared = Rc::new((manager, keys));
    Entry::of_outputs(name, input, move |outputs| {
        let (manager, keys) = &*shared;
        let messages = outputs.messages().enumerate();
        let mut messages: Vec<_> =
            messages.map(|(i, out)| (cipher.iv(i), black_box(input.message(i)), out)).collect();
        manager.apply_many(mode, keys, &mut messages);
    })
}
