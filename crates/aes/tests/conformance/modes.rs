//! Every length, key, number of messages and of registers, against the oracle.

use hashlanes_aes::kernels::{AesVerbs, Kernel};
use hashlanes_aes::{
    Block, Buffer, CbcCiphertext, CbcMessage, CbcPlaintext, CounterBits, Ctr, CtrMessage, Error, InFlight,
    Key, cbc_decrypt, cbc_decrypt_many, cbc_decrypt_raw_many, cbc_decrypt_raw_many_on, cbc_encrypt,
    cbc_encrypt_many, cbc_encrypt_raw_many, cbc_encrypt_raw_many_on, ctr_many, ctr_many_on,
};
use hashlanes_testkit::oracle::Aes;
use hashlanes_testkit::ragged::{Rng, pattern};

use crate::on_kernel::{self, COUNTS, IN_FLIGHT, Place};
use crate::suite::{Suite, cases, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("CBC decryption, every length and number of registers", decrypt_every_length);
    suite.each_kernel("CTR, every length and number of registers", ctr_every_length);
    suite.each_kernel("CTR, counters come round", ctr_carries);
    suite.each_kernel("CTR, long messages", ctr_long);
    suite.each_kernel("CTR, in parts", ctr_in_parts);
    suite.one("aes", "CTR, from any byte on", ctr_from_any_byte_on);
    suite.one("aes", "CTR, seeking ends where the counter repeats", ctr_seeks_no_further);
    suite.each_kernel("CBC encryption, as many messages as lanes", encrypt_every_length);
    suite.each_kernel("CBC encryption, ragged batches", ragged_on);
    suite.one("aes", "CBC encryption, ragged batches", ragged);
    suite.each_kernel("CBC decryption, ragged batches", |kernel| {
        ragged_back(|messages| cbc_decrypt_raw_many_on(kernel, messages).unwrap());
    });
    suite.one("aes", "CBC decryption, ragged batches", || {
        ragged_back(|messages| cbc_decrypt_raw_many(messages).unwrap());
    });
    suite.each_kernel("CTR, ragged batches", |kernel| {
        ragged_ctr(|messages| ctr_many_on(kernel, messages).unwrap());
    });
    suite.one("aes", "CTR, ragged batches", || ragged_ctr(|messages| ctr_many(messages).unwrap()));
    suite.one("aes", "CBC with padding, every length", padded);
}

/// A key of each length, with its oracle.
pub(crate) fn keys(salt: u8) -> [(Key, Aes); 3] {
    [16, 24, 32].map(|n| {
        let bytes: Vec<u8> = (0..n).map(|i: u8| i.wrapping_mul(37) ^ salt).collect();
        (Key::new(&bytes).unwrap(), Aes::new(&bytes))
    })
}

const IV: Block = *b"an IV of a block";

/// Up to two rounds of the widest kernel's eight registers, and a block.
const MANY_BLOCKS: usize = 2 * 32 + 1;

fn decrypt_every_length(kernel: &'static Kernel<AesVerbs>) {
    for (key, oracle) in keys(1) {
        let ciphertext = pattern(16 * MANY_BLOCKS, 2);
        let expected = oracle.cbc_decrypt(&IV, &ciphertext);
        for n in (0..=MANY_BLOCKS).map(|blocks| 16 * blocks) {
            for in_flight in IN_FLIGHT {
                for place in [Place::Same, Place::Other] {
                    let out = on_kernel::cbc_decrypt(kernel, in_flight, &key, &IV, &ciphertext[..n], place);
                    assert!(out == expected[..n], "{key:?}, {n} bytes, {in_flight:?}, {place:?}");
                }
            }
        }
    }
}

fn ctr_every_length(kernel: &'static Kernel<AesVerbs>) {
    for (key, oracle) in keys(2) {
        let message = pattern(16 * MANY_BLOCKS, 3);
        let expected = oracle.ctr(&IV, 32, &message);
        for n in 0..=message.len() {
            // All of them at whole blocks; else they differ in nothing.
            let all = if n % 16 == 0 { &IN_FLIGHT[..] } else { &[InFlight::Best] };
            for &in_flight in all {
                let keystream = Ctr::new(&key, &IV, CounterBits::Bits32);
                let out = on_kernel::ctr(kernel, in_flight, keystream, &message[..n], &[]);
                assert!(out == expected[..n], "{key:?}, {n} bytes, {in_flight:?}");
            }
        }
    }
}

