//! The modes with the crate `aes`, for CPUs without AES instructions. It expands a key again for every call.

use aes::cipher::consts::U16;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128Dec, Aes128Enc, Aes192Dec, Aes192Enc, Aes256Dec, Aes256Enc};
use hashlanes_isa::cipher::{Block, Buffer};

use super::jobs::{CbcDecrypt, CbcEncrypt, CounterBits, Ctr};
use crate::Key;

/// Number of blocks that the crate processes at once: twice as many as its bit slices hold.
const AT_ONCE: usize = 8;

#[inline(always)]
pub(crate) fn ctr(job: Ctr<'_, '_>) {
    let Ctr { key, counter, counts, buffer, .. } = job;
    match key.rounds() {
        10 => ctr_by(cipher::<Aes128Enc>(key), counter, counts, buffer),
        12 => ctr_by(cipher::<Aes192Enc>(key), counter, counts, buffer),
        _ => ctr_by(cipher::<Aes256Enc>(key), counter, counts, buffer),
    }
}

#[inline(always)]
pub(super) fn cbc_decrypt(job: CbcDecrypt<'_, '_>) {
    let CbcDecrypt { key, chain, buffer, .. } = job;
    match key.rounds() {
        10 => cbc_decrypt_by(cipher::<Aes128Dec>(key), chain, buffer),
        12 => cbc_decrypt_by(cipher::<Aes192Dec>(key), chain, buffer),
        _ => cbc_decrypt_by(cipher::<Aes256Dec>(key), chain, buffer),
    }
}

#[inline(always)]
pub(super) fn cbc_encrypt(job: CbcEncrypt<'_, '_, &Key>) {
    let key = job.keys;
    match key.rounds() {
        10 => cbc_encrypt_by(cipher::<Aes128Enc>(key), job),
        12 => cbc_encrypt_by(cipher::<Aes192Enc>(key), job),
        _ => cbc_encrypt_by(cipher::<Aes256Enc>(key), job),
    }
}

fn cipher<C: KeyInit>(key: &Key) -> C {
    C::new_from_slice(key.bytes()).expect("a key of its length")
}

fn xor(x: &mut Block, y: &[u8]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x ^= y);
}

fn ctr_by(
    cipher: impl BlockCipherEncrypt<BlockSize = U16>,
    counter: &mut Block,
    counts: CounterBits,
    mut buffer: Buffer<'_>,
) {
    while !buffer.is_empty() {
        let mut part = buffer.take((16 * AT_ONCE).min(buffer.len()));
        let mut keystream = [[0; 16]; AT_ONCE];
        let keystream = &mut keystream[..part.len() / 16];
        for block in &mut *keystream {
            *block = *counter;
            let now = u128::from_be_bytes(*counter);
            *counter = counts.carried(now, now.wrapping_add(1)).to_be_bytes();
        }
        cipher.encrypt_blocks(aes::Block::cast_slice_from_core_mut(keystream));
        for (block, message) in keystream.iter_mut().zip(part.input().chunks_exact(16)) {
            xor(block, message);
        }
        part.output().copy_from_slice(keystream.as_flattened());
    }
}

fn cbc_decrypt_by(
    cipher: impl BlockCipherDecrypt<BlockSize = U16>,
    chain: &mut Block,
    mut buffer: Buffer<'_>,
) {
    while !buffer.is_empty() {
        let mut part = buffer.take((16 * AT_ONCE).min(buffer.len()));
        let mut ciphertext = [[0; 16]; AT_ONCE];
        let ciphertext = &mut ciphertext[..part.len() / 16];
        ciphertext.as_flattened_mut().copy_from_slice(part.input());
        let mut blocks = [[0; 16]; AT_ONCE];
        let blocks = &mut blocks[..ciphertext.len()];
        blocks.copy_from_slice(ciphertext);
        cipher.decrypt_blocks(aes::Block::cast_slice_from_core_mut(blocks));
        for (block, ciphertext) in blocks.iter_mut().zip(ciphertext) {
            xor(block, chain);
            *chain = *ciphertext;
        }
        part.output().copy_from_slice(blocks.as_flattened());
    }
}

fn cbc_encrypt_by(cipher: impl BlockCipherEncrypt<BlockSize = U16>, job: CbcEncrypt<'_, '_, &Key>) {
    let CbcEncrypt { chain, messages, n_blocks, .. } = job;
    assert!(chain.len() == 1 && messages.len() == 1);
    let (mut buffer, chain) = (messages[0].take(16 * n_blocks), &mut chain[0]);
    for at in (0..16 * n_blocks).step_by(16) {
        xor(chain, &buffer.input()[at..at + 16]);
        cipher.encrypt_block(chain.into());
        buffer.output()[at..at + 16].copy_from_slice(chain);
    }
}
