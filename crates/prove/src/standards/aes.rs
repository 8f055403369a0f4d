//! AES's rounds, FIPS 197, as uninterpreted functions.

use crate::terms::{Term, Terms};

/// ShiftRows, SubBytes, MixColumns.
pub const ROUND: &str = "round of AES";
/// ShiftRows, SubBytes.
pub const LAST_ROUND: &str = "last round of AES";
/// The inverse of the two, in the order of the equivalent inverse cipher.
pub const INVERSE_ROUND: &str = "inverse round of AES";
/// The same of the last round.
pub const LAST_INVERSE_ROUND: &str = "last inverse round of AES";

/// A round of a state of four columns, the round key added last.
pub fn apply(terms: &mut Terms, function: &'static str, state: &[Term], key: &[Term]) -> [Term; 4] {
    core::array::from_fn(|j| {
        let column = terms.result(function, state, j as u8);
        terms.xor(column, key[j])
    })
}

/// InvMixColumns of a column.
pub fn inverse_mix_column(terms: &mut Terms, column: Term) -> Term {
    terms.result("InvMixColumns of AES", &[column], 0)
}

/// SubWord of the key expansion.
pub fn sub_word(terms: &mut Terms, word: Term) -> Term {
    terms.result("SubWord of AES", &[word], 0)
}