/// First counters a few blocks before 2^32, 2^64 and 2^128.
fn ctr_carries(kernel: &'static Kernel<AesVerbs>) {
    let message = pattern(16 * MANY_BLOCKS, 4);
    for (key, oracle) in keys(3) {
        for (counts, bits) in COUNTS {
            for ones in [32, 64, 128] {
                for before in [1, 7, 16, 33] {
                    let all_ones = u128::MAX >> (128 - ones);
                    let first = (u128::from_be_bytes(IV) | all_ones).wrapping_sub(before - 1);
                    let first = first.to_be_bytes();
                    let expected = oracle.ctr(&first, bits, &message);
                    for (i, in_flight) in IN_FLIGHT.into_iter().enumerate() {
                        let place = if i % 2 == 0 { Place::Same } else { Place::Other };
                        let keystream = Ctr::new(&key, &first, counts);
                        let out = on_kernel::ctr_at(kernel, in_flight, keystream, &message, place);
                        let what = format!("{key:?}, {counts:?}, {before} before 2^{ones}, {in_flight:?}");
                        assert!(out == expected, "{what}");
                    }
                }
            }
        }
    }
}

/// Messages that share rounds; their counters begin anywhere in a span, and pass 2^40 and 2^32.
fn ctr_long(kernel: &'static Kernel<AesVerbs>) {
    let message = pattern(16 * 2600 + 5, 5);
    for (key, oracle) in keys(4) {
        for (low, counts, bits) in [
            (0u128, CounterBits::Bits128, 128),
            (77, CounterBits::Bits64, 64),
            ((1 << 40) - 1300, CounterBits::Bits64, 64),
            ((1 << 32) - 2300, CounterBits::Bits32, 32),
        ] {
            let first = ((u128::from_be_bytes(IV) >> 64 << 64) | low).to_be_bytes();
            let expected = oracle.ctr(&first, bits, &message);
            for in_flight in IN_FLIGHT {
                for place in [Place::Same, Place::Other] {
                    let keystream = Ctr::new(&key, &first, counts);
                    let out = on_kernel::ctr_at(kernel, in_flight, keystream, &message, place);
                    assert!(out == expected, "{key:?}, from {low}, {in_flight:?}, {place:?}");
                }
            }
        }
    }
}

fn ctr_in_parts(kernel: &'static Kernel<AesVerbs>) {
    let message = pattern(200, 6);
    let (key, oracle) = &keys(5)[0];
    let expected = oracle.ctr(&IV, 128, &message);
    for first in 0..40 {
        for second in 0..40 {
            let keystream = Ctr::new(key, &IV, CounterBits::Bits128);
            let out = on_kernel::ctr(kernel, InFlight::Best, keystream, &message, &[first, second, 0]);
            assert_eq!(out, expected, "{first} and {second} bytes, and the rest");
        }
    }
}

/// By a value that owns its key, forward and back, with keystream ahead and without.
fn ctr_from_any_byte_on() {
    for (counts, bits) in on_kernel::COUNTS {
        for first in [IV, [0xff; 16]] {
            let message = pattern(300, 6);
            let [_, (key, oracle), _] = keys(5);
            let expected = oracle.ctr(&first, bits, &message);
            let mut keystream = Ctr::new(key, &first, counts);
            for n in 0..300 {
                let place = n * 77 % 300;
                keystream.seek(place as u128).unwrap();
                assert_eq!(keystream.position(), place as u128);
                let mut part = message[place..(place + n % 90).min(300)].to_vec();
                let end = place + part.len();
                keystream.apply(Buffer::in_place(&mut part)).unwrap();
                assert_eq!(part, expected[place..end], "{place}");
                assert_eq!(keystream.position(), end as u128);
                keystream.skip_blocks(1).unwrap();
                assert_eq!(keystream.position(), (end.div_ceil(16) * 16 + 16) as u128);
            }
        }
    }
}

fn ctr_seeks_no_further() {
    let key = Key::new(&[1; 16]).unwrap();
    let mut keystream = Ctr::new(key, &IV, CounterBits::Bits32);
    let all = 16_u128 << 32;
    keystream.seek(all - 20).unwrap();
    let mut rest = [0; 20];
    assert!(keystream.apply(Buffer::in_place(&mut [0; 21])).is_err());
    keystream.apply(Buffer::in_place(&mut rest[..5])).unwrap();
    keystream.apply(Buffer::in_place(&mut rest[5..])).unwrap();
    assert!(keystream.apply(Buffer::in_place(&mut [0])).is_err());
    assert_eq!(keystream.position(), all);
    keystream.seek(all).unwrap();
    for place in [all + 1, all + 16, u128::MAX] {
        assert!(keystream.seek(place).is_err());
        assert_eq!(keystream.position(), all);
    }
    let mut same = [0; 20];
    keystream.seek(all - 20).unwrap();
    keystream.apply(Buffer::in_place(&mut same)).unwrap();
    assert_eq!(same, rest);
    assert_eq!(keystream.skip_blocks(1), Err(Error::CounterRepeats(16)));
}

