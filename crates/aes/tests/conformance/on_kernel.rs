//! The modes on one kernel, as the tests call them.

use hashlanes_aes::kernels::{AesVerbs, Kernel};
use hashlanes_aes::{
    Block, Buffer, CbcMessage, CounterBits, Ctr, InFlight, Key, cbc_decrypt_raw_on, cbc_encrypt_raw_many_on,
};

/// Registers at once, all choices.
pub(crate) const IN_FLIGHT: [InFlight; 5] =
    [InFlight::Best, InFlight::One, InFlight::Two, InFlight::Four, InFlight::Eight];

/// All choices of the number of counter bits in a counter block.
pub(crate) const COUNTS: [(CounterBits, u32); 3] =
    [(CounterBits::Bits32, 32), (CounterBits::Bits64, 64), (CounterBits::Bits128, 128)];

/// Whether the result goes where the message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Same,
    Other,
}

/// Encrypts a message of whole blocks; the last block of the result must be in the IV's place.
pub(crate) fn cbc_encrypt(
    kernel: &'static Kernel<AesVerbs>,
    key: &Key,
    iv: &Block,
    message: &[u8],
) -> Vec<u8> {
    let mut out = message.to_vec();
    let mut messages = [CbcMessage { key, iv: *iv, buffer: Buffer::in_place(&mut out) }];
    cbc_encrypt_raw_many_on(kernel, &mut messages).expect("whole blocks");
    let chain = messages[0].iv;
    assert_eq!(chain, *out.last_chunk().unwrap_or(iv));
    out
}

/// The same, decrypted.
pub(crate) fn cbc_decrypt(
    kernel: &'static Kernel<AesVerbs>,
    in_flight: InFlight,
    key: &Key,
    iv: &Block,
    ciphertext: &[u8],
    place: Place,
) -> Vec<u8> {
    let mut out = vec![0; ciphertext.len()];
    let buffer = match place {
        Place::Other => Buffer::new(ciphertext, &mut out),
        Place::Same => {
            out.copy_from_slice(ciphertext);
            Buffer::in_place(&mut out)
        }
    };
    let mut chain = *iv;
    cbc_decrypt_raw_on(kernel, in_flight, key, &mut chain, buffer).expect("whole blocks");
    assert_eq!(chain, *ciphertext.last_chunk().unwrap_or(iv));
    out
}

/// A message in CTR, in one part.
pub(crate) fn ctr_at(
    kernel: &'static Kernel<AesVerbs>,
    in_flight: InFlight,
    mut keystream: Ctr<&Key>,
    message: &[u8],
    place: Place,
) -> Vec<u8> {
    let mut out = vec![0; message.len()];
    let buffer = match place {
        Place::Other => Buffer::new(message, &mut out),
        Place::Same => {
            out.copy_from_slice(message);
            Buffer::in_place(&mut out)
        }
    };
    keystream.apply_on(kernel, in_flight, buffer).expect("below the limit");
    out
}

/// A message in CTR, in parts of these lengths and the rest.
pub(crate) fn ctr(
    kernel: &'static Kernel<AesVerbs>,
    in_flight: InFlight,
    mut keystream: Ctr<&Key>,
    message: &[u8],
    parts: &[usize],
) -> Vec<u8> {
    let mut out = message.to_vec();
    let mut rest = &mut out[..];
    for part in parts.iter().copied().chain([usize::MAX]) {
        let (first, others) = rest.split_at_mut(part.min(rest.len()));
        keystream.apply_on(kernel, in_flight, Buffer::in_place(first)).expect("below the limit");
        rest = others;
    }
    out
}
