//! The contracts of all tables' entries.

mod aegis;
mod aes;
mod blocks;
mod gcm;
mod hashes;
mod sponge;

use crate::contract::Cases;
use crate::induction::AnyBlocks;

/// The cases of a verb of a kernel, by the names of its table and row and its number of messages.
pub fn cases(table: &str, row: &str, verb: &str, degree: usize) -> Cases {
    match table {
        "keccak" => sponge::cases(verb, degree),
        "aegis" => aegis::cases(verb, degree),
        "gcm" => gcm::cases(row, verb),
        "aes" => aes::cases(verb, degree),
        _ => hashes::Hash::of_module(table).map_or_else(Cases::default, |hash| hash.cases(row, verb, degree)),
    }
}

/// The call of a verb with any number of blocks, if it is described.
pub fn any_blocks(table: &str, verb: &str, degree: usize) -> Option<Box<dyn AnyBlocks>> {
    hashes::Hash::of_module(table)?.any_blocks(verb, degree)
}
