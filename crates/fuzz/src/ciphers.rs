//! AES-CBC, AES-CTR, AES-GCM and AES-GCM-SIV on every kernel, compared with an oracle and another
//! implementation.

use aes_gcm::KeyInit;
use aes_gcm::aead::AeadInOut;
use aes_gcm::aead::array::typenum::U12;
use aes_gcm::aead::inout::InOutBuf;
use hashlanes::aes::gcm::{Aes128Gcm, Aes256Gcm, Error as GcmError};
use hashlanes::aes::gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
use hashlanes::aes::{
    Block, Buffer, CbcCiphertext, CbcMessage, CbcPlaintext, CounterBits, Ctr, CtrMessage, Error, InFlight,
    Key, cbc_decrypt, cbc_decrypt_many, cbc_decrypt_raw_many_on, cbc_decrypt_raw_on, cbc_encrypt_many,
    cbc_encrypt_raw_many_on, ctr_many_on, kernels,
};
use hashlanes_testkit::oracle::Aes;

use crate::input::{Input, parts};

/// A message and its tag; one changed bit of the ciphertext, the tag or the data is an error.
macro_rules! gcm {
    ($input:ident, $cipher:ident $key_bytes:literal $other:ty) => {{
        let kernel = $input.one_of(kernels::gcm());
        let key = $input.random($key_bytes);
        let nonce: [u8; 12] = $input.random(12).try_into().expect("12 bytes");
        let (ad, message) = ($input.some(600), $input.some(1500));
        let mut expected = message.clone();
        let expected_tag = encrypt_by::<$other>(&key, &nonce, &ad, &mut expected);
        let cipher = $cipher::from_slice(&key).expect("a key's length").on(kernel);
        let mut text = vec![0; message.len()];
        let tag = cipher.encrypt(&nonce, &ad, &message, &mut text).expect("few bytes");
        assert_eq!((&text, &tag[..]), (&expected, &expected_tag[..]), "{}", kernel.name());
        assert_eq!(cipher.decrypt_in_place(&nonce, &ad, &mut text, &tag), Ok(()));
        assert_eq!(text, message, "{}", kernel.name());
        let mut sealed = [&expected[..], &tag, &ad].concat();
        let at = $input.below(sealed.len());
        sealed[at] ^= 1 << $input.below(8);
        let (changed, rest) = sealed.split_at(expected.len());
        let (wrong, ad) = rest.split_first_chunk().expect("a tag");
        assert_eq!(cipher.decrypt(&nonce, ad, changed, wrong, &mut text), Err(GcmError::Forged), "byte {at}");
        assert!(text.iter().all(|byte| *byte == 0), "no text of a forgery");
    }};
}

/// Encrypts in place by another implementation. Returns the tag.
pub(crate) fn encrypt_by<Other: KeyInit + AeadInOut<NonceSize = U12>>(
    key: &[u8],
    nonce: &[u8; 12],
    ad: &[u8],
    text: &mut [u8],
) -> Vec<u8> {
    let other = Other::new_from_slice(key).expect("a key's length");
    other.encrypt_inout_detached(nonce.into(), ad, InOutBuf::from(text)).expect("few bytes").to_vec()
}

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 9 {
        0 => cbc_of_many(&mut input),
        1 => cbc_of_one(&mut input),
        2 => padding(&mut input),
        3 => ctr(&mut input),
        4 => gcm!(input, Aes128Gcm 16 aes_gcm::Aes128Gcm),
        5 => ctr_of_many(&mut input),
        6 => gcm!(input, Aes256Gcm 32 aes_gcm::Aes256Gcm),
        7 => gcm!(input, Aes128GcmSiv 16 aes_gcm_siv::Aes128GcmSiv),
        _ => gcm!(input, Aes256GcmSiv 32 aes_gcm_siv::Aes256GcmSiv),
    }
}

fn key(input: &mut Input<'_>) -> (Key, Aes) {
    let n_bytes = input.choose(&[16, 24, 32]);
    let bytes = input.random(n_bytes);
    (Key::new(&bytes).expect("a length of a key"), Aes::new(&bytes))
}

