//! The modes by the crate `aes`, for CPUs without AES instructions. It expands a key anew for every call.

use aes::cipher::{BlockCipherEncrypt, KeyInit};
use aes::{Aes128Enc, Aes192Enc, Aes256Enc};
use hashlanes_isa::scalar::Scalar;

use super::kernels::{Body, CbcEncrypt, Expand};
use crate::{Key, key, portable};

/// One message.
#[derive(Debug)]
pub(super) struct Portable;

impl Body for Portable {
    type Proof = Scalar;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn cbc_encrypt(_: Scalar, job: CbcEncrypt<'_, '_>) {
        let key = job.keys.of(0);
        match key.rounds() {
            10 => cbc_encrypt(cipher::<Aes128Enc>(key), job),
            12 => cbc_encrypt(cipher::<Aes192Enc>(key), job),
            _ => cbc_encrypt(cipher::<Aes256Enc>(key), job),
        }
    }
    #[inline(always)]
    fn expand(isa: Scalar, Expand { key, expanded }: Expand<'_>) {
        key::expand::<portable::Portable>(isa, key, expanded);
    }
}

fn cipher<C: KeyInit>(key: &Key) -> C {
    C::new_from_slice(key.bytes()).expect("a key of its length")
}

fn cbc_encrypt(
    cipher: impl BlockCipherEncrypt<BlockSize = aes::cipher::consts::U16>,
    job: CbcEncrypt<'_, '_>,
) {
    let CbcEncrypt { chain, messages, n_blocks, .. } = job;
    assert!(chain.len() == 1 && messages.len() == 1);
    let (mut buffer, chain) = (messages[0].take(16 * n_blocks), &mut chain[0]);
    for at in (0..16 * n_blocks).step_by(16) {
        for (chained, byte) in chain.iter_mut().zip(&buffer.input()[at..at + 16]) {
            *chained ^= byte;
        }
        cipher.encrypt_block(chain.into());
        buffer.output()[at..at + 16].copy_from_slice(chain);
    }
}
