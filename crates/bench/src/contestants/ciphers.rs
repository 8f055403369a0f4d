//! Ciphers by our library and by the crates of RustCrypto.

use std::hint::black_box;

use aes::cipher::consts::U16;
use aes::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, KeyInit,
    StreamCipher, StreamCipherCoreWrapper,
};
use arrayvec::ArrayVec;
use hashlanes::aes::kernels::{AesVerbs, Kernel, aes_table};
use hashlanes::aes::{
    Buffer, CbcMessage, CounterBits, Ctr, CtrMessage, InFlight, Key, cbc_decrypt_raw_many,
    cbc_decrypt_raw_on, cbc_encrypt_raw, cbc_encrypt_raw_many, cbc_encrypt_raw_many_on, ctr_many,
};

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::cipher::{Cipher, Mode};
use crate::input::{Input, Outputs};
use crate::work::Hash;

/// Suffixes of a kernel's name that set the number of registers at once.
const IN_FLIGHT: [(&str, InFlight); 4] =
    [(":w1", InFlight::One), (":w2", InFlight::Two), (":w4", InFlight::Four), (":w8", InFlight::Eight)];

/// Prepares our library for an input, with its own choice of kernels, or on one kernel (`vaes-avx2`,
/// `vaes-avx2:w4`).
///
/// # Errors
/// If this CPU has no such kernel.
pub(super) fn enter<'a>(
    name: &str,
    kernel: Option<&str>,
    cipher: Cipher,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let told = kernel.and_then(|kernel| {
        IN_FLIGHT.into_iter().find_map(|(end, in_flight)| Some((kernel.strip_suffix(end)?, in_flight)))
    });
    let (kernel, in_flight) = match (kernel, told) {
        (_, Some((kernel, in_flight))) => (Some(kernel), in_flight),
        (kernel, None) => (kernel, InFlight::Best),
    };
    let named = |kernel| aes_table().named(kernel).map_err(|error| NotApplicable(error.to_string()));
    let kernel = kernel.map(named).transpose()?;
    let key = Key::new(cipher.key()).expect("a key of its length");
    match cipher.mode {
        Mode::CbcEncrypt => Ok(encrypt(name, key, kernel, cipher, input)),
        Mode::CbcDecrypt if kernel.is_none() && input.count() > 1 => {
            Ok(Entry::of_outputs(name, input, move |outputs| {
                let message = |(i, out)| CbcMessage {
                    key: &key,
                    iv: cipher.iv(i),
                    buffer: Buffer::new(black_box(input.message(i)), out),
                };
                let decrypt = |messages: &mut [_]| cbc_decrypt_raw_many(messages).expect("whole blocks");
                in_list(outputs.messages().enumerate().map(message), decrypt);
            }))
        }
        Mode::Ctr if kernel.is_none() && input.count() > 1 => {
            Ok(Entry::of_outputs(name, input, move |outputs| {
                let message = |(i, out)| CtrMessage {
                    key: &key,
                    first: cipher.iv(i),
                    counts: CounterBits::Bits128,
                    buffer: Buffer::new(black_box(input.message(i)), out),
                };
                let encrypt = |messages: &mut [_]| ctr_many(messages).expect("short messages");
                in_list(outputs.messages().enumerate().map(message), encrypt);
            }))
        }
        mode => Ok(Entry::of_outputs(name, input, move |outputs| {
            let kernel = kernel.unwrap_or_else(|| aes_table().best_of_one());
            for (i, out) in outputs.messages().enumerate() {
                let (mut buffer, mut iv) = (Buffer::new(black_box(input.message(i)), out), cipher.iv(i));
                match mode {
                    Mode::Ctr => {
                        Ctr::new(&key, &iv, CounterBits::Bits128).apply_on(kernel, in_flight, buffer)
                    }
                    Mode::CtrParts(_) => {
                        let mut keystream = Ctr::new(&key, &iv, CounterBits::Bits128);
                        mode.parts(buffer.len()).try_for_each(|part| {
                            keystream.apply_on(kernel, in_flight, buffer.take(part.len()))
                        })
                    }
                    _ => cbc_decrypt_raw_on(kernel, in_flight, &key, &mut iv, buffer),
                }
                .expect("whole blocks");
            }
        })),
    }
}

