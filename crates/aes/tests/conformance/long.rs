//! What takes minutes: a million random cases against the crates `aes`, `cbc` and `ctr`, long messages
//! against OpenSSL's program, and whether the padding's check takes a time that depends on the padding.

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};

use aes::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit, StreamCipher};
use hashlanes_aes::kernels::aes as kernels;
use hashlanes_aes::{
    Block, Buffer, CbcMessage, CounterBits, Ctr, InFlight, Key, cbc_decrypt, cbc_decrypt_raw_on,
    cbc_encrypt_raw_many, cbc_encrypt_raw_many_on,
};
use hashlanes_testkit::ragged::{Rng, pattern};
use hashlanes_testkit::times::assert_constant;

use crate::modes::random_batch;
use crate::suite::{Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.long("aes", "a million messages of ragged batches", million);
    suite.long("aes", "a million messages decrypted and in CTR", million_of_one);
    suite.long("aes", "long messages, OpenSSL", openssl);
    suite.long("aes", "a padding's check takes one time", padding_time);
}

fn foreign_cbc(key: &[u8], iv: &Block, message: &mut [u8]) {
    let blocks = aes::Block::cast_slice_from_core_mut(message.as_chunks_mut().0);
    match key.len() {
        16 => cbc::Encryptor::<aes::Aes128>::new_from_slices(key, iv).unwrap().encrypt_blocks(blocks),
        24 => cbc::Encryptor::<aes::Aes192>::new_from_slices(key, iv).unwrap().encrypt_blocks(blocks),
        _ => cbc::Encryptor::<aes::Aes256>::new_from_slices(key, iv).unwrap().encrypt_blocks(blocks),
    }
}

fn foreign_cbc_back(key: &[u8], iv: &Block, message: &mut [u8]) {
    let blocks = aes::Block::cast_slice_from_core_mut(message.as_chunks_mut().0);
    match key.len() {
        16 => cbc::Decryptor::<aes::Aes128>::new_from_slices(key, iv).unwrap().decrypt_blocks(blocks),
        24 => cbc::Decryptor::<aes::Aes192>::new_from_slices(key, iv).unwrap().decrypt_blocks(blocks),
        _ => cbc::Decryptor::<aes::Aes256>::new_from_slices(key, iv).unwrap().decrypt_blocks(blocks),
    }
}

fn foreign_ctr(key: &[u8], first: &Block, counts: CounterBits, message: &mut [u8]) {
    macro_rules! apply {
        ($flavor:ident) => {
            match key.len() {
                16 => {
                    ctr::$flavor::<aes::Aes128>::new_from_slices(key, first).unwrap().apply_keystream(message)
                }
                24 => {
                    ctr::$flavor::<aes::Aes192>::new_from_slices(key, first).unwrap().apply_keystream(message)
                }
                _ => {
                    ctr::$flavor::<aes::Aes256>::new_from_slices(key, first).unwrap().apply_keystream(message)
                }
            }
        };
    }
    match counts {
        CounterBits::Bits32 => apply!(Ctr32BE),
        CounterBits::Bits64 => apply!(Ctr64BE),
        CounterBits::Bits128 => apply!(Ctr128BE),
    }
}

fn against_foreign(key: &[u8], iv: &Block, message: &[u8], ciphertext: &[u8], chain: &Block) {
    let mut expected = message.to_vec();
    foreign_cbc(key, iv, &mut expected);
    assert!(expected == ciphertext, "{} bytes, a key of {}, seed {:#x}", message.len(), key.len(), seed());
    assert_eq!(chain, ciphertext.last_chunk().unwrap_or(iv), "what more of it goes on from");
}

/// 30,000 batches of 35 messages, of the default choice and of every kernel in turn.
fn million() {
    let kernels: Vec<_> = kernels().collect();
    let mut rng = Rng::new(seed());
    for i in 0..30_000 {
        let encrypt = |messages: &mut [CbcMessage<'_, '_>]| match kernels.get(i % (2 * kernels.len())) {
            Some(kernel) => cbc_encrypt_raw_many_on(kernel, messages).unwrap(),
            None => cbc_encrypt_raw_many(messages).unwrap(),
        };
        random_batch(&mut rng, 60, encrypt, against_foreign);
    }
}

