//! Nonces and IVs as numbers.

use super::Block;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::x86::{read4, read8};

/// Returns a nonce or an IV as a little-endian number, read in two halves.
///
/// Callers often write it right before, in two parts. A load of all its bytes waits until both stores are in
/// the cache, which is after all instructions before them: messages of consecutive calls then do not overlap
/// (60 cycles of a short message, Zen 4). Loads of parts are served from the stores.
#[inline(always)]
pub fn in_halves(block: &Block) -> u128 {
    let (low, high) = block.split_at(8);
    u128::from(read8(low.try_into().expect("8 bytes")))
        | u128::from(read8(high.try_into().expect("8 bytes"))) << 64
}

/// Returns a nonce of 12 bytes likewise, read in three words: 8 bytes may follow a prefix of 4, or 4 bytes
/// one of 8.
#[inline(always)]
pub fn in_words(nonce: &[u8; 12]) -> u128 {
    let (words, _) = nonce.as_chunks::<4>();
    u128::from(read4(&words[0])) | u128::from(read4(&words[1])) << 32 | u128::from(read4(&words[2])) << 64
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
fn read8(bytes: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*bytes)
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
fn read4(bytes: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*bytes)
}