/// Calls a function of many messages with a list of them. Few are in a list on the stack: a caller has such a
/// list already, and the heap takes longer than a short message.
fn in_list<M, T>(messages: impl ExactSizeIterator<Item = M>, run: impl FnOnce(&mut [M]) -> T) -> T {
    const FEW: usize = 64;
    if messages.len() <= FEW {
        // Filled where it is: a move copies the whole room.
        let mut list = ArrayVec::<M, FEW>::new();
        list.extend(messages);
        run(&mut list)
    } else {
        run(&mut messages.collect::<Vec<M>>())
    }
}

fn encrypt<'a>(
    name: &str,
    key: Key,
    kernel: Option<&'static Kernel<AesVerbs>>,
    cipher: Cipher,
    input: &'a Input,
) -> Entry<'a> {
    Entry::of_outputs(name, input, move |outputs: &mut Outputs| {
        let message = |(i, out)| (cipher.iv(i), Buffer::new(black_box(input.message(i)), out));
        let mut messages = outputs.messages().enumerate().map(message);
        match (kernel, input.count()) {
            (None, 1) => {
                let (mut iv, buffer) = messages.next().expect("a message");
                cbc_encrypt_raw(&key, &mut iv, buffer)
            }
            (kernel, _) => {
                let messages = messages.map(|(iv, buffer)| CbcMessage { key: &key, iv, buffer });
                in_list(messages, |messages| match kernel {
                    None => cbc_encrypt_raw_many(messages),
                    Some(kernel) => cbc_encrypt_raw_many_on(kernel, messages),
                })
            }
        }
        .expect("whole blocks");
    })
}

/// The crates `aes`, `cbc` and `ctr`.
pub(super) struct RustCrypto;

impl Candidate for RustCrypto {
    fn name(&self) -> &str {
        "aes+cbc+ctr"
    }

    fn about(&self) -> String {
        "the crates aes, cbc and ctr (RustCrypto): one message".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("aes"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Cipher(cipher @ Cipher { bits: 128, .. }) => {
                Ok(by_crates::<aes::Aes128, aes::Aes128Dec>(cipher, input))
            }
            Hash::Cipher(cipher @ Cipher { bits: 192, .. }) => {
                Ok(by_crates::<aes::Aes192, aes::Aes192Dec>(cipher, input))
            }
            Hash::Cipher(cipher) => Ok(by_crates::<aes::Aes256, aes::Aes256Dec>(cipher, input)),
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

/// Prepares the cipher `C` for encryption or `D` for decryption; both get the key before the clock runs.
fn by_crates<'a, C, D>(cipher: Cipher, input: &'a Input) -> Entry<'a>
where
    C: BlockCipherEncrypt<BlockSize = U16> + KeyInit + Clone + 'a,
    D: BlockCipherDecrypt<BlockSize = U16> + KeyInit + Clone + 'a,
{
    let encrypting = C::new_from_slice(cipher.key()).expect("a key of its length");
    let decrypting = D::new_from_slice(cipher.key()).expect("a key of its length");
    Entry::of_outputs("aes+cbc+ctr", input, move |outputs| {
        for (i, out) in outputs.messages().enumerate() {
            let (message, iv) = (black_box(input.message(i)), cipher.iv(i).into());
            let (blocks, _) = aes::Block::slice_as_chunks(message);
            let (out_blocks, _) = aes::Block::slice_as_chunks_mut(out);
            match cipher.mode {
                Mode::CbcEncrypt => cbc::Encryptor::inner_iv_init(encrypting.clone(), &iv)
                    .encrypt_blocks_b2b(blocks, out_blocks)
                    .expect("as many blocks"),
                Mode::CbcDecrypt => cbc::Decryptor::inner_iv_init(decrypting.clone(), &iv)
                    .decrypt_blocks_b2b(blocks, out_blocks)
                    .expect("as many blocks"),
                Mode::Ctr | Mode::CtrParts(_) => {
                    let core =
                        ctr::CtrCore::<C, ctr::flavors::Ctr128BE>::inner_iv_init(encrypting.clone(), &iv);
                    let mut keystream = StreamCipherCoreWrapper::from_core(core);
                    for part in cipher.mode.parts(message.len()) {
                        keystream.apply_keystream_b2b(&message[part.clone()], &mut out[part]);
                    }
                }
            }
        }
    })
}