fn million_of_one() {
    let kernels: Vec<_> = kernels().filter(|kernel| kernel.degree() == 1).collect();
    let mut rng = Rng::new(seed() ^ 2);
    let content = pattern(1 << 16, 3);
    for i in 0..1_000_000 {
        let kernel = kernels[i % kernels.len()];
        let mut key_bytes = vec![0; rng.choose(&[16, 24, 32])];
        rng.fill(&mut key_bytes);
        let mut first: Block = [0; 16];
        rng.fill(&mut first);
        // Carries are what counters go wrong at.
        let n_ones = rng.below(17);
        first[16 - n_ones..].fill(0xff);
        let key = Key::new(&key_bytes).unwrap();
        // Mostly short.
        let most = rng.choose(&[40, 300, 300, 1200, 1200, 4000, 60_000]);
        let n = rng.below(most);
        let message = &content[rng.below(content.len() - n)..][..n];
        let in_flight = rng.choose(&crate::on_kernel::IN_FLIGHT);
        let mut out = message.to_vec();
        if i % 2 == 0 {
            out.truncate(n / 16 * 16);
            let mut expected = out.clone();
            foreign_cbc_back(&key_bytes, &first, &mut expected);
            cbc_decrypt_raw_on(kernel, in_flight, &key, &mut { first }, Buffer::in_place(&mut out)).unwrap();
            assert!(out == expected, "{}, {n} bytes, seed {:#x}", kernel.name(), seed());
        } else {
            let counts = rng.choose(&[CounterBits::Bits32, CounterBits::Bits64, CounterBits::Bits128]);
            let mut expected = out.clone();
            foreign_ctr(&key_bytes, &first, counts, &mut expected);
            let mut keystream = Ctr::new(&key, &first, counts);
            keystream.apply_on(kernel, in_flight, Buffer::in_place(&mut out)).unwrap();
            assert!(out == expected, "{}, {n} bytes, {counts:?}, seed {:#x}", kernel.name(), seed());
        }
    }
}

/// Four MiB on every kernel, the portable one among them, as OpenSSL's program encrypts them.
fn openssl() {
    let message = pattern(4 << 20, 5);
    let iv = [0xfe; 16];
    for bits in [128, 192, 256] {
        let key_bytes: Vec<u8> = (0..(bits / 8) as u8).collect();
        let key = Key::new(&key_bytes).unwrap();
        let Some(in_cbc) = by_openssl(&format!("-aes-{bits}-cbc"), &key_bytes, &iv, &message) else {
            println!("openssl cannot be run: nothing is compared with it");
            return;
        };
        let in_ctr =
            by_openssl(&format!("-aes-{bits}-ctr"), &key_bytes, &iv, &message).expect("it ran before");
        for kernel in kernels() {
            let encrypted = crate::on_kernel::cbc_encrypt(kernel, &key, &iv, &message);
            assert!(encrypted == in_cbc, "{}: CBC, {bits} bits", kernel.name());
            let place = crate::on_kernel::Place::Same;
            let back = crate::on_kernel::cbc_decrypt(kernel, InFlight::Best, &key, &iv, &in_cbc, place);
            assert!(back == message, "{}: CBC decryption, {bits} bits", kernel.name());
            let keystream = Ctr::new(&key, &iv, CounterBits::Bits128);
            let out = crate::on_kernel::ctr(kernel, InFlight::Best, keystream, &message, &[]);
            assert!(out == in_ctr, "{}: CTR, {bits} bits", kernel.name());
        }
    }
}

/// Returns the output of `openssl enc`, if that program is installed.
fn by_openssl(cipher: &str, key: &[u8], iv: &Block, message: &[u8]) -> Option<Vec<u8>> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut command = Command::new("openssl");
    command.args(["enc", cipher, "-nopad", "-K", &hex(key), "-iv", &hex(iv)]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(message).expect("openssl reads"));
        let output = child.wait_with_output().expect("openssl ends");
        assert!(output.status.success());
        Some(output.stdout)
    })
}

/// Ciphertexts whose paddings are wrong at the first byte, at the last, or only at one byte more. A check
/// that stopped at the first wrong byte gives |t| of thousands here.
fn padding_time() {
    let key = Key::new(&[1; 16]).unwrap();
    let iv = [0; 16];
    // Both are refused: one at its length, one at the first of sixteen bytes.
    let mut blocks = [[0u8; 16], [16; 16]];
    blocks[1][0] = 15;
    let ciphertexts = blocks.map(|block| {
        let kernel = kernels().find(|kernel| kernel.degree() == 1).expect("portable runs everywhere");
        crate::on_kernel::cbc_encrypt(kernel, &key, &iv, &block)
    });
    assert_constant("paddings", seed(), |which| {
        for _ in 0..8 {
            assert!(black_box(cbc_decrypt(&key, &iv, black_box(&ciphertexts[which]))).is_err());
        }
    });
}