fn block(input: &mut Input<'_>) -> Block {
    input.random(16).try_into().expect("16 bytes")
}

fn in_flight(input: &mut Input<'_>) -> InFlight {
    input.choose(&[InFlight::Best, InFlight::One, InFlight::Two, InFlight::Four, InFlight::Eight])
}

/// Messages under several keys, in place or not; and the same with paddings.
fn cbc_of_many(input: &mut Input<'_>) {
    let kernel = input.one_of(kernels::aes());
    let keys: Vec<(Key, Aes)> = (0..1 + input.below(4)).map(|_| key(input)).collect();
    let messages: Vec<(usize, Block, Vec<u8>)> =
        (0..input.below(40)).map(|_| (input.below(keys.len()), block(input), input.units(16, 30))).collect();
    let mut outputs: Vec<Vec<u8>> = messages.iter().map(|(_, _, message)| vec![0; message.len()]).collect();
    let are_in_place = input.is();
    let mut jobs: Vec<CbcMessage<'_, '_>> = messages
        .iter()
        .zip(&mut outputs)
        .map(|((key, iv, message), output)| {
            let buffer = if are_in_place {
                output.copy_from_slice(message);
                Buffer::in_place(output)
            } else {
                Buffer::new(message, output)
            };
            CbcMessage { key: &keys[*key].0, iv: *iv, buffer }
        })
        .collect();
    cbc_encrypt_raw_many_on(kernel, &mut jobs).expect("whole blocks");
    for ((key, iv, message), output) in messages.iter().zip(&outputs) {
        assert_eq!(*output, keys[*key].1.cbc_encrypt(iv, message), "{}", kernel.name());
    }
    let mut back = outputs;
    let mut jobs: Vec<CbcMessage<'_, '_>> = messages
        .iter()
        .zip(&mut back)
        .map(|((key, iv, _), output)| CbcMessage {
            key: &keys[*key].0,
            iv: *iv,
            buffer: Buffer::in_place(output),
        })
        .collect();
    cbc_decrypt_raw_many_on(kernel, &mut jobs).expect("whole blocks");
    for ((_, _, message), back) in messages.iter().zip(&back) {
        assert_eq!(message, back, "{}", kernel.name());
    }
    let plaintexts: Vec<CbcPlaintext<'_>> = messages
        .iter()
        .map(|(key, iv, message)| {
            let message = &message[..message.len() - usize::from(iv[0]).min(message.len())];
            CbcPlaintext { key: &keys[*key].0, iv: *iv, message }
        })
        .collect();
    let ciphertexts = cbc_encrypt_many(&plaintexts);
    let ciphertexts: Vec<CbcCiphertext<'_>> = plaintexts
        .iter()
        .zip(&ciphertexts)
        .map(|(CbcPlaintext { key, iv, .. }, ciphertext)| CbcCiphertext { key, iv: *iv, ciphertext })
        .collect();
    let back = cbc_decrypt_many(&ciphertexts);
    for ((plaintext, CbcCiphertext { key, iv, ciphertext }), back) in
        plaintexts.iter().zip(&ciphertexts).zip(back)
    {
        assert_eq!(back.as_deref(), Ok(plaintext.message));
        assert_eq!(cbc_decrypt(key, iv, ciphertext), back);
    }
}

/// Messages of any lengths under several keys, in place.
fn ctr_of_many(input: &mut Input<'_>) {
    let kernel = input.one_of(kernels::aes());
    let keys: Vec<(Key, Aes)> = (0..1 + input.below(4)).map(|_| key(input)).collect();
    let messages: Vec<(usize, Block, Vec<u8>)> =
        (0..input.below(40)).map(|_| (input.below(keys.len()), block(input), input.some(500))).collect();
    let mut outputs: Vec<Vec<u8>> = messages.iter().map(|(_, _, message)| message.clone()).collect();
    let mut jobs: Vec<CtrMessage<'_, '_>> = messages
        .iter()
        .zip(&mut outputs)
        .map(|((key, first, _), output)| CtrMessage {
            key: &keys[*key].0,
            first: *first,
            counts: CounterBits::Bits64,
            buffer: Buffer::in_place(output),
        })
        .collect();
    ctr_many_on(kernel, &mut jobs).expect("few blocks");
    for ((key, first, message), output) in messages.iter().zip(&outputs) {
        assert_eq!(*output, keys[*key].1.ctr(first, 64, message), "{}", kernel.name());
    }
}

