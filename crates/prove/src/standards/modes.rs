//! Modes of operation: NIST SP 800-38A.

use super::aes::{self, Block, Rounds};
use crate::memory;
use crate::terms::{Term, Terms};

/// A counter block: its first 64 bits are any, its last are known, as control flow depends on them.
#[derive(Clone, Copy)]
pub struct Counter {
    /// The number of the first 64 bits.
    pub high: Term,
    /// The number of the last.
    pub low: u64,
    /// The number of bits that count.
    pub bits: u32,
}

impl Counter {
    /// Appendix B.1: the counter block after `n` increments.
    #[must_use]
    pub fn after(self, terms: &mut Terms, n: u64) -> Self {
        let sum = self.low.wrapping_add(n);
        match self.bits {
            32 => Self { low: self.low & !0xffff_ffff | sum & 0xffff_ffff, ..self },
            64 => Self { low: sum, ..self },
            _ => {
                let carry = terms.constant((sum < n).into(), 64);
                Self { high: terms.add(self.high, carry), low: sum, ..self }
            }
        }
    }

    /// The block.
    pub fn block(self, terms: &mut Terms) -> Block {
        let low = terms.constant(self.low, 64);
        let mut columns = [self.high, low].into_iter().flat_map(|word| {
            let word = memory::reversed(terms, word);
            [terms.half(word, 0), terms.half(word, 1)]
        });
        core::array::from_fn(|_| columns.next().expect("four columns"))
    }
}

/// Section 6.5: CTR.
pub fn ctr(terms: &mut Terms, rounds: Rounds, w: &[Block], counter: Counter, text: &[Block]) -> Vec<Block> {
    let blocks = text.iter().enumerate();
    blocks
        .map(|(i, block)| {
            let counter = counter.after(terms, i as u64).block(terms);
            let keystream = rounds.cipher(terms, w, &counter);
            aes::xor(terms, block, &keystream)
        })
        .collect()
}

/// Section 6.2: CBC encryption.
pub fn cbc_encrypt(terms: &mut Terms, w: &[Block], iv: &Block, text: &[Block]) -> Vec<Block> {
    let mut previous = *iv;
    let blocks = text.iter();
    blocks
        .map(|block| {
            let input = aes::xor(terms, block, &previous);
            previous = Rounds::Whole.cipher(terms, w, &input);
            previous
        })
        .collect()
}

/// Section 6.2: CBC decryption, by the round keys of the equivalent inverse cipher.
pub fn cbc_decrypt(terms: &mut Terms, dw: &[Block], iv: &Block, ciphertext: &[Block]) -> Vec<Block> {
    let previous = [iv].into_iter().chain(ciphertext);
    let blocks = ciphertext.iter().zip(previous);
    blocks
        .map(|(block, previous)| {
            let output = Rounds::Whole.inverse_cipher(terms, dw, block);
            aes::xor(terms, &output, previous)
        })
        .collect()
}
