//! The layout of the constants that kernels read in addition to their input.

use crate::asm::emit::argument;

/// The mask of vpshufb that swaps the bytes of words, 64 bytes of it.
pub(super) const SWAP: usize = 0;
/// 5 m mod 16 for m = 0..16: where word a of message m is in a register of 16 words of states, and
/// (mod 8) in one of 8.
pub(super) const WORDS: usize = 64;
/// 13 m mod 16: the way back.
pub(super) const MESSAGES: usize = 128;
/// K, four words.
pub(super) const K: usize = 192;
/// The mask of vpshufb that reverses 16 bytes.
pub(super) const REVERSE: usize = 208;
/// The masks that rotate [`WORDS`] from word a to b, and so on.
pub(super) const NEXT_WORDS: usize = 224;
/// The same of [`MESSAGES`].
pub(super) const NEXT_MESSAGES: usize = 228;
/// K, each eight times: 32 bytes of it.
pub(super) const K_IN_ALL: usize = 256;

pub(super) fn constants_argument(register: &str) -> [String; 8] {
    [
        argument(register, "constants, 64-byte aligned:"),
        argument("", "  0 vpshufb's mask that swaps the bytes of words, 64 bytes"),
        argument("", " 64 5 m mod 16, m = 0..16"),
        argument("", "128 13 m mod 16, m = 0..16"),
        argument("", "192 K"),
        argument("", "208 vpshufb's mask that reverses 16 bytes"),
        argument("", "224 1 and 3"),
        argument("", "256 K, each eight times"),
    ]
}
