//! The functions by name, a file for each hash. Each function is one line over the generic form.
//!
//! The files contain the same functions for each hash of FIPS 180-4; only [`sha256`](sha256::sha256) has
//! more: `sha256_pairs` and `sha256_32`. So do the files of SHA-3 and Keccak-256, except that only hashes of
//! 32 bytes have pairs, and the files of SHAKE. Functions that are generic over their messages call one that
//! is not, so that hashing is compiled in this crate.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "sha1")]
mod sha1;
#[cfg(feature = "sha2")]
mod sha224;
#[cfg(feature = "sha2")]
mod sha256;
#[cfg(feature = "sha2")]
mod sha256d;
#[cfg(feature = "sha2")]
mod sha384;
#[cfg(feature = "sha2")]
mod sha512;
#[cfg(feature = "sha2")]
mod sha512_224;
#[cfg(feature = "sha2")]
mod sha512_256;

#[cfg(feature = "sha3")]
mod keccak256;
#[cfg(feature = "sha3")]
mod sha3_224;
#[cfg(feature = "sha3")]
mod sha3_256;
#[cfg(feature = "sha3")]
mod sha3_384;
#[cfg(feature = "sha3")]
mod sha3_512;
#[cfg(feature = "sha3")]
mod shake128;
#[cfg(feature = "sha3")]
mod shake256;

#[cfg(feature = "sha1")]
pub use sha1::*;
#[cfg(feature = "sha3")]
pub use {keccak256::*, sha3_224::*, sha3_256::*, sha3_384::*, sha3_512::*, shake128::*, shake256::*};
#[cfg(feature = "sha2")]
pub use {sha224::*, sha256::*, sha256d::*, sha384::*, sha512::*, sha512_224::*, sha512_256::*};

/// Returns the results of `many` for all messages, in their order.
#[cfg(feature = "alloc")]
fn all<M: AsRef<[u8]>, D: Copy>(
    messages: impl IntoIterator<Item = M>,
    zero: D,
    many: impl Fn(&[&[u8]], &mut [D]),
) -> Vec<D> {
    /// Messages that are held at a time: enough that the lanes' running empty at the end of each call costs
    /// under 2 %.
    const HELD: usize = 1024;
    let mut messages = messages.into_iter();
    let mut results = Vec::with_capacity(messages.size_hint().0);
    loop {
        let held: Vec<M> = messages.by_ref().take(HELD).collect();
        if held.is_empty() {
            return results;
        }
        let n_done = results.len();
        results.resize(n_done + held.len(), zero);
        many(&held.iter().map(M::as_ref).collect::<Vec<&[u8]>>(), &mut results[n_done..]);
    }
}
