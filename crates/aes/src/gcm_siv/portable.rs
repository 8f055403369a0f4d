//! GCM-SIV where the CPU has no instructions for it: blocks by the crate `aes`, and products of polynomials
//! as in `gcm/portable.rs`.

use aes::cipher::consts::U16;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use aes::{Aes128Enc, Aes256Enc};
use hashlanes_isa::cipher::{Block, Buffer, in_words, partial_block, put_partial_block};
use zeroize::Zeroize;

use super::job::{HIGHEST_BIT, Job, first_of_derivation, lengths};
use crate::gcm::job::Direction;
use crate::gcm::portable::product;

/// Number of blocks that the crate processes at once: twice as many as its bit slices hold.
const AT_ONCE: usize = 8;

/// Encrypts or decrypts the messages, and computes their tags.
#[inline(always)]
pub(crate) fn crypt(direction: Direction, jobs: &mut [Option<Job<'_>>]) {
    for job in jobs.iter_mut().filter_map(Option::take) {
        match job.key.rounds() {
            10 => one::<Aes128Enc>(direction, job),
            _ => one::<Aes256Enc>(direction, job),
        }
    }
}

fn one<C: BlockCipherEncrypt<BlockSize = U16> + KeyInit>(direction: Direction, job: Job<'_>) {
    let Job { key, nonce, ad, mut text, tag } = job;
    let (mut h, cipher) = derive::<C>(key.bytes(), nonce);
    if direction == Direction::Decrypt {
        ctr(&cipher, tag, text.reborrow());
    }
    let plaintext = if direction == Direction::Decrypt { text.output() } else { text.input() };
    let y = absorb(h, absorb(h, 0, ad), plaintext);
    let y = product(y ^ lengths(ad.len(), plaintext.len()), h);
    *tag = ((y ^ in_words(nonce)) & !HIGHEST_BIT).to_le_bytes();
    cipher.encrypt_block(tag.into());
    if direction == Direction::Encrypt {
        ctr(&cipher, tag, text);
    }
    h.zeroize();
}

/// Derives the keys of a nonce, RFC 8452, section 4: that of POLYVAL, and that of the cipher.
fn derive<C: BlockCipherEncrypt<BlockSize = U16> + KeyInit>(key: &[u8], nonce: &[u8; 12]) -> (u128, C) {
    let first = first_of_derivation(nonce);
    let mut blocks = [[0; 16]; 6];
    let blocks = &mut blocks[..2 + key.len() / 8];
    for (i, block) in (0..).zip(&mut *blocks) {
        *block = (first | i).to_le_bytes();
    }
    C::new_from_slice(key)
        .expect("a key of its length")
        .encrypt_blocks(aes::Block::cast_slice_from_core_mut(blocks));
    // The first half of every block.
    let mut derived = [[0; 8]; 6];
    for (half, block) in derived.iter_mut().zip(&*blocks) {
        half.copy_from_slice(&block[..8]);
    }
    let (h, cipher_key) = derived.as_flattened()[..8 * blocks.len()].split_at(16);
    let keys = (partial_block(h), C::new_from_slice(cipher_key).expect("a key of its length"));
    derived.zeroize();
    blocks.as_flattened_mut().zeroize();
    keys
}

/// AES-CTR of section 4: the counter is the first 32 bits of the block, little-endian.
fn ctr(cipher: &impl BlockCipherEncrypt<BlockSize = U16>, tag: &Block, mut text: Buffer<'_>) {
    let first = u128::from_le_bytes(*tag) | HIGHEST_BIT;
    let mut counter = first as u32;
    let mut keystream = [[0; 16]; AT_ONCE];
    while !text.is_empty() {
        let mut part = text.take((16 * AT_ONCE).min(text.len()));
        for block in &mut keystream {
            *block = (first & !u128::from(u32::MAX) | u128::from(counter)).to_le_bytes();
            counter = counter.wrapping_add(1);
        }
        cipher.encrypt_blocks(aes::Block::cast_slice_from_core_mut(&mut keystream));
        for (at, block) in (0..part.len()).step_by(16).zip(&keystream) {
            let to = part.len().min(at + 16);
            let block = partial_block(&part.input()[at..to]) ^ u128::from_le_bytes(*block);
            put_partial_block(block, &mut part.output()[at..to]);
        }
    }
    keystream.zeroize();
}

/// POLYVAL of bytes, the last block filled with zeros.
fn absorb(h: u128, y: u128, bytes: &[u8]) -> u128 {
    bytes.chunks(16).fold(y, |y, block| product(y ^ partial_block(block), h))
}