fn cbc_of_one(input: &mut Input<'_>) {
    let kernel = input.one_of(kernels::aes());
    let (key, oracle) = key(input);
    let (iv, in_flight) = (block(input), in_flight(input));
    let is_ragged = input.byte() == 5;
    let mut ciphertext = input.units(16, 90);
    ciphertext.extend(is_ragged.then_some(1));
    let mut output = vec![0; ciphertext.len()];
    let buffer = if input.is() {
        output.copy_from_slice(&ciphertext);
        Buffer::in_place(&mut output)
    } else {
        Buffer::new(&ciphertext, &mut output)
    };
    let done = cbc_decrypt_raw_on(kernel, in_flight, &key, &mut { iv }, buffer);
    if is_ragged {
        assert_eq!(done, Err(Error::NotWholeBlocks(ciphertext.len())));
    } else {
        assert_eq!((done, output), (Ok(()), oracle.cbc_decrypt(&iv, &ciphertext)), "{}", kernel.name());
    }
}

/// A last block of any content: the message, or an error.
fn padding(input: &mut Input<'_>) {
    let (key, oracle) = key(input);
    let iv = block(input);
    let mut padded = input.units(16, 4);
    let last: Block = std::array::from_fn(|_| input.byte());
    padded.extend_from_slice(&last);
    let n_bytes = usize::from(last[15]);
    let is_padding = |text: &[u8]| text.iter().all(|byte| usize::from(*byte) == n_bytes);
    let is_right = (1..=16).contains(&n_bytes) && is_padding(&last[16 - n_bytes..]);
    let expected = if is_right { Ok(padded[..padded.len() - n_bytes].to_vec()) } else { Err(Error::Padding) };
    assert_eq!(cbc_decrypt(&key, &iv, &oracle.cbc_encrypt(&iv, &padded)), expected);
}

fn ctr(input: &mut Input<'_>) {
    let kernel = input.one_of(kernels::aes());
    let (key, oracle) = key(input);
    let (counts, bits) =
        input.choose(&[(CounterBits::Bits32, 32), (CounterBits::Bits64, 64), (CounterBits::Bits128, 128)]);
    let mut first = block(input);
    // Counters that come round.
    if input.is() {
        let n_ones = input.below(17);
        first[16 - n_ones..].fill(0xff);
    }
    let n_skipped = input.below(20);
    let message = input.some(1500);
    let mut output = message.clone();
    let mut keystream = Ctr::new(&key, &first, counts);
    keystream.skip_blocks(n_skipped as u64).expect("few blocks");
    let mut rest = &mut output[..];
    for part in parts(&message, &input.cuts(message.len())) {
        let (now, others) = rest.split_at_mut(part.len());
        keystream.apply_on(kernel, in_flight(input), Buffer::in_place(now)).expect("few blocks");
        rest = others;
    }
    let zeros_before = [vec![0; 16 * n_skipped], message].concat();
    let expected = &oracle.ctr(&first, bits, &zeros_before)[16 * n_skipped..];
    assert_eq!(output, expected, "{}", kernel.name());
    let from = input.below(output.len() + 1);
    let mut again = zeros_before[16 * n_skipped + from..].to_vec();
    keystream.seek((16 * n_skipped + from) as u128).expect("few blocks");
    keystream.apply_on(kernel, in_flight(input), Buffer::in_place(&mut again)).expect("few blocks");
    assert_eq!(again, expected[from..], "{} from {from}", kernel.name());
}