/// A message of `blocks` blocks a lane and one more, from one place to another, all lengths up to a few
/// registers.
fn encrypt_every_length(kernel: &'static Kernel<AesVerbs>) {
    for (key, oracle) in keys(6) {
        for n_bytes in (0..=9).map(|blocks| 16 * blocks) {
            let sources: Vec<Vec<u8>> = (0..=kernel.degree()).map(|k| pattern(n_bytes, k)).collect();
            let mut outs = vec![vec![0; n_bytes]; sources.len()];
            let mut messages: Vec<CbcMessage<'_, '_>> = sources
                .iter()
                .zip(&mut outs)
                .map(|(src, dst)| CbcMessage { key: &key, iv: IV, buffer: Buffer::new(src, dst) })
                .collect();
            cbc_encrypt_raw_many_on(kernel, &mut messages).unwrap();
            for (source, out) in sources.iter().zip(&outs) {
                assert!(*out == oracle.cbc_encrypt(&IV, source), "{key:?}, {n_bytes} bytes");
            }
        }
    }
}

/// A batch: keys of their own or shared, of one length or of all, any IVs, in place or not, most of them
/// short.
///
/// `check` is handed the key, the IV, the input, the output, and the block that more of the message goes on
/// from.
pub(crate) fn random_batch(
    rng: &mut Rng,
    most_blocks: usize,
    crypt: impl Fn(&mut [CbcMessage<'_, '_>]),
    check: impl Fn(&[u8], &Block, &[u8], &[u8], &Block),
) {
    let n_messages = rng.below(70);
    let n_keys = rng.choose(&[1, 1, 3, 40]);
    let lengths = [rng.choose(&[16, 24, 32]), rng.choose(&[16, 24, 32])];
    let key_bytes: Vec<Vec<u8>> = (0..n_keys)
        .map(|_| {
            let mut bytes = vec![0; rng.choose(&lengths)];
            rng.fill(&mut bytes);
            bytes
        })
        .collect();
    let keys: Vec<Key> = key_bytes.iter().map(|bytes| Key::new(bytes).unwrap()).collect();
    let of: Vec<usize> = (0..n_messages).map(|_| rng.below(n_keys)).collect();
    let ivs: Vec<Block> =
        (0..n_messages).map(|i| (rng.next_u64() as u128 * (i as u128 + 7)).to_le_bytes()).collect();
    let most = 1 + rng.below(most_blocks);
    // Some begin at a multiple of 64 and are processed in place, in whole lines.
    let offset = rng.choose(&[0, 0, 16, 1]);
    let is_in_place = rng.below(2) == 0;
    let sources: Vec<Lines> =
        (0..n_messages).map(|k| Lines::new(&pattern(16 * rng.below(most), k), offset)).collect();
    let mut outs: Vec<Lines> = sources
        .iter()
        .map(|lines| {
            if is_in_place {
                Lines::new(lines.bytes(), offset)
            } else {
                Lines::new(&vec![0; lines.n_bytes], offset)
            }
        })
        .collect();
    let mut messages: Vec<CbcMessage<'_, '_>> = Vec::new();
    for (k, out) in outs.iter_mut().enumerate() {
        let buffer = match is_in_place {
            true => Buffer::in_place(out.bytes_mut()),
            false => Buffer::new(sources[k].bytes(), out.bytes_mut()),
        };
        messages.push(CbcMessage { key: &keys[of[k]], iv: ivs[k], buffer });
    }
    crypt(&mut messages);
    let chains: Vec<Block> = messages.iter().map(|message| message.iv).collect();
    for k in 0..n_messages {
        check(&key_bytes[of[k]], &ivs[k], sources[k].bytes(), outs[k].bytes(), &chains[k]);
    }
}

/// Bytes at this distance after a multiple of 64.
pub(crate) struct Lines {
    room: Vec<[u128; 4]>,
    offset: usize,
    n_bytes: usize,
}

impl Lines {
    pub(crate) fn new(content: &[u8], offset: usize) -> Lines {
        let mut lines =
            Lines { room: vec![[0; 4]; (content.len() + offset) / 64 + 2], offset, n_bytes: content.len() };
        lines.bytes_mut().copy_from_slice(content);
        lines
    }

    /// Returns the words as bytes that begin at a multiple of 64.
    pub(crate) fn bytes(&self) -> &[u8] {
        let bytes: &[u8] = bytemuck::cast_slice(&self.room);
        let start = bytes.as_ptr().align_offset(64) + self.offset;
        &bytes[start..start + self.n_bytes]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.room);
        let start = bytes.as_ptr().align_offset(64) + self.offset;
        &mut bytes[start..start + self.n_bytes]
    }
}

