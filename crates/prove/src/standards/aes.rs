//! AES: FIPS 197. SubBytes, ShiftRows and MixColumns are uninterpreted functions, so a proof shows how they
//! are applied, for all functions in their place.

use crate::memory;
use crate::terms::{Term, Terms};

/// A block, or a state: four columns, the byte of row 0 of each the lowest.
pub type Block = [Term; 4];

/// ShiftRows, SubBytes, MixColumns.
pub const ROUND: &str = "round of AES";
/// ShiftRows, SubBytes.
pub const LAST_ROUND: &str = "last round of AES";
/// The inverse of the two, in the order of the equivalent inverse cipher.
pub const INVERSE_ROUND: &str = "inverse round of AES";
/// The same of the last round.
pub const LAST_INVERSE_ROUND: &str = "last inverse round of AES";

/// What is known of a round.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Rounds {
    /// Equal states give equal results.
    #[default]
    Whole,
    /// The same, but in the rounds that add keys with these first columns, a column of the result is an
    /// exclusive or of four words, each of which depends on one byte of the state: SubBytes works byte by
    /// byte, and MixColumns is linear.
    ByBytes([Term; 2]),
}

impl Rounds {
    /// A round of a state, the round key added last.
    pub fn apply(self, terms: &mut Terms, function: &'static str, state: &[Term], key: &[Term]) -> Block {
        // ShiftRows changes nothing where all columns are equal.
        if function == LAST_ROUND && state[1..].iter().all(|column| *column == state[0]) {
            let column = sub_word(terms, state[0]);
            return core::array::from_fn(|j| terms.xor(column, key[j]));
        }
        // AESDEC undoes SubBytes and ShiftRows of AESENCLAST.
        if function == INVERSE_ROUND
            && let Some(arguments) = terms.arguments(LAST_ROUND, state)
        {
            return core::array::from_fn(|j| {
                let column = inverse_mix_column(terms, arguments[j]);
                terms.xor(column, key[j])
            });
        }
        let is_by_bytes = matches!(self, Self::ByBytes(keys) if function == ROUND && keys.contains(&key[0]));
        core::array::from_fn(|j| {
            if !is_by_bytes {
                let column = terms.result(function, state, j as u8);
                return terms.xor(column, key[j]);
            }
            (0..4).fold(key[j], |sum, row| {
                // ShiftRows.
                let byte = memory::byte(terms, state[(j + row) % 4], row);
                let row = terms.constant(row as u64, 32);
                let part = terms.result("part of a round of AES", &[byte, row], 0);
                terms.xor(sum, part)
            })
        })
    }

    /// Section 5.1: CIPHER.
    pub fn cipher(self, terms: &mut Terms, w: &[Block], block: &Block) -> Block {
        self.all(terms, w, block, [ROUND, LAST_ROUND])
    }

    /// Section 5.3.5: EQINVCIPHER, its round keys in the order of their use.
    pub fn inverse_cipher(self, terms: &mut Terms, dw: &[Block], block: &Block) -> Block {
        self.all(terms, dw, block, [INVERSE_ROUND, LAST_INVERSE_ROUND])
    }

    fn all(self, terms: &mut Terms, keys: &[Block], block: &Block, functions: [&'static str; 2]) -> Block {
        let last = keys.len() - 1;
        let mut state = xor(terms, block, &keys[0]);
        for key in &keys[1..last] {
            state = self.apply(terms, functions[0], &state, key);
        }
        self.apply(terms, functions[1], &state, &keys[last])
    }
}

/// Section 5.2, algorithm 2: KEYEXPANSION.
pub fn expand(terms: &mut Terms, key: &[Term]) -> Vec<Block> {
    let (nk, nr) = (key.len(), key.len() + 6);
    let (mut w, mut rcon) = (key.to_vec(), 1);
    for i in nk..4 * (nr + 1) {
        let mut temp = w[i - 1];
        if i % nk == 0 {
            // RotWord and SubWord may change places.
            temp = sub_word(terms, temp);
            temp = terms.rotate(temp, 8);
            let constant = terms.constant(rcon, 32);
            temp = terms.xor(temp, constant);
            rcon = rcon << 1 ^ if rcon & 0x80 == 0 { 0 } else { 0x11b };
        } else if nk > 6 && i % nk == 4 {
            temp = sub_word(terms, temp);
        }
        w.push(terms.xor(w[i - nk], temp));
    }
    w.as_chunks().0.to_vec()
}

/// Section 5.3.5, algorithm 5: KEYEXPANSIONEIC, in the order of use.
pub fn expand_inverse(terms: &mut Terms, w: &[Block]) -> Vec<Block> {
    let last = w.len() - 1;
    let keys = w.iter().rev().enumerate();
    keys.map(|(round, key)| match round {
        0 => *key,
        round if round == last => *key,
        _ => key.map(|column| inverse_mix_column(terms, column)),
    })
    .collect()
}

/// InvMixColumns of a column.
pub fn inverse_mix_column(terms: &mut Terms, column: Term) -> Term {
    terms.result("InvMixColumns of AES", &[column], 0)
}

/// SubWord of the key expansion.
pub fn sub_word(terms: &mut Terms, word: Term) -> Term {
    terms.result("SubWord of AES", &[word], 0)
}

/// The exclusive or of blocks.
pub fn xor(terms: &mut Terms, a: &Block, b: &Block) -> Block {
    core::array::from_fn(|j| terms.xor(a[j], b[j]))
}

/// Blocks with zeros from a byte on.
pub fn cut(terms: &mut Terms, blocks: &[Block], n_bytes: usize) -> Vec<Block> {
    let zero_from = |word: Term, at: usize, terms: &mut Terms| {
        let kept = n_bytes.saturating_sub(at).min(4) as u32;
        let mask = terms.constant((1u64 << (8 * kept)) - 1, 32);
        terms.and(word, mask)
    };
    let blocks = blocks.iter().enumerate();
    blocks.map(|(b, block)| core::array::from_fn(|j| zero_from(block[j], 16 * b + 4 * j, terms))).collect()
}
