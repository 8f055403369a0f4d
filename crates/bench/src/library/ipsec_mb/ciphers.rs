//! AES by the library's jobs.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::{DIR_ENCRYPT, Manager, ORDER_HASH_CIPHER};

/// `IMB_DIR_DECRYPT`.
const DIR_DECRYPT: c_int = 2;
/// `IMB_ORDER_CIPHER_HASH`.
const ORDER_CIPHER_HASH: c_int = 1;
/// `IMB_AUTH_NULL`.
const AUTH_NULL: c_int = 8;

/// `IMB_CIPHER_MODE` with a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    CbcEncrypt,
    CbcDecrypt,
    Ctr,
}

/// A key's round keys in both directions, as the library expands them.
#[repr(C, align(64))]
pub(crate) struct Keys {
    encrypt: [[u8; 16]; 15],
    decrypt: [[u8; 16]; 15],
    len: u64,
}

/// A message: its IV, the input, and the place of the output.
pub(crate) type Message<'a> = ([u8; 16], &'a [u8], &'a mut [u8]);

impl Manager {
    /// The round keys of a key of 16, 24 or 32 bytes.
    pub(crate) fn expand(&self, key: &[u8]) -> Keys {
        assert!([16, 24, 32].contains(&key.len()));
        let mut keys = Keys { encrypt: [[0; 16]; 15], decrypt: [[0; 16]; 15], len: key.len() as u64 };
        // SAFETY: "Declarations": keyexp_128, keyexp_192, keyexp_256 are the first three of these pointers,
        // and write at most 15 round keys to each place.
        unsafe {
            let function = (*self.head.as_ptr()).others[key.len() / 8 - 2];
            let function: unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void) =
                std::mem::transmute(function);
            function(key.as_ptr().cast(), keys.encrypt.as_mut_ptr().cast(), keys.decrypt.as_mut_ptr().cast());
        }
        keys
    }

    /// Every message that is not empty is submitted as a job, then the queue is emptied.
    pub(crate) fn apply_many(&self, mode: Mode, keys: &Keys, messages: &mut [Message<'_>]) {
        let head = self.head.as_ptr();
        for (iv, message, out) in messages {
            assert!(message.len() == out.len() && message.len().is_multiple_of(16));
            // The library refuses a job of 0 bytes, but not without its checks: with AVX2 it then never ends
            // reading.
            if message.is_empty() {
                continue;
            }
            // SAFETY: "Declarations": a free job of the manager's ring, every field that ciphers without a
            // hash read is filled in. Messages and keys are borrowed until the queue is empty, below.
            unsafe {
                let job = (*head).get_next_job;
                let job = &mut *job(head);
                job.enc_keys = keys.encrypt.as_ptr().cast();
                job.dec_keys = keys.decrypt.as_ptr().cast();
                job.key_len_in_bytes = keys.len;
                job.src = message.as_ptr();
                job.dst = out.as_mut_ptr();
                job.cipher_start_src_offset_in_bytes = 0;
                job.msg_len_to_cipher_in_bytes = message.len() as u64;
                job.hash_start_src_offset_in_bytes = 0;
                job.msg_len_to_hash_in_bytes = 0;
                job.iv = iv.as_ptr();
                job.iv_len_in_bytes = 16;
                job.auth_tag_output = ptr::null_mut();
                job.auth_tag_output_len_in_bytes = 0;
                job.hash_alg = AUTH_NULL;
                // IMB_CIPHER_CBC, IMB_CIPHER_CNTR.
                job.cipher_mode = if mode == Mode::Ctr { 2 } else { 1 };
                (job.cipher_direction, job.chain_order) = match mode {
                    Mode::CbcDecrypt => (DIR_DECRYPT, ORDER_HASH_CIPHER),
                    Mode::CbcEncrypt | Mode::Ctr => (DIR_ENCRYPT, ORDER_CIPHER_HASH),
                };
                let submit = (*head).submit_job_nocheck;
                submit(head);
            }
        }
        // SAFETY: as above; null says that no job is left.
        unsafe { while !((*head).flush_job)(head).is_null() {} }
    }
}