fn against_oracle(key: &[u8], iv: &Block, message: &[u8], ciphertext: &[u8], chain: &Block) {
    let what = format!("{} bytes, a key of {}", message.len(), key.len());
    assert!(Aes::new(key).cbc_encrypt(iv, message) == ciphertext, "{what}");
    assert_eq!(chain, ciphertext.last_chunk().unwrap_or(iv), "{what}");
}

fn ragged_back(decrypt: impl Fn(&mut [CbcMessage<'_, '_>])) {
    let mut rng = Rng::new(seed() ^ 2);
    for _ in 0..cases(60) {
        random_batch(&mut rng, 80, &decrypt, |key, iv, ciphertext, message, chain| {
            let what = format!("{} bytes, a key of {}", message.len(), key.len());
            assert!(Aes::new(key).cbc_decrypt(iv, ciphertext) == message, "{what}");
            assert_eq!(chain, ciphertext.last_chunk().unwrap_or(iv), "{what}");
        });
    }
}

/// Messages of any number of bytes, few of them so long that they go by a table; their counters come round.
fn ragged_ctr(encrypt: impl Fn(&mut [CtrMessage<'_, '_>])) {
    let mut rng = Rng::new(seed() ^ 3);
    let content = pattern(16 * 2600, 9);
    let keys = keys(9);
    for i in 0..cases(60) {
        let mut outs = Vec::new();
        for _ in 0..rng.below(40) {
            let most = rng.choose(&[20, 20, 300, 1500, 1500, if i % 10 == 0 { 16 * 2600 } else { 70 }]);
            let n = rng.below(most);
            let mut first = [0; 16];
            rng.fill(&mut first);
            let n_ones = rng.below(17);
            first[16 - n_ones..].fill(0xff);
            outs.push((rng.below(3), first, rng.choose(&COUNTS), content[..n].to_vec()));
        }
        let mut messages = Vec::new();
        for (k, first, (counts, _), out) in &mut outs {
            let n = out.len();
            let buffer = match i % 2 {
                0 => Buffer::in_place(out),
                _ => Buffer::new(&content[..n], out),
            };
            messages.push(CtrMessage { key: &keys[*k].0, first: *first, counts: *counts, buffer });
        }
        encrypt(&mut messages);
        assert!(messages.iter().all(|message| message.buffer.is_empty()));
        for (k, first, (counts, bits), out) in &outs {
            let expected = keys[*k].1.ctr(first, *bits, &content[..out.len()]);
            assert!(*out == expected, "{} bytes, key {k}, from {first:?}, {counts:?}", out.len());
        }
    }
}

fn ragged_on(kernel: &'static Kernel<AesVerbs>) {
    let mut rng = Rng::new(seed());
    for _ in 0..cases(60) {
        let encrypt =
            |messages: &mut [CbcMessage<'_, '_>]| cbc_encrypt_raw_many_on(kernel, messages).unwrap();
        random_batch(&mut rng, 24, encrypt, against_oracle);
    }
}

fn ragged() {
    let mut rng = Rng::new(seed() ^ 1);
    for _ in 0..cases(300) {
        random_batch(&mut rng, 24, |messages| cbc_encrypt_raw_many(messages).unwrap(), against_oracle);
    }
}

/// One by one, and all together.
fn padded() {
    let message = pattern(100, 7);
    for (key, oracle) in &keys(8) {
        let mut ciphertexts = Vec::new();
        for n in 0..=message.len() {
            let ciphertext = cbc_encrypt(key, &IV, &message[..n]);
            let n_padding = 16 - n % 16;
            let by_hand = [&message[..n], &vec![n_padding as u8; n_padding]].concat();
            assert_eq!(ciphertext, oracle.cbc_encrypt(&IV, &by_hand), "{n} bytes");
            assert_eq!(cbc_decrypt(key, &IV, &ciphertext).unwrap(), message[..n]);
            ciphertexts.push(ciphertext);
        }
        let plaintexts: Vec<CbcPlaintext<'_>> =
            (0..=message.len()).map(|n| CbcPlaintext { key, iv: IV, message: &message[..n] }).collect();
        assert_eq!(cbc_encrypt_many(&plaintexts), ciphertexts);
        let ciphertexts: Vec<CbcCiphertext<'_>> =
            ciphertexts.iter().map(|ciphertext| CbcCiphertext { key, iv: IV, ciphertext }).collect();
        for (n, result) in cbc_decrypt_many(&ciphertexts).into_iter().enumerate() {
            assert_eq!(result.unwrap(), message[..n]);
        }
    }
}
